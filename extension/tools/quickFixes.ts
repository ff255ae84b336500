/** Quick fixes for what discovery says of a tool file: export it, describe it, give its parameter a type. */
import * as vscode from 'vscode';
import type { Diagnostic, Mend } from '../../trainer/protocol/task';
import { Owner } from '../window/disposables';
import { documentSelector } from './codeLens';
import { asksWords, mendEdit } from './mendEdit';
import { toEditor, type ToolIndex } from './toolIndex';

const COMMAND = 'agentCoach.mendTool';
const TYPES = ['string', 'number', 'boolean'];

type Mendable = Diagnostic & { mend: Mend };

export class QuickFixes extends Owner implements vscode.CodeActionProvider {
  constructor(private readonly index: ToolIndex) {
    super();
    this.own(
      vscode.languages.registerCodeActionsProvider(documentSelector, this, {
        providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
      }),
    );
    this.own(vscode.commands.registerCommand(COMMAND, (problem: Mendable) => describe(problem)));
  }

  provideCodeActions(document: vscode.TextDocument, range: vscode.Range): vscode.CodeAction[] {
    return this.index.diagnostics.flatMap((problem) => {
      if (problem.file !== document.uri.fsPath || !problem.mend) return [];
      const shown = toEditor(problem);
      return shown.range.intersection(range) ? fixes(document, { ...problem, mend: problem.mend }, shown) : [];
    });
  }
}

function fixes(document: vscode.TextDocument, problem: Mendable, shown: vscode.Diagnostic): vscode.CodeAction[] {
  const { mend } = problem;
  const fix = (title: string, isPreferred: boolean): vscode.CodeAction => {
    const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
    action.diagnostics = [shown];
    action.isPreferred = isPreferred;
    return action;
  };
  if (asksWords(mend)) {
    const action = fix(vscode.l10n.t('Describe {0}…', mend.of), true);
    action.command = { command: COMMAND, title: action.title, arguments: [problem] };
    return [action];
  }
  const titles: [string, string?][] =
    mend.kind === 'typeParameter'
      ? TYPES.map((type) => [vscode.l10n.t('Give {0} the type {1}', mend.of, type), type])
      : mend.kind === 'export'
        ? [[vscode.l10n.t('Export {0}, so that it can be a tool', mend.of)]]
        : [[vscode.l10n.t('Remove the empty line, so that the comment belongs to the tool')]];
  return titles.flatMap(([title, words], i) => {
    const edit = workspaceEdit(document, problem, words);
    if (!edit) return [];
    const action = fix(title, i === 0 && mend.kind !== 'typeParameter'); // which type it has, only the person knows
    action.edit = edit;
    return [action];
  });
}

function workspaceEdit(
  document: vscode.TextDocument,
  { mend, ...place }: Mendable,
  words?: string,
): vscode.WorkspaceEdit | null {
  const made = mendEdit(document.getText(), place, mend, words);
  if (!made) return null;
  const edit = new vscode.WorkspaceEdit();
  const [from, to] = [document.positionAt(made.at), document.positionAt(made.at + (made.removes ?? 0))];
  edit.replace(document.uri, new vscode.Range(from, to), made.insert);
  return edit;
}

async function describe(problem: Mendable): Promise<void> {
  const words = await vscode.window.showInputBox({
    title: vscode.l10n.t('Describe {0}', problem.mend.of),
    prompt:
      problem.mend.kind === 'describeTool'
        ? vscode.l10n.t('What does it do? The model chooses a tool by these words.')
        : vscode.l10n.t('What does it hold? The model fills it by these words.'),
    validateInput: (text) => (text.trim() === '' ? vscode.l10n.t('A few words.') : null),
  });
  if (words === undefined) return;
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(problem.file));
  const edit = workspaceEdit(document, problem, words);
  if (!edit) throw new Error(vscode.l10n.t('{0} is no longer where it was', problem.mend.of));
  await vscode.workspace.applyEdit(edit);
}

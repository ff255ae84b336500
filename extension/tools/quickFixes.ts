/**
 * Quick fixes for what discovery says of a tool file: export it, describe it, give its parameter a type. And what may
 * become a tool.
 */
import * as vscode from 'vscode';
import type { Diagnostic, Mend } from '../../trainer/protocol/task';
import { Owner } from '../window/disposables';
import { documentSelector } from './codeLens';
import { markAt } from './markTools';
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
        providedCodeActionKinds: [vscode.CodeActionKind.QuickFix, vscode.CodeActionKind.RefactorRewrite],
      }),
    );
    this.own(vscode.commands.registerCommand(COMMAND, (problem: Mendable) => describe(problem)));
  }

  provideCodeActions(document: vscode.TextDocument, range: vscode.Range): vscode.CodeAction[] {
    const fixing = this.index.diagnostics.flatMap((problem) => {
      if (problem.file !== document.uri.fsPath || !problem.mend) return [];
      const shown = toEditor(problem);
      return shown.range.intersection(range) ? fixes(document, { ...problem, mend: problem.mend }, shown) : [];
    });
    return [...fixing, ...marks(document, range.start.line + 1)];
  }
}

/** `@tool` for the function, the method, or all methods of the class that begins on that line. */
function marks(document: vscode.TextDocument, line: number): vscode.CodeAction[] {
  const mark = markAt(document.getText(), line);
  if (!mark) return [];
  const { length } = mark.edits;
  const action = new vscode.CodeAction(
    length === 1
      ? vscode.l10n.t('Make {0} a tool (@tool)', mark.of)
      : vscode.l10n.t('Make the {0} methods of {1} tools (@tool)', length, mark.of),
    vscode.CodeActionKind.RefactorRewrite,
  );
  action.edit = new vscode.WorkspaceEdit();
  for (const { at, insert } of mark.edits) action.edit.insert(document.uri, document.positionAt(at), insert);
  return [action];
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

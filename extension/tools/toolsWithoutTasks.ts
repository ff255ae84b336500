/**
 * Quick fixes for a tool that no task could be made for, which the last start of a run neither trained nor measured:
 * they write an `@example` from what was
 * found, or ask for one, a box for each parameter.
 */
import * as vscode from 'vscode';
import type { Diagnostic, FileTool, ToolWithoutTasks } from '../../trainer/protocol/task';
import { documentSelector } from './codeLens';
import { Owner } from '../window/disposables';
import { toEditor, type ToolIndex } from './toolIndex';
import { exampleCall, exampleEdit, typedValue } from './writeExample';

const COMMAND = 'agentCoach.writeExample';

export class ToolsWithoutTasks extends Owner implements vscode.CodeActionProvider {
  constructor(private readonly index: ToolIndex) {
    super();
    this.own(
      vscode.languages.registerCodeActionsProvider(documentSelector, this, {
        providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
      }),
    );
    this.own(
      vscode.commands.registerCommand(COMMAND, (file: string, without: ToolWithoutTasks, isAsked: boolean) =>
        this.write(file, without, isAsked),
      ),
    );
  }

  provideCodeActions({ uri: { fsPath } }: vscode.TextDocument, range: vscode.Range): vscode.CodeAction[] {
    return this.index.withoutTasks(fsPath).flatMap((diagnostic) => {
      const shown = toEditor(diagnostic);
      return shown.range.intersection(range) ? this.fixes(diagnostic, shown) : [];
    });
  }

  private fixes(
    { file, withoutTasks: without }: Diagnostic & { withoutTasks: ToolWithoutTasks },
    shown: vscode.Diagnostic,
  ): vscode.CodeAction[] {
    if (without.wayOut !== undefined) return []; // no example mends it
    const schema = this.schemaOf(file, without);
    const fix = (title: string, isAsked: boolean): vscode.CodeAction => {
      const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
      action.diagnostics = [shown];
      action.isPreferred = !isAsked; // what was found on the way is ready to be written
      action.command = { command: COMMAND, title, arguments: [file, without, isAsked] };
      return action;
    };
    const found =
      without.found && schema
        ? [
            fix(
              vscode.l10n.t('Write @example {0}', exampleCall(without.tool, without.found, positionalOf(schema))),
              false,
            ),
          ]
        : [];
    return [fix(vscode.l10n.t('Write an @example for {0}…', without.tool), true), ...found];
  }

  private schemaOf(file: string, { tool }: ToolWithoutTasks): FileTool | undefined {
    return this.index.toolsOf(file).find(({ name }) => name === tool);
  }

  private async write(file: string, without: ToolWithoutTasks, isAsked: boolean): Promise<void> {
    const schema = this.schemaOf(file, without);
    if (!schema) throw new Error(vscode.l10n.t('{0} is no tool of {1} any more', without.tool, file));
    const args = isAsked ? await askArguments(schema, without.found ?? {}) : without.found;
    if (!args) return;
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
    const made = exampleEdit(
      document.getText(),
      schema.source.line,
      exampleCall(without.tool, args, positionalOf(schema)),
    );
    if (!made) return;
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, document.positionAt(made.at), made.insert);
    await vscode.workspace.applyEdit(edit);
    await vscode.window.showTextDocument(document, {
      selection: new vscode.Range(document.positionAt(made.at), document.positionAt(made.at)),
    });
  }
}

/** A defined tool takes its arguments as one object. */
const positionalOf = ({ binding }: FileTool) => (binding.kind === 'defined' ? 'object' : binding.positional);

/** One box for each required parameter; undefined: the user thought better of it */
async function askArguments(
  { name: tool, parameters }: FileTool,
  found: Record<string, unknown>,
): Promise<Record<string, unknown> | undefined> {
  const properties = (parameters['properties'] ?? {}) as Record<
    string,
    { type?: unknown; description?: string; enum?: unknown[] }
  >;
  const required = (parameters['required'] ?? []) as string[];
  const args: Record<string, unknown> = {};
  for (const [i, name] of required.entries()) {
    const { type, description, enum: values } = properties[name] ?? {};
    const shown = found[name] ?? values?.[0];
    const text = await vscode.window.showInputBox({
      title: vscode.l10n.t('@example for {0} ({1} of {2})', tool, i + 1, required.length),
      prompt: `${name}${description ? `: ${description}` : ''}`,
      ignoreFocusOut: true,
      value: shown === undefined ? '' : typeof shown === 'string' ? shown : JSON.stringify(shown),
      validateInput: (typed) =>
        typedValue(typed, type)
          ? null
          : type === 'string'
            ? vscode.l10n.t('A value that really occurs.')
            : vscode.l10n.t('A {0}, as it stands in code.', String(type ?? 'JSON value')),
    });
    if (text === undefined) return undefined;
    args[name] = typedValue(text, type)!.value;
  }
  return args;
}

/** An error as the person is told it: what happened without our innards, and buttons that lead to the way out. */
import * as vscode from 'vscode';
import { commands, CONFIGURATION } from '../contributions';
import { plainError, type Help } from './plainError';

/** @param file the tool file that it is about, where it is about one */
export async function tellError(error: unknown, file?: string): Promise<void> {
  const { message, help } = plainError(error);
  const text =
    help === 'node'
      ? vscode.l10n.t('Node could not be started. Choose the program that shall run the tools: {0}', message)
      : message;
  const actions = { ...buttons(help, file), [vscode.l10n.t('Show Log')]: [commands.showLog] };
  const chosen = await vscode.window.showErrorMessage(vscode.l10n.t('Coach: {0}', text), ...Object.keys(actions));
  const [command, ...args] = (chosen !== undefined && actions[chosen]) || [];
  if (command !== undefined) await vscode.commands.executeCommand(command, ...args);
}

function buttons(help: Help, file?: string): Record<string, [string, ...string[]]> {
  const setting = (name: string): [string, string] => ['workbench.action.openSettings', `${CONFIGURATION}${name}`];
  switch (help) {
    case 'node':
      return { [vscode.l10n.t('Choose Node')]: setting('.nodePath') };
    case 'setting':
      return { [vscode.l10n.t('Open Setting')]: setting('') };
    case 'tasks':
      return file === undefined ? {} : { [vscode.l10n.t('Write Tasks')]: [commands.previewTasks, file] };
    case null:
      return {};
  }
}

/** Restricted Mode: tools are listed and old runs read, but nothing of the user's is run. */
import * as vscode from 'vscode';

/** Why training is refused here, in words; null: it is allowed. */
export function trainingRefused(): string | null {
  return vscode.workspace.isTrusted
    ? null
    : vscode.l10n.t(
        'This folder is open in Restricted Mode. Training runs the code of its tools, so it needs a trusted workspace.',
      );
}

/** Tells why and offers the way out. @returns whether training may go on */
export async function mayTrain(): Promise<boolean> {
  const why = trainingRefused();
  if (why === null) return true;
  const manage = vscode.l10n.t('Manage Workspace Trust');
  if ((await vscode.window.showWarningMessage(why, manage)) === manage)
    await vscode.commands.executeCommand('workbench.trust.manage');
  return false;
}

import * as vscode from 'vscode';

/** A file whose changes are not on the disk is saved: that is what our programs read. */
export async function saved(file: string): Promise<void> {
  await vscode.workspace.textDocuments.find((open) => open.uri.fsPath === file && open.isDirty)?.save();
}

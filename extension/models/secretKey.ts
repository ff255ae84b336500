/** A key that a person types: kept in VS Code's secret storage, in no setting, no run and no log. */
import * as vscode from 'vscode';

export interface SecretKey {
  id: string;
  /** as in "The judge API key is stored." */
  name: string;
  title: string;
  placeHolder: string;
  /** who gets it */
  prompt: string;
}

/** Asks for the key; an empty one takes the stored one away. @returns whether the person gave an answer */
export async function askSecret(
  secrets: vscode.SecretStorage,
  { id, name, title, placeHolder, prompt }: SecretKey,
): Promise<boolean> {
  const isStored = (await secrets.get(id)) !== undefined;
  const key = await vscode.window.showInputBox({
    title,
    password: true,
    ignoreFocusOut: true,
    placeHolder: isStored ? vscode.l10n.t('A key is stored; leave this empty to remove it') : placeHolder,
    prompt,
  });
  if (key === undefined) return false;
  if (key.trim() === '') await secrets.delete(id);
  else await secrets.store(id, key.trim());
  void vscode.window.showInformationMessage(
    key.trim() === '' ? vscode.l10n.t('No {0} is stored.', name) : vscode.l10n.t('The {0} is stored.', name),
  );
  return true;
}

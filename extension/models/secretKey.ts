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
    placeHolder: isStored ? 'A key is stored; leave this empty to remove it' : placeHolder,
    prompt,
  });
  if (key === undefined) return false;
  if (key.trim() === '') await secrets.delete(id);
  else await secrets.store(id, key.trim());
  void vscode.window.showInformationMessage(key.trim() === '' ? `No ${name} is stored.` : `The ${name} is stored.`);
  return true;
}

/** The judge's key: in VS Code's secret storage, handed to a trainer through its environment, shown and written nowhere. */
import * as vscode from 'vscode';
import { JUDGE_KEY } from './programs';

const SECRET = 'agentCoach.judge.apiKey';

/** Asks for the key; an empty one takes the stored one away. */
export async function setJudgeKey(secrets: vscode.SecretStorage): Promise<void> {
  const isStored = (await secrets.get(SECRET)) !== undefined;
  const key = await vscode.window.showInputBox({
    title: 'Judge API Key', password: true, ignoreFocusOut: true, placeHolder: isStored ? 'A key is stored; leave this empty to remove it' : 'Key of the OpenAI-compatible server',
    prompt: "Kept in VS Code's secret storage. The trainer alone gets it; it is in no setting, no run and no log.",
  });
  if (key === undefined) return;
  if (key.trim() === '') await secrets.delete(SECRET);
  else await secrets.store(SECRET, key.trim());
  void vscode.window.showInformationMessage(key.trim() === '' ? 'No judge API key is stored.' : 'The judge API key is stored. The next run uses it.');
}

/** What a trainer's environment gets: the stored key, else the one of VS Code's own environment. */
export async function judgeEnvironment(secrets: vscode.SecretStorage): Promise<Record<string, string>> {
  const key = (await secrets.get(SECRET)) ?? process.env[JUDGE_KEY];
  return key === undefined || key === '' ? {} : { [JUDGE_KEY]: key };
}

/** The judge's key: handed to a trainer through its environment, shown and written nowhere. */
import type * as vscode from 'vscode';
import { JUDGE_KEY } from './programs';
import { askSecret } from './secretKey';

const SECRET = 'agentCoach.judge.apiKey';

export const setJudgeKey = (secrets: vscode.SecretStorage): Promise<boolean> => askSecret(secrets, {
  id: SECRET, name: 'judge API key', title: 'Judge API Key', placeHolder: 'Key of the OpenAI-compatible server',
  prompt: "Kept in VS Code's secret storage. The trainer alone gets it, from the next run on; it is in no setting, no run and no log.",
});

/** What a trainer's environment gets: the stored key, else the one of VS Code's own environment. */
export async function judgeEnvironment(secrets: vscode.SecretStorage): Promise<Record<string, string>> {
  const key = (await secrets.get(SECRET)) ?? process.env[JUDGE_KEY];
  return key === undefined || key === '' ? {} : { [JUDGE_KEY]: key };
}

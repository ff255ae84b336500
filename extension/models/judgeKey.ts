/** The judge's key, as a person enters it; whom it is handed to: judgeOrigins.ts. */
import type * as vscode from 'vscode';
import { ORIGINS, originOf, SECRET } from './judgeOrigins';
import { askSecret } from './secretKey';

/** @param address of the judge's server as it is set now: the key is for that one, and the person is shown so */
export async function setJudgeKey(secrets: vscode.SecretStorage, address: string | undefined): Promise<boolean> {
  const origin = originOf(address ?? process.env['COACH_JUDGE_URL']);
  const goes =
    origin === null
      ? 'No judge server is set yet: the first run with one asks whether it may have the key.'
      : `It is sent to ${origin} alone; a run that names another server asks first.`;
  const isAnswered = await askSecret(secrets, {
    id: SECRET,
    name: 'judge API key',
    title: 'Judge API Key',
    placeHolder: 'Key of the OpenAI-compatible server',
    prompt: `${goes} Kept in VS Code's secret storage; it is in no setting, no run and no log.`,
  });
  if (isAnswered) await secrets.store(ORIGINS, JSON.stringify(origin === null ? [] : [origin]));
  return isAnswered;
}

/** The judge's key, as a person enters it; whom it is handed to: judgeOrigins.ts. */
import * as vscode from 'vscode';
import { ORIGINS, originOf, SECRET } from './judgeOrigins';
import { askSecret } from './secretKey';

/** @param address of the judge's server as it is set now: the key is for that one, and the person is shown so */
export async function setJudgeKey(secrets: vscode.SecretStorage, address: string | undefined): Promise<boolean> {
  const origin = originOf(address ?? process.env['COACH_JUDGE_URL']);
  const goes =
    origin === null
      ? vscode.l10n.t('No judge server is set yet: the first run with one asks whether it may have the key.')
      : vscode.l10n.t('It is sent to {0} alone; a run that names another server asks first.', origin);
  const isAnswered = await askSecret(secrets, {
    id: SECRET,
    name: vscode.l10n.t('judge API key'),
    title: vscode.l10n.t('Judge API Key'),
    placeHolder: vscode.l10n.t('Key of the OpenAI-compatible server'),
    prompt: vscode.l10n.t("{0} Kept in VS Code's secret storage; it is in no setting, no run and no log.", goes),
  });
  if (isAnswered) await secrets.store(ORIGINS, JSON.stringify(origin === null ? [] : [origin]));
  return isAnswered;
}

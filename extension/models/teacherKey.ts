/** Keys of the servers of teachers and makers: one for each server, which is the only one that it is sent to. */
import * as vscode from 'vscode';
import { type MAKER_KEY, TEACHER_KEY } from '../processes/programs';
import { originOf } from './judgeOrigins';
import { askSecret } from './secretKey';

/** In VS Code's secret storage. */
const secretOf = (origin: string): string => `agentCoach.teacher.apiKey ${origin}`;

/**
 * Asks for a key where none is stored for the server; empty: it wants none.
 * @param title of the question @returns whether the person answered
 */
export async function askTeacherKey(
  secrets: vscode.SecretStorage,
  address: string,
  title = vscode.l10n.t('Teacher: API Key'),
): Promise<boolean> {
  const origin = originOf(address);
  if (origin === null) return true;
  if ((await secrets.get(secretOf(origin))) !== undefined) return true;
  return askSecret(secrets, {
    id: secretOf(origin),
    name: vscode.l10n.t('teacher API key'),
    title,
    placeHolder: vscode.l10n.t('Empty, if the server wants none'),
    prompt: vscode.l10n.t(
      "It is sent to {0} alone. Kept in VS Code's secret storage; it is in no setting, no run and no log.",
      origin,
    ),
  });
}

/** After a server refused it, so that the next run asks again. */
export async function forgetTeacherKey(secrets: vscode.SecretStorage, address: string): Promise<void> {
  const origin = originOf(address);
  if (origin !== null) await secrets.delete(secretOf(origin));
}

/**
 * What `coach` gets through its pipe.
 * @param at the teacher's address, or a file's path
 * @param name of its key there
 */
export async function teacherSecrets(
  secrets: vscode.SecretStorage,
  at: string,
  name: typeof TEACHER_KEY | typeof MAKER_KEY = TEACHER_KEY,
): Promise<Record<string, string>> {
  const origin = originOf(at);
  const key = origin === null ? undefined : await secrets.get(secretOf(origin));
  return key === undefined ? {} : { [name]: key };
}

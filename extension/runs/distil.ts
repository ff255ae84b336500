/**
 * What a teacher shows of a tool file's training tasks, before a run: `coach distill`, the same program as in a
 * terminal.
 * It runs tools of the user, so it needs a trusted workspace.
 */
import path from 'node:path';
import * as vscode from 'vscode';
import type { RunConfigInput } from '../../trainer/protocol/runConfig';
import { forgetTeacherKey, teacherSecrets } from '../models/teacherKey';
import { lastWords, runCliToEnd } from '../processes/cliProcess';
import type { NodeCommand } from '../processes/programs';
import { distilArguments, type TeacherChoice } from '../tools/runChoices';
import type { Log } from '../window/log';

export interface DistilDeps {
  cli: string;
  node: NodeCommand;
  secrets: vscode.SecretStorage;
  log: Log;
}

/**
 * @param config of the run that is to follow
 * @returns the file of dialogues; undefined: the user stopped it, and what passed until then is kept in its run folder
 * @throws what `coach distill` says
 */
export async function distil(
  { cli, node, secrets, log }: DistilDeps,
  config: RunConfigInput,
  teacher: TeacherChoice,
): Promise<string | undefined> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: vscode.l10n.t('Coach: the teacher shows the tasks of {0}', path.basename(config.toolFile)),
    cancellable: true,
  };
  const command = { ...node, secrets: await teacherSecrets(secrets, teacher.at) };
  return vscode.window.withProgress(options, async (progress, token) => {
    const args = [cli, ...distilArguments(config, teacher)];
    const { code, said, told } = await runCliToEnd(command, args, token, (text) => {
      log.info(`distill: ${text.trim()}`);
      progress.report({ message: text.trim().split('\n').at(-1)! });
    });
    if (token.isCancellationRequested) return undefined;
    if (code === 0) return (JSON.parse(said) as { dialogues: string }).dialogues;
    if (/\(status 40[13]\)/.test(told)) await forgetTeacherKey(secrets, teacher.at);
    throw new Error(lastWords(told) || vscode.l10n.t('{0} ended with {1}', 'coach distill', String(code)));
  });
}

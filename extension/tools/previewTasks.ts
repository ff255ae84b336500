/**
 * The tasks that a run on a tool file would use, before there is a run: `coach tasks`, the same program as in a
 * terminal. Making them runs tools of the user, so it needs a trusted workspace.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { namedServers } from '../../trainer/protocol/mcp';
import { tasksFileName } from '../../trainer/protocol/taskFileName';
import { runCliToEnd } from '../processes/cliProcess';
import type { NodeCommand } from '../processes/programs';
import type { Settings } from '../settings';
import type { Log } from '../window/log';
import { parsePreview, type TaskPreview } from './taskPreview';

export interface PreviewDeps {
  cli: string;
  node: NodeCommand;
  log: Log;
}

type Wanted = Pick<Settings, 'seed' | 'taskCount' | 'toolPolicy' | 'toolNetwork'>;

/** @returns undefined: the user stopped it. @throws what `coach tasks` says */
export async function readPreview(
  { cli, node, log }: PreviewDeps,
  file: string,
  { seed, taskCount, toolPolicy, toolNetwork }: Wanted,
): Promise<TaskPreview | undefined> {
  const args = [cli, 'tasks', file, '--json', '--seed', String(seed), '--tool-network', toolNetwork];
  if (toolPolicy !== 'auto') args.push('--tool-policy', toolPolicy);
  if (!existsSync(taskFileOf(file))) args.push('--count', String(taskCount));
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: vscode.l10n.t('Coach: making the tasks of {0}…', path.basename(file)),
    cancellable: true,
  };
  return vscode.window.withProgress(options, async (_, token) => {
    const { code, said, told } = await runCliToEnd(node, args, token);
    if (token.isCancellationRequested) return undefined;
    const words = told.trim();
    log.info(`tasks: ${words}`);
    if (code !== 0)
      throw new Error(words.split('\n').at(-1) || vscode.l10n.t('{0} ended with {1}', 'coach tasks', String(code)));
    return parsePreview(said);
  });
}

/** The file itself where there is one; else an unsaved one of that name, which counts once it is saved. */
export async function openPreview(file: string, { jsonl, taskCount }: TaskPreview): Promise<void> {
  const at = taskFileOf(file);
  if (existsSync(at)) {
    await vscode.window.showTextDocument(vscode.Uri.file(at));
    return;
  }
  const uri = vscode.Uri.file(at).with({ scheme: 'untitled' });
  const document = await vscode.workspace.openTextDocument(uri);
  const whole = new vscode.Range(0, 0, document.lineCount, 0);
  const edit = new vscode.WorkspaceEdit();
  edit.replace(uri, whole, jsonl);
  await vscode.workspace.applyEdit(edit);
  await vscode.window.showTextDocument(document);
  vscode.window.setStatusBarMessage(
    vscode.l10n.t('Not saved yet (tasks: {0}): once they are saved beside the tools, a run takes these', taskCount),
    10_000,
  );
}

export const taskFileOf = (file: string): string =>
  path.join(namedServers(file)?.folder ?? path.dirname(file), tasksFileName(file));

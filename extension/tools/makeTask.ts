/**
 * Make this a task*: a trace becomes a line of the tool file's *.tasks.jsonl, and the line is opened, since its calls
 * count as right from then on.
 */
import * as vscode from 'vscode';
import type { RunInfo } from '../../trainer/protocol/messages';
import { sourceOf, type Task, type TaskSource } from '../../trainer/protocol/task';
import type { Service } from '../processes/service';
import type { ToolIndex } from './toolIndex';

export async function makeTask(task: Task, run: RunInfo | null, index: ToolIndex, service: Service): Promise<void> {
  const toolFile = run?.toolFile ?? (await chooseToolFile(index));
  if (toolFile === undefined) return;
  const { file, exists } = await service.ask('taskFileFor', { toolFile });
  const withTasksOf = exists ? null : await chooseBeginning(run, file);
  if (withTasksOf === undefined) return;
  const { line, isKnown } = await service.ask('addTask', {
    toolFile,
    task: { ...task, source: await sourceIn(run, task, service) },
    withTasksOf,
    ...(run ? { runDir: run.dir } : {}),
  });
  const at = new vscode.Position(line - 1, 0);
  await vscode.window.showTextDocument(vscode.Uri.file(file), {
    selection: new vscode.Range(at, at),
    viewColumn: vscode.ViewColumn.Beside,
  });
  vscode.window.setStatusBarMessage(
    isKnown
      ? vscode.l10n.t('This trace is a task already.')
      : vscode.l10n.t('Added. Check its calls: from now on they count as right.'),
    8_000,
  );
}

/** Who wrote the prompt: of a task of the run, as it says; else somebody who tried the model. */
async function sourceIn(run: RunInfo | null, { prompt }: Task, service: Service): Promise<TaskSource> {
  if (run === null) return 'use';
  const known = Object.values(await service.ask('readTasks', { dir: run.dir }))
    .flat()
    .find((task) => task.prompt === prompt);
  return known ? sourceOf(known) : 'use';
}

async function chooseToolFile(index: ToolIndex): Promise<string | undefined> {
  if (!index.isReady) await index.refresh();
  if (index.files.length === 0)
    throw new Error(vscode.l10n.t('there is no tool file in this workspace that the task could belong to'));
  if (index.files.length === 1) return index.files[0];
  const items = index.files.map((file) => ({ label: vscode.workspace.asRelativePath(file), file }));
  return (
    await vscode.window.showQuickPick(items, {
      title: vscode.l10n.t('Make This a Task'),
      placeHolder: vscode.l10n.t('Of which tools?'),
    })
  )?.file;
}

/**
 * Once a task file is there, tasks are no longer generated: a file of one task would end training. undefined: the user
 * thought better of it
 */
async function chooseBeginning(run: RunInfo | null, file: string): Promise<string | null | undefined> {
  const name = vscode.workspace.asRelativePath(file);
  const items = [
    ...(run
      ? [
          {
            label: vscode.l10n.t('With the tasks of this run'),
            description: vscode.l10n.t('training goes on with those, and this one'),
            dir: run.dir as string | null,
          },
        ]
      : []),
    {
      label: vscode.l10n.t('With this task only'),
      description: vscode.l10n.t('training uses nothing but this file, so it needs more tasks'),
      dir: null,
    },
  ];
  return (
    await vscode.window.showQuickPick(items, {
      title: vscode.l10n.t('Make This a Task · {0} is new', name),
      placeHolder: vscode.l10n.t('Tasks were generated so far; from now on they come from this file. Begin it how?'),
    })
  )?.dir;
}

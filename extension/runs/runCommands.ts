/** What the commands of a run do: of the one that tree, panel or notification give, or that the user picks. */
import * as vscode from 'vscode';
import type { RunInfo } from '../../trainer/protocol/messages';
import { isResumable } from '../../trainer/protocol/runMethod';
import { commands } from '../contributions';
import { adapterFolder, exportRun, revealFolder } from './exportRun';
import { nodeCommand } from '../processes/programs';
import type { Runs } from './runs';
import { when } from './runsTree';
import { runDescription, runName } from './runText';
import { readSettings } from '../settings';
import type { CommandDeps, Handler, Handlers } from '../commands';

export function runCommands({ programs, log, runs, actions, panels }: CommandDeps) {
  type Act = (info: RunInfo) => unknown;
  const onRun =
    (act: Act, fits?: (info: RunInfo) => boolean, none?: string): Handler =>
    async (given) => {
      const info = await runMeant(runs, given, fits, none);
      if (info) await act(info);
    };
  const show = (page: 'run' | 'try' | 'lessons'): Handler =>
    onRun((info) => {
      runs.select(info.id);
      panels.show(info.id, { page });
    });
  return {
    [commands.stopRun]: onRun(
      (info) => actions.stop(info),
      (info) => runs.statusOf(info) === 'running',
      vscode.l10n.t('Coach: no run is under way.'),
    ),
    [commands.resumeRun]: onRun(
      (info) => actions.resume(info),
      (info) => info.problem === null && isResumable(info, runs.statusOf(info)),
      vscode.l10n.t('Coach: no run here can be resumed.'),
    ),
    [commands.openRun]: show('run'),
    [commands.tryIt]: show('try'),
    [commands.learnFromTraces]: show('lessons'),
    [commands.trainOnLessons]: onRun((info) => actions.trainOnLessons(info)),
    [commands.refreshRuns]: () => runs.refresh(),
    [commands.openAdapterFolder]: onRun(
      (info) => revealFolder(adapterFolder(info)),
      (info) => runs.statusOf(info) === 'finished',
      vscode.l10n.t('Coach: no run here is finished yet.'),
    ),
    [commands.openRunFolder]: onRun((info) => revealFolder(info.dir)),
    [commands.exportAdapter]: onRun((info) => exportRun(info, programs.cli, nodeCommand(readSettings().nodePath), log)),
  } satisfies Handlers;
}

/**
 * The run meant: the one given, else the only one that fits, else the one the user picks.
 * @param none where none fits
 */
async function runMeant(
  runs: Runs,
  given: unknown,
  fits: (info: RunInfo) => boolean = () => true,
  none = vscode.l10n.t('Coach: there is no run here.'),
): Promise<RunInfo | undefined> {
  if (isRun(given)) return runs.info(given.id) ?? given;
  if (!runs.isReady) await runs.refresh();
  const fitting = runs.list.filter(fits);
  if (fitting.length === 0) {
    void vscode.window.showInformationMessage(none);
    return undefined;
  }
  if (fitting.length === 1) return fitting[0];
  const items = fitting.map((info) => ({
    label: runName(info),
    description: `${when(info.createdAt)}  ${runDescription(info, runs.known(info.id))}`,
    info,
  }));
  return (await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Which run?') }))?.info;
}

const isRun = (value: unknown): value is RunInfo =>
  typeof value === 'object' && value !== null && 'dir' in value && 'toolFile' in value;

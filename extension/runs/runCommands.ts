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
import type { CommandDeps, Handlers } from '../commands';

export const runCommands = ({ programs, log, runs, actions, panels }: CommandDeps) =>
  ({
    [commands.stopRun]: async (given) => {
      const isRunning = (info: RunInfo): boolean => runs.statusOf(info) === 'running';
      const info = await runMeant(runs, given, isRunning, vscode.l10n.t('Coach: no run is under way.'));
      if (info) await actions.stop(info);
    },
    [commands.resumeRun]: async (given) => {
      const canGoOn = (info: RunInfo): boolean => info.problem === null && isResumable(info, runs.statusOf(info));
      const info = await runMeant(runs, given, canGoOn, vscode.l10n.t('Coach: no run here can be resumed.'));
      if (info) await actions.resume(info);
    },
    [commands.openRun]: async (given) => {
      const info = await runMeant(runs, given);
      if (!info) return;
      runs.select(info.id);
      panels.show(info.id, { page: 'run' });
    },
    [commands.tryIt]: async (given) => {
      const info = await runMeant(runs, given);
      if (!info) return;
      runs.select(info.id);
      panels.show(info.id, { page: 'try' });
    },
    [commands.learnFromTraces]: async (given) => {
      const info = await runMeant(runs, given);
      if (!info) return;
      runs.select(info.id);
      panels.show(info.id, { page: 'lessons' });
    },
    [commands.trainOnLessons]: async (given) => {
      const info = await runMeant(runs, given);
      if (info) await actions.trainOnLessons(info);
    },
    [commands.refreshRuns]: () => runs.refresh(),
    [commands.openAdapterFolder]: async (given) => {
      const isFinished = (info: RunInfo): boolean => runs.statusOf(info) === 'finished';
      const info = await runMeant(runs, given, isFinished, vscode.l10n.t('Coach: no run here is finished yet.'));
      if (info) await revealFolder(adapterFolder(info));
    },
    [commands.openRunFolder]: async (given) => {
      const info = await runMeant(runs, given);
      if (info) await revealFolder(info.dir);
    },
    [commands.exportAdapter]: async (given) => {
      const info = await runMeant(runs, given);
      if (info) await exportRun(info, programs.cli, nodeCommand(readSettings().nodePath), log);
    },
  }) satisfies Handlers;

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

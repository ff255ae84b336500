/**
 * id -> what it does. Commands of a run take it from the tree, the panel or a notification; from the palette, the user
 * chooses.
 */
import * as vscode from 'vscode';
import { isEditor, serversAsToolFile } from '../trainer/protocol/mcp';
import type { RunInfo } from '../trainer/protocol/messages';
import { isResumable } from '../trainer/protocol/runMethod';
import { taskOf } from '../trainer/protocol/taskOf';
import type { TraceSummary } from '../trainer/protocol/trace';
import { commands, CONFIGURATION, type CommandId, type PreferenceCommandId } from './contributions';
import type { CoachPanels } from './panel/coachPanels';
import { BeforeAfter } from './evaluations/beforeAfter';
import type { Evaluations } from './evaluations/evaluations';
import { insertExampleTool } from './tools/exampleTool';
import { adapterFolder, exportRun, revealFolder } from './runs/exportRun';
import { makeTask } from './tools/makeTask';
import { openConfiguration } from './mcp/askAboutServer';
import type { McpServers } from './mcp/mcpServers';
import { setHubToken } from './models/hubModels';
import { setJudgeKey } from './models/judgeKey';
import { nodeCommand, type Programs } from './processes/programs';
import type { RunActions } from './runs/runActions';
import type { Runs } from './runs/runs';
import { when } from './runs/runsTree';
import { runDescription, runName } from './runs/runText';
import type { Service } from './processes/service';
import { readSettings } from './settings';
import type { ToolIndex } from './tools/toolIndex';
import type { ToolMaking } from './tools/toolMaking';
import { revealTool } from './tools/toolLocation';
import type { ToolNode } from './tools/toolsTree';
import { chooseMoment, filterTraces } from './traces/tracePicks';
import type { TraceNode, TracesTree } from './traces/tracesTree';
import type { Trying } from './panel/trying';
import { tellError } from './window/errors';

export interface CommandDeps {
  programs: Programs;
  secrets: vscode.SecretStorage;
  log: vscode.LogOutputChannel;
  index: ToolIndex;
  mcp: McpServers;
  service: Service;
  runs: Runs;
  trying: Trying;
  evaluations: Evaluations;
  actions: RunActions;
  making: ToolMaking;
  panels: CoachPanels;
  traces: TracesTree;
  preferences: Record<PreferenceCommandId, (...args: unknown[]) => unknown>;
}

export function registerCommands(deps: CommandDeps): vscode.Disposable {
  const { programs, log, index, service, runs, actions, panels, traces } = deps;

  /** The run meant: the one given, else the only one that fits, else the one the user picks. @param none where none fits */
  async function runMeant(
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

  /** Of the Traces tree, which shows the selected run's. */
  function traceMeant(node: unknown): { info: RunInfo; trace: TraceSummary } {
    const info = runs.selected;
    const given = node as TraceNode | undefined;
    if (!info || given?.kind !== 'trace') throw new Error(vscode.l10n.t('choose a trace in the Traces view first'));
    return { info, trace: given.trace };
  }

  const beforeAfter = new BeforeAfter(runs, deps.trying);
  const handlers: Record<CommandId, (...args: unknown[]) => unknown> = {
    ...deps.preferences,
    [commands.trainOnFile]: (target) => actions.train(uriOf(target)),
    [commands.previewTasks]: (target) => actions.preview(uriOf(target)),
    [commands.makeTool]: (target) => deps.making.make(uriOf(target)),
    [commands.applyMadeTool]: (target) => deps.making.apply(uriOf(target)),
    [commands.stopRun]: async (given) => {
      const isRunning = (info: RunInfo): boolean => runs.statusOf(info) === 'running';
      const info = await runMeant(given, isRunning, vscode.l10n.t('Coach: no run is under way.'));
      if (info) await actions.stop(info);
    },
    [commands.resumeRun]: async (given) => {
      const canGoOn = (info: RunInfo): boolean => info.problem === null && isResumable(info, runs.statusOf(info));
      const info = await runMeant(given, canGoOn, vscode.l10n.t('Coach: no run here can be resumed.'));
      if (info) await actions.resume(info);
    },
    [commands.openRun]: async (given) => {
      const info = await runMeant(given);
      if (!info) return;
      runs.select(info.id);
      panels.show(info.id, { page: 'run' });
    },
    [commands.openPanel]: () => panels.show(null),
    [commands.openTrace]: (given) => {
      const { runId, traceId } = given as { runId: string; traceId: string };
      panels.show(runId, { page: 'trace', traceId });
    },
    [commands.tryIt]: async (given) => {
      const info = await runMeant(given);
      if (!info) return;
      runs.select(info.id);
      panels.show(info.id, { page: 'try' });
    },
    [commands.learnFromTraces]: async (given) => {
      const info = await runMeant(given);
      if (!info) return;
      runs.select(info.id);
      panels.show(info.id, { page: 'lessons' });
    },
    [commands.trainOnLessons]: async (given) => {
      const info = await runMeant(given);
      if (info) await actions.trainOnLessons(info);
    },
    [commands.openTaskTrace]: (item) => {
      const measured = deps.evaluations.traceOf(item as vscode.TestItem);
      if (!measured)
        throw new Error(vscode.l10n.t('no trace of this task was kept: take the profile "Evaluate with traces"'));
      panels.show(measured.runId, { page: 'trace', traceId: measured.traceId });
    },
    [commands.beforeAfter]: async (target, traceId) => {
      if (typeof target === 'string') {
        const info = runs.info(target);
        const trace = info && (await runs.load(info.id)).traces.find(({ id }) => id === traceId);
        if (!info || !trace) throw new Error(vscode.l10n.t('the run is not in this workspace any more'));
        return beforeAfter.open(info, { ...trace, traceId: trace.id });
      }
      const task = deps.evaluations.taskOf(target);
      if (task) return beforeAfter.open(task.info, task);
      const { info, trace } = traceMeant(target);
      return beforeAfter.open(info, { ...trace, traceId: trace.id });
    },
    [commands.runAgain]: async (node) => {
      const { info, trace } = traceMeant(node);
      const tried = await deps.trying.again(info, trace);
      if (tried && tried.traceIds.length > 0)
        panels.show(info.id, { page: 'compare', traceIds: [trace.id, ...tried.traceIds] });
    },
    [commands.makeTask]: async (node) => {
      const {
        info,
        trace: { file, offset, length },
      } = traceMeant(node);
      await makeTask(
        taskOf(await service.ask('readTrace', { dir: info.dir, file, offset, length })),
        info,
        index,
        service,
      );
    },
    [commands.chooseTraces]: () => chooseMoment(traces),
    [commands.showAllTraces]: () => panels.show(runs.selected?.id ?? null, { page: 'traces', all: true }),
    [commands.filterTraces]: () => filterTraces(traces),
    [commands.followTraces]: () => traces.choose(null),
    [commands.clearTraceFilter]: () => traces.setFilter(''),
    [commands.refreshTools]: () => Promise.all([index.refresh(), deps.mcp.refresh()]),
    [commands.trainOnEditorTools]: async () => {
      const [choice] = deps.mcp.editorChoice();
      if (!choice) throw new Error(vscode.l10n.t('this editor has no tools of its own, or no folder is open'));
      await actions.train(vscode.Uri.file(choice.file));
    },
    [commands.listServerTools]: async (node) => {
      const target = node as ToolNode;
      if (target.kind === 'server') await deps.mcp.list(target.server);
    },
    [commands.refreshRuns]: () => runs.refresh(),
    [commands.insertExampleTool]: insertExampleTool,
    [commands.openTool]: async (node) => {
      const target = node as ToolNode;
      if (target.kind === 'tool') await revealTool(target.tool);
      else if (target.kind === 'server' && isEditor(target.server)) await deps.mcp.chooseEditorTools();
      else if (target.kind === 'server') await openConfiguration(target.server.file, target.server.name);
      else if (target.kind === 'file') await vscode.window.showTextDocument(vscode.Uri.file(target.file));
    },
    [commands.openAdapterFolder]: async (given) => {
      const isFinished = (info: RunInfo): boolean => runs.statusOf(info) === 'finished';
      const info = await runMeant(given, isFinished, vscode.l10n.t('Coach: no run here is finished yet.'));
      if (info) await revealFolder(adapterFolder(info));
    },
    [commands.openRunFolder]: async (given) => {
      const info = await runMeant(given);
      if (info) await revealFolder(info.dir);
    },
    [commands.exportAdapter]: async (given) => {
      const info = await runMeant(given);
      if (info) await exportRun(info, programs.cli, nodeCommand(readSettings().nodePath), log);
    },
    [commands.openSettings]: () => vscode.commands.executeCommand('workbench.action.openSettings', CONFIGURATION),
    [commands.setJudgeKey]: () => setJudgeKey(deps.secrets, readSettings().judge.judgeUrl),
    [commands.setHubToken]: () => setHubToken(deps.secrets),
    [commands.fetchModel]: async () => {
      const model = await deps.actions.fetchModel();
      if (model !== undefined)
        void vscode.window.showInformationMessage(
          vscode.l10n.t("The model is at {0}. The training's pick lists it under Model.", model),
        );
    },
    [commands.showLog]: () => log.show(),
  };

  const told =
    (id: string, handler: (...args: unknown[]) => unknown) =>
    async (...args: unknown[]) => {
      try {
        return await handler(...args);
      } catch (error) {
        log.error(`${id}: ${(error as Error).stack ?? String(error)}`);
        void tellError(error, uriOf(args[0])?.fsPath);
        return undefined;
      }
    };
  return vscode.Disposable.from(
    ...Object.entries(handlers).map(([id, handler]) => vscode.commands.registerCommand(id, told(id, handler))),
  );
}

const isRun = (value: unknown): value is RunInfo =>
  typeof value === 'object' && value !== null && 'dir' in value && 'toolFile' in value;

/** A menu gives the file; the Tools tree gives its own node. */
function uriOf(target: unknown): vscode.Uri | undefined {
  if (target instanceof vscode.Uri) return target;
  if (typeof target === 'string') return vscode.Uri.file(target);
  const node = target as ToolNode | undefined;
  switch (node?.kind) {
    case 'file':
      return vscode.Uri.file(node.file);
    case 'tool':
      return vscode.Uri.file(node.tool.source.file);
    case 'server':
      return vscode.Uri.file(serversAsToolFile(node.server.folder, [node.server.name]));
    default:
      return undefined;
  }
}

/** What the commands of a trace or a task do. */
import * as vscode from 'vscode';
import type { RunInfo } from '../../trainer/protocol/messages';
import { taskOf } from '../../trainer/protocol/taskOf';
import type { TraceSummary } from '../../trainer/protocol/trace';
import { commands } from '../contributions';
import { BeforeAfter } from '../evaluations/beforeAfter';
import { makeTask } from '../tools/makeTask';
import type { Runs } from '../runs/runs';
import { chooseMoment, filterTraces } from './tracePicks';
import type { TraceNode } from './tracesTree';
import type { CommandDeps, Handlers } from '../commands';

export function traceCommands({ index, service, runs, trying, evaluations, panels, traces }: CommandDeps) {
  const beforeAfter = new BeforeAfter(runs, trying);
  return {
    [commands.openTrace]: (given) => {
      const { runId, traceId } = given as { runId: string; traceId: string };
      panels.show(runId, { page: 'trace', traceId });
    },
    [commands.openTaskTrace]: (item) => {
      const measured = evaluations.traceOf(item as vscode.TestItem);
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
      const task = evaluations.taskOf(target);
      if (task) return beforeAfter.open(task.info, task);
      const { info, trace } = traceMeant(runs, target);
      return beforeAfter.open(info, { ...trace, traceId: trace.id });
    },
    [commands.runAgain]: async (node) => {
      const { info, trace } = traceMeant(runs, node);
      const tried = await trying.again(info, trace);
      if (tried && tried.traceIds.length > 0)
        panels.show(info.id, { page: 'compare', traceIds: [trace.id, ...tried.traceIds] });
    },
    [commands.makeTask]: async (node) => {
      const {
        info,
        trace: { file, offset, length },
      } = traceMeant(runs, node);
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
  } satisfies Handlers;
}

/** Of the Traces tree, which shows the selected run's. */
function traceMeant(runs: Runs, node: unknown): { info: RunInfo; trace: TraceSummary } {
  const info = runs.selected;
  const given = node as TraceNode | undefined;
  if (!info || given?.kind !== 'trace') throw new Error(vscode.l10n.t('choose a trace in the Traces view first'));
  return { info, trace: given.trace };
}

import { wilson } from '../protocol/interval';
import type { Success } from '../protocol/messages';
import { isMachineTag, type Task } from '../protocol/task';
import type { Trace } from '../protocol/trace';
import { SUCCESS_RULE, verdictShares } from '../protocol/verdicts';
import { agentMetrics, type AgentMetricsOptions } from './agentMetrics';
import { successBySource } from './bySource';

/**
 * Success of one trace a task, by those of its tags that people read (kind, tools, difficulty, newPhrasing), and by
 * who wrote it.
 * @param about gives the metrics block besides
 */
export function successOf(tasks: readonly Task[], traces: readonly Trace[], about?: AgentMetricsOptions): Success {
  const solved = traces.map((t) => t.solved === true);
  const k = solved.filter(Boolean).length;
  const byTag: Record<string, { n: number; k: number }> = {};
  tasks.slice(0, traces.length).forEach((task, i) => {
    for (const tag of task.tags ?? []) {
      if (isMachineTag(tag)) continue;
      const t = (byTag[tag] ??= { n: 0, k: 0 });
      t.n++;
      if (solved[i]) t.k++;
    }
  });
  return {
    n: solved.length,
    success: solved.length ? k / solved.length : null,
    ci95: wilson(k, solved.length),
    verdicts: verdictShares(traces.flatMap(({ verdicts }) => verdicts ?? [])),
    rule: SUCCESS_RULE,
    byTag: Object.fromEntries(Object.entries(byTag).map(([tag, t]) => [tag, { n: t.n, success: t.k / t.n }])),
    bySource: successBySource(tasks, solved),
    ...(about && {
      metrics: agentMetrics(
        traces.map((trace, i) => ({ task: tasks[i]!, trace })),
        about,
      ),
    }),
  };
}

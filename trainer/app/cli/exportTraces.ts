/** `coach export` of what was done: solved traces to imitate and pairs of better and worse. */
import { z } from 'zod';
import { exportData, type MessagePair } from '../../store/exchange/exportData';
import { agentMetrics } from '../../evaluation/agentMetrics';
import type { AgentMetrics } from '../../protocol/agentMetrics';
import { UserError } from '../../protocol/result';
import { Message, shownByTurn, type Trace } from '../../protocol/trace';
import { minePairs } from '../../rewards/pairs';
import { readTaskSplits, readTools, readTrace, requireManifest, traceSummaries } from '../../store/runs/readRun';
import { FIND_TOOLS } from '../../tools/retrieval/findTools';
import type { DataForm } from './export';

/**
 * Imitated are the solved training traces; pairs come from the groups of training. Held-out traces never leave, or
 * they would be no test any more.
 */
export function exportTraces(
  dir: string,
  out: string,
  to: DataForm,
): { counts: { sft: number; preferences: number }; metrics: AgentMetrics; notes?: string[] } {
  requireManifest(dir, { readOnly: true });
  const summaries = traceSummaries(dir).filter((s) => s.phase === 'train' && !s.superseded);
  const groups = new Map<string, Trace[]>();
  for (const summary of summaries) {
    const group = groups.get(summary.groupId) ?? [];
    group.push(readTrace(dir, summary));
    groups.set(summary.groupId, group);
  }
  const traces = [...groups.values()].flat();
  const episodes = traces.filter((t) => t.solved === true && t.terminated).map((t) => t.messages);
  const pairs = [...groups.values()]
    .flatMap((group) => minePairs(group))
    .map(
      (pair): MessagePair => ({
        prompt: messages(pair.prompt),
        chosen: messages(pair.chosen),
        rejected: messages(pair.rejected),
      }),
    );
  if (episodes.length + pairs.length === 0) {
    throw new UserError(
      'task',
      `${dir}: nothing to export: ${traces.length} training traces, none of them solved, and no ` +
        'group with a better and a worse one',
      'Train longer, or on easier tasks.',
    );
  }
  const tools = [...(traces.some(looksUp) ? [FIND_TOOLS] : []), ...readTools(dir)];
  const requestOf = (list: readonly Message[]): string | undefined => list.find(({ role }) => role === 'user')?.content;
  const shownTo = new Map(traces.map((trace) => [requestOf(trace.messages), everShown(trace)]));
  const shown = (list: readonly Message[]) => shownTo.get(requestOf(list));
  const tasks = new Map(readTaskSplits(dir).train.map((task) => [task.id, task]));
  const measured = traces.map((trace) => ({
    task: tasks.get(trace.taskId) ?? { id: trace.taskId, prompt: ' ' },
    trace,
  }));
  return { counts: exportData({ out, to, episodes, pairs, tools, shown }), metrics: agentMetrics(measured, { tools }) };
}

const looksUp = ({ shownTools }: Trace): boolean => shownTools?.includes(FIND_TOOLS.name) ?? false;
/** At any of its turns: a dialogue is exported with one list of tools. */
const everShown = (trace: Trace): string[] | undefined =>
  trace.shownTools && [...new Set([trace.shownTools, ...(shownByTurn(trace) ?? [])].flat())];

const messages = (list: unknown): Message[] => z.array(Message).parse(list);

/** Requests that people made at work: tries and imported traces whose answer a person marked as the good one. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { PreferenceState } from '../protocol/preferenceState';
import { taskOf } from '../protocol/taskOf';
import type { Task, ToolSchema } from '../protocol/task';
import { UserError } from '../protocol/result';
import { withoutLookUps, type Trace } from '../protocol/trace';
import { preferenceState } from '../store/preferences/store';
import { listRuns } from '../store/runs/listRuns';
import { readManifest, readTaskSplits, readTrace, traceSummaries } from '../store/runs/readRun';
import { checkTask } from './readTasks';

/** The traces that a person found good: the preferred one of a pair, or one with a thumb up. */
export function markedGood({ pairs, notes }: PreferenceState): Set<string> {
  const chosen = pairs.flatMap(({ pair, verdict }) =>
    verdict === 'first' ? [pair.sides[0].traceId] : verdict === 'second' ? [pair.sides[1].traceId] : [],
  );
  return new Set([...chosen, ...notes.flatMap(({ thumb, traceId }) => (thumb === 'up' ? [traceId] : []))]);
}

/** The traces that a person found bad: the other side of a pair, both where both are bad, or one with a thumb down. */
export function markedBad({ pairs, notes }: PreferenceState): Set<string> {
  const rejected = pairs.flatMap(({ pair: { sides }, verdict }) =>
    verdict === 'first' ? [sides[1]] : verdict === 'second' ? [sides[0]] : verdict === 'bothBad' ? sides : [],
  );
  return new Set([
    ...rejected.map(({ traceId }) => traceId),
    ...notes.flatMap(({ thumb, traceId }) => (thumb === 'down' ? [traceId] : [])),
  ]);
}

/**
 * What a person asked, with the calls that were right: null where it was not ended by the policy itself, a call failed,
 * or a call no longer fits the tools. What it answered in words
 * is one wording of many, so it is no gold; without calls there is nothing else, and none may be made.
 * @param mayRecover calls that failed are left out, since it came right behind them
 */
export function taskOfUse(trace: Trace, tools: readonly ToolSchema[], { mayRecover = false } = {}): Task | null {
  const calls = withoutLookUps(trace).turns.flatMap((turn) => turn.calls);
  if (!trace.terminated || (!mayRecover && calls.some(({ result }) => result?.kind !== 'ok'))) return null;
  const { answer: _, ...task } = taskOf(trace, 'use');
  try {
    checkTask(task, tools, task.id);
    return task;
  } catch (error) {
    if (error instanceof UserError) return null;
    throw error;
  }
}

/**
 * Of the workspace's runs on this tool file, and of imported ones that call no other tools; each prompt once, the
 * newest run first.
 */
export function useTasks(workspace: string, toolFile: string, tools: readonly ToolSchema[]): Task[] {
  const good = markedGood(preferenceState(workspace).state);
  if (good.size === 0) return [];
  const byPrompt = new Map<string, Task>();
  for (const { dir, problem } of listRuns(workspace)) {
    const { manifest } = readManifest(dir);
    const isOwn =
      manifest !== null && (manifest.imported !== undefined || resolve(manifest.config.toolFile) === resolve(toolFile));
    if (problem !== null || !isOwn || !existsSync(dir)) continue;
    const made = new Set(
      Object.values(readTaskSplits(dir))
        .flat()
        .map(({ prompt }) => prompt),
    );
    for (const summary of traceSummaries(dir)) {
      if (summary.phase !== 'try' || !good.has(summary.id)) continue;
      const task = taskOfUse(readTrace(dir, summary), tools);
      if (task && task.prompt.trim() !== '' && !made.has(task.prompt) && !byPrompt.has(task.prompt))
        byPrompt.set(task.prompt, task);
    }
  }
  return [...byPrompt.values()];
}

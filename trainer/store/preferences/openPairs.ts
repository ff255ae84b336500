/** The queue of one run, read from its folder: the last steps' groups first, no more of them than are needed. */
import { statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { functionTool } from '../exchange/exportData';
import { foldPreferences, type PreferenceState, type QueuedPair } from '../../protocol/preferenceState';
import { JudgeVerdict } from '../../protocol/reward';
import { UserError } from '../../protocol/result';
import type { TraceSummary } from '../../protocol/trace';
import { readTools, readTrace, requireManifest, traceSummaries } from '../runs/readRun';
import { keptRequests, requestsFile } from '../requests';
import { workspaceAt } from '../runs/workspace';
import { orderQueue, pairsOfGroup, type Recorded } from './queue';
import { preferencesFile, readPreferences, toolsId } from './store';
import { readTextFile } from '../../base/storage';

/** Groups that are read at most: the latest ones, since they are what the present policy says. */
const MAX_GROUPS = 96;

export interface OpenPairs {
  /** best first */
  pairs: QueuedPair[];
  tools: unknown[];
  toolsId: string;
}

/** Only traces of training and of tries: an answer to a held-out or validation task must not be trained on. */
export function openPairs(workspace: string, dir: string, limit = 50): OpenPairs {
  const { tools, context, candidates } = candidatesOf(workspace, dir);
  const state = foldPreferences(readPreferences(preferencesFile(workspace)).lines);
  return {
    pairs: orderQueue(candidates, { settled: settledPairs(state), limit, asked: askedTools(state) }),
    tools,
    toolsId: context.toolsId,
  };
}

/**
 * The pair of any two traces of a task; null where there is nothing to decide between them (they are equal, or part by
 * a tool's result).
 */
export function pairOfTraces(
  workspace: string,
  dir: string,
  traceIds: readonly [string, string],
): { pair: QueuedPair | null } {
  const { config } = requireManifest(dir, { readOnly: true });
  const id = toolsId(readTools(dir).map(functionTool));
  const summaries = traceSummaries(dir);
  const wanted = traceIds.map((traceId) => {
    const summary = summaries.find((one) => one.id === traceId);
    if (!summary) throw new UserError('storage', `${dir}: there is no trace ${traceId}`);
    if (summary.phase !== 'train' && summary.phase !== 'try')
      throw new UserError(
        'task',
        `${traceId} is of phase ${summary.phase}: an answer to a held-out or validation task must not be trained on`,
        'Mark answers of training steps and of your own tries.',
      );
    return { summary, trace: readTrace(dir, summary) };
  });
  const [pair = null] = pairsOfGroup(
    wanted,
    { toolFile: toolFileIn(workspace, config.toolFile), toolsId: id },
    judgeVerdicts(dir),
  );
  return { pair };
}

interface Candidates {
  /** sizes of the files that they were made from */
  key: string;
  tools: unknown[];
  context: { toolFile: string; toolsId: string };
  candidates: QueuedPair[];
}

/**
 * Of the run that was asked about last: between two marks nothing of it changes, and its traces need not be read
 * again.
 */
let last: (Candidates & { dir: string }) | null = null;

function candidatesOf(workspace: string, dir: string): Candidates {
  const { config } = requireManifest(dir, { readOnly: true });
  const kept = requestsFile(workspaceAt(workspace), config.toolFile);
  const sizes = [join(dir, 'events.jsonl'), join(dir, 'judge.jsonl'), kept].map(
    (file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0,
  );
  const key = [workspace, ...sizes].join(' ');
  if (last?.dir === dir && last.key === key) return last;
  const tools = readTools(dir).map(functionTool);
  const context = { toolFile: toolFileIn(workspace, config.toolFile), toolsId: toolsId(tools) };
  const verdicts = judgeVerdicts(dir);
  const isKept = keptRequests(workspaceAt(workspace), config.toolFile);
  const groups = latestGroups(traceSummaries(dir))
    .filter(([first]) => !isKept(first!.prompt)) // kept to measure on: a mark would be left out of training
    .slice(0, MAX_GROUPS);
  const candidates = groups.flatMap((group) =>
    pairsOfGroup(
      group.flatMap((summary) => recorded(dir, summary)),
      context,
      verdicts,
    ),
  );
  last = { dir, key, tools, context, candidates };
  return last;
}

/** Marked in any way, also skipped; a pair that was only rewritten is settled as well. */
export const settledPairs = ({ pairs }: PreferenceState): Set<string> => new Set(pairs.map(({ pair }) => pair.id));

function askedTools({ pairs }: PreferenceState): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { pair } of pairs) {
    const names = new Set(
      pair.sides.flatMap((side) => side.messages.flatMap((m) => m.tool_calls?.map((call) => call.function.name) ?? [])),
    );
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

export const toolFileIn = (workspace: string, toolFile: string): string =>
  relative(workspaceAt(workspace), toolFile).split(sep).join('/');

function latestGroups(summaries: readonly TraceSummary[]): TraceSummary[][] {
  const groups = new Map<string, TraceSummary[]>();
  for (const summary of summaries) {
    if (summary.superseded || (summary.phase !== 'train' && summary.phase !== 'try')) continue;
    const group = groups.get(summary.groupId);
    if (group) group.push(summary);
    else groups.set(summary.groupId, [summary]);
  }
  return [...groups.values()].filter((group) => group.length > 1).sort((a, b) => b[0]!.step - a[0]!.step);
}

/** What the run's judge said, as far as it can be read: without it the queue only knows less. */
export function judgeVerdicts(dir: string): JudgeVerdict[] {
  try {
    return readTextFile(join(dir, 'judge.jsonl'))
      .split('\n')
      .flatMap((line) => {
        const verdict = JudgeVerdict.safeParse(line.trim() === '' ? null : parsed(line));
        return verdict.success ? [verdict.data] : [];
      });
  } catch {
    return [];
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/** A trace that was deleted or torn is left out: the others are still worth asking about. */
function recorded(dir: string, summary: TraceSummary): Recorded[] {
  try {
    return [{ trace: readTrace(dir, summary), summary }];
  } catch {
    return [];
  }
}

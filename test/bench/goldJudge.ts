/**
 * A judge that makes no mistakes, for benches: an OpenAI-compatible server that reads the task and the attempts out of
 * the question that the trainer sent
 * (trainer/rewards/judge/transcript.ts says how an attempt is written), knows the gold of the run's tasks by their
 * text,
 * and scores each attempt by itself.
 * It knows nothing else: not which trace an attempt is, nor what the run's own rewards said of it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { callCorrectness } from '../../trainer/rewards/correctness';
import type { GoldCall, Task, ToolSchema } from '../../trainer/protocol/task';
import { readTaskSplits, readTools, readTrace, traceSummaries } from '../../trainer/store/runs/readRun';
import { isRecord } from '../../trainer/protocol/arguments';
import { answerOccurs, outcomeOf } from '../../trainer/tasks/solved';
import { judgeServer, ranking } from '../rewards/judgeServer';

/** What was done, as far as scores go. */
export interface Done {
  calls: GoldCall[];
  reply: string;
}
/** In [0, 1]. */
export type Score = (task: Task, done: Done, tools: readonly ToolSchema[]) => number;

/** The product's `correctness`. */
export const correctnessOf: Score = (task, { calls }, tools) =>
  task.calls === undefined ? 0 : callCorrectness(task.calls, calls, tools);

/**
 * The product's default, `correctness,answer`: the mean of those that the task's gold has, where the product takes
 * their sum, since a judge's scores end
 * at 1; within a group both order, and space, attempts alike.
 */
export const goldOf: Score = (task, done, tools) => {
  const parts = [
    ...(task.calls === undefined ? [] : [correctnessOf(task, done, tools)]),
    ...(task.answer === undefined ? [] : [Number(answerOccurs(task.answer, done.reply))]),
  ];
  return parts.reduce((sum, part) => sum + part, 0) / parts.length;
};

/** An attempt as the judge reads it. Arguments that were cut, or are no JSON, count as none. */
export function readAttempt(text: string): Done {
  const calls = [...text.matchAll(/^calls (.*?) with (.*)$/gm)].map(([, name = '', args = '']) => ({
    name,
    arguments: jsonOf(args),
  }));
  return { calls, reply: /^final answer: ([^]*)$/m.exec(text)?.[1] ?? '' };
}

function jsonOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

export interface GoldJudge {
  /** for the run's environment */
  environment: Record<string, string>;
  /** the most requests that were under way at once */
  readonly asked: { atOnce: number };
  close(): Promise<void>;
}

/**
 * @param run folder of the run that will ask: its tasks and tools are read at the first question. latencyMs: of each
 * reply, any number at once
 */
export async function openGoldJudge({
  run,
  score,
  latencyMs = 0,
}: {
  run: string;
  score: Score;
  latencyMs?: number;
}): Promise<GoldJudge> {
  const asked = { atOnce: 0 };
  let underWay = 0;
  let known: { tasks: Map<string, Task>; tools: ToolSchema[] } | null = null;
  const server = await judgeServer(async (question) => {
    asked.atOnce = Math.max(asked.atOnce, ++underWay);
    await sleep(latencyMs);
    underWay--;
    known ??= { tasks: tasksByPrompt(run), tools: readTools(run) };
    const { tasks, tools } = known;
    const prompt = /^The task:\n([^]*?)\n\n<attempt /.exec(question.body.messages[1]?.content ?? '')?.[1];
    const task = prompt === undefined ? undefined : tasks.get(prompt);
    if (!task) return { status: 400, body: { error: { message: `the gold of this task is not known: ${prompt}` } } };
    return ranking(question, (text) => score(task, readAttempt(text), tools));
  });
  return { environment: { COACH_JUDGE_URL: server.url, COACH_JUDGE_MODEL: 'm' }, asked, close: server.close };
}

/** @throws Error where two tasks of one text differ in their gold: nobody could judge those */
function tasksByPrompt(run: string): Map<string, Task> {
  const tasks = new Map<string, Task>();
  for (const task of Object.values(readTaskSplits(run)).flat()) {
    const other = tasks.get(task.prompt);
    if (other && JSON.stringify([other.calls, other.answer]) !== JSON.stringify([task.calls, task.answer]))
      throw new Error(`goldJudge: ${other.id} and ${task.id} say the same and have different gold`);
    tasks.set(task.prompt, task);
  }
  return tasks;
}

/**
 * Was the judge of a run as good as it should be? The scores that the run recorded, beside those of the whole recorded
 * traces.
 * @returns in traces; equal: in groups that differ in nothing, which nobody is asked about; wrong: scored otherwise
 * than the gold says
 */
export function checkJudged(
  run: string,
  score: Score,
): { judged: number; equal: number; notJudged: number; wrong: number } {
  const tasks = new Map(
    Object.values(readTaskSplits(run))
      .flat()
      .map((task) => [task.id, task]),
  );
  const tools = readTools(run);
  const counts = { judged: 0, equal: 0, notJudged: 0, wrong: 0 };
  for (const summary of traceSummaries(run)) {
    if (summary.phase !== 'train') continue;
    const trace = readTrace(run, summary);
    const given = trace.rewards.find(({ name }) => name === 'judge');
    if (given?.score == null) {
      counts[/all attempts are equal/.test(given?.error ?? '') ? 'equal' : 'notJudged']++;
      continue;
    }
    counts.judged++;
    const { calls, lastReply: reply } = outcomeOf(trace);
    if (Math.abs(given.score - score(tasks.get(trace.taskId)!, { calls, reply }, tools)) > 1e-9) counts.wrong++;
  }
  return counts;
}

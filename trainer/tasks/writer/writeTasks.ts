/**
 * Requests by a language model: asked for by kind and style, each checked before it counts, what fails counted by
 * reason.
 */
import type { Task, ToolSchema } from '../../protocol/task';
import { UserError } from '../../protocol/result';
import { Random } from '../../base/random';
import { countAs, sumOf, tallyWords } from '../../base/tally';
import { JudgeFailure, type JudgeClient, type Question } from '../../model/question';
import type { ToolHosts } from '../../tools/hosts/callTool';
import { runGold, type CallInWorld } from '../check/goldRun';
import { distinct } from '../check/nearDuplicates';
import { keepRanked } from '../check/rank';
import { unrecoverable } from '../check/recoverable';
import { roundTrips } from '../check/roundTrip';
import { checkTask } from '../readTasks';
import { answerOccurs } from '../solved';
import { rankQuestion, solveQuestion, writeQuestion, type Written } from './questions';
import { isOfKind, wishes, type Wish } from './wishes';
import { writersWords } from './words';

export interface WriteOptions {
  /** who writes: whatever policy stands behind it is asked by `app` */
  client: Pick<JudgeClient, 'ask'>;
  tools: readonly ToolSchema[];
  /** tasks wanted */
  count: number;
  seed: number;
  /** where gold calls are run, a world a task */
  hosts: Pick<ToolHosts, 'open'>;
  /** calls that worked with what they returned, as text */
  seen: readonly string[];
  /** prompts that there are already */
  known?: readonly string[];
  signal: AbortSignal;
  /** attempts of the round trip */
  attempts?: number;
  onProgress?(message: string): void;
}

export interface WrittenTasks {
  tasks: Task[];
  /** how many were written and not taken, by reason */
  dropped: Record<string, number>;
  /** questions without a usable reply, by reason */
  failed: Record<string, number>;
}

/** Requests of one question, calls and results shown in it, requests that are ranked together, questions under way. */
const EACH = 5;
const SHOWN = 8;
const TEN = 10;
const WAVE = 8;
/**
 * Of what is written at most so much is checked for one that is wanted; and a writer of whom nothing was taken in so
 * many questions is not asked any more.
 */
const MOST_WRITTEN = 4;
const PATIENCE = 8;

type Candidate = { wish: Wish; written: Written; task: Task };

/**
 * Tasks that a language model wrote, `source: model`. Each one's calls fit the schemas and were run, its values can be
 * known (`unrecoverable`), it is no near-duplicate, and the model
 * came to the same calls from the request alone; the lowest fifth by its own marks is dropped. Fewer than asked for, or
 * none, where the writer fails: `dropped` and `failed` say why.
 * With one writer that answers alike: same tools, seed and results, same tasks.
 */
export async function writeTasks(options: WriteOptions): Promise<WrittenTasks> {
  const { count, seed, tools, signal, known = [], onProgress } = options;
  const tally: Pick<WrittenTasks, 'dropped' | 'failed'> = { dropped: {}, failed: {} };
  const asked = wishes(tools, Math.ceil((count * MOST_WRITTEN) / EACH), Random.fromSeed(`writer ${seed}`));
  const taken: Candidate[] = [];
  const wanted = Math.ceil(count / 0.8);
  for (let from = 0; from < asked.length && taken.length < wanted; from += WAVE) {
    signal.throwIfAborted();
    if (from >= PATIENCE && taken.length === 0) break;
    onProgress?.(`Asking the writer: ${taken.length} of ${count} requests taken, ${sumOf(tally.dropped)} dropped`);
    const wave = asked.slice(from, from + WAVE);
    const written = (await Promise.all(wave.map((wish, i) => write(wish, from + i, options, tally)))).flat();
    const fresh = distinct(
      written.map(({ task }) => task.prompt),
      { known: [...known, ...taken.map(({ task }) => task.prompt)] },
    );
    const single = written.filter((_, i) => fresh[i] || countAs(tally.dropped, 'much like another'));
    const back = await Promise.all(single.map((candidate) => comesBack(candidate, options, tally)));
    taken.push(...single.filter((_, i) => back[i]));
  }
  const marks = await rank(taken, options, tally);
  const kept = keepRanked(marks);
  const best = taken.filter((_, i) => kept[i] || countAs(tally.dropped, 'ranked lowest'));
  return {
    tasks: best.slice(0, count).map(({ task }, i) => ({ ...task, id: `w${String(i + 1).padStart(4, '0')}` })),
    ...tally,
  };
}

/** One question's tasks, as far as they can be checked without asking again. */
async function write(
  wish: Wish,
  nth: number,
  options: WriteOptions,
  tally: Pick<WrittenTasks, 'dropped' | 'failed'>,
): Promise<Candidate[]> {
  const { tools, seen, seed } = options;
  const shown = Random.fromSeed(`writer ${seed} ${nth}`).shuffle(seen).slice(0, SHOWN);
  const reply = await ask(writeQuestion(wish, tools, shown, EACH), options, tally);
  const checked = await Promise.all(
    (reply?.value ?? []).map(async (written): Promise<Candidate | null> => {
      const { task, reason } = await check(written, wish, options);
      if (task === null) countAs(tally.dropped, reason);
      return task && { wish, written, task };
    }),
  );
  return checked.filter((one) => one !== null);
}

async function check(
  written: Written,
  wish: Wish,
  options: WriteOptions,
): Promise<{ task: Task; reason: '' } | { task: null; reason: string }> {
  const { tools } = options;
  const { prompt, calls, answer } = written;
  const bare: Task = {
    id: 'w',
    prompt,
    calls,
    tags: [wish.kind, ...new Set(calls.map(({ name }) => name))],
    source: 'model',
  };
  if (!isOfKind(bare, wish.kind)) return { task: null, reason: 'not of the kind that was asked for' };
  try {
    checkTask(bare, tools, 'written');
  } catch (error) {
    if (error instanceof UserError) return { task: null, reason: 'calls that do not fit the schemas' };
    throw error;
  }
  const world = openWorld(options);
  try {
    const ran = await runGold(calls, tools, world.call);
    if ('problem' in ran) return { task: null, reason: 'calls that fail or find nothing' };
    if (unrecoverable(bare, tools, ran.results).length > 0)
      return { task: null, reason: 'a value that nobody could know' };
    const fact =
      answer !== undefined &&
      answer.trim() !== '' &&
      answer.length <= 40 &&
      ran.results.some((result) => answerOccurs(answer, result))
        ? answer.trim()
        : undefined;
    return { task: { ...bare, ...(fact === undefined ? {} : { answer: fact }) }, reason: '' };
  } finally {
    world.close();
  }
}

let worlds = 0;

/** A fresh world; a stop ends the call that runs in it. */
function openWorld({ hosts, signal }: WriteOptions): { call: CallInWorld; close(): void } {
  const session = hosts.open(`writer-${++worlds}`);
  return {
    async call(name, args) {
      const result = await session.call(name, args, signal);
      signal.throwIfAborted();
      return result;
    },
    close: () => session.close(),
  };
}

async function comesBack(
  { task }: Candidate,
  options: WriteOptions,
  tally: Pick<WrittenTasks, 'dropped' | 'failed'>,
): Promise<boolean> {
  const { tools, attempts = 2 } = options;
  const isBack = await roundTrips(task, tools, {
    k: attempts,
    solve: async (prompt, before, attempt) =>
      (await ask(solveQuestion(prompt, tools, before, attempt), options, tally))?.value ?? null,
    open: () => openWorld(options),
  });
  return isBack || countAs(tally.dropped, 'other calls when it was solved without its gold');
}

/** null: not ranked */
async function rank(
  all: readonly Candidate[],
  options: WriteOptions,
  tally: Pick<WrittenTasks, 'dropped' | 'failed'>,
): Promise<(number | null)[]> {
  const tens = Array.from({ length: Math.ceil(all.length / TEN) }, (_, i) => all.slice(i * TEN, (i + 1) * TEN));
  const marks = await Promise.all(
    tens.map((ten) =>
      ask(
        rankQuestion(
          ten.map(({ written }) => written),
          options.tools,
        ),
        options,
        tally,
      ),
    ),
  );
  return tens.flatMap((ten, i) => marks[i]?.value ?? ten.map(() => null));
}

/** null: no usable reply, counted. @throws the signal's reason */
async function ask<T>(
  question: Question<T>,
  { client, signal }: WriteOptions,
  tally: Pick<WrittenTasks, 'failed'>,
): Promise<{ value: T } | null> {
  try {
    return { value: (await client.ask(question, signal)).value };
  } catch (error) {
    if (!(error instanceof JudgeFailure)) throw error;
    countAs(tally.failed, writersWords(error.message));
    return null;
  }
}

/** One note on what a writer gave: "the writer wrote 40 tasks; 12 were dropped: 8 calls that …" */
export function writtenWords({ tasks, dropped, failed }: WrittenTasks, wanted: number): string {
  const lost = sumOf(dropped) > 0 ? `; ${sumOf(dropped)} were dropped: ${tallyWords(dropped)}` : '';
  const silent = sumOf(failed) > 0 ? `; ${sumOf(failed)} questions came to nothing: ${tallyWords(failed)}` : '';
  return `the writer gave ${tasks.length} of ${wanted} requests${lost}${silent}`;
}

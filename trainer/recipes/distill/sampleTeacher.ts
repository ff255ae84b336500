/**
 * A teacher on the student's training tasks: K episodes a task, in the environment that the student trains in, and what
 * passes is learnt from (rejection sampling, as ToolRLA's and Tool-Star's demonstrations came about; arXiv:2603.01620,
 * 2505.16410).
 */
import { Lanes } from '../../base/lanes';
import { Random } from '../../base/random';
import { UserError } from '../../protocol/result';
import type { LimitedConfig } from '../../protocol/runConfig';
import type { Task, ToolSchema } from '../../protocol/task';
import type { Message, Trace } from '../../protocol/trace';
import { environmentsOf } from '../../rollout/environment/runEnvironment';
import { runEpisode, type EpisodeOptions } from '../../rollout/episode';
import { writeVerdicts } from '../../rollout/verdicts/verdicts';
import type { Policy } from '../../rollout/policy/policy';
import { PolicyFailure } from '../../rollout/policy/remote';
import type { ToolHosts } from '../../tools/hosts/callTool';
import type { ShowsTools } from '../../tools/retrieval/shownTools';
import { fitEarlyStop, type EarlyStop, type Sampled } from './earlyStop';
import { refusalOf, REFUSALS, writtenLength, type Refusal } from './outcome';
import { Watch } from './watch';

/** One episode of the teacher. messages: null where it is not learnt from */
export interface TeacherSample {
  taskId: string;
  prompt: string;
  /** from 0, of this task */
  sample: number;
  refusal: Refusal | null;
  messages: Message[] | null;
  /** how it looked on its way, for what is stopped early; absent where an earlier Coach asked */
  seen?: Sampled | undefined;
}

export interface Teaching {
  policy: Policy;
  tasks: readonly Task[];
  tools: readonly ToolSchema[];
  /** which of them a task is shown; absent or null: all */
  shown?: ShowsTools | null | undefined;
  hosts: Pick<ToolHosts, 'open'>;
  config: LimitedConfig;
  /** K: episodes a task */
  samples: number;
  /** 0: greedy */
  temperature: number;
  /** of one turn; null: as long as the teacher lets it be */
  replyTokens: number | null;
  /** episodes under way at once */
  atOnce: number;
  /** scores a whole episode, and the reward that it must have; null: gold calls and answers decide */
  bar: { least: number; score(task: Task, trace: Trace): Promise<Trace> } | null;
  /** those that were recorded before, which are not asked for again */
  known: readonly Pick<TeacherSample, 'taskId' | 'sample' | 'refusal' | 'seen'>[];
  runId: string;
  signal: AbortSignal;
  now(): number;
  /** why nothing more may be asked (its budget is spent); null: go on */
  spent(): string | null;
  onSample(sample: TeacherSample, trace: Trace): void;
  /** from now on samples that are expected to fail are stopped */
  onEarlyStop(stop: EarlyStop): void;
}

export interface Taught {
  /** why it ended early; null: all tasks were asked */
  ended: string | null;
  /** episodes that the server gave no answer to; a resume asks for them again */
  unanswered: { taskId: string; why: string }[];
}

/** So many in a row without an answer: the server is gone. */
const GONE = 8;
/** So many samples, and none passed: more of the same is money spent on nothing. */
const HOPELESS = 48;
/** So many whose calls stand in the text, and no call as such: the format is another, which no sampling mends. */
const OTHER_FORMAT = 8;

/**
 * Sample 0 of every task, then sample 1, so that a budget that ends has asked for each task once.
 * @throws UserError where the teacher will never be of use: it is gone, passes nothing, or calls in another format
 */
export async function sampleTeacher(t: Teaching): Promise<Taught> {
  const over = new AbortController();
  const options: EpisodeOptions = {
    policy: t.policy,
    environmentFor: environmentsOf(t),
    sampling: { temperature: t.temperature, maxTurnTokens: t.replyTokens ?? Infinity, maxTokens: Infinity },
    maxTurns: t.config.maxTurns,
    runId: t.runId,
    phase: 'train',
    step: 0,
    seed: t.config.seed,
    signal: AbortSignal.any([t.signal, over.signal]),
    now: t.now,
  };
  const counts = new Map<Refusal | 'passed', number>();
  const count = (refusal: Refusal | null): void =>
    void counts.set(refusal ?? 'passed', (counts.get(refusal ?? 'passed') ?? 0) + 1);
  for (const { refusal } of t.known) count(refusal);
  const taught: Taught = { ended: null, unanswered: [] };
  const ended = new Map<string, Sampled>();
  for (const { taskId, sample, seen } of t.known) if (seen) ended.set(`${sample} ${taskId}`, seen);
  let stop: EarlyStop | null = null;
  let inRow = 0;
  const ask = async (task: Task, sample: number): Promise<void> => {
    if (options.signal.aborted || taught.ended !== null) return;
    taught.ended = t.spent();
    if (taught.ended !== null) return;
    const id = `teacher-${task.id}-${sample}`;
    const random = Random.fromSeed(t.config.seed).fork(id);
    const watch = new Watch(task, t.tools, t.config.maxTurns, stop);
    try {
      const { trace } = await runEpisode(
        { id, task, groupId: `teacher-${task.id}`, indexInGroup: sample, random },
        { ...options, environmentFor: (request) => watch.on(options.environmentFor(request)) },
      );
      if (trace.truncated === 'cancelled') return;
      inRow = 0;
      const scored = t.bar && !watch.isStopped ? await t.bar.score(task, trace) : trace;
      writeVerdicts(scored, task, t.tools);
      const refusal = watch.isStopped ? 'stopped' : refusalOf(task, scored, t.tools, t.bar?.least ?? null);
      count(refusal);
      const messages = refusal === null ? scored.messages : null;
      const seen = { passed: refusal === null, length: writtenLength(scored.messages), moments: watch.moments };
      ended.set(`${sample} ${task.id}`, seen);
      t.onSample({ taskId: task.id, prompt: task.prompt, sample, refusal, messages, seen }, scored);
      const hopeless = hopelessness(counts);
      if (hopeless) over.abort(hopeless);
    } catch (error) {
      if (!(error instanceof PolicyFailure)) return over.abort(error);
      taught.unanswered.push({ taskId: task.id, why: error.message });
      if (error.isFinal || ++inRow >= GONE) over.abort(new UserError('policy', error.message));
    }
  };
  const known = new Set(t.known.map(({ taskId, sample }) => `${sample} ${taskId}`));
  const lanes = new Lanes(t.atOnce);
  for (let sample = 0; sample < t.samples && !over.signal.aborted; sample++) {
    const left = t.tasks.filter(({ id }) => !known.has(`${sample} ${id}`));
    await Promise.all(left.map((task) => lanes.run(() => ask(task, sample))));
    if (stop !== null || sample + 1 === t.samples || options.signal.aborted) continue;
    // those of whole rounds that ran to their end, in an order that does not depend on who was answered first
    const ofTask = ({ id }: Task): Sampled[] =>
      Array.from({ length: sample + 1 }, (_, round) => ended.get(`${round} ${id}`)).flatMap((one) => one ?? []);
    stop = fitEarlyStop(t.tasks.map(ofTask), Random.fromSeed(t.config.seed).fork('early stop'));
    if (stop) t.onEarlyStop(stop);
  }
  if (over.signal.aborted) throw over.signal.reason;
  return taught;
}

/** @returns the one message of a teacher that is of no use */
export function hopelessness(
  counts: ReadonlyMap<Refusal | 'passed', number>,
  { isOver = false } = {},
): UserError | null {
  const total = [...counts.values()].reduce((sum, n) => sum + n, 0);
  if (counts.has('passed') || total === 0) return null;
  const inText = counts.get('calledInText') ?? 0;
  if (inText === total && (isOver || total >= OTHER_FORMAT))
    return new UserError(
      'policy',
      `the teacher writes its calls into its text: ${inText} of ${total} samples, and no call as such`,
      'Let its server read them: vLLM with --enable-auto-tool-choice --tool-call-parser NAME, ' +
        'llama-server with --jinja.',
    );
  if (!isOver && total < HOPELESS) return null;
  return new UserError(
    'policy',
    `the teacher passed none of ${total} samples: ${refusalWords(counts)}`,
    "Take a stronger teacher, or look at the run's traces: what passes is set by the tasks' gold " +
      'calls and answers, or by --bar.',
  );
}

/** Most frequent first: `12 did not make the gold calls, 3 called no tool`. */
export const refusalWords = (counts: ReadonlyMap<Refusal | 'passed', number>): string =>
  [...counts]
    .flatMap(([reason, n]) => (reason === 'passed' ? [] : [{ words: REFUSALS[reason], n }]))
    .sort((a, b) => b.n - a.n)
    .map(({ words, n }) => `${n} ${words}`)
    .join(', ');

import type { AgentMetricsOptions } from '../../evaluation/agentMetrics';
import { violationRule } from '../../evaluation/compliance';
import { passRates, runTasks, type Measuring } from '../../evaluation/evaluate';
import { lostCalls } from '../../evaluation/lostCalls';
import { successOf } from '../../evaluation/success';
import { gainBySource, headlineOfTasks, successBySource, toolsWithoutTasks } from '../../evaluation/bySource';
import { mcnemar, pairedChange, verdictOf } from '../../evaluation/statistics';
import { forgettingSets, type ForgettingSet } from '../../evaluation/forgetting';
import type { RunResult, Success, TrainerEventBody } from '../../protocol/messages';
import type { Note } from '../../protocol/note';
import type { Task, ToolSchema } from '../../protocol/task';
import type { Trace } from '../../protocol/trace';
import { foldRun, traceSummaries } from '../../store/runs/readRun';
import { hasRoom } from '../../rollout/policy/local';
import { SUCCESS_RULE } from '../../protocol/verdicts';
import { contentKey } from '../../tasks/taskset';
import { exportBest, type Session } from './session';

/**
 * pass@k is measured on the base model with so many samples a task, on at most so many held-out tasks: of a real model
 * they are the longest episodes of a run, since a base model seldom ends by itself.
 */
const SAMPLES = 8;
const sampledTasks = (model: string): number => (model === 'nano' ? 64 : 16);
const SLICE = 64;

export const measuring = (s: Session, phase: Trace['phase']): Measuring => ({
  base: s.base,
  policy: s.policy,
  tools: s.context.tools,
  shown: s.context.shown,
  hosts: s.context.hosts,
  inertia: s.context.inertia,
  config: s.context.config,
  runId: s.context.run.id,
  phase,
  step: s.step,
  signal: s.context.signal,
  now: s.context.now,
});

/** What the metrics block of a measurement needs. */
export const aboutMetrics = (
  { context }: Session,
  tools: readonly ToolSchema[] = context.tools,
): AgentMetricsOptions => ({
  tools,
  isViolation: violationRule(context.config, tools),
});

/** Greedy episodes of tasks, recorded as traces, with progress. Stops early (fewer traces) when cancelled. */
export async function* measure(
  s: Session,
  tasks: readonly Task[],
  phase: Trace['phase'],
  options: { progress?: boolean } = {},
): AsyncGenerator<TrainerEventBody, Trace[]> {
  const traces: Trace[] = [];
  for (let from = 0; from < tasks.length && !s.context.signal.aborted; from += SLICE) {
    const part = await runTasks(tasks.slice(from, from + SLICE), measuring(s, phase));
    for (const trace of part) yield { type: 'traceRecorded', trace: s.context.run.recordTrace(trace) };
    traces.push(...part);
    if (options.progress) yield { type: 'progressed', done: traces.length, total: tasks.length };
  }
  const lost = lostCalls(traces);
  if (lost) yield { type: 'noted', ...lost };
  return traces;
}

export interface Before {
  solved: boolean[];
  result: Success;
  forgotten: Measured[];
}
/** solved: task by task; absent where an earlier Coach measured before */
interface Measured {
  name: string;
  result: Success;
  solved?: boolean[] | undefined;
}

/** Held-out tasks and what may be forgotten, before training; on a resume, as they were recorded. Null: cancelled. */
export async function* measureBefore(
  s: Session,
  isResumed = s.context.resumeFrom !== null,
): AsyncGenerator<TrainerEventBody, Before | null> {
  const { tasks, signal, run } = s.context;
  if (isResumed) {
    const recorded = recordedBefore(s, run.dir);
    if (recorded) return recorded;
  }
  yield { type: 'phaseStarted', phase: 'before', total: tasks.heldOut.length };
  const traces = yield* measure(s, tasks.heldOut, 'before', { progress: true });
  if (signal.aborted) return null;
  const result = successOf(tasks.heldOut, traces, aboutMetrics(s));
  const tried = tasks.heldOut.slice(0, sampledTasks(s.context.config.model));
  const sampled = await runTasks(tried, measuring(s, 'before'), SAMPLES);
  if (signal.aborted) return null;
  const rates = passRates(sampled, SAMPLES, SAMPLES);
  result.passAtK = { k: SAMPLES, success: rates.passK, n: rates.n };
  yield { type: 'evaluated', which: 'before', name: 'held-out', result };
  const forgotten = yield* measureForgotten(s, 'before');
  return signal.aborted ? null : { solved: traces.map((t) => t.solved === true), result, forgotten };
}

function recordedBefore(s: Session, dir: string): Before | null {
  const evaluations = foldRun(dir).evaluations.filter((e) => e.which === 'before');
  const heldOut = evaluations.find((e) => e.name === 'held-out');
  const byTask = new Map(
    traceSummaries(dir)
      .filter((t) => t.phase === 'before')
      .map((t) => [t.taskId, t.solved === true]),
  );
  const sets = fittingSets(s).fitting;
  if (
    !heldOut ||
    heldOut.result.rule !== SUCCESS_RULE || // what is measured after would not be comparable
    !s.context.tasks.heldOut.every((t) => byTask.has(t.id)) ||
    !sets.every((f) => evaluations.some((e) => e.name === f.name))
  )
    return null;
  const solved = s.context.tasks.heldOut.map((t) => byTask.get(t.id)!);
  return {
    solved,
    result: { ...heldOut.result, bySource: successBySource(s.context.tasks.heldOut, solved) },
    forgotten: sets.map((f) => evaluations.find((e) => e.name === f.name)!),
  };
}

/**
 * Sets whose tools leave room to write; in the others every episode would end unspoken, before and after, and that is
 * no measurement.
 */
function fittingSets(s: Session): { fitting: ForgettingSet[]; tooLong: ForgettingSet[] } {
  const sets = forgettingSets(s.context, s.context.config.forgottenTasks);
  const fits = sets.map((set) => set.tools === s.context.tools || hasRoom(s.base, set.tools));
  return { fitting: sets.filter((_, i) => fits[i]), tooLong: sets.filter((_, i) => !fits[i]) };
}

/** No-tool tasks, and tasks on another file's tools: what training on one file may cost elsewhere. */
async function* measureForgotten(s: Session, which: 'before' | 'after'): AsyncGenerator<TrainerEventBody, Measured[]> {
  const out: Measured[] = [];
  const { fitting, tooLong } = fittingSets(s);
  for (const { name } of tooLong) {
    const message =
      `not measured: ${name}; its tools are a longer prompt for this model than maxTokens ` +
      `(${s.context.config.maxTokens})`;
    const note: Note = { level: 'info', code: 'setNotMeasured', message };
    if (s.context.run.firstTime(note)) yield { type: 'noted', ...note };
  }
  for (const set of fitting) {
    const measured = await measureSet(s, set, which);
    if (s.context.signal.aborted) break;
    yield { type: 'evaluated', which, ...measured };
    out.push(measured);
  }
  return out;
}

async function measureSet(s: Session, set: ForgettingSet, which: 'before' | 'after'): Promise<Measured> {
  const own = set.tools === s.context.tools ? {} : { policy: s.policyFor(set.tools), shown: null };
  const traces = await runTasks(set.tasks, { ...measuring(s, which), tools: set.tools, hosts: set.hosts, ...own });
  return {
    name: set.name,
    result: successOf(set.tasks, traces, aboutMetrics(s, set.tools)),
    solved: traces.map((t) => t.solved === true),
  };
}

/**
 * Paired where both were measured on the same tasks: an earlier Coach, whose run goes on here, may have had others of
 * this name.
 */
function forgottenOf(before: Measured, after: Measured): RunResult['forgotten'][number] {
  const [was, is] = [before.solved ?? [], after.solved ?? []];
  const gain =
    was.length > 0 && was.length === is.length ? { ...pairedChange(was, is), changed: mcnemar(was, is) } : undefined;
  return { name: before.name, before: before.result, after: after.result, ...(gain && { gain }) };
}

/**
 * The best checkpoint on the held-out tasks, exported; the run's result. Null: cancelled.
 * @param words what the export and the run say of it; default: of a checkpoint that validation chose
 */
export async function* measureAfter(
  s: Session,
  before: Before,
  startedAt: number,
  words?: { fact: string; chosen: string },
): AsyncGenerator<TrainerEventBody, RunResult | null> {
  const { context } = s;
  yield { type: 'phaseStarted', phase: 'after', total: context.tasks.heldOut.length };
  const { folder, step } = exportBest(s, [
    words?.fact ??
      `Trained by Agent Coach: ${context.config.method}, ${context.config.steps} steps, seed ` +
        `${context.config.seed}; checkpoint of step ${s.best?.step ?? s.step}, chosen on validation tasks.`,
  ]);
  const traces = yield* measure(s, context.tasks.heldOut, 'after', { progress: true });
  if (context.signal.aborted) return null;
  const after = successOf(context.tasks.heldOut, traces, aboutMetrics(s));
  yield { type: 'evaluated', which: 'after', name: 'held-out', result: after };
  const forgotten = yield* measureForgotten(s, 'after');
  if (context.signal.aborted) return null;
  const solved = traces.map((t) => t.solved === true);
  const outcomes = {
    before: before.solved,
    after: solved,
    contents: context.tasks.heldOut.map((task) => contentKey(task, context.tools)),
  };
  const gain = gainBySource(context.tasks.heldOut, outcomes);
  yield {
    type: 'noted',
    level: 'info',
    code: 'checkpointChosen',
    message:
      words?.chosen ??
      `the ${context.config.finetuning === 'full' ? 'model' : 'adapter'} is that of step ${step}: ` +
        'on validation the best, or as good within one standard error and trained for longer',
  };
  return {
    run: context.run.id,
    engine: context.engine.name,
    steps: context.config.steps,
    seconds: Math.round((context.now() - startedAt) / 1000),
    before: before.result,
    after,
    gain,
    verdict: verdictOf(gain),
    headline: headlineOfTasks(context.tasks.heldOut, outcomes),
    toolsWithoutTasks: toolsWithoutTasks(context.tools, Object.values(context.tasks).flat()),
    forgotten: before.forgotten.map((b) => forgottenOf(b, forgotten.find((f) => f.name === b.name)!)),
    adapter: folder,
  };
}

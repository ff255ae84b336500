import type { Note, NoteCode } from '../protocol/note';
import { rollOutTasks } from '../evaluation/evaluate';
import { successOf } from '../evaluation/success';
import { makeBatch, type TrainedTrace } from '../learning/batch';
import type { Metrics, RunResult, TrainerEventBody } from '../protocol/messages';
import { KlMeter } from '../learning/trainStep';
import { DecoderGraphs } from '../model/decoding/decoderGraphs';
import { runPolicy } from '../rollout/policy/local';
import type { Policy } from '../rollout/policy/policy';
import { exploringTemperature } from '../rollout/policy/sampling';
import type { LongestBatch } from './steps/longest';
import { checkMemory } from './steps/memoryCheck';
import { measure, measureAfter, measureBefore, measuring } from './steps/measure';
import type { RecipeContext } from './recipe';
import { rehearsed } from './rehearsal/rehearse';
import { openRewardWatch } from './steps/rewardWatch';
import { openSession, save, type Session } from './steps/session';
import { learnToolTokens } from './steps/toolTokenStages';
import { tryLongest } from './steps/tryLongest';

/**
 * One optimiser step of a method: rolls out or takes examples, trains, and gives its metrics; null = cancelled before
 * the update.
 */
export type Step = (session: Session, step: number) => AsyncGenerator<TrainerEventBody, Metrics | null>;

/** What a method brings to the loop. */
export interface Training {
  step: Step;
  /** one micro-batch forward and backward, and nothing kept of it */
  tryOut(longest: LongestBatch): Promise<void>;
  dispose?(): void;
}

/**
 * Who computes for so long hears no stop, and may be ended in the middle (app/cli/runAgain.ts): each such step is
 * saved.
 */
const SLOW_STEP_SECONDS = 2;
/** How many validation episodes the KL is measured on. */
const KL_EPISODES = 16;

/**
 * The loop that all methods share: before -> steps with validation and checkpoints -> after -> adapter, or model.
 * Curves and the choice of the checkpoint
 * see validation only; held-out is read twice, before and after.
 */
export async function* trainLoop(
  context: RecipeContext,
  makeStep: (s: Session) => Training,
): AsyncGenerator<TrainerEventBody, RunResult | null> {
  const { config, signal } = context;
  const startedAt = context.now();
  const memory = checkMemory(context);
  for (const note of memory.notes) if (context.run.firstTime(note)) yield { type: 'noted', ...note };
  const s = openSession(context);
  const method = makeStep(s);
  try {
    await new Promise((resolve) => setImmediate(resolve)); // a stop that came while the model was loaded is heard
    if (signal.aborted) return null;
    if (memory.isTried) yield* tryLongest(s, method, memory);
    for (const note of modelNotes(s)) if (context.run.firstTime(note)) yield { type: 'noted', ...note };
    if (!(yield* rehearsed(s))) return null;
    const before = yield* measureBefore(s);
    if (!before) return null;
    yield { type: 'phaseStarted', phase: 'training', total: config.steps };
    const kl = openKl(s);
    // an adapter that has learnt nothing is the base model
    if (s.step === 0 && config.startFrom === undefined) await kl.takeSample(s.policy);
    if (!(yield* learnToolTokens(s))) return null;
    const watch = openRewardWatch(context);
    for (let step = s.step + 1; step <= config.steps; step++) {
      const t0 = context.now();
      const metrics = yield* method.step(s, step);
      if (!metrics) return yield* stopAt(s);
      s.step = step;
      s.policy.version = `step ${step}`;
      const isLast = step === config.steps;
      const isMeasured = step % config.evalEvery === 0 || isLast;
      metrics.kl ??= isMeasured ? await kl.measure() : null;
      metrics.step_time = (context.now() - t0) / 1000;
      yield { type: 'stepFinished', step, metrics };
      let isBest = false;
      let success: number | null = null;
      if (isMeasured) {
        success = yield* validate(s);
        if (success === null) return yield* stopAt(s);
        isBest =
          s.best === null ||
          isAsGood(success, s.best.success, Math.min(config.evalTasks, context.tasks.validation.length));
        if (isBest) s.best = { success: Math.max(success, s.best?.success ?? 0), step };
      }
      yield* watch.after(step, metrics, success);
      const isSlow = metrics.step_time > SLOW_STEP_SECONDS;
      if (isBest || isLast || isSlow || step % config.checkpointEvery === 0 || signal.aborted)
        yield { type: 'checkpointSaved', step, path: await save(s, isBest) };
      if (signal.aborted) return null;
    }
    return yield* measureAfter(s, before, startedAt);
  } finally {
    method.dispose?.();
    s.dispose();
  }
}

const UNTRAINED =
  'Tools are tokens (toolTokens): before is measured with tokens that nobody has learnt yet; what the model does with ' +
  'the tools in its prompt says coach evaluate MODEL --tools FILE';

function modelNotes({ base, policy, context: { config } }: Session): Note[] {
  const info = (code: NoteCode, message: string): Note => ({ level: 'info', code, message });
  return [
    ...(base.packing === undefined ? [] : [info('modelPacked', base.packing)]),
    ...(base.toolTokens && config.startFrom === undefined ? [info('toolTokens', UNTRAINED)] : []),
    ...policy.notes.map((message) => info('chatFormat', message)),
  ];
}

/** Stopped between updates: what was learnt so far is kept. */
async function* stopAt(s: Session): AsyncGenerator<TrainerEventBody, null> {
  if (s.step > (s.context.resumeFrom?.step ?? 0))
    yield { type: 'checkpointSaved', step: s.step, path: await save(s, false) };
  return null;
}

async function* validate(s: Session): AsyncGenerator<TrainerEventBody, number | null> {
  const tasks = s.context.tasks.validation.slice(0, s.context.config.evalTasks);
  const traces = yield* measure(s, tasks, 'validation');
  if (s.context.signal.aborted) return null;
  const result = successOf(tasks, traces);
  yield { type: 'validated', step: s.step, result };
  return result.success;
}

/**
 * A later checkpoint is taken unless validation is more than one standard error below its best so far: among equals
 * within the noise, the one that
 * learnt longer (the one-standard-error rule of Breiman et al. 1984, here towards more training). @param n validation
 * tasks
 */
export function isAsGood(success: number, best: number, n: number): boolean {
  return success >= best - Math.sqrt((best * (1 - best)) / n);
}

/**
 * KL to the base model at the places of a fixed sample: the base model's own greedy validation episodes. On a resume
 * it is made again when it is first needed.
 */
function openKl(s: Session): { takeSample(base: Policy): Promise<void>; measure(): Promise<number | null> } {
  const { config, engine, tasks } = s.context;
  const { reference } = s;
  const meter = new KlMeter(engine, s.policyModel, reference);
  const temperature = exploringTemperature(config);
  let sample: TrainedTrace[] | null = null;
  const episodesOf = async (policy: Policy): Promise<TrainedTrace[]> => {
    const tried = tasks.validation.slice(0, KL_EPISODES);
    const rollouts = await rollOutTasks(tried, { ...measuring(s, 'validation'), policy });
    return rollouts.map((rollout) => ({ ...rollout, temperatures: { text: temperature, calls: temperature } }));
  };
  const sampleOfReference = async (): Promise<TrainedTrace[]> => {
    const graphs = new DecoderGraphs(engine, reference);
    try {
      return await episodesOf(runPolicy(s.base, graphs, s.context));
    } finally {
      graphs.forget();
    }
  };
  return {
    async takeSample(base) {
      sample = await episodesOf(base);
    },
    async measure() {
      sample ??= await sampleOfReference();
      let sum = 0;
      let places = 0;
      for (let i = 0; i < sample.length; i += 4) {
        const batch = makeBatch(
          sample.slice(i, i + 4).map((t) => [t]),
          s.base.model.config.vocabSize,
        );
        const part = await meter.measure(batch);
        batch.dispose();
        sum += part.sum;
        places += part.places;
      }
      return places ? sum / places : null;
    },
  };
}

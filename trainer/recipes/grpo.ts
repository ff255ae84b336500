import type * as tf from '@tensorflow/tfjs';
import { GRPO_DEFAULTS, grpoLoss, type GrpoConfig } from '../learning/losses/grpo';
import { temperaturesOf } from '../model/decoding/sample';
import { Scorer, type Loss, type TrainStep } from '../learning/trainStep';
import type { SettledConfig } from '../protocol/runConfig';
import { DEFAULTS } from '../protocol/settings/defaults';
import type { Task } from '../protocol/task';
import type { Trace } from '../protocol/trace';
import { guardsOf } from '../rollout/environment/guard/guard';
import { environmentsOf } from '../rollout/environment/runEnvironment';
import { rollOut } from '../rollout/group';
import type { Rollout } from '../rollout/record';
import { exploringTemperature, samplingOf } from '../rollout/policy/sampling';
import {
  accumulateAsScored,
  advantagesOf,
  trainOn,
  trainsAsScored,
  withBatch,
  type Sequence,
} from './steps/grpoUpdate';
import type { Recipe } from './recipe';
import { judgeStep, openScoring, type Scoring } from './steps/scoring';
import { openTrainStep, type Session } from './steps/session';
import { openGoldSteps } from './sft';
import { loadStart } from './steps/startAdapter';
import { byPrompt } from './steps/byPrompt';
import { trainLoop, type Step, type Training } from './loop';
import { equalShare, rolloutMetrics } from './steps/metrics';

/** GRPO: DeepSeekMath, arXiv:2402.03300, with TRL's defaults (dapo aggregation, group std, beta 0). */
export const grpo: Recipe = (context) =>
  trainLoop(context, (s) => {
    const { config } = context;
    const trainer = openTrainer(s);
    const start = loadStart(s);
    const reference = config.beta > 0 ? new Scorer(context.engine, start ? start.model : s.reference) : null;
    let gold: Pick<Training, 'step'> | null = null;
    const warm = (): Pick<Training, 'step'> => (gold ??= openWarmSteps(s));
    return {
      step: (session, step) =>
        step <= s.warmSteps ? warm().step(session, step) : grpoStep(session, step, trainer, reference),
      tryOut: ({ groups, shared }) =>
        withBatch(
          s,
          groups,
          shared,
          reference,
          { advantages: groups.flat().map(() => 1), items: 1, rows: 1 },
          (batch, extra) => trainer.tryOut(batch, extra),
        ),
      dispose: () => {
        reference?.dispose();
        start?.dispose();
      },
    };
  });

/** SFT on gold calls in the place of a run's first steps. */
function openWarmSteps(s: Session): Pick<Training, 'step'> {
  const { config } = s.context;
  const { warmUpdates: updates = config.numIterations, warmLearningRate = DEFAULTS.warmLearningRate(config) } = config;
  return openGoldSteps(s, { ...config, learningRate: warmLearningRate, steps: s.warmSteps, updates });
}

/** The gradient step of the run's settings on a session's adapter. */
export const openTrainer = (s: Session): TrainStep => openTrainStep(s, lossOf(s.context.config));

/** extra: advantages [sequences, 1 or columns], items in batch, rows in batch, (reference logprobs) */
const lossOf =
  (config: SettledConfig): Loss =>
  (scores, batch, [advantages, items, rows, referenceLogprobs]) =>
    grpoLoss(
      {
        logprobs: scores.logprobs,
        entropies: scores.entropies,
        completionMask: batch.completionMask,
        advantages: advantages as tf.Tensor2D,
        itemsInBatch: items as tf.Scalar,
        rowsInBatch: rows as tf.Scalar,
        // with mu = 1 the policy is the one that sampled, and the ratio is 1, unless sampling rounds more than training
        // does, or weighs tokens otherwise
        oldLogprobs:
          config.numIterations > 1 ||
          config.quantize === 'q4' ||
          (config.repetitionPenalty ?? DEFAULTS.repetitionPenalty) !== 1
            ? batch.sampledLogprobs
            : null,
        entropyCoefficient: config.entropyCoefficient ?? DEFAULTS.entropyCoefficient,
        referenceLogprobs: (referenceLogprobs as tf.Tensor2D | undefined) ?? null,
      },
      grpoConfigOf(config),
    );

const grpoConfigOf = ({
  lossType,
  beta,
  epsilonLow,
  epsilonHigh,
  maxTokens,
  delta,
  importanceSamplingLevel,
  topEntropyQuantile,
}: SettledConfig): GrpoConfig => ({
  ...GRPO_DEFAULTS,
  lossType,
  beta,
  epsilonLow,
  epsilonHigh,
  maxCompletionLength: maxTokens,
  delta: delta ?? null,
  importanceSamplingLevel: importanceSamplingLevel ?? DEFAULTS.importanceSamplingLevel,
  topEntropyQuantile: topEntropyQuantile ?? DEFAULTS.topEntropyQuantile,
});

async function* grpoStep(s: Session, step: number, trainer: TrainStep, reference: Scorer | null): ReturnType<Step> {
  const { config, signal } = s.context;
  const { tasks, ended, scoring, trained: asTrained } = await rollOutStep(s, step);
  const sequencesOf = (t: Trace): Sequence[] =>
    byPrompt(asTrained(t)).map((one) => ({ ...one, temperatures: temperaturesOf(t) }));
  const begun = trainsAsScored(s) ? await accumulateAsScored(s, ended, scoring, sequencesOf, trainer, reference) : null;
  const traces = await scoring.scores(ended);
  if (signal.aborted) return null;
  const rewards = traces.map((t) => t.rewards);
  const rows = config.shuffleRewards ? s.random.fork(`shuffle ${step}`).shuffle(rewards) : rewards;
  const { advantages, isDeadGroup, metrics } = advantagesOf(rows, config);
  traces.forEach((t, i) => (t.advantage = advantages[i]!));
  for (const trace of traces) yield { type: 'traceRecorded', trace: s.context.run.recordTrace(trace) };
  const judged = yield* judgeStep(s, step);
  const groups = Array.from({ length: traces.length / config.groupSize }, (_, g) =>
    traces.slice(g * config.groupSize, (g + 1) * config.groupSize),
  );
  const sequences = groups.map((group) => group.flatMap(sequencesOf));
  const trained = await trainOn(s, step, sequences, isDeadGroup, trainer, reference, begun);
  s.mix.done(
    tasks,
    groups.map((group, g) => ({ isDead: isDeadGroup[g]!, solved: solvedShare(group) })),
  );
  const zeroStd = metrics['frac_reward_zero_std']! + (config.scaleRewards === 'batch' ? 0 : equalShare(groups));
  return {
    ...metrics,
    frac_reward_zero_std: zeroStd,
    ...rolloutMetrics(traces, guardsOf(config)),
    ...judged,
    ...trained,
  };
}

/** Of a group; where nobody can say what is solved, all of it: then nothing says that it is stuck either. */
const solvedShare = (group: readonly Trace[]): number => group.filter((t) => t.solved !== false).length / group.length;

/**
 * promptsPerStep groups of groupSize episodes, as they ended; their scores are under way, or are made when they are
 * asked for. Kinds of tasks that are failed by all alike are tried hotter.
 */
export async function rollOutStep(
  s: Session,
  step: number,
): Promise<{ tasks: Task[]; ended: Trace[]; scoring: Scoring; trained(trace: Trace): Rollout }> {
  const { config, tools, hosts, run, signal, now } = s.context;
  const { shown: among } = s.context;
  const shown = among && { of: s.shownFor, begin: among.begin };
  const tasks = s.mix.draw(step, config.promptsPerStep);
  const groups = tasks.map((task, g) => {
    const id = `s${step}-g${g}`;
    return { id, task, names: s.otherNames(s.random.fork(`names ${id}`), s.shownFor(task)) };
  });
  const scoring = openScoring(s, groups);
  const temperature = exploringTemperature(config);
  const requests = groups.flatMap(({ id: groupId, task }) =>
    Array.from({ length: config.groupSize }, (_, i) => ({
      id: `${groupId}-${i}`,
      task,
      groupId,
      indexInGroup: i,
      random: s.random.fork(`rollout ${groupId}-${i}`),
      callTemperature: temperature * (1 + config.exploration * s.mix.stuck(task)),
    })),
  );
  const own = new Map(
    groups.map(({ id, names }) => [
      id,
      names ? { ...names.own, shown: shown && { of: () => names.own.tools } } : { tools, hosts, shown },
    ]),
  );
  const rollouts = await rollOut(requests, {
    policy: s.policy,
    environmentFor: (request) => environmentsOf({ ...own.get(request.groupId)!, config, now })(request),
    inertia: s.context.inertia,
    maxTurns: config.maxTurns,
    sampling: samplingOf(config, temperature),
    runId: run.id,
    phase: 'train',
    step,
    seed: config.seed,
    signal,
    now,
    onEnded: scoring.ended,
  });
  const allowed = new Map(rollouts.map((rollout) => [rollout.trace.id, rollout.allowed]));
  return {
    tasks,
    ended: rollouts.map(({ trace }) => trace),
    scoring,
    trained: (trace) => ({ trace, allowed: allowed.get(trace.id)! }),
  };
}

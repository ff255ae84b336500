import type { Metrics } from '../protocol/messages';
import type { Note, NoteCode } from '../protocol/note';

/** What a run recorded of its steps: the curve and the validations of RunState, in order. */
export interface RecordedSteps {
  curve: readonly { step: number; metrics: Metrics }[];
  validation: readonly { step: number; success: number | null }[];
  /** weight of each reward in the sum, by name; channels are not among them */
  weights: Readonly<Record<string, number>>;
  /** width of each reward's range, where it is known */
  ranges?: Readonly<Record<string, number>>;
  /** gold calls of a task, on average; null: the tasks have none */
  neededCalls?: number | null;
}

export interface RewardWarning {
  /** a note's code */
  kind: Extract<
    NoteCode,
    'dominatingComponent' | 'collapsedVariance' | 'lengthDrift' | 'callDrift' | 'scoreWithoutSuccess'
  >;
  /** the step at which it holds */
  step: number;
  /** one sentence with the figures, and what can be done */
  message: string;
}

/** Steps that are averaged, so that no single batch warns. */
const WINDOW = 5;
const BARS = {
  /** share of the weighted variance of the components */
  domination: 0.95,
  /**
   * of a reward's range: one that deviates less is not yet earned (a rare success), which is no fault of the weights
   */
  spread: 0.2,
  /** of the groups, without a difference to learn from, while the reward is short of its best */
  deadGroups: 0.9,
  /** against the first window; a drift also needs the absolute change, so that 1 token to 2 says nothing */
  lengthRatio: 1.5,
  lengthTokens: 8,
  callRatio: 1.5,
  calls: 0.5,
  /** of the gold calls: up to there calls are what the tasks want */
  neededRatio: 1.5,
  /** success on validation below its best, in fractions; a fall that n = 64 shows by chance now and then is less */
  successFall: 0.05,
};

/**
 * Signs of reward hacking in a run so far: a component that dominates, a variance that collapsed, length or calls that
 * drift while success does not follow, a
 * score that rises while validation success falls. Pure: asked after each step, each kind (and component) is told at
 * its first step only when the
 * caller keeps what it told.
 *
 * The bars are ours and cautious: a warning must be worth reading, and must come before the held-out success fell by
 * ten points.
 */
export function rewardWarnings(steps: RecordedSteps): RewardWarning[] {
  return [
    dominatingComponent(steps),
    collapsedVariance(steps),
    drift(steps, 'lengthDrift'),
    drift(steps, 'callDrift'),
    scoreWithoutSuccess(steps),
  ].filter((warning) => warning !== null);
}

/** In short what each is; a run's note begins with it, for people. */
const TITLES: Readonly<Record<RewardWarning['kind'], string>> = {
  dominatingComponent: 'one reward dominates',
  collapsedVariance: 'no differences to learn from',
  lengthDrift: 'longer and longer',
  callDrift: 'more and more calls',
  scoreWithoutSuccess: 'reward without success',
};

export const noteOf = ({ kind, step, message }: RewardWarning): Note => ({
  level: 'warning',
  code: kind,
  message: `Reward check (${TITLES[kind]}), step ${step}: ${message}`,
});

/** The kinds that notes of a run have told already. */
export const toldIn = (notes: readonly { code?: NoteCode | undefined }[]): RewardWarning['kind'][] =>
  (Object.keys(TITLES) as RewardWarning['kind'][]).filter((kind) => notes.some(({ code }) => code === kind));

/** Those of `now` that were not told yet, by kind. */
export function newWarnings(told: ReadonlySet<RewardWarning['kind']>, now: readonly RewardWarning[]): RewardWarning[] {
  return now.filter((warning) => !told.has(warning.kind));
}

function dominatingComponent({ curve, weights, ranges }: RecordedSteps): RewardWarning | null {
  const last = curve.slice(-WINDOW);
  if (last.length < WINDOW) return null;
  const active = Object.entries(weights).filter(([, weight]) => weight !== 0);
  if (active.length < 2) return null;
  const components = active.map(([name, weight]) => {
    const deviation = average(last, `rewards/${name}/std`) ?? 0;
    return {
      name,
      variance: (weight * deviation) ** 2,
      isEarned: deviation > 0 && (ranges?.[name] === undefined || deviation >= BARS.spread * ranges[name]),
    };
  });
  const total = components.reduce((sum, { variance }) => sum + variance, 0);
  const top = components.find(({ variance }) => total > 1e-12 && variance / total >= BARS.domination);
  if (!top || !components.some((other) => other !== top && other.isEarned)) return null;
  return warning(
    'dominatingComponent',
    curve,
    `the reward ${top.name} makes up ${percent(top.variance / total)} of the rewards' variance, ` +
      'so the others hardly teach: give them more weight, or leave them out',
  );
}

function collapsedVariance({ curve, weights }: RecordedSteps): RewardWarning | null {
  const last = curve.slice(-WINDOW);
  if (last.length < WINDOW) return null;
  const dead = average(last, 'frac_reward_zero_std');
  const solved = average(last, 'coach/solved');
  // Where almost all is solved there is nothing left to learn, and no fault in that.
  if (dead === null || dead < BARS.deadGroups || (solved !== null && solved >= 0.9)) return null;
  const names = Object.keys(weights).join(', ');
  return warning(
    'collapsedVariance',
    curve,
    `in ${percent(dead)} of the groups all rollouts got the same reward, so nothing is learnt ` +
      `from them${solved === null ? '' : `, with ${percent(solved)} solved`}: a finer reward than ` +
      `${names}, or a higher temperature, would tell them apart`,
  );
}

/** Tokens are counted per turn (calls + 1): who makes the calls that a task wants writes more, and should. */
function drift(
  { curve, validation, neededCalls }: RecordedSteps,
  kind: 'lengthDrift' | 'callDrift',
): RewardWarning | null {
  if (curve.length < 2 * WINDOW) return null;
  const ends = (name: string) => [average(curve.slice(0, WINDOW), name), average(curve.slice(-WINDOW), name)] as const;
  const [length0, length1] = ends('completions/mean_length');
  const [calls0, calls1] = ends('tools/call_frequency');
  const isLength = kind === 'lengthDrift';
  const [first, last] = isLength ? [length0, length1] : [calls0, calls1];
  const [ratio, least] = isLength ? [BARS.lengthRatio, BARS.lengthTokens] : [BARS.callRatio, BARS.calls];
  if (first === null || last === null || last - first < least || last < first * ratio) return null;
  if (isLength && last / ((calls1 ?? 0) + 1) < (ratio * first) / ((calls0 ?? 0) + 1)) return null;
  if (!isLength && neededCalls != null && last <= BARS.neededRatio * neededCalls) return null;
  // Longer and better is what training is for.
  const gained = gainOf(curve, validation);
  if (gained === null || gained >= 0.05) return null;
  return warning(
    kind,
    curve,
    `rollouts grew from ${figure(first)} to ${figure(last)} ${isLength ? 'tokens' : 'calls'} ` +
      `while success did not rise with them: a reward pays for ${isLength ? 'length' : 'calls'}, ` +
      'or nothing holds them back (efficiency, otc and hdpo do)',
  );
}

function scoreWithoutSuccess({ curve, validation }: RecordedSteps): RewardWarning | null {
  const measured = validation.filter((point): point is { step: number; success: number } => point.success !== null);
  if (measured.length < 2 || curve.length < 2 * WINDOW) return null;
  const now = measured.at(-1)!;
  const best = measured.slice(0, -1).reduce((a, b) => (b.success > a.success ? b : a));
  if (best.success - now.success < BARS.successFall) return null;
  const around = (step: number) => {
    const part = windowAt(curve, step);
    return { mean: average(part, 'reward'), spread: average(part, 'reward_std') };
  };
  const [before, after] = [around(best.step), around(now.step)];
  if (before.mean === null || after.mean === null) return null;
  // A rise within the batches' own noise is none.
  const noise = (before.spread ?? 0) / Math.sqrt(WINDOW * 16);
  if (after.mean <= before.mean + noise) return null;
  return warning(
    'scoreWithoutSuccess',
    curve,
    `the reward rose from ${figure(before.mean)} to ${figure(after.mean)} while validation ` +
      `success fell from ${percent(best.success)} (step ${best.step}) to ${percent(now.success)}: ` +
      'the policy has found a way to be paid without solving the tasks',
  );
}

/** Success gained on validation, or in the batches where it is never measured there; null: not known yet. */
function gainOf(curve: RecordedSteps['curve'], validation: RecordedSteps['validation']): number | null {
  const measured = validation.flatMap((point) => (point.success === null ? [] : [point.success]));
  if (measured.length >= 1) return measured.length === 1 ? null : measured.at(-1)! - measured[0]!;
  const [first, last] = [
    average(curve.slice(0, WINDOW), 'coach/solved'),
    average(curve.slice(-WINDOW), 'coach/solved'),
  ];
  return first === null || last === null ? null : last - first;
}

/** The steps up to one, at most a window; the first window where that is not full. */
function windowAt(curve: RecordedSteps['curve'], step: number): RecordedSteps['curve'] {
  const upTo = curve.filter((point) => point.step <= step);
  return upTo.length < WINDOW ? curve.slice(0, WINDOW) : upTo.slice(-WINDOW);
}

function average(part: RecordedSteps['curve'], name: string): number | null {
  const values = part.flatMap((point) => (point.metrics[name] == null ? [] : [point.metrics[name]]));
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

const warning = (kind: RewardWarning['kind'], curve: RecordedSteps['curve'], message: string): RewardWarning => ({
  kind,
  step: curve.at(-1)!.step,
  message,
});
const percent = (fraction: number): string => `${Math.round(100 * fraction)} %`;
const figure = (value: number): string => `${Number(value.toPrecision(3))}`;

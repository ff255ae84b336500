/**
 * What each chart shows: from the metrics of a run to lines on a common x axis of steps. Pure; the drawing is
 * components/chart.ts.
 */
import type { Metrics } from '../../trainer/protocol/messages';
import type { RunState } from '../../trainer/protocol/runState';
import type { ChartSpec } from './chartCatalogue';
import { stageAt, stageSpans, type StageSpan } from './stageSpans';

type Values = (number | null)[];
export interface Line {
  label: string;
  /** what is drawn strongly: the moving mean where there is one, else the measured values */
  values: Values;
  /** the measured values, faint behind a moving mean; null without one */
  raw: Values | null;
  /** colour and dash pattern; below 0: a run that is compared with, -1 the first */
  slot: number;
}
export interface ChartData {
  steps: number[];
  lines: Line[];
  /** interval around the first line */
  band: { lo: Values; hi: Values } | null;
  /** something was measured at least once */
  isMeasured: boolean;
  /** a value at or below 0 forbids a log axis */
  isPositive: boolean;
  /** of a pipeline, where each stage lies; empty: it is none */
  stages: StageSpan[];
}
export interface Compared {
  curve: RunState['curve'];
  validation: RunState['validation'];
  /** what the legend calls it; absent: 'other run' */
  label?: string;
  method?: string;
}

/** Exponential moving mean, corrected for its start (as Adam's moments are); what was not measured stays a gap. */
export function smooth(values: Values, weight: number): Values {
  if (weight <= 0) return values;
  let mean = 0;
  let total = 0;
  return values.map((value) => {
    if (value === null) return null;
    mean = weight * mean + (1 - weight) * value;
    total = weight * total + (1 - weight);
    return mean / total;
  });
}

/** Names of the reward components, from keys like rewards/correctness/mean. */
export function componentNames(metrics: Metrics): string[] {
  return Object.keys(metrics).flatMap((key) => /^rewards\/(.+)\/mean$/.exec(key)?.[1] ?? []);
}

/**
 * @param others the runs laid over it, if any. A loss means something else under another method, so there it is left
 * out: losses of different methods are never on one axis.
 */
export function chartData(
  spec: ChartSpec,
  run: Pick<RunState, 'curve' | 'validation'> & Partial<Pick<RunState, 'manifest' | 'evaluations' | 'step'>>,
  smoothing: number,
  others: readonly Compared[],
): ChartData {
  const stages = stageSpans(run.manifest);
  const curve = spec.method ? run.curve.filter(({ step }) => stageAt(stages, step)?.method === spec.method) : run.curve;
  const main =
    spec.from === 'validation' ? withHeldOut(validationSeries(run.validation), run) : metricSeries(spec, curve);
  const method = run.manifest?.config.method;
  const laid = others.flatMap((other, i) => {
    if (isLoss(spec) && other.method !== undefined && other.method !== (spec.method ?? method)) return [];
    const { steps, series } =
      spec.from === 'validation'
        ? validationSeries(other.validation)
        : metricSeries({ ...spec, withComponents: false }, other.curve);
    return series[0] ? [{ steps, values: series[0].values, slot: -1 - i, label: other.label ?? '' }] : [];
  });
  const steps = laid.reduce((all, other) => union(all, other.steps), main.steps);
  const place = (from: number[], values: Values): Values => (from === steps ? values : spread(steps, from, values));
  // A validation is rare and has an interval of its own: smoothing would hide both.
  const weight = spec.from === 'validation' ? 0 : smoothing;
  const lines = main.series.map(({ label, values }, slot) => ({
    label,
    values: place(main.steps, smooth(values, weight)),
    raw: weight > 0 ? place(main.steps, values) : null,
    slot,
  }));
  for (const other of laid)
    lines.push({
      label: other.label,
      values: place(other.steps, smooth(other.values, weight)),
      raw: null,
      slot: other.slot,
    });
  const all = lines.flatMap((line) => (line.raw ?? line.values).filter((v): v is number => v !== null));
  return {
    steps,
    lines,
    band: main.band && { lo: place(main.steps, main.band.lo), hi: place(main.steps, main.band.hi) },
    isMeasured: main.series.some((s) => s.values.some((v) => v !== null)),
    isPositive: all.every((v) => v > 0),
    stages,
  };
}

const isLoss = ({ keys }: ChartSpec): boolean => keys.some(({ metric }) => metric === 'loss');

interface Series {
  steps: number[];
  series: { label: string; values: Values }[];
  band: { lo: Values; hi: Values } | null;
}

function metricSeries(spec: ChartSpec, curve: RunState['curve']): Series {
  const keys = spec.keys.map((key) => ({ key: key.metric, label: key.label }));
  const names = spec.withComponents && curve.length > 0 ? componentNames(curve[curve.length - 1]!.metrics) : [];
  // One component is the reward itself.
  if (names.length > 1) keys.push(...names.map((name) => ({ key: `rewards/${name}/mean`, label: name })));
  return {
    steps: curve.map((point) => point.step),
    series: keys.map(({ key, label }) => ({ label, values: curve.map((point) => finite(point.metrics[key])) })),
    band: null,
  };
}

function validationSeries(validation: RunState['validation']): Series {
  return {
    steps: validation.map((v) => v.step),
    series: [{ label: '', values: validation.map((v) => finite(v.result.success)) }],
    band: {
      lo: validation.map((v) => v.result.ci95?.[0] ?? null),
      hi: validation.map((v) => v.result.ci95?.[1] ?? null),
    },
  };
}

/**
 * Held-out tasks before and after training, beside validation: the base's point, without which a single validation is a
 * dot that says nothing.
 */
function withHeldOut(
  of: Series,
  { evaluations = [], step = 0 }: Partial<Pick<RunState, 'evaluations' | 'step'>>,
): Series {
  const held = (which: 'before' | 'after'): number | null =>
    finite(evaluations.find((one) => one.which === which && one.name === HELD_OUT)?.result.success);
  const [before, after] = [held('before'), held('after')];
  if (before === null) return of;
  const ends = after === null || step === 0 ? [0] : [0, step];
  const steps = union(of.steps, ends);
  const [validation] = of.series;
  return {
    steps,
    series: [
      { label: 'validation', values: spread(steps, of.steps, validation!.values) },
      { label: HELD_OUT, values: spread(steps, ends, [before, after]) },
    ],
    band: of.band && { lo: spread(steps, of.steps, of.band.lo), hi: spread(steps, of.steps, of.band.hi) },
  };
}
/** As the trainer names the set. */
const HELD_OUT = 'held-out';

const finite = (value: number | null | undefined): number | null =>
  value !== null && value !== undefined && Number.isFinite(value) ? value : null;

/** Both inputs ascend. */
function union(a: number[], b: number[]): number[] {
  return Array.from(new Set([...a, ...b])).sort((x, y) => x - y);
}

function spread(steps: number[], from: number[], values: Values): Values {
  const at = new Map(from.map((step, i) => [step, values[i] ?? null]));
  return steps.map((step) => at.get(step) ?? null);
}

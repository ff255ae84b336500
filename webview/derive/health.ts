/**
 * The line under the charts: is this run learning from what it does, and is anything going wrong in its newest step?
 */
import type { RunState } from '../../trainer/protocol/runState';
import { componentNames } from './series';
import { isDead, type TraceIndex } from '../shared/traceIndex';

export interface Health {
  step: number;
  groups: number;
  deadGroups: number | null;
  traces: number;
  truncated: number | null;
  notScored: number | null;
  /** failures per call, fraction; null = no call or not measured */
  toolFailures: number | null;
  /** largest |difference| of a log-probability between sampling and training, nats */
  logpDifference: number | null;
}

export function health(run: RunState, index: TraceIndex): Health | null {
  const point = run.curve[run.curve.length - 1];
  if (!point) return null;
  const groups = index.slice('train', point.step);
  const traces = groups.flatMap((g) => g.traces);
  const share = point.metrics['frac_reward_zero_std'];
  const number = (key: string): number | null => point.metrics[key] ?? null;
  const failures = number('tools/failure_frequency');
  return {
    step: point.step,
    groups: groups.length || (run.manifest?.config.promptsPerStep ?? 0),
    deadGroups:
      groups.length > 0
        ? groups.filter(isDead).length
        : share === null || share === undefined
          ? null
          : Math.round(share * (run.manifest?.config.promptsPerStep ?? 0)),
    traces: traces.length,
    truncated: traces.length > 0 ? traces.filter((t) => t.truncated !== 'no').length : null,
    notScored: traces.length > 0 ? traces.filter((t) => t.reward === null).length : null,
    toolFailures: number('tools/call_frequency') === 0 ? null : failures,
    logpDifference: number('sampling/sampling_logp_difference/max'),
  };
}

export interface Component {
  name: string;
  mean: number | null;
  /**
   * share of the summed variances of weight x score, fraction: roughly, how much of the advantage it decides; null
   * without their std
   */
  share: number | null;
  /** since when all rollouts got the same score; null = it still varies, or its std is not reported */
  flatSince: number | null;
}

/** Steps without variance before a component is called flat. */
const FLAT_STEPS = 5;

export function components(run: RunState): Component[] {
  const last = run.curve[run.curve.length - 1];
  if (!last) return [];
  const names = componentNames(last.metrics);
  const weights = rewardWeights(run.manifest?.config.rewards ?? '');
  const variance = (name: string): number | null => {
    const std = last.metrics[`rewards/${name}/std`];
    return std === null || std === undefined ? null : (std * (weights.get(name) ?? 1)) ** 2;
  };
  const variances = names.map(variance);
  const total = variances.reduce<number>((sum, v) => sum + (v ?? 0), 0);
  return names.map((name, i) => ({
    name,
    mean: last.metrics[`rewards/${name}/mean`] ?? null,
    share: total > 0 && variances[i] !== null ? variances[i]! / total : null,
    flatSince: flatSince(run.curve, `rewards/${name}/std`),
  }));
}

function flatSince(curve: RunState['curve'], key: string): number | null {
  let since: number | null = null;
  let steps = 0;
  for (let i = curve.length - 1; i >= 0 && curve[i]!.metrics[key] === 0; i--) {
    since = curve[i]!.step;
    steps++;
  }
  return steps >= FLAT_STEPS ? since : null;
}

/** Weights from the setting NAME[:option=value][*weight],… ; 1 where none is written. */
export function rewardWeights(setting: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const part of setting.split(',')) {
    const match = /^\s*([^:*\s]+)[^*]*(?:\*\s*([-\d.eE]+))?\s*$/.exec(part);
    if (match) weights.set(match[1]!, match[2] === undefined ? 1 : Number(match[2]));
  }
  return weights;
}

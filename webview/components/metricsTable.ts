/** The metrics block beside success: a row a measure that applies, before and after. */
import type { AgentMetrics, Share } from '../../trainer/protocol/agentMetrics';
import { hasInterval } from '../derive/noise';
import { decimal, duration, integer, percent, percentInterval } from '../shared/format';
import { t, type StringKey } from '../shared/strings';
import { table } from './table';

const share = (of: Share | null): string | null =>
  of &&
  (hasInterval(of.n)
    ? `${percent(of.share)} ${percentInterval(of.ci95)}`
    : `${percent(of.share)} (n ${integer(of.n)})`);
const given = (value: number | null, words: (value: number) => string): string | null =>
  value === null ? null : words(value);

const ROWS: readonly [words: StringKey, of: (metrics: AgentMetrics) => string | null][] = [
  ['metric.tier', ({ tier }) => share(tier)],
  ['metric.air', ({ air }) => given(air, decimal)],
  ['metric.overuse', ({ overuse }) => share(overuse)],
  ['metric.productivity', ({ productivity }) => given(productivity, decimal)],
  ['metric.crr', ({ crr }) => share(crr)],
  ['metric.overRefusal', ({ overRefusal }) => share(overRefusal ?? null)],
  ['metric.vr', ({ vr }) => share(vr)],
  ['metric.latencyP50', ({ latencyP50 }) => given(latencyP50, duration)],
  ['metric.criticalPathP50', ({ criticalPathP50 }) => given(criticalPathP50, duration)],
  ['metric.tokensWritten', ({ tokens }) => tokens && integer(tokens.written)],
  ['metric.tokensRead', ({ tokens }) => tokens && integer(tokens.read)],
];

/** What the table holds, in words: the measure, before, after. */
export function metricWords(before: AgentMetrics, after: AgentMetrics | undefined): [StringKey, string, string][] {
  return ROWS.flatMap(([words, of]): [StringKey, string, string][] => {
    const [was, is] = [of(before), after ? of(after) : null];
    return was === null && is === null ? [] : [[words, was ?? '–', is ?? (after ? '–' : t('result.later'))]];
  });
}

export function metricsTable(before: AgentMetrics, after: AgentMetrics | undefined): HTMLElement {
  return table(
    t('metric.title'),
    [
      { label: t('metric.name'), cell: ([words]) => t(words), isHead: true },
      { label: t('table.before'), cell: ([, was]) => was, isNumber: true },
      { label: t('table.after'), cell: ([, , is]) => is, isNumber: true },
    ],
    metricWords(before, after),
  );
}

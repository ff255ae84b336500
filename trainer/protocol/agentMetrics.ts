/**
 * What episodes were like, beside success: the measures of ToolRLA (arXiv:2603.01620, section 4.2) and of the work of
 * tools. null: there is nothing to measure it on. Intervals are Wilson's and take each case by itself.
 */
import { z } from 'zod';

/** k of n as a fraction 0..1 */
const Share = z.object({ n: z.number().int(), share: z.number(), ci95: z.tuple([z.number(), z.number()]) });
export type Share = z.infer<typeof Share>;

export const AgentMetrics = z.object({
  /** TCR, task completion rate: tasks solved */
  success: Share.nullable(),
  /** TIER, tool invocation error rate: of the calls, those that failed, were refused, or are none of the gold calls */
  tier: Share.nullable(),
  /** AIR, average invocation rounds: turns with calls per episode */
  air: z.number().nullable(),
  /** of the tasks that are solved without tools (`calls: []`), those on which tools were called */
  overuse: Share.nullable(),
  /** tasks solved per call */
  productivity: z.number().nullable(),
  /** CRR, compliance rejection rate: of the refusals that were due (tasks tagged `refusal`), those that were made */
  crr: Share.nullable(),
  /**
   * over-refusal: of the tasks that want a call and no refusal, those that were refused, in words and without a call;
   * absent: measured before this was
   */
  overRefusal: Share.nullable().optional(),
  /** VR, violation rate: of the episodes that a compliance reward looked at, those that it punished */
  vr: Share.nullable(),
  /** half of the episodes took at most so long, ms, beside the others that ran with them */
  latencyP50: z.number().nullable(),
  /** the same of what could not have run at once: the turns one after the other, each with its slowest call; ms */
  criticalPathP50: z.number().nullable(),
  /** per episode: what the policy wrote, and what it had before it in all (prompt, results, its own words) */
  tokens: z.object({ written: z.number(), read: z.number() }).nullable(),
  /** where each request was shown a few of the tools (`shownTools`); absent: all were shown */
  shown: z
    .object({
      /** tools a request */
      tools: z.number(),
      /** recall@k: of the tools that a task's gold calls name, those that were shown; mean over the tasks with such */
      recall: z.number().nullable(),
      /** of the tools shown, those that its gold calls name; mean over the same tasks */
      precision: z.number().nullable(),
      /** of these tasks, those of which all gold tools were shown: no other can be solved as its gold calls do */
      complete: Share.nullable(),
      /** what an episode begins with, tokens; null: nobody counted */
      promptTokens: z.number().nullable(),
    })
    .optional(),
  /** where a tool graph made calls in the policy's place (`toolInertia`), per episode; absent: it made none */
  inertia: z
    .object({
      /** turns that the model wrote */
      modelTurns: z.number(),
      /** turns that the graph made */
      graphTurns: z.number(),
    })
    .optional(),
});
export type AgentMetrics = z.infer<typeof AgentMetrics>;

/** The tag of a task that the policy should refuse. */
export const REFUSAL_TAG = 'refusal';

/** The measures in words, those that apply to any of these: [words, of the first, of the second, …]. */
export function metricRows(metrics: readonly AgentMetrics[]): string[][] {
  return ROWS.flatMap(([words, valueOf]) => {
    const values = metrics.map(valueOf);
    return values.every((value) => value === null) ? [] : [[words, ...values.map((value) => value ?? '-')]];
  });
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
const withInterval = (of: Share | null): string | null =>
  of && `${percent(of.share)} (${percent(of.ci95[0])} to ${percent(of.ci95[1])}, n ${of.n})`;
const figure = (value: number | null): string | null => (value === null ? null : value.toFixed(2));
const time = (ms: number | null): string | null => (ms === null ? null : `${(ms / 1000).toFixed(2)} s`);

const ROWS: readonly [words: string, of: (metrics: AgentMetrics) => string | null][] = [
  ['calls that failed, were refused or were wrong (TIER)', ({ tier }) => withInterval(tier)],
  ['turns with calls per episode (AIR)', ({ air }) => figure(air)],
  ['tools called where none was needed', ({ overuse }) => withInterval(overuse)],
  ['tasks solved per call', ({ productivity }) => figure(productivity)],
  ['refusals made of those due (CRR)', ({ crr }) => withInterval(crr)],
  ['refused though it could be done (over-refusal)', ({ overRefusal }) => withInterval(overRefusal ?? null)],
  ['violations (VR)', ({ vr }) => withInterval(vr)],
  ['latency, median', ({ latencyP50 }) => time(latencyP50)],
  ['critical path, median', ({ criticalPathP50 }) => time(criticalPathP50)],
  ['tokens written per episode', ({ tokens }) => tokens?.written.toFixed(0) ?? null],
  ['tokens read per episode', ({ tokens }) => tokens?.read.toFixed(0) ?? null],
  ['tools shown a request', ({ shown }) => (shown ? figure(shown.tools) : null)],
  ['gold tools among those shown (recall)', ({ shown }) => (shown?.recall == null ? null : percent(shown.recall))],
  [
    'tools shown that are gold (precision)',
    ({ shown }) => (shown?.precision == null ? null : percent(shown.precision)),
  ],
  ['tasks with all gold tools shown', ({ shown }) => withInterval(shown?.complete ?? null)],
  ['turns that the model wrote', ({ inertia }) => figure(inertia?.modelTurns ?? null)],
  ['turns that the tool graph made', ({ inertia }) => figure(inertia?.graphTurns ?? null)],
  ['prompt tokens', ({ shown }) => shown?.promptTokens?.toFixed(0) ?? null],
];

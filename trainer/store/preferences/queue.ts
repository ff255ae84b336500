/** Which pair a person is asked about next: the one that teaches most. Pure. */
import type { QueuedPair } from '../../protocol/preferenceState';
import type { JudgeVerdict } from '../../protocol/reward';
import type { Trace, TraceSummary } from '../../protocol/trace';
import { decisionBetween, type PairContext } from './pairOf';

/** So many pairs of one group at most: the eighth rollout of a task teaches less than the first of another. */
const PAIRS_PER_GROUP = 2;

export interface Recorded {
  trace: Trace;
  summary: TraceSummary;
}

/** The pairs of one group: every two traces that part at a decision, each decision once. Never two equal traces. */
export function pairsOfGroup(
  group: readonly Recorded[],
  context: PairContext,
  verdicts: readonly JudgeVerdict[] = [],
): QueuedPair[] {
  const found = new Map<string, QueuedPair>();
  group.forEach((a, i) => {
    for (const b of group.slice(i + 1)) {
      const decision = decisionBetween(a.trace, b.trace, context);
      if (!decision || found.has(decision.pair.id)) continue;
      const gap = a.trace.reward === null || b.trace.reward === null ? null : Math.abs(a.trace.reward - b.trace.reward);
      found.set(decision.pair.id, {
        ...decision,
        traces: [a.summary, b.summary],
        gap,
        isDisputed: areDisputed(a.trace.id, b.trace.id, verdicts),
      });
    }
  });
  return [...found.values()];
}

/**
 * One of the judge's votes (it saw the group in another order, or was asked again) puts a before b, another one b
 * before a.
 */
export function areDisputed(a: string, b: string, verdicts: readonly JudgeVerdict[]): boolean {
  const signs = verdicts.flatMap(({ traceIds, ranks, votes }) => {
    const [i, k] = [traceIds.indexOf(a), traceIds.indexOf(b)];
    if (i < 0 || k < 0) return [];
    return (votes?.length ? votes.map((vote) => vote.ranks) : [ranks]).flatMap((of) =>
      of === null ? [] : [Math.sign(of[i]! - of[k]!)],
    );
  });
  return signs.includes(1) && signs.includes(-1);
}

/**
 * The order of asking: pairs that differ in a call before those that differ in words only; then the smallest difference
 * of reward, since what
 * the reward can tell apart needs no person (unknown differences last); then what the judge is not sure of; among
 * equals the tools that were
 * asked about least. Of a group only its best few. `settled`: ids of pairs that were marked or put aside.
 */
export function orderQueue(
  candidates: readonly QueuedPair[],
  {
    settled,
    limit,
    asked = new Map(),
  }: { settled: ReadonlySet<string>; limit: number; asked?: ReadonlyMap<string, number> },
): QueuedPair[] {
  const open = distinct(candidates)
    .filter(({ pair }) => !settled.has(pair.id))
    .map((candidate) => ({ candidate, key: rank(candidate) }));
  open.sort((x, y) => compare(x.key, y.key));
  const counts = new Map(asked);
  const perGroup = new Map<string, number>();
  const out: QueuedPair[] = [];
  for (let from = 0; from < open.length && out.length < limit; ) {
    let to = from;
    while (to < open.length && compare(open[to]!.key, open[from]!.key) === 0) to++;
    const equals = open.slice(from, to).map(({ candidate }) => candidate);
    while (equals.length > 0 && out.length < limit) {
      const next = equals.splice(leastAsked(equals, counts), 1)[0]!;
      const ofGroup = perGroup.get(next.pair.groupId) ?? 0;
      if (ofGroup >= PAIRS_PER_GROUP) continue;
      perGroup.set(next.pair.groupId, ofGroup + 1);
      for (const tool of next.tools) counts.set(tool, (counts.get(tool) ?? 0) + 1);
      out.push(next);
    }
    from = to;
  }
  return out;
}

type Rank = readonly [kind: number, gap: number, certainty: number];

/** Rewards are sums of fractions: a difference in the tenth digit is none. */
const rank = ({ differs, gap, isDisputed }: QueuedPair): Rank => [
  differs === 'call' ? 0 : 1,
  gap === null ? Infinity : Math.round(gap * 1e6),
  isDisputed ? 0 : 1,
];

function compare(a: Rank, b: Rank): number {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return a[i]! < b[i]! ? -1 : 1;
  return 0;
}

/** The first one whose tools, taken together on average, were asked about least. */
function leastAsked(pairs: readonly QueuedPair[], counts: ReadonlyMap<string, number>): number {
  const load = ({ tools }: QueuedPair) =>
    tools.length === 0
      ? (counts.get('') ?? 0)
      : tools.reduce((sum, tool) => sum + (counts.get(tool) ?? 0), 0) / tools.length;
  let best = 0;
  let least = Infinity;
  pairs.forEach((pair, i) => {
    const n = load(pair);
    if (n < least) [best, least] = [i, n];
  });
  return best;
}

function distinct(candidates: readonly QueuedPair[]): QueuedPair[] {
  return [...new Map(candidates.map((candidate) => [candidate.pair.id, candidate])).values()];
}

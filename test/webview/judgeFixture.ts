/**
 * Recorded verdicts for the fixture's groups: ranked with reasons, a tie, votes that part, one that failed, and a
 * group not judged.
 */
import type { JudgeVerdict, JudgeVote } from '../../trainer/protocol/reward';
import type { TraceSummary } from '../../trainer/protocol/trace';
import type { MarkedPair } from '../../webview/messages';
import { START } from './fixture';

const REASONS = [
  'Finds the mail by sender and subject and reads it before it answers.',
  'Right, with one call more than needed.',
  'Answers without reading the mail <b>that it found</b>.',
  'Searches the wrong sender.',
  '',
];

function byReward(traces: readonly TraceSummary[]): number[] {
  const rewards = traces.map((trace) => trace.reward ?? -1);
  return rewards.map((reward) => 1 + rewards.filter((other) => other > reward).length);
}

export function verdictOf(traces: readonly TraceSummary[]): JudgeVerdict {
  const first = traces[0]!;
  const traceIds = traces.map((trace) => trace.id);
  const ranks = byReward(traces);
  const base = {
    taskId: first.taskId,
    groupId: first.groupId,
    step: first.step,
    traceIds,
    model: 'llama-3.1-8b',
    t: START + 60_000 * first.step,
    rubric: 'Does the answer follow from what the tools returned? Fewer calls are better when the answer is right.',
  };
  if (first.groupId.endsWith('g5'))
    return {
      ...base,
      ranks: null,
      reasons: [],
      rawReply: '',
      error: 'no answer within 30 s, 3 tries',
      votes: [{ order: traceIds, ranks: null, rawReply: '', error: 'no answer within 30 s' }],
    };
  const swapped = ranks.map((rank) => (rank === 1 ? 2 : rank === 2 ? 1 : rank));
  const vote = (order: string[], voted: number[], i: number): JudgeVote => ({
    order,
    ranks: voted,
    reasons: traces.map((_, n) => REASONS[(n + i) % REASONS.length]!),
    rawReply: `\`\`\`json\n${JSON.stringify({ ranking: voted, note: '<img src=x onerror=alert(1)>' }, null, 2)}\n\`\`\``,
    usage: { promptTokens: 1840 + i, completionTokens: 212, costUsd: 0.00062 },
    durationMs: 2100 + 300 * i,
  });
  return {
    ...base,
    ranks,
    reasons: traces.map((_, i) => REASONS[i % REASONS.length]!),
    rawReply: '{"ranking": […]}',
    votes: [
      vote(traceIds, ranks, 0),
      vote(traceIds.slice().reverse(), swapped, 1),
      {
        order: traceIds,
        ranks: null,
        rawReply: 'All of them are helpful in their own way!',
        error: 'no JSON in the reply',
      },
    ],
  };
}

export function verdictsOf(traces: readonly TraceSummary[]): JudgeVerdict[] {
  const groups = new Map<string, TraceSummary[]>();
  for (const trace of traces)
    if (trace.phase === 'train') groups.set(trace.groupId, [...(groups.get(trace.groupId) ?? []), trace]);
  return Array.from(groups.values(), verdictOf);
}

/** What people said of the first and the last trace of some groups: mostly what the rewards say. */
export function marksOf(traces: readonly TraceSummary[]): MarkedPair[] {
  return verdictsOf(traces)
    .slice(-40)
    .flatMap((verdict, i): MarkedPair[] => {
      const [a, b] = [verdict.traceIds[0]!, verdict.traceIds[7]!];
      const ranks = verdict.ranks ?? [1, 2, 2, 2, 2, 2, 2, 2];
      const right = ranks[0]! < ranks[7]! ? 'first' : ranks[0]! > ranks[7]! ? 'second' : 'tie';
      return [
        { id: `pair-${i}`, traceIds: [a, b], verdict: i % 7 === 3 ? (right === 'first' ? 'second' : 'first') : right },
      ];
    });
}

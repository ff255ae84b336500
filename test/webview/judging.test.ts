import assert from 'node:assert/strict';
import { JudgeVerdict } from '../../trainer/protocol/reward';
import type { Trace } from '../../trainer/protocol/trace';
import { disagreement, moved, orderBias, rankingOf, usageOf, verdictFromRewards } from '../../webview/derive/judging';

const ids = ['a', 'b', 'c'];
const usage = (promptTokens: number | null, costUsd: number | null = null) => ({
  promptTokens,
  completionTokens: 10,
  costUsd,
});
const verdict = (more: Partial<JudgeVerdict> = {}): JudgeVerdict =>
  JudgeVerdict.parse({
    taskId: 't',
    traceIds: ids,
    ranks: [2, 1, 2],
    reasons: ['slow', 'right', ''],
    model: 'm',
    rawReply: 'raw',
    ...more,
  });
/** Prefers what it sees first, whatever it is. */
const firstSeen = (order: string[]) => ({ order, ranks: ids.map((id) => order.indexOf(id) + 1), rawReply: '…' });

describe('webview: a judge’s verdict', () => {
  it('takes a verdict as it was recorded before votes were kept', () => {
    assert.deepEqual(Object.keys(verdict()), ['taskId', 'traceIds', 'ranks', 'reasons', 'model', 'rawReply']);
  });

  it('lists best first, ties as ties, an empty reason as none', () => {
    assert.deepEqual(rankingOf(verdict()), [
      { traceId: 'b', rank: 1, isTie: false, reason: 'right' },
      { traceId: 'a', rank: 2, isTie: true, reason: 'slow' },
      { traceId: 'c', rank: 2, isTie: true, reason: null },
    ]);
  });

  it('keeps not judged not judged', () => {
    assert.deepEqual(
      rankingOf(verdict({ ranks: null, reasons: [] })).map((row) => [row.rank, row.isTie]),
      [
        [null, false],
        [null, false],
        [null, false],
      ],
    );
  });

  it('finds the pairs on which the votes are split', () => {
    const one = verdict({
      votes: [
        { order: ids, ranks: [1, 2, 3], rawReply: '' },
        { order: ['c', 'b', 'a'], ranks: [1, 3, 2], rawReply: '' },
        { order: ids, ranks: null, rawReply: 'I can’t', error: 'no ranking in the reply' },
      ],
    });
    // of a-b, a-c, b-c only the last is seen differently
    assert.deepEqual(disagreement(one), {
      votes: 2,
      failed: 1,
      pairs: 3,
      split: 1,
      splits: [{ traceIds: ['b', 'c'], choices: ['first', 'second'] }],
    });
    assert.equal(disagreement(verdict()).split, null, 'one vote can’t disagree');
  });

  it('sees a judge that prefers what it sees first: split on every pair, and always the first', () => {
    const biased = verdict({ votes: [firstSeen(['a', 'b', 'c']), firstSeen(['c', 'b', 'a'])] });
    assert.equal(disagreement(biased).split, 3);
    const bias = orderBias([biased]);
    assert.deepEqual([bias.n, bias.firstSeen, bias.share], [6, 6, 1]);
    const fair = orderBias([
      verdict({
        votes: [
          { order: ids, ranks: [1, 2, 3], rawReply: '' },
          { order: ['c', 'b', 'a'], ranks: [1, 2, 3], rawReply: '' },
        ],
      }),
    ]);
    assert.equal(fair.share, 0.5);
    assert.equal(
      orderBias([verdict({ votes: [{ order: ids, ranks: [1, 1, 1], rawReply: '' }] })]).share,
      null,
      'ties say nothing about the order',
    );
  });

  it('sums tokens and cost that were told, and counts what was not', () => {
    const one = verdict({
      votes: [
        { order: ids, ranks: null, rawReply: '', usage: usage(100, 0.01) },
        { order: ids, ranks: null, rawReply: '' },
      ],
    });
    assert.deepEqual(usageOf([one, verdict({ usage: usage(50) })]), {
      promptTokens: 150,
      completionTokens: 20,
      costUsd: 0.01,
      unknown: 2,
    });
    assert.deepEqual(usageOf([]), { promptTokens: null, completionTokens: null, costUsd: null, unknown: 0 });
  });

  it('moves a trace within a ranking', () => {
    assert.deepEqual(
      [moved(ids, 'c', 0), moved(ids, 'a', 1), moved(ids, 'a', 9), moved(ids, 'b', 1)],
      [['c', 'a', 'b'], ['b', 'a', 'c'], ['b', 'c', 'a'], ids],
    );
  });

  it('reads a verdict out of the rewards where the judge kept no line of its own', () => {
    const of = (id: string, reward: Partial<Trace['rewards'][number]>) =>
      ({
        id,
        taskId: 't',
        groupId: 'g',
        step: 3,
        rewards: [
          { name: 'correctness', score: 1, weight: 1 },
          { name: 'judge', score: null, weight: 1, ...reward },
        ],
      }) as unknown as Trace;
    const usage = { promptTokens: 10, completionTokens: 2, usd: null };
    const found = verdictFromRewards([
      of('a', { score: 0.2, reason: 'slow', usage }),
      of('b', { score: 0.9, reason: 'right', usage }),
      of('c', { error: 'no answer' }),
      of('d', { score: 0.2, usage }),
    ])!;
    // c is not judged, so it is not in the ranking; a and d are tied behind b
    assert.deepEqual(
      [found.traceIds, found.ranks, found.reasons],
      [
        ['a', 'b', 'd'],
        [2, 1, 2],
        ['slow', 'right', ''],
      ],
    );
    assert.deepEqual(found.usage, { promptTokens: 30, completionTokens: 6, costUsd: null });
    const silent = verdictFromRewards([of('a', { error: 'no answer' }), of('b', { error: 'no answer' })])!;
    assert.deepEqual([silent.ranks, silent.error], [null, 'no answer']);
    assert.equal(
      verdictFromRewards([{ rewards: [{ name: 'correctness', score: 1, weight: 1 }] } as unknown as Trace]),
      null,
    );
    assert.ok(JudgeVerdict.safeParse(found).success);
  });
});

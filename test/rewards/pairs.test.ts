import assert from 'node:assert/strict';
import { minePairs } from '../../trainer/rewards/pairs';
import { PreferencePair } from '../../trainer/protocol/reward';
import { trace } from './fixtures';

const find = (query: string, content = '["m1"]'): { calls: [string, Record<string, unknown>, 'ok', string][] } => ({
  calls: [['find', { query }, 'ok', content]],
});
const open = (id: string): { calls: [string, Record<string, unknown>, 'ok', string][] } => ({
  calls: [['open', { id }, 'ok', '"text"']],
});
const scored = (id: string, reward: number | null, ...steps: Parameters<typeof trace>[0]) =>
  trace(steps, { id, reward });
const said = (messages: Record<string, unknown>[]): string[] =>
  messages.map((message) => {
    const calls = message.tool_calls as
      | { function: { name: string; arguments: Record<string, unknown> } }[]
      | undefined;
    return calls
      ? calls.map((call) => `${call.function.name} ${Object.values(call.function.arguments)}`).join()
      : String(message.content);
  });

describe('minePairs', () => {
  it('prefers the better of two decisions after the same history, by the mean of the traces that took them', () => {
    const pairs = minePairs(
      [
        scored('a', 1, find('rent'), open('m1'), { text: 'done' }),
        scored('b', 0.5, find('rent'), open('m2'), { text: 'done' }),
        scored('c', 0.1, find('tent'), { text: 'nothing' }),
      ],
      { tools: [{ name: 'find' }] },
    );
    // first decision: rent (1 + 0.5) / 2 = 0.75 against tent 0.1, margin 0.65; second: m1 1 against m2 0.5, margin 0.5
    assert.deepEqual(
      pairs.map((pair) => [said(pair.prompt), said(pair.chosen), said(pair.rejected)]),
      [
        [['do it'], ['find rent'], ['find tent']],
        [['do it', 'find rent', '["m1"]'], ['open m1'], ['open m2']],
      ],
    );
    for (const pair of pairs) assert.deepEqual(PreferencePair.parse(pair), pair);
    assert.deepEqual(
      pairs.map(({ source, tools }) => [source, tools]),
      [
        ['mined: decision step', [{ name: 'find' }]],
        ['mined: decision step', [{ name: 'find' }]],
      ],
    );
    assert.equal(new Set(pairs.map(({ id }) => id)).size, 2);
    assert.equal(
      minePairs([scored('a', 1, { text: 'x' }), scored('b', 0, { text: 'y' })], {})[0].id,
      minePairs([scored('p', 1, { text: 'x' }), scored('q', 0, { text: 'y' })], {})[0].id,
      'the same pair has the same id',
    );
  });

  it('makes no pair of ties, of the unscored, of equal traces or of one alone', () => {
    assert.deepEqual(minePairs([scored('a', 0.5, { text: 'x' }), scored('b', 0.5, { text: 'y' })]), []);
    assert.deepEqual(minePairs([scored('a', 1, { text: 'x' }), scored('b', null, { text: 'y' })]), []);
    assert.deepEqual(minePairs([scored('a', 1, { text: 'x' }), scored('b', 0, { text: 'x' })]), []);
    assert.deepEqual(minePairs([scored('a', 1, { text: 'x' })]), []);
    assert.deepEqual(minePairs([]), []);
    assert.deepEqual(
      minePairs([scored('a', 0.55, { text: 'x' }), scored('b', 0.5, { text: 'y' })], { minMargin: 0.1 }),
      [],
    );
    assert.equal(
      minePairs([scored('a', 0.65, { text: 'x' }), scored('b', 0.5, { text: 'y' })], { minMargin: 0.1 }).length,
      1,
    );
  });

  it('falls back on whole episodes where the tools parted them and not a decision', () => {
    const pairs = minePairs([
      scored('a', 1, find('rent', '["m1"]'), { text: 'found' }),
      scored('b', 0, find('rent', '[]'), { text: 'nothing' }),
    ]);
    assert.deepEqual(
      pairs.map((pair) => [said(pair.prompt), said(pair.chosen), said(pair.rejected), pair.source]),
      [[['do it'], ['find rent', '["m1"]', 'found'], ['find rent', '[]', 'nothing'], 'mined: whole episode']],
    );
  });

  it('takes the pairs of greatest margin first, at most maxPairs', () => {
    const group = [
      scored('a', 1, find('a'), open('m1'), { text: 'x' }),
      scored('b', 0.9, find('a'), open('m2'), { text: 'x' }),
      scored('c', 0, find('b'), { text: 'x' }),
    ];
    assert.equal(minePairs(group).length, 2);
    assert.deepEqual(
      minePairs(group, { maxPairs: 1 }).map((pair) => said(pair.chosen)),
      [['find a']],
    ); // 0.95 - 0 against 1 - 0.9
  });
});

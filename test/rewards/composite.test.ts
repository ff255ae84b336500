import assert from 'node:assert/strict';
import { computeAdvantages } from '../../trainer/learning/advantages';
import type { Reward } from '../../trainer/protocol/reward';
import { addChannels, scoreColumns } from '../../trainer/learning/channels';
import { compositeView } from '../../trainer/rewards/composite';
import { Episode } from '../../trainer/rewards/episode';
import { parseRewards } from '../../trainer/rewards/parseRewards';
import { scoreEpisodes, totalReward } from '../../trainer/rewards/score';
import { task } from '../tasks/fixtures';
import { close, trace } from './fixtures';

const reward = (name: string, score: number | null, weight = 1): Reward => ({ name, score, weight });

describe('compositeView', () => {
  it('tells variance, correlation and share of the advantage by component', () => {
    // one group; sums 0, 1, 2, 3; a: 0, 0, 2, 2; b: 0, 1, 0, 1
    const group = [
      [0, 0],
      [0, 1],
      [2, 0],
      [2, 1],
    ].map(([a, b]) => [reward('a', a), reward('b', b)]);
    const [a, b] = compositeView([group]);
    assert.ok(close(a.variance, 4 / 3) && close(b.variance, 1 / 3)); // squares 4 x 1 and 4 x 1/4, over 3
    // centred sums -3/2, -1/2, 1/2, 3/2: squares 5; with a (-1, -1, 1, 1): 4; with b (-1/2, 1/2, ...): 1
    assert.ok(close(a.share, 4 / 5) && close(b.share, 1 / 5));
    assert.ok(close(a.correlation, 4 / Math.sqrt(4 * 5)) && close(b.correlation, 1 / Math.sqrt(1 * 5)));
  });
  it('leaves out what differs between groups only, and what nothing scored', () => {
    // a tells the groups apart, b the members: all of the advantage is b's
    const groups = [0, 9].map((a) => [0, 1].map((b) => [reward('a', a), reward('b', b)]));
    const [a, b] = compositeView([...groups, [[reward('a', null), reward('b', null)]]]);
    assert.ok(close(a.share, 0) && close(b.share, 1) && a.n === 4);
    const [flat] = compositeView([[[reward('a', 1)], [reward('a', 1)]]]);
    assert.deepEqual([flat.share, flat.correlation, flat.variance], [null, null, 0]);
    assert.deepEqual(compositeView([]), []);
  });
});

describe('advantage channels (HDPO)', () => {
  const answers = (replies: [calls: number, reply: string][]) =>
    replies.map(
      ([calls, reply], i) =>
        new Episode(
          task('t', undefined, '7'),
          trace(
            [
              ...Array.from({ length: calls }, () => ({ calls: [['a', {}]] as [string, Record<string, unknown>][] })),
              { text: reply },
            ],
            { id: `${i}` },
          ),
          [],
        ),
    );
  const specs = parseRewards('answer,hdpo*0.15');
  const advantagesOf = async (group: Episode[]) => {
    const rows = (await scoreEpisodes(group, specs)).map((scored) => scored.rewards);
    const columns = scoreColumns(rows);
    const base = computeAdvantages(columns.scores, {
      ...columns,
      groupSize: group.length,
      scaleRewards: 'group',
      aggregation: 'sumThenNormalize',
    });
    return { rows, base, all: addChannels(base, rows, group.length) };
  };

  it('wrong but short gains nothing; right and short gains', async () => {
    const { rows, base, all } = await advantagesOf(
      answers([
        [1, '7'],
        [3, '7'],
        [0, '8'],
        [3, '8'],
      ]),
    );
    assert.deepEqual(
      rows.map((row) => row[1].score),
      [1 / 2, 1 / 4, null, null],
    );
    assert.deepEqual(rows.map(totalReward), [1, 1, 0, 0], 'the channel is not in the sum');
    assert.deepEqual([all.advantages[2], all.advantages[3]], [base.advantages[2], base.advantages[3]]);
    // among the solved: mean 3/8, deviation sqrt(2 x (1/8)^2) = 0.1768; +-(1/8) / (0.1768 + 1e-4) = +-0.7067
    const expected = (0.15 * 0.125) / (Math.sqrt(2) / 8 + 1e-4);
    assert.ok(
      close(all.advantages[0] - base.advantages[0], expected) &&
        close(base.advantages[1] - all.advantages[1], expected),
    );
  });
  it('brings a group of solved rollouts back to life', async () => {
    const { base, all } = await advantagesOf(
      answers([
        [1, '7'],
        [2, '7'],
      ]),
    );
    assert.deepEqual([base.isDeadGroup, all.isDeadGroup], [[true], [false]]);
    assert.ok(all.advantages[0] > 0 && all.advantages[1] < 0);
  });
  it('one solved rollout has nobody to be compared with', async () => {
    const { base, all } = await advantagesOf(
      answers([
        [1, '7'],
        [0, '8'],
      ]),
    );
    assert.deepEqual(all.advantages, base.advantages);
    const { base: none, all: same } = await advantagesOf(
      answers([
        [1, '8'],
        [0, '8'],
      ]),
    );
    assert.deepEqual([same.advantages, same.isDeadGroup], [none.advantages, [true]]);
  });
});

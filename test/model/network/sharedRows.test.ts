import assert from 'node:assert/strict';
import { Random } from '../../../trainer/base/random';
import { SharedRows, type Job, type LaneFeed } from '../../../trainer/model/decoding/sharedRows';

/** In the place of logits: says what was read. */
const logitsOf = (ids: readonly number[]): Float32Array => Float32Array.from([ids.length, ...ids]);

/** A cache of tokens instead of keys and values: what stands in a row after copies and jobs. */
class Tokens {
  readonly rows: number[][];
  constructor(
    prompts: readonly (readonly number[])[],
    readonly shared: SharedRows,
  ) {
    this.rows = prompts.map((ids) => [...ids]);
  }
  /** @returns by feed what its lane has read, and how many tokens were computed */
  feed(feeds: readonly LaneFeed[]): { read: number[][]; computed: number; jobs: Job[] } {
    const { jobs, copies, answers } = this.shared.plan(feeds);
    while (this.rows.length < this.shared.rows) this.rows.push([]);
    for (const { from, to, start, count } of copies)
      this.rows[to] = [...this.rows[to]!.slice(0, start), ...this.rows[from]!.slice(start, start + count)];
    const read: number[][] = [];
    for (const { row, start, ids, feeds: answered } of jobs) {
      assert.ok(ids.length > 0 && this.rows[row]!.length >= start);
      this.rows[row] = [...this.rows[row]!.slice(0, start), ...ids];
      for (const feed of answered) read[feed] = this.rows[row]!;
    }
    for (const { row, start, feeds: answered, logits } of answers) {
      this.rows[row] = this.rows[row]!.slice(0, start);
      assert.deepEqual(logits, logitsOf(this.rows[row]));
      for (const feed of answered) read[feed] = this.rows[row]!;
    }
    this.shared.done(
      jobs,
      jobs.map(({ row }) => logitsOf(this.rows[row]!)),
    );
    return { read: read.map((ids) => [...ids]), computed: jobs.reduce((n, { ids }) => n + ids.length, 0), jobs };
  }
}

describe('the rows that lanes share', () => {
  it('computes once what lanes have read alike, and parts them where they part', () => {
    const tokens = new Tokens([[1, 2, 3]], new SharedRows([[1, 2, 3]], [0, 0, 0]));
    const all = (...ids: number[]): { lane: number; ids: number[] }[] => ids.map((id, lane) => ({ lane, ids: [id] }));
    assert.deepEqual(tokens.feed(all(4, 4, 4)).jobs, [{ row: 0, start: 3, ids: [4], feeds: [0, 1, 2], of: 1 }]);
    const parted = tokens.feed(all(5, 6, 5));
    assert.deepEqual(parted.read, [
      [1, 2, 3, 4, 5],
      [1, 2, 3, 4, 6],
      [1, 2, 3, 4, 5],
    ]);
    assert.equal(parted.computed, 2);
    assert.equal(tokens.shared.rows, 2);
    assert.equal(tokens.feed(all(7, 7, 7)).computed, 2);
  });

  it('takes what another lane has read at once already, with its logits; and lanes that have caught up go on as one', () => {
    const tokens = new Tokens([[1]], new SharedRows([[1]], [0, 0]));
    assert.equal(tokens.feed([{ lane: 0, ids: [2, 3, 4, 5] }]).computed, 4);
    const second = tokens.feed([{ lane: 1, ids: [2, 3, 4, 5] }]);
    assert.deepEqual(second.read, [[1, 2, 3, 4, 5]]);
    assert.equal(second.computed, 0);
    assert.equal(
      tokens.feed([
        { lane: 0, ids: [6] },
        { lane: 1, ids: [6] },
      ]).computed,
      1,
    );
    assert.equal(tokens.shared.readRows, 1);
  });

  it('lets one who is behind catch up in the same step', () => {
    const tokens = new Tokens([[1]], new SharedRows([[1]], [0, 0]));
    tokens.feed([{ lane: 0, ids: [2, 3] }]);
    const both = tokens.feed([
      { lane: 1, ids: [2, 3] },
      { lane: 0, ids: [4] },
    ]);
    assert.deepEqual(both.read, [
      [1, 2, 3],
      [1, 2, 3, 4],
    ]);
    assert.equal(both.computed, 1);
  });

  it('computes what came together whole, though another lane has read its beginning', () => {
    const tokens = new Tokens([[1]], new SharedRows([[1]], [0, 0]));
    tokens.feed([{ lane: 0, ids: [2, 3, 4] }]);
    assert.equal(tokens.feed([{ lane: 1, ids: [2, 3, 5] }]).computed, 3);
  });

  it('forgets the logits that it has had longest', () => {
    const shared = new SharedRows([[1]], [0, 0]);
    for (let i = 0; i < 10; i++) {
      const { jobs } = shared.plan([{ lane: 0, ids: [2 + i, 3] }]);
      shared.done(
        jobs,
        jobs.map(() => new Float32Array(2 ** 20)),
      );
    }
    const [lost, kept] = [0, 9].map(
      (i) =>
        shared.plan([{ lane: 1, ids: Array.from({ length: 2 * i + 2 }, (_, t) => (t % 2 === 0 ? 2 + t / 2 : 3)) }])
          .answers.length,
    );
    assert.deepEqual([lost, kept], [0, 1]);
  });

  it('says what of a feed costs nothing', () => {
    const tokens = new Tokens([[1]], new SharedRows([[1]], [0, 0, 0, 0]));
    tokens.feed([{ lane: 0, ids: [2, 3, 4, 5] }]);
    const feeds = [
      [2, 3, 4, 5],
      [2, 3, 9, 9],
      [2, 3, 4, 5],
    ].map((ids, i) => ({ lane: i + 1, ids }));
    assert.deepEqual(tokens.shared.known(feeds), [4, 0, null]);
    assert.deepEqual(
      tokens.feed(feeds).jobs.map(({ ids }) => ids),
      [[2, 3, 9, 9]],
    );
  });

  it('gives a row that nobody reads any more to the next that needs one, and renumbers those that stay', () => {
    const tokens = new Tokens([[1], [2]], new SharedRows([[1], [2]], [0, 1, 1]));
    tokens.shared.release([0]);
    assert.deepEqual(
      tokens.feed([
        { lane: 1, ids: [3] },
        { lane: 2, ids: [4] },
      ]).read,
      [
        [2, 3],
        [2, 4],
      ],
    );
    assert.equal(tokens.shared.rows, 2);
    tokens.shared.release([2, 0]);
    const kept = tokens.shared.compact();
    assert.equal(kept.length, 1);
    tokens.rows.splice(0, Infinity, ...kept.map((row) => tokens.rows[row]!));
    assert.deepEqual(tokens.feed([{ lane: 1, ids: [5, 6] }]).read, [[2, 3, 5, 6]]);
  });

  it('holds for each lane what it has read, whatever is fed in what order', () => {
    for (let seed = 0; seed < 300; seed++) {
      const random = Random.fromSeed(seed);
      const prompts = Array.from({ length: 1 + random.int(3) }, (_, i) => [
        10 + i,
        ...Array.from({ length: random.int(4) }, () => random.int(2)),
      ]);
      const rowOf = Array.from({ length: 6 }, () => random.int(prompts.length));
      const histories = rowOf.map((row) => [...prompts[row]!]);
      const used = [...new Set(rowOf)].sort((a, b) => a - b); // a decoder's prompts all have a lane
      const own = used.map((row) => prompts[row]!);
      const tokens = new Tokens(
        own,
        new SharedRows(
          own,
          rowOf.map((row) => used.indexOf(row)),
        ),
      );
      let live = [0, 1, 2, 3, 4, 5];
      for (let step = 0; step < 30 && live.length > 0; step++) {
        const feeds = live
          .filter(() => random.int(3) > 0)
          .map((lane) => ({
            lane,
            ids: Array.from({ length: 1 + random.int(3) * random.int(3) }, () => random.int(2)),
          }));
        if (feeds.length === 0) continue;
        const { read, computed } = tokens.feed(feeds);
        feeds.forEach(({ lane, ids }, i) => {
          histories[lane]!.push(...ids);
          assert.deepEqual(read[i], histories[lane]);
        });
        assert.ok(computed <= feeds.reduce((n, { ids }) => n + ids.length, 0));
        assert.equal(tokens.shared.readRows <= live.length, true);
        if (random.int(6) === 0) {
          tokens.shared.release([live[0]!]);
          live = live.slice(1);
          if (live.length > 0 && random.int(2) === 0) {
            const kept = tokens.shared.compact();
            tokens.rows.splice(0, Infinity, ...kept.map((row) => tokens.rows[row]!));
          }
        }
      }
    }
  });
});

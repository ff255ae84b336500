import assert from 'node:assert/strict';
import { Random } from '../../../trainer/base/random';

describe('random', () => {
  it('same seed, same numbers; another seed, others', () => {
    const draw = (seed: number) => {
      const r = Random.fromSeed(seed);
      return Array.from({ length: 5 }, () => r.next());
    };
    assert.deepEqual(draw(1), draw(1));
    const all = new Set(Array.from({ length: 2000 }, (_, seed) => draw(seed)[0]));
    assert.equal(all.size, 2000);
  });

  it('is uniform: mean, variance and the ten bins over 30,000 draws, also over first draws of forks', () => {
    const root = Random.fromSeed(3);
    const streams = {
      inOrder: () => root.next(),
      forks: (i: number) => Random.fromSeed(3).fork(`rollout ${i}`).next(),
    };
    for (const draw of Object.values(streams)) {
      const n = 30_000;
      const bins = new Array<number>(10).fill(0);
      let sum = 0;
      for (let i = 0; i < n; i++) {
        const x = draw(i);
        assert.ok(x >= 0 && x < 1);
        sum += x;
        bins[Math.floor(x * 10)]!++;
      }
      assert.ok(Math.abs(sum / n - 0.5) < 4 * Math.sqrt(1 / 12 / n)); // 4 sigma
      const chi2 = bins.reduce((s, b) => s + (b - n / 10) ** 2 / (n / 10), 0);
      assert.ok(chi2 < 33.7, `chi2 ${chi2}`); // 9 degrees of freedom, p = 1e-4
    }
  });

  it('a fork depends on the label, not on what was drawn; drawing from it leaves the parent alone', () => {
    const a = Random.fromSeed(5),
      b = Random.fromSeed(5);
    for (let i = 0; i < 10; i++) a.next();
    assert.equal(a.fork('x').next(), b.fork('x').next());
    assert.notEqual(b.fork('x').next(), b.fork('y').next());
    assert.notEqual(b.fork('a').fork('b').next(), b.fork('ab').next());
    const c = Random.fromSeed(5);
    c.fork('x').next();
    assert.equal(c.next(), b.next());
  });

  it('goes on from its state, through JSON, forks included', () => {
    const r = Random.fromSeed('text').fork(7);
    r.next();
    const again = Random.restore(JSON.parse(JSON.stringify(r.state())) as number[]);
    assert.deepEqual(
      [again.next(), again.normal(), again.fork('z').int(1000)],
      [r.next(), r.normal(), r.fork('z').int(1000)],
    );
    assert.throws(() => Random.restore([1, 2, 3]), /8 unsigned 32-bit words, got \[1,2,3\]/);
  });

  it('int, pick, shuffle, normal', () => {
    const r = Random.fromSeed(0);
    const seen = new Set(Array.from({ length: 200 }, () => r.int(6)));
    assert.deepEqual([...seen].sort(), [0, 1, 2, 3, 4, 5]);
    assert.throws(() => r.int(0), /from 1, got 0/);
    assert.throws(() => r.pick([]), /nothing to pick/);
    const items = [1, 2, 3, 4, 5, 6, 7, 8];
    const shuffled = r.shuffle(items);
    assert.notDeepEqual(shuffled, items);
    assert.deepEqual([...shuffled].sort(), items);
    const normals = Array.from({ length: 20_000 }, () => r.normal());
    assert.ok(Math.abs(normals.reduce((s, x) => s + x, 0) / 20_000) < 0.03);
    assert.ok(Math.abs(normals.reduce((s, x) => s + x * x, 0) / 20_000 - 1) < 0.05);
  });
});

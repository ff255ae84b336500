import assert from 'node:assert/strict';
import type { RunConfig } from '../../trainer/protocol/runConfig';
import type { Task } from '../../trainer/protocol/task';
import { Random } from '../../trainer/base/random';
import { isAsGood } from '../../trainer/recipes/loop';
import { TaskMix } from '../../trainer/recipes/steps/taskMix';

const made = (kind: string, count: number): Task[] =>
  Array.from({ length: count }, (_, i) => ({
    id: `${kind}-${i}`,
    prompt: `${kind} ${i}`,
    calls: kind === 'none' ? [] : [{ name: kind, arguments: {} }],
  }));
const tasks = [...made('search', 144), ...made('count', 16), ...made('none', 4)];
const open = (mix: NonNullable<RunConfig['taskMix']>): TaskMix => new TaskMix(tasks, mix, Random.fromSeed('mix'));
/**
 * Steps of 8 tasks; `isDead` says of which tasks nothing can be learnt, `solved` whether that is because all is
 * solved.
 */
function drawn(
  mix: TaskMix,
  from: number,
  steps: number,
  isDead: (task: Task) => boolean = () => false,
  solved = 1,
): Task[] {
  return Array.from({ length: steps }, (_, i) => {
    const list = mix.draw(from + i, 8);
    mix.done(
      list,
      list.map((task) => ({ isDead: isDead(task), solved: isDead(task) ? solved : 0.5 })),
    );
    return list;
  }).flat();
}
const share = (list: Task[], kind: string): number =>
  list.filter((task) => task.id.startsWith(kind)).length / list.length;
const near = (actual: number, expected: number): void =>
  assert.ok(Math.abs(actual - expected) < 0.05, `${actual} is not near ${expected}`);

describe('tasks of a step', () => {
  it('balanced: a kind comes up by the square root of its size (12 : 4 : 2), whatever is learnt', () => {
    const list = drawn(open('balanced'), 1, 200, (task) => task.id.startsWith('search'));
    near(share(list, 'search'), 12 / 18);
    near(share(list, 'count'), 4 / 18);
    near(share(list, 'none'), 2 / 18);
  });

  it('a tool has no more of a share for having many optional arguments', () => {
    const many = Array.from({ length: 144 }, (_, i) => ({
      id: `search-${i}`,
      prompt: `search ${i}`,
      calls: [{ name: 'search', arguments: { [`option${i % 36}`]: 1 } }],
    }));
    const mix = new TaskMix([...many, ...made('none', 36)], 'balanced', Random.fromSeed('mix'));
    const list = Array.from({ length: 100 }, (_, i) => mix.draw(i + 1, 8)).flat();
    near(share(list, 'none'), 6 / 18);
  });

  it('the tasks of a kind come round in turn', () => {
    const seen = new Map<string, number>();
    for (const task of drawn(open('balanced'), 1, 100))
      if (task.id.startsWith('count')) seen.set(task.id, (seen.get(task.id) ?? 0) + 1);
    assert.equal(seen.size, 16);
    assert.ok(Math.max(...seen.values()) - Math.min(...seen.values()) <= 1);
  });

  it('learnable: a kind that is solved falls to a fifth of its weight, and comes back once it has', () => {
    const mix = open('learnable');
    near(share(drawn(mix, 1, 100), 'search'), 12 / 18);
    drawn(mix, 101, 20, (task) => task.id.startsWith('search'));
    near(
      share(
        drawn(mix, 121, 100, (task) => task.id.startsWith('search')),
        'search',
      ),
      2.4 / 8.4,
    );
    drawn(mix, 221, 20);
    near(share(drawn(mix, 241, 100), 'search'), 12 / 18);
  });

  it('learnable: a kind that is failed by all alike keeps its weight, and is stuck until that changes', () => {
    const mix = open('learnable');
    const [search, count] = [tasks[0], tasks[150]];
    assert.equal(mix.stuck(search), 0);
    near(
      share(
        drawn(mix, 1, 100, (task) => task.id.startsWith('search'), 0),
        'search',
      ),
      12 / (12 + 4 + 2),
    );
    assert.ok(mix.stuck(search) > 0.99 && mix.stuck(count) < 0.01);
    drawn(mix, 101, 20);
    assert.ok(mix.stuck(search) < 0.01);
    drawn(mix, 121, 20, () => true);
    assert.ok(mix.stuck(search) < 0.01, 'what is solved by all alike is not stuck');
  });

  it('as given: each task once an epoch, in another order each time, the kinds spread evenly', () => {
    const list = drawn(open('asGiven'), 1, 41);
    assert.equal(new Set(list.slice(0, 164).map((task) => task.id)).size, 164);
    assert.notDeepEqual(
      list.slice(164, 324).map((task) => task.id),
      list.slice(0, 160).map((task) => task.id),
    );
    for (let from = 0; from + 41 <= 164; from += 41)
      assert.deepEqual(
        ['search', 'count', 'none'].map((kind) => Math.round(share(list.slice(from, from + 41), kind) * 41)),
        [36, 4, 1],
        `from ${from}`,
      );
  });

  it('a stopped step draws the same again; so does a mix that a checkpoint brings back', () => {
    for (const kind of ['learnable', 'balanced', 'asGiven'] as const) {
      const mix = open(kind);
      drawn(mix, 1, 20, (task) => task.id.endsWith('3'));
      const wanted = mix.draw(21, 8).map((task) => task.id);
      assert.deepEqual(
        mix.draw(21, 8).map((task) => task.id),
        wanted,
      );
      const again = open(kind);
      again.restore(JSON.parse(JSON.stringify(mix.state())) as ReturnType<TaskMix['state']>);
      assert.deepEqual(
        again.draw(21, 8).map((task) => task.id),
        wanted,
      );
    }
  });
});

describe('the checkpoint that is taken', () => {
  it('is the last one that validation can not tell from the best', () => {
    assert.ok(isAsGood(0.641, 0.656, 64)); // a standard error is 0.059
    assert.ok(!isAsGood(0.484, 0.641, 64));
    assert.ok(isAsGood(1, 1, 64) && !isAsGood(0.98, 1, 64));
    assert.ok(isAsGood(0, 0, 64));
  });
});

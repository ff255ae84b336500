import assert from 'node:assert/strict';
import type { RunConfig } from '../../trainer/protocol/runConfig';
import type { Task } from '../../trainer/protocol/task';
import { Random } from '../../trainer/random';
import { isAsGood } from '../../trainer/recipes/train';
import { TaskMix, type GroupOutcome } from '../../trainer/recipes/taskMix';

const made = (kind: string, count: number): Task[] => Array.from({ length: count }, (_, i) => ({ id: `${kind}-${i}`, prompt: `${kind} ${i}`, calls: kind === 'none' ? [] : [{ name: kind, arguments: {} }] }));
const tasks = [...made('search', 120), ...made('count', 30), ...made('none', 14)];
const open = (mix: RunConfig['taskMix']): TaskMix => new TaskMix(tasks, mix, Random.fromSeed('mix'));
type Of = (task: Task) => GroupOutcome;
/** Steps of 8 tasks, each group with its outcome. */
function drawn(mix: TaskMix, from: number, steps: number, outcome: Of = () => 'differed'): Task[] {
  return Array.from({ length: steps }, (_, i) => {
    const list = mix.draw(from + i, 8);
    mix.done(list, list.map(outcome));
    return list;
  }).flat();
}
const share = (list: Task[], kind: string): number => list.filter((task) => task.id.startsWith(kind)).length / list.length;
const near = (actual: number, expected: number): void => assert.ok(Math.abs(actual - expected) < 0.05, `${actual} is not near ${expected}`);
function counts(list: Task[]): Map<string, number> {
  const seen = new Map<string, number>();
  for (const { id } of list) seen.set(id, (seen.get(id) ?? 0) + 1);
  return seen;
}

describe('tasks of a step', () => {
  it('learnable: a kind with nothing to teach falls to a fifth of its weight, and comes back once it has', () => {
    const mix = open('learnable');
    near(share(drawn(mix, 1, 100), 'search'), 120 / 164);
    const dull: Of = (task) => (task.id.startsWith('search') ? 'equal' : 'differed');
    drawn(mix, 101, 20, dull);
    near(share(drawn(mix, 121, 100, dull), 'search'), 24 / 68);
    drawn(mix, 221, 20);
    near(share(drawn(mix, 241, 100), 'search'), 120 / 164);
  });

  it('learnable: the tasks of a kind come round in turn', () => {
    const seen = [...counts(drawn(open('learnable'), 1, 100))].filter(([id]) => id.startsWith('count')).map(([, n]) => n);
    assert.equal(seen.length, 30);
    assert.ok(Math.max(...seen) - Math.min(...seen) <= 1);
  });

  it('learnable: a task that its group solved comes a third as often as its neighbours', () => {
    const isSolved: Of = ({ id }) => (Number(id.split('-')[1]) % 2 ? 'solved' : 'differed');
    const seen = counts(drawn(open('learnable'), 1, 300, isSolved));
    const mean = (odd: number): number => {
      const list = made('count', 30).filter((_, i) => i % 2 === odd).map(({ id }) => seen.get(id) ?? 0);
      return list.reduce((sum, n) => sum + n, 0) / list.length;
    };
    near(mean(1) / mean(0), 1 / 3);
  });

  it('as given: each task once an epoch, whatever came of it', () => {
    assert.equal(counts(drawn(open('asGiven'), 1, 41, () => 'solved').slice(0, 164)).size, 164);
    assert.deepEqual([...new Set(counts(drawn(open('asGiven'), 1, 41, () => 'solved')).values())], [2]);
  });

  it('a stopped step draws the same again; so does a mix that a checkpoint brings back', () => {
    for (const kind of ['learnable', 'asGiven'] as const) {
      const mix = open(kind);
      drawn(mix, 1, 20, (task) => (task.id.endsWith('3') ? 'solved' : 'differed'));
      const wanted = mix.draw(21, 8).map((task) => task.id);
      assert.deepEqual(mix.draw(21, 8).map((task) => task.id), wanted);
      const again = open(kind);
      again.restore(JSON.parse(JSON.stringify(mix.state())) as ReturnType<TaskMix['state']>);
      assert.deepEqual(again.draw(21, 8).map((task) => task.id), wanted);
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

import assert from 'node:assert/strict';
import type { Task } from '../../trainer/protocol/task';
import { Random } from '../../trainer/random';
import { tasksOfStep } from '../../trainer/recipes/train';

const made = (kind: string, count: number): Task[] => Array.from({ length: count }, (_, i) => ({ id: `${kind}-${i}`, prompt: `${kind} ${i}`, calls: kind === 'none' ? [] : [{ name: kind, arguments: {} }] }));
const tasks = [...made('search', 144), ...made('count', 16), ...made('none', 4)];
const session = (taskMix: 'balanced' | 'asGiven') => ({ random: Random.fromSeed('mix'), context: { config: { taskMix } } }) as unknown as Parameters<typeof tasksOfStep>[1];
const drawn = (mix: 'balanced' | 'asGiven', steps: number, perStep: number): Task[] => Array.from({ length: steps }, (_, i) => tasksOfStep(tasks, session(mix), i + 1, perStep)).flat();
const countOf = (list: Task[], kind: string): number => list.filter((task) => task.id.startsWith(kind)).length;

describe('tasks of a step', () => {
  it('balanced: a kind comes up by the square root of its size (12 : 4 : 2)', () => {
    const epoch = drawn('balanced', 41, 4);
    assert.deepEqual(['search', 'count', 'none'].map((kind) => countOf(epoch, kind)), [110, 36, 18]);
  });

  it('balanced: the tasks of a kind come round in turn', () => {
    const list = drawn('balanced', 82, 4).filter((task) => task.id.startsWith('count'));
    const seen = new Map<string, number>();
    for (const task of list) seen.set(task.id, (seen.get(task.id) ?? 0) + 1);
    assert.ok(Math.max(...seen.values()) - Math.min(...seen.values()) <= 2, 'each as often as the others, give or take the cut of an epoch');
  });

  it('as given: each task once an epoch', () => {
    assert.equal(new Set(drawn('asGiven', 41, 4).map((task) => task.id)).size, 164);
  });

  it('what a step gets depends on the seed and its number alone', () => {
    for (const mix of ['balanced', 'asGiven'] as const) assert.deepEqual(tasksOfStep(tasks, session(mix), 30, 8).map((task) => task.id), drawn(mix, 30, 8).slice(-8).map((task) => task.id));
  });
});

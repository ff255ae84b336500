import assert from 'node:assert/strict';
import { gainBySource, headlineOfTasks, successBySource, toolsWithoutTasks } from '../../trainer/evaluation/bySource';
import { caveat, headlineOf } from '../../trainer/protocol/headline';
import { wilson } from '../../trainer/protocol/interval';
import { RunResult } from '../../trainer/protocol/messages';
import { tasksFileName } from '../../trainer/protocol/taskFileName';
import type { Task, TaskSource } from '../../trainer/protocol/task';
import { sampleResult } from '../store/runs/sample';
import { tool } from '../tasks/fixtures';

const by = (source: TaskSource | undefined, i: number): Task => ({
  id: `t${i}`,
  prompt: `p${i}`,
  calls: [{ name: 'search', arguments: { i } }],
  ...(source ? { source } : {}),
});
/** 4 of people (one does not say it), 2 of use, 10 of the schemas */
const tasks = [
  undefined,
  'person',
  'person',
  'person',
  'use',
  'use',
  ...Array.from({ length: 10 }, () => 'schema' as const),
].map((source, i) => by(source as TaskSource | undefined, i));
const solved = (...ids: number[]): boolean[] => tasks.map((_, i) => ids.includes(i));
const outcomes = {
  before: solved(0, 6, 7),
  after: solved(0, 1, 4, 6, 7, 8, 9, 10, 11, 12, 13),
  contents: tasks.map(({ id }) => id),
};

describe('a result by who wrote the tasks', () => {
  it('gives success with n and interval for each writer that there is', () => {
    assert.deepEqual(successBySource(tasks, outcomes.after), {
      person: { n: 4, success: 0.5, ci95: wilson(2, 4) },
      use: { n: 2, success: 0.5, ci95: wilson(1, 2) },
      schema: { n: 10, success: 0.8, ci95: wilson(8, 10) },
    });
    assert.deepEqual(
      successBySource(tasks, [true, false]),
      { person: { n: 2, success: 0.5, ci95: wilson(1, 2) } },
      'a measurement that was cut short',
    );
  });

  it('pairs the gain of each writer over the same tasks', () => {
    const gain = gainBySource(tasks, outcomes);
    assert.equal(gain.mean, 8 / 16);
    assert.deepEqual(
      Object.entries(gain.bySource!).map(([source, { n, mean, changed }]) => [source, n, mean, changed!.gained]),
      [
        ['person', 4, 0.25, 1],
        ['use', 2, 0.5, 1],
        ['schema', 10, 0.6, 6],
      ],
    );
    for (const { mean, ci95 } of Object.values(gain.bySource!)) assert.ok(ci95[0] < mean && mean < ci95[1]);
  });

  it('is told by what is nearest to people: theirs and what was used together, then a model, then grammar, then the schemas', () => {
    const told = headlineOfTasks(tasks, outcomes);
    assert.deepEqual([told.sources, told.before.n, told.after.success], [['person', 'use'], 6, 0.5]);
    assert.equal(told.verdict, 'could be chance: the interval holds 0');
    const without = (...sources: TaskSource[]) =>
      headlineOfTasks(
        tasks.map((task, i) => ({ ...task, source: sources[i % sources.length] })),
        outcomes,
      ).sources;
    assert.deepEqual(
      [
        without('schema', 'grammar', 'model'),
        without('schema', 'grammar'),
        without('schema'),
        without('use', 'schema'),
      ],
      [['model'], ['grammar'], ['schema'], ['use']],
    );
    const result = RunResult.parse({
      ...sampleResult('r'),
      after: { n: 16, success: 0.7, ci95: null },
      headline: told,
      toolsWithoutTasks: ['send'],
    });
    assert.deepEqual([headlineOf(result).after.n, headlineOf(result).isPart], [6, true]);
    const old = headlineOf(sampleResult('r'));
    assert.deepEqual(
      [old.sources, old.after.n, old.verdict],
      [[], 2, 'could be chance'],
      'a run of before: all held-out tasks',
    );
  });

  it('says what it was measured on where that is not what people ask, with the file to write into', () => {
    assert.equal(
      caveat(['schema'], '/w/mail.ts'),
      'measured on requests that Coach made up; what people ask may differ: write some in mail.tasks.jsonl',
    );
    assert.match(caveat(['grammar'], '/w/mail.ts')!, /Coach made up/);
    assert.match(caveat(['model'], '/w/mail.ts')!, /a language model wrote/);
    assert.deepEqual([caveat(['person', 'use'], '/w/mail.ts'), caveat([], '/w/mail.ts')], [null, null]);
    assert.deepEqual(['C:\\w\\mail.mts', '/w/tools/', 'a.tsx', '/w/mcp:@a/b,mcp:c'].map(tasksFileName), [
      'mail.tasks.jsonl',
      'tools.tasks.jsonl',
      'a.tasks.jsonl',
      '-a-b+c.tasks.jsonl',
    ]);
  });

  it('names the tools that no task calls', () => {
    assert.deepEqual(
      toolsWithoutTasks(
        [tool('search', ''), tool('send', ''), tool('read', '')],
        [...tasks, { id: 'x', prompt: 'hi', calls: [] }, { id: 'y', prompt: 'read it', answer: 'b' }],
      ),
      ['send', 'read'],
    );
  });
});

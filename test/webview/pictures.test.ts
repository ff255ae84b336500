/** The pictures' numbers, counted by hand. */
import assert from 'node:assert/strict';
import type { TraceSummary } from '../../trainer/protocol/trace';
import { ranksAndGold } from '../../webview/derive/judgePictures';
import {
  calledTools,
  outcomeOf,
  rewardHistogram,
  shade,
  successByKind,
  toolOutcomes,
  wantedAgainstCalled,
  type Facts,
  type Picture,
} from '../../webview/derive/pictures';
import { waterfall } from '../../webview/derive/waterfall';

let made = 0;
const aTrace = (given: Partial<TraceSummary>): TraceSummary => ({
  id: `t${made++}`,
  taskId: 'a',
  groupId: 'g',
  phase: 'after',
  step: 1,
  prompt: 'p',
  path: 'search → answer',
  reward: 1,
  advantage: null,
  solved: true,
  truncated: 'no',
  file: 'f',
  offset: 0,
  length: 1,
  ...given,
});
const facts: Facts = new Map(
  [
    { id: 'a', wanted: ['search'], source: 'person' as const, tags: ['one call'] },
    { id: 'b', wanted: ['search', 'send'], source: 'grammar' as const, tags: ['two calls'] },
    { id: 'c', wanted: [], source: 'person' as const, tags: [] },
    { id: 'd', wanted: null, source: 'person' as const, tags: [] },
  ].map((task) => [task.id, task]),
);
const values = ({ cells }: Picture): (number | null)[][] => cells.map((row) => row.map(({ value }) => value));

describe('webview/pictures', () => {
  it('reads the called tools from a path', () => {
    assert.deepEqual(calledTools('search → read✗ → ? → answer'), ['search', 'read']);
    assert.deepEqual(calledTools('answer'), []);
    assert.deepEqual(calledTools('search → (turn limit)'), ['search']);
  });

  it('tells each way to end by one word, and does not guess where the task is not known', () => {
    const told = (given: Partial<TraceSummary>, wanted: string[] | null | undefined): string =>
      outcomeOf(aTrace({ solved: false, ...given }), wanted);
    assert.equal(told({ solved: true }, ['send']), 'solved');
    assert.equal(told({ truncated: 'tokenLimit', errors: ['refused'] }, ['search']), 'cutOff');
    assert.equal(told({ errors: ['threw', 'refused'] }, ['search']), 'refused');
    assert.equal(told({ errors: ['threw'] }, ['search']), 'error');
    assert.equal(told({ path: '? → answer' }, ['search']), 'error');
    assert.equal(told({ path: 'search✗ → answer' }, ['search']), 'error');
    assert.equal(told({}, ['send']), 'wrongTool');
    assert.equal(told({}, ['search']), 'wrongValue');
    assert.equal(told({}, null), 'notSolved');
    assert.equal(told({}, undefined), 'notSolved');
    assert.equal(told({ solved: null }, ['search']), 'unscored');
  });

  it('counts outcomes by tool, each trace once for every tool that it called', () => {
    const data = toolOutcomes(
      [
        aTrace({}),
        aTrace({ path: 'search → search → send → answer', solved: false }),
        aTrace({ path: 'answer', solved: false }),
      ],
      facts,
    );
    assert.deepEqual(
      [data.rows, data.columns],
      [
        ['search', 'send', ''],
        ['solved', 'wrongTool'],
      ],
    );
    assert.deepEqual(values(data), [
      [1, 1],
      [0, 1],
      [0, 1],
    ]);
    assert.equal(shade(data, 0, 0), 0.5);
    assert.equal(data.cells[0]![1]!.traceIds.length, 1);
  });

  it('holds what was wanted against what was called', () => {
    const data = wantedAgainstCalled(
      [
        aTrace({}), // search, search
        aTrace({ taskId: 'b', path: 'search → answer', solved: false }), // send, nothing
        aTrace({ taskId: 'b', path: 'send → search → answer' }), // both on the diagonal
        aTrace({ taskId: 'c', path: 'send → answer', solved: false }), // nothing, send
        aTrace({ taskId: 'a', path: 'search → send → answer', solved: false }), // search, send
        aTrace({ taskId: 'd' }), // the task names no calls
        aTrace({ taskId: 'unknown' }),
      ],
      facts,
    );
    assert.deepEqual(data.rows, ['search', 'send', '']);
    assert.deepEqual(values(data), [
      [2, 1, 0],
      [0, 1, 1],
      [0, 1, 0],
    ]);
  });

  it('puts rewards into bins, the end of the scale into the last, and leaves out what was not scored', () => {
    const data = rewardHistogram([
      aTrace({ step: 1, reward: 1 }),
      aTrace({ step: 1, reward: 0 }),
      aTrace({ step: 2, reward: 0.3 }),
      aTrace({ step: 2, reward: null }),
    ]);
    assert.deepEqual(data.columns, ['1', '2']);
    assert.equal(data.rows[0], '0.90–1.00');
    assert.deepEqual(
      data.cells.flatMap((row, r) =>
        row.flatMap(({ value }, c) => (value ? [[data.rows[r], data.columns[c], value]] : [])),
      ),
      [
        ['0.90–1.00', '1', 1],
        ['0.30–0.40', '2', 1],
        ['0.00–0.10', '1', 1],
      ],
    );
    assert.deepEqual(rewardHistogram([]).cells, []);
    const many = rewardHistogram(Array.from({ length: 100 }, (_, i) => aTrace({ step: i + 1, reward: -0.5 })));
    assert.equal(many.columns.length, 15);
    assert.equal(many.columns[0], '1–7');
    assert.equal(
      many.cells.flat().reduce((sum, { value }) => sum + value!, 0),
      100,
    );
  });

  it('tells success by who asked and by kind, before and after', () => {
    const data = successByKind(
      [
        { name: 'before', traces: [aTrace({ solved: false }), aTrace({ taskId: 'b', solved: false })] },
        { name: 'after', traces: [aTrace({}), aTrace({ taskId: 'd', solved: false }), aTrace({ solved: null })] },
      ],
      facts,
    );
    assert.deepEqual([data.rows, data.sources], [['person', 'grammar', 'one call', 'two calls'], 2]);
    assert.deepEqual(values(data), [
      [0, 0.5],
      [0, null],
      [0, 1],
      [0, null],
    ]);
    assert.equal(data.cells[0]![1]!.of, 2);
  });

  it('counts solved traces by the rank that the judge gave', () => {
    const solved: Record<string, boolean | null> = { x: true, y: false, z: null };
    const data = ranksAndGold(
      [
        { traceIds: ['x', 'y', 'z'], ranks: [1, 2, 3] },
        { traceIds: ['x', 'y'], ranks: null },
      ],
      (id) => solved[id],
    );
    assert.deepEqual(
      [data.rows, values(data)],
      [
        ['1', '2'],
        [
          [1, 0],
          [0, 1],
        ],
      ],
    );
  });

  it('ends the waterfall of a trace that was cut off with what cut it', () => {
    const turn = { turn: { parseError: undefined }, number: 1, startMs: 0, durationMs: 10, calls: [] };
    const steps = { turns: [turn], totalMs: 12 } as unknown as Parameters<typeof waterfall>[1];
    assert.deepEqual(
      waterfall({ truncated: 'no' }, steps).map(({ kind }) => kind),
      ['turn'],
    );
    const [, cut] = waterfall({ truncated: 'tokenLimit' }, steps);
    assert.deepEqual([cut!.kind, cut!.startMs, cut!.durationMs, cut!.problem], ['cut', 10, 2, 'tokenLimit']);
  });
});

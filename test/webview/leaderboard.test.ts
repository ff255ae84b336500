/** Rows of the page Runs: sorted with what was not measured last, filtered by words and tags. */
import assert from 'node:assert/strict';
import { COLUMNS, matching, runRow, sorted, tagsOf } from '../../webview/derive/leaderboard';
import { infoOf, recordedRun } from './fixture';

const { manifest, info } = recordedRun({ steps: 12, heldOut: 40 });
const rows = [
  { ...info, id: 'b', label: { name: 'Second', tags: ['mail', 'Good'], notes: 'longer steps' } },
  { ...infoOf(manifest, 'stopped', 3, null), id: 'c' },
  { ...info, id: 'a', createdAt: 1, method: 'sft' },
].map(runRow);
const ids = (of: typeof rows): string[] => of.map((row) => row.info.id);

describe('webview/leaderboard', () => {
  it('takes the name that a person gave, and null for what was not measured', () => {
    assert.deepEqual(
      rows.map(({ name }) => name),
      ['Second', 'c', 'a'],
    );
    assert.deepEqual([rows[1]!.before, rows[1]!.gain, rows[1]!.n, rows[1]!.seconds], [null, null, null, null]);
    assert.equal(rows[0]!.n, 40);
    assert.equal(rows[0]!.gain!.difference, info.result!.gain.mean);
  });

  it('sorts both ways by every column, what was not measured last', () => {
    assert.deepEqual(ids(sorted(rows, { by: 'date', isDown: false })), ['a', 'b', 'c']);
    for (const isDown of [true, false]) assert.equal(ids(sorted(rows, { by: 'gain', isDown })).at(-1), 'c');
    assert.deepEqual(ids(sorted(rows, { by: 'name', isDown: false })), ['a', 'c', 'b']);
    assert.deepEqual(ids(sorted(rows, { by: 'steps', isDown: false })), ['c', 'b', 'a']);
    for (const by of COLUMNS) assert.equal(sorted(rows, { by, isDown: true }).length, 3);
  });

  it('filters by words anywhere and by the beginning of a tag', () => {
    assert.deepEqual(ids(matching(rows, 'LONGER grpo')), ['b']);
    assert.deepEqual(ids(matching(rows, '#goo')), ['b']);
    assert.deepEqual(ids(matching(rows, '#ood')), []);
    assert.deepEqual(ids(matching(rows, ' ')), ['b', 'c', 'a']);
  });

  it('reads tags', () => assert.deepEqual(tagsOf(' mail, #good,, mail '), ['mail', 'good']));
});

/** Rows of the page Runs: sorted with what was not measured last, filtered by words and tags. */
import assert from 'node:assert/strict';
import { isResumable, standingOf } from '../../trainer/protocol/runMethod';
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

  it('shows what a run without steps measured, and calls it evaluated', () => {
    const measured = { n: 40, success: 0.8, ci95: null };
    const policy = { ...infoOf(manifest, 'stopped', 0, null), method: 'evaluated', steps: 0, measured };
    const { before, after, n, gain } = runRow(policy);
    assert.deepEqual([before, after, n, gain], [0.8, null, 40, null]);
    assert.equal(standingOf(policy, 'stopped'), 'evaluated');
    assert.equal(standingOf({ method: 'evaluated' }, 'stopped'), 'stopped', 'it was stopped before it measured');
    assert.equal(standingOf({ method: 'grpo' }, 'stopped'), 'stopped');
    assert.deepEqual(
      ['evaluated', 'imported', 'distilled', 'grpo'].map((method) => isResumable({ method }, 'stopped')),
      [false, false, false, true],
    );
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

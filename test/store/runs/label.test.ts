/** A run's name, tags and notes; putting a run aside and back. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { putRunAside, readLabel, restoreRun, writeLabel } from '../../../trainer/store/runs/label';
import { listRuns } from '../../../trainer/store/runs/listRuns';

describe('store/label', () => {
  let workspace: string;
  let dir: string;
  beforeEach(() => {
    workspace = mkdtempSync(path.join(tmpdir(), 'label-'));
    dir = path.join(workspace, '.coach/runs/one');
    mkdirSync(dir, { recursive: true });
    writeFileSync(path.join(dir, 'run.json'), '{}');
  });
  afterEach(() => rmSync(workspace, { recursive: true }));
  const label = { name: 'first', tags: ['mail'], notes: 'a\nb' };

  it('is read back, listed, and leaves no temporary file', () => {
    assert.deepEqual(readLabel(dir), {});
    writeLabel(dir, label);
    assert.deepEqual(readLabel(dir), { label });
    assert.deepEqual(
      listRuns(workspace).map((run) => run.label),
      [label],
    );
    assert.deepEqual(readdirSync(dir).sort(), ['label.json', 'run.json']);
  });

  it('says why it can’t be read, and the run is still listed', () => {
    writeFileSync(path.join(dir, 'label.json'), '{"name": 3}');
    assert.match(listRuns(workspace)[0]!.labelProblem!, /label\.json: is no label/);
  });

  it('is refused where there is no run', () => {
    assert.throws(() => writeLabel(path.join(workspace, 'no'), label), /is no run/);
  });

  it('puts a run aside and brings it back as it was', () => {
    writeLabel(dir, label);
    const aside = putRunAside(dir);
    assert.deepEqual(listRuns(workspace), []);
    assert.equal(restoreRun(aside), dir);
    assert.deepEqual(
      listRuns(workspace).map((run) => run.label),
      [label],
    );
    assert.throws(() => restoreRun(dir), /is no deleted run/);
  });

  it('does not bring a run back over another of its name', () => {
    const aside = putRunAside(dir);
    mkdirSync(dir);
    assert.throws(() => restoreRun(aside), /stands there again/);
  });
});

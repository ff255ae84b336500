/** The tool graph of an evaluation or a run: off by default, from training alone, and the same on a resume. */
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openInertia } from '../../trainer/app/inertia/openInertia';
import { listed, tracked } from '../fixtures/toolGraph';
import { tempFolder } from '../store/runs/sample';
import { isUserError } from '../tasks/fixtures';

describe('openInertia', () => {
  const { dir, remove } = tempFolder();
  after(remove);
  const file = join(dir, 'traces.jsonl');
  const from = { cwd: dir, own: null, measured: [] };

  before(() => {
    const traces = [tracked('a', 'Abernathy', 'K1'), listed('b', 'Drummond')];
    writeFileSync(file, traces.map((trace) => `${JSON.stringify(trace)}\n`).join(''));
  });

  it('is off where nothing is set, and says what it needs', () => {
    assert.equal(openInertia({}, from), null);
    assert.throws(
      () => openInertia({ toolInertia: 'autotool' }, from),
      isUserError(/needs toolGraph.*--set toolGraph=/),
    );
  });

  it('leaves out what is measured, and says by how many traces it acts, and from which score on', () => {
    const open = openInertia(
      { toolInertia: 'autotool', toolGraph: file },
      { ...from, measured: [{ prompt: 'Which orders has Drummond?' }] },
    )!;
    assert.match(open.note.message, /autotool, from 0\.2 on\), by 1 traces of traces\.jsonl/);
    open.close();
  });

  it('a resume acts by the graph that its run began with', () => {
    const settings = { toolInertia: 'sitgraph', toolGraph: file } as const;
    const run = join(dir, 'run');
    mkdirSync(run);
    const first = openInertia(settings, from)!;
    first.keep(run);
    first.close();
    rmSync(file);
    const again = openInertia(settings, { ...from, kept: run })!;
    assert.deepEqual(again.inertia.o.graph, first.inertia.o.graph);
    assert.equal(again.inertia.o.threshold, 0.8);
    again.close();
  });
});

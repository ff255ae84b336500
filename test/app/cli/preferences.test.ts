import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { preferenceState } from '../../../trainer/store/preferences/store';
import { tempFolder } from '../../store/runs/sample';
import { coach } from './coach';

describe('coach preferences', () => {
  const { dir, remove } = tempFolder();
  before(() => mkdirSync(join(dir, '.git')));
  after(() => remove());

  it('imports, says what it left out by line, and exports the same bytes', async () => {
    const row =
      '{"prompt":[{"role":"user","content":"Hi"}],"chosen":[{"role":"assistant","content":"Hello"}],"rejected":[{"role":"assistant","content":"Ho"}]}';
    writeFileSync(join(dir, 'in.jsonl'), `${row}\nnonsense\n`);
    const done = await coach(dir, ['preferences', 'import', 'in.jsonl']);
    assert.equal(done.code, 0, done.stderr);
    assert.match(done.stdout, /^1 pairs and 0 single answers imported into \.coach\/preferences\.jsonl/);
    assert.match(done.stderr, /in\.jsonl: line 2: no JSON.*left out/);
    assert.equal(preferenceState(dir).state.imported.length, 1);
    const out = await coach(dir, ['preferences', 'export', 'out.jsonl', '--to', 'trl', '--json']);
    assert.deepEqual(
      [out.code, JSON.parse(out.stdout), readFileSync(join(dir, 'out.jsonl'), 'utf8')],
      [0, { rows: 1 }, `${row}\n`],
    );
  });

  it('says what is wrong, with the way out', async () => {
    for (const [args, message] of [
      [['import', 'none.jsonl'], /can't be read/],
      [['export', 'x.jsonl'], /--to must be one of trl, openai, kto, got nothing/],
      [['move', 'x'], /unknown verb "move"/],
      [['import'], /needs import\|export FILE/],
    ] as const) {
      const { code, stderr } = await coach(dir, ['preferences', ...args]);
      assert.equal(code, 2);
      assert.match(stderr, message);
    }
  });
});

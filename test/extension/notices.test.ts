import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../..');

describe('third-party notices', function () {
  this.timeout(120_000);

  it('are what the bundles hold: every package with its copyright and the text of its licence', () => {
    const script = path.join(root, 'extension/build/notices.mjs');
    const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { cwd: root, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    const text = readFileSync(path.join(root, 'THIRD-PARTY-NOTICES.md'), 'utf8');
    const rows = [...text.matchAll(/^\| (\S+) \| \d[^|]* \| [^|]+ \| [^|]+ \|$/gm)].map((match) => match[1]!);
    assert.ok(rows.length > 40, `${rows.length} packages`);
    const titles = [...text.matchAll(/^### .*?: (.*)$/gm)].flatMap((match) => match[1]!.split(', '));
    assert.deepEqual(
      rows.filter((name) => !titles.includes(name)),
      [],
    );
    for (const name of ['@vscode/codicons', '@tensorflow/tfjs-core', 'onnxruntime-node', 'minizlib', 'typescript'])
      assert.ok(rows.includes(name), name);
    assert.match(text, /### CC-BY-4\.0: @vscode\/codicons/);
  });
});

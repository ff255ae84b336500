import { spawnSync } from 'node:child_process';
import assert from 'node:assert/strict';
import { join } from 'node:path';

describe('wasm: memory', () => {
  it('beyond 4 GiB a tensor is an error, what was there keeps its values, and room that is given back is used again', () => {
    const done = spawnSync(process.execPath, ['--import', 'tsx', join(__dirname, 'wasmMemoryChild.ts')], {
      encoding: 'utf8',
      timeout: 50_000,
    });
    assert.equal(done.status, 0, done.stderr);
  });
});

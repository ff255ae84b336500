import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEncoder } from '../../../trainer/model/encoder/encoder';
import { ENCODER, hasEncoder, installEncoder } from '../../../trainer/model/encoder/install';

describe('the sentence encoder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'coach-encoder-'));
  const env = { COACH_DATA: folder };
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('is not there until it was fetched, and a server that refuses is told with the way out', async () => {
    assert.equal(openEncoder(env), null);
    const archive = { ...ENCODER, url: 'http://127.0.0.1:9/encoder.jar' };
    await assert.rejects(installEncoder({ env, archive }), /could not fetch http:\/\/127\.0\.0\.1:9\/encoder\.jar/);
    assert.equal(hasEncoder(env), false);
  });

  it('of the archive two files are kept, by their names', () => {
    const kept = ['all-minilm-l6-v2-q.onnx', 'all-minilm-l6-v2-q-tokenizer.json', 'META-INF/MANIFEST.MF', '../x.onnx'];
    assert.deepEqual(kept.map(ENCODER.place), ['model.onnx', 'tokenizer.json', null, null]);
  });
});

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readSafetensors } from '../../../trainer/model/weights/safetensors';
import { openEngine } from '../../../trainer/model/engine/engine';
import { readModelConfig } from '../../../trainer/model/network/config';
import { initialWeights } from '../../../trainer/model/nano/initialWeights';
import { pretrain } from '../../../trainer/model/nano/pretrain';

const nano = resolve(__dirname, '../../../trainer/model/nano');

describe('pretrain', () => {
  it('learns with every weight, and goes on from where its folder says it stopped', async () => {
    const out = mkdtempSync(join(tmpdir(), 'coach-pretrain-'));
    const engine = await openEngine({ engine: 'onnx', threads: 1 });
    try {
      await pretrain(engine, nano, out, 8000, false, null, () => {});
      await pretrain(engine, nano, out, 16000, false, null, () => {});
    } finally {
      engine.dispose();
    }
    const log = readFileSync(join(out, 'pretrain.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { step: number; tokens: number; nats: number });
    assert.equal(log.length, 2);
    assert.ok(log[1]!.step > log[0]!.step && log[0]!.tokens >= 8000 && log[1]!.tokens >= 16000, JSON.stringify(log));
    assert.ok(log[1]!.nats < log[0]!.nats, JSON.stringify(log));
    const state = readSafetensors(join(out, 'state.safetensors'));
    for (const [name, { data }] of initialWeights(readModelConfig(nano), 'nano-1')) {
      const after = state.get(name)!.data as Float32Array;
      assert.ok(after.every(Number.isFinite) && after.some((x, i) => x !== data[i]), name);
      assert.ok(
        (state.get(`${name}.exp_avg_sq`)!.data as Float32Array).some((x) => x > 0),
        name,
      );
    }
    rmSync(out, { recursive: true, force: true });
  }).timeout(120_000);
});

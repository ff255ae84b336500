import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { lanesFor } from '../../trainer/evaluation/evaluate';
import { readModelConfig } from '../../trainer/model/network/config';

describe('evaluation: episodes at once', () => {
  const nano = readModelConfig(resolve(__dirname, '../../trainer/model/nano'));
  it('64 of the embedded model; of a large one as many as a cache of 1 GB holds, and never fewer than 8', () => {
    assert.equal(lanesFor(nano, { maxTokens: 512 }), 64);
    // SmolLM2-135M: 30 layers, 3 key heads of 64: 47 MB for an episode of 1024 tokens
    const smol = { ...nano, layers: 30, kvHeads: 3, headDim: 64 };
    assert.deepEqual(
      [lanesFor(smol, { maxTokens: 1024 }), lanesFor(smol, { maxTokens: 512 }), lanesFor(smol, { maxTokens: 8192 })],
      [16, 32, 8],
    );
    assert.equal(lanesFor(smol, { maxTokens: 320, quantize: 'q4' }), 8, 'in 4 bits a quarter of the cache');
  });
});

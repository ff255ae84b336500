import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { lanesFor } from '../../trainer/evaluation/evaluate';
import { readModelConfig } from '../../trainer/model/config';

describe('evaluation: episodes at once', () => {
  const nano = readModelConfig(resolve(__dirname, '../../trainer/nano'));
  it('64 of the embedded model; of a large one as many as a cache of 1 GB holds, and never fewer than 8', () => {
    assert.equal(lanesFor(nano, 512), 64);
    // SmolLM2-135M: 30 layers, 3 key heads of 64: 47 MB for an episode of 1024 tokens
    const smol = { ...nano, layers: 30, kvHeads: 3, headDim: 64 };
    assert.deepEqual([lanesFor(smol, 1024), lanesFor(smol, 512), lanesFor(smol, 8192)], [16, 32, 8]);
  });
});

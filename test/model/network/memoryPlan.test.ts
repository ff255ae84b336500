import assert from 'node:assert/strict';
import type { ModelConfig } from '../../../trainer/model/network/config';
import { memoryPlan, type PlannedRun } from '../../../trainer/model/network/memoryPlan';

/** d 8, 2 layers, 2 heads of 4 on 1 key head, f 16, 10 words. */
const model: ModelConfig = {
  family: 'llama',
  vocabSize: 10,
  hiddenSize: 8,
  layers: 2,
  heads: 2,
  kvHeads: 1,
  headDim: 4,
  intermediateSize: 16,
  rmsNormEps: 1e-5,
  ropeTheta: 1e4,
  ropeFactors: null,
  tiedEmbeddings: true,
  attentionBias: false,
  qkNorm: false,
  maxPositions: 64,
  eosIds: [1],
  padId: 0,
};
const run: PlannedRun = {
  model,
  tools: 0,
  isPacked: false,
  adapter: { rank: 2, targets: ['q_proj', 'down_proj'] },
  frozenAdapters: 0,
  maxTokens: 32,
  lanes: 4,
  cached: 28,
  prompt: { whole: 10, shared: 4 },
  batch: { sequences: 3, isBehind: false, prefix: 4, rows: 2, length: 16, trained: 32 },
  compared: 20,
  isHeld: true,
  isHeadTrained: false,
  isCheckpointed: false,
  isCompiled: true,
};

describe('memory plan', () => {
  it('weights, adapter, optimiser and cache by hand', () => {
    const plan = memoryPlan(run);
    // embedding 10*8, last norm 8; a layer: norms 8+8, q and o 8*8, k and v 4*8, gate, up, down 16*8; rotary tables
    // 2*32*4
    assert.equal(plan.weights, 4 * (80 + 8 + 2 * (16 + 2 * 64 + 2 * 32 + 3 * 128) + 256));
    // rank 2: q 8+8, down 16+8, of 2 layers
    assert.equal(plan.adapter, 4 * 2 * 2 * (16 + 24));
    assert.deepEqual([plan.optimiser, plan.reference], [4 * plan.adapter, 0]);
    // keys and values, 2 layers, 4 lanes, 1 head, 28 tokens, 4 numbers; and 4 tokens once
    assert.equal(plan.kv, 4 * 2 * 2 * 1 * (4 * 28 + 4) * 4);
  });

  it('packed weights by hand: bits, scale and offset; on a compiled engine once more for decoding', () => {
    const [projections, rest] = [2 * (2 * 64 + 2 * 32 + 3 * 128), 4 * (8 + 2 * 16 + 256)];
    assert.equal(
      memoryPlan({ ...run, isPacked: true, isCompiled: false }).weights,
      projections * 0.75 + 80 * 1.25 + rest,
    );
    assert.equal(memoryPlan({ ...run, isPacked: true }).weights, 2 * (projections * 0.75 + 80 * 1.25) + rest);
  });

  it('activations and logits by hand', () => {
    const plan = memoryPlan(run);
    // a token: norms 4*8, queries and what was seen 8+8, key and value 4+4, 3*16, 2 targets of rank 2; 4 + 2*16 tokens
    const perToken = 32 + 16 + 8 + 48 + 4;
    // softmax of 2 heads: 4*4 of the prefix, 2 rows of 16 queries on 4+16 keys; and 2 copies of the prefix's keys and
    // values
    const attention = 2 * (16 + 2 * 16 * 20) + 2 * 1 * 4 * 2 * 4;
    assert.equal(plan.activations, Math.round(4 * 2 * (36 * perToken + attention) * 1.1));
    assert.equal(plan.logits, 4 * 6 * 32 * 10);
    assert.equal(
      memoryPlan({ ...run, compared: 50 }).logits,
      4 * 6 * 50 * 10,
      'what is compared at once may be more than what is trained',
    );
    assert.equal(memoryPlan({ ...run, isHeld: false }).logits, 4 * 4 * 32 * 10);
    const again = memoryPlan({ ...run, isCheckpointed: true });
    assert.equal(
      memoryPlan({ ...run, adapter: { rank: 2, targets: ['q_proj'] } }).activations,
      Math.round(4 * 2 * (36 * (perToken - 16 - 2) + attention) * 1.1),
      'what gate and up make is kept only where its product is trained',
    );
    assert.equal(again.activations, Math.round(4 * (2 * 36 * 8 + 2 * (36 * perToken + attention)) * 1.1));
    // of a vocabulary of 2^20 the logits of 8 tokens are a piece
    const large = { ...run, model: { ...model, vocabSize: 1 << 20 } };
    const logits = (how: Partial<PlannedRun>): number => memoryPlan({ ...large, ...how }).logits;
    assert.deepEqual(
      [logits({}), logits({ isHeadTrained: true }), logits({ isHeadTrained: true, isCheckpointed: true })],
      [4 * 8 + 2 * 32, 6 * 32, 4 * 8 + 2 * 32].map((n) => 4 * (1 << 20) * n),
    );
  });

  it('each tool takes 0.4 MB beside the program: 2,000 of them 800 MB', () => {
    assert.equal(memoryPlan({ ...run, tools: 2_000 }).overhead - memoryPlan(run).overhead, 800e6);
    assert.equal(memoryPlan({ ...run, tools: 2_000 }).total - memoryPlan(run).total, 800e6);
  });

  it('training and decoding take turns; the rest is there all the time', () => {
    const { weights, reference, adapter, optimiser, kv, activations, logits, decoding, overhead, total } = memoryPlan({
      ...run,
      frozenAdapters: 1,
    });
    assert.equal(reference, adapter);
    const training = activations + logits;
    assert.ok(decoding > training, 'of a model this small');
    assert.equal(
      total,
      weights + reference + adapter + optimiser + kv + overhead + decoding + Math.round(training / 2),
    );
    const large = memoryPlan({ ...run, batch: { ...run.batch, rows: 4000 } });
    assert.ok(large.activations > large.decoding);
    assert.equal(
      large.total,
      weights + adapter + optimiser + kv + overhead + large.activations + large.logits + Math.round(decoding / 2),
    );
  });

  it('decoding by hand: the tokens computed at once, and the cache while it grows', () => {
    // 4096 tokens: 3 copies of 2 layers' keys and values of 4 numbers, 3 of one layer's 2 heads on 32 keys
    const atOnce = 4 * (3 * 2 * 2 * 4 * 4096 + 3 * 2 * 4096 * 32);
    const { kv, decoding } = memoryPlan(run);
    assert.equal(decoding, atOnce + 0.5 * kv);
    const large = { ...model, layers: 60, headDim: 128 }; // 61,440 bytes a token: 1,085 of them are 200 MB three times
    assert.equal(
      memoryPlan({ ...run, model: large }).decoding,
      4 * 1085 * (3 * 2 * 60 * 128 + 3 * 2 * 32) + 0.5 * memoryPlan({ ...run, model: large }).kv,
    );
    assert.equal(
      memoryPlan({ ...run, model: large, prompt: { whole: 704, shared: 4 } }).decoding -
        0.5 * memoryPlan({ ...run, model: large, prompt: { whole: 704, shared: 4 } }).kv,
      4 * 1400 * (3 * 2 * 60 * 128 + 3 * 2 * 32),
      'two prompts at least',
    );
  });

  it('op by op everything between stays, too', () => {
    const [compiled, eager] = [memoryPlan(run), memoryPlan({ ...run, isCompiled: false })];
    assert.equal(Math.round(eager.activations / compiled.activations), 5);
    assert.ok(eager.logits > compiled.logits);
    assert.equal(eager.weights, compiled.weights);
  });
});

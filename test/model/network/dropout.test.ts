import assert from 'node:assert/strict';
import * as tf from '@tensorflow/tfjs';
import type { CausalLM } from '../../../trainer/model/network/causalLM';
import type { ModelConfig } from '../../../trainer/model/network/config';
import { drawNoise, withDropout } from '../../../trainer/model/network/dropout';
import { Random } from '../../../trainer/base/random';

const config: ModelConfig = {
  family: 'llama',
  vocabSize: 64,
  hiddenSize: 96,
  layers: 2,
  heads: 4,
  kvHeads: 2,
  headDim: 16,
  intermediateSize: 160,
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
const names = ['q_proj', 'k_proj'].map((p) => `model.layers.1.self_attn.${p}`);

describe('dropout in front of an adapter', () => {
  it('drops the share that is asked for, in each row and column, otherwise in each projection; what is left is scaled, and so is its gradient', () => {
    const pair = { a: tf.zeros([1, 96]), b: tf.zeros([1, 1]) };
    const model = {
      config,
      adapter: { pairs: new Map(names.map((name) => [name, pair])), scaling: 1 },
    } as unknown as CausalLM;
    const noise = drawNoise(config, 400, Random.fromSeed(1));
    const rate = 0.25;
    const { dropout } = withDropout(model, rate, noise).adapter!;
    const x = tf.ones([400, 96]);
    const [q, k] = names.map((name) => dropout!(x, name).arraySync() as number[][]);
    const kept = (list: number[]): number => list.filter((value) => value > 0).length / list.length;
    assert.deepEqual([...new Set(q!.flat())].map((value) => Math.round(value * 1e5) / 1e5).sort(), [0, 1.33333]);
    assert.ok(Math.abs(kept(q!.flat()) - (1 - rate)) < 0.02);
    for (const row of q!) assert.ok(Math.abs(kept(row) - (1 - rate)) < 0.25);
    for (let i = 0; i < 96; i++) assert.ok(Math.abs(kept(q!.map((row) => row[i]!)) - (1 - rate)) < 0.15);
    const other = k!.flat();
    const alike = q!.flat().filter((value, i) => value === other[i]).length / other.length;
    assert.ok(Math.abs(alike - ((1 - rate) ** 2 + rate ** 2)) < 0.05, `${alike}: independent ones agree by chance`);
    const gradient = tf
      .grad((y) => tf.sum(dropout!(y, names[0]!)))(x)
      .arraySync() as number[][];
    const flat = q!.flat();
    assert.ok(gradient.flat().every((value, i) => Math.abs(value - flat[i]!) < 1e-6));
    assert.equal(withDropout({ ...model, adapter: null }, rate, noise).adapter, null);
  });
});

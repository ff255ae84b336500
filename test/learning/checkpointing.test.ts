import assert from 'node:assert/strict';
import * as tf from '@tensorflow/tfjs';
import { makeBatch, type TrainedTrace } from '../../trainer/learning/batch';
import { openEngine, type Engine, type EngineName } from '../../trainer/model/engine/engine';
import { causalLM } from '../../trainer/model/network/causalLM';
import { weightShapes, type ModelConfig } from '../../trainer/model/network/config';
import { createTrainable } from '../../trainer/model/network/trained';
import { ADAMW_DEFAULTS, createAdamW } from '../../trainer/learning/optimizer/adamw';
import { TrainStep, type Loss } from '../../trainer/learning/trainStep';
import { Random } from '../../trainer/base/random';
import { SMALL_QWEN3 } from './helpers';

/** A vocabulary so large that the logits of 256 tokens take two pieces. */
const config: ModelConfig = { ...SMALL_QWEN3, vocabSize: 65_536 };

/** Sequences of one prompt of 40 tokens; the others are trained. */
const group = (seed: number, lengths: number[], allowed: TrainedTrace['allowed'] = new Map()): TrainedTrace[] =>
  lengths.map((length, i) => {
    const ids = Array.from({ length }, (_, t) =>
      t < 40 ? (t * 7919) % 65_536 : ((seed + i) * 104_729 + t * 1299) % 65_536,
    );
    return {
      trace: { tokens: { ids, logprobs: ids.map(() => -1), completionMask: ids.map((_, t) => (t >= 40 ? 1 : 0)) } },
      allowed,
    };
  });

/** @param bonus of the entropies; without, they are only told */
const lossOf =
  (bonus: number): Loss =>
  ({ logprobs, entropies }, { completionMask }, [weights]) => ({
    loss: tf.sub(
      tf.neg(tf.sum(tf.mul(tf.mul(logprobs, completionMask), weights!))),
      bonus === 0 ? 0 : tf.mul(tf.sum(tf.mul(tf.mul(entropies, completionMask), weights!)), bonus),
    ) as tf.Scalar,
    statistics: {
      entropy: tf.keep(tf.div(tf.sum(tf.mul(entropies, completionMask)), tf.sum(completionMask))) as tf.Scalar,
    },
  });

describe('gradient checkpointing', function () {
  this.timeout(120_000);
  let engine: Engine;
  afterEach(() => engine.dispose());

  const groups = {
    free: [group(1, [90, 110, 70]), group(5, [100])],
    held: [
      group(3, [60, 75], new Map([[45, Int32Array.from({ length: 60_000 }, (_, i) => i)]])).map((one) => ({
        ...one,
        temperatures: { text: 0.7, calls: 0.7 },
      })),
    ],
  };

  async function gradientsOf(
    isCheckpointed: boolean,
    { bonus = 0, rate = 0, updates = 0, isWhole = false, isThroughLogits = false } = {},
  ): Promise<{ told: Record<string, number>[]; sums: number[][]; norm: number }> {
    const random = Random.fromSeed('checkpointing');
    const weights = new Map(
      [...weightShapes(config)].map(
        ([name, shape]) =>
          [
            name,
            tf.keep(
              tf.tensor(
                Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, () =>
                  name.endsWith('norm.weight') ? 1 : random.normal() * 0.2,
                ),
                shape,
              ),
            ),
          ] as const,
      ),
    );
    const plain = causalLM(config, weights, 256);
    const trained = createTrainable(
      plain,
      isWhole ? 'whole' : { rank: 2, alpha: 4, targets: ['q_proj', 'v_proj', 'down_proj'] },
      random,
    );
    if (!isWhole)
      for (const v of Object.values(trained.variables))
        tf.tidy(() =>
          v.assign(
            tf.tensor(
              Float32Array.from({ length: v.size }, () => random.normal() * 0.1),
              v.shape,
            ),
          ),
        );
    const model = trained.on({ ...plain, isCheckpointed });
    const optimizer = createAdamW(engine, trained.variables, ADAMW_DEFAULTS);
    const trainer = new TrainStep(engine, model, trained.variables, optimizer, lossOf(bonus), {
      maxGradNorm: 1e9,
      learnsEntropy: bonus > 0 || isThroughLogits,
      dropout: rate > 0 ? { rate, random, updates } : null,
    });
    const told: Record<string, number>[] = [];
    for (const batchOf of [groups.free, groups.held, groups.free]) {
      const batch = makeBatch(batchOf, config.vocabSize);
      const weight = tf.tensor2d(
        Float32Array.from({ length: batch.sequences * batch.columns }, (_, i) => Math.sin(i)),
        [batch.sequences, batch.columns],
      );
      told.push(await trainer.accumulate(batch, [weight]));
      batch.dispose();
      weight.dispose();
    }
    const sums = (trainer as unknown as { sums: Float32Array[] }).sums.map((s) => [...s]);
    const norm = await trainer.apply(0.1, 1);
    trained.dispose();
    tf.dispose([...weights.values(), plain.rotary.cos, plain.rotary.sin]);
    return { told, sums, norm };
  }

  for (const [name, options] of [
    ['onnx', {}],
    ['wasm', {}],
    ['onnx', { bonus: 0.3, rate: 0.2 }],
    ['onnx', { isWhole: true }],
    ['wasm', { isWhole: true }],
  ] as [EngineName, { bonus?: number; rate?: number; isWhole?: boolean }][]) {
    it(`${name}${options.rate ? ', with an entropy bonus and dropout' : options.isWhole ? ', all weights trained' : ''}: losses, statistics and the gradients of every matrix are those without; no tensor is left`, async () => {
      engine = await openEngine({ engine: name, threads: 1 });
      const before = tf.memory().numTensors;
      const [found, expected] = [
        await gradientsOf(true, options),
        await gradientsOf(false, { ...options, isThroughLogits: true }),
      ];
      const near = (a: number, b: number, scale: number, what: string): void =>
        assert.ok(Math.abs(a - b) <= 1e-5 * scale, `${what}: ${a}, without ${b}`);
      assert.deepEqual(found.told.map(Object.keys), expected.told.map(Object.keys));
      found.told.forEach((one, i) =>
        Object.entries(one).forEach(([key, value]) =>
          near(value, expected.told[i]![key]!, Math.max(1, Math.abs(value)), `${i} ${key}`),
        ),
      );
      const largest = expected.sums.flat().reduce((most, x) => Math.max(most, Math.abs(x)), 0);
      assert.ok(
        largest > 0.1 && expected.sums.every((each) => each.some((x) => x !== 0)),
        'every matrix has a gradient',
      );
      found.sums.forEach((each, i) =>
        each.forEach(
          (x, j) =>
            Math.abs(x - expected.sums[i]![j]!) <= 1e-5 * largest ||
            near(x, expected.sums[i]![j]!, largest, `matrix ${i}, ${j}`),
        ),
      );
      near(found.norm, expected.norm, expected.norm, 'norm');
      assert.equal(tf.memory().numTensors, before);
    });
  }

  it('the gradient that is made with the logits of a piece is that through all logits', async () => {
    engine = await openEngine({ engine: 'onnx', threads: 1 });
    const [found, expected] = [await gradientsOf(false), await gradientsOf(false, { isThroughLogits: true })];
    const largest = expected.sums.flat().reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    assert.ok(largest > 0.1);
    found.sums.forEach((each, i) =>
      each.forEach((x, j) =>
        assert.ok(
          Math.abs(x - expected.sums[i]![j]!) <= 1e-5 * largest,
          `matrix ${i}, ${j}: ${x}, through logits ${expected.sums[i]![j]}`,
        ),
      ),
    );
    assert.deepEqual(
      found.told.map((one) => one['entropy']!.toFixed(4)),
      expected.told.map((one) => one['entropy']!.toFixed(4)),
    );
  });

  it('an entropy bonus and dropout change gradients; what is dropped is told by the seed and the updates before', async () => {
    engine = await openEngine({ engine: 'onnx', threads: 1 });
    const sums = async (options: Parameters<typeof gradientsOf>[1]): Promise<string> =>
      JSON.stringify((await gradientsOf(false, options)).sums);
    const [plain, bonus, dropped, again, later] = [
      await sums({}),
      await sums({ bonus: 0.3 }),
      await sums({ rate: 0.2 }),
      await sums({ rate: 0.2 }),
      await sums({ rate: 0.2, updates: 1 }),
    ];
    assert.equal(new Set([plain, bonus, dropped, later]).size, 4);
    assert.equal(again, dropped);
  });
});

import assert from 'node:assert/strict';
import * as tf from '@tensorflow/tfjs';
import { makeBatch, type TrainedTrace } from '../../trainer/learning/batch';
import { loadBaseModel, type BaseModel } from '../../trainer/model/weights/baseModel';
import { openEngine, type Engine } from '../../trainer/model/engine/engine';
import { createAdapter, type Adapter } from '../../trainer/model/network/adapter';
import { hiddenStates, logitsOf } from '../../trainer/model/network/causalLM';
import { selectedLogprobs } from '../../trainer/model/network/logprobs';
import { ADAMW_DEFAULTS, createAdamW } from '../../trainer/learning/optimizer/adamw';
import { score } from '../../trainer/learning/tokenScores';
import { TrainStep, type Loss } from '../../trainer/learning/trainStep';
import { Random } from '../../trainer/base/random';
import { makeTinyModel } from '../fixtures/tinyModel';

const text = (n: number, seed: number): number[] =>
  Array.from({ length: n }, (_, i) => 300 + ((seed * 7919 + i * 37) % 1500));
/** A prompt of 40 tokens, a call, its result, an answer; call and answer are trained. */
const rollout = (call: number, result: number, answer: number): TrainedTrace => {
  const [written, given, said] = [text(12, call), text(15, result), text(20, answer)];
  const ids = [...text(40, 1), ...written, ...given, ...said];
  return {
    trace: {
      tokens: {
        ids,
        logprobs: ids.map(() => -1),
        completionMask: ids.map((_, t) => (t >= 40 && (t < 52 || t >= 67) ? 1 : 0)),
      },
    },
    allowed: new Map(),
  };
};

/** Each sequence's logprobs by the sequence's own weight. */
const loss: Loss = ({ logprobs }, { completionMask }, [weights]) => ({
  loss: tf.neg(tf.sum(tf.mul(tf.mul(logprobs, completionMask), weights!))) as tf.Scalar,
  statistics: {},
});

describe('tokens that sequences have in common', () => {
  let engine: Engine;
  let base: BaseModel;
  let adapter: Adapter;
  before(async () => {
    engine = await openEngine({ engine: 'onnx', threads: 1 });
    base = loadBaseModel(makeTinyModel(), 128);
    const random = Random.fromSeed('shared');
    adapter = createAdapter(
      base.model.config,
      { rank: 2, alpha: 4, targets: ['q_proj', 'v_proj', 'down_proj'] },
      random,
    );
    for (const v of Object.values(adapter.variables))
      tf.tidy(() =>
        v.assign(
          tf.tensor(
            Float32Array.from({ length: v.size }, () => random.normal() * 0.1),
            v.shape,
          ),
        ),
      );
  });
  after(() => {
    adapter.dispose();
    base.dispose();
    engine.dispose();
  });

  async function gradientsOf(
    batches: { sequence: TrainedTrace; weight: number }[][],
  ): Promise<{ loss: number; sums: number[][]; tokens: number }> {
    const optimizer = createAdamW(engine, adapter.variables, ADAMW_DEFAULTS);
    const trainer = new TrainStep(
      engine,
      { ...base.model, adapter: { pairs: adapter.pairs, scaling: adapter.scaling } },
      adapter.variables,
      optimizer,
      loss,
      { maxGradNorm: 1e9 },
    );
    let [total, tokens] = [0, 0];
    for (const one of batches) {
      const batch = makeBatch([one.map(({ sequence }) => sequence)], base.model.config.vocabSize);
      const weights = tf.tensor2d(one.map(({ weight }) => [weight]));
      total += (await trainer.accumulate(batch, [weights]))['loss']!;
      tokens += batch.tokens;
      weights.dispose();
      batch.dispose();
    }
    const sums = (trainer as unknown as { sums: Float32Array[] }).sums.map((s) => [...s]);
    return { loss: total, sums, tokens };
  }

  it('are computed once, with the loss and the gradients of each sequence by itself', async () => {
    // one prompt; two equal to the last token, one that parts at its answer, one at its call
    const group = [
      [2, 3, 4],
      [2, 3, 4],
      [2, 3, 5],
      [6, 7, 8],
    ].map(([call, result, answer], i) => ({
      sequence: rollout(call!, result!, answer!),
      weight: [1, -0.3, 0.5, -1.2][i]!,
    }));
    const [together, apart] = [await gradientsOf([group]), await gradientsOf(group.map((one) => [one]))];
    assert.deepEqual([together.tokens, apart.tokens], [40 + 12 + 15 + 19 + 19 + (12 + 15 + 19), 4 * 86]);
    assert.ok(Math.abs(together.loss - apart.loss) < 1e-4 * Math.abs(apart.loss));
    const largest = Math.max(...apart.sums.flat().map(Math.abs));
    assert.ok(largest > 0.1);
    together.sums.forEach((each, i) =>
      each.forEach((x, j) =>
        assert.ok(
          Math.abs(x - apart.sums[i]![j]!) < 1e-4 * largest,
          `matrix ${i}, ${j}: ${x}, apart ${apart.sums[i]![j]}`,
        ),
      ),
    );
  });

  it('give each sequence the logprobs of plain text, whatever their number, also where their padding stands beyond the last place', () => {
    const short = loadBaseModel(makeTinyModel(), 110); // 97 in common take 128 places
    for (const [model, prompt, length] of [
      [base.model, 33, 60],
      [base.model, 64, 80],
      [base.model, 65, 100],
      [short.model, 98, 110],
    ] as const) {
      const group = [2, 3, 4].map((seed): TrainedTrace => {
        const ids = [...text(prompt, 1), ...text(length - prompt, seed)];
        return {
          trace: {
            tokens: { ids, logprobs: ids.map(() => -1), completionMask: ids.map((_, t) => (t >= prompt ? 1 : 0)) },
          },
          allowed: new Map(),
        };
      });
      tf.tidy(() => {
        const batch = makeBatch([group], model.config.vocabSize);
        assert.equal(batch.prefix.size % 32, 0);
        const packed = score(model, batch, 'nothing').logprobs.arraySync();
        const plain = selectedLogprobs(
          logitsOf(
            model,
            hiddenStates(
              model,
              tf.tensor2d(
                group.map(({ trace }) => trace.tokens.ids.slice(0, -1)),
                [3, length - 1],
                'int32',
              ),
            ),
          ) as tf.Tensor2D,
          tf.tensor1d(
            group.flatMap(({ trace }) => trace.tokens.ids.slice(1)),
            'int32',
          ),
        ).arraySync();
        group.forEach((_, i) => {
          for (let t = prompt; t < length; t++)
            assert.ok(
              Math.abs(packed[i]![t - prompt]! - plain[i * (length - 1) + t - 1]!) < 1e-4,
              `${prompt}, sequence ${i}, token ${t}`,
            );
        });
        batch.dispose();
      });
    }
    short.dispose();
  });
});

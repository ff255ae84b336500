/** Rows of tokens behind the vocabulary, beside a model whose embedding has them. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as tf from '@tensorflow/tfjs';
import { Random } from '../../../trainer/base/random';
import { score, type Inputs } from '../../../trainer/learning/tokenScores';
import { makeBatch } from '../../../trainer/learning/batch';
import { Decoder } from '../../../trainer/model/decoding/decoder';
import { DecoderGraphs } from '../../../trainer/model/decoding/decoderGraphs';
import { openEngine, type Engine } from '../../../trainer/model/engine/engine';
import { createTrainable } from '../../../trainer/model/network/trained';
import type { CausalLM } from '../../../trainer/model/network/causalLM';
import { EMBEDDING } from '../../../trainer/model/network/projections';
import { loadBaseModel } from '../../../trainer/model/weights/baseModel';
import { makeTinyModel } from '../../fixtures/tinyModel';
import { tool } from '../../tasks/fixtures';

const ROWS = 'embed_tokens.trainable_tokens_delta';
const tools = [tool('weighCrate', 'Weigh.'), tool('dyeCrate', 'Dye.')];
const near = (a: ArrayLike<number>, b: ArrayLike<number>, within: number): void => {
  assert.equal(a.length, b.length);
  const worst = Array.from(a).reduce((most, x, i) => Math.max(most, Math.abs(x - b[i]!)), 0);
  assert.ok(worst <= within, `differs by ${worst}`);
};

describe('rows of added tokens', function () {
  this.timeout(30_000);
  const folder = mkdtempSync(join(tmpdir(), 'coach-rows-'));
  let engine: Engine;
  before(async () => {
    engine = await openEngine({ engine: 'onnx', threads: 1 });
    makeTinyModel('rows', folder);
  });
  after(async () => {
    rmSync(folder, { recursive: true, force: true });
    await engine.dispose();
  });

  const ids = [40, 100, 2048, 7, 2049, 300];
  const batchOf = () =>
    makeBatch(
      [
        [
          {
            trace: { tokens: { ids, logprobs: ids.map(() => null), completionMask: [0, 0, 1, 1, 1, 1] } },
            allowed: new Map(),
          },
        ],
      ],
      2050,
    );
  const gradientOf = (model: CausalLM, variable: tf.Variable, inputs: Inputs): tf.Tensor =>
    tf.engine().gradients(() => tf.sum(score(model, inputs, 'logprobs').logprobs) as tf.Scalar, [variable]).grads[0]!;

  it('start as the mean of the tokens of the name; logits and gradients are those of a larger embedding', async () => {
    const base = loadBaseModel(folder, 32, { tokensFor: tools });
    const plain = loadBaseModel(folder, 32);
    const embedding = plain.model.weights.get(EMBEDDING) as tf.Tensor2D;
    const rows = base.model.added!.get(EMBEDDING)!;
    const mean = tf.tidy(() => tf.mean(tf.gather(embedding, plain.tokenizer.encode('weighCrate')), 0));
    near((await rows.data()).slice(0, 32), await mean.data(), 1e-6);

    const trained = createTrainable(base.model, { rank: 2, alpha: 2, targets: ['q_proj'] }, Random.fromSeed(1));
    assert.ok(ROWS in trained.variables);
    const larger = tf.variable(tf.concat([embedding, rows]), true);
    const whole: CausalLM = {
      ...plain.model,
      config: base.model.config,
      weights: new Map([...plain.model.weights, [EMBEDDING, larger]]),
      isWhollyTrained: true,
    };
    const batch = batchOf();
    const ours = gradientOf(trained.on(base.model), trained.variables[ROWS]!, batch);
    const theirs = gradientOf(whole, larger, batch);
    near(await ours.data(), (await theirs.data()).slice(2048 * 32), 1e-5);
    const checkpointed = gradientOf(
      { ...trained.on(base.model), isCheckpointed: true },
      trained.variables[ROWS]!,
      batch,
    );
    near(await checkpointed.data(), await ours.data(), 1e-6);
    const [frozen, free] = [score(base.model, batch, 'nothing'), score(whole, batch, 'nothing')];
    near(await frozen.logprobs.data(), await free.logprobs.data(), 1e-5);

    const logits = async (model: CausalLM): Promise<Float32Array> => {
      const decoder = new Decoder(new DecoderGraphs(engine, model));
      await decoder.start([ids.slice(0, 4)]);
      const [out] = await decoder.step([{ lane: 0, ids: ids.slice(4) }]);
      decoder.close();
      return out!.slice();
    };
    near(await logits(base.model), await logits(whole), 1e-4);

    const read = await trained.read();
    assert.deepEqual(read.get(ROWS)!.shape, [2, 32]);
    read.get(ROWS)!.data.fill(0.5);
    trained.load(read);
    near(await trained.variables[ROWS]!.data(), new Float32Array(64).fill(0.5), 0);
    batch.dispose();
    trained.dispose();
    base.dispose();
    plain.dispose();
  });

  it('a base in 4 bits keeps them in float32, and trains them', async () => {
    const base = loadBaseModel(folder, 32, { quantize: 'q4', tokensFor: tools });
    const trained = createTrainable(base.model, { rank: 2, alpha: 2, targets: ['q_proj'] }, Random.fromSeed(1));
    const batch = batchOf();
    const gradient = await gradientOf(trained.on(base.model), trained.variables[ROWS]!, batch).data();
    assert.ok(gradient.some((x) => x !== 0) && gradient.every(Number.isFinite));
    batch.dispose();
    trained.dispose();
    base.dispose();
  });
});

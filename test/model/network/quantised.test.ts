import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as tf from '@tensorflow/tfjs';
import { loadBaseModel, type BaseModel } from '../../../trainer/model/weights/baseModel';
import { loadWeights } from '../../../trainer/model/weights/weights';
import { openEngine, type Engine, type EngineName } from '../../../trainer/model/engine/engine';
import { dequantise } from '../../../trainer/model/engine/packedWeights';
import { createAdapter } from '../../../trainer/model/network/adapter';
import { hiddenStates, logitsOf, type CausalLM } from '../../../trainer/model/network/causalLM';
import { Decoder } from '../../../trainer/model/decoding/decoder';
import { DecoderGraphs } from '../../../trainer/model/decoding/decoderGraphs';
import { leastRows } from '../../../trainer/model/decoding/leastRows';
import { selectedLogprobs } from '../../../trainer/model/network/logprobs';
import { UserError } from '../../../trainer/protocol/result';
import { Random } from '../../../trainer/base/random';
import { aloneAndBeside, ids } from '../../fixtures/aloneAndBeside';
import { makeFamilyModel, makeTinyModel } from '../../fixtures/tinyModel';
import { logitsOfAll } from './logits';

const maxDifference = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Array.from(a).reduce((m, x, i) => Math.max(m, Math.abs(x - b[i]!)), 0);

/** The same model with float32 copies of its packed weights. */
function inFloats({ model }: BaseModel): CausalLM {
  const { packed, ...plain } = model;
  return {
    ...plain,
    weights: new Map([
      ...model.weights,
      ...[...packed!.weights].map(([name, weights]) => [name, dequantise(weights)] as const),
    ]),
  };
}
const disposeCopies = (floats: CausalLM, { model }: BaseModel): void =>
  tf.dispose([...floats.weights].flatMap(([name, t]) => (model.packed!.weights.has(name) ? [t] : [])));

/** Gradients of the mean log probability of the next token with respect to every LoRA matrix. */
async function gradients(engine: Engine, model: CausalLM): Promise<Float32Array[]> {
  const adapter = createAdapter(
    model.config,
    { rank: 4, alpha: 8, targets: ['q_proj', 'v_proj', 'o_proj', 'up_proj', 'down_proj'] },
    Random.fromSeed('lora'),
  );
  for (const [name, v] of Object.entries(adapter.variables))
    if (name.endsWith('lora_B'))
      tf.tidy(() =>
        v.assign(
          tf.add(
            v,
            tf.tensor(
              Float32Array.from({ length: v.size }, (_, i) => Math.sin(i) / 10),
              v.shape,
            ),
          ),
        ),
      ); // else A has no gradient
  const policy: CausalLM = { ...model, adapter: { pairs: adapter.pairs, scaling: adapter.scaling } };
  const trained = Object.values(adapter.variables);
  const step = engine.jit((text: tf.Tensor, targets: tf.Tensor) => {
    const { grads } = tf.variableGrads(
      () =>
        tf.mean(selectedLogprobs(logitsOf(policy, hiddenStates(policy, text)) as tf.Tensor2D, targets as tf.Tensor1D)),
      trained,
    );
    return trained.map((v) => grads[v.name]!);
  });
  const text = tf.tensor2d([...ids(12, 4), ...ids(12, 90)], [2, 12], 'int32');
  const targets = tf.tensor1d(ids(24, 7), 'int32');
  const out = step(text, targets);
  const read = await Promise.all(out.map(async (g) => Float32Array.from(await g.data())));
  tf.dispose([...out, text, targets]);
  adapter.dispose();
  return read;
}

describe('a model in 4 bits', () => {
  let engine: Engine;
  const folders: string[] = [];
  const tiny = (): string => folders[folders.push(makeTinyModel()) - 1]!;
  afterEach(() => engine.dispose());
  after(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

  for (const name of ['onnx', 'cpu'] as EngineName[]) {
    it(`${name}: logits and LoRA gradients are those of its weights in float32; no tensor is left`, async () => {
      engine = await openEngine({ engine: name, threads: 1 });
      const before = tf.memory().numTensors;
      for (const folder of [
        tiny(),
        ...(name === 'onnx' ? [makeFamilyModel('qwen2_5', 'four', mkdtempSync(join(tmpdir(), 'coach-four-')))] : []),
      ]) {
        const base = loadBaseModel(folder, 64, { quantize: 'q4' });
        const floats = inFloats(base);
        const [ours, theirs] = [
          await logitsOfAll(engine, base.model, [ids(20, 3), ids(7, 50)]),
          await logitsOfAll(engine, floats, [ids(20, 3), ids(7, 50)]),
        ];
        ours.forEach((logits, i) =>
          assert.ok(maxDifference(logits, theirs[i]!) < 1e-4, `logits off by ${maxDifference(logits, theirs[i]!)}`),
        );
        const [g, expected] = [await gradients(engine, base.model), await gradients(engine, floats)];
        const largest = Math.max(...expected.flatMap((each) => [...each].map(Math.abs)));
        assert.ok(largest > 1e-3);
        g.forEach((each, i) =>
          assert.ok(
            maxDifference(each, expected[i]!) < 1e-4 * largest,
            `gradient ${i} off by ${maxDifference(each, expected[i]!)} of ${largest}`,
          ),
        );
        disposeCopies(floats, base);
        base.dispose();
      }
      assert.equal(tf.memory().numTensors, before);
    });
  }

  it('decodes through the cache as its weights in float32 do; with activations of 8 bits nearly', async () => {
    engine = await openEngine({ engine: 'onnx', threads: 1 });
    const base = loadBaseModel(tiny(), 128, { quantize: 'q4', decoding: 'float32' });
    const floats = inFloats(base);
    const decode = async (model: CausalLM): Promise<Float32Array[]> => {
      const decoder = new Decoder(new DecoderGraphs(engine, model));
      const all = await decoder.start([ids(9, 1), ids(30, 40), ids(9, 1)]);
      for (let t = 0; t < 4; t++)
        all.push(...(await decoder.step([0, 1, 2].map((lane) => ({ lane, ids: ids(t === 2 ? 3 : 1, lane + t) })))));
      decoder.close();
      return all;
    };
    const expected = await decode(floats);
    (await decode(base.model)).forEach((logits, i) =>
      assert.ok(maxDifference(logits, expected[i]!) < 1e-4, `${i}: off by ${maxDifference(logits, expected[i]!)}`),
    );
    const largest = Math.max(...expected[0]!);
    const fast = await decode({ ...base.model, packed: { ...base.model.packed!, decoding: 'int8' } });
    const off = fast.map((logits, i) => maxDifference(logits, expected[i]!) / largest);
    assert.ok(Math.max(...off) < 0.1, `int8 is off by ${Math.max(...off)}`);
    disposeCopies(floats, base);
    base.dispose();
  });

  for (const decoding of ['int8', 'float32'] as const)
    it(`a lane's logits are the same to the bit, alone or beside others, decoding by ${decoding}`, async () => {
      engine = await openEngine({ engine: 'onnx', threads: 2 });
      const base = loadBaseModel(tiny(), 256, { quantize: 'q4', decoding });
      const before = tf.memory().numTensors;
      for (const prefix of [[], ids(16, 9)]) {
        const graphs = new DecoderGraphs(engine, base.model);
        const { alone, beside } = await aloneAndBeside(graphs, prefix);
        for (const logits of beside) assert.deepEqual(logits, alone);
        graphs.forget();
      }
      const rows = leastRows(engine, base.model);
      assert.ok(rows === 1 || rows === 2);
      assert.equal(tf.memory().numTensors, before);
      base.dispose();
    });

  it('decodes with two graphs, behind what all begin with and without, whatever the sizes are by chance', async () => {
    engine = await openEngine({ engine: 'onnx', threads: 1 });
    const base = loadBaseModel(tiny(), 512, { quantize: 'q4' });
    const { statistics } = tf.backend() as unknown as { statistics: { open: number } };
    const graphs = new DecoderGraphs(engine, base.model);
    const decode = async (prompts: number[][], fed: number[], prefix: number[] = []): Promise<void> => {
      const decoder = new Decoder(graphs, prefix);
      await decoder.start(prompts);
      for (const count of [1, ...fed])
        await decoder.step(prompts.map((_, lane) => ({ lane, ids: ids(lane === 0 ? count : 1, lane) })));
      decoder.close();
    };
    const own = (lanes: number, length: number): number[][] =>
      Array.from({ length: lanes }, (_, lane) => ids(length, lane));
    await decode(own(8, 30), [3]);
    await decode(own(1, 60), [20]);
    await decode(own(16, 250), []);
    await decode(
      own(1, 30).flatMap((prompt) => [prompt, prompt, prompt]),
      [3],
    );
    assert.equal(statistics.open, 1);
    for (const [lanes, length] of [
      [8, 30],
      [8, 200],
      [2, 32],
    ] as const)
      await decode(
        own(lanes, length).map((prompt) => [...ids(32, 500), ...prompt]),
        [30],
        ids(32, 500),
      );
    assert.equal(statistics.open, 2);
    graphs.forget();
    assert.equal(statistics.open, 0);
    await decode(own(8, 30), [3]);
    assert.equal(statistics.open, 1);
    base.dispose();
  });

  it('holds no float copy of what is packed, and says what it holds', async () => {
    engine = await openEngine({ engine: 'cpu' });
    const base = loadBaseModel(tiny(), 64, { quantize: 'q4' });
    assert.deepEqual(
      [...base.model.weights.keys()].filter((name) => !name.endsWith('norm.weight')),
      [],
    );
    assert.equal(base.model.packed!.weights.size, 2 * 7 + (base.model.config.tiedEmbeddings ? 1 : 2));
    assert.match(
      base.packing!,
      /^the base model is held in 14 matrices of 4 bits and [12] of 8, 0 of them as the file has them and 1[56] rounded: \d+ MB instead of \d+$/,
    );
    base.dispose();
  });

  it('refuses rows that no block divides, with the way out', async () => {
    engine = await openEngine({ engine: 'cpu' });
    const before = tf.memory().numTensors;
    const odd = { name: 'a', shape: [2, 24], where: 'x.safetensors', read: () => new Float32Array(48) };
    assert.throws(
      () => loadWeights(new Map([['a', [2, 24]]]), [odd], 'x', () => 4),
      (e) =>
        e instanceof UserError &&
        /tensor a has rows of 24, no multiple of 16, so it can't be held in 4 bits/.test(e.message) &&
        e.hint === 'set quantize to none',
    );
    assert.equal(tf.memory().numTensors, before);
  });
});

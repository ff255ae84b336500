import assert from 'node:assert/strict';
import * as tf from '@tensorflow/tfjs';
import { loadBaseModel, type BaseModel } from '../../../trainer/model/weights/baseModel';
import { openEngine, type Engine } from '../../../trainer/model/engine/engine';
import type { OnnxBackend } from '../../../trainer/model/engine/onnx/backend';
import { createAdapter } from '../../../trainer/model/network/adapter';
import { causalLM, hiddenStates, logitsOf } from '../../../trainer/model/network/causalLM';
import { weightShapes, type ModelConfig } from '../../../trainer/model/network/config';
import { Decoder } from '../../../trainer/model/decoding/decoder';
import { DecoderGraphs } from '../../../trainer/model/decoding/decoderGraphs';
import { leastRows } from '../../../trainer/model/decoding/leastRows';
import { fillRows, packRows, TokenTree } from '../../../trainer/model/network/packedRows';
import { sampleId } from '../../../trainer/model/decoding/sample';
import { Random } from '../../../trainer/base/random';
import { aloneAndBeside, ids, readFirst } from '../../fixtures/aloneAndBeside';
import { makeTinyModel } from '../../fixtures/tinyModel';

const maxDifference = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Array.from(a).reduce((m, x, i) => Math.max(m, Math.abs(x - b[i])), 0);

describe('the language model', () => {
  let engine: Engine;
  let base: BaseModel;
  before(async () => {
    engine = await openEngine({ engine: 'onnx', threads: 1 });
    base = loadBaseModel(makeTinyModel(), 100); // fewer positions than the 128 that 71 tokens are padded to
  });
  after(() => {
    base.dispose();
    engine.dispose();
  });
  /** logits after each token of a whole sequence, the slow way */
  async function slow(sequence: number[]): Promise<Float32Array[]> {
    const logits = tf.tidy(() =>
      logitsOf(base.model, hiddenStates(base.model, tf.tensor2d(sequence, [1, sequence.length], 'int32'))),
    );
    const data = (await logits.data()) as Float32Array;
    logits.dispose();
    return sequence.map((_, t) => data.subarray(t * 2048, (t + 1) * 2048));
  }

  it('computes what sequences begin with once, and what all rows begin with once for all, with the result of each sequence alone', async () => {
    const common = ids(16, 1);
    const [prompt, other] = [ids(9, 50), ids(4, 700)];
    const call = [...prompt, ...ids(5, 100)];
    const sequences = [
      call,
      [...call, ...ids(3, 8)],
      [...call, ...ids(4, 9)],
      [...prompt, ...ids(7, 900)],
      call,
      [...other, ...ids(6, 11)],
      [...other, ...ids(2, 12)],
    ];
    const { rows, places } = fillRows(sequences, 28);
    assert.deepEqual(
      rows.map((tree) => tree.size),
      [9 + 5 + 3 + 4 + 7, 4 + 6 + 2],
    );
    const packed = packRows(rows, 32, common.length);
    const all = tf.tidy(() =>
      hiddenStates(base.model, tf.tensor2d(packed.ids, [2, 32], 'int32'), {
        prefix: tf.tensor1d(common, 'int32'),
        positions: tf.tensor2d(packed.positions, [2, 32], 'int32'),
        mask: tf.tensor4d(packed.mask, [2, 1, 32, 48]),
      }),
    );
    const logits = tf.tidy(() => logitsOf(base.model, all));
    const data = await logits.data();
    for (const [i, sequence] of sequences.entries()) {
      const alone = await slow([...common, ...sequence]);
      const { row, places: inRow } = places[i]!;
      for (let t = 0; t < sequence.length; t++) {
        const place = common.length + row * 32 + inRow[t]!;
        assert.ok(
          maxDifference(data.slice(place * 2048, (place + 1) * 2048), alone[common.length + t]) < 1e-4,
          `sequence ${i}, token ${t}`,
        );
      }
    }
    tf.dispose([all, logits]);
  });

  it('puts a sequence where it adds the fewest tokens, of the rows with room', () => {
    const { rows, places } = fillRows(
      [
        [1, 2, 3, 4],
        [5, 6, 7],
        [1, 2, 3, 9],
        [5, 6, 8, 9],
        [5, 6, 7],
      ],
      6,
    );
    assert.deepEqual(
      rows.map((tree) => tree.ids),
      [
        [1, 2, 3, 4, 9],
        [5, 6, 7, 8, 9],
      ],
    );
    assert.deepEqual(
      places.map(({ row, places: inRow }) => [row, ...inRow]),
      [
        [0, 0, 1, 2, 3],
        [1, 0, 1, 2],
        [0, 0, 1, 2, 4],
        [1, 0, 1, 3, 4],
        [1, 0, 1, 2],
      ],
    );
    assert.deepEqual(rows[1]!.parents, [-1, 0, 1, 1, 3]);
    assert.equal(new TokenTree().missing([1, 2]), 2);
  });

  for (const common of [[], ids(16, 9)])
    it(`decodes with its cache what the whole forward gives, whatever the lane feeds at once, behind ${common.length} common tokens`, async () => {
      const before = tf.memory().numTensors;
      const prompts = [ids(11, 3), ids(20, 77), ids(11, 3)].map((own) => [...common, ...own]);
      const decoder = new Decoder(new DecoderGraphs(engine, base.model), common);
      const first = await decoder.start(prompts);
      for (const [i, p] of prompts.entries()) assert.ok(maxDifference(first[i], (await slow(p))[p.length - 1]) < 1e-4);
      const more = [ids(1, 40), ids(6, 41), ids(2, 42)];
      const second = await decoder.step(more.map((m, lane) => ({ lane, ids: m })));
      for (const [i, p] of prompts.entries())
        assert.ok(maxDifference(second[i], (await slow([...p, ...more[i]])).at(-1)!) < 1e-4);
      decoder.release([0]);
      const third = await decoder.step([{ lane: 1, ids: [400] }]);
      assert.ok(maxDifference(third[0], (await slow([...prompts[1], ...more[1], 400])).at(-1)!) < 1e-4);
      decoder.close();
      assert.equal(tf.memory().numTensors, before);
    });

  it('reads prompts and results of any length with one graph each', async () => {
    const { statistics } = tf.backend() as unknown as OnnxBackend;
    const graphs = new DecoderGraphs(engine, base.model);
    const readAll = async (prompt: number, result: number): Promise<void> => {
      const decoder = new Decoder(graphs);
      await decoder.start([ids(prompt, 3), ids(prompt + 1, 5)]);
      await decoder.step([{ lane: 0, ids: ids(result, 7) }]);
      decoder.close();
    };
    await readAll(9, 5);
    const { compiles } = statistics;
    await readAll(40, 20);
    await readAll(70, 3);
    assert.equal(statistics.compiles, compiles);
    graphs.forget();
  });

  it('decodes the same for lanes that share a row, part, catch up with each other and end', async () => {
    const before = tf.memory().numTensors;
    const decoder = new Decoder(new DecoderGraphs(engine, base.model));
    const read = [0, 1, 2, 3].map(() => ids(9, 5));
    await decoder.start(read);
    const step = async (feeds: Record<number, number[]>): Promise<void> => {
      const logits = await decoder.step(
        Object.entries(feeds).map(([lane, more]) => ({ lane: Number(lane), ids: more })),
      );
      for (const [i, [lane, more]] of Object.entries(feeds).entries()) {
        read[Number(lane)]!.push(...more);
        assert.ok(
          maxDifference(logits[i], (await slow(read[Number(lane)]!)).at(-1)!) < 1e-4,
          `lane ${lane} behind ${read[Number(lane)]!.length}`,
        );
      }
    };
    await step({ 0: [3], 1: [3], 2: [4], 3: [3] });
    await step({ 0: ids(40, 7) });
    await step({ 1: ids(40, 7), 2: ids(40, 7) }); // lane 1 takes what lane 0 has read
    await step({ 0: [8], 1: [8], 3: [...ids(40, 7), 8] }); // all three alike again
    decoder.release([0, 2]);
    await step({ 1: [9], 3: [9] });
    decoder.release([0, 1, 2]);
    await step({ 3: ids(5, 60) });
    decoder.close();
    assert.equal(tf.memory().numTensors, before);
  });

  for (const [heads, kvHeads, isSmall] of [
    [4, 2, false],
    [4, 2, true],
    [4, 4, false],
    [4, 4, true],
  ] as const)
    it(`${heads} heads with ${kvHeads} of keys, weights ${isSmall ? 'held by the graphs' : 'given'}: a lane's logits are the same to the bit, alone or beside lanes that read one token or many`, async () => {
      const config: ModelConfig = {
        ...base.model.config,
        hiddenSize: 192,
        intermediateSize: 320,
        heads,
        kvHeads,
        headDim: 48,
      };
      const random = Random.fromSeed('wide');
      const weights = new Map(
        [...weightShapes(config)].map(([name, shape]) => [
          name,
          tf.tensor(
            Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, () => random.normal() * 0.1),
            [...shape],
          ),
        ]),
      );
      const plain = { ...causalLM(config, weights, 256), isSmall };
      const adapter = createAdapter(config, { rank: 4, alpha: 8, targets: ['q_proj', 'down_proj'] }, random);
      for (const [name, v] of Object.entries(adapter.variables))
        if (name.endsWith('lora_B'))
          tf.tidy(() =>
            v.assign(
              tf.tensor(
                Float32Array.from({ length: v.size }, () => random.normal() * 0.1),
                v.shape,
              ),
            ),
          );
      for (const [model, prefix] of [
        [plain, []],
        [plain, ids(16, 9)],
        [{ ...plain, adapter }, []],
      ] as const) {
        const graphs = new DecoderGraphs(engine, model);
        const { alone, beside } = await aloneAndBeside(graphs, prefix);
        for (const logits of beside) assert.deepEqual(logits, alone);
        // where the products of few and of many differ it depends on how many came together
        const two = (of?: number): Promise<Float32Array[]> =>
          readFirst(graphs, prefix, [ids(9, 5)], [[{ lane: 0, ids: ids(2, 1), ...(of ? { of } : {}) }]]);
        if (!isSmall) assert.notDeepEqual(await two(20), await two());
        graphs.forget();
      }
      assert.equal(leastRows(engine, { ...plain, adapter }), 2); // adapters change, so they are not packed
      adapter.dispose();
      tf.dispose([...weights.values(), plain.rotary.cos, plain.rotary.sin]);
    });

  it('samples from the allowed ids alone, by their probabilities, with the logprob of that distribution', () => {
    const logits = Float32Array.from([0, 5, Math.log(3), 0]); // allowed 2 and 3: 3/4 and 1/4
    const random = Random.fromSeed(1);
    let twos = 0;
    for (let i = 0; i < 2000; i++) {
      const { id, logprob } = sampleId(logits, [2, 3], 1, random);
      assert.ok(id === 2 || id === 3);
      assert.ok(Math.abs(logprob - Math.log(id === 2 ? 0.75 : 0.25)) < 1e-6);
      if (id === 2) twos++;
    }
    assert.ok(Math.abs(twos / 2000 - 0.75) < 0.04, `${twos}`);
    assert.equal(sampleId(logits, null, 0, random).id, 1);
  });
});

import assert from 'node:assert/strict';
import * as tf from '@tensorflow/tfjs';
import { loadBaseModel, type BaseModel } from '../../trainer/checkpoint/baseModel';
import { openEngine, type Engine } from '../../trainer/engine/engine';
import { hiddenStates, logitsOf } from '../../trainer/model/causalLM';
import { Decoder, DecoderGraphs } from '../../trainer/model/decoder';
import { fillRows, packedLength, packRows } from '../../trainer/model/packedRows';
import { sampleId } from '../../trainer/model/sample';
import { Random } from '../../trainer/random';
import { makeTinyModel } from '../fixtures/tinyModel';

const maxDifference = (a: ArrayLike<number>, b: ArrayLike<number>): number => Array.from(a).reduce((m, x, i) => Math.max(m, Math.abs(x - b[i])), 0);

describe('the language model', function () {
  let engine: Engine;
  let base: BaseModel;
  before(async () => {
    engine = await openEngine({ engine: 'onnx', threads: 1 });
    base = loadBaseModel(makeTinyModel(), 128);
  });
  after(() => {
    base.dispose();
    engine.dispose();
  });
  const ids = (n: number, from: number): number[] => Array.from({ length: n }, (_, i) => 300 + ((from + i * 37) % 1500));
  /** logits after each token of a whole sequence, the slow way */
  async function slow(sequence: number[]): Promise<Float32Array[]> {
    const logits = tf.tidy(() => logitsOf(base.model, hiddenStates(base.model, tf.tensor2d(sequence, [1, sequence.length], 'int32'))));
    const data = (await logits.data()) as Float32Array;
    logits.dispose();
    return sequence.map((_, t) => data.subarray(t * 2048, (t + 1) * 2048));
  }

  it('computes a shared prefix once, and what all rows begin with once for all, with the result of each branch alone', async () => {
    const common = ids(16, 1);
    const groups = [{ prefix: ids(9, 50), branches: [ids(5, 100), ids(7, 900), ids(3, 5)] }, { prefix: ids(4, 700), branches: [ids(6, 11), ids(2, 12)] }];
    assert.equal(packedLength(groups[0]), 24);
    const { rows, places } = fillRows(groups, 24);
    assert.deepEqual(rows.map((row) => row.map((p) => p.branches.length)), [[3], [2]]);
    const packed = packRows(rows, 32, common.length);
    const all = tf.tidy(() => hiddenStates(base.model, tf.tensor2d(packed.ids, [2, 32], 'int32'), {
      prefix: tf.tensor1d(common, 'int32'), positions: tf.tensor2d(packed.positions, [2, 32], 'int32'), mask: tf.tensor4d(packed.mask, [2, 1, 32, 48]),
    }));
    const logits = tf.tidy(() => logitsOf(base.model, all));
    const data = await logits.data();
    for (const [g, { prefix, branches }] of groups.entries()) {
      for (const [b, branch] of branches.entries()) {
        const alone = await slow([...common, ...prefix, ...branch]);
        const { row, piece, branch: inPiece } = places[g][b];
        for (let t = 0; t < branch.length; t++) {
          const place = common.length + packed.place(row, piece, inPiece, t);
          assert.ok(maxDifference(data.slice(place * 2048, (place + 1) * 2048), alone[common.length + prefix.length + t]) < 1e-4, `group ${g}, branch ${b}, token ${t}`);
        }
      }
    }
    tf.dispose([all, logits]);
  });

  it('puts a branch where it fits, behind its prefix again where it is the first of its group there', () => {
    const { rows, places } = fillRows([{ prefix: ids(4, 1), branches: [ids(5, 1), ids(5, 2), ids(1, 3)] }, { prefix: [], branches: [ids(5, 4)] }], 10);
    assert.deepEqual(rows.map((row) => row.map(packedLength)), [[10], [9], [5]]);
    assert.deepEqual(places, [[{ row: 0, piece: 0, branch: 0 }, { row: 1, piece: 0, branch: 0 }, { row: 0, piece: 0, branch: 1 }], [{ row: 2, piece: 0, branch: 0 }]]);
  });

  for (const common of [[], ids(16, 9)]) it(`decodes with its cache what the whole forward gives, whatever the lane feeds at once, behind ${common.length} common tokens`, async () => {
    const before = tf.memory().numTensors;
    const prompts = [ids(11, 3), ids(20, 77), ids(11, 3)].map((own) => [...common, ...own]);
    const decoder = new Decoder(new DecoderGraphs(engine, base.model), common);
    const first = await decoder.start(prompts);
    for (const [i, p] of prompts.entries()) assert.ok(maxDifference(first[i], (await slow(p))[p.length - 1]) < 1e-4);
    const more = [ids(1, 40), ids(6, 41), ids(2, 42)];
    const second = await decoder.step(more.map((m, lane) => ({ lane, ids: m })));
    for (const [i, p] of prompts.entries()) assert.ok(maxDifference(second[i], (await slow([...p, ...more[i]])).at(-1)!) < 1e-4);
    decoder.release([0]);
    const third = await decoder.step([{ lane: 1, ids: [400] }]);
    assert.ok(maxDifference(third[0], (await slow([...prompts[1], ...more[1], 400])).at(-1)!) < 1e-4);
    decoder.close();
    assert.equal(tf.memory().numTensors, before);
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

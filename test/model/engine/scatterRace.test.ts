import * as tf from '@tensorflow/tfjs';
import assert from 'node:assert/strict';
import { openEngine, type Engine } from '../../../trainer/model/engine/engine';

/**
 * ONNX Runtime 1.30's ScatterND with reduction add loses sums when rows repeat and two threads run; ScatterElements
 * does not. Whole numbers, so sums are exact.
 */
describe('onnx: sums over repeated rows with 2 threads', () => {
  let engine: Engine;
  before(async () => {
    engine = await openEngine({ engine: 'onnx', threads: 2 });
  });
  after(() => engine.dispose());

  for (const [rows, width, table] of [
    [2048, 192, 2048],
    [4096, 64, 512],
  ] as const) {
    // few distinct rows, so that many threads would meet: row i adds to (i % table) % 13
    const index = Int32Array.from({ length: rows }, (_, i) => (i % table) % 13);
    const values = Float32Array.from({ length: rows * width }, (_, i) => (i * 7919) % 9);
    const expected = new Float64Array(table * width);
    index.forEach((row, i) => {
      for (let j = 0; j < width; j++) expected[row * width + j]! += values[i * width + j]!;
    });
    const wrong = (sums: ArrayLike<number>): number => expected.reduce((n, e, i) => n + Number(e !== sums[i]), 0);
    const cases: [string, (x: tf.Tensor, i: tf.Tensor) => tf.Tensor][] = [
      ['unsortedSegmentSum', (x, i) => tf.unsortedSegmentSum(x, i as tf.Tensor1D, table)],
      ['scatterND', (x, i) => tf.scatterND(tf.reshape(i, [rows, 1]), x, [table, width])],
      ['gradient of gather', (x, i) => tf.grad((t) => tf.sum(tf.mul(tf.gather(t, i), x)))(tf.zeros([table, width]))],
      [
        'scatterND into a sum',
        (x, i) =>
          tf.sub(
            tf.add(
              tf.scatterND(tf.reshape(i, [rows, 1]), x, [table, width]),
              tf.broadcastTo(tf.slice(x, [0, 0], [1, width]), [table, width]),
            ),
            tf.slice(x, [0, 0], [1, width]),
          ),
      ],
    ];
    for (const [name, run] of cases) {
      it(`${name}, ${rows} rows of ${width}`, () => {
        const [x, i] = [tf.tensor2d(values, [rows, width]), tf.tensor1d(index, 'int32')];
        const step = engine.jit((a: tf.Tensor, b: tf.Tensor) => run(a, b));
        for (let round = 0; round < 12; round++) {
          const y = step(x, i);
          assert.equal(wrong(y.dataSync()), 0, `round ${round}`);
          y.dispose();
        }
        tf.dispose([x, i]);
      });
    }
  }
});

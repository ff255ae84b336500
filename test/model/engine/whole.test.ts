import * as tf from '@tensorflow/tfjs';
import assert from 'node:assert/strict';
import { openEngine, type Engine } from '../../../trainer/model/engine/engine';
import { frozen, thinProduct, wholeProduct, wholeProducts } from '../../../trainer/model/engine/whole';
import { attention, rmsNorm, rotary, swiGlu } from '../../../trainer/model/network/layers';

const numbers = (n: number, from: number): Float32Array =>
  Float32Array.from({ length: n }, (_, i) => Math.sin(from + i * 1.7));
const close = (actual: tf.Tensor, expected: tf.Tensor): void => {
  assert.deepEqual(actual.shape, expected.shape);
  const [a, b] = [actual.dataSync(), expected.dataSync()];
  b.forEach((x, i) => assert.ok(Math.abs(x - a[i]!) < 1e-5, `${i}: ${a[i]} is not ${x}`));
};

for (const name of ['onnx', 'cpu'] as const) {
  describe(`whole ops on ${name}`, () => {
    let engine: Engine;
    let before: number;
    beforeEach(async () => {
      engine = await openEngine({ engine: name, threads: 1 });
      before = tf.memory().numTensors;
    });
    afterEach(() => {
      assert.equal(tf.memory().numTensors, before, 'tensors left over');
      engine.dispose();
    });

    it('and their gradients are what tfjs composes', () =>
      tf.tidy(() => {
        const sum = (y: tf.Tensor, weights: tf.Tensor): tf.Tensor => tf.sum(tf.mul(y, weights));
        /** the same value and the same gradients to all inputs */
        const alike = (
          ours: (...inputs: tf.Tensor[]) => tf.Tensor,
          plain: (...inputs: tf.Tensor[]) => tf.Tensor,
          inputs: tf.Tensor[],
        ): void => {
          const value = ours(...inputs);
          close(value, plain(...inputs));
          const pull = tf.tensor(numbers(value.size, 9), value.shape);
          const [own, expected] = [ours, plain].map((f) =>
            tf.grads((...given: tf.Tensor[]) => sum(f(...given), pull))(inputs),
          ) as [tf.Tensor[], tf.Tensor[]];
          own.forEach((gradient, i) => close(gradient, expected[i]!));
        };
        const [b, n, t, d] = [2, 3, 5, 8];
        const x = tf.tensor4d(numbers(b * n * t * d, 1), [b, n, t, d]);
        const other = tf.tensor4d(numbers(x.size, 2), [b, n, t, d]);
        const norm = tf.tensor1d(numbers(d, 3));
        const plainNorm = (y: tf.Tensor, w: tf.Tensor): tf.Tensor =>
          tf.mul(tf.mul(y, tf.rsqrt(tf.add(tf.mean(tf.square(y), -1, true), 1e-5))), w);
        alike((y, w) => rmsNorm(y, w, 1e-5, 'all'), plainNorm, [x, norm]);
        alike(
          (y) => rmsNorm(y, norm, 1e-5, 'input'),
          (y) => plainNorm(y, norm),
          [x],
        );
        close(rmsNorm(x, norm, 1e-5, 'none'), plainNorm(x, norm));
        const plainGate = (gate: tf.Tensor, up: tf.Tensor): tf.Tensor => tf.mul(tf.mul(gate, tf.sigmoid(gate)), up);
        alike((gate, up) => swiGlu(gate, up, 'input'), plainGate, [x, other]);
        close(swiGlu(x, other, 'none'), plainGate(x, other));

        // angles of each sequence's own places, and of places that all have
        for (const rows of [b, 1]) {
          const angle = tf.reshape(tf.tensor1d(numbers((rows * t * d) / 2, 4)), [rows, 1, t, d / 2]);
          const [cos, sin] = [
            tf.concat([tf.cos(angle), tf.cos(angle)], -1),
            tf.concat([tf.neg(tf.sin(angle)), tf.sin(angle)], -1),
          ];
          const plainTurn = (y: tf.Tensor): tf.Tensor =>
            tf.add(
              tf.mul(y, cos),
              tf.mul(
                tf.concat(
                  [tf.slice(y, [0, 0, 0, d / 2], [b, n, t, d / 2]), tf.slice(y, [0, 0, 0, 0], [b, n, t, d / 2])],
                  -1,
                ),
                sin,
              ),
            );
          alike((y) => rotary(cos, sin).k(y), plainTurn, [x]);
          alike(
            (y) => rotary(cos, sin).q(y),
            (y) => tf.mul(plainTurn(y), 1 / Math.sqrt(d)),
            [x],
          );
        }

        const [q, k, v] = [6, 7, 8].map((from, i) =>
          tf.tensor3d(numbers(b * (i === 0 ? 6 : 5) * d, from), [b, i === 0 ? 6 : 5, d]),
        ) as [tf.Tensor, tf.Tensor, tf.Tensor];
        const mask = tf.tensor4d(
          Float32Array.from({ length: 3 * 5 }, (_, i) => (i % 4 === 3 ? -1e9 : 0)),
          [1, 1, 3, 5],
        );
        const plainAttention =
          (m: tf.Tensor) =>
          (...[queries, keys, values]: tf.Tensor[]): tf.Tensor =>
            tf.matMul(
              tf.reshape(tf.softmax(tf.add(tf.reshape(tf.matMul(queries!, keys!, false, true), [b, 2, 3, 5]), m)), [
                b,
                6,
                5,
              ]),
              values!,
            );
        alike(
          (...[queries, keys, values]) => attention(queries!, keys!, values!, mask, [b, 2, 3, 5]),
          plainAttention(mask),
          [q, k, v],
        );
        alike(
          (...[queries, keys, values]) => attention(queries!, keys!, values!, null, [b, 2, 3, 5]),
          plainAttention(tf.zeros([1])),
          [q, k, v],
        );
      }));

    for (const isFrozen of [false, true])
      it(`a product, added to something, with weights that ${isFrozen ? 'the graph holds' : 'are given'}`, () => {
        const weights = tf.tensor2d(numbers(4 * 6, 5), [4, 6]);
        const others = tf.tensor2d(numbers(3 * 6, 8), [3, 6]);
        const given = (): tf.Tensor => (isFrozen ? frozen(weights) : weights);
        const run = engine.jit(
          (x: tf.Tensor, onto: tf.Tensor) => [
            wholeProduct(x, given()),
            wholeProduct(x, given(), onto),
            wholeProduct(x, given(), onto, 1.5),
            ...(isFrozen
              ? [...wholeProducts(x, [others, weights, others]), ...wholeProducts(x, [others, others, weights])]
              : []),
          ],
          'a step',
        );
        for (const rows of [2, 7])
          tf.tidy(() => {
            const [x, onto] = [
              tf.tensor2d(numbers(rows * 6, 6), [rows, 6]),
              tf.tensor2d(numbers(rows * 4, 7), [rows, 4]),
            ];
            const [plain, added, scaled, ...several] = run(x, onto) as [
              tf.Tensor,
              tf.Tensor,
              tf.Tensor,
              ...tf.Tensor[],
            ];
            const product = tf.matMul(x, weights, false, true);
            close(plain, product);
            close(added, tf.add(onto, product));
            close(scaled, tf.add(onto, tf.mul(product, 1.5)));
            several.forEach((y, i) => close(y, i === 1 || i === 5 ? product : tf.matMul(x, others, false, true)));
          });
        run.forget();
        tf.dispose([weights, others]);
      });
  });
}

it('onnx: a product of few rows is the usual one, and each row is the same to the bit whatever rows are beside it', async () => {
  const engine = await openEngine({ engine: 'onnx', threads: 2 });
  for (const [out, inputs] of [
    [192, 576],
    [576, 1536],
    [512, 64],
  ] as const)
    tf.tidy(() => {
      const w = tf.tensor2d(numbers(out * inputs, 1), [out, inputs]);
      const x = numbers(300 * inputs, 2);
      const of = (rows: number): Float32Array =>
        thinProduct(tf.tensor2d(x.subarray(0, rows * inputs), [rows, inputs]), w).dataSync() as Float32Array;
      const all = of(300);
      const usual = tf.matMul(tf.tensor2d(x, [300, inputs]), w, false, true).dataSync();
      all.forEach((y, i) =>
        assert.ok(Math.abs(y - usual[i]!) < 1e-5 * (1 + Math.abs(y)), `${i}: ${y} is not ${usual[i]}`),
      );
      for (const rows of [2, 3, 8, 15, 16, 17, 32, 40, 64, 256])
        assert.deepEqual(of(rows), all.subarray(0, rows * out), `${rows} rows of ${inputs}`);
    });
  engine.dispose();
});

it('onnx: weights that the graph is to hold must come from outside of it', async () => {
  const engine = await openEngine({ engine: 'onnx', threads: 1 });
  const run = engine.jit((x: tf.Tensor, w: tf.Tensor) => wholeProduct(x, frozen(w)));
  tf.tidy(() =>
    assert.throws(
      () => run(tf.zeros([2, 3]), tf.zeros([4, 3])),
      /Frozen.*must be a tensor from outside of the recorded function/,
    ),
  );
  engine.dispose();
});

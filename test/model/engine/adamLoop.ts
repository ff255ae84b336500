/**
 * A small training loop on the onnx engine: embedding, matmul, softmax, AdamW, all in one jitted step. Run as a
 * program it prints a hash of every weight.
 */
import * as tf from '@tensorflow/tfjs';
import { createHash } from 'node:crypto';
import { openEngine, type Engine } from '../../../trainer/model/engine/engine';

const vocab = 64;
const dim = 32;
const rows = 48;

function numbers(count: number, seed: number): Float32Array {
  let state = seed;
  return Float32Array.from({ length: count }, () => ((state = (state * 16807) % 2147483647) / 2147483647 - 0.5) * 0.4);
}

export function makeLoop(engine: Engine) {
  const variable = (shape: number[], seed: number): tf.Variable =>
    tf.tidy(() =>
      tf.variable(
        tf.tensor(
          numbers(
            shape.reduce((a, b) => a * b, 1),
            seed,
          ),
          shape,
        ),
      ),
    );
  const weights = [variable([vocab, dim], 1), variable([dim, dim], 2), variable([dim], 3)];
  const slots = weights.map((w) =>
    tf.tidy(() => ({ w, m: tf.variable(tf.zerosLike(w)), v: tf.variable(tf.zerosLike(w)) })),
  );
  const [table, mix, bias] = weights as [tf.Variable, tf.Variable, tf.Variable];
  const step = engine.jit((ids: tf.Tensor, targets: tf.Tensor, lr: tf.Tensor, count: tf.Tensor) => {
    const { value, grads } = tf.variableGrads(() => {
      const hidden = tf.tanh(tf.add(tf.matMul(tf.gather(table, ids), mix as unknown as tf.Tensor2D), bias));
      const logprobs = tf.logSoftmax(tf.matMul(hidden, table as unknown as tf.Tensor2D, false, true));
      return tf.neg(tf.mean(tf.sum(tf.mul(logprobs, tf.oneHot(targets, vocab)), 1))) as tf.Scalar;
    }, weights);
    for (const { w, m, v } of slots) {
      const g = grads[w.name]!;
      m.assign(tf.add(tf.mul(m, 0.9), tf.mul(g, 0.1)));
      v.assign(tf.add(tf.mul(v, 0.999), tf.mul(tf.square(g), 0.001)));
      const mean = tf.div(m, tf.sub(1, tf.pow(0.9, count)));
      const square = tf.div(v, tf.sub(1, tf.pow(0.999, count)));
      w.assign(tf.sub(tf.mul(w, 0.9999), tf.mul(lr, tf.div(mean, tf.add(tf.sqrt(square), 1e-8)))));
    }
    return value;
  });
  return {
    /** One step on batch `n`; the loss. */
    run(n: number): number {
      const place = (i: number, k: number): number => (i * k + n * 17) % vocab;
      const args = [
        tf.tensor1d(
          Int32Array.from({ length: rows }, (_, i) => place(i, 5)),
          'int32',
        ),
        tf.tensor1d(
          Int32Array.from({ length: rows }, (_, i) => place(i, 11)),
          'int32',
        ),
        tf.scalar(0.01 / (1 + n / 100)),
        tf.scalar(n + 1),
      ] as const;
      const loss = step(...args);
      const [value] = loss.dataSync();
      tf.dispose([loss, ...args]);
      return value!;
    },
    state: (): Float32Array[] => slots.flatMap(({ w, m, v }) => [w, m, v]).map((t) => t.dataSync() as Float32Array),
    load(state: Float32Array[]): void {
      slots
        .flatMap(({ w, m, v }) => [w, m, v])
        .forEach((t, i) => tf.tidy(() => t.assign(tf.tensor(state[i]!, t.shape))));
    },
    dispose: (): void => tf.dispose(slots.flatMap(({ w, m, v }) => [w, m, v])),
  };
}
export const hashOf = (state: Float32Array[]): string => {
  const hash = createHash('sha256');
  for (const s of state) hash.update(new Uint8Array(s.buffer, s.byteOffset, s.byteLength));
  return hash.digest('hex');
};

/** `adamLoop.ts <steps> <other work first>` */
async function main(): Promise<void> {
  const [steps, noise] = process.argv.slice(2).map(Number) as [number, number];
  const engine = await openEngine({ engine: 'onnx', threads: 2 });
  if (noise) {
    // other graphs, shapes, pending tensors and even another model in the same process: none of it may change the steps
    tf.tidy(() => tf.softmax(tf.mul(tf.range(0, 10), 3)).dataSync());
    const other = makeLoop(engine);
    other.run(5);
    tf.keep(tf.neg(tf.range(0, 7)));
    other.dispose();
  }
  const loop = makeLoop(engine);
  for (let n = 0; n < steps; n++) loop.run(n);
  console.log(`hash ${hashOf(loop.state())}`);
}
if (process.argv[1]?.endsWith('adamLoop.ts')) void main();

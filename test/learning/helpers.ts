import assert from 'node:assert/strict';
import * as tf from '@tensorflow/tfjs';
import type { ModelConfig } from '../../trainer/model/network/config';

/** A Qwen 3 of a few thousand weights. */
export const SMALL_QWEN3: ModelConfig = {
  family: 'qwen3',
  vocabSize: 512,
  hiddenSize: 16,
  layers: 3,
  heads: 4,
  kvHeads: 2,
  headDim: 8,
  intermediateSize: 24,
  rmsNormEps: 1e-5,
  ropeTheta: 1e4,
  ropeFactors: null,
  tiedEmbeddings: true,
  attentionBias: false,
  qkNorm: true,
  maxPositions: 512,
  eosIds: [1],
  padId: 0,
};

/** mulberry32: uniform in [0, 1), the same for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** rows x columns of uniform values in [low, high). */
export function randomMatrix(
  rows: number,
  columns: number,
  low: number,
  high: number,
  random: () => number,
): number[][] {
  return Array.from({ length: rows }, () => Array.from({ length: columns }, () => low + (high - low) * random()));
}

/**
 * Step of the central difference: in float32 the loss rounds to about 1e-7, so the quotient to 1e-7 / 2e-2 = 5e-6, and
 * the cubic term is 1e-4 / 6 times the third derivative.
 */
const STEP = 1e-2;

export interface GradientCheck {
  /** The loss whose gradient autodiff takes. */
  loss: (x: tf.Tensor) => tf.Scalar;
  /**
   * What to difference; default `loss`. For losses with weights held constant: the loss with the weights frozen at
   * `at`.
   */
  frozen?: (x: tf.Tensor, at: tf.Tensor) => tf.Scalar;
}

/** Autodiff against central differences at every entry of x, within 1e-3 of the largest gradient plus 3e-5. */
export function assertGradient(name: string, x: number[][], { loss, frozen }: GradientCheck): void {
  const columns = x[0].length;
  const flat = x.flat();
  const at = (values: number[]): tf.Tensor2D => tf.tensor2d(values, [x.length, columns]);
  const value = (values: number[]): number =>
    tf.tidy(() => (frozen === undefined ? loss(at(values)) : frozen(at(values), at(flat))).dataSync()[0]);
  const gradient = tf.tidy(() => [
    ...tf
      .grad((input) => loss(input))(at(flat))
      .dataSync(),
  ]);
  const differences = flat.map((entry, i) => {
    const high = Math.fround(entry + STEP);
    const low = Math.fround(entry - STEP);
    return (value(replaced(flat, i, high)) - value(replaced(flat, i, low))) / (high - low);
  });
  const scale = Math.max(...gradient.map(Math.abs), ...differences.map(Math.abs));
  assert.ok(scale > 1e-4, `${name}: all gradients are near 0, the check would show nothing`);
  gradient.forEach((actual, i) => {
    const expected = differences[i];
    assert.ok(
      Math.abs(actual - expected) <= 1e-3 * scale + 3e-5,
      `${name}: gradient[${i}] is ${actual}, central difference ${expected}`,
    );
  });
}

function replaced(values: number[], index: number, value: number): number[] {
  return values.map((old, i) => (i === index ? value : old));
}

/** Frees the statistics of a result and hands on its loss: for gradient checks, which need only the loss. */
export function lossOnly({ loss, statistics }: { loss: tf.Scalar; statistics: Record<string, tf.Scalar> }): tf.Scalar {
  tf.dispose(statistics);
  return loss;
}

/** Runs body and asserts that it left no tensor behind. */
export function assertNoLeak(body: () => void): void {
  const before = tf.memory().numTensors;
  body();
  assert.equal(tf.memory().numTensors, before, 'tensors leaked');
}

/** Runs build with every way to read a tensor's values closed, as in a traced graph. */
export function withoutReading<T>(build: () => T): T {
  const prototype = tf.Tensor.prototype;
  const names = ['data', 'dataSync', 'array', 'arraySync', 'buffer', 'bufferSync', 'bytes'] as const;
  const originals = names.map((name) => Object.getOwnPropertyDescriptor(prototype, name) as PropertyDescriptor);
  const refuse = (name: string) => () => {
    throw new Error(`a value was read with ${name}() while the graph was built`);
  };
  for (const name of names) Object.defineProperty(prototype, name, { configurable: true, value: refuse(name) });
  try {
    return build();
  } finally {
    names.forEach((name, i) => Object.defineProperty(prototype, name, originals[i]));
  }
}

/** Values of statistics; frees them. */
export function read(statistics: Record<string, tf.Scalar>): Record<string, number> {
  const values = Object.fromEntries(Object.entries(statistics).map(([name, scalar]) => [name, scalar.dataSync()[0]]));
  tf.dispose(statistics);
  return values;
}

export function assertClose(actual: number, expected: number, tolerance = 1e-6): void {
  assert.ok(Math.abs(actual - expected) <= tolerance, `expected ${expected}, got ${actual}`);
}

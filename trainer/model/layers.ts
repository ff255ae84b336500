import * as tf from '@tensorflow/tfjs';
import { after } from '../engine/checkpointed';
import { whole } from '../engine/whole';
import type { ModelConfig } from './config';

/** x * rsqrt(mean(x^2) + eps) * weight over the last axis; any rank. Zhang & Sennrich, arXiv:1910.07467. @param isDecoding as one op, without a gradient */
export function rmsNorm(x: tf.Tensor, weight: tf.Tensor, eps: number, isDecoding = false): tf.Tensor {
  if (isDecoding) return whole('RmsNorm', { x, weight }, { epsilon: eps }, () => rmsNorm(x, weight, eps));
  return tf.mul(tf.mul(x, tf.rsqrt(tf.add(tf.mean(tf.square(x), -1, true), eps))), weight);
}

/**
 * SwiGLU's gate: silu(gate) * up. Of what it makes nothing is kept for the gradient: a sigmoid costs less than the memory of it.
 * @param isDecoding with fewer ops, without a gradient
 */
export function swiGlu(gate: tf.Tensor, up: tf.Tensor, isDecoding = false): tf.Tensor {
  if (isDecoding) return tf.mul(whole('Silu', { x: gate }, {}, () => tf.mul(gate, tf.sigmoid(gate))), up);
  const op = tf.customGrad((...args: unknown[]) => {
    const [g, u, save] = args as [tf.Tensor, tf.Tensor, tf.GradSaveFunc];
    save([g, u]);
    return {
      value: tf.mul(tf.mul(g, tf.sigmoid(g)), u),
      gradFunc: (dy: tf.Tensor, saved: tf.Tensor[]) => {
        const again = after(saved[0]!, dy);
        const sigmoid = tf.sigmoid(again);
        const silu = tf.mul(again, sigmoid);
        return [tf.mul(tf.mul(dy, saved[1]!), tf.add(sigmoid, tf.mul(silu, tf.sub(1, sigmoid)))), tf.mul(dy, silu)];
      },
    };
  });
  return op(gate, up);
}

/** Rotary tables [positions, headDim], as typed arrays; sin is pre-signed, so that rotate(x) = concat(x2, x1) * sin. Su et al., arXiv:2104.09864. */
export function rotaryTables(c: ModelConfig, positions: number): { cos: Float32Array; sin: Float32Array } {
  const half = c.headDim / 2;
  const cos = new Float32Array(positions * c.headDim);
  const sin = new Float32Array(positions * c.headDim);
  for (let p = 0; p < positions; p++) {
    for (let i = 0; i < half; i++) {
      const angle = p / c.ropeTheta ** ((2 * i) / c.headDim) / (c.ropeFactors?.[i] ?? 1);
      const at = p * c.headDim + i;
      cos[at] = cos[at + half] = Math.cos(angle);
      sin[at] = -Math.sin(angle);
      sin[at + half] = Math.sin(angle);
    }
  }
  return { cos, sin };
}

/** @param x [..., T, headDim]; cos, sin broadcast to it */
export function rotate(x: tf.Tensor, cos: tf.Tensor, sin: tf.Tensor): tf.Tensor {
  const half = x.shape[x.rank - 1]! / 2;
  const size = [...x.shape.slice(0, -1), half];
  const zero = x.shape.map(() => 0);
  const first = tf.slice(x, zero, size);
  const second = tf.slice(x, [...zero.slice(0, -1), half], size);
  return tf.add(tf.mul(x, cos), tf.mul(tf.concat([second, first], -1), sin));
}

/** How queries, which are scaled for the softmax as well, and keys [B, n, T, headDim] are turned by their tokens' places. */
export interface Rotary {
  q(x: tf.Tensor): tf.Tensor;
  k(x: tf.Tensor): tf.Tensor;
}
/** @param cos of each place, and sin, [B or 1, 1, T, headDim] */
export function rotary(cos: tf.Tensor, sin: tf.Tensor): Rotary {
  return { q: (x) => tf.mul(rotate(x, cos, sin), 1 / Math.sqrt(x.shape.at(-1)!)), k: (x) => rotate(x, cos, sin) };
}
/** With fewer ops, without gradients. */
export function decodingRotary(cos: tf.Tensor, sin: tf.Tensor): Rotary {
  const [b, , t, d] = cos.shape as [number, number, number, number];
  const half = (table: tf.Tensor, from: number): tf.Tensor => tf.slice(tf.reshape(table, [b * t, d]), [0, from], [b * t, d / 2]);
  const turn = (scale: number): ((x: tf.Tensor) => tf.Tensor) => {
    const [c, s] = scale === 1 ? [cos, sin] : [tf.mul(cos, scale), tf.mul(sin, scale)];
    const rows = { cos: half(c, 0), sin: half(s, d / 2) };
    return (x) => whole('RotaryEmbedding', { x, ...rows }, {}, () => rotate(x, c, s));
  };
  return { q: turn(1 / Math.sqrt(d)), k: turn(1) };
}

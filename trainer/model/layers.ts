import * as tf from '@tensorflow/tfjs';
import { after } from '../engine/checkpointed';
import type { ModelConfig } from './config';

/** x * rsqrt(mean(x^2) + eps) * weight over the last axis; any rank. Zhang & Sennrich, arXiv:1910.07467. */
export function rmsNorm(x: tf.Tensor, weight: tf.Tensor, eps: number): tf.Tensor {
  return tf.mul(tf.mul(x, tf.rsqrt(tf.add(tf.mean(tf.square(x), -1, true), eps))), weight);
}

/** SwiGLU's gate: silu(gate) * up. Of what it makes nothing is kept for the gradient: a sigmoid costs less than the memory of it. */
export function swiGlu(gate: tf.Tensor, up: tf.Tensor): tf.Tensor {
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

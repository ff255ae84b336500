import * as tf from '@tensorflow/tfjs';
import { after } from '../engine/checkpointed';
import { whole } from '../engine/whole';
import type { ModelConfig } from './config';

/** What gradients are asked for: none, of a layer's input alone (frozen weights), or of its weights, too. */
export type Wanted = 'none' | 'input' | 'all';

/** x * rsqrt(mean(x^2) + eps) * weight over the last axis; any rank. Zhang & Sennrich, arXiv:1910.07467. */
export function rmsNorm(x: tf.Tensor, weight: tf.Tensor, eps: number, wanted: Wanted): tf.Tensor {
  if (wanted === 'none') return normed(x, weight, eps, false)[0]!;
  const op = tf.customGrad((...args: unknown[]) => {
    const [given, w] = wanted === 'all' ? (args as [tf.Tensor, tf.Tensor]) : [args[0] as tf.Tensor, weight];
    const save = args.at(-1) as tf.GradSaveFunc;
    const [value, inverse] = normed(given, w, eps, true) as [tf.Tensor, tf.Tensor];
    save([given, inverse, w]);
    return {
      value,
      gradFunc: (dy: tf.Tensor, saved: tf.Tensor[]) => {
        const [y, r, gain] = saved as [tf.Tensor, tf.Tensor, tf.Tensor];
        const size = gain.size;
        // both sums are products of one matrix: by the weight along its rows, by the inverses down its columns
        const shared = tf.reshape(tf.mul(dy, y), [-1, size]);
        const pull = tf.mul(
          tf.reshape(tf.matMul(shared, tf.reshape(gain, [size, 1])), r.shape),
          tf.div(tf.mul(r, tf.square(r)), size),
        );
        const dx = tf.sub(tf.mul(tf.mul(dy, gain), r), tf.mul(y, pull));
        return wanted === 'all' ? [dx, tf.reshape(tf.matMul(tf.reshape(r, [1, -1]), shared), [size])] : dx;
      },
    };
  });
  return wanted === 'all' ? op(x, weight) : op(x);
}
/** And, where it is asked for, 1 / sqrt(mean(x^2) + eps), [..., 1]. */
const normed = (x: tf.Tensor, weight: tf.Tensor, eps: number, hasInverse: boolean): tf.Tensor[] =>
  whole('RmsNorm', { x, weight }, { epsilon: eps, hasInverse }, () => {
    const inverse = tf.rsqrt(tf.add(tf.mean(tf.square(x), -1, true), eps));
    return [tf.mul(tf.mul(x, inverse), weight), inverse];
  });

/**
 * SwiGLU's gate: silu(gate) * up. Of what it makes nothing is kept for the gradient: a sigmoid costs less than the
 * memory of it. Nor is its forward pass the one
 * op there: that needs memory of its own, where products overwrite the sigmoid (a checkpointed step of SmolLM2: 1,680
 * and 1,890 MiB).
 */
export function swiGlu(gate: tf.Tensor, up: tf.Tensor, wanted: Wanted): tf.Tensor {
  if (wanted === 'none')
    return tf.mul(
      whole('Silu', { x: gate }, {}, () => tf.mul(gate, tf.sigmoid(gate))),
      up,
    );
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

/** x [..., rows, .] times y for each head; a single row would be rounded otherwise than one of several. */
export function byHead(x: tf.Tensor, y: tf.Tensor, isTransposed = false): tf.Tensor {
  const axis = x.rank - 2;
  if (x.shape[axis] !== 1) return tf.matMul(x, y, false, isTransposed);
  const twice = tf.matMul(tf.concat([x, x], axis), y, false, isTransposed);
  return tf.slice(
    twice,
    twice.shape.map(() => 0),
    twice.shape.map((n, i) => (i === axis ? 1 : n)),
  );
}

/**
 * softmax(q k^T + mask) v by head of keys. @param q [n, rows, d], scaled @param k, v [n, s, d] @param mask 0 or -1e9,
 * broadcast to the scores @param scores their
 * shape for it, such as [B, heads, T, s] @returns [n, rows, d]
 */
export function attention(
  q: tf.Tensor,
  k: tf.Tensor,
  v: tf.Tensor,
  mask: tf.Tensor | null,
  scores: readonly number[],
): tf.Tensor {
  const op = tf.customGrad((...args: unknown[]) => {
    const [queries, keys, values, save] = args as [tf.Tensor, tf.Tensor, tf.Tensor, tf.GradSaveFunc];
    const raw = byHead(queries, keys, true);
    const p = tf.reshape(tf.softmax(mask ? tf.add(tf.reshape(raw, [...scores]), mask) : raw), raw.shape);
    const seen = byHead(p, values);
    save([queries, keys, values, p, seen]);
    return {
      value: seen,
      gradFunc: (dy: tf.Tensor, saved: tf.Tensor[]) => {
        const [qs, ks, vs, ps, o] = saved as [tf.Tensor, tf.Tensor, tf.Tensor, tf.Tensor, tf.Tensor];
        // a row's sum of p * dp is that of dy * o, over d and not over s (Dao et al., arXiv:2205.14135, appendix B.2)
        const pull = tf.sum(tf.mul(dy, o), -1, true);
        const ds = tf.mul(ps, tf.sub(tf.matMul(dy, vs, false, true), pull));
        return [tf.matMul(ds, ks), tf.matMul(ds, qs, true), tf.matMul(ps, dy, true)];
      },
    };
  });
  return op(q, k, v);
}

/**
 * Rotary tables [positions, headDim], as typed arrays; sin is pre-signed, so that rotate(x) = concat(x2, x1) * sin. Su
 * et al., arXiv:2104.09864.
 */
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

/** Of each token's place: [rows, headDim / 2]. */
interface Angles {
  cos: tf.Tensor;
  sin: tf.Tensor;
}
/**
 * x [B, n, T, headDim], the halves of each vector turned against each other; the angles' rows are those of all tokens,
 * or of T that every sequence has.
 */
function turned(x: tf.Tensor, { cos, sin }: Angles): tf.Tensor {
  return whole('RotaryEmbedding', { x, cos, sin }, {}, () => {
    const [b, n, t, d] = x.shape as [number, number, number, number];
    const [c, s] = [cos, sin].map((table) => tf.reshape(table, [table.shape[0]! / t, 1, t, d / 2])) as [
      tf.Tensor,
      tf.Tensor,
    ];
    const [first, second] = [0, d / 2].map((from) => tf.slice(x, [0, 0, 0, from], [b, n, t, d / 2])) as [
      tf.Tensor,
      tf.Tensor,
    ];
    return tf.concat([tf.sub(tf.mul(first, c), tf.mul(second, s)), tf.add(tf.mul(second, c), tf.mul(first, s))], -1);
  });
}
/** With its gradient: turned back. */
function rotate(x: tf.Tensor, angles: Angles): tf.Tensor {
  const op = tf.customGrad((...args: unknown[]) => {
    const [y, save] = args as [tf.Tensor, tf.GradSaveFunc];
    save([angles.cos, angles.sin]);
    return {
      value: turned(y, angles),
      gradFunc: (dy: tf.Tensor, [cos, sin]: tf.Tensor[]) => turned(dy, { cos: cos!, sin: tf.neg(sin!) }),
    };
  });
  return op(x);
}

/**
 * As `rotary` of the tables' rows at these positions [B, T] int32, without a gradient: in decoding the op looks them up
 * itself.
 * @param tables [positions, headDim], as rotaryTables has them; tensors from outside of a recorded function @param
 * isFrozen the graph holds them
 */
export function rotaryAt(
  { cos, sin }: { cos: tf.Tensor; sin: tf.Tensor },
  positions: tf.Tensor,
  isFrozen: boolean,
): Rotary {
  const [[b, t], d] = [positions.shape as [number, number], cos.shape[1]!];
  const rows = (table: tf.Tensor): tf.Tensor =>
    tf.reshape(tf.gather(table, tf.reshape(positions, [b * t])), [b, 1, t, d]);
  // recorded only, on the onnx engine: its graph has nothing that reads it
  const composed = rotary(rows(cos), rows(sin));
  const turn = (x: tf.Tensor, scale: number, otherwise: () => tf.Tensor): tf.Tensor =>
    whole('RotaryAt', { x, positions, cos, sin }, { scale, isFrozen }, otherwise);
  return { q: (x) => turn(x, 1 / Math.sqrt(d), () => composed.q(x)), k: (x) => turn(x, 1, () => composed.k(x)) };
}

/**
 * How queries, which are scaled for the softmax as well, and keys [B, n, T, headDim] are turned by their tokens'
 * places.
 */
export interface Rotary {
  q(x: tf.Tensor): tf.Tensor;
  k(x: tf.Tensor): tf.Tensor;
}
/** @param cos of each place, and sin, [B or 1, 1, T, headDim], as rotaryTables has them */
export function rotary(cos: tf.Tensor, sin: tf.Tensor): Rotary {
  const [b, , t, d] = cos.shape as [number, number, number, number];
  const half = (table: tf.Tensor, from: number): tf.Tensor =>
    tf.slice(tf.reshape(table, [b * t, d]), [0, from], [b * t, d / 2]);
  const angles = { cos: half(cos, 0), sin: half(sin, d / 2) };
  const scale = 1 / Math.sqrt(d);
  const scaled = { cos: tf.mul(angles.cos, scale), sin: tf.mul(angles.sin, scale) };
  return { q: (x) => rotate(x, scaled), k: (x) => rotate(x, angles) };
}

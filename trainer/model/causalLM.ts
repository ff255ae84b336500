import * as tf from '@tensorflow/tfjs';
import { projectionName, type ModelConfig, type Projection } from './config';
import { rmsNorm, rotaryTables, rotate, swiGlu } from './layers';

/** Low-rank adapter of one projection: A [r, in], B [out, r] (PEFT's layout). */
export interface LoraPair {
  a: tf.Tensor;
  b: tf.Tensor;
}

/** Weights by Hugging Face name; adapter by projection name. The caller owns and disposes all of them. */
export interface CausalLM {
  config: ModelConfig;
  weights: ReadonlyMap<string, tf.Tensor>;
  adapter: { pairs: ReadonlyMap<string, LoraPair>; scaling: number } | null;
  rotary: { cos: tf.Tensor; sin: tf.Tensor };
}

/** The rotary tables are made for `positions` places, kept, and the caller's to dispose. */
export function causalLM(config: ModelConfig, weights: ReadonlyMap<string, tf.Tensor>, positions: number, adapter: CausalLM['adapter'] = null): CausalLM {
  const { cos, sin } = rotaryTables(config, positions);
  return { config, weights, adapter, rotary: { cos: tf.keep(tf.tensor2d(cos, [positions, config.headDim])), sin: tf.keep(tf.tensor2d(sin, [positions, config.headDim])) } };
}

/** The reference model: the same weights, adapter off. */
export const withAdapterDisabled = (model: CausalLM): CausalLM => ({ ...model, adapter: null });

function weight(model: CausalLM, name: string): tf.Tensor {
  const w = model.weights.get(name);
  if (!w) throw new Error(`causalLM: no weight ${name}`);
  return w;
}

/** x [rows, in] -> [rows, out]; weight [out, in], plus scaling * x A^T B^T where the adapter has a pair. Hu et al., arXiv:2106.09685. */
function linear(model: CausalLM, x: tf.Tensor, layer: number, p: Projection): tf.Tensor {
  const name = projectionName(layer, p);
  let y = tf.matMul(x, weight(model, `${name}.weight`), false, true);
  const bias = model.weights.get(`${name}.bias`);
  if (bias) y = tf.add(y, bias);
  const pair = model.adapter?.pairs.get(name);
  if (pair) y = tf.add(y, tf.mul(tf.matMul(tf.matMul(x, pair.a, false, true), pair.b, false, true), model.adapter!.scaling));
  return y;
}

/** What attention sees beside the new tokens: rows of earlier tokens, and masks that are 0 where it may look and -1e9 where not. */
interface Attend {
  cos: tf.Tensor; // [B or 1, 1, T, headDim]
  sin: tf.Tensor;
  /** [B or 1, 1, T, T], among the new tokens */
  mask: tf.Tensor;
  /** keys, values [B, kvHeads, C, headDim] of one layer, and [B, 1, 1, C] */
  cache?: { k: tf.Tensor; v: tf.Tensor; mask: tf.Tensor };
}

const heads = (x: tf.Tensor, b: number, t: number, n: number, d: number): tf.Tensor => tf.transpose(tf.reshape(x, [b, t, n, d]), [0, 2, 1, 3]); // [B, n, T, d]

function attention(model: CausalLM, x: tf.Tensor, layer: number, b: number, t: number, at: Attend): { out: tf.Tensor; k: tf.Tensor; v: tf.Tensor } {
  const { heads: h, kvHeads, headDim: d, rmsNormEps } = model.config;
  const g = h / kvHeads;
  const name = `model.layers.${layer}.self_attn`;
  let q = heads(linear(model, x, layer, 'q_proj'), b, t, h, d);
  let k = heads(linear(model, x, layer, 'k_proj'), b, t, kvHeads, d);
  const v = heads(linear(model, x, layer, 'v_proj'), b, t, kvHeads, d);
  if (model.config.qkNorm) {
    q = rmsNorm(q, weight(model, `${name}.q_norm.weight`), rmsNormEps);
    k = rmsNorm(k, weight(model, `${name}.k_norm.weight`), rmsNormEps);
  }
  q = tf.mul(rotate(q, at.cos, at.sin), 1 / Math.sqrt(d));
  k = rotate(k, at.cos, at.sin);
  // query heads that share a key head become rows of it, so nothing is broadcast
  const rows = tf.reshape(q, [b * kvHeads, g * t, d]);
  const score = (keys: tf.Tensor, n: number, mask: tf.Tensor): tf.Tensor => tf.add(tf.reshape(tf.matMul(rows, tf.reshape(keys, [b * kvHeads, n, d]), false, true), [b, h, t, n]), mask);
  const mix = (p: tf.Tensor, values: tf.Tensor, n: number): tf.Tensor => tf.matMul(tf.reshape(p, [b * kvHeads, g * t, n]), tf.reshape(values, [b * kvHeads, n, d]));
  let o: tf.Tensor; // [B * kvHeads, g * T, d]
  const own = score(k, t, at.mask);
  if (at.cache) {
    const c = at.cache.k.shape[2]!;
    const p = tf.softmax(tf.concat([score(at.cache.k, c, at.cache.mask), own], -1)); // [B, h, T, C + T]
    o = tf.add(mix(tf.slice(p, [0, 0, 0, 0], [b, h, t, c]), at.cache.v, c), mix(tf.slice(p, [0, 0, 0, c], [b, h, t, t]), v, t));
  } else {
    o = mix(tf.softmax(own), v, t);
  }
  const merged = tf.reshape(tf.transpose(tf.reshape(o, [b, h, t, d]), [0, 2, 1, 3]), [b * t, h * d]);
  return { out: linear(model, merged, layer, 'o_proj'), k, v };
}

function block(model: CausalLM, x: tf.Tensor, layer: number, b: number, t: number, at: Attend): { x: tf.Tensor; k: tf.Tensor; v: tf.Tensor } {
  const name = `model.layers.${layer}`;
  const eps = model.config.rmsNormEps;
  const a = attention(model, rmsNorm(x, weight(model, `${name}.input_layernorm.weight`), eps), layer, b, t, at);
  const y = tf.add(x, a.out);
  const z = rmsNorm(y, weight(model, `${name}.post_attention_layernorm.weight`), eps);
  const m = linear(model, swiGlu(linear(model, z, layer, 'gate_proj'), linear(model, z, layer, 'up_proj')), layer, 'down_proj');
  return { x: tf.add(y, m), k: a.k, v: a.v };
}

/** [1, 1, T, T]: 0 on and below the diagonal, -1e9 above. */
export function causalMask(t: number): tf.Tensor {
  return tf.tidy(() => tf.reshape(tf.mul(tf.cast(tf.greater(tf.range(0, t).reshape([1, t]), tf.range(0, t).reshape([t, 1])), 'float32'), -1e9), [1, 1, t, t]));
}

/** Where rows are more than plain left-to-right text: positions [B, T] int32 and what may be seen, [B, 1, T, T] with 0 or -1e9 (packedRows.ts). */
export interface Layout {
  positions: tf.Tensor;
  mask: tf.Tensor;
}

/**
 * Final hidden states of whole sequences, for training.
 * @param ids [B, T] int32; padding at the right needs no mask (later places are never seen)
 * @returns [B * T, hiddenSize], after the last norm
 */
export function hiddenStates(model: CausalLM, ids: tf.Tensor, layout?: Layout): tf.Tensor {
  const [b, t] = ids.shape as [number, number];
  const d = model.config.headDim;
  const rows = (table: tf.Tensor): tf.Tensor => (layout ? tf.reshape(tf.gather(table, tf.reshape(layout.positions, [b * t])), [b, 1, t, d]) : tf.reshape(tf.slice(table, [0, 0], [t, d]), [1, 1, t, d]));
  const at: Attend = { cos: rows(model.rotary.cos), sin: rows(model.rotary.sin), mask: layout ? layout.mask : causalMask(t) };
  let x = tf.gather(weight(model, 'model.embed_tokens.weight'), tf.reshape(ids, [b * t]));
  for (let l = 0; l < model.config.layers; l++) x = block(model, x, l, b, t, at).x;
  return rmsNorm(x, weight(model, 'model.norm.weight'), model.config.rmsNormEps);
}

/** hidden [N, hiddenSize] -> logits [N, vocab] */
export function logitsOf(model: CausalLM, hidden: tf.Tensor): tf.Tensor {
  return tf.matMul(hidden, weight(model, model.config.tiedEmbeddings ? 'model.embed_tokens.weight' : 'lm_head.weight'), false, true);
}

/**
 * T more tokens for each of B sequences whose earlier tokens lie in the cache.
 * @param ids [B, T] int32, padded at the right; positions [B, T] int32; lengths [B] int32, filled rows of the cache; last [B] int32, index of the row's last real token
 * @param cache k, v [layers, B, kvHeads, C, headDim], or null at the start of a sequence
 * @returns logits [B, vocab] of each row's last real token; k, v [layers, B, kvHeads, T, headDim], the new rows
 */
export function cachedForward(model: CausalLM, ids: tf.Tensor, positions: tf.Tensor, lengths: tf.Tensor, last: tf.Tensor, cache: { k: tf.Tensor; v: tf.Tensor } | null): { logits: tf.Tensor; k: tf.Tensor; v: tf.Tensor } {
  const { layers, kvHeads, headDim: d } = model.config;
  const [b, t] = ids.shape as [number, number];
  const table = (x: tf.Tensor): tf.Tensor => tf.reshape(tf.gather(x, tf.reshape(positions, [b * t])), [b, 1, t, d]);
  const capacity = cache ? cache.k.shape[3]! : 0;
  const at: Attend = { cos: table(model.rotary.cos), sin: table(model.rotary.sin), mask: causalMask(t) };
  const cacheMask = cache ? tf.reshape(tf.mul(tf.cast(tf.greaterEqual(tf.range(0, capacity, 1, 'int32').reshape([1, capacity]), tf.reshape(lengths, [b, 1])), 'float32'), -1e9), [b, 1, 1, capacity]) : null;
  const pick = (all: tf.Tensor, l: number): tf.Tensor => tf.reshape(tf.slice(all, [l, 0, 0, 0, 0], [1, b, kvHeads, capacity, d]), [b, kvHeads, capacity, d]);
  const ks: tf.Tensor[] = [];
  const vs: tf.Tensor[] = [];
  let x = tf.gather(weight(model, 'model.embed_tokens.weight'), tf.reshape(ids, [b * t]));
  for (let l = 0; l < layers; l++) {
    const out = block(model, x, l, b, t, cache ? { ...at, cache: { k: pick(cache.k, l), v: pick(cache.v, l), mask: cacheMask! } } : at);
    x = out.x;
    ks.push(out.k);
    vs.push(out.v);
  }
  const rows = tf.add(tf.mul(tf.range(0, b, 1, 'int32'), tf.scalar(t, 'int32')), last);
  const hidden = rmsNorm(tf.gather(x, rows), weight(model, 'model.norm.weight'), model.config.rmsNormEps);
  return { logits: logitsOf(model, hidden), k: tf.stack(ks), v: tf.stack(vs) };
}

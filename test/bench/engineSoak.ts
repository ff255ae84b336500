/**
 * Does the engine leak, and does it add up? 500 training steps (LoRA, AdamW) and 10,000 decode calls of a micro model
 * on the onnx engine:
 * tensors, data ids and open graphs after each, and the slope of resident memory over the settled part, least squares.
 * Then the gradient
 * of an embedding whose 4,096 looked-up rows are few distinct ones, 30 times with 2 threads, against sums of whole
 * numbers: any difference
 * counts (ONNX Runtime's ScatterND loses sums there). One line of JSON; `isFlat` and `isExact` say how it went, and so
 * does the exit code.
 *
 * Run: node --import tsx test/bench/engineSoak.ts [steps] [decode calls]
 */
import * as tf from '@tensorflow/tfjs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openEngine, type Engine } from '../../trainer/model/engine/engine';
import type { OnnxBackend } from '../../trainer/model/engine/onnx/backend';
import { decodeWork, models, trainingWork } from './engineWork';
import { round, slope } from './measured';

/** tokens of one decoded text: the prompt's pass, then this many calls less one */
const TEXT = 101;
const MOST_KIB_A_CALL = { training: 8, decode: 0.5 };

/** Garbage that waits is no leak: resident memory is read behind a collection. */
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

interface Sample {
  call: number;
  tensors: number;
  dataIds: number;
  graphs: number;
  rss: number;
}
const backend = (): OnnxBackend => tf.backend() as unknown as OnnxBackend;
const sample = (call: number): Sample => ({
  call,
  tensors: tf.memory().numTensors,
  dataIds: backend().numDataIds(),
  graphs: backend().statistics.open,
  rss: process.memoryUsage().rss,
});

/** @param every how many calls one run makes */
async function soak(
  run: () => Promise<unknown>,
  calls: number,
  every: number,
  mostKiB: number,
): Promise<{ isFlat: boolean } & Record<string, unknown>> {
  const samples: Sample[] = [];
  for (let call = every; call <= calls; call += every) {
    await run();
    collect();
    samples.push(sample(call));
  }
  const settled = samples.filter((s) => s.call > calls / 4);
  const counts = (key: 'tensors' | 'dataIds' | 'graphs'): number[] =>
    [...new Set(settled.map((s) => s[key]))].sort((a, b) => a - b);
  const kib = round(slope(settled.map((s) => [s.call, s.rss / 1024] as const)), 3);
  const isFlat = (['tensors', 'dataIds', 'graphs'] as const).every((key) => counts(key).length === 1) && kib < mostKiB;
  return {
    isFlat,
    calls: samples.at(-1)!.call,
    tensors: counts('tensors'),
    dataIds: counts('dataIds'),
    graphs: counts('graphs'),
    rssSlopeKiB: kib,
    mostKiB,
    rssMiB: { settled: round(settled[0]!.rss / 2 ** 20, 1), last: round(samples.at(-1)!.rss / 2 ** 20, 1) },
  };
}

/** @returns how many of all compared numbers were wrong */
function duplicateGradients(engine: Engine, runs: number): { rows: number; runs: number; wrong: number } {
  const [rows, width, table] = [4096, 64, 2048];
  const ids = Int32Array.from({ length: rows }, (_, i) => (i * 7919) % 13); // 13 rows get all the gradients
  // whole numbers: sums are exact in any order
  const weights = Float32Array.from({ length: rows * width }, (_, i) => (i * 31) % 9);
  const expected = new Float64Array(table * width);
  ids.forEach((row, i) => {
    for (let j = 0; j < width; j++) expected[row * width + j]! += weights[i * width + j]!;
  });
  const gradient = engine.jit((x: tf.Tensor, i: tf.Tensor, w: tf.Tensor) =>
    tf.grad((t) => tf.sum(tf.mul(tf.gather(t, i), w)))(x),
  );
  const args = [tf.zeros([table, width]), tf.tensor1d(ids, 'int32'), tf.tensor2d(weights, [rows, width])] as const;
  let wrong = 0;
  for (let run = 0; run < runs; run++) {
    const g = gradient(...args);
    const found = g.dataSync();
    expected.forEach((e, i) => (wrong += Number(e !== found[i])));
    g.dispose();
  }
  tf.dispose([...args]);
  return { rows, runs, wrong };
}

async function main(steps: number, calls: number): Promise<void> {
  const startedAt = performance.now();
  const engine = await openEngine({ engine: 'onnx', threads: 2 });
  const duplicates = duplicateGradients(engine, 30);
  const training = trainingWork(engine, models['micro']!, { work: 'full', batch: 2, tokens: 32 });
  const trained = await soak(training.run, steps, 1, MOST_KIB_A_CALL.training);
  training.dispose();
  const decoding = decodeWork(engine, models['micro']!, { batch: 2, tokens: TEXT });
  const decoded = await soak(decoding.run, calls, TEXT - 1, MOST_KIB_A_CALL.decode);
  decoding.dispose();
  engine.dispose();
  const left = { tensors: tf.memory().numTensors, graphs: backend().statistics.open };
  const isFlat = trained.isFlat && decoded.isFlat && left.tensors === 0 && left.graphs === 0;
  console.log(
    JSON.stringify({
      bench: 'engineSoak',
      isFlat,
      isExact: duplicates.wrong === 0,
      training: trained,
      decode: decoded,
      left,
      duplicates,
      seconds: round((performance.now() - startedAt) / 1000, 1),
      node: process.version,
    }),
  );
  process.exitCode = isFlat && duplicates.wrong === 0 ? 0 : 1;
}
void main(Number(process.argv[2] ?? 500), Number(process.argv[3] ?? 10_000));

/**
 * The hand-written graph's side of `npm run bench:engine`: answers as engineWork.ts does. Before it is timed, its loss
 * and gradients are held against the product's
 * own model on a micro one (plain TensorFlow.js, `cpu`): a graph that computes something else is no peer.
 */
import * as tf from '@tensorflow/tfjs';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { createInterface } from 'node:readline';
import { createAdapter, type Adapter } from '../../trainer/model/network/adapter';
import { causalLM } from '../../trainer/model/network/causalLM';
import type { ModelConfig } from '../../trainer/model/network/config';
import { Random } from '../../trainer/base/random';
import { models, nextTokenLoss, trainingRows, weightData, type Answer, type Request } from './engineWork';
import { handGraph } from './handGraph';
import { median } from './measured';

const TOLERANCE = 1e-4;
type Rows = ReturnType<typeof trainingRows>;
interface Outcome {
  loss: number;
  gradients: Map<string, Float32Array>;
}

const adapterOf = (config: ModelConfig): Adapter =>
  createAdapter(config, { rank: 8, alpha: 16, targets: ['q_proj', 'v_proj'] }, Random.fromSeed('bench'));

async function openHand(
  config: ModelConfig,
  adapter: Adapter,
  { batch, tokens }: Pick<Request, 'batch' | 'tokens'>,
  threads: number,
): Promise<{ run(rows: Rows): Promise<Outcome>; compileMs: number }> {
  const { model, loss, gradients } = handGraph(config, batch, tokens, weightData(config));
  const startedAt = performance.now();
  const session = await InferenceSession.create(model, {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    logSeverityLevel: 4,
  });
  const compileMs = performance.now() - startedAt;
  const pairs = new Map(
    [...(await adapter.read())].map(([name, { data, shape }]) => [name, new Tensor('float32', data, shape)]),
  );
  return {
    compileMs,
    async run({ ids, targets }) {
      const out = await session.run({
        ids: new Tensor('int32', ids, [ids.length]),
        targets: new Tensor('int32', targets, [targets.length, 1]),
        ...Object.fromEntries(pairs),
      });
      return {
        loss: (out[loss]!.data as Float32Array)[0]!,
        gradients: new Map([...gradients].map(([name, output]) => [name, out[output]!.data as Float32Array])),
      };
    },
  };
}

/** @throws Error where loss or a gradient is another than the product's */
async function check(): Promise<void> {
  const config = models['micro']!;
  const shape = { batch: 2, tokens: 24 };
  const adapter = adapterOf(config);
  const random = Random.fromSeed('check'); // B is 0 at first, and would leave A without a gradient
  for (const variable of Object.values(adapter.variables))
    tf.tidy(() =>
      variable.assign(
        tf.tensor(
          Float32Array.from({ length: variable.size }, () => random.next() - 0.5),
          variable.shape,
        ),
      ),
    );
  const weights = new Map(
    [...weightData(config)].map(([name, { data, shape }]) => [name, tf.tensor(data, [...shape])]),
  );
  const rows = trainingRows(config, shape, 3);
  const model = causalLM(config, weights, shape.tokens, adapter);
  const { value, grads } = tf.variableGrads(
    () =>
      nextTokenLoss(
        model,
        tf.tensor2d(rows.ids, [shape.batch, shape.tokens], 'int32'),
        tf.tensor1d(rows.targets, 'int32'),
      ),
    Object.values(adapter.variables),
  );
  const hand = await (await openHand(config, adapter, shape, 1)).run(rows);
  const differs = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
    Array.from(a).reduce((most, x, i) => Math.max(most, Math.abs(x - b[i]!)), 0);
  for (const [name, variable] of Object.entries(adapter.variables)) {
    const expected = await grads[variable.name]!.data();
    const size = differs(expected, new Float32Array(expected.length));
    const difference = differs(hand.gradients.get(name)!, expected) / size;
    if (!(size > 0 && difference < TOLERANCE))
      throw new Error(`handGraph: the gradient of ${name} differs by ${difference}`);
  }
  if (!(Math.abs(hand.loss - (await value.data())[0]!) < TOLERANCE))
    throw new Error(`handGraph: the loss is ${hand.loss}, the product's ${(await value.data())[0]}`);
}

async function main(threads: number): Promise<void> {
  await tf.setBackend('cpu');
  await check();
  const made = new Map<string, Awaited<ReturnType<typeof openHand>> & { count: number }>();
  for await (const line of createInterface({ input: process.stdin })) {
    const request = JSON.parse(line) as Request;
    const config = models[request.model]!;
    const key = `${request.model} ${request.batch} ${request.tokens}`;
    const work = made.get(key) ?? { ...(await openHand(config, adapterOf(config), request, threads)), count: 0 };
    const step = (): Promise<Outcome> => work.run(trainingRows(config, request, work.count++));
    if (!made.has(key)) for (let i = 0; i < 2; i++) await step();
    made.set(key, work);
    const each: number[] = [];
    let loss = 0;
    for (let i = 0; i < request.reps; i++) {
      const start = performance.now();
      loss = (await step()).loss;
      each.push(performance.now() - start);
    }
    process.stdout.write(
      `${JSON.stringify({ ms: median(each), each, loss, peakMiB: process.resourceUsage().maxRSS / 1024, compileMs: work.compileMs, compilesLater: 0 } satisfies Answer)}\n`,
    );
  }
}

void main(Number(process.argv[2] ?? 2));

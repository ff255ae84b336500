import * as tf from '@tensorflow/tfjs';
import type { Batch } from './batch';
import type { LossResult } from './losses/tensorTools';
import type { Engine, Recorded } from '../model/engine/engine';
import type { CausalLM } from '../model/network/causalLM';
import { drawNoise, withDropout } from '../model/network/dropout';
import type { Random } from '../base/random';
import type { AdamW, Gradients } from './optimizer/adamw';
import { clipGradients } from './optimizer/clipGradients';
import { TrainedPrefix, PrefixKeys } from './sharedPrefix';
import { divergence, INPUT_COUNT, inputsOf, named, score, scoreBeside, type TokenScores } from './tokenScores';

/**
 * @param extra what this method needs beside the batch (advantages, reference logprobs, divisors), as tensors, in a
 * fixed order
 */
export type Loss = (
  scores: TokenScores,
  batch: Pick<Batch, 'completionMask' | 'sampledLogprobs'>,
  extra: tf.Tensor[],
) => LossResult;

export interface TrainOptions {
  maxGradNorm: number;
  /** the loss has a gradient to the entropies */
  learnsEntropy?: boolean;
  /** the first of what comes beside a batch are a teacher's ids, shares and negentropies (TeacherScorer) */
  hasTeacher?: boolean;
  /** of LoRA; `updates` that were made before, so that a resumed run drops what the whole one does */
  dropout?: { rate: number; random: Random; updates: number } | null;
}

/**
 * Gradient steps on what is trained: `accumulate` adds a micro-batch's gradients, computed by one compiled graph per
 * shape, so that which graph runs depends on
 * shapes alone (bit-exact resume); `apply` clips and updates. Micro-batches that are behind a prefix have it computed
 * once an update, and its gradient, too.
 */
export class TrainStep {
  private readonly names: string[];
  /** Gradients of the micro-batches since the last update, in the order of `names`. */
  private sums: Float32Array[] = [];
  /** by whether the batch is behind a prefix */
  private readonly forwardBackward: Record<'whole' | 'behind', Recorded<tf.Tensor[], tf.Tensor[]>>;
  private readonly prefix: TrainedPrefix;
  private statisticNames: string[] = [];
  private updates: number;
  private microBatches = 0;

  constructor(
    engine: Engine,
    private readonly model: CausalLM,
    variables: Record<string, tf.Variable>,
    private readonly optimizer: AdamW,
    loss: Loss,
    private readonly options: TrainOptions,
  ) {
    this.updates = options.dropout?.updates ?? 0;
    this.names = Object.keys(variables);
    const trained = Object.values(variables);
    const noises = options.dropout ? 2 : 0;
    const policyWith = ([byToken, byInput]: tf.Tensor[]): CausalLM =>
      options.dropout
        ? withDropout(model, options.dropout.rate, { byToken: byToken as tf.Tensor1D, byInput: byInput as tf.Tensor1D })
        : model;
    const recorded = (keyCount: number): Recorded<tf.Tensor[], tf.Tensor[]> =>
      engine.jit((...args: tf.Tensor[]) => {
        let statistics: Record<string, tf.Scalar> = {};
        const batch = named(args);
        const [keys, noise, extra] = [
          args.slice(INPUT_COUNT, INPUT_COUNT + keyCount),
          args.slice(INPUT_COUNT + keyCount, INPUT_COUNT + keyCount + noises),
          args.slice(INPUT_COUNT + keyCount + noises),
        ];
        const { value, grads } = tf.engine().gradients(() => {
          const [ids, shares, negentropies] = extra as tf.Tensor2D[];
          const scores: TokenScores = options.hasTeacher
            ? scoreBeside(policyWith(noise), batch, { ids: ids!, shares: shares!, negentropies: negentropies! }, keys)
            : score(policyWith(noise), batch, options.learnsEntropy ? 'entropies, too' : 'logprobs', keys);
          const result = loss(scores, batch, options.hasTeacher ? extra.slice(3) : extra);
          const drift = tf.mul(tf.abs(tf.sub(scores.logprobs, batch.sampledLogprobs)), batch.completionMask);
          const tokens = tf.maximum(tf.sum(batch.completionMask), 1);
          statistics = {
            ...result.statistics,
            'sampling/sampling_logp_difference/max': tf.keep(tf.max(drift)),
            'sampling/sampling_logp_difference/mean': tf.keep(tf.div(tf.sum(drift), tokens)),
          };
          return result.loss;
        }, [...trained, ...keys]);
        this.statisticNames = Object.keys(statistics);
        const kept = Object.values(statistics);
        const flat = kept.map((s) => tf.reshape(s, []));
        tf.dispose(kept.filter((s) => s !== value)); // they were kept beyond the gradients' tidy
        return [value, ...flat, ...grads];
      }, 'training');
    this.forwardBackward = { whole: recorded(0), behind: recorded(2 * model.config.layers) };
    this.prefix = new TrainedPrefix(engine, policyWith, trained);
  }

  /** @returns loss and statistics of this micro-batch, by TRL's names */
  async accumulate(batch: Batch, extra: tf.Tensor[]): Promise<Record<string, number>> {
    const keys = batch.isBehind ? this.prefix.of(batch.prefix, () => this.noise(batch.prefix.size, 'prefix')) : [];
    const noise = this.noise((batch.isBehind ? 0 : batch.prefix.size) + batch.ids.size, this.microBatches++);
    const out = this.forwardBackward[batch.isBehind ? 'behind' : 'whole'](
      ...inputsOf(batch),
      ...keys,
      ...noise,
      ...extra,
    );
    const data = (await Promise.all(out.map((t) => t.data()))) as Float32Array[];
    tf.dispose([...out, ...noise]);
    const [loss, ...others] = data;
    const gradients = others.splice(this.statisticNames.length);
    if (batch.isBehind) this.prefix.add(gradients.splice(this.names.length));
    this.add(gradients);
    return { loss: loss![0]!, ...Object.fromEntries(this.statisticNames.map((name, i) => [name, others[i]![0]!])) };
  }

  /**
   * For LoRA's dropout of so many tokens, if there is one: what is dropped of a prefix that is computed once is
   * dropped for all.
   */
  private noise(tokens: number, part: number | 'prefix'): tf.Tensor[] {
    const { dropout } = this.options;
    if (!dropout) return [];
    const { byToken, byInput } = drawNoise(
      this.model.config,
      tokens,
      dropout.random.fork(`dropout ${this.updates} ${part}`),
    );
    return [byToken, byInput];
  }

  /** What an engine returned is never written to: two gradients of zeros may be one array. */
  private add(gradients: Float32Array[]): void {
    if (this.sums.length === 0) this.sums = gradients;
    // one by one, so that the old ones can go
    else gradients.forEach((gradient, i) => (this.sums[i] = sumOf(this.sums[i]!, gradient)));
  }

  /** Behind the prefix, where it was computed apart: what flowed to it goes on to what is trained. */
  private async addPrefix(): Promise<void> {
    for (const [number, gradient] of await this.prefix.gradients())
      this.sums[number] = sumOf(this.sums[number]!, gradient);
  }

  /**
   * A micro-batch forward and backward, for what it takes of memory: nothing is left of it, neither in the
   * accumulators nor of its graph.
   */
  async tryOut(batch: Batch, extra: tf.Tensor[]): Promise<void> {
    await this.accumulate(batch, extra);
    Object.values(this.forwardBackward).forEach((recorded) => recorded.forget());
    await this.addPrefix();
    this.prefix.forget();
    this.microBatches = 0;
    this.sums = [];
  }

  /** @param step counts from 1; @returns the gradients' norm before clipping */
  async apply(learningRate: number, step: number): Promise<number> {
    await this.addPrefix();
    this.updates++;
    this.microBatches = 0;
    const gradients: Gradients = Object.fromEntries(this.names.map((name, i) => [name, this.sums[i]!]));
    const { norm, scale } = clipGradients(gradients, this.options.maxGradNorm);
    this.optimizer.update(gradients, learningRate, step, scale);
    this.sums = [];
    return norm;
  }
}

function sumOf(a: Float32Array, b: Float32Array): Float32Array {
  const sum = new Float32Array(a.length);
  for (let i = 0; i < a.length; i++) sum[i] = a[i]! + b[i]!;
  return sum;
}

/** Logprobs of a batch without gradients, compiled: for a reference model, whose weights stay as they are. */
export class Scorer {
  private readonly run: (...args: tf.Tensor[]) => tf.Tensor[];
  private readonly prefix: PrefixKeys;
  constructor(engine: Engine, model: CausalLM) {
    this.run = engine.jit((...args: tf.Tensor[]) => {
      const { logprobs } = score(model, named(args), 'nothing', args.slice(INPUT_COUNT));
      return [logprobs];
    }, 'scoring');
    this.prefix = new PrefixKeys(engine, () => model, 'scoring');
  }
  /** @returns [sequences, columns]; caller disposes */
  logprobs(batch: Batch): tf.Tensor2D {
    return this.run(...inputsOf(batch), ...(batch.isBehind ? this.prefix.of(batch.prefix) : []))[0] as tf.Tensor2D;
  }
  /** What it keeps of a prefix goes. */
  dispose(): void {
    this.prefix.drop();
  }
}

/** Exact KL(policy || reference) at a batch's places, averaged over them, nats: a curve to watch, not a loss. */
export class KlMeter {
  private readonly run: (...args: tf.Tensor[]) => tf.Tensor[];
  constructor(engine: Engine, policy: CausalLM, reference: CausalLM) {
    this.run = engine.jit((...args: tf.Tensor[]) => {
      return [divergence(policy, reference, named(args))];
    }, 'the KL');
  }
  /** @returns the sum over the batch's trained places and their number */
  async measure(batch: Batch): Promise<{ sum: number; places: number }> {
    const [out] = this.run(...inputsOf(batch)) as [tf.Tensor];
    const [sum] = (await out.data()) as unknown as [number];
    const mask = (await batch.completionMask.data()) as Float32Array;
    out.dispose();
    return { sum, places: mask.reduce((a, b) => a + b, 0) };
  }
}

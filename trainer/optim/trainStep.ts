import * as tf from '@tensorflow/tfjs';
import type { Batch } from '../algorithms/batch';
import type { LossResult } from '../algorithms/tensorTools';
import type { Engine, Recorded } from '../engine/engine';
import type { CausalLM } from '../model/causalLM';
import { drawNoise, withDropout } from '../model/dropout';
import type { Random } from '../random';
import type { AdamW } from './adamw';
import { clipGradients } from './clipGradients';
import { divergence, INPUT_COUNT, inputsOf, named, score, type TokenScores } from './tokenScores';

/** @param extra what this method needs beside the batch (advantages, reference logprobs, divisors), as tensors, in a fixed order */
export type Loss = (scores: TokenScores, batch: Pick<Batch, 'completionMask' | 'sampledLogprobs'>, extra: tf.Tensor[]) => LossResult;

export interface TrainOptions {
  maxGradNorm: number;
  /** the loss has a gradient to the entropies */
  learnsEntropy?: boolean;
  /** of LoRA; `updates` that were made before, so that a resumed run drops what the whole one does */
  dropout?: { rate: number; random: Random; updates: number } | null;
}

/**
 * Gradient steps on the adapter: `accumulate` adds a micro-batch's gradients, `apply` clips and updates. Each is one compiled graph per shape;
 * accumulators and optimiser slots exist before the first step, so which graph runs depends on its shapes alone (bit-exact resume).
 */
export class TrainStep {
  private readonly names: string[];
  private readonly sums: tf.Variable[];
  private readonly forwardBackward: Recorded<tf.Tensor[], tf.Tensor[]>;
  private readonly update: (...args: tf.Tensor[]) => tf.Tensor[];
  private statisticNames: string[] = [];
  private updates: number;
  private microBatches = 0;

  constructor(engine: Engine, private readonly model: CausalLM, variables: Record<string, tf.Variable>, optimizer: AdamW, loss: Loss, private readonly options: TrainOptions) {
    this.updates = options.dropout?.updates ?? 0;
    const noises = options.dropout ? 2 : 0;
    this.names = Object.keys(variables);
    this.sums = this.names.map((name) => tf.tidy(() => tf.variable(tf.zeros(variables[name].shape), false)));
    const trained = Object.values(variables);
    this.forwardBackward = engine.jit((...args: tf.Tensor[]) => {
      let statistics: Record<string, tf.Scalar> = {};
      const batch = named(args);
      const { value, grads } = tf.variableGrads(() => {
        const [byToken, byInput] = args.slice(INPUT_COUNT) as tf.Tensor1D[];
        const policy = options.dropout ? withDropout(model, options.dropout.rate, { byToken: byToken!, byInput: byInput! }) : model;
        const scores = score(policy, batch, options.learnsEntropy ? 'entropies, too' : 'logprobs');
        const result = loss(scores, batch, args.slice(INPUT_COUNT + noises));
        const drift = tf.mul(tf.abs(tf.sub(scores.logprobs, batch.sampledLogprobs)), batch.completionMask);
        const tokens = tf.maximum(tf.sum(batch.completionMask), 1);
        statistics = { ...result.statistics, 'sampling/sampling_logp_difference/max': tf.keep(tf.max(drift)), 'sampling/sampling_logp_difference/mean': tf.keep(tf.div(tf.sum(drift), tokens)) };
        return result.loss;
      }, trained);
      trained.forEach((v, i) => this.sums[i].assign(tf.add(this.sums[i], grads[v.name])));
      this.statisticNames = Object.keys(statistics);
      const kept = Object.values(statistics);
      const flat = kept.map((s) => tf.reshape(s, []));
      tf.dispose(kept.filter((s) => s !== value)); // they were kept beyond the gradients' tidy
      return [value, ...flat];
    }, 'training');
    this.update = engine.jit((learningRate: tf.Tensor, step: tf.Tensor) => {
      const sums = Object.fromEntries(this.names.map((name, i) => [name, this.sums[i] as tf.Tensor]));
      const { gradients, norm } = clipGradients(sums, options.maxGradNorm);
      optimizer.applyGradients(gradients, learningRate as tf.Scalar, step as tf.Scalar);
      this.sums.forEach((s) => s.assign(tf.zerosLike(s)));
      return [norm];
    }, 'the update');
  }

  /** @returns loss and statistics of this micro-batch, by TRL's names */
  async accumulate(batch: Batch, extra: tf.Tensor[]): Promise<Record<string, number>> {
    const { dropout } = this.options;
    const noise = dropout ? drawNoise(this.model.config, batch.prefix.size + batch.ids.size, dropout.random.fork(`dropout ${this.updates} ${this.microBatches++}`)) : null;
    const out = this.forwardBackward(...inputsOf(batch), ...(noise ? [noise.byToken, noise.byInput] : []), ...extra);
    const values = await Promise.all(out.map(async (t) => (await t.data())[0]));
    tf.dispose([...out, ...Object.values(noise ?? {})]);
    return { loss: values[0], ...Object.fromEntries(this.statisticNames.map((name, i) => [name, values[i + 1]])) };
  }

  /** A micro-batch forward and backward, for what it takes of memory: nothing is left of it, neither in the accumulators nor of its graph. */
  async tryOut(batch: Batch, extra: tf.Tensor[]): Promise<void> {
    await this.accumulate(batch, extra);
    this.forwardBackward.forget();
    this.microBatches = 0;
    tf.tidy(() => this.sums.forEach((s) => s.assign(tf.zerosLike(s))));
  }

  /** @param step counts from 1; @returns the gradients' norm before clipping */
  async apply(learningRate: number, step: number): Promise<number> {
    this.updates++;
    this.microBatches = 0;
    const args = [tf.scalar(learningRate), tf.scalar(step)];
    const [norm] = this.update(...args);
    const value = (await norm.data())[0];
    tf.dispose([...args, norm]);
    return value;
  }

  dispose(): void {
    tf.dispose(this.sums);
  }
}

/** Logprobs of a batch without gradients, compiled: for the reference model and for old policies. */
export class Scorer {
  private readonly run: (...args: tf.Tensor[]) => tf.Tensor[];
  constructor(engine: Engine, model: CausalLM) {
    this.run = engine.jit((...args: tf.Tensor[]) => {
      const { logprobs } = score(model, named(args), 'nothing');
      return [logprobs];
    }, 'scoring');
  }
  /** @returns [sequences, columns]; caller disposes */
  logprobs(batch: Batch): tf.Tensor2D {
    return this.run(...inputsOf(batch))[0] as tf.Tensor2D;
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
    const [out] = this.run(...inputsOf(batch));
    const sum = (await out.data())[0];
    const mask = (await batch.completionMask.data()) as Float32Array;
    out.dispose();
    return { sum, places: mask.reduce((a, b) => a + b, 0) };
  }
}

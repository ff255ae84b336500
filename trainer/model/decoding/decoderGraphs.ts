import type * as tf from '@tensorflow/tfjs';
import type { Engine, Recorded } from '../engine/engine';
import { cachedForward } from './cachedForward';
import type { CausalLM } from '../network/causalLM';
import { hasThinProducts } from '../network/projections';
import type { KvMemory } from './kvCache';
import { leastRows } from './leastRows';

/** Sizes are rounded up to these, so that few graphs are compiled and which one runs depends on the sizes alone. */
export const WIDTHS = [1, 2, 4, 8, 16, 32, 64, 128, 192, 256, 384, 512, 768, 1024];
export const TOKENS = [16, 32, 64, 128, 256, 512, 768, 1024, 1536, 2048, 3072, 4096];
export const CAPACITY = [128, 256, 512, 1024, 2048, 4096, 8192, 16_384];
export const LANES = [2, 8, 16, 32, 64, 96, 128, 192, 256];
export const bucket = (sizes: readonly number[], n: number): number => sizes.find((s) => s >= n) ?? n;
export const rowsFor = (sequences: number): number => bucket(LANES, Math.max(2, sequences));
/** What a cache for so many sequences of so many tokens is made for. */
export const cacheSize = (sequences: number, tokens: number): { lanes: number; capacity: number } => ({
  lanes: rowsFor(sequences),
  capacity: bucket(CAPACITY, tokens),
});

type Forward = Recorded<tf.Tensor[], tf.Tensor[]>;

/**
 * Compiled forward passes of one model; made once, used by every batch of rollouts. Weights are read at each call, so
 * training shows at once.
 */
export class DecoderGraphs {
  /** of prompts, behind nothing */
  private readonly prefill: Forward;
  /** of several tokens behind a cache, such as a tool's result; and of those that came few at a time */
  private readonly read: Forward;
  private readonly readFew: Forward;
  /** of one token each */
  private readonly step: Forward;
  /** of a batch that ended, for the next one */
  spare: KvMemory | null = null;
  readonly isParted: boolean;
  private forOne: number | null = null;
  constructor(
    readonly engine: Engine,
    readonly model: CausalLM,
  ) {
    this.isParted = hasThinProducts(model);
    const forward = (isCached: boolean, sizes: 'own' | 'any', isFew = false, hasPlaces = true): Forward =>
      engine.jit(
        (...args: tf.Tensor[]) => {
          const [ids, positions, lengths, ...more] = args as [tf.Tensor, tf.Tensor, tf.Tensor, ...tf.Tensor[]];
          const [[queries, keys, seen, last], rows] = hasPlaces ? [more.slice(0, 4), more.slice(4)] : [[], more];
          const [cache, common] = isCached ? [rows.slice(0, 2), rows.slice(2)] : [[], rows];
          const places = queries && keys && seen && last ? { queries, keys, seen, last } : null;
          const out = cachedForward(
            model,
            { ids, positions, lengths, places },
            keysAndValues(cache),
            keysAndValues(common),
            isFew,
          );
          return [out.logits, out.k, out.v];
        },
        'decode',
        sizes,
      );
    this.prefill = forward(false, 'any');
    this.read = forward(true, 'any');
    this.readFew = forward(true, 'any', true);
    this.step = forward(true, 'own', true, !this.isOneEach(1));
  }

  /** Rows for so many sequences; fewer than 2 only where that changes no bit (leastRows.ts). */
  rowsFor(sequences: number): number {
    return sequences > 1 ? rowsFor(sequences) : (this.forOne ??= leastRows(this.engine, this.model));
  }

  /** One token a row needs fewer ops. Packed weights do without: one graph for any number of tokens holds them once. */
  isOneEach(width: number): boolean {
    return width === 1 && !this.model.packed;
  }

  /**
   * @param width tokens a row at most @param isFew of few tokens that came together, where that makes a difference
   * @param cache its keys and values, or nothing @param common those of what all rows begin with, or nothing
   */
  run(width: number, isFew: boolean, inputs: tf.Tensor[], cache: tf.Tensor[], common: tf.Tensor[]): tf.Tensor[] {
    const forward =
      cache.length === 0 ? this.prefill : width === 1 ? this.step : isFew && this.isParted ? this.readFew : this.read;
    return forward(...inputs, ...cache, ...common);
  }

  /** Closes what was compiled, with the packed weights that it holds; who decodes again compiles again. */
  forget(): void {
    for (const forward of [this.prefill, this.read, this.readFew, this.step]) forward.forget();
    this.spare = null;
  }
}

const keysAndValues = ([k, v]: readonly tf.Tensor[]): { k: tf.Tensor; v: tf.Tensor } | null =>
  k && v ? { k, v } : null;

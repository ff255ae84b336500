/**
 * What all micro-batches of a step begin with: computed once before them, and gone through backwards once behind them,
 * with the sum of what flowed to it.
 */
import * as tf from '@tensorflow/tfjs';
import type { Engine, Recorded } from '../model/engine/engine';
import type { CausalLM } from '../model/network/causalLM';
import { prefixKeys } from '../model/network/prefixKeys';

/** Its keys and values for as long as one prefix is asked for: what a frozen model needs. */
export class PrefixKeys {
  private readonly forward: Recorded<tf.Tensor[], tf.Tensor[]>;
  protected held: { ids: tf.Tensor1D; more: tf.Tensor[]; keys: tf.Tensor[] } | null = null;

  /** @param modelOf with what comes beside the ids, such as noise for a dropout */
  constructor(
    engine: Engine,
    protected readonly modelOf: (more: tf.Tensor[]) => CausalLM,
    work: string,
  ) {
    this.forward = engine.jit(
      (ids: tf.Tensor, ...more: tf.Tensor[]) => prefixKeys(modelOf(more), ids as tf.Tensor1D),
      work,
    );
  }

  /**
   * Keys and values (prefixKeys.ts), which stay ours. @param ids [P] int32 @param makeMore called where they are
   * computed; what it makes becomes ours
   */
  of(ids: tf.Tensor1D, makeMore: () => tf.Tensor[] = () => []): tf.Tensor[] {
    if (this.held && !isSame(this.held.ids, ids)) this.drop();
    if (!this.held) {
      const more = makeMore();
      this.held = { ids: tf.clone(ids), more, keys: this.forward(ids, ...more) };
    }
    return this.held.keys;
  }

  drop(): void {
    if (this.held) tf.dispose([this.held.ids, ...this.held.more, ...this.held.keys]);
    this.held = null;
  }

  forget(): void {
    this.drop();
    this.forward.forget();
  }
}

/** The same of a model that learns: between `of` and `gradients` its weights stay as they are. */
export class TrainedPrefix extends PrefixKeys {
  private readonly backward: Recorded<tf.Tensor[], tf.Tensor[]>;
  /** of what flowed to keys and values; ours to write to */
  private sums: Float32Array[] = [];
  /** which of the trained a gradient reaches: of the last layer, those of its keys and values alone */
  private reached: number[] = [];

  constructor(engine: Engine, modelOf: (more: tf.Tensor[]) => CausalLM, trained: readonly tf.Variable[]) {
    super(engine, modelOf, 'training');
    this.backward = engine.jit((...args: tf.Tensor[]) => {
      const count = 2 * modelOf(args.slice(1)).config.layers;
      const [ids, flowed, more] = [args[0] as tf.Tensor1D, args.slice(1, 1 + count), args.slice(1 + count)];
      const flat = (xs: tf.Tensor[]): tf.Tensor => tf.concat(xs.map((x) => tf.reshape(x, [-1])));
      const { grads } = tf
        .engine()
        .gradients(() => flat(prefixKeys(modelOf(more), ids)), [...trained], flat(flowed), true) as {
        grads: (tf.Tensor | null)[];
      };
      this.reached = grads.flatMap((gradient, i) => (gradient ? [i] : []));
      return this.reached.map((i) => grads[i]!);
    }, 'training');
  }

  /** @param gradients of a micro-batch to keys and values; stay the caller's */
  add(gradients: readonly Float32Array[]): void {
    if (this.sums.length === 0) this.sums = gradients.map((gradient) => gradient.slice());
    else gradients.forEach((gradient, i) => addTo(this.sums[i]!, gradient));
  }

  /**
   * Gradients to the trained by their number, of all that was added; empty where nothing was. Behind it the prefix is
   * to be computed anew.
   */
  async gradients(): Promise<Map<number, Float32Array>> {
    const { held, sums } = this;
    if (!held || sums.length === 0) {
      this.drop();
      return new Map();
    }
    const flowed = sums.map((sum, i) => tf.tensor(sum, held.keys[i]!.shape));
    this.sums = [];
    const out = this.backward(held.ids, ...flowed, ...held.more);
    const data = (await Promise.all(out.map((t) => t.data()))) as Float32Array[];
    tf.dispose([...out, ...flowed]);
    this.drop();
    return new Map(this.reached.map((number, i) => [number, data[i]!]));
  }

  override forget(): void {
    super.forget();
    this.sums = [];
    this.backward.forget();
  }
}

function addTo(sum: Float32Array, more: Float32Array): void {
  for (let i = 0; i < sum.length; i++) sum[i] = sum[i]! + more[i]!;
}

function isSame(a: tf.Tensor1D, b: tf.Tensor1D): boolean {
  if (a.size !== b.size) return false;
  const [x, y] = [a.dataSync(), b.dataSync()];
  return x.every((id, i) => id === y[i]);
}

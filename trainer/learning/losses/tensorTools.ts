import * as tf from '@tensorflow/tfjs';

/** A number is baked into a traced graph; a scalar tensor is read anew at every run of it. */
export type ScalarLike = tf.Scalar | number;

/**
 * What every loss returns. `loss` belongs to the surrounding tidy or to the caller; the statistics are kept (they
 * survive the tidy of `tf.grads`), so the caller reads and disposes them.
 */
export interface LossResult {
  loss: tf.Scalar;
  statistics: Record<string, tf.Scalar>;
}

export class ShapeError extends Error {}

/** @throws ShapeError that names the place, the tensor, the shape it must have and the one it has. */
export function assertShape(where: string, name: string, tensor: tf.Tensor, shape: readonly number[]): void {
  if (tensor.shape.length !== shape.length || tensor.shape.some((size, axis) => size !== shape[axis])) {
    throw new ShapeError(`${where}: ${name} must be [${shape.join(', ')}], got [${tensor.shape.join(', ')}]`);
  }
}

/** Runs a loss in a tidy, keeps its statistics and hands the loss to the surrounding scope. */
export function tidyLoss(build: () => LossResult): LossResult {
  const { loss, statistics } = tf.tidy(() => build() as unknown as tf.TensorContainerObject) as unknown as LossResult;
  for (const statistic of Object.values(statistics)) tf.keep(statistic);
  return { loss, statistics };
}

/**
 * The value of compute(...inputs), a constant for the backward pass: torch's detach and no_grad. TensorFlow.js has no
 * stop-gradient op, and ops that lack a gradient (TopK, Less, LessEqual, Greater) throw when they lie on the path from
 * an input to the loss, so all such work goes in here. Pass inputs from before any exp, or a zero gradient meets an
 * infinite derivative and becomes NaN.
 *
 * @param inputs   tensors of any shape that may be differentiable
 * @param compute  pure; may use other tensors through its closure
 * @returns the tensor; caller disposes
 */
export function withoutGradient<T extends tf.Tensor>(inputs: tf.Tensor[], compute: (...inputs: tf.Tensor[]) => T): T {
  const shapes = inputs.map((input) => input.shape);
  const constant = tf.customGrad((...args) => ({
    value: compute(...(args.slice(0, inputs.length) as tf.Tensor[])),
    gradFunc: () => shapes.map((shape) => tf.zeros(shape)),
  }));
  return constant(...inputs) as T;
}

/** torch's detach(). Shape as the input; caller disposes. */
export function stopGradient<T extends tf.Tensor>(tensor: T): T {
  return withoutGradient([tensor], (value) => value.clone()) as T;
}

/**
 * Sorted copy, smallest first, differentiable (the gradient goes back to where each value came from).
 * topk has no gradient in TensorFlow.js; the inverse permutation is the argsort of the permutation.
 *
 * @param values [n], n static
 * @returns [n]; caller disposes
 */
export function sortAscending(values: tf.Tensor1D): tf.Tensor1D {
  const n = values.shape[0];
  const sort = tf.customGrad((...args) => {
    const [x, save] = args as [tf.Tensor1D, tf.GradSaveFunc];
    const order = tf.topk(tf.neg(x), n, true).indices; // [n]
    save([order]);
    return {
      value: tf.gather(x, order),
      gradFunc: (dy: tf.Tensor, saved: tf.Tensor[]) => {
        const position = tf.topk(tf.neg(tf.cast(saved[0]!, 'float32')), n, true).indices; // [n], inverse permutation
        return tf.gather(dy, position);
      },
    };
  });
  return sort(values) as tf.Tensor1D;
}

/** x where the mask is 1, else 0, whatever stood there (NaN and -Infinity too); the gradient there is 0. Same shape. */
export function keepMasked<T extends tf.Tensor>(x: T, mask: tf.Tensor): T {
  return tf.where(tf.greater(mask, 0), x, tf.zerosLike(x)) as T;
}

/** Sum of x over mask, divided by the number of ones (at least 1, so an empty mask gives 0). Scalar. */
export function maskedMean(x: tf.Tensor, mask: tf.Tensor): tf.Scalar {
  return tf.div(tf.sum(tf.mul(x, mask)), tf.maximum(tf.sum(mask), 1)) as tf.Scalar;
}

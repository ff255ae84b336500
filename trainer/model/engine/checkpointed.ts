/**
 * Gradient checkpointing: what lies between the inputs and the result of a part is not kept for the gradient but
 * computed once more.
 */
import * as tf from '@tensorflow/tfjs';

/** @param isAgain computed for the gradient alone: what no gradient flows through may be left out */
export type Section = (inputs: tf.Tensor[], constants: tf.Tensor[], isAgain: boolean) => tf.Tensor;

/**
 * f(inputs, constants), with gradients to the inputs. Of what `f` makes only its result is held until the gradient is
 * there; then it makes it again, from the
 * inputs, which costs one forward pass more (Chen et al., arXiv:1604.06174). `f` must use no other tensor than these
 * and such as outlive the step, and all that
 * takes memory must depend on the first input.
 */
export function checkpointed(f: Section, inputs: readonly tf.Tensor[], constants: readonly tf.Tensor[]): tf.Tensor {
  const n = inputs.length;
  const op = tf.customGrad((...args: unknown[]) => {
    const given = args.slice(0, n) as tf.Tensor[];
    const save = args[n] as tf.GradSaveFunc;
    save([...given, ...constants]);
    return {
      value: f(given, [...constants], false),
      gradFunc: (dy: tf.Tensor, saved: tf.Tensor[]) =>
        tf.tidy(() =>
          onOwnTape(() =>
            tf.grads((...again: tf.Tensor[]) => f(again, saved.slice(n), true))(
              [after(saved[0]!, dy), ...saved.slice(1, n)],
              dy,
            ),
          ),
        ),
    };
  });
  return op(...inputs);
}

/** Gradients inside of a gradient: tfjs drops its tape behind the inner ones, and needs the outer one's again. */
function onOwnTape<T>(run: () => T): T {
  const { state } = tf.engine();
  const outer = state.activeTape;
  try {
    return run();
  } finally {
    state.activeTape = outer;
  }
}

/**
 * x, but computed no sooner than `first`, of rank 1 or more: a compiled graph may run what is ready in any order, and
 * would make all parts again at once, and
 * hold them. An engine that computes op by op keeps the order as it is.
 */
export function after<T extends tf.Tensor>(x: T, first: tf.Tensor): T {
  if (tf.getBackend() !== 'onnx') return x;
  return tf.customGrad((y) => ({
    value: tf.engine().runKernel('After', { x: y as tf.Tensor, first }) as tf.Tensor,
    gradFunc: (dy: tf.Tensor) => dy,
  }))(x) as T;
}

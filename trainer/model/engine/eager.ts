import * as tf from '@tensorflow/tfjs';
import type { Engine } from './engine';

/** Recording on an engine that runs each op at once: fn in a tidy. */
export const eager: Pick<Engine, 'jit' | 'alias'> = {
  jit: (<A extends tf.Tensor[], R extends tf.Tensor | tf.Tensor[]>(fn: (...args: A) => R) =>
    Object.assign(
      (...args: A): R => {
        const own = tf.scalar(0);
        const firstOwn = own.id;
        own.dispose();
        // what fn did not make itself (an argument, a variable) is cloned, so that the caller may always dispose the
        // result
        const give = (t: tf.Tensor): tf.Tensor => (t.id <= firstOwn || t instanceof tf.Variable ? t.clone() : t);
        return tf.tidy(() => {
          const made = fn(...args);
          return (Array.isArray(made) ? made.map(give) : give(made)) as R;
        });
      },
      { forget: () => undefined },
    )) as Engine['jit'],
  alias: (data, shape) => tf.tensor(data, shape, data instanceof Float32Array ? 'float32' : 'int32'),
};

import * as tf from '@tensorflow/tfjs';

/**
 * Every kernel that tfjs knows: it exports each one's name as a constant of that name. FromPixels is left out: where
 * it is not registered, tfjs does without.
 */
export const kernelNames: readonly string[] = Object.entries(tf)
  .flatMap(([name, value]) => (name === value && name !== 'FromPixels' ? [name] : []))
  .sort();

/** Kernels that a back end has not registered. */
export function unregistered(backendName: string): string[] {
  const has = new Set(tf.getKernelsForBackend(backendName).map((k) => k.kernelName));
  return kernelNames.filter((name) => !has.has(name));
}

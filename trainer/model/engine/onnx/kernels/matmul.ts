import * as tf from '@tensorflow/tfjs';
import { matMul } from '../ops';
import { node } from '../value';
import { kernel } from './register';

export function registerMatMul(): void {
  kernel<{ transposeA: boolean; transposeB: boolean }>('BatchMatMul', (on) =>
    matMul(on('a'), on('b'), on.attrs.transposeA, on.attrs.transposeB),
  );
  kernel<{ equation: string }>('Einsum', (on) => {
    const inputs = on.list();
    const equation = on.attrs.equation.replace(/\s/g, '');
    const { allDims, summedDims, idDims } = tf.backend_util.decodeEinsumEquation(equation, inputs.length);
    tf.backend_util.checkEinsumDimSizes(
      allDims.length,
      idDims,
      inputs.map((x) => ({ shape: [...x.shape] }) as tf.Tensor),
    );
    const sizes: number[] = [];
    inputs.forEach((x, k) => idDims[k]!.forEach((d, i) => (sizes[d] = x.shape[i]!)));
    return node(
      'Einsum',
      inputs,
      allDims
        .map((_, d) => d)
        .filter((d) => !summedDims.includes(d))
        .map((d) => sizes[d]!),
      'float32',
      { equation },
    );
  });
}

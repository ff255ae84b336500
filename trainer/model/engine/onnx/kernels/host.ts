/**
 * Kernels that run in JavaScript, by tfjs' own cpu kernels: shapes that depend on values, strings, complex numbers, and
 * what nobody trains with.
 * They read their inputs, so what is pending runs first, and inside of jit they work on constants only.
 */
import * as tf from '@tensorflow/tfjs';
import type { OnnxBackend } from '../backend';
import type { Value } from '../value';

/** What we use of tfjs' MathBackendCPU. */
interface CpuBackend extends tf.KernelBackend {
  makeTensorInfo(shape: number[], dtype: tf.DataType, values: tf.BackendValues): tf.TensorInfo;
}
type Given = tf.TensorInfo | tf.TensorInfo[] | undefined;
type Inputs = Record<string, Given> | tf.TensorInfo[];

export function runOnHost(kernelName: string, inputs: Inputs, attrs: object, backend: OnnxBackend): Value | Value[] {
  const cpu = tf.findBackend('cpu') as CpuBackend;
  const own: tf.TensorInfo[] = [];
  const give = (shape: number[], dtype: tf.DataType, values: tf.BackendValues): tf.TensorInfo => {
    // some kernels ask for a tensor's rank
    const info = { ...cpu.makeTensorInfo(shape, dtype, values), rank: shape.length };
    own.push(info);
    return info;
  };
  const copy = ({ dataId, shape, dtype }: tf.TensorInfo): tf.TensorInfo => {
    const values = backend.readSync(dataId);
    if (dtype !== 'complex64') return give(shape, dtype, values);
    const { real, imag } = tf.backend_util.splitRealAndImagArrays(values as Float32Array);
    const parts = { real: give(shape, 'float32', real), imag: give(shape, 'float32', imag) };
    const whole = tf
      .getKernel('Complex', 'cpu')
      .kernelFunc({ inputs: parts, backend: cpu, attrs: {} }) as tf.TensorInfo;
    own.push(whole);
    return whole;
  };
  const copies = Array.isArray(inputs)
    ? inputs.map(copy)
    : Object.fromEntries(
        Object.entries(inputs).map(([name, t]) => [name, Array.isArray(t) ? t.map(copy) : t && copy(t)]),
      );
  let made: tf.TensorInfo[] = [];
  try {
    const out = tf
      .getKernel(kernelName, 'cpu')
      .kernelFunc({ inputs: copies as tf.NamedTensorInfoMap, backend: cpu, attrs: attrs as tf.NamedAttrMap });
    made = Array.isArray(out) ? out : [out];
    const values = made.map((t) => backend.leafOf(cpu.readSync(t.dataId), t.shape, t.dtype, false));
    return Array.isArray(out) ? values : values[0]!;
  } finally {
    for (const t of [...made, ...own]) cpu.disposeData(t.dataId);
  }
}

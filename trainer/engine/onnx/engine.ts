import * as tf from '@tensorflow/tfjs';
import type { Engine } from '../engine';
import { OnnxBackend } from './backend';
import { jit } from './jit';
import { registerKernels } from './kernels/index';
import { loadRuntime } from './runtime';
import type { Device } from './session';
import { leaf, sizeOf } from './value';
import { tryWebGpu } from './webGpu';

/** The parts of an engine that the ONNX back end brings. @throws when onnxruntime-node does not load, or does not find the device */
export async function openOnnx(threads: number, device: Device = 'cpu', isVerbose = false): Promise<Pick<Engine, 'jit' | 'alias' | 'dispose'> & { version: string; backend: OnnxBackend }> {
  const runtime = loadRuntime();
  if (device === 'webgpu') tryWebGpu(runtime);
  registerKernels();
  const backend = new OnnxBackend(runtime, { threads, device, isVerbose });
  if (tf.findBackendFactory('onnx')) tf.removeBackend('onnx');
  tf.registerBackend('onnx', () => backend);
  if (!(await tf.setBackend('onnx'))) throw new Error('tfjs refused the back end onnx');
  await tf.ready();
  const open = new Set<{ dispose(): void }>();
  return {
    version: runtime.version,
    backend,
    jit: ((fn: (...args: tf.Tensor[]) => tf.Tensor | tf.Tensor[]) => jit(backend, fn, open)) as Engine['jit'],
    alias(data, shape) {
      if (sizeOf(shape) !== data.length) throw new Error(`alias: ${data.length} numbers do not fill [${shape.join(', ')}]`);
      return backend.tensor(leaf(data, shape, data instanceof Float32Array ? 'float32' : 'int32'));
    },
    dispose() {
      for (const session of open) session.dispose();
      open.clear();
      backend.dispose();
    },
  };
}

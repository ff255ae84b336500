import * as tf from '@tensorflow/tfjs';
import { eager } from './eager';
import type { Engine, EngineName } from './engine';
import { openOnnx, type OnnxOptions } from './onnx/engine';
import { registerKernels } from './onnx/kernels/index';
import { loadRuntime } from './onnx/runtime';
import { loadNative, type NativeName } from './native/load';
import { registerWasmKernels } from './wasm/kernels';

export interface Opened extends Pick<Engine, 'jit' | 'alias' | 'dispose' | 'threads'> {
  /** What runs, in words. */
  what: string;
}
/** `probe`: find out whether it works without touching a back end that may be in use. */
export type Opener = (
  threads: number,
  mode?: 'open' | 'probe',
  options?: Pick<OnnxOptions, 'device' | 'note'>,
) => Promise<Opened>;

/** Best first. */
export const order: readonly EngineName[] = ['tfjs-node-gpu', 'onnx', 'tfjs-node', 'wasm', 'cpu'];

/** What tfjs calls the back end of each engine. */
export const backendNames: Record<EngineName, string> = {
  'tfjs-node-gpu': 'tensorflow',
  onnx: 'onnx',
  'tfjs-node': 'tensorflow',
  wasm: 'wasm',
  cpu: 'cpu',
};

export const wayOut: Record<EngineName, string> = {
  'tfjs-node-gpu':
    'run `coach engines --install gpu` (Linux x64, needs an NVIDIA GPU), or set agentCoach.engine to auto',
  onnx: 'run ONNXRUNTIME_NODE_INSTALL=skip npm install onnxruntime-node@1.30.0, or set agentCoach.engine to auto',
  'tfjs-node': 'run `coach engines --install tfjs-node` (Linux x64), or set agentCoach.engine to auto',
  wasm: 'run npm install again, or set agentCoach.engine to auto',
  cpu: 'run npm install again',
};

export const openers: Record<EngineName, Opener> = {
  'tfjs-node-gpu': async (_, mode) => {
    await openNative('tfjs-node-gpu', mode);
    return { ...eager, threads: 1, what: 'TensorFlow on a GPU', dispose: () => {} };
  },
  onnx: async (threads, mode, options) => {
    if (mode === 'probe') {
      const { version } = loadRuntime();
      registerKernels();
      return { ...eager, threads, what: `ONNX Runtime ${version}`, dispose: () => {} };
    }
    const { version, backend: _, device, ...engine } = await openOnnx({ threads, ...options });
    return {
      ...engine,
      threads,
      what: `ONNX Runtime ${version} on ${device}, ${threads} thread${threads === 1 ? '' : 's'}`,
    };
  },
  'tfjs-node': async (threads, mode) => {
    process.env['TF_NUM_INTRAOP_THREADS'] ??= String(threads);
    await openNative('tfjs-node', mode);
    return { ...eager, threads, what: 'TensorFlow on the CPU', dispose: () => {} };
  },
  wasm: async () => {
    await import('@tensorflow/tfjs-backend-wasm'); // bundled; it looks for its .wasm files beside the bundle
    registerWasmKernels();
    await setBackend('wasm');
    return { ...eager, threads: 1, what: 'WebAssembly, 1 thread', dispose: () => {} };
  },
  cpu: async () => {
    await setBackend('cpu');
    return { ...eager, threads: 1, what: 'plain JavaScript, for tests only', dispose: () => {} };
  },
};

async function openNative(name: NativeName, mode: 'open' | 'probe' = 'open'): Promise<void> {
  const backend = loadNative(name);
  if (mode === 'probe') return;
  if (tf.findBackendFactory('tensorflow')) tf.removeBackend('tensorflow');
  tf.registerBackend('tensorflow', () => backend);
  await setBackend('tensorflow');
}

/** tf.setBackend prints a failure and answers false; calling the factory ourselves brings the message. */
async function setBackend(name: string): Promise<void> {
  if (!(name in tf.engine().registry)) {
    const factory = tf.findBackendFactory(name);
    if (!factory) throw new Error(`tfjs has no back end ${name}`);
    const backend = await factory();
    tf.removeBackend(name); // its factory has run: the instance takes its place
    tf.registerBackend(name, () => backend);
  }
  if (!(await tf.setBackend(name))) throw new Error(`tfjs refused the back end ${name}`);
  await tf.ready();
}

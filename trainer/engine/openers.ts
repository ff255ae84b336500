import * as tf from '@tensorflow/tfjs';
import * as util from 'node:util';
import { eager } from './eager';
import type { Engine, EngineName } from './engine';
import { openOnnx } from './onnx/engine';
import { registerKernels } from './onnx/kernels/index';
import { loadRuntime } from './onnx/runtime';
import type { Device } from './onnx/session';
import { registerWasmKernels } from './wasm/kernels';

export interface Opened extends Pick<Engine, 'jit' | 'alias' | 'dispose' | 'threads'> {
  /** What runs, in words. */
  what: string;
}
/** `probe`: find out whether it works without touching a back end that may be in use. */
export type Opener = (threads: number, mode?: 'open' | 'probe', device?: Device) => Promise<Opened>;

/** Best first. */
export const order: readonly EngineName[] = ['tfjs-node-gpu', 'onnx', 'tfjs-node', 'wasm', 'cpu'];

/** What tfjs calls the back end of each engine. */
export const backendNames: Record<EngineName, string> = { 'tfjs-node-gpu': 'tensorflow', onnx: 'onnx', 'tfjs-node': 'tensorflow', wasm: 'wasm', cpu: 'cpu' };

export const wayOut: Record<EngineName, string> = {
  'tfjs-node-gpu': 'install the optional package (npm install @tensorflow/tfjs-node-gpu, needs an NVIDIA GPU and its CUDA libraries), or set agentCoach.engine to auto',
  onnx: 'run ONNXRUNTIME_NODE_INSTALL=skip npm install onnxruntime-node@1.30.0, or set agentCoach.engine to auto',
  'tfjs-node': 'install the optional package (npm install @tensorflow/tfjs-node), or set agentCoach.engine to auto',
  wasm: 'run npm install again, or set agentCoach.engine to auto',
  cpu: 'run npm install again',
};

export const openers: Record<EngineName, Opener> = {
  'tfjs-node-gpu': async () => {
    const backend = await openNative('@tensorflow/tfjs-node-gpu');
    if (!backend.isUsingGpuDevice) throw new Error('the package loads but sees no GPU');
    return { ...eager, threads: 1, what: 'TensorFlow on a GPU', dispose: () => {} };
  },
  onnx: async (threads, mode, device = 'cpu') => {
    if (mode === 'probe') {
      const { version } = loadRuntime();
      registerKernels();
      return { ...eager, threads, what: `ONNX Runtime ${version}`, dispose: () => {} };
    }
    const { version, backend: _, ...engine } = await openOnnx(threads, device);
    return { ...engine, threads, what: `ONNX Runtime ${version} on ${device === 'cpu' ? 'the CPU' : 'a GPU by WebGPU (experimental), what it lacks on the CPU'}, ${threads} thread${threads === 1 ? '' : 's'}` };
  },
  'tfjs-node': async (threads) => {
    process.env['TF_NUM_INTRAOP_THREADS'] ??= String(threads);
    await openNative('@tensorflow/tfjs-node');
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

/** libtensorflow's binding. Node 23 dropped two functions that tfjs-node 4.22 calls in every op. */
async function openNative(name: '@tensorflow/tfjs-node' | '@tensorflow/tfjs-node-gpu'): Promise<{ isUsingGpuDevice?: boolean }> {
  const old = util as unknown as { isNullOrUndefined?: (x: unknown) => boolean; isArray?: (x: unknown) => boolean };
  try {
    old.isNullOrUndefined ??= (x) => x === null || x === undefined;
    old.isArray ??= Array.isArray;
  } catch {
    // a sealed module object: Node 22 and older have both functions
  }
  require(name); // optional: the name is a variable, so that no bundler or type checker looks for it
  await setBackend('tensorflow');
  return tf.backend() as unknown as { isUsingGpuDevice?: boolean };
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

import * as tf from '@tensorflow/tfjs';
import type { Engine } from '../engine';
import { OnnxBackend } from './backend';
import { jit } from './jit';
import { registerKernels } from './kernels/index';
import { loadRuntime, type Runtime } from './runtime';
import type { Device } from './session';
import { leafOver } from './value';
import { findAdapter, mayHaveGpu } from './webGpu';

export interface OnnxOptions {
  threads: number;
  /**
   * `auto`: each recorded function on the CPU or the GPU, where a measured run is shorter; a software adapter is never
   * taken.
   */
  device?: Device | 'auto';
  /** ONNX Runtime tells on stderr which node runs where. */
  isVerbose?: boolean;
  note?: (message: string) => void;
}
type Parts = Pick<Engine, 'jit' | 'alias' | 'dispose'> & { version: string; device: string; backend: OnnxBackend };

/**
 * The parts of an engine that the ONNX back end brings. @throws when onnxruntime-node does not load, or does not find
 * the device
 */
export async function openOnnx({ threads, device = 'auto', isVerbose = false, note }: OnnxOptions): Promise<Parts> {
  const runtime = loadRuntime();
  const found = await devicesFor(device, runtime);
  registerKernels();
  const backend = new OnnxBackend(runtime, { threads, devices: found.devices, isVerbose }, note);
  if (tf.findBackendFactory('onnx')) tf.removeBackend('onnx');
  tf.registerBackend('onnx', () => backend);
  if (!(await tf.setBackend('onnx'))) throw new Error('tfjs refused the back end onnx');
  await tf.ready();
  const open = new Set<{ dispose(): void }>();
  return {
    version: runtime.version,
    device: found.what,
    backend,
    jit: ((fn: (...args: tf.Tensor[]) => tf.Tensor | tf.Tensor[], work = 'a step', sizes = 'own') =>
      jit(backend, fn, { work, isForAnySize: sizes === 'any' }, open)) as Engine['jit'],
    alias(data, shape) {
      const value = leafOver('alias', data, shape);
      value.isAliased = true;
      return backend.tensor(value);
    },
    dispose() {
      for (const session of open) session.dispose();
      open.clear();
      backend.dispose();
    },
  };
}

async function devicesFor(device: Device | 'auto', runtime: Runtime): Promise<{ devices: Device[]; what: string }> {
  const cpu = { devices: ['cpu' as const], what: 'the CPU' };
  switch (device) {
    case 'cpu':
      return cpu;
    case 'webgpu': {
      const { cards } = await findAdapter(runtime);
      return {
        devices: ['webgpu'],
        what: `${cards[0] ?? 'a software adapter'} by WebGPU (experimental), what it lacks on the CPU`,
      };
    }
    case 'auto': {
      if (!runtime.hasWebGpu || !mayHaveGpu()) return cpu;
      // a machine without one is no fault; coach engines tells the reason
      const adapter = await findAdapter(runtime).catch(() => null);
      if (adapter === null || adapter.isSoftware) return cpu;
      return {
        devices: ['cpu', 'webgpu'],
        what: `the CPU or ${adapter.cards[0]!} by WebGPU, each graph where it measured faster`,
      };
    }
  }
}

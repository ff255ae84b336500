import * as tf from '@tensorflow/tfjs';
import { availableParallelism } from 'node:os';
import { UserError } from '../../protocol/result';
import { unregistered } from './kernelNames';
import { onHost } from './onnx/kernels/hostKernels';
import { missingKernels } from './onnx/kernels/missing';
import { loadRuntime } from './onnx/runtime';
import type { Device } from './onnx/session';
import { findAdapter } from './onnx/webGpu';
import { backendNames, openers, order, wayOut } from './openers';

export type EngineName = 'tfjs-node-gpu' | 'onnx' | 'tfjs-node' | 'wasm' | 'cpu';

/**
 * A function that an engine has recorded. `forget` closes its graphs, with the memory that they hold; the next call
 * records again.
 */
export type Recorded<A extends tf.Tensor[], R> = ((...args: A) => R) & { forget(): void };

/** What runs the model: one tfjs back end, chosen once at the start. */
export interface Engine {
  readonly name: EngineName;
  readonly why: string;
  readonly threads: number;
  /** Each better engine that was not taken, with the real message. */
  readonly rejected: { name: EngineName; reason: string }[];
  /**
   * Records fn once per signature (shapes, dtypes) of its tensor arguments and replays it as one compiled graph; on
   * eager engines runs fn in a tidy.
   * tf.Variables that fn reads are inputs at every call, those it assigns become outputs. Everything else that fn reads
   * is frozen at the first call:
   * JavaScript numbers, Math.random, tensors made inside; pass what changes as a tensor. The result is not
   * differentiable. Caller disposes the results.
   * @param work what it is ('training', 'decode'), for the note that says on which device it measured faster
   * @param sizes 'any': signatures that differ in sizes only have one graph, which plans its memory less well; for what
   * is called seldom with each. What reads
   *   packed weights is always so on a processor.
   */
  jit<A extends tf.Tensor[], R extends tf.Tensor | tf.Tensor[]>(
    fn: (...args: A) => R,
    work?: string,
    sizes?: 'own' | 'any',
  ): Recorded<A, R>;
  /**
   * A tensor that aliases `data` without a copy: later writes into `data` are seen by the next run (host-side KV
   * cache).
   * On engines without aliasing it uploads at each call, so call it again before each use. Caller disposes.
   */
  alias(data: Float32Array | Int32Array, shape: number[]): tf.Tensor;
  /** Closes the compiled graphs; tensors already read out stay valid. */
  dispose(): void;
}

/** More threads than this do not pay for products of a small model. */
const MAX_THREADS = 8;

export interface EngineOptions {
  engine?: EngineName | 'auto';
  /** Default: all cores, at most 8. The trainer runs below normal priority, so the editor stays quick. */
  threads?: number;
  /**
   * What computes on the onnx engine. `webgpu`: any GPU without an install, an error where there is none. `auto`: where
   * there is a GPU (never a
   * software adapter), each recorded function is measured on both and stays where it was faster, which `note` tells;
   * else the CPU.
   */
  device?: 'auto' | Device;
  /** Told what a user wants to know of a run: which device was taken, that one was lost and the CPU goes on. */
  note?: (message: string) => void;
}

/**
 * Sets the tfjs back end and awaits it. `auto` takes the first of tfjs-node-gpu, onnx, tfjs-node, wasm, cpu that works.
 * @throws UserError when a named engine does not work here: never another one in its place
 */
export async function openEngine({
  engine = 'auto',
  threads = Math.min(MAX_THREADS, availableParallelism()),
  device = 'auto',
  note,
}: EngineOptions = {}): Promise<Engine> {
  if (!Number.isInteger(threads) || threads < 1)
    throw new UserError(
      'config',
      `openEngine: threads must be a whole number of 1 or more, got ${threads}`,
      'set agentCoach.threads to 1 or more',
    );
  if (engine !== 'auto' && !order.includes(engine))
    throw new UserError(
      'config',
      `openEngine: no engine is called ${String(engine)}`,
      `choose one of auto, ${order.join(', ')}`,
    );
  if (device !== 'auto' && device !== 'cpu' && device !== 'webgpu')
    throw new UserError(
      'config',
      `openEngine: no device is called ${String(device)}`,
      'choose one of auto, cpu, webgpu',
    );
  if (device === 'webgpu') {
    if (engine !== 'auto' && engine !== 'onnx')
      throw new UserError(
        'config',
        `openEngine: device webgpu belongs to the engine onnx, not to ${engine}`,
        'set agentCoach.engine to onnx, or agentCoach.device to auto',
      );
    engine = 'onnx';
  }
  const rejected: Engine['rejected'] = [];
  for (const name of engine === 'auto' ? order : [engine]) {
    try {
      const opened = await openers[name](threads, 'open', { device, ...(note ? { note } : {}) });
      const why =
        engine !== 'auto'
          ? `chosen by the setting; ${opened.what}`
          : rejected.length === 0
            ? `the first choice; ${opened.what}`
            : `${rejected.map((r) => r.name).join(', ')} not available; ${opened.what}`;
      return {
        name,
        why,
        rejected,
        threads: opened.threads,
        jit: opened.jit,
        alias: opened.alias,
        dispose: opened.dispose,
      };
    } catch (error) {
      const reason = messageOf(error);
      if (engine !== 'auto')
        throw new UserError(
          'device',
          `engine ${name}: ${reason}`,
          device === 'webgpu' ? 'set agentCoach.device to auto or cpu' : wayOut[name],
        );
      rejected.push({ name, reason });
    }
  }
  throw new UserError(
    'device',
    `no engine works here: ${rejected.map((r) => `${r.name}: ${r.reason}`).join('; ')}`,
    'run npm install again',
  );
}

export interface EngineListing {
  name: EngineName;
  available: boolean;
  /** What runs it, or why it does not work here. */
  reason: string;
  /** tfjs' kernels that it lacks: an op that needs one fails. Absent where the engine does not work. */
  missingKernels?: string[];
  /** Kernels that run in JavaScript, one by one, and not inside of a compiled graph. */
  hostKernels?: string[];
  /** What it can compute on. */
  devices?: { name: Device; available: boolean; reason: string }[];
}

/** Tries each engine, the best first, and leaves the tfjs back end as it was. */
export async function listEngines(): Promise<EngineListing[]> {
  const before = tf.engine().backendName;
  const list: EngineListing[] = [];
  for (const name of order) {
    try {
      const opened = await openers[name](1, 'probe');
      list.push({
        name,
        available: true,
        reason: opened.what,
        ...(name === 'onnx'
          ? { missingKernels: missingKernels(), hostKernels: [...onHost], devices: await listDevices() }
          : { missingKernels: unregistered(backendNames[name]) }),
      });
      opened.dispose();
    } catch (error) {
      list.push({ name, available: false, reason: messageOf(error) });
    }
  }
  if (before) await tf.setBackend(before);
  return list;
}

async function listDevices(): Promise<NonNullable<EngineListing['devices']>> {
  const cpu = (reason: string) => ({ name: 'cpu' as const, available: true, reason });
  try {
    const { cards, isSoftware } = await findAdapter(loadRuntime());
    if (!isSoftware)
      return [
        cpu('taken by agentCoach.device auto where it measures faster'),
        {
          name: 'webgpu',
          available: true,
          reason: `${cards.join(', ')}; experimental, taken by agentCoach.device auto where it measures faster`,
        },
      ];
    return [
      cpu('taken by agentCoach.device auto'),
      {
        name: 'webgpu',
        available: true,
        reason: 'a software adapter: right results, slower than the CPU; only by agentCoach.device webgpu',
      },
    ];
  } catch (error) {
    return [cpu('taken by agentCoach.device auto'), { name: 'webgpu', available: false, reason: messageOf(error) }];
  }
}

/**
 * The first line of the real message; Node's module errors add a require stack. The wasm package rejects with a bare
 * object.
 */
function messageOf(error: unknown): string {
  const message =
    typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error);
  return message.split('\n')[0]!;
}

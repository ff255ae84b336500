/**
 * libtensorflow by tfjs-node's own binding and kernels, from npm's package or from where `coach engines --install` put
 * it.
 */
import * as tf from '@tensorflow/tfjs';
import { existsSync } from 'node:fs';
import Module from 'node:module';
import { dirname, join } from 'node:path';
import { installedAt } from './folder';

export type NativeName = 'tfjs-node' | 'tfjs-node-gpu';
interface NativeBackend extends tf.KernelBackend {
  isUsingGpuDevice: boolean;
}

/**
 * Makes the back end and registers its kernels, without the package's index file: that one loads a second tfjs (in a
 * bundle), whose kernels are
 * all "already registered", and it takes its place as the current back end.
 * @returns the back end, not set yet
 * @throws with the real message when it is not installed or does not load; `tfjs-node-gpu` also where it sees no GPU
 */
export function loadNative(name: NativeName): tf.KernelBackend {
  process.env['TF_CPP_MIN_LOG_LEVEL'] ??= '2'; // else libtensorflow tells the processor's features on stderr
  const folder = findPackage(name);
  const binding = bindingOf(folder);
  giveOldUtil();
  const load = (file: string): unknown => withOurTfjs(() => require(join(folder, 'dist', file)) as unknown);
  const { NodeJSKernelBackend } = load('nodejs_kernel_backend.js') as {
    NodeJSKernelBackend: new (binding: unknown, name: string) => NativeBackend;
  };
  const backend = new NodeJSKernelBackend(require(binding), `@tensorflow/${name}`);
  if (name === 'tfjs-node-gpu' && !backend.isUsingGpuDevice) throw new Error('the package loads but sees no GPU');
  // one registry: the other package's kernels are the same
  if (tf.getKernelsForBackend('tensorflow').length === 0) load('register_all_kernels.js');
  return backend;
}

/** The package's folder. @throws where it is neither installed by us nor found beside the program */
function findPackage(name: NativeName): string {
  const own = installedAt(name);
  if (own !== null) return own;
  try {
    // a computed name, so that no bundler or type checker looks for it
    return dirname(require.resolve(`@tensorflow/${name}/package.json`));
  } catch (error) {
    throw new Error(`@tensorflow/${name} is not installed`, { cause: error });
  }
}

function bindingOf(folder: string): string {
  for (const version of [8, 7, 6, 5, 4, 3]) {
    const path = join(folder, 'lib', `napi-v${version}`, 'tfjs_binding.node');
    if (existsSync(path)) return path;
  }
  throw new Error(
    `${folder} has no binding (lib/napi-v8/tfjs_binding.node): its install script, which ` +
      'downloads libtensorflow, has not run',
  );
}

/**
 * Node 23 dropped one of two functions that tfjs-node 4.22 calls in every op, and tells at each start that the other
 * one is old.
 */
function giveOldUtil(): void {
  type Old = { isNullOrUndefined?: (x: unknown) => boolean; isArray?: (x: unknown) => boolean };
  const target = (Module as unknown as { _load(request: string, parent: null, isMain: boolean): Old })._load(
    'util',
    null,
    false,
  ); // the object itself: a bundler's namespace is a copy
  target.isNullOrUndefined ??= (x) => x === null || x === undefined;
  target.isArray = Array.isArray;
}

/** What is required while `run` runs gets this program's tfjs. */
function withOurTfjs<R>(run: () => R): R {
  const loader = Module as unknown as { _load(request: string, ...rest: unknown[]): unknown };
  const load = loader._load;
  // their compiled classes call their base as a function, which a class of tfjs' newer build refuses; it has no state
  const Base = function KernelBackend() {} as unknown as typeof tf.KernelBackend;
  Object.defineProperty(Base, 'prototype', { value: tf.KernelBackend.prototype });
  const ours = Object.create(tf, { KernelBackend: { value: Base } }) as typeof tf;
  loader._load = (request, ...rest) =>
    request === '@tensorflow/tfjs' || request === '@tensorflow/tfjs-core' ? ours : load.call(loader, request, ...rest);
  try {
    return run();
  } finally {
    loader._load = load;
  }
}

import * as tf from '@tensorflow/tfjs';
import type { OnnxBackend } from '../backend';
import { describe, Value } from '../value';
import { runOnHost } from './host';

/** One kernel call: its inputs by name, its attributes. */
export interface Call<A> {
  /** The value of input `name`. */
  (name: string): Value;
  /** Whether an optional input was given. */
  has(name: string): boolean;
  /** Inputs of a kernel that takes a list. */
  list(): Value[];
  /** Runs tfjs' own cpu kernel of this name, now. */
  host(): Value | Value[];
  attrs: A;
  backend: OnnxBackend;
}
export const backendName = 'onnx';

/**
 * A kernel's inputs; a list of tensors may stand where one is expected (ragged ops), and something else than a tensor
 * too (fromPixels).
 */
type Given = tf.TensorInfo | tf.TensorInfo[] | undefined;
const tensorsOf = (inputs: Record<string, Given>): tf.TensorInfo[] =>
  Object.values(inputs)
    .flat()
    .filter((t): t is tf.TensorInfo => Array.isArray(t?.shape));
/** What a message says of them: ` on [2] float32 and [1] int32`. */
export function describeInputs(inputs: Record<string, Given>): string {
  const all = tensorsOf(inputs);
  return all.length > 0 ? ` on ${all.map(describe).join(' and ')}` : '';
}

/**
 * Registers a kernel by what it records.
 * @typeParam A its attributes, as tfjs passes them
 */
export function kernel<A = Record<never, never>>(kernelName: string, record: (call: Call<A>) => Value | Value[]): void {
  tf.registerKernel({
    kernelName,
    backendName,
    kernelFunc: ({ inputs, attrs, backend: b }) => {
      const backend = b as OnnxBackend;
      let isHost = false;
      const call = Object.assign((name: string) => backend.valueFor(inputs[name]!), {
        has: (name: string) => inputs[name] != null,
        host: () => {
          isHost = true;
          return runOnHost(kernelName, inputs, attrs ?? {}, backend);
        },
        list: () => Object.values(inputs).map((t) => backend.valueFor(t!)),
        attrs: (attrs ?? {}) as A,
        backend,
      });
      let made: Value | Value[];
      try {
        made = tensorsOf(inputs).some((t) => t.dtype === 'string' || t.dtype === 'complex64')
          ? call.host()
          : record(call);
      } catch (error) {
        if (isHost || (error instanceof Error && error.message.startsWith('jit:'))) throw error; // tfjs' own words
        throw new Error(`onnx: kernel ${kernelName}${describeInputs(inputs)}: ${(error as Error).message}`, {
          cause: error,
        });
      }
      const values = Array.isArray(made) ? made : [made];
      const site = backend.isRecording ? callSite() : null;
      for (const v of values) label(v, kernelName, site);
      const out = values.map((v) => backend.put(v));
      return Array.isArray(made) ? out : out[0]!;
    },
  });
}

/** Deep enough to pass tfjs' own frames. Its text is made only when a message needs it. */
export function callSite(): Error {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 40;
  const site = new Error('call site');
  Error.stackTraceLimit = limit;
  return site;
}

/** Marks the nodes that this kernel made, and none that were there before. */
function label(v: Value, kernelName: string, site: Error | null): void {
  if (v.kernel !== '' || v.kind === 'leaf' || v.kind === 'placeholder') return;
  v.kernel = kernelName;
  v.site = site;
  for (const input of v.inputs) if (input instanceof Value) label(input, kernelName, site);
}

import * as tf from '@tensorflow/tfjs';
import type { OnnxBackend } from '../backend';
import { describe, Value } from '../value';

/** One kernel call: its inputs by name, its attributes. */
export interface Call<A> {
  /** The value of input `name`. */
  (name: string): Value;
  /** Inputs of a kernel that takes a list. */
  list(): Value[];
  attrs: A;
  backend: OnnxBackend;
}
export const backendName = 'onnx';

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
      const call = Object.assign((name: string) => backend.valueFor(inputs[name]!), {
        list: () => Object.values(inputs).map((t) => backend.valueFor(t!)),
        attrs: (attrs ?? {}) as A,
        backend,
      });
      let made: Value | Value[];
      try {
        made = record(call);
      } catch (error) {
        if (error instanceof Error && error.message.startsWith('jit:')) throw error;
        throw new Error(`onnx: kernel ${kernelName} on ${Object.values(inputs).filter((t) => t !== undefined).map(describe).join(' and ')}: ${(error as Error).message}`, { cause: error });
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
function callSite(): Error {
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

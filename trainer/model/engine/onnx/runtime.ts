/**
 * The native part of onnxruntime-node, called through its internal binding: only that one runs synchronously, which
 * tfjs' dataSync needs.
 * The binding is not public, so the version is checked (package.json pins it).
 */
import type { Feed } from './value';

export interface NativeSession {
  loadModel(buffer: ArrayBuffer, byteOffset: number, byteLength: number, options: Record<string, unknown>): void;
  run(
    feeds: Record<string, Feed>,
    fetches: Record<string, null>,
    options: object,
  ): Record<string, { data: Feed['data'] }>;
  dispose(): void;
}
export interface Runtime {
  newSession(): NativeSession;
  version: string;
  /**
   * Whether this platform's build of ONNX Runtime can talk to a GPU; whether there is one shows at the first session.
   */
  hasWebGpu: boolean;
}

const supported = '1.30.';

/** @throws with the real message when the package is missing, does not load here, or is another version */
export function loadRuntime(): Runtime {
  // by require, at the first use: an inner file of a CommonJS package that stays outside of our bundle
  const { version } = require('onnxruntime-node/package.json') as { version: string };
  if (!version.startsWith(supported))
    throw new Error(`onnxruntime-node is ${version}, this program needs ${supported}x`);
  const { binding, initOrt } = require('onnxruntime-node/dist/binding') as Binding;
  initOrt();
  const hasWebGpu = binding.listSupportedBackends().some((b) => b.name === 'webgpu' && b.bundled);
  return { newSession: () => new binding.InferenceSession(), version, hasWebGpu };
}
interface Binding {
  binding: { InferenceSession: new () => NativeSession; listSupportedBackends(): { name: string; bundled: boolean }[] };
  initOrt(): void;
}

/**
 * The native part of onnxruntime-node, called through its internal binding: only that one runs synchronously, which tfjs' dataSync needs.
 * The binding is not public, so the version is checked (package.json pins it).
 */
import { createRequire } from 'node:module';
import type { Feed } from './value';

export interface NativeSession {
  loadModel(buffer: ArrayBuffer, byteOffset: number, byteLength: number, options: Record<string, unknown>): void;
  run(feeds: Record<string, Feed>, fetches: Record<string, null>, options: object): Record<string, { data: Feed['data'] }>;
  dispose(): void;
}
export interface Runtime {
  newSession(): NativeSession;
  version: string;
}

const supported = '1.30.';

/** @throws with the real message when the package is missing, does not load here, or is another version */
export async function loadRuntime(): Promise<Runtime> {
  // require, also in a bundle: import() would want an import attribute for JSON and a file extension for the binding
  const load = createRequire(__filename);
  const { version } = load('onnxruntime-node/package.json') as { version: string };
  if (!version.startsWith(supported)) throw new Error(`onnxruntime-node is ${version}, this program needs ${supported}x`);
  const { binding, initOrt } = load('onnxruntime-node/dist/binding') as Binding;
  initOrt();
  return { newSession: () => new binding.InferenceSession(), version };
}
interface Binding {
  binding: { InferenceSession: new () => NativeSession };
  initOrt(): void;
}

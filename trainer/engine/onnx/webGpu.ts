import { encodeModel } from './protobuf';
import type { Runtime } from './runtime';

/**
 * Runs one small product through WebGPU, since ONNX Runtime looks for an adapter only when a session asks. It does not tell the adapter's name.
 * @throws with the real message where there is none
 */
export function tryWebGpu(runtime: Runtime): void {
  if (!runtime.hasWebGpu) throw new Error(`this platform's ONNX Runtime ${runtime.version} has no WebGPU (it has one for Windows, macOS on Apple silicon, and Linux x64)`);
  const port = (name: string) => ({ name, dims: [2, 2], dtype: 'float32' as const });
  const bytes = encodeModel({ nodes: [{ name: 'product', op: 'MatMul', domain: '', inputs: ['a', 'b'], outputs: ['c'], attributes: null }], initializers: [], inputs: [port('a'), port('b')], outputs: [port('c')] });
  const session = runtime.newSession();
  let c: ArrayLike<number | bigint>;
  try {
    session.loadModel(bytes.buffer, bytes.byteOffset, bytes.byteLength, { executionProviders: ['webgpu'], logSeverityLevel: 4 });
    const feed = (...data: number[]) => ({ type: 'float32' as const, dims: [2, 2], data: Float32Array.from(data), location: 'cpu' as const });
    c = session.run({ a: feed(1, 2, 3, 4), b: feed(5, 6, 7, 8) }, { c: null }, { logSeverityLevel: 4 })['c']!.data;
  } catch (error) {
    // their message begins with a file and a line of theirs
    throw new Error(`WebGPU: ${(error as Error).message.trim().split('\n').at(-1)!.replace(/^.*was false\. /, '')}`, { cause: error });
  }
  session.dispose();
  // 1*5 + 2*7, 1*6 + 2*8, 3*5 + 4*7, 3*6 + 4*8
  if (String(c) !== '19,22,43,50') throw new Error(`WebGPU: the adapter computes [[1, 2], [3, 4]] x [[5, 6], [7, 8]] wrongly: ${String(c)}`);
}

import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { encodeModel } from './protobuf';
import type { Runtime } from './runtime';

/** What WebGPU would compute on here. */
export interface Adapter {
  /**
   * The graphics cards that this machine has, as ONNX Runtime discovers them; it does not tell which one WebGPU takes.
   */
  cards: string[];
  /**
   * No card, or the Vulkan driver that is set is a program (SwiftShader, lavapipe): right results, slower than the
   * processor.
   */
  isSoftware: boolean;
}

/** [[1, 2], [3, 4]] x [[5, 6], [7, 8]] as an ONNX model: ONNX Runtime looks for an adapter only when a session asks. */
function productModel(): Uint8Array<ArrayBuffer> {
  const port = (name: string) => ({ name, dims: [2, 2], dtype: 'float32' as const });
  return encodeModel({
    nodes: [{ name: 'product', op: 'MatMul', domain: '', inputs: ['a', 'b'], outputs: ['c'], attributes: null }],
    initializers: [],
    inputs: [port('a'), port('b')],
    outputs: [port('c')],
  });
}

/**
 * A program of its own, so that a graphics driver that crashes takes nobody with it, and since ONNX Runtime tells what
 * it discovers only to stderr, once per process.
 */
const program = `
const [binding, common, model] = process.argv.slice(1);
const ort = require(binding).binding;
ort.initOrtOnce(0, require(common).Tensor, true);
const answer = () => {
  const bytes = new Uint8Array(Buffer.from(model, 'base64'));
  const feed = (...data) => ({ type: 'float32', dims: [2, 2], data: Float32Array.from(data), location: 'cpu' });
  const session = new ort.InferenceSession();
  session.loadModel(bytes.buffer, 0, bytes.length, { executionProviders: ['webgpu'], logSeverityLevel: 4 });
  return { product: String(session.run({ a: feed(1, 2, 3, 4), b: feed(5, 6, 7, 8) }, { c: null }, { logSeverityLevel: 4 }).c.data) };
};
let out;
try { out = answer(); } catch (error) { out = { error: error.message }; }
process.stdout.write(JSON.stringify(out), () => process.exit(0));
`;

/**
 * Runs one small product through WebGPU in a process of its own.
 * @throws with the real message where there is no adapter, or it computes wrongly, crashes, or takes longer than a
 * minute
 */
export async function findAdapter(runtime: Runtime): Promise<Adapter> {
  if (!runtime.hasWebGpu)
    throw new Error(
      `this platform's ONNX Runtime ${runtime.version} has no WebGPU (it has one for Windows, ` +
        'macOS on Apple silicon, and Linux x64)',
    );
  const binding = require.resolve('onnxruntime-node/dist/binding');
  const args = [
    '-e',
    program,
    binding,
    require.resolve('onnxruntime-common', { paths: [binding] }),
    Buffer.from(productModel()).toString('base64'),
  ];
  const { stdout, stderr, code } = await new Promise<{ stdout: string; stderr: string; code: string }>((resolve) => {
    execFile(
      process.execPath,
      args,
      { encoding: 'utf8', maxBuffer: 1 << 26, timeout: 60_000, windowsHide: true },
      (error, out, err) => resolve({ stdout: out, stderr: err, code: String(error?.code ?? error?.signal ?? 0) }),
    );
  });
  if (!stdout.startsWith('{'))
    throw new Error(
      `WebGPU: the process that looked for an adapter ended with ${code}: ${stderr.trim().split('\n').at(-1)!}`,
    );
  const answer = JSON.parse(stdout) as { product?: string; error?: string };
  // their message begins with a file and a line of theirs
  if (answer.error !== undefined)
    throw new Error(
      `WebGPU: ${answer.error
        .trim()
        .split('\n')
        .at(-1)!
        .replace(/^.*was false\. /, '')}`,
    );
  // 1*5 + 2*7, 1*6 + 2*8, 3*5 + 4*7, 3*6 + 4*8
  if (answer.product !== '19,22,43,50')
    throw new Error(
      `WebGPU: the adapter computes [[1, 2], [3, 4]] x [[5, 6], [7, 8]] wrongly: ${String(answer.product)}`,
    );
  const cards = cardsIn(stderr);
  return { cards, isSoftware: cards.length === 0 || namesSoftwareDriver(process.env) };
}

/**
 * PCI vendors whose "graphics card" computes nothing for us: what a virtual machine or a server's management draws its
 * console with, and Windows'
 * own software renderer: Microsoft, QEMU, VMware, VirtualBox, Red Hat (virtio), ASPEED, Matrox, Parallels.
 */
const notAGpu = [0x1414, 0x1234, 0x15ad, 0x80ee, 0x1af4, 0x1b36, 0x1a03, 0x102b, 0x1ab8];
const vendors: Record<number, string> = {
  0x10de: 'NVIDIA',
  0x1002: 'AMD',
  0x8086: 'Intel',
  0x106b: 'Apple',
  0x5143: 'Qualcomm',
  0x4d4f4351: 'Qualcomm',
  0x13b5: 'ARM',
};

/**
 * The graphics cards in ONNX Runtime's log; it writes {vendor_id:0x10de, device_id:0x2335, vendor:NVIDIA, type:1,
 * metadata: […]}, type 1 for a GPU.
 */
export function cardsIn(log: string): string[] {
  const cards = [
    ...log.matchAll(
      /OrtHardwareDevice \{vendor_id:(0x[0-9a-f]+), device_id:(0x[0-9a-f]+), vendor:(.*?), type:1, metadata: \[(.*)\]\}/gi,
    ),
  ].flatMap(([, vendorId, deviceId, vendor, metadata]) => {
    if (notAGpu.includes(Number(vendorId))) return [];
    const description = /Description=([^,\]}"]+)/.exec(metadata!)?.[1]?.trim();
    return [description ?? `${vendor || vendors[Number(vendorId)] || 'GPU'} ${vendorId}:${deviceId}`];
  });
  return [...new Set(cards)];
}

export const namesSoftwareDriver = (env: NodeJS.ProcessEnv): boolean =>
  /swiftshader|lvp|lavapipe|llvmpipe/i.test(`${env['VK_ICD_FILENAMES'] ?? ''} ${env['VK_DRIVER_FILES'] ?? ''}`);

/** Whether it pays to look for a GPU, at no cost: on Linux every driver has a device file. */
export function mayHaveGpu(): boolean {
  if (process.platform !== 'linux') return true;
  const renders = existsSync('/dev/dri') && readdirSync('/dev/dri').some((name) => name.startsWith('renderD'));
  return renders || existsSync('/dev/nvidia0') || existsSync('/dev/dxg');
}

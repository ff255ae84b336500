import { encodeModel, type Graph } from './protobuf';
import type { Plan } from './plan';
import type { NativeSession, Runtime } from './runtime';
import { describe, filled, int64, isVector, sizeOf, type Data, type Feed, type Int64Vector, type Value } from './value';

/** What computes: the processor, or a GPU through WebGPU (Metal, D3D12, Vulkan), where nodes that it lacks fall back to the processor. */
export type Device = 'cpu' | 'webgpu';
export interface SessionOptions {
  threads: number;
  device?: Device;
  /** ONNX Runtime tells on stderr which node runs where. */
  isVerbose?: boolean;
}

/** A compiled graph. */
export interface Session {
  /** Where each graph input comes from: a leaf or placeholder by its place in the plan, or a constant. */
  readonly sources: readonly (number | Feed)[];
  readonly device: Device;
  /** `feeds` in the order of `sources`. @returns the outputs in the plan's order, fresh memory */
  run(feeds: readonly Feed[]): Data[];
  dispose(): void;
}

/** ONNX Runtime prints nothing: its errors are thrown, by us. */
const quiet = { logSeverityLevel: 4 };
/** A fill up to this size is written into the model; a greater one is expanded at run time, else ONNX Runtime folds it into memory it then keeps. */
const largestStoredFill = 1024;

/**
 * @param isConstant whether a leaf's data may be built into the graph; other leaves and all placeholders are inputs
 * @param onClose called once, when the session is disposed
 */
export function compile(runtime: Runtime, plan: Plan, options: SessionOptions, isConstant: (leaf: Value) => boolean, onClose: () => void): Session {
  const { device = 'cpu' } = options;
  const { graph, sources, labels } = buildGraph(plan, isConstant, device);
  const native = load(runtime, graph, options, labels);
  return openSession(native, graph.inputs.map((p) => p.name), graph.outputs.map((p) => p.name), { sources, device }, labels, onClose);
}

/** A function of its own, so that what lives on with the session holds neither the graph nor its values. */
function openSession(native: NativeSession, inputNames: string[], outputNames: string[], made: Pick<Session, 'sources' | 'device'>, labels: Labels, onClose: () => void): Session {
  const fetches = Object.fromEntries(outputNames.map((n) => [n, null]));
  let isOpen = true;
  let hasRun = false;
  return {
    ...made,
    run(feeds) {
      if (!isOpen) throw new Error('onnx: the graph ran after its engine was disposed');
      const named: Record<string, Feed> = {};
      for (let i = 0; i < inputNames.length; i++) named[inputNames[i]!] = feeds[i]!;
      let result: ReturnType<NativeSession['run']>;
      try {
        result = native.run(named, fetches, quiet);
      } catch (error) {
        throw explained(error, 'run', labels);
      }
      if (!hasRun) for (const label of labels.values()) label.site = null; // 4 MB for a training step; what fails later still has its kernel and shapes
      hasRun = true;
      return outputNames.map((n) => result[n]!.data);
    },
    dispose() {
      if (!isOpen) return;
      isOpen = false;
      native.dispose();
      onClose();
    },
  };
}

interface Built {
  graph: Graph;
  sources: (number | Feed)[];
  labels: Labels;
}
function buildGraph(plan: Plan, isConstant: (leaf: Value) => boolean, device: Device): Built {
  const graph: Graph = { nodes: [], initializers: [], inputs: [], outputs: [] };
  const sources: (number | Feed)[] = [];
  const names = new Map<Value, string>();
  const labels: Labels = new Map();
  const vectors = new Map<string, string>();

  const vector = (v: Int64Vector): string => {
    let name = vectors.get(v.key);
    if (name === undefined) {
      name = `k${vectors.size}`;
      vectors.set(v.key, name);
      graph.initializers.push({ name, dims: [v.int64.length], dtype: 'int64', data: BigInt64Array.from(v.int64, BigInt) });
    }
    return name;
  };
  const input = (name: string, source: number | Feed, dims: readonly number[], dtype: Feed['type']): string => {
    sources.push(source);
    graph.inputs.push({ name, dims, dtype });
    return name;
  };

  plan.leaves.forEach((leaf, i) => {
    const name = `x${i}`;
    names.set(leaf, name);
    if (leaf.kind === 'leaf' && isConstant(leaf)) graph.initializers.push({ name, dims: leaf.shape, dtype: leaf.dtype, data: leaf.data! });
    else input(name, i, leaf.shape, leaf.dtype);
  });
  const fills = new Map<string, string>();
  plan.nodes.forEach((v, i) => {
    const name = `${v.kernel || v.op}_${i}`;
    if (v.kind === 'node') labels.set(name, labelOf(v));
    if (v.kind === 'fill') {
      const known = fills.get(v.key);
      names.set(v, known ?? name);
      if (known !== undefined) return;
      fills.set(v.key, name);
      const size = sizeOf(v.shape);
      if (size <= largestStoredFill) {
        graph.initializers.push({ name, dims: v.shape, dtype: v.dtype, data: filled(v.dtype, size, v.fill) });
        return;
      }
      const seed = input(`f${i}`, { type: v.dtype, dims: [1], data: filled(v.dtype, 1, v.fill), location: 'cpu' }, [1], v.dtype);
      graph.nodes.push({ name, op: 'Expand', domain: '', inputs: [seed, vector(int64(v.shape))], outputs: [name], attributes: null });
    } else if (v.kind === 'output') {
      names.set(v, `${names.get(v.inputs[0] as Value)!}:${v.outputIndex}`);
    } else if (v.op === 'FusedMatMul' && device === 'webgpu') {
      // WebGPU has no FusedMatMul, and it would fall back to the processor: that is most of the work
      names.set(v, name);
      const sides = v.inputs.map((x, side) => {
        const from = x as Value;
        if (!v.attributes?.[side === 0 ? 'transA' : 'transB']) return names.get(from)!;
        const n = from.shape.length;
        const swapped = `${name}:${side}`;
        graph.nodes.push({ name: swapped, op: 'Transpose', domain: '', inputs: [names.get(from)!], outputs: [swapped], attributes: { perm: from.shape.map((_, k) => (k < n - 2 ? k : k === n - 2 ? n - 1 : n - 2)) } });
        return swapped;
      });
      graph.nodes.push({ name, op: 'MatMul', domain: '', inputs: sides, outputs: [name], attributes: null });
    } else {
      names.set(v, name);
      const outputs = Array.from({ length: v.outputCount }, (_, k) => (k === 0 ? name : `${name}:${k}`));
      graph.nodes.push({ name, op: v.op, domain: v.domain, inputs: v.inputs.map((x) => (isVector(x) ? vector(x) : names.get(x)!)), outputs, attributes: v.attributes });
    }
  });
  plan.outputs.forEach((v, i) => {
    graph.outputs.push({ name: `o${i}`, dims: v.shape, dtype: v.dtype });
    graph.nodes.push({ name: `output${i}`, op: 'Identity', domain: '', inputs: [names.get(v)!], outputs: [`o${i}`], attributes: null }); // ONNX Runtime removes it
  });

  return { graph, sources, labels };
}

function load(runtime: Runtime, graph: Graph, { threads, device = 'cpu', isVerbose = false }: SessionOptions, labels: Labels): NativeSession {
  const bytes = encodeModel(graph);
  const session = runtime.newSession();
  try {
    session.loadModel(bytes.buffer, bytes.byteOffset, bytes.byteLength, {
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      // on a processor its passes change no measured run, and take a third of the time that compiling takes; a GPU needs them
      graphOptimizationLevel: device === 'cpu' ? 'disabled' : 'all',
      // no arena and no pattern: both keep each graph's peak memory for good (160 MB for a step of 8x128 tokens of the nano model), for no measured speed
      enableMemPattern: false,
      enableCpuMemArena: false,
      ...(device === 'cpu' ? {} : { executionProviders: [device] }),
      ...(isVerbose ? { logSeverityLevel: 0 } : quiet),
      // workers spin between the nodes of a run (a decode step of nano takes a quarter less), and not after it: that core is tracing's and the tools'
      extra: { 'session.intra_op.allow_spinning': '1', 'session.force_spinning_stop': '1' },
    });
  } catch (error) {
    throw explained(error, 'compile', labels);
  }
  return session;
}

/** What a message says of a node. It holds no value, which would keep tensors alive. */
interface Label {
  kernel: string;
  inputs: { shape: readonly number[]; dtype: string }[];
  output: { shape: readonly number[]; dtype: string };
  site: Error | null;
}
/** By the name of the ONNX node. */
type Labels = Map<string, Label>;
const labelOf = (v: Value): Label => ({
  kernel: v.kernel || v.op,
  inputs: v.inputs.filter((i): i is Value => !isVector(i)).map(({ shape, dtype }) => ({ shape, dtype })),
  output: { shape: v.shape, dtype: v.dtype },
  site: v.site,
});

/** ONNX Runtime names the node; we say which tfjs kernel that was, its shapes, and where it was called if that was recorded. */
function explained(error: unknown, when: 'compile' | 'run', labels: Labels): Error {
  const message = error instanceof Error ? error.message : String(error);
  const name = /[A-Za-z][A-Za-z0-9]*_\d+/g;
  const label = [...message.matchAll(name)].map((m) => labels.get(m[0])).find((l) => l !== undefined);
  if (!label) return new Error(`onnx: could not ${when} the graph: ${message}`, { cause: error });
  return new Error(`onnx: kernel ${label.kernel} on ${label.inputs.map(describe).join(' and ')} -> ${describe(label.output)}: ${message}${callSite(label.site)}`, { cause: error });
}

function callSite(site: Error | null): string {
  const lines = site?.stack?.split('\n').slice(1).filter((l) => !/node_modules|node:|tfjs-|[/\\]trainer[/\\]engine[/\\]/.test(l)) ?? [];
  return lines.length > 0 ? `\n    called${lines.slice(0, 3).map((l) => l.replace(/^\s+/, ' ')).join('\n   ')}` : '';
}

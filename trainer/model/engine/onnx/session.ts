import { encodeModel, type Graph, type GraphNode, type Port } from './protobuf';
import type { Plan } from './plan';
import type { NativeSession, Runtime } from './runtime';
import {
  bytesOf,
  describe,
  filled,
  int64,
  isVector,
  sizeOf,
  type Data,
  type Feed,
  type Int64Vector,
  type Value,
} from './value';

/**
 * What computes: the processor, or a GPU through WebGPU (Metal, D3D12, Vulkan), where nodes that it lacks fall back to
 * the processor.
 */
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
  /**
   * It keeps its peak memory for good. So does a graph that dequantises weights at use: its hundreds of short-lived
   * matrices tear the C library's heap into
   * pieces (SmolLM2-135M, LoRA 1x256: a peak of 1,530 MiB, with an arena 1,190), unless that library gives all back at
   * once (isGivenBack). Few such graphs
   * should be open at a time.
   */
  readonly hasArena: boolean;
  /** `feeds` in the order of `sources`. @returns the outputs in the plan's order, fresh memory */
  run(feeds: readonly Feed[]): Data[];
  dispose(): void;
}

/** glibc was told to map whatever is large on its own (protocol/allocator.ts). */
const isGivenBack = process.env['MALLOC_MMAP_THRESHOLD_'] !== undefined;

/** ONNX Runtime prints nothing: its errors are thrown, by us. */
const quiet = { logSeverityLevel: 4 };
/**
 * A fill up to this size is written into the model; a greater one is expanded at run time, else ONNX Runtime folds it
 * into memory it then keeps.
 */
const largestStoredFill = 1024;

/**
 * @param isConstant whether a leaf's data may be built into the graph; other leaves and all placeholders are inputs
 * @param onClose called once, when the session is disposed
 */
export function compile(
  runtime: Runtime,
  plan: Plan,
  options: SessionOptions,
  isConstant: (leaf: Value) => boolean,
  onClose: () => void,
): Session {
  const { device = 'cpu' } = options;
  const built = buildGraph(plan, isConstant, device);
  const hasArena =
    device === 'cpu' &&
    !isGivenBack &&
    plan.nodes.some((v) => v.kernel === 'DequantizeNBits' || v.kernel === 'MatMulDequantized');
  const native = load(runtime, built.graph, { ...options, hasArena }, built.labels);
  return openSession(native, built, { device, hasArena }, () => {
    native.dispose();
    onClose();
  });
}

/** A graph that is built for no size in particular, and the sessions that run it. */
interface SharedGraph {
  native: NativeSession;
  users: number;
}
/**
 * One graph for all plans that differ in sizes only: those with packed weights, of which ONNX Runtime holds a copy for
 * each compiled graph, and those of functions
 * that are called with many sizes, each seldom (a prompt's forward pass). What else than packed weights was a constant
 * (shapes, bounds, small tables) is an input.
 * Costs the reuse of memory that ONNX Runtime plans where it knows sizes.
 */
export class SharedGraphs {
  private readonly graphs = new Map<string, SharedGraph>();
  private readonly memories = new WeakMap<ArrayBufferLike, number>();
  private memoryCount = 0;

  compile(
    runtime: Runtime,
    plan: Plan,
    options: SessionOptions,
    onClose: (isLast: boolean) => void,
  ): { session: Session; isNew: boolean } {
    const built = buildGraph(plan, (l) => l.isPacked, 'cpu', true);
    const key = this.keyOf(built.graph);
    const known = this.graphs.get(key);
    const shared = known ?? { native: load(runtime, built.graph, options, built.labels), users: 0 };
    this.graphs.set(key, shared);
    shared.users++;
    const session = openSession(shared.native, built, { device: 'cpu', hasArena: false }, () => {
      const isLast = --shared.users === 0;
      if (isLast) {
        this.graphs.delete(key);
        shared.native.dispose();
      }
      onClose(isLast);
    });
    return { session, isNew: known === undefined };
  }

  private keyOf({ nodes, initializers, inputs, outputs }: Graph): string {
    const node = ({ op, inputs: from, outputs: to, attributes }: GraphNode): string =>
      `${op}${attributes ? JSON.stringify(attributes) : ''} ${from.join()} ${to.join()}`;
    const port = ({ name, dims, dtype }: Port): string => `${name} ${dtype} ${dims.join()}`;
    return [
      ...nodes.map(node),
      ...inputs.map(port),
      ...outputs.map(port),
      ...initializers.map(
        ({ name, data }) =>
          `${name} ${data instanceof BigInt64Array ? data.join() : `${this.memoryOf(data.buffer)} ${data.byteOffset}`}`,
      ),
    ].join('\n');
  }
  private memoryOf(buffer: ArrayBufferLike): number {
    const known = this.memories.get(buffer) ?? ++this.memoryCount;
    this.memories.set(buffer, known);
    return known;
  }
}

function openSession(
  native: NativeSession,
  { graph: { inputs, outputs }, sources, labels }: Built,
  about: Pick<Session, 'device' | 'hasArena'>,
  close: () => void,
): Session {
  const [inputNames, outputNames] = [inputs, outputs].map((ports) => ports.map((p) => p.name)) as [string[], string[]];
  return sessionOf(native, inputNames, outputNames, { sources, ...about }, labels, close);
}
/** A function of its own, so that what lives on with the session holds neither the graph nor its values. */
function sessionOf(
  native: NativeSession,
  inputNames: string[],
  outputNames: string[],
  made: Pick<Session, 'sources' | 'device' | 'hasArena'>,
  labels: Labels,
  close: () => void,
): Session {
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
      // 4 MB for a training step; what fails later still has its kernel and shapes
      if (!hasRun) for (const label of labels.values()) label.site = null;
      hasRun = true;
      return outputNames.map((n) => result[n]!.data);
    },
    dispose() {
      if (!isOpen) return;
      isOpen = false;
      close();
    },
  };
}

interface Built {
  graph: Graph;
  sources: (number | Feed)[];
  labels: Labels;
}
/**
 * @param isForAnySize sizes are no part of the graph: vectors and fills are inputs, and inputs and outputs of floats
 * have a rank only
 */
function buildGraph(plan: Plan, isConstant: (leaf: Value) => boolean, device: Device, isForAnySize = false): Built {
  const graph: Graph = { nodes: [], initializers: [], inputs: [], outputs: [] };
  const sources: (number | Feed)[] = [];
  const names = new Map<Value, string>();
  const labels: Labels = new Map();
  const vectors = new Map<string, string>();
  const anySize = (dims: readonly number[]): readonly number[] => (isForAnySize ? dims.map(() => -1) : dims);
  // what a node makes first is the graph's output itself: an Identity would copy it
  // of one that is several outputs the first
  const outputNames = new Map(plan.outputs.map((v, i) => [v, `o${i}`] as const).reverse());

  /**
   * A graph for any size gets all of them as one input, which is split: their lengths belong to the graph, their
   * numbers do not.
   */
  const given: Int64Vector[] = [];
  const originOf = isForAnySize ? origins(plan) : null;
  const vector = (v: Int64Vector, of: Value, at: number): string => {
    // where sizes decide which vectors are equal, only those of like nodes are one: else graphs would differ by what is
    // equal by chance
    const key = originOf ? `${originOf.get(of)} ${at} ${v.key}` : v.key;
    let name = vectors.get(key);
    if (name === undefined) {
      name = `k${vectors.size}`;
      vectors.set(key, name);
      if (isForAnySize) given.push(v);
      else
        graph.initializers.push({
          name,
          dims: [v.int64.length],
          dtype: 'int64',
          data: BigInt64Array.from(v.int64, BigInt),
        });
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
    if (leaf.kind === 'leaf' && isConstant(leaf))
      graph.initializers.push({ name, dims: leaf.shape, dtype: leaf.dtype, data: leaf.data!, isBeside: leaf.isPacked });
    else input(name, i, anySize(leaf.shape), leaf.dtype);
  });
  const fills = new Map<string, string>();
  plan.nodes.forEach((v, i) => {
    const name = `${v.kernel || v.op}_${i}`;
    const made = outputNames.get(v) ?? name;
    if (v.kind === 'node') labels.set(name, labelOf(v));
    if (v.kind === 'fill') {
      const known = fills.get(v.key);
      names.set(v, known ?? name);
      if (known !== undefined) return;
      fills.set(v.key, name);
      const size = sizeOf(v.shape);
      if (size <= largestStoredFill) {
        const data = filled(v.dtype, size, v.fill);
        if (isForAnySize)
          input(name, { type: v.dtype, dims: v.shape, data, location: 'cpu' }, anySize(v.shape), v.dtype);
        else graph.initializers.push({ name, dims: v.shape, dtype: v.dtype, data });
        return;
      }
      const seed = input(
        `f${i}`,
        { type: v.dtype, dims: [1], data: filled(v.dtype, 1, v.fill), location: 'cpu' },
        [1],
        v.dtype,
      );
      graph.nodes.push({
        name,
        op: 'Expand',
        domain: '',
        inputs: [seed, vector(int64(v.shape), v, 1)],
        outputs: [name],
        attributes: null,
      });
    } else if (v.kind === 'output') {
      names.set(v, `${names.get(v.inputs[0] as Value)!}:${v.outputIndex}`);
    } else if (v.op === 'FusedMatMul' && device === 'webgpu') {
      // WebGPU has no FusedMatMul, and it would fall back to the processor: that is most of the work
      names.set(v, made);
      const sides = v.inputs.map((x, side) => {
        const from = x as Value;
        if (!v.attributes?.[side === 0 ? 'transA' : 'transB']) return names.get(from)!;
        const n = from.shape.length;
        const swapped = `${name}:${side}`;
        graph.nodes.push({
          name: swapped,
          op: 'Transpose',
          domain: '',
          inputs: [names.get(from)!],
          outputs: [swapped],
          attributes: { perm: from.shape.map((_, k) => (k < n - 2 ? k : k === n - 2 ? n - 1 : n - 2)) },
        });
        return swapped;
      });
      graph.nodes.push({ name, op: 'MatMul', domain: '', inputs: sides, outputs: [made], attributes: null });
    } else {
      names.set(v, made);
      const outputs = Array.from({ length: v.outputCount }, (_, k) => (k === 0 ? made : `${made}:${k}`));
      graph.nodes.push({
        name,
        op: v.op,
        domain: v.domain,
        inputs: v.inputs.map((x, at) => (isVector(x) ? vector(x, v, at) : names.get(x)!)),
        outputs,
        attributes: v.attributes,
      });
    }
  });
  plan.outputs.forEach((v, i) => {
    graph.outputs.push({ name: `o${i}`, dims: anySize(v.shape), dtype: v.dtype });
    if (names.get(v) !== `o${i}`)
      graph.nodes.push({
        name: `output${i}`,
        op: 'Identity',
        domain: '',
        inputs: [names.get(v)!],
        outputs: [`o${i}`],
        attributes: null,
      });
  });
  if (given.length > 0) {
    const data = BigInt64Array.from(
      given.flatMap((v) => v.int64),
      BigInt,
    );
    input('k', { type: 'int64', dims: [data.length], data, location: 'cpu' }, [data.length], 'int64');
    graph.initializers.push({
      name: 'kSizes',
      dims: [given.length],
      dtype: 'int64',
      data: BigInt64Array.from(given, (v) => BigInt(v.int64.length)),
    });
    graph.nodes.unshift({
      name: 'kSplit',
      op: 'Split',
      domain: '',
      inputs: ['k', 'kSizes'],
      outputs: given.map((_, i) => `k${i}`),
      attributes: { axis: 0 },
    });
  }
  return { graph, sources, labels };
}

/** Ancestors that are looked at. */
const DEPTH = 6;

/**
 * What a node is by its kernel and what it is made from, without sizes, as a number: alike in all layers of a model,
 * and hardly ever in two places of one.
 */
function origins({ nodes }: Plan): Map<Value, number> {
  const numbers = new Map<string, number>();
  const numberOf = (words: string): number => {
    const known = numbers.get(words) ?? numbers.size;
    numbers.set(words, known);
    return known;
  };
  const ownOf = (v: Value): number =>
    numberOf(v.kind === 'node' ? `${v.op} ${v.outputIndex}` : `${v.kind} ${v.dtype} ${v.shape.length}`);
  let of = new Map(nodes.map((v) => [v, ownOf(v)]));
  for (let depth = 0; depth < DEPTH; depth++) {
    of = new Map(
      nodes.map((v) => [
        v,
        numberOf(`${of.get(v)}: ${v.inputs.map((x) => (isVector(x) ? '' : (of.get(x) ?? ownOf(x)))).join()}`),
      ]),
    );
  }
  return of;
}

/** What is given beside a model, for as long as its session: ONNX Runtime does not copy it. */
const besideOf = new WeakMap<NativeSession, Data[]>();

function load(
  runtime: Runtime,
  graph: Graph,
  { threads, device = 'cpu', isVerbose = false, hasArena = false }: SessionOptions & { hasArena?: boolean },
  labels: Labels,
): NativeSession {
  const bytes = encodeModel(graph);
  const beside = graph.initializers.filter((i) => i.isBeside);
  const session = runtime.newSession();
  besideOf.set(
    session,
    beside.map(({ data }) => data),
  );
  try {
    session.loadModel(bytes.buffer, bytes.byteOffset, bytes.byteLength, {
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      // on a processor its passes change no measured run, and take a third of the time that compiling takes; a GPU
      // needs them
      graphOptimizationLevel: device === 'cpu' ? 'disabled' : 'all',
      // no pattern, and an arena only where Session.hasArena says why: both keep each graph's peak memory for good (160
      // MB for a step of 8x128 tokens of the nano model), for no measured speed
      enableMemPattern: false,
      enableCpuMemArena: hasArena,
      ...(device === 'cpu' ? {} : { executionProviders: [device] }),
      ...(isVerbose ? { logSeverityLevel: 0 } : quiet),
      externalData: beside.map(({ name, data }) => ({ path: name, data: bytesOf(data) })),
      // workers spin between the nodes of a run (a decode step of nano takes a quarter less), and not after it: that
      // core is tracing's and the tools'
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

/**
 * ONNX Runtime names the node; we say which tfjs kernel that was, its shapes, and where it was called if that was
 * recorded.
 */
function explained(error: unknown, when: 'compile' | 'run', labels: Labels): Error {
  const message = error instanceof Error ? error.message : String(error);
  const name = /[A-Za-z][A-Za-z0-9]*_\d+/g;
  const label = [...message.matchAll(name)].map((m) => labels.get(m[0])).find((l) => l !== undefined);
  if (!label) return new Error(`onnx: could not ${when} the graph: ${message}`, { cause: error });
  return new Error(
    `onnx: kernel ${label.kernel} on ${label.inputs.map(describe).join(' and ')} -> ${describe(label.output)}: ${message}${callSite(label.site)}`,
    { cause: error },
  );
}

function callSite(site: Error | null): string {
  const lines =
    site?.stack
      ?.split('\n')
      .slice(1)
      .filter((l) => !/node_modules|node:|tfjs-|[/\\]trainer[/\\]engine[/\\]/.test(l)) ?? [];
  return lines.length > 0
    ? `\n    called${lines
        .slice(0, 3)
        .map((l) => l.replace(/^\s+/, ' '))
        .join('\n   ')}`
    : '';
}

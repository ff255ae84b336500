import { encodeModel, type Graph, type GraphNode, type Port } from './protobuf';
import type { Plan } from './plan';
import type { NativeSession, Runtime } from './runtime';
import { bytesOf, type Data, type Feed, type Value } from './value';
import { buildGraph, type Built } from './buildGraph';
import { type Labels, explained } from './explained';

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

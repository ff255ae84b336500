import * as tf from '@tensorflow/tfjs';
import { keyOf, planOf, type Plan } from './plan';
import { reshape } from './ops';
import type { Runtime } from './runtime';
import { compile, SharedGraphs, type Device, type Session, type SessionOptions } from './session';
import { fill, filled, leaf, sameShape, sizeOf, type Data, type Feed, type Value } from './value';

interface Held {
  value: Value;
  refCount: number;
}
/** Compiled graphs of the lazy path that are kept. */
const mostSessions = 64;
/**
 * A leaf made while recording is built into the graph up to this size; a larger one is an input, so that it lies in
 * memory once.
 */
export const largestConstantBytes = 1 << 16;

/**
 * A tfjs back end whose kernels only record. Reading a tensor compiles all that is pending into one graph and runs it.
 */
export class OnnxBackend extends tf.KernelBackend {
  private readonly held = new tf.DataStorage<Held>(this, tf.engine());
  private readonly pending = new Set<Value>();
  private readonly sessions = new Map<string, Session>();
  private readonly shared = new SharedGraphs();
  /**
   * Counted for tests and benches: what ran last, how often graphs were compiled (and for how long, in ms), and how
   * many are open.
   */
  readonly statistics = { compiles: 0, compileMs: 0, open: 0, runs: 0, lastNodes: 0, lastOutputs: 0 };
  isRecording = false;
  /** Where a recorded function may run: where there are two, each one runs where it measured faster. */
  devices: readonly Device[];

  /** @param note told once for what a user wants to know: which device was taken, that one was lost */
  constructor(
    readonly runtime: Runtime,
    readonly options: Omit<SessionOptions, 'device'> & { devices?: readonly Device[] },
    readonly note: (message: string) => void = () => {},
  ) {
    super();
    this.devices = options.devices ?? ['cpu'];
  }

  /** A new data id with one reference. */
  put(value: Value): tf.TensorInfo {
    const dataId = {};
    value.handles++;
    if (value.kind !== 'leaf' && value.kind !== 'placeholder') this.pending.add(value);
    this.held.set(dataId, { value, refCount: 1 });
    return { dataId, shape: value.shape as number[], dtype: value.dtype as tf.DataType };
  }
  tensor(value: Value): tf.Tensor {
    return tf.engine().makeTensorFromTensorInfo(this.put(value), this);
  }
  valueFor(t: tf.TensorInfo): Value {
    const { value } = this.held.get(t.dataId);
    return sameShape(value.shape, t.shape) ? value : reshape(value, t.shape);
  }
  /** The value with its data: what is pending runs first. */
  computed(t: tf.TensorInfo): Value {
    const { value } = this.held.get(t.dataId);
    if (value.kind === 'fill') this.settleFill(value);
    else if (value.kind !== 'leaf') this.flush();
    if (!value.data) throw unusable();
    return this.valueFor(t);
  }

  override write(values: tf.BackendValues, shape: number[], dtype: tf.DataType): object {
    return this.put(this.leafOf(values, shape, dtype, true)).dataId;
  }
  override move(dataId: object, values: tf.BackendValues, shape: number[], dtype: tf.DataType, refCount: number): void {
    const value = this.leafOf(values, shape, dtype, false);
    value.handles++;
    this.held.set(dataId, { value, refCount });
  }
  /**
   * Copies: an edit of the caller's array before the graph runs would be seen. While recording, an array of equal
   * numbers becomes a fill, which later ops can see through.
   */
  leafOf(values: tf.BackendValues, shape: number[], dtype: tf.DataType, copy: boolean): Value {
    if (dtype === 'string') {
      const value = leaf(noData, shape, 'string');
      value.strings = values as Uint8Array[];
      return value;
    }
    if (dtype === 'complex64') return leaf(values as Float32Array, shape, 'complex64');
    const source = values as Float32Array | Int32Array | Uint8Array;
    if (this.isRecording && source.length > 0 && source.every((x) => Object.is(x, source[0])))
      return fill(shape, Number(source[0]), dtype);
    const memory = dtype === 'float32' ? Float32Array : dtype === 'int32' ? Int32Array : Uint8Array;
    // tfjs and its cpu kernels also hand over plain and other arrays
    if (!(source instanceof memory)) return leaf(memory.from(source as ArrayLike<number>), shape, dtype);
    return leaf(copy ? source.slice() : source, shape, dtype);
  }

  override refCount(dataId: object): number {
    return this.held.has(dataId) ? this.held.get(dataId).refCount : 0;
  }
  override incRef(dataId: object): void {
    this.held.get(dataId).refCount++;
  }
  override numDataIds(): number {
    return this.held.numDataIds();
  }
  override disposeData(dataId: object, force = false): boolean {
    if (!this.held.has(dataId)) return true;
    const held = this.held.get(dataId);
    held.refCount--;
    if (!force && held.refCount > 0) return false;
    if (--held.value.handles === 0) this.pending.delete(held.value);
    this.held.delete(dataId);
    return true;
  }

  override readSync(dataId: object): tf.BackendValues {
    const { value } = this.held.get(dataId);
    if (value.kind === 'fill') this.settleFill(value);
    else if (value.kind !== 'leaf') {
      if (this.isRecording) return this.readWhileRecording(value) as tf.BackendValues;
      this.flush();
    }
    if (!value.data) throw unusable();
    return value.strings ?? (value.data as tf.BackendValues);
  }
  override async read(dataId: object): Promise<tf.BackendValues> {
    return this.readSync(dataId);
  }

  /** Runs everything pending that a tensor still holds. */
  flush(): void {
    for (const v of this.pending) if (v.kind === 'fill') this.settleFill(v);
    if (this.pending.size === 0) return;
    const values = [...this.pending];
    this.pending.clear(); // an op that fails must not fail every later read too
    const data = this.execute(planOf(values));
    values.forEach((v, i) => v.settle(data[i]!));
  }
  private settleFill(value: Value): void {
    value.settle(filled(value.dtype, sizeOf(value.shape), value.fill));
    this.pending.delete(value);
  }
  /**
   * After a recording: what it left over (kept tensors, or everything when it threw) and depends on a placeholder can
   * never run.
   */
  forgetRecorded(firstOwn: number): void {
    for (const v of this.pending)
      if (v.id > firstOwn && planOf([v]).leaves.some((l) => l.kind === 'placeholder')) this.pending.delete(v);
  }
  /** A constant may be read while recording; what depends on an argument has no value yet. */
  private readWhileRecording(value: Value): Data {
    const plan = planOf([value]);
    if (plan.leaves.some((l) => l.kind === 'placeholder')) {
      throw new Error(
        'jit: the function read a tensor (dataSync, arraySync, data, or an op that needs values) ' +
          'that depends on its arguments or on a variable; return the tensor and read it outside',
      );
    }
    return this.execute(plan)[0]!;
  }
  private execute(plan: Plan): Data[] {
    this.statistics.runs++;
    this.statistics.lastNodes = plan.nodes.filter((n) => n.kind === 'node').length;
    this.statistics.lastOutputs = plan.outputs.length;
    try {
      return this.runPlan(plan);
    } catch (error) {
      if (this.devices[0] === 'cpu') throw error;
      const onCpu = this.compile(plan, () => false, 'cpu');
      try {
        const data = onCpu.run(feedsOf(onCpu, plan)); // throws where the graph was wrong, and not the device
        this.loseGpu(error);
        return data;
      } finally {
        onCpu.dispose();
      }
    }
  }
  private runPlan(plan: Plan): Data[] {
    const key = keyOf(plan);
    let session = this.sessions.get(key);
    if (session) this.sessions.delete(key);
    else {
      session = this.compile(plan, () => false, this.devices[0]!);
      if (this.sessions.size >= mostSessions) {
        const [oldest, old] = this.sessions.entries().next().value!;
        this.sessions.delete(oldest);
        old.dispose();
      }
    }
    this.sessions.set(key, session);
    return session.run(feedsOf(session, plan));
  }
  private readonly noted = new Set<string>();
  noteOnce(key: string, message: string): void {
    if (this.noted.has(key)) return;
    this.noted.add(key);
    this.note(message);
  }
  /** From here on the CPU computes. */
  loseGpu(cause: unknown): void {
    if (this.devices.every((d) => d === 'cpu')) return;
    this.devices = ['cpu'];
    for (const session of this.sessions.values()) session.dispose();
    this.sessions.clear();
    this.note(`the GPU was lost, from here on the CPU computes: ${(cause as Error).message.split('\n')[0]!}`);
  }
  compile(plan: Plan, isConstant: (leaf: Value) => boolean, device: Device): Session {
    const start = performance.now();
    this.statistics.compiles++;
    const session = compile(this.runtime, plan, { ...this.options, device }, isConstant, () => this.statistics.open--);
    this.statistics.open++;
    this.statistics.compileMs += performance.now() - start;
    return session;
  }
  /** A plan on the processor whose graph others share. Only the first plan of its structure compiles. */
  compileShared(plan: Plan): Session {
    const start = performance.now();
    const { session, isNew } = this.shared.compile(
      this.runtime,
      plan,
      this.options,
      (isLast) => void (this.statistics.open -= Number(isLast)),
    );
    this.statistics.compiles += Number(isNew);
    this.statistics.open += Number(isNew);
    this.statistics.compileMs += performance.now() - start;
    return session;
  }

  override memory(): { unreliable: boolean } {
    return { unreliable: false };
  }
  override floatPrecision(): 32 {
    return 32;
  }
  override epsilon(): number {
    return 1e-7;
  }
  override timerAvailable(): boolean {
    return true;
  }
  override async time(run: () => void): Promise<tf.BackendTimingInfo> {
    const start = performance.now();
    run();
    this.flush();
    return { kernelMs: performance.now() - start };
  }
  override dispose(): void {
    for (const session of this.sessions.values()) session.dispose();
    this.sessions.clear();
    this.pending.clear();
  }
}

const feedsOf = ({ sources }: Session, plan: Plan): Feed[] =>
  sources.map((s) => (typeof s === 'number' ? plan.leaves[s]!.feed() : s));
const noData = new Float32Array(0);
const unusable = (): Error =>
  new Error('onnx: this tensor has no values: it was made while jit recorded a function, or in a graph that failed');

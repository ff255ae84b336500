import * as tf from '@tensorflow/tfjs';

/**
 * What tfjs stores, plus what ONNX wants: an index type, and bytes for packed weights. Strings and complex numbers are
 * only stored: their kernels run on the host.
 */
export type DType = 'float32' | 'int32' | 'bool' | 'uint8' | 'int64' | 'string' | 'complex64';
export type Data = Float32Array | Int32Array | Uint8Array | BigInt64Array;
export type AttributeValue = number | string | number[] | { float: number };
export type Attributes = Readonly<Record<string, AttributeValue>>;

/** A constant int64 vector: shapes, axes, slice bounds. Part of the graph's structure, hence of its key. */
export interface Int64Vector {
  readonly int64: readonly number[];
  readonly key: string;
}
export type Input = Value | Int64Vector;
export const isVector = (input: Input): input is Int64Vector => 'int64' in input;
export const int64 = (values: readonly number[]): Int64Vector => ({ int64: values, key: `I${values.join(',')}` });

/** What a later op may fuse with. */
export type Hint =
  | { type: 'scatter'; indices: Value; updates: Value; outer: number; row: number }
  | { type: 'pad'; axis: number; before: number; after: number; source: Value };

/** The tensor as ONNX Runtime's binding takes it; `data` is not copied. */
export interface Feed {
  type: DType;
  dims: readonly number[];
  data: Data;
  location: 'cpu';
}

/**
 * One value of a recorded graph. Kinds: `leaf` has data; `placeholder` is an argument of a graph under recording;
 * `fill` is a constant of any shape, known by one number; `node` is the first output of an ONNX op; `output` is a later
 * output of `inputs[0]`.
 * A node turns into a leaf when it has been computed. Nodes point at values, never at tfjs data ids, so dispose, keep
 * and tidy need no care.
 */
export class Value {
  readonly id = ++lastId;
  kind: 'leaf' | 'placeholder' | 'fill' | 'node' | 'output';
  op = '';
  domain = '';
  attributes: Attributes | null = null;
  inputs: readonly Input[] = [];
  data: Data | null = null;
  /** The values of a leaf of strings, which no graph takes. */
  strings: Uint8Array[] | null = null;
  /** A leaf whose data the user may still write: never built into a graph. */
  isAliased = false;
  /**
   * A leaf that a recorded function's graph holds in itself, however large: ONNX Runtime packs it for the processor
   * only there.
   */
  isPacked = false;
  /**
   * A leaf over memory that a tensor from outside of the recorded function holds: never built into its graph, however
   * small.
   */
  isHeld = false;
  fill = 0;
  hint: Hint | null = null;
  /** A placeholder that is a contiguous part of another: its memory is read from where that one's lies. */
  view: { of: Value; offset: number } | null = null;
  /** Which output of its node, and how many outputs that node has. */
  outputIndex = 0;
  outputCount = 1;
  /** The op and its attributes, for the structural key. */
  key = '';
  /** Live tfjs data ids that hold this value. */
  handles = 0;
  /** The tfjs kernel that made it, and where it was called, for messages. */
  kernel = '';
  site: Error | null = null;
  /** Scratch of the topological order. */
  mark = 0;
  index = -1;
  private fed: Feed | null = null;

  constructor(
    kind: Value['kind'],
    readonly shape: readonly number[],
    readonly dtype: DType,
  ) {
    this.kind = kind;
  }

  feed(): Feed {
    return (this.fed ??= { type: this.dtype, dims: this.shape, data: this.data!, location: 'cpu' });
  }

  /** The value has been computed: what it was made from may go. */
  settle(data: Data): void {
    this.kind = 'leaf';
    this.data = data;
    this.inputs = [];
    this.attributes = null;
    this.hint = null;
    this.site = null;
    this.key = '';
  }
}
let lastId = 0;
/** Values made later have a greater id. */
export const latestValueId = (): number => lastId;

export const sizeOf = (shape: readonly number[]): number => shape.reduce((n, d) => n * d, 1);
export const sameShape = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((d, i) => d === b[i]);
export const describe = (value: { shape: readonly number[]; dtype: string }): string =>
  `[${value.shape.join(', ')}] ${value.dtype}`;

export function leaf(data: Data, shape: readonly number[], dtype: DType): Value {
  const value = new Value('leaf', shape, dtype);
  value.data = data;
  return value;
}

/**
 * A leaf over an array that fills its shape, which is not copied. @param caller for the message @throws where it does
 * not fill it
 */
export function leafOver(caller: string, data: Float32Array | Int32Array, shape: readonly number[]): Value {
  if (sizeOf(shape) !== data.length)
    throw new Error(`${caller}: ${data.length} numbers do not fill [${shape.join(', ')}]`);
  return leaf(data, shape, data instanceof Float32Array ? 'float32' : 'int32');
}
/** The same memory in another shape: whoever owns it still does. */
export function reshapedLeaf(v: Value, shape: readonly number[]): Value {
  return Object.assign(leaf(v.data!, shape, v.dtype), { isAliased: v.isAliased, isHeld: v.isHeld });
}
export const bytesOf = ({ buffer, byteOffset, byteLength }: Data): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

export const placeholder = (shape: readonly number[], dtype: DType): Value => new Value('placeholder', shape, dtype);

/** A constant that stays one number until it has to be memory. */
export function fill(shape: readonly number[], value: number, dtype: DType): Value {
  const v = new Value('fill', shape, dtype);
  v.fill = value;
  v.key = `F${dtype}${Object.is(value, -0) ? '-0' : value}:${shape.join(',')}`;
  return v;
}
export const scalar = (value: number, dtype: DType = 'float32'): Value => fill([], value, dtype);
export const isFill = (value: Value, number: number): boolean => value.kind === 'fill' && value.fill === number;

export function node(
  op: string,
  inputs: readonly Input[],
  shape: readonly number[],
  dtype: DType,
  attributes: Attributes | null = null,
  domain = '',
): Value {
  const v = new Value('node', shape, dtype);
  v.op = op;
  v.inputs = inputs;
  v.attributes = attributes;
  v.domain = domain;
  v.key = attributes ? op + JSON.stringify(attributes) : op;
  return v;
}

/** Output `index` (1 or more) of a node with several. */
export function laterOutput(of: Value, index: number, shape: readonly number[], dtype: DType): Value {
  const v = new Value('output', shape, dtype);
  v.inputs = [of];
  v.outputIndex = index;
  v.key = `#${index}`;
  of.outputCount = Math.max(of.outputCount, index + 1);
  return v;
}

function newData(dtype: DType, length: number): Data {
  switch (dtype) {
    case 'float32':
      return new Float32Array(length);
    case 'int32':
      return new Int32Array(length);
    case 'bool':
    case 'uint8':
      return new Uint8Array(length);
    case 'int64':
      return new BigInt64Array(length);
    case 'string':
    case 'complex64':
      throw new Error(`a graph has no ${dtype}`);
  }
}

export function filled(dtype: DType, length: number, value: number): Data {
  const data = newData(dtype, length);
  if (data instanceof BigInt64Array) data.fill(BigInt(value));
  else if (value !== 0) data.fill(value);
  return data;
}

export const broadcast = (a: readonly number[], b: readonly number[]): readonly number[] =>
  sameShape(a, b) ? a : tf.backend_util.assertAndGetBroadcastShape([...a], [...b]);

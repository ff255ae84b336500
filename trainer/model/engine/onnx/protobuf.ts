/** Writes the few ONNX messages that we need. Field numbers: onnx.proto (IR version 8). */
import { bytesOf, type Attributes, type Data, type DType } from './value';

const typeNumber: Record<DType, number> = {
  float32: 1,
  uint8: 2,
  int32: 6,
  int64: 7,
  bool: 9,
  string: 8,
  complex64: 14,
};
export const elementType = (dtype: DType): number => typeNumber[dtype];

export interface GraphNode {
  name: string;
  op: string;
  domain: string;
  inputs: string[];
  outputs: string[];
  attributes: Attributes | null;
}
export interface Initializer {
  name: string;
  dims: readonly number[];
  dtype: DType;
  data: Data;
  /** The model only names it: its data are given beside the model, not copied. */
  isBeside?: boolean;
}
export interface Port {
  name: string;
  /** -1: of any size */
  dims: readonly number[];
  dtype: DType;
}
export interface Graph {
  nodes: GraphNode[];
  initializers: Initializer[];
  inputs: Port[];
  outputs: Port[];
}

/** A growable buffer. Nested messages are written behind a length of fixed width, so nothing is copied twice. */
class Writer {
  private buffer: Buffer<ArrayBuffer>;
  private length = 0;

  /** @param size of what will be written, about: what is larger is copied once more */
  constructor(size: number) {
    this.buffer = Buffer.allocUnsafe(size);
  }

  private reserve(bytes: number): void {
    if (this.length + bytes <= this.buffer.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.buffer.length * 2, this.length + bytes));
    this.buffer.copy(grown, 0, 0, this.length);
    this.buffer = grown;
  }
  private varint(n: number): void {
    this.reserve(10);
    if (n < 0) {
      let x = BigInt.asUintN(64, BigInt(n));
      for (; x > 127n; x >>= 7n) this.buffer[this.length++] = Number(x & 127n) | 128;
      this.buffer[this.length++] = Number(x);
      return;
    }
    for (; n > 127; n = Math.floor(n / 128)) this.buffer[this.length++] = (n % 128) | 128;
    this.buffer[this.length++] = n;
  }
  integer(field: number, n: number): this {
    this.varint(field << 3);
    this.varint(n);
    return this;
  }
  float(field: number, x: number): this {
    this.varint((field << 3) | 5);
    this.reserve(4);
    this.length = this.buffer.writeFloatLE(x, this.length);
    return this;
  }
  text(field: number, text: string): this {
    return this.bytes(field, Buffer.from(text, 'utf8'));
  }
  bytes(field: number, bytes: Uint8Array): this {
    this.varint((field << 3) | 2);
    this.varint(bytes.length);
    this.reserve(bytes.length);
    this.buffer.set(bytes, this.length);
    this.length += bytes.length;
    return this;
  }
  message(field: number, write: (w: Writer) => unknown): this {
    this.varint((field << 3) | 2);
    this.reserve(5);
    const at = this.length;
    this.length += 5;
    write(this);
    let n = this.length - at - 5; // five bytes of seven bits hold every length below 32 GiB
    for (let i = 0; i < 5; i++, n = Math.floor(n / 128)) this.buffer[at + i] = (n % 128) | (i < 4 ? 128 : 0);
    return this;
  }
  finish(): Uint8Array<ArrayBuffer> {
    return this.buffer.subarray(0, this.length);
  }
}

function attributes(w: Writer, all: Attributes): void {
  for (const [name, value] of Object.entries(all)) {
    w.message(5, (a) => {
      a.text(1, name);
      if (typeof value === 'number') a.integer(3, value).integer(20, 2);
      else if (typeof value === 'string') a.text(4, value).integer(20, 3);
      else if (Array.isArray(value)) {
        for (const x of value) a.integer(8, x);
        a.integer(20, 7);
      } else a.float(2, value.float).integer(20, 1);
    });
  }
}

function port(w: Writer, field: number, { name, dims, dtype }: Port): void {
  w.message(field, (info) =>
    info.text(1, name).message(2, (type) =>
      type.message(1, (tensor) =>
        tensor.integer(1, typeNumber[dtype]).message(2, (shape) => {
          for (const d of dims) shape.message(1, (dim) => d < 0 || dim.integer(1, d));
        }),
      ),
    ),
  );
}

/**
 * The bytes of an ONNX model. Opset 17: the last one whose reductions take their axes as an attribute, as we write
 * them.
 */
export function encodeModel(graph: Graph): Uint8Array<ArrayBuffer> {
  const w = new Writer(
    graph.initializers.reduce((size, { data, isBeside }) => size + (isBeside ? 0 : data.byteLength) + 256, 1 << 16),
  );
  w.integer(1, 8);
  w.message(7, (g) => {
    for (const n of graph.nodes) {
      g.message(1, (m) => {
        for (const i of n.inputs) m.text(1, i);
        for (const o of n.outputs) m.text(2, o);
        m.text(3, n.name).text(4, n.op);
        if (n.attributes) attributes(m, n.attributes);
        if (n.domain) m.text(7, n.domain);
      });
    }
    g.text(2, 'coach');
    for (const t of graph.initializers) {
      g.message(5, (m) => {
        for (const d of t.dims) m.integer(1, d);
        m.integer(2, typeNumber[t.dtype]).text(8, t.name);
        if (t.isBeside) {
          for (const [key, value] of [
            ['location', t.name],
            ['offset', '0'],
            ['length', String(t.data.byteLength)],
          ] as const)
            m.message(13, (entry) => entry.text(1, key).text(2, value));
          m.integer(14, 1);
        } else m.bytes(9, bytesOf(t.data));
      });
    }
    for (const p of graph.inputs) port(g, 11, p);
    for (const p of graph.outputs) port(g, 12, p);
  });
  w.message(8, (o) => o.text(1, '').integer(2, 17));
  w.message(8, (o) => o.text(1, 'com.microsoft').integer(2, 1));
  return w.finish();
}

/**
 * GGUF, llama.cpp's file of a whole model: metadata (sizes, tokenizer, chat template) and tensors, mostly quantised.
 * Source: docs/gguf.md of ggml-org/ggml; versions 2 and 3 (which differ in nothing that a little-endian reader sees).
 */
import { closeSync, readSync, statSync } from 'node:fs';
import { UserError } from '../../protocol/result';
import type { Codes } from '../engine/packedWeights';
import { codeFormats } from './ggufCodes';
import { FileReader } from './ggufReader';
import { openToRead } from '../../base/storage';
import { type GgufValue, type GgufTensor, byName, type Quantisation, quantisations, otherNames } from './ggufTypes';

/** Whether this is a file that begins as GGUF does; its name does not matter (Ollama's have none). */
export function isGguf(path: string): boolean {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false;
  const fd = openToRead(path);
  try {
    const magic = Buffer.alloc(4);
    return readSync(fd, magic, 0, 4, 0) === 4 && magic.toString('latin1') === 'GGUF';
  } finally {
    closeSync(fd);
  }
}

/** Of a tensor's place and of a metadata entry: an empty name and the numbers behind it. */
const SMALLEST_INFO = 24;
const SMALLEST_ENTRY = 13;
/** Tensors, or metadata entries: a model of 400 billion parameters has some 2,000. */
const MAX_COUNT = 100_000;
/**
 * Of all lists of the metadata together: vocabularies have up to 300,000 words, with a merge, a score and a type each.
 */
const MAX_LISTED = 8_000_000;
const MAX_DEPTH = 4;

/** Behind magic, version and both counts. */
const METADATA_START = 24;

/** Header, metadata and the list of tensors of an open file; tensors are read one by one. Close it. */
export class Gguf {
  readonly path: string;
  readonly metadata = new Map<string, GgufValue>();
  readonly tensors = new Map<string, GgufTensor>();
  /** of each tensor's data, in bytes */
  alignment = 32;
  private metadataEnd = METADATA_START;

  private constructor(private readonly reader: FileReader) {
    this.path = reader.path;
  }

  /**
   * @param partOf where only the first bytes of a file lie at the path: what it is called, and its size
   * @throws UserError: no GGUF, another version, cut off, a part of a split model, a quantisation that is not read;
   * NotHereYet where header, metadata and list of tensors are longer than those first bytes
   */
  static open(path: string, partOf?: { name: string; size: number }): Gguf {
    const reader = FileReader.open(path, partOf);
    try {
      const file = new Gguf(reader);
      file.parse();
      return file;
    } catch (error) {
      reader.close();
      throw error;
    }
  }

  close(): void {
    this.reader.close();
  }

  private parse(): void {
    const { reader } = this;
    if (reader.size < 24 || reader.take(4, (b, at) => b.toString('latin1', at, at + 4)) !== 'GGUF')
      throw reader.broken('is no GGUF file: it must begin with the letters GGUF');
    const version = reader.uint32();
    if (version !== 2 && version !== 3) {
      throw new UserError(
        'storage',
        `${this.path}: GGUF version must be 2 or 3, got ${version > 0xffff ? 'a big-endian file' : version}`,
        'Take a newer file of the same model, for little-endian machines.',
      );
    }
    const tensorCount = this.plausible('tensors', reader.count(), SMALLEST_INFO);
    const entryCount = this.plausible('metadata entries', reader.count(), SMALLEST_ENTRY);
    const budget = { entries: MAX_LISTED };
    for (let i = 0; i < entryCount; i++) {
      const key = reader.text();
      this.metadata.set(key, readValue(reader, reader.uint32(), key, budget));
    }
    this.metadataEnd = reader.offset;
    const parts = this.numberOr('split.count', 1);
    if (parts > 1)
      throw new UserError(
        'config',
        `${this.path}: is one of ${parts} parts of a model`,
        'Join them with llama.cpp: llama-gguf-split --merge FIRST-PART whole.gguf',
      );
    const infos = Array.from({ length: tensorCount }, () => readInfo(reader));
    const alignment = this.numberOr('general.alignment', this.alignment);
    if (!Number.isInteger(alignment) || alignment < 1)
      throw reader.broken(`general.alignment must be 1 or more, got ${alignment}`);
    this.alignment = alignment;
    const dataStart = Math.ceil(reader.offset / alignment) * alignment;
    for (const { name, shape, quantisation, offset, elements } of infos) {
      const begin = dataStart + offset;
      const end = begin + (elements / quantisation.values) * quantisation.bytes;
      if (end > reader.size) throw reader.broken(`is cut off: ${reader.size} bytes, tensor ${name} ends at ${end}`);
      this.tensors.set(name, { name, type: quantisation.name, shape, begin, end });
    }
  }

  /** A count of the header, held to what the rest of the file has room for. @param bytes of the smallest one */
  private plausible(what: string, count: number, bytes: number): number {
    if (count * bytes > this.reader.size || count > MAX_COUNT)
      throw this.reader.broken(
        count > MAX_COUNT
          ? `says that it has ${count} ${what}, more than ${MAX_COUNT}`
          : `is cut off: ${this.reader.size} bytes have no room for its ${count} ${what}`,
      );
    return count;
  }

  /** A tensor's values as float32; the file is read in pieces, so that this is the only copy. The caller's. */
  read(tensor: GgufTensor): Float32Array {
    const { values, bytes, dequantise } = byName.get(tensor.type)!;
    const out = new Float32Array(((tensor.end - tensor.begin) / bytes) * values);
    this.eachPiece(tensor, (part, to) => dequantise(part, out.subarray(to, to + (part.length / bytes) * values)));
    return out;
  }

  /** A tensor as it lies in the file. The caller's. */
  readBytes({ begin, end }: Pick<GgufTensor, 'begin' | 'end'>): Uint8Array {
    const bytes = new Uint8Array(end - begin);
    this.reader.readInto(bytes, begin);
    return bytes;
  }

  /** All metadata as they lie in the file. */
  metadataBytes(): Uint8Array {
    return this.readBytes({ begin: METADATA_START, end: this.metadataEnd });
  }

  /**
   * A tensor as it is quantised, in blocks of 32 values; null where it has no 4 or 8 bits in such blocks. The
   * caller's.
   */
  readCodes(tensor: GgufTensor): Omit<Codes, 'shape'> | null {
    const format = codeFormats[tensor.type];
    if (format === undefined) return null;
    const { values, bytes } = byName.get(tensor.type)!;
    const count = ((tensor.end - tensor.begin) / bytes) * values;
    const floats = (): Float32Array => new Float32Array(count / 32);
    const out = {
      bits: format.bits,
      blockSize: 32,
      codes: new Uint8Array((count * format.bits) / 8),
      scales: floats(),
      offsets: format.hasOffsets ? floats() : null,
    };
    this.eachPiece(tensor, (part, from) => format.read(part, out, from / 32));
    return out;
  }

  /** Whole blocks of a tensor, a megabyte of the file at a time. @param from the first value in them */
  private eachPiece(tensor: GgufTensor, take: (part: Uint8Array, from: number) => void): void {
    const { values, bytes } = byName.get(tensor.type)!;
    const piece = new Uint8Array(Math.min(tensor.end - tensor.begin, Math.floor((1 << 20) / bytes) * bytes));
    for (let begin = tensor.begin; begin < tensor.end; begin += piece.length) {
      const part = piece.subarray(0, Math.min(piece.length, tensor.end - begin));
      this.reader.readInto(part, begin);
      take(part, ((begin - tensor.begin) / bytes) * values);
    }
  }

  /** @throws UserError where it is absent or no number */
  number(key: string): number {
    const value = this.metadata.get(key);
    if (typeof value === 'bigint') return Number(value);
    if (typeof value !== 'number') throw this.wrong(key, 'a number', value);
    return value;
  }

  numberOr<T>(key: string, absent: T): number | T {
    return this.metadata.has(key) ? this.number(key) : absent;
  }

  text(key: string): string {
    const value = this.metadata.get(key);
    if (typeof value !== 'string') throw this.wrong(key, 'a text', value);
    return value;
  }

  list<T extends 'string' | 'number'>(key: string, of: T): (T extends 'string' ? string : number)[] {
    const value = this.metadata.get(key);
    if (!Array.isArray(value)) throw this.wrong(key, `a list of ${of}s`, value);
    const odd = value.find((each) => typeof each !== of);
    if (odd !== undefined) throw this.wrong(key, `a list of ${of}s`, odd);
    return value as (T extends 'string' ? string : number)[];
  }

  private wrong(key: string, rule: string, value: GgufValue | undefined): UserError {
    return new UserError(
      'config',
      `${this.path}: metadata ${key} must be ${rule}, got ` +
        `${value === undefined ? 'nothing' : Array.isArray(value) ? 'a list' : String(value)}`,
      'Take another GGUF file of the same model, made by a recent llama.cpp.',
    );
  }
}

const scalars: Record<number, [bytes: number, read: (b: Buffer, at: number) => number | bigint | boolean]> = {
  0: [1, (b, at) => b.readUInt8(at)],
  1: [1, (b, at) => b.readInt8(at)],
  2: [2, (b, at) => b.readUInt16LE(at)],
  3: [2, (b, at) => b.readInt16LE(at)],
  4: [4, (b, at) => b.readUInt32LE(at)],
  5: [4, (b, at) => b.readInt32LE(at)],
  6: [4, (b, at) => b.readFloatLE(at)],
  7: [1, (b, at) => b.readUInt8(at) !== 0],
  10: [8, (b, at) => b.readBigUInt64LE(at)],
  11: [8, (b, at) => b.readBigInt64LE(at)],
  12: [8, (b, at) => b.readDoubleLE(at)],
};

/** @param budget entries that lists may still have: each costs memory, however few bytes of the file it takes */
function readValue(reader: FileReader, type: number, key: string, budget: { entries: number }, depth = 0): GgufValue {
  if (type === 8) return reader.text();
  if (type === 9) {
    const of = reader.uint32();
    const length = reader.count();
    const smallest = of === 8 ? 8 : of === 9 ? 12 : (scalars[of]?.[0] ?? 1);
    if (length * smallest > reader.size - reader.offset)
      throw reader.broken(`is cut off: ${reader.size} bytes have no room for the ${length} entries of metadata ${key}`);
    if ((budget.entries -= length) < 0)
      throw reader.broken(`its metadata lists more than ${MAX_LISTED} entries, ${key} alone ${length}`);
    if (depth >= MAX_DEPTH)
      throw reader.broken(`metadata ${key} is a list in a list in a list, deeper than ${MAX_DEPTH}`);
    const list: GgufValue[] = [];
    for (let i = 0; i < length; i++) list.push(readValue(reader, of, key, budget, depth + 1));
    return list;
  }
  const scalar = scalars[type];
  if (scalar === undefined) throw reader.broken(`metadata ${key} has a type that GGUF does not know: ${type}`);
  return reader.take(scalar[0], scalar[1]);
}

function readInfo(reader: FileReader): {
  name: string;
  shape: number[];
  quantisation: Quantisation;
  offset: number;
  elements: number;
} {
  const name = reader.text();
  const rank = reader.uint32();
  if (rank > 4) throw reader.broken(`tensor ${name} must have at most 4 dimensions, got ${rank}`);
  const shape = Array.from({ length: rank }, () => reader.count()).reverse();
  const type = reader.uint32();
  const offset = reader.count();
  const quantisation = quantisations.get(type);
  if (quantisation === undefined) {
    throw new UserError(
      'config',
      `${reader.path}: tensor ${name} has the quantisation ` +
        `${otherNames[type] ?? `number ${type}`}, read are ${[...byName.keys()].join(', ')}`,
      'Take the same model as Q4_K_M, Q5_K_M, Q6_K, Q8_0 or F16.',
    );
  }
  const row = shape.at(-1) ?? 1;
  if (row % quantisation.values !== 0)
    throw reader.broken(
      `tensor ${name}: rows of ${quantisation.name} must be a multiple of ${quantisation.values}, got ${row}`,
    );
  return { name, shape, quantisation, offset, elements: shape.reduce((a, b) => a * b, 1) };
}

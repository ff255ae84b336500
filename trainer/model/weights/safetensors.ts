/**
 * safetensors: bytes <-> named tensors. Layout: 8 bytes header length (little-endian), JSON header, data without holes.
 * Source: the format section of huggingface/safetensors; the checks are those of its reader, each with a message that
 * says where.
 */
import { closeSync, fstatSync, readSync } from 'node:fs';
import { UserError } from '../../protocol/result';
import { decodeBfloats, decodeHalves, numberToHalf } from './halfFloat';
import { openToRead } from '../../base/storage';
import { parseJson } from '../../base/json';

export type Dtype = 'F32' | 'F16' | 'BF16' | 'F64' | 'I64';
export interface Tensor {
  shape: number[];
  data: Float32Array;
}
/** `dtype` is how it lay in the file; the data is float32 always. */
export interface StoredTensor extends Tensor {
  dtype: Dtype;
}
export interface Header {
  metadata: Record<string, string>;
  /** in the order of the data; begin and end count from the start of the file */
  tensors: { name: string; dtype: Dtype; shape: number[]; begin: number; end: number }[];
}

const dtypeBytes: Record<Dtype, number> = { F32: 4, F16: 2, BF16: 2, F64: 8, I64: 8 };
/** The reference reader's limit. */
const maxHeaderBytes = 100_000_000;
const downloadHint = 'Copy or download the file again; its size should be that of the original.';

/** All tensors at once, for files that are small (adapters, checkpoints). */
export function readSafetensors(source: string | Uint8Array): Map<string, StoredTensor> {
  const out = new Map<string, StoredTensor>();
  for (const { name, dtype, shape, read } of eachSafetensor(source)) out.set(name, { dtype, shape, data: read() });
  return out;
}

/** One tensor of an open file; `read` works until the next one is asked for, and its result is the caller's. */
export interface TensorEntry {
  name: string;
  dtype: Dtype;
  shape: number[];
  read(): Float32Array;
}

/**
 * A file tensor by tensor, in the order of the data: files over 2 GiB work, and what the caller does not read costs
 * nothing.
 * The file is closed at the end, or when the caller breaks off.
 */
export function* eachSafetensor(source: string | Uint8Array): Generator<TensorEntry, void, void> {
  const { read, size, where, close } = openSource(source);
  try {
    for (const { name, dtype, shape, begin, end } of parseHeader(read, size, where).tensors) {
      yield { name, dtype, shape, read: () => decode(dtype, read(begin, end), `${where}: tensor ${name}`) };
    }
  } finally {
    close();
  }
}

/** Names, shapes and metadata without the data. */
export function readSafetensorsHeader(source: string | Uint8Array): Header {
  return withSource(source, parseHeader);
}

/**
 * Names sorted, header padded with spaces to a multiple of 8, as the reference writer does; same input, same bytes.
 * @throws Error when a shape disagrees with its data, or a finite value does not fit into F16.
 */
export function writeSafetensors(
  tensors: ReadonlyMap<string, Tensor>,
  { dtype = 'F32', metadata }: { dtype?: 'F32' | 'F16'; metadata?: Record<string, string> } = {},
): Uint8Array {
  const names = [...tensors.keys()].sort();
  const header: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  if (metadata) header['__metadata__'] = metadata;
  let offset = 0;
  for (const name of names) {
    const { shape, data } = tensors.get(name)!;
    if (name === '__metadata__') throw new Error('writeSafetensors: no tensor may be named __metadata__');
    if (elements(shape) !== data.length)
      throw new Error(`writeSafetensors: ${name} has shape [${shape.join(', ')}] but ${data.length} values`);
    const end = offset + data.length * dtypeBytes[dtype];
    header[name] = { dtype, shape, data_offsets: [offset, end] };
    offset = end;
  }
  const json = Buffer.from(JSON.stringify(header), 'utf8');
  const headerBytes = Math.ceil(json.length / 8) * 8;
  const out = new Uint8Array(8 + headerBytes + offset);
  const view = new DataView(out.buffer);
  view.setBigUint64(0, BigInt(headerBytes), true);
  out.set(json, 8);
  out.fill(0x20, 8 + json.length, 8 + headerBytes);
  let at = 8 + headerBytes;
  for (const name of names) {
    for (const value of tensors.get(name)!.data) {
      if (dtype === 'F32') view.setFloat32(at, value, true);
      else view.setUint16(at, halfOrThrow(value, name), true);
      at += dtypeBytes[dtype];
    }
  }
  return out;
}

type Read = (begin: number, end: number) => Uint8Array;

function withSource<T>(source: string | Uint8Array, use: (read: Read, size: number, where: string) => T): T {
  const { read, size, where, close } = openSource(source);
  try {
    return use(read, size, where);
  } finally {
    close();
  }
}

function openSource(source: string | Uint8Array): { read: Read; size: number; where: string; close(): void } {
  if (typeof source !== 'string')
    return {
      read: (begin, end) => source.subarray(begin, end),
      size: source.length,
      where: 'safetensors',
      close: () => undefined,
    };
  let fd: number;
  try {
    fd = openToRead(source);
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(
      'storage',
      `${source}: can't be read: ${(error as Error).message}`,
      'Give the path of a .safetensors file.',
    );
  }
  return {
    read: (begin, end) => readRange(fd, begin, end, source),
    size: fstatSync(fd).size,
    where: source,
    close: () => closeSync(fd),
  };
}

function readRange(fd: number, begin: number, end: number, where: string): Uint8Array {
  const bytes = new Uint8Array(end - begin);
  for (let done = 0; done < bytes.length; ) {
    const n = readSync(fd, bytes, done, Math.min(bytes.length - done, 1 << 30), begin + done);
    if (n === 0)
      throw new UserError('storage', `${where}: ends at byte ${begin + done}, ${end} were expected`, downloadHint);
    done += n;
  }
  return bytes;
}

function parseHeader(read: Read, size: number, where: string): Header {
  const broken = (message: string) => new UserError('storage', `${where}: ${message}`, downloadHint);
  if (size < 8) throw broken(`is no safetensors file: ${size} bytes, the header alone needs 8`);
  const lengthBytes = read(0, 8);
  const length = Number(new DataView(lengthBytes.buffer, lengthBytes.byteOffset, 8).getBigUint64(0, true));
  if (length > maxHeaderBytes) throw broken(`is no safetensors file: the header would be ${length} bytes`);
  if (8 + length > size)
    throw broken(`is truncated inside the header: ${size} bytes, the header ends at ${8 + length}`);
  let json: unknown;
  try {
    json = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(read(8, 8 + length)));
  } catch (error) {
    throw broken(`the header is not JSON: ${(error as Error).message}`);
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw broken('the header must be a JSON object');
  const { __metadata__: metadata = {}, ...entries } = json as Record<string, unknown>;
  if (typeof metadata !== 'object' || metadata === null || Object.values(metadata).some((v) => typeof v !== 'string')) {
    throw broken('__metadata__ must map strings to strings');
  }
  const dataStart = 8 + length;
  const tensors = Object.entries(entries).map(([name, entry]) => parseEntry(name, entry, dataStart, broken));
  tensors.sort((a, b) => a.begin - b.begin || a.end - b.end);
  let expected = dataStart;
  for (const t of tensors) {
    if (t.begin !== expected)
      throw broken(`tensor ${t.name} starts at byte ${t.begin}, the one before ends at ${expected}`);
    expected = t.end;
  }
  if (size < expected)
    throw broken(
      `is truncated: ${size} bytes, the header describes ${expected} ` +
        `(${tensors.find((t) => t.end > size)?.name} is cut off)`,
    );
  if (size > expected) throw broken(`has ${size - expected} bytes behind the last tensor`);
  return { metadata: metadata as Record<string, string>, tensors };
}

function parseEntry(
  name: string,
  entry: unknown,
  dataStart: number,
  broken: (message: string) => UserError,
): Header['tensors'][number] {
  const isCount = (n: unknown): n is number => Number.isSafeInteger(n) && (n as number) >= 0;
  const {
    dtype,
    shape,
    data_offsets: offsets,
  } = (entry ?? {}) as { dtype?: unknown; shape?: unknown; data_offsets?: unknown };
  if (!Array.isArray(shape) || !shape.every(isCount))
    throw broken(`tensor ${name}: shape must be whole numbers from 0, got ${JSON.stringify(shape)}`);
  const [begin, end] = Array.isArray(offsets) && offsets.length === 2 ? (offsets as unknown[]) : [];
  if (!isCount(begin) || !isCount(end) || begin > end) {
    throw broken(`tensor ${name}: data_offsets must be [begin, end], got ${JSON.stringify(offsets)}`);
  }
  if (typeof dtype !== 'string' || !Object.hasOwn(dtypeBytes, dtype)) {
    throw new UserError(
      'storage',
      `${broken(`tensor ${name}: dtype must be one of ${Object.keys(dtypeBytes).join(', ')}, got ` + `${JSON.stringify(dtype)}`).message}`,
      'Quantised weights are not read; convert the model to float32, float16 or bfloat16.',
    );
  }
  const bytes = elements(shape) * dtypeBytes[dtype as Dtype];
  if (bytes !== end - begin)
    throw broken(
      `tensor ${name}: ${dtype} [${shape.join(', ')}] needs ${bytes} bytes, data_offsets give ` + `${end - begin}`,
    );
  return { name, dtype: dtype as Dtype, shape, begin: dataStart + begin, end: dataStart + end };
}

function decode(dtype: Dtype, bytes: Uint8Array, where: string): Float32Array {
  if (dtype === 'F16') return decodeHalves(bytes);
  if (dtype === 'BF16') return decodeBfloats(bytes);
  // A copy (Buffer.slice would not be one): the range may start at an odd address, and the caller owns what it gets.
  // Little-endian machines only, as Node's are.
  const copy = new Uint8Array(bytes).buffer;
  if (dtype === 'F32') return new Float32Array(copy);
  if (dtype === 'F64') return Float32Array.from(new Float64Array(copy));
  return Float32Array.from(new BigInt64Array(copy), (big, i) => {
    const value = Number(big);
    if (Math.fround(value) !== value || BigInt(value) !== big) {
      throw new UserError(
        'storage',
        `${where}[${i}]: ${big} has no exact float32`,
        'Whole numbers up to 2^24 can be read.',
      );
    }
    return value;
  });
}

function halfOrThrow(value: number, name: string): number {
  const bits = numberToHalf(value);
  if ((bits & 0x7fff) === 0x7c00 && Number.isFinite(value))
    throw new Error(`writeSafetensors: ${name} holds ${value}, F16 ends at 65504`);
  return bits;
}

const elements = (shape: readonly number[]) => shape.reduce((a, b) => a * b, 1);

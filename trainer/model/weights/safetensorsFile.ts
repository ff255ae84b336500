/**
 * A safetensors file written tensor by tensor, each in a type of its own: the peak is one tensor, and a file over 2
 * GiB works.
 */
import { closeSync, readSync } from 'node:fs';
import { UserError } from '../../protocol/result';
import { openToRead, writeFileAtomic } from '../../base/storage';
import { decodeBfloats, decodeHalves, numberToBfloat, numberToHalf } from './halfFloat';
import type { Dtype } from './safetensors';

export type FloatDtype = 'F32' | 'F16' | 'BF16';

export interface PlannedTensor {
  name: string;
  dtype: Dtype;
  shape: number[];
  /** called when its turn has come; as many bytes as dtype and shape say */
  bytes(): Uint8Array;
}

const bytesOf: Record<Dtype, number> = { F32: 4, F16: 2, BF16: 2, F64: 8, I64: 8 };

/**
 * Tensors in the order given; under a temporary name until whole. @throws Error when a tensor gives another number of
 * bytes than it said
 */
export function writeSafetensorsFile(
  path: string,
  tensors: readonly PlannedTensor[],
  metadata: Record<string, string>,
): void {
  const header: Record<string, unknown> = { __metadata__: metadata };
  let offset = 0;
  for (const { name, dtype, shape } of tensors) {
    const end = offset + shape.reduce((a, b) => a * b, 1) * bytesOf[dtype];
    header[name] = { dtype, shape, data_offsets: [offset, end] };
    offset = end;
  }
  const json = Buffer.from(JSON.stringify(header));
  const head = Buffer.alloc(8 + Math.ceil(json.length / 8) * 8, 0x20);
  head.writeBigUInt64LE(BigInt(head.length - 8));
  json.copy(head, 8);
  writeFileAtomic(path, partsOf(head, tensors));
}

function* partsOf(head: Uint8Array, tensors: readonly PlannedTensor[]): Generator<Uint8Array> {
  yield head;
  for (const { name, dtype, shape, bytes } of tensors) {
    const content = bytes();
    const expected = shape.reduce((a, b) => a * b, 1) * bytesOf[dtype];
    if (content.length !== expected)
      throw new Error(`writeSafetensorsFile: ${name} must be ${expected} bytes, got ${content.length}`);
    yield content;
  }
}

/** @throws Error for a finite value that F16 can't hold (beyond 65504); F32 and BF16 hold all */
export function encodeFloats(values: Float32Array, dtype: FloatDtype, name: string): Uint8Array {
  if (dtype === 'F32') return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  const out = new Uint16Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const bits = dtype === 'F16' ? numberToHalf(values[i]!) : numberToBfloat(values[i]!);
    if (dtype === 'F16' && (bits & 0x7fff) === 0x7c00 && Number.isFinite(values[i]!))
      throw new Error(`encodeFloats: ${name} holds ${values[i]}, F16 ends at 65504`);
    out[i] = bits;
  }
  return new Uint8Array(out.buffer);
}

/** One tensor's bytes as they lie in a file. @throws UserError where the file ends before */
export function readTensorBytes(
  path: string,
  { name, begin, end }: { name: string; begin: number; end: number },
): Uint8Array {
  const bytes = new Uint8Array(end - begin);
  const fd = openToRead(path);
  try {
    for (let done = 0; done < bytes.length; ) {
      const n = readSync(fd, bytes, done, Math.min(bytes.length - done, 1 << 30), begin + done);
      if (n === 0)
        throw new UserError(
          'storage',
          `${path}: ends inside tensor ${name}`,
          'Copy or download the file again; its size should be that of the original.',
        );
      done += n;
    }
  } finally {
    closeSync(fd);
  }
  return bytes;
}

/** Little-endian bytes -> float32, exact. @param bytes of an own buffer, from its start */
export function decodeFloats(bytes: Uint8Array, dtype: FloatDtype): Float32Array {
  if (dtype === 'F16') return decodeHalves(bytes);
  return dtype === 'BF16' ? decodeBfloats(bytes) : new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
}

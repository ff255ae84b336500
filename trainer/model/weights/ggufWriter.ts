/**
 * GGUF, version 3: header, metadata, tensor infos, data aligned to 32 bytes. Little-endian.
 * Source: docs/gguf.md of ggml-org/ggml. A tensor's sizes are written innermost first, so [out, in] becomes (in, out).
 */
import { encodeFloats } from './safetensorsFile';
import type { Tensor } from './safetensors';

export type GgufValue =
  | { type: 'string'; value: string }
  | { type: 'float32' | 'uint32'; value: number }
  | { type: 'bool'; value: boolean };

const valueTypes = { uint32: 4, float32: 6, bool: 7, string: 8 } as const;
const tensorTypes = { F32: 0, F16: 1 } as const;
const ALIGNMENT = 32;

/**
 * Metadata and tensors in the order given; same input, same bytes. @throws Error when a shape disagrees with its data
 */
export function writeGguf(
  metadata: readonly (readonly [key: string, value: GgufValue])[],
  tensors: ReadonlyMap<string, Tensor>,
  dtype: 'F32' | 'F16' = 'F32',
): Uint8Array {
  const parts: Buffer[] = [Buffer.from('GGUF'), u32(3), u64(tensors.size), u64(metadata.length)];
  for (const [key, value] of metadata) parts.push(text(key), u32(valueTypes[value.type]), valueBytes(value));
  let offset = 0;
  const data: Uint8Array[] = [];
  for (const [name, { shape, data: values }] of tensors) {
    if (shape.reduce((a, b) => a * b, 1) !== values.length)
      throw new Error(`writeGguf: ${name} has shape [${shape.join(', ')}] but ${values.length} values`);
    parts.push(text(name), u32(shape.length), ...[...shape].reverse().map(u64), u32(tensorTypes[dtype]), u64(offset));
    const bytes = encodeFloats(values, dtype, name);
    data.push(bytes, padding(bytes.length));
    offset += bytes.length + padding(bytes.length).length;
  }
  const head = Buffer.concat(parts);
  return Buffer.concat([head, padding(head.length), ...data]);
}

function valueBytes(value: GgufValue): Buffer {
  switch (value.type) {
    case 'string':
      return text(value.value);
    case 'uint32':
      return u32(value.value);
    case 'bool':
      return Buffer.from([value.value ? 1 : 0]);
    case 'float32': {
      const out = Buffer.alloc(4);
      out.writeFloatLE(value.value);
      return out;
    }
  }
}

export function u32(n: number): Buffer {
  const out = Buffer.alloc(4);
  out.writeUInt32LE(n);
  return out;
}

export function u64(n: number): Buffer {
  const out = Buffer.alloc(8);
  out.writeBigUInt64LE(BigInt(n));
  return out;
}

export const text = (s: string): Buffer => Buffer.concat([u64(Buffer.byteLength(s)), Buffer.from(s)]);
/** From there to the next place where a tensor may begin. */
export const padding = (length: number, alignment = ALIGNMENT): Buffer =>
  Buffer.alloc((alignment - (length % alignment)) % alignment);

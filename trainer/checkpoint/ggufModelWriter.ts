/** A GGUF file with some weights changed: its metadata (sizes, tokenizer, template) as they lie, its tensors one after another. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import type { ModelConfig } from '../model/config';
import { storing, writeAll } from '../runs/storage';
import { Gguf, typeNumber, type GgufTensor } from './gguf';
import { ggufConfig, weightName } from './ggufModel';
import { padding, text, u32, u64 } from './ggufWriter';
import { interleaveRows, restoreRows } from './rotaryRows';
import { encodeFloats } from './safetensorsFile';
import type { Change } from './writeModel';

/** What a tensor becomes; `bytes` is called when its turn has come. */
interface Planned {
  tensor: GgufTensor;
  type: string;
  length: number;
  bytes(): Uint8Array;
}

/** @param dtype of all matrices; default: those that change in F16, the others as they lie. Vectors (norms, biases) are float32, as llama.cpp has them. @returns the types as written */
export function writeGgufModel(source: string, path: string, dtype: 'F16' | 'F32' | undefined, change: Change): string[] {
  const file = Gguf.open(source);
  try {
    const config = ggufConfig(file);
    const planned = [...file.tensors.values()].map((tensor) => plan(file, config, tensor, dtype, change));
    writeWhole(path, [...head(file, planned)], planned, file.alignment);
    return [...new Set(planned.map(({ type }) => type))];
  } finally {
    file.close();
  }
}

function plan(file: Gguf, config: ModelConfig, tensor: GgufTensor, dtype: 'F16' | 'F32' | undefined, change: Change): Planned {
  const name = weightName(tensor.name);
  const changed = change(name);
  if (tensor.name === 'rope_freqs.weight' || (changed === null && dtype === undefined)) return { tensor, type: tensor.type, length: tensor.end - tensor.begin, bytes: () => file.readBytes(tensor) };
  const type = tensor.shape.length === 1 ? 'F32' : (dtype ?? 'F16');
  const count = tensor.shape.reduce((a, b) => a * b, 1);
  return { tensor, type, length: count * (type === 'F16' ? 2 : 4), bytes: () => {
    if (changed === null) return encodeFloats(file.read(tensor), type, tensor.name);
    const values = changed(restoreRows(file.read(tensor), name, config));
    return encodeFloats(interleaveRows(values.slice(), name, config), type, tensor.name);
  } };
}

function* head(file: Gguf, planned: readonly Planned[]): Generator<Uint8Array> {
  yield Buffer.concat([Buffer.from('GGUF'), u32(3), u64(planned.length), u64(file.metadata.size)]);
  yield file.metadataBytes();
  let offset = 0;
  for (const { tensor, type, length } of planned) {
    yield Buffer.concat([text(tensor.name), u32(tensor.shape.length), ...[...tensor.shape].reverse().map(u64), u32(typeNumber(type)), u64(offset)]);
    offset += length + padding(length, file.alignment).length;
  }
}

/** Under a temporary name until whole. */
function writeWhole(path: string, parts: readonly Uint8Array[], planned: readonly Planned[], alignment: number): void {
  const temporary = `${path}.${process.pid}.tmp`;
  storing(path, () => {
    const fd = openSync(temporary, 'w');
    try {
      for (const part of parts) writeAll(fd, part);
      writeAll(fd, padding(parts.reduce((sum, part) => sum + part.length, 0), alignment));
      for (const { tensor, length, bytes } of planned) {
        const content = bytes();
        if (content.length !== length) throw new Error(`writeGgufModel: ${tensor.name} must be ${length} bytes, got ${content.length}`);
        writeAll(fd, content);
        writeAll(fd, padding(length, alignment));
      }
      fsyncSync(fd);
      closeSync(fd);
      renameSync(temporary, path);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
  });
}

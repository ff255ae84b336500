/**
 * A GGUF file with some weights changed: its metadata (sizes, tokenizer, template) as they lie, its tensors one after
 * another.
 */
import type { ModelConfig } from '../network/config';
import { writeFileAtomic } from '../../base/storage';
import { Gguf } from './gguf';
import { typeNumber, type GgufTensor } from './ggufTypes';
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

/**
 * @param dtype of all matrices; default: those that change in F16, the others as they lie. Vectors (norms, biases) are
 * float32, as llama.cpp has them. @returns the types as written
 */
export function writeGgufModel(
  source: string,
  path: string,
  dtype: 'F16' | 'F32' | undefined,
  change: Change,
): string[] {
  const file = Gguf.open(source);
  try {
    const config = ggufConfig(file);
    const planned = [...file.tensors.values()].map((tensor) => plan(file, config, tensor, dtype, change));
    writeFileAtomic(path, partsOf(file, planned));
    return [...new Set(planned.map(({ type }) => type))];
  } finally {
    file.close();
  }
}

function plan(
  file: Gguf,
  config: ModelConfig,
  tensor: GgufTensor,
  dtype: 'F16' | 'F32' | undefined,
  change: Change,
): Planned {
  const name = weightName(tensor.name);
  const changed = change(name);
  if (tensor.name === 'rope_freqs.weight' || (changed === null && dtype === undefined))
    return { tensor, type: tensor.type, length: tensor.end - tensor.begin, bytes: () => file.readBytes(tensor) };
  const type = tensor.shape.length === 1 ? 'F32' : (dtype ?? 'F16');
  const count = tensor.shape.reduce((a, b) => a * b, 1);
  return {
    tensor,
    type,
    length: count * (type === 'F16' ? 2 : 4),
    bytes: () => {
      if (changed === null) return encodeFloats(file.read(tensor), type, tensor.name);
      const values = changed(restoreRows(file.read(tensor), name, config));
      return encodeFloats(interleaveRows(values.slice(), name, config), type, tensor.name);
    },
  };
}

function* partsOf(file: Gguf, planned: readonly Planned[]): Generator<Uint8Array> {
  const head = Buffer.concat([
    Buffer.from('GGUF'),
    u32(3),
    u64(planned.length),
    u64(file.metadata.size),
    file.metadataBytes(),
    ...infos(planned, file.alignment),
  ]);
  yield head;
  yield padding(head.length, file.alignment);
  for (const { tensor, length, bytes } of planned) {
    const content = bytes();
    if (content.length !== length)
      throw new Error(`writeGgufModel: ${tensor.name} must be ${length} bytes, got ${content.length}`);
    yield content;
    yield padding(length, file.alignment);
  }
}

/** Name, shape, type and place of each tensor. */
function* infos(planned: readonly Planned[], alignment: number): Generator<Buffer> {
  let offset = 0;
  for (const { tensor, type, length } of planned) {
    yield Buffer.concat([
      text(tensor.name),
      u32(tensor.shape.length),
      ...[...tensor.shape].reverse().map(u64),
      u32(typeNumber(type)),
      u64(offset),
    ]);
    offset += length + padding(length, alignment).length;
  }
}

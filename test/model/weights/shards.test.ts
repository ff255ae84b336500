import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as tf from '@tensorflow/tfjs';
import { loadBaseModel } from '../../../trainer/model/weights/baseModel';
import {
  eachSafetensor,
  readSafetensors,
  writeSafetensors,
  type Tensor,
} from '../../../trainer/model/weights/safetensors';
import { UserError } from '../../../trainer/protocol/result';
import { makeTinyModel } from '../../fixtures/tinyModel';

describe('weights of a folder', () => {
  let folder: string;
  let tensors: Map<string, Tensor>;
  beforeEach(async () => {
    await tf.setBackend('cpu');
    folder = makeTinyModel('shards', mkdtempSync(join(tmpdir(), 'coach-shards-')));
    tensors = readSafetensors(join(folder, 'model.safetensors'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const write = (file: string, part: Map<string, Tensor>, dtype: 'F32' | 'F16' = 'F32') =>
    writeFileSync(join(folder, file), writeSafetensors(part, { dtype }));
  const index = (map: Record<string, string>) =>
    writeFileSync(
      join(folder, 'model.safetensors.index.json'),
      JSON.stringify({ metadata: { total_size: 1 }, weight_map: map }),
    );
  /** Two files and their index, as transformers shards a model. */
  function shard(): { names: string[]; files: [string, string] } {
    const names = [...tensors.keys()];
    const files: [string, string] = ['model-00001-of-00002.safetensors', 'model-00002-of-00002.safetensors'];
    files.forEach((file, i) => write(file, new Map([...tensors].filter((_, at) => at % 2 === i))));
    index(Object.fromEntries(names.map((name, at) => [name, files[at % 2]!])));
    rmSync(join(folder, 'model.safetensors'));
    return { names, files };
  }
  const refuses = (message: RegExp) => {
    const before = tf.memory().numTensors;
    assert.throws(
      () => loadBaseModel(folder, 64),
      (e) => e instanceof UserError && !!e.hint && message.test(e.message),
      `${message}`,
    );
    assert.equal(tf.memory().numTensors, before);
  };

  it('loads shards by their index, the same weights as in one file', () => {
    const before = tf.memory().numTensors;
    const { names } = shard();
    const base = loadBaseModel(folder, 64);
    for (const name of names)
      assert.deepEqual([...base.model.weights.get(name)!.dataSync()], [...tensors.get(name)!.data], name);
    base.dispose();
    assert.equal(tf.memory().numTensors, before);
  });

  it('leaves files alone that the index, or model.safetensors, does not make part of the model', () => {
    const other = new Map([['model.norm.weight', { shape: [1], data: Float32Array.of(1) }]]);
    write('consolidated.safetensors', other);
    loadBaseModel(folder, 64).dispose();
    shard();
    loadBaseModel(folder, 64).dispose();
    rmSync(join(folder, 'model.safetensors.index.json'));
    refuses(/consolidated\.safetensors: tensor model\.norm\.weight must be \[32\], got \[1\]/);
  });

  it('names a missing shard with its tensors, and a tensor that its shard lacks', () => {
    const { names, files } = shard();
    renameSync(join(folder, files[1]), join(folder, 'kept'));
    refuses(new RegExp(`${files[1]} is missing, which holds ${Math.floor(names.length / 2)} tensors \\(`));
    renameSync(join(folder, 'kept'), join(folder, files[1]));
    index(Object.fromEntries(names.map((name) => [name, files[0]])));
    refuses(
      /model-00001-of-00002\.safetensors: tensor \S+ is not in it, though model\.safetensors\.index\.json says so/,
    );
    writeFileSync(join(folder, 'model.safetensors.index.json'), '{"weight_map": 3}');
    refuses(/model\.safetensors\.index\.json: is no index of tensors/);
    index({ [names[0]!]: '../other.safetensors' });
    refuses(/must lie in a file of this folder, got \.\.\/other\.safetensors/);
  });

  it('refuses a missing tensor, another shape, an unknown one, one that is there twice, and NaN', () => {
    const change = (edit: (map: Map<string, Tensor>) => void) => {
      const map = new Map(tensors);
      edit(map);
      write('model.safetensors', map);
    };
    change((map) => map.delete('model.norm.weight'));
    refuses(/tensor model\.norm\.weight is missing/);
    change((map) => map.set('model.norm.weight', { shape: [2, 16], data: new Float32Array(32) }));
    refuses(/tensor model\.norm\.weight must be \[32\], got \[2, 16\]/);
    change((map) => map.set('model.layers.0.mlp.up_proj.bias', { shape: [48], data: new Float32Array(48) }));
    refuses(/tensor model\.layers\.0\.mlp\.up_proj\.bias is none of this architecture's/);
    change((map) =>
      map.set('model.norm.weight', {
        shape: [32],
        data: Float32Array.from({ length: 32 }, (_, i) => (i === 5 ? NaN : 1)),
      }),
    );
    refuses(/tensor model\.norm\.weight must hold numbers, got NaN at 5/);
    change((map) =>
      map.set('model.norm.weight', {
        shape: [32],
        data: Float32Array.from({ length: 32 }, (_, i) => (i === 6 ? -Infinity : 1)),
      }),
    );
    refuses(/got -Infinity at 6/);
    rmSync(join(folder, 'model.safetensors'));
    write('a.safetensors', tensors);
    write('b.safetensors', new Map([['model.norm.weight', tensors.get('model.norm.weight')!]]));
    refuses(/b\.safetensors: tensor model\.norm\.weight was in another file already/);
  });

  it('reads F16 and BF16 as the float32 values that they stand for', () => {
    write('model.safetensors', tensors, 'F16');
    const half = loadBaseModel(folder, 64);
    const name = 'model.layers.0.mlp.up_proj.weight';
    const values = half.model.weights.get(name)!.dataSync();
    // a half has 11 significant bits: at most 2^-11 apart, relatively
    tensors
      .get(name)!
      .data.forEach((value, i) => assert.ok(Math.abs(values[i]! - value) <= Math.abs(value) * 2 ** -11 + 2 ** -25));
    half.dispose();

    // BF16 is the upper half of a float32: the same file with each F32 cut
    const header = JSON.parse(
      readFileSync(join(folder, 'model.safetensors'))
        .subarray(8, 8 + Number(readFileSync(join(folder, 'model.safetensors')).readBigUInt64LE()))
        .toString(),
    ) as Record<string, { dtype: string }>;
    for (const entry of Object.values(header)) entry.dtype = 'BF16';
    const json = Buffer.from(JSON.stringify(header));
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(json.length));
    const data = [...tensors.keys()]
      .sort()
      .map((key) =>
        Buffer.from(Uint16Array.from(new Uint32Array(tensors.get(key)!.data.buffer), (bits) => bits >>> 16).buffer),
      );
    writeFileSync(join(folder, 'model.safetensors'), Buffer.concat([length, json, ...data]));
    const cut = loadBaseModel(folder, 64);
    const expected = new Float32Array(
      Uint32Array.from(new Uint32Array(tensors.get(name)!.data.slice().buffer), (bits) => bits & 0xffff0000).buffer,
    );
    assert.deepEqual(cut.model.weights.get(name)!.dataSync(), expected);
    cut.dispose();
  });

  it('reads a file tensor by tensor: what is not asked for is not read, and breaking off closes it', () => {
    const seen: string[] = [];
    for (const { name, shape, read } of eachSafetensor(join(folder, 'model.safetensors'))) {
      seen.push(name);
      assert.deepEqual(shape, tensors.get(name)!.shape);
      if (seen.length === 2) {
        assert.deepEqual(read(), tensors.get(name)!.data);
        break;
      }
    }
    assert.equal(seen.length, 2);
  });
});

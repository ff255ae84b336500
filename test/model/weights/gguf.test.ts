import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import * as tf from '@tensorflow/tfjs';
import { loadBaseModel } from '../../../trainer/model/weights/baseModel';
import { dequantise, packedWeights } from '../../../trainer/model/engine/packedWeights';
import { Random } from '../../../trainer/base/random';
import { exportAdapter } from '../../../trainer/model/weights/exportAdapter';
import { exportGgufLora } from '../../../trainer/model/weights/exportGgufLora';
import { addDelta, exportMerged } from '../../../trainer/model/weights/exportMerged';
import { exportWhole } from '../../../trainer/model/weights/exportWhole';
import { Gguf, isGguf } from '../../../trainer/model/weights/gguf';
import { numberToHalf } from '../../../trainer/model/weights/halfFloat';
import { readSafetensors } from '../../../trainer/model/weights/safetensors';
import { modelFolder } from '../../../trainer/model/weights/modelFolder';
import { UserError } from '../../../trainer/protocol/result';
import { hashModel, hashTemplate } from '../../../trainer/store/runs/hashes';
import { ChatTemplate } from '../../../trainer/model/tokenizer/chatTemplate';
import { Tokenizer } from '../../../trainer/model/tokenizer/tokenizer';
import { ggufBytes, type TensorBytes, type Value } from '../../fixtures/ggufFile';
import { makeTinyModel } from '../../fixtures/tinyModel';

const cases = JSON.parse(readFileSync(resolve(__dirname, 'gguf.cases.json'), 'utf8')) as {
  type: string;
  id: number;
  blocks: string;
  values: string;
}[];
const floats = (bytes: Uint8Array): Float32Array => new Float32Array(new Uint8Array(bytes).buffer);
const raw = (values: ArrayLike<number>): Uint8Array => new Uint8Array(Float32Array.from(values).buffer);

describe('GGUF', () => {
  let dir: string;
  before(async () => {
    await tf.setBackend('cpu');
    dir = mkdtempSync(join(tmpdir(), 'coach-gguf-'));
  });
  after(() => rmSync(dir, { recursive: true }));
  const write = (bytes: Uint8Array, name = 'x.gguf'): string => {
    writeFileSync(join(dir, name), bytes);
    return join(dir, name);
  };
  const refuses = (act: () => unknown, message: RegExp) =>
    assert.throws(act, (e) => e instanceof UserError && !!e.hint && message.test(e.message), `${message}`);

  for (const { type, id, blocks, values } of cases) {
    it(`reads ${type} bit for bit as gguf-py does`, () => {
      const bytes = Buffer.from(blocks, 'hex');
      const expected = floats(Buffer.from(values, 'hex'));
      const file = Gguf.open(write(ggufBytes({}, { t: { type: id, shape: [2, expected.length / 2], bytes } })));
      assert.equal(file.tensors.get('t')!.type, type);
      assert.deepEqual(file.read(file.tensors.get('t')!), expected);
      file.close();
    });
  }

  for (const { type, id, blocks, values } of cases.filter((c) => /^Q4_[01K]$|^Q8_0$/.test(c.type))) {
    it(`keeps the blocks of ${type}: the same numbers from its codes`, () => {
      const expected = floats(Buffer.from(values, 'hex'));
      const shape = [2, expected.length / 2] as const;
      const file = Gguf.open(
        write(ggufBytes({}, { t: { type: id, shape: [...shape], bytes: Buffer.from(blocks, 'hex') } })),
      );
      const codes = file.readCodes(file.tensors.get('t')!)!;
      assert.equal(codes.codes.length, (expected.length * codes.bits) / 8);
      tf.tidy(() =>
        dequantise(packedWeights({ ...codes, shape }))
          .dataSync()
          .forEach((value, i) =>
            assert.ok(
              Math.abs(value - expected[i]!) <= 2e-7 * Math.max(...expected.map(Math.abs)),
              `${i}: ${value}, ${expected[i]}`,
            ),
          ),
      );
      file.close();
    });
  }

  it('reads F32, F16 and BF16, a tensor in pieces, versions 2 and 3, and another alignment', () => {
    const many = Float32Array.from({ length: 300_000 }, (_, i) => i / 7); // 1.2 MB: more than a piece
    const tensors = {
      long: { type: 0, shape: [300_000], bytes: raw(many) },
      half: { type: 1, shape: [3], bytes: new Uint8Array(Uint16Array.from([1.5, -2, 65504], numberToHalf).buffer) },
      brain: { type: 30, shape: [2], bytes: new Uint8Array(Uint16Array.of(0x3fc0, 0xc000).buffer) }, // 1.5 and -2
    };
    for (const [version, alignment] of [
      [2, 32],
      [3, 64],
    ] as const) {
      const file = Gguf.open(
        write(ggufBytes({ 'general.alignment': { u32: alignment } }, tensors, { version, alignment })),
      );
      assert.deepEqual(file.read(file.tensors.get('long')!), many);
      assert.deepEqual([...file.read(file.tensors.get('half')!)], [1.5, -2, 65504]);
      assert.deepEqual([...file.read(file.tensors.get('brain')!)], [1.5, -2]);
      file.close();
    }
  });

  it('says where a file is cut, of whatever length', () => {
    const whole = ggufBytes(
      { 'a.text': { text: 'word' }, 'a.list': { texts: ['x', 'y'] } },
      { t: { type: 0, shape: [2, 2], bytes: raw([1, 2, 3, 4]) } },
    );
    for (let length = 24; length < whole.length - 16; length += 3)
      refuses(() => Gguf.open(write(whole.subarray(0, length))), /is cut off: \d+ bytes/);
    refuses(() => Gguf.open(write(whole.subarray(0, 10))), /is no GGUF file/);
    refuses(() => Gguf.open(write(Buffer.from('GGML'.padEnd(40)))), /must begin with the letters GGUF/);
    assert.equal(isGguf(write(Buffer.from('GG'))), false);
  });

  it('refuses versions, parts and quantisations that it does not read, by name', () => {
    const of =
      (metadata: Record<string, Value>, tensors: Record<string, TensorBytes> = {}, version = 3) =>
      () =>
        Gguf.open(write(ggufBytes(metadata, tensors, { version })));
    refuses(of({}, {}, 1), /GGUF version must be 2 or 3, got 1/);
    refuses(of({}, {}, 0x03000000), /got a big-endian file/);
    refuses(of({ 'split.count': { u32: 3 } }), /is one of 3 parts of a model/);
    refuses(
      of({}, { 'blk.0.attn_q.weight': { type: 16, shape: [256], bytes: new Uint8Array(66) } }),
      /tensor blk\.0\.attn_q\.weight has the quantisation IQ2_XXS, read are F32, F16/,
    );
    refuses(of({}, { t: { type: 77, shape: [256], bytes: new Uint8Array(66) } }), /quantisation number 77/);
    refuses(
      of({}, { t: { type: 12, shape: [2, 100], bytes: new Uint8Array(144) } }),
      /rows of Q4_K must be a multiple of 256, got 100/,
    );
  });

  describe('as a model', () => {
    let folder: string;
    let metadata: Record<string, Value>;
    let tensors: Record<string, TensorBytes>;
    /** The tiny model, written as llama.cpp's converter writes it: its names, q and k interleaved within each head. */
    before(() => {
      folder = makeTinyModel('gguf');
      const config = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8')) as Record<string, number> & {
        rope_theta?: number;
        rope_parameters?: { rope_theta?: number };
      };
      const tokenizer = JSON.parse(readFileSync(join(folder, 'tokenizer.json'), 'utf8')) as {
        model: { vocab: Record<string, number>; merges: (string | string[])[] };
        added_tokens: { id: number; content: string }[];
      };
      const tokens = Array.from({ length: config['vocab_size']! }, (_, i) => `[PAD${i}]`);
      const types = tokens.map(() => 5);
      for (const [token, id] of Object.entries(tokenizer.model.vocab)) [tokens[id], types[id]] = [token, 1];
      for (const { id, content } of tokenizer.added_tokens) [tokens[id], types[id]] = [content, 3];
      metadata = {
        'general.architecture': { text: 'llama' },
        'llama.block_count': { u32: 2 },
        'llama.embedding_length': { u32: 32 },
        'llama.feed_forward_length': { u32: 48 },
        'llama.attention.head_count': { u32: 4 },
        'llama.attention.head_count_kv': { u32: 2 },
        'llama.context_length': { u32: config['max_position_embeddings']! },
        'llama.attention.layer_norm_rms_epsilon': { f32: config['rms_norm_eps']! },
        'llama.rope.freq_base': { f32: config.rope_parameters?.rope_theta ?? config.rope_theta ?? 10_000 },
        'llama.rope.dimension_count': { u32: 8 },
        'llama.vocab_size': { u32: tokens.length },
        'tokenizer.ggml.model': { text: 'gpt2' },
        'tokenizer.ggml.pre': { text: 'gpt-2' },
        'tokenizer.ggml.tokens': { texts: tokens },
        'tokenizer.ggml.token_type': { i32s: types },
        'tokenizer.ggml.merges': { texts: tokenizer.model.merges.map((m) => (Array.isArray(m) ? m.join(' ') : m)) },
        'tokenizer.ggml.eos_token_id': { u32: 2 },
        'tokenizer.chat_template': { text: ChatTemplate.load(folder).source },
      };
      const part: Record<string, string> = {
        'self_attn.q_proj': 'attn_q',
        'self_attn.k_proj': 'attn_k',
        'self_attn.v_proj': 'attn_v',
        'self_attn.o_proj': 'attn_output',
        'mlp.gate_proj': 'ffn_gate',
        'mlp.up_proj': 'ffn_up',
        'mlp.down_proj': 'ffn_down',
        input_layernorm: 'attn_norm',
        post_attention_layernorm: 'ffn_norm',
      };
      tensors = {};
      for (const [name, { shape, data }] of readSafetensors(join(folder, 'model.safetensors'))) {
        const [, layer, what] = /^model\.layers\.(\d+)\.(.+)\.weight$/.exec(name) ?? [];
        const ggufName = what
          ? `blk.${layer}.${part[what]}.weight`
          : name === 'model.norm.weight'
            ? 'output_norm.weight'
            : name === 'lm_head.weight'
              ? 'output.weight'
              : 'token_embd.weight';
        const isRotated = what === 'self_attn.q_proj' || what === 'self_attn.k_proj';
        // row 2i of a head of 8 is row i, row 2i + 1 is row 4 + i
        const rows = Array.from({ length: shape[0]! }, (_, r) =>
          isRotated ? 8 * Math.floor(r / 8) + (r % 2) * 4 + Math.floor((r % 8) / 2) : r,
        );
        const width = data.length / shape[0]!;
        tensors[ggufName] = {
          type: 0,
          shape,
          bytes: raw(rows.flatMap((r) => [...data.subarray(r * width, (r + 1) * width)])),
        };
      }
    });
    after(() => rmSync(folder, { recursive: true }));
    const file = (
      change: Record<string, Value | null> = {},
      other: Record<string, TensorBytes | null> = {},
      alignment = 32,
    ): string => {
      const present = <T>(map: Record<string, T | null>) =>
        Object.fromEntries(Object.entries(map).filter(([, v]) => v !== null)) as Record<string, T>;
      return write(
        ggufBytes(present({ ...metadata, ...change }), present({ ...tensors, ...other }), { alignment }),
        'model.gguf',
      );
    };

    it('is the model of the folder that it was made from: config, weights, tokens, template', () => {
      const before = tf.memory().numTensors;
      const theirs = loadBaseModel(folder, 64);
      const ours = loadBaseModel(file(), 64);
      assert.deepEqual(
        { ...ours.model.config, eosIds: 0, padId: 0, rmsNormEps: Math.fround(theirs.model.config.rmsNormEps) },
        { ...theirs.model.config, eosIds: 0, padId: 0, rmsNormEps: Math.fround(theirs.model.config.rmsNormEps) },
      );
      assert.deepEqual(ours.model.config.eosIds, [2]);
      assert.deepEqual([...ours.model.weights.keys()].sort(), [...theirs.model.weights.keys()].sort());
      for (const [name, weight] of theirs.model.weights)
        assert.deepEqual(ours.model.weights.get(name)!.dataSync(), weight.dataSync(), name);
      for (const text of ['Grüße aus Köln', 'camelCase x2y10', '<|user|>hi<|end|>', '  two'])
        assert.deepEqual(ours.tokenizer.encode(text), theirs.tokenizer.encode(text));
      assert.equal(ours.template.source, theirs.template.source);
      theirs.dispose();
      ours.dispose();
      assert.equal(tf.memory().numTensors, before);
    });

    it('is held in 4 bits as it lies in the file, its heads put in order; what has more bits is rounded', () => {
      const random = Random.fromSeed('blocks');
      // d = 2^-7, so that the weights are small; 16 or 32 bytes of codes
      const blocks = (rows: number, width: number, bytes: number): Uint8Array =>
        Uint8Array.from({ length: ((rows * width) / 32) * (2 + bytes) }, (_, i) =>
          i % (2 + bytes) === 0 ? 0 : i % (2 + bytes) === 1 ? 0x20 : Math.floor(random.next() * 256),
        );
      const path = file(
        {},
        {
          'blk.0.attn_q.weight': { type: 2, shape: [32, 32], bytes: blocks(32, 32, 16) },
          'blk.1.attn_k.weight': { type: 2, shape: [16, 32], bytes: blocks(16, 32, 16) },
          'blk.0.attn_v.weight': { type: 8, shape: [16, 32], bytes: blocks(16, 32, 32) },
        },
      );
      const floats32 = loadBaseModel(path, 16);
      const ours = loadBaseModel(path, 16, { quantize: 'q4' });
      assert.match(ours.packing!, /14 matrices of 4 bits and 1 of 8, 2 of them as the file has them and 13 rounded/);
      const off = (name: string): number =>
        tf.tidy(
          () =>
            tf
              .max(tf.abs(tf.sub(dequantise(ours.model.packed!.weights.get(name)!), floats32.model.weights.get(name)!)))
              .dataSync()[0]!,
        );
      assert.equal(off('model.layers.0.self_attn.q_proj.weight'), 0);
      assert.equal(off('model.layers.1.self_attn.k_proj.weight'), 0);
      const rounded = off('model.layers.0.self_attn.v_proj.weight'); // 128 * 2^-7 = 1 at most, in steps of 1/8
      assert.ok(rounded > 0.01 && rounded <= 1 / 8, `${rounded}`);
      ours.dispose();
      floats32.dispose();
    });

    it('is taken by path, without its ending, and by its folder; hashes know its template and its bytes', () => {
      const path = file();
      assert.equal(modelFolder('model.gguf', dir), path);
      assert.equal(modelFolder(write(readFileSync(path), 'sha256-ab'), dir), join(dir, 'sha256-ab'));
      const own = mkdtempSync(join(dir, 'own-'));
      writeFileSync(join(own, 'a.gguf'), readFileSync(path));
      assert.equal(modelFolder(own, dir), join(own, 'a.gguf'));
      writeFileSync(join(own, 'b.gguf'), readFileSync(path));
      refuses(() => modelFolder(own, dir), /holds 2 GGUF files \(a\.gguf, b\.gguf\)/);
      const [model, template] = [hashModel(path), hashTemplate(path)];
      assert.equal(hashModel(file()), model);
      assert.notEqual(
        hashTemplate(file({ 'tokenizer.chat_template': { text: `${ChatTemplate.load(folder).source} ` } })),
        template,
      );
      assert.notEqual(hashModel(path), model);
    });

    it('is a base that adapters are exported for, with the way to load it', () => {
      const pair = ['A', 'B'].map(
        (side) =>
          [
            `layers.0.self_attn.v_proj.lora_${side}`,
            { shape: side === 'A' ? [2, 32] : [16, 2], data: new Float32Array(side === 'A' ? 64 : 32) },
          ] as const,
      );
      const adapter = { tensors: new Map(pair), rank: 2, alpha: 4, targets: ['v_proj' as const], baseModel: file() };
      const out = exportAdapter({ ...adapter, out: join(dir, 'peft') });
      assert.equal(readFileSync(join(out, 'chat_template.jinja'), 'utf8'), ChatTemplate.load(folder).source);
      assert.match(
        readFileSync(join(out, 'README.md'), 'utf8'),
        /AutoTokenizer\.from_pretrained\(base, gguf_file="model\.gguf"\)/,
      );
      assert.equal(exportGgufLora({ ...adapter, out: join(dir, 'lora'), name: 'x' }).weights, 1);
    });

    it('is left with an adapter merged in, or with all weights trained: the same file but for those, heads in order', () => {
      const random = Random.fromSeed('merged');
      const fill = (shape: number[]) => ({
        shape,
        data: Float32Array.from({ length: shape[0]! * (shape[1] ?? 1) }, () => random.normal()),
      });
      const blocks = {
        type: 8,
        shape: [16, 32],
        bytes: Uint8Array.from({ length: 16 * 34 }, (_, i) => (i % 34 === 1 ? 0x20 : i % 34 === 0 ? 0 : i % 251)),
      }; // Q8_0, d = 2^-7
      const path = file(
        { 'general.alignment': { u32: 64 } },
        { 'blk.0.attn_v.weight': blocks, 'rope_freqs.weight': { type: 0, shape: [4], bytes: raw([1, 1, 4, 8]) } },
        64,
      );
      const base = loadBaseModel(path, 16);
      const [a, b] = [fill([2, 32]), fill([32, 2])];
      const adapter = {
        tensors: new Map([
          ['layers.1.self_attn.q_proj.lora_A', a],
          ['layers.1.self_attn.q_proj.lora_B', b],
        ]),
        rank: 2,
        alpha: 4,
        targets: ['q_proj' as const],
        baseModel: path,
      };
      const name = 'model.layers.1.self_attn.q_proj.weight';
      const expected = addDelta(base.model.weights.get(name)!.dataSync<'float32'>().slice(), [32, 32], { a, b }, 2);
      for (const dtype of [undefined, 'F32', 'F16'] as const) {
        const out = join(dir, `merged-${dtype}`);
        const written = exportMerged({ ...adapter, out, dtype });
        assert.deepEqual(written, {
          merged: 1,
          dtypes: dtype ? [...new Set([dtype, 'F32'])] : ['F32', 'Q8_0', 'F16'],
          path: join(out, 'model.gguf'),
        });
        const merged = loadBaseModel(written.path, 16);
        assert.equal(merged.template.source, base.template.source);
        assert.deepEqual(merged.model.config, base.model.config);
        for (const [each, weight] of base.model.weights) {
          const [found, wanted] = [
            merged.model.weights.get(each)!.dataSync<'float32'>(),
            each === name ? expected : weight.dataSync<'float32'>(),
          ];
          const off = found.reduce((most, x, i) => Math.max(most, Math.abs(x - wanted[i]!)), 0);
          assert.ok(
            off <= (dtype === 'F16' || (dtype === undefined && each === name) ? 2 ** -7 : 0),
            `${dtype} ${each}: ${off}`,
          );
        }
        merged.dispose();
      }
      const trained = new Map([...base.model.weights].map(([each, weight]) => [each, fill(weight.shape)]));
      const whole = loadBaseModel(exportWhole({ out: join(dir, 'whole'), baseModel: path, tensors: trained }).path, 16);
      for (const [each, weight] of whole.model.weights)
        assert.deepEqual(weight.dataSync(), trained.get(each)!.data, each);
      refuses(
        () => exportWhole({ out: join(dir, 'half'), baseModel: path, tensors: new Map([...trained].slice(1)) }),
        /what was trained has none/,
      );
      whole.dispose();
      base.dispose();
    });

    it("divides the frequencies as Llama 3's tensor or a linear factor says", () => {
      const factors = [1, 1, 4, 8];
      const stretched = loadBaseModel(
        file({}, { 'rope_freqs.weight': { type: 0, shape: [4], bytes: raw(factors) } }),
        16,
      );
      assert.deepEqual(stretched.model.config.ropeFactors, factors);
      const [cos, theta] = [stretched.model.rotary.cos.dataSync(), stretched.model.config.ropeTheta];
      // place 3, pair 2 of 4 (head size 8): angle 3 / theta^(4/8) / 4
      assert.ok(Math.abs(cos[3 * 8 + 2]! - Math.cos(3 / theta ** 0.5 / 4)) < 1e-6);
      stretched.dispose();
      const linear = loadBaseModel(
        file({ 'llama.rope.scaling.type': { text: 'linear' }, 'llama.rope.scaling.factor': { f32: 2 } }),
        16,
      );
      assert.deepEqual(linear.model.config.ropeFactors, [2, 2, 2, 2]);
      linear.dispose();
      refuses(
        () =>
          loadBaseModel(
            file({ 'llama.rope.scaling.type': { text: 'yarn' }, 'llama.rope.scaling.factor': { f32: 4 } }),
            16,
          ),
        /rope_type must be default, linear or llama3, got yarn/,
      );
    });

    it('refuses what it can not be: architecture, vocabulary, tokenizer, template, tensors', () => {
      const no = (
        change: Record<string, Value | null>,
        message: RegExp,
        other: Record<string, TensorBytes | null> = {},
      ) => {
        const before = tf.memory().numTensors;
        refuses(() => loadBaseModel(file(change, other), 16), message);
        assert.equal(tf.memory().numTensors, before);
      };
      no({ 'general.architecture': { text: 'gemma3' } }, /architecture must be one of llama, qwen2, qwen3, got gemma3/);
      no({ 'llama.block_count': null }, /metadata llama\.block_count must be a number, got nothing/);
      no({ 'llama.expert_count': { u32: 8 } }, /expert_count must be 0, got 8/);
      no({ 'llama.rope.dimension_count': { u32: 4 } }, /llama\.rope\.dimension_count must be the head size 8, got 4/);
      no(
        { 'llama.vocab_size': { u32: 7 } },
        /the vocabulary does not fit: the embedding has \d+ rows, llama\.vocab_size is 7/,
      );
      const texts = (metadata['tokenizer.ggml.tokens'] as { texts: string[] }).texts;
      no(
        { 'tokenizer.ggml.tokens': { texts: [...texts, 'one more'] } },
        new RegExp(`the embedding has ${texts.length} rows.*the tokenizer has ${texts.length + 1} tokens`),
      );
      no({ 'tokenizer.ggml.model': { text: 'llama' } }, /tokenizer\.ggml\.model must be gpt2 .* got llama/);
      no(
        { 'tokenizer.ggml.pre': { text: 'tekken' } },
        /tokenizer\.ggml\.pre must be one of smollm, gpt-2, llama-bpe, qwen2, got tekken/,
      );
      no({ 'tokenizer.chat_template': null }, /has no chat template/);
      no({}, /tensor model\.norm\.weight is missing/, { 'output_norm.weight': null });
      no({}, /tensor blk\.0\.ffn_gate_inp\.weight is none of this architecture's/, {
        'blk.0.ffn_gate_inp.weight': { type: 0, shape: [1], bytes: raw([1]) },
      });
      no({}, /tensor model\.norm\.weight must be \[32\], got \[16\]/, {
        'output_norm.weight': { type: 0, shape: [16], bytes: raw(new Float32Array(16)) },
      });
    });

    it('has the tokenizer that its metadata names, for digits that are not 0 to 9 too', () => {
      const base = loadBaseModel(file({ 'tokenizer.ggml.pre': { text: 'smollm' } }), 16);
      // Python's Digits cuts at every Unicode number: "½²" is never merged over the cut, and "12" is two tokens
      const one = (text: string) => base.tokenizer.encode(text);
      assert.deepEqual(one('½²٣12'), [...one('½'), ...one('²'), ...one('٣'), ...one('1'), ...one('2')]);
      base.dispose();
    });
  });

  it("says Python's Digits of a tokenizer.json, too", () => {
    const vocab = Object.fromEntries([...'12½'].map((c, i) => [c, i])) as Record<string, number>;
    const json = (individual: boolean) => ({
      version: '1.0',
      added_tokens: [],
      normalizer: null,
      pre_tokenizer: { type: 'Digits', individual_digits: individual },
      post_processor: null,
      decoder: null,
      model: { type: 'BPE', vocab: { ...vocab, '12': 3, '½½': 4 }, merges: ['1 2', '½ ½'], unk_token: null },
    });
    assert.deepEqual(Tokenizer.from(json(true)).encode('12½½'), [0, 1, 2, 2]);
    assert.deepEqual(Tokenizer.from(json(false)).encode('12'), [3]);
  });
});

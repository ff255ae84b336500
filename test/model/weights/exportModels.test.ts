import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Gguf } from '../../../trainer/model/weights/gguf';
import { exportGgufLora } from '../../../trainer/model/weights/exportGgufLora';
import { addDelta, exportMerged } from '../../../trainer/model/weights/exportMerged';
import { interleaveRows, restoreRows } from '../../../trainer/model/weights/rotaryRows';
import { exportOllama } from '../../../trainer/model/weights/exportOllama';
import { writeGguf } from '../../../trainer/model/weights/ggufWriter';
import { numberToBfloat } from '../../../trainer/model/weights/halfFloat';
import { readSafetensors, readSafetensorsHeader, type Tensor } from '../../../trainer/model/weights/safetensors';
import { UserError } from '../../../trainer/protocol/result';
import { makeTinyModel } from '../../fixtures/tinyModel';
import { tempFolder } from '../../store/runs/sample';

const tensor = (shape: number[], f: (i: number) => number): Tensor => ({
  shape,
  data: Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => f(i)),
});

describe('export of models', () => {
  const { dir, remove } = tempFolder();
  after(remove);
  let model = '';
  before(() => {
    model = makeTinyModel('export', join(dir, 'model'));
  });

  // tiny model: hidden 32, 4 heads of 8, 2 key-value heads
  const q = 'layers.1.self_attn.q_proj';
  const tensors = new Map([
    [`${q}.lora_A`, tensor([2, 32], (i) => i / 64)],
    [`${q}.lora_B`, tensor([32, 2], (i) => (i % 5) - 2)],
  ]);
  const adapter = { tensors, rank: 2, alpha: 6, targets: ['q_proj' as const] };

  it('W + alpha / rank B A, by hand', () => {
    // W [2, 2] = 0, A = [[1, 2]], B = [[3], [4]], scaling 0.5: [[1.5, 3], [2, 4]]
    assert.deepEqual(
      [
        ...addDelta(
          new Float32Array(4),
          [2, 2],
          { a: tensor([1, 2], (i) => i + 1), b: tensor([2, 1], (i) => i + 3) },
          0.5,
        ),
      ],
      [1.5, 3, 2, 4],
    );
  });

  it('merged: the changed weight alone differs, tokenizer and template come along, types as asked', () => {
    assert.deepEqual(exportMerged({ ...adapter, out: join(dir, 'merged'), baseModel: model }), {
      merged: 1,
      dtypes: ['F32'],
      path: join(dir, 'merged'),
    });
    const [base, merged] = [model, join(dir, 'merged')].map((folder) =>
      readSafetensors(join(folder, 'model.safetensors')),
    );
    const changed = [...base!]
      .filter(([name, t]) => t.data.some((x, i) => x !== merged!.get(name)!.data[i]))
      .map(([name]) => name);
    assert.deepEqual(changed, [`model.${q}.weight`]);
    // row 0: B[0] = (-2, -1), A[0][3] = 3 / 64, A[1][3] = 35 / 64; 3 (-2 * 3 - 35) / 64
    const at = (t: Map<string, Tensor>) => t.get(`model.${q}.weight`)!.data[3]!;
    assert.ok(Math.abs(at(merged!) - at(base!) - (3 * -41) / 64) < 1e-6);
    for (const name of ['config.json', 'tokenizer.json', 'chat_template.jinja', 'README.md'])
      assert.ok(existsSync(join(dir, 'merged', name)), name);
    exportMerged({ ...adapter, out: join(dir, 'half'), baseModel: model, dtype: 'F16' });
    const header = readSafetensorsHeader(join(dir, 'half/model.safetensors'));
    assert.ok(header.tensors.every((t) => t.dtype === 'F16'));
    assert.equal(
      (JSON.parse(readFileSync(join(dir, 'half/config.json'), 'utf8')) as { torch_dtype: string }).torch_dtype,
      'float16',
    );
  });

  it("rank-stabilised: merged by alpha / sqrt(rank), and the alpha that makes llama.cpp's alpha / rank the same", () => {
    exportMerged({ ...adapter, rslora: true, out: join(dir, 'stable'), baseModel: model });
    const [base, merged] = [model, join(dir, 'stable')].map(
      (folder) => readSafetensors(join(folder, 'model.safetensors')).get(`model.${q}.weight`)!.data[3]!,
    );
    assert.ok(Math.abs(merged! - base! - ((6 / Math.SQRT2) * -41) / 64) < 1e-6);
    exportGgufLora({ ...adapter, rslora: true, out: join(dir, 'stable-gguf'), baseModel: model, name: 'x' });
    const file = Gguf.open(join(dir, 'stable-gguf/adapter.gguf'));
    assert.ok(Math.abs(Number(file.metadata.get('adapter.lora.alpha')) - 6 * Math.SQRT2) < 1e-6);
    file.close();
  });

  it("refuses a base that is not the adapter's, before anything is written", () => {
    const bad = (more: object, message: RegExp) =>
      assert.throws(
        () => exportMerged({ ...adapter, out: join(dir, 'bad'), baseModel: model, ...more }),
        (e) => e instanceof UserError && message.test(e.message),
      );
    const wide = new Map([
      [`${q}.lora_A`, tensor([2, 48], () => 1)],
      [`${q}.lora_B`, tensor([32, 2], () => 1)],
    ]);
    bad({ tensors: wide }, /q_proj\.weight is \[32, 32\], the adapter was made for \[32, 48\]/);
    const deep = new Map([...tensors].map(([name, t]) => [name.replace('layers.1', 'layers.7'), t]));
    bad({ tensors: deep }, /has no weight model\.layers\.7\.self_attn\.q_proj\.weight/);
    mkdirSync(join(dir, 'empty'));
    writeFileSync(join(dir, 'empty/config.json'), readFileSync(join(model, 'config.json')));
    bad({ baseModel: join(dir, 'empty') }, /no \*\.safetensors file/);
    assert.ok(!existsSync(join(dir, 'bad')));
  });

  it('bfloat16 rounds to nearest, ties to even', () => {
    // 1 + 2^-8 lies between 1 and 1 + 2^-7: tie, to even (1); 1 + 3 * 2^-8: tie, to 1 + 2^-6
    assert.deepEqual(
      [1, 1 + 2 ** -8, 1 + 3 * 2 ** -8, -1.5, Infinity].map(numberToBfloat),
      [0x3f80, 0x3f80, 0x3f82, 0xbfc0, 0x7f80],
    );
    assert.equal(numberToBfloat(NaN) & 0x7fff, 0x7fc0);
  });

  it('GGUF: header, types and alignment by hand', () => {
    const bytes = Buffer.from(
      writeGguf([['k', { type: 'string', value: 'v' }]], new Map([['t', tensor([2, 3], (i) => i)]])),
    );
    assert.deepEqual(
      [bytes.toString('latin1', 0, 4), bytes.readUInt32LE(4), bytes.readBigUInt64LE(8), bytes.readBigUInt64LE(16)],
      ['GGUF', 3, 1n, 1n],
    );
    // key: 8 + 1, type 4, value 8 + 1 = 22 bytes from 24; tensor: name 8 + 1, dims 4, then 3 (innermost first) and 2
    assert.deepEqual(
      [
        bytes.readUInt32LE(33),
        bytes.readUInt32LE(55),
        bytes.readBigUInt64LE(59),
        bytes.readBigUInt64LE(67),
        bytes.readUInt32LE(75),
        bytes.readBigUInt64LE(79),
      ],
      [8, 2, 3n, 2n, 0, 0n],
    );
    assert.equal(bytes.length, 96 + 32); // 87 bytes of header -> 96; 24 bytes of data -> 32
    assert.equal(bytes.readFloatLE(96 + 20), 5);
  });

  it("GGUF LoRA: llama.cpp's names; rows of q and k as its rotation wants them, Qwen's as they are", () => {
    const config = { family: 'llama', heads: 1, kvHeads: 1, headDim: 6 } as const;
    const rows = () => Float32Array.from([0, 1, 2, 3, 4, 5]);
    // halves 012 and 345, interleaved
    assert.deepEqual([...interleaveRows(rows(), 'q_proj', config)], [0, 3, 1, 4, 2, 5]);
    assert.deepEqual(
      [...restoreRows(interleaveRows(rows(), 'q_proj', config), 'model.layers.0.self_attn.q_proj.bias', config)],
      [...rows()],
    );
    assert.deepEqual([...interleaveRows(rows(), 'v_proj', config)], [...rows()]);
    assert.deepEqual([...interleaveRows(rows(), 'q_proj', { ...config, family: 'qwen2' })], [...rows()]);
    assert.deepEqual(exportGgufLora({ ...adapter, out: join(dir, 'lora'), baseModel: model, name: 'r' }), {
      weights: 1,
    });
    const text = readFileSync(join(dir, 'lora/adapter.gguf'), 'latin1');
    for (const word of [
      'general.type',
      'adapter.lora.alpha',
      'blk.1.attn_q.weight.lora_a',
      'blk.1.attn_q.weight.lora_b',
    ])
      assert.ok(text.includes(word), word);
  });

  it('Ollama: the merged model and a Modelfile; a template that Ollama has none for is said', () => {
    const common = { ...adapter, baseModel: model, temperature: 0, maxTokens: 512 };
    assert.equal(
      exportOllama({ ...common, out: join(dir, 'ollama') }, (out) => exportMerged({ ...common, out })).template,
      null,
    );
    const text = readFileSync(join(dir, 'ollama/Modelfile'), 'utf8');
    assert.match(text, /^FROM \.\/model$/m);
    assert.match(text, /"raw": true/);
    assert.ok(existsSync(join(dir, 'ollama/model/model.safetensors')));
    const chatml = makeTinyModel('chatml', join(dir, 'chatml'));
    writeFileSync(
      join(chatml, 'chat_template.jinja'),
      '{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}',
    );
    assert.equal(
      exportOllama({ ...common, baseModel: chatml, out: join(dir, 'ollama2') }, (out) =>
        exportMerged({ ...common, baseModel: chatml, out }),
      ).template,
      'ChatML',
    );
    assert.match(readFileSync(join(dir, 'ollama2/Modelfile'), 'utf8'), /^PARAMETER stop "<\|im_end\|>"$/m);
  });
});

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportAdapter, peftName, readAdapter } from '../../../trainer/model/weights/exportAdapter';
import { exportData } from '../../../trainer/store/exchange/exportData';
import { readSafetensorsHeader, type Tensor } from '../../../trainer/model/weights/safetensors';
import { UserError } from '../../../trainer/protocol/result';
import type { Message } from '../../../trainer/protocol/trace';
import { sampleTool, sampleTrace, tempFolder } from '../../store/runs/sample';

const tensor = (...shape: number[]): Tensor => ({
  shape,
  data: Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => i),
});
const rows = (path: string) =>
  readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    // biome-ignore lint/suspicious/noExplicitAny: lines of JSON that the tests look into
    .map((line) => JSON.parse(line) as any);

describe('export', () => {
  const { dir, remove } = tempFolder();
  after(remove);

  const tensors = new Map([
    ['layers.0.self_attn.q_proj.lora_A', tensor(2, 8)],
    ['layers.0.self_attn.q_proj.lora_B', tensor(6, 2)],
    ['model.layers.1.mlp.up_proj.lora_A.weight', tensor(2, 8)],
    ['model.layers.1.mlp.up_proj.lora_B.weight', tensor(5, 2)],
    ['optimiser/m/layers.0.self_attn.q_proj.lora_A', tensor(2, 8)],
  ]);
  const adapter = {
    tensors,
    rank: 2,
    alpha: 4,
    targets: ['q_proj' as const, 'up_proj' as const],
    baseModel: join(dir, 'model'),
  };

  before(() => {
    mkdirSync(join(dir, 'model'));
    writeFileSync(join(dir, 'model/chat_template.jinja'), 'Hi {{ messages }}');
  });

  it("writes a PEFT folder: names, shapes, the config's keys, a README; and reads it back", () => {
    const out = exportAdapter({ ...adapter, out: join(dir, 'peft'), facts: ['Run r1'] });
    const header = readSafetensorsHeader(join(out, 'adapter_model.safetensors'));
    assert.deepEqual(
      header.tensors.map((t) => [t.name, t.dtype, t.shape]),
      [
        ['base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight', 'F32', [2, 8]],
        ['base_model.model.model.layers.0.self_attn.q_proj.lora_B.weight', 'F32', [6, 2]],
        ['base_model.model.model.layers.1.mlp.up_proj.lora_A.weight', 'F32', [2, 8]],
        ['base_model.model.model.layers.1.mlp.up_proj.lora_B.weight', 'F32', [5, 2]],
      ],
    );
    assert.deepEqual(header.metadata, { format: 'pt' });
    const config = JSON.parse(readFileSync(join(out, 'adapter_config.json'), 'utf8')) as Record<string, unknown>;
    assert.deepEqual(
      [
        config['peft_type'],
        config['r'],
        config['lora_alpha'],
        config['target_modules'],
        config['base_model_name_or_path'],
      ],
      ['LORA', 2, 4, ['q_proj', 'up_proj'], join(dir, 'model')],
    );
    const text = readFileSync(join(out, 'README.md'), 'utf8');
    for (const word of [
      '- Run r1',
      'PeftModel.from_pretrained',
      '--max-lora-rank 8',
      'convert_lora_to_gguf.py',
      'apply_chat_template',
    ])
      assert.ok(text.includes(word), word);
    assert.equal(readFileSync(join(out, 'chat_template.jinja'), 'utf8'), 'Hi {{ messages }}');
    assert.equal(
      readFileSync(join(out, 'chat_template.sha256'), 'utf8'),
      `${createHash('sha256').update('Hi {{ messages }}').digest('hex')}  chat_template.jinja\n`,
    ); // as sha256sum -c reads it
    const back = readAdapter(out);
    assert.deepEqual(
      [back.rank, back.alpha, back.targets, back.tensors.size, back.rslora],
      [2, 4, ['q_proj', 'up_proj'], 4, undefined],
    );
    assert.equal(readAdapter(exportAdapter({ ...adapter, rslora: true, out: join(dir, 'stable') })).rslora, true);
  });

  it('can take the base model along', () => {
    for (const name of ['config.json', 'tokenizer.json', 'model.safetensors', 'pretrain.ts', 'lexicon.txt'])
      writeFileSync(join(dir, 'model', name), '{}');
    const out = exportAdapter({ ...adapter, out: join(dir, 'whole'), includeBase: true });
    assert.deepEqual(
      ['config.json', 'tokenizer.json', 'model.safetensors', 'pretrain.ts', 'lexicon.txt'].map((n) =>
        existsSync(join(out, 'base', n)),
      ),
      [true, true, true, false, false],
    );
    assert.match(readFileSync(join(out, 'README.md'), 'utf8'), /base = "base"/);
  });

  it("knows an adapter's names, and refuses what would not load", () => {
    assert.equal(
      peftName('base_model.model.model.layers.3.self_attn.o_proj.lora_B.weight'),
      'base_model.model.model.layers.3.self_attn.o_proj.lora_B.weight',
    );
    for (const other of [
      'model.embed_tokens.weight',
      'layers.0.self_attn.q_proj.weight',
      'adam/m/layers.0.mlp.up_proj.lora_A',
    ])
      assert.equal(peftName(other), null);
    const bad = (more: Partial<typeof adapter>, message: RegExp) =>
      assert.throws(() => exportAdapter({ ...adapter, ...more, out: join(dir, 'bad') }), message);
    bad({ rank: 4 }, /lora_A\.weight must be \[4, in\], got \[2, 8\]/);
    bad({ targets: ['q_proj'] }, /targets must be q_proj, got q_proj, up_proj/);
    bad({ tensors: new Map([...tensors].slice(0, 1)) }, /has no partner/);
    bad({ tensors: new Map() }, /no adapter tensor/);
    assert.ok(!existsSync(join(dir, 'bad')));
    assert.throws(
      () => readAdapter(dir),
      (e) => e instanceof UserError && /adapter_config\.json: is no adapter's config/.test(e.message),
    );
  });

  const messages = sampleTrace('a').messages;
  const pair = {
    prompt: messages.slice(0, 2),
    chosen: messages.slice(2, 3),
    rejected: [{ role: 'assistant', content: 'No idea.' } as Message],
  };

  it('OpenAI: arguments are a string, ids pair calls with results, tools as functions', () => {
    const counts = exportData({
      out: join(dir, 'openai'),
      to: 'openai',
      episodes: [messages, messages],
      pairs: [pair],
      tools: [sampleTool],
    });
    assert.deepEqual(counts, { sft: 1, preferences: 1 });
    const [row] = rows(join(dir, 'openai/sft.jsonl'));
    assert.deepEqual(row.messages[2], {
      role: 'assistant',
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'search', arguments: '{"query":"Grüße"}' } }],
    });
    assert.deepEqual(row.messages[3], { role: 'tool', tool_call_id: 'c1', content: '["mail 3"]' });
    assert.deepEqual(row.tools, [
      {
        type: 'function',
        function: { name: 'search', description: 'Search the inbox.', parameters: sampleTool.parameters },
      },
    ]);
    assert.equal(row.parallel_tool_calls, false);
    const [preference] = rows(join(dir, 'openai/preferences.jsonl'));
    assert.deepEqual(Object.keys(preference), ['input', 'preferred_output', 'non_preferred_output']);
    assert.deepEqual(
      [
        preference.input.messages.length,
        preference.preferred_output[0].tool_calls[0].function.arguments,
        preference.non_preferred_output[0].content,
      ],
      [2, '{"query":"Grüße"}', 'No idea.'],
    );
  });

  it('TRL: prompt and completion, arguments are an object, tools one JSON string, no tools key without tools', () => {
    exportData({ out: join(dir, 'trl'), to: 'trl', episodes: [messages], pairs: [pair], tools: [sampleTool] });
    const [row] = rows(join(dir, 'trl/sft.jsonl'));
    assert.deepEqual(
      row.prompt.map((m: Message) => m.role),
      ['system', 'user'],
    );
    assert.deepEqual(
      row.completion.map((m: Message) => m.role),
      ['assistant', 'tool', 'assistant'],
    );
    assert.deepEqual(row.completion[0].tool_calls, [
      { type: 'function', function: { name: 'search', arguments: { query: 'Grüße' } } },
    ]);
    assert.deepEqual(row.completion[1], { role: 'tool', content: '["mail 3"]', name: 'search' });
    assert.equal((JSON.parse(row.tools) as unknown[]).length, 1);
    const [preference] = rows(join(dir, 'trl/preferences.jsonl'));
    assert.deepEqual(Object.keys(preference), ['prompt', 'chosen', 'rejected', 'tools']);
    assert.match(readFileSync(join(dir, 'trl/load.py'), 'utf8'), /on_mixed_types="use_json"/);
    exportData({
      out: join(dir, 'plain'),
      to: 'trl',
      episodes: [messages.slice(0, 2).concat(messages.slice(4))],
      pairs: [],
      tools: [],
    });
    assert.ok(!('tools' in rows(join(dir, 'plain/sft.jsonl'))[0]));
    assert.ok(!existsSync(join(dir, 'plain/preferences.jsonl')));
  });
});

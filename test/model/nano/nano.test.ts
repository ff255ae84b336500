import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readSafetensorsHeader } from '../../../trainer/model/weights/safetensors';
import { readModelConfig, weightShapes } from '../../../trainer/model/network/config';
import { PieceTokenizer, PretrainStream } from '../../../trainer/model/nano/batches';
import { allowedIds } from '../../../trainer/model/nano/constrained';
import { loadLexicon } from '../../../trainer/model/nano/words';
import { ChatTemplate } from '../../../trainer/model/tokenizer/chatTemplate';
import { Tokenizer } from '../../../trainer/model/tokenizer/tokenizer';
import { Discovery } from '../../../trainer/tools/sources/typescript/toolFile';

const nano = resolve(__dirname, '../../../trainer/model/nano');
const examples = resolve(__dirname, '../../../examples');
const tokenizer = PieceTokenizer.load(nano);
const template = ChatTemplate.load(nano);
const stream = new PretrainStream(tokenizer, template, loadLexicon('train'), 'nano-1', 2048);
const texts = Array.from({ length: 400 }, (_, i) => stream.dialogues(i, 0.95))
  .flat()
  .map((d) => template.render(d.messages, d.tools, false));

describe('the nano model', () => {
  it('has 2 to 3 million weights in a file of at most 6 MB, of the shapes that config.json says', () => {
    const header = readSafetensorsHeader(join(nano, 'model.safetensors'));
    const shapes = weightShapes(readModelConfig(nano));
    assert.deepEqual(header.tensors.map((t) => t.name).sort(), [...shapes.keys()].sort());
    for (const t of header.tensors) assert.deepEqual(t.shape, shapes.get(t.name));
    const count = header.tensors.reduce((n, t) => n + t.shape.reduce((a, b) => a * b, 1), 0);
    assert.ok(count >= 2e6 && count <= 3e6, `${count}`);
    assert.ok(statSync(join(nano, 'model.safetensors')).size <= 6e6);
  });

  it('says six tools in 300 tokens', () => {
    const { tools } = new Discovery().discover([join(examples, 'harbour/almanac.ts')]);
    assert.equal(tools.length, 6);
    const n = tokenizer.encode(template.render([{ role: 'user', content: 'x' }], tools, true)).length;
    assert.ok(n <= 300, `${n} tokens`);
  });

  it('is pre-trained on dialogues that its own sampler could have written', () => {
    const marks = {
      assistant: tokenizer.idOf('<|assistant|>'),
      end: tokenizer.idOf('<|end|>'),
      user: tokenizer.idOf('<|user|>'),
      result: tokenizer.idOf('<|result|>'),
    };
    let choices = 0;
    for (const d of Array.from({ length: 60 }, (_, i) => stream.dialogues(i, 0.9)).flat()) {
      const ids = tokenizer.encode(template.render(d.messages, d.tools, false));
      choices += allowedIds(tokenizer, d, ids, marks).filter((a) => a && a.length > 1).length;
    }
    assert.ok(choices > 500);
  });

  it('encodes piece by piece what its tokenizer encodes whole', () => {
    const plain = Tokenizer.load(nano);
    for (const text of [...texts.slice(0, 40), 'Ünïcode — naïve £5\n\ttab "q" camelCaseABC x9'])
      assert.deepEqual(tokenizer.encode(text), plain.encode(text));
    for (const text of ['Ünïcode — naïve £5\n\ttab', ...texts.slice(0, 5)])
      assert.equal(plain.decode(plain.encode(text), true), text);
  });

  it("has none of the examples' tools, tasks or domain words in its data", () => {
    const { tools } = new Discovery().discover([examples]);
    const words = new Set(texts.flatMap((t) => t.toLowerCase().match(/[a-z]+/g) ?? []));
    const names = new Set(texts.flatMap((t) => t.match(/[A-Za-z_]\w*/g) ?? []));
    assert.ok(tools.length >= 12);
    for (const tool of tools) assert.ok(!names.has(tool.name), tool.name);
    const prompts = readdirSync(examples, { recursive: true, encoding: 'utf8' })
      .filter((f) => f.endsWith('.tasks.jsonl'))
      .flatMap((f) =>
        readFileSync(join(examples, f), 'utf8')
          .trim()
          .split('\n')
          .map((l) => JSON.parse(l) as { prompt: string; calls?: unknown[] }),
      )
      .filter((t) => t.calls?.length !== 0)
      .map((t) => t.prompt.toLowerCase()); // a greeting is a greeting everywhere
    assert.ok(prompts.length >= 200);
    const all = texts.join('\n').toLowerCase();
    for (const prompt of prompts) assert.ok(!all.includes(`<|user|>${prompt}<`), prompt);
    // the lexicon holds no word of the tool files; words of requests ("find", "with") are everybody's
    const lexicon = new Set([...loadLexicon('train').words, ...loadLexicon('heldOut').words]);
    const domain = readFileSync(join(nano, 'excluded.txt'), 'utf8').split('\n').filter(Boolean);
    for (const word of domain) assert.ok(!lexicon.has(word), word);
    for (const word of ['email', 'inbox', 'invoice', 'refund', 'mooring', 'moon', 'shipping', 'boiler', 'kayak'])
      assert.ok(!words.has(word), word);
  });
});

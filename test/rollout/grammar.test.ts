import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import { Random } from '../../trainer/base/random';
import { CallGrammar } from '../../trainer/model/decoding/constrained/callGrammar';
import { nanoParser, hermesParser } from '../../trainer/rollout/parser';
import { Tokenizer } from '../../trainer/model/tokenizer/tokenizer';

const tokenizer = Tokenizer.load(resolve(__dirname, '../../trainer/model/nano'));
const tools = [
  {
    name: 'find_rock',
    description: 'Find a rock.',
    parameters: {
      type: 'object',
      required: ['kind'],
      properties: {
        kind: { enum: ['lava', 'chalk'] },
        name: { type: 'string' },
        size: { type: 'integer' },
        wet: { type: 'boolean' },
      },
    },
  },
  {
    name: 'polish',
    description: 'Polish rocks.',
    parameters: {
      type: 'object',
      required: ['ids', 'grit'],
      properties: {
        ids: { type: 'array', items: { type: 'string' }, minItems: 1 },
        grit: { anyOf: [{ type: 'number' }, { type: 'null' }] },
        by: { $ref: '#/$defs/person' },
      },
      $defs: { person: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } } },
    },
  },
];
const prompt = 'Polish "gneiss-7" and the Old Rock with grit 2.50 or three';
const ids = tokenizer.encode(prompt);

/** Walks the grammar at random until the turn ends; free text is kept short by preferring the end. */
function walk(spans: boolean, random: Random): string {
  const turn = new CallGrammar(tokenizer, tools, spans).turn({ ids, ranges: [[0, ids.length]] });
  const said: number[] = [tokenizer.idOf('<|call|>')];
  assert.ok(turn.advance(said[0]));
  for (let i = 0; !turn.isDone && i < 400; i++) {
    const allowed = turn.allowed();
    assert.ok(allowed.length > 0);
    const quote = tokenizer.idOf('"');
    const id =
      allowed.length > 500 && allowed.includes(quote) && random.next() < 0.4 ? quote : random.pick([...allowed]);
    assert.ok(turn.advance(id));
    said.push(id);
  }
  assert.ok(turn.isDone, tokenizer.decode(said, true));
  return tokenizer.decode(said, true);
}

describe('schema-constrained decoding', () => {
  const ajv = new Ajv2020({ strict: false });
  const validators = new Map(tools.map((t) => [t.name, ajv.compile(t.parameters)]));

  for (const spans of [true, false]) {
    it(`only ever says calls that parse and fit their schema (${spans ? 'spans' : 'free strings'})`, () => {
      const random = Random.fromSeed(`walk ${spans}`);
      const seen = new Set<string>();
      for (let i = 0; i < 300; i++) {
        const text = walk(spans, random);
        const { calls, error, content } = nanoParser.parse(text);
        assert.equal(error, undefined, text);
        assert.equal(content, '');
        assert.equal(calls.length, 1);
        const validate = validators.get(calls[0].name)!;
        assert.ok(validate(calls[0].arguments), `${text} ${JSON.stringify(validate.errors)}`);
        seen.add(calls[0].name);
        const strings = JSON.stringify(calls[0].arguments).match(/(?<=:)"[^"]*"|(?<=[[,])"[^"]*"(?=[,\]])/g) ?? [];
        if (spans)
          for (const s of strings)
            if (!['"lava"', '"chalk"'].includes(s)) assert.ok(prompt.includes(s.slice(1, -1)), `${s} is no span`);
      }
      assert.equal(seen.size, 2);
    });
  }

  it('takes numbers from the prompt, as digits and as words, not out of an id', () => {
    const random = Random.fromSeed('numbers');
    const grits = new Set<unknown>();
    for (let i = 0; i < 200; i++) grits.add(nanoParser.parse(walk(true, random)).calls[0].arguments['grit']);
    grits.delete(undefined);
    assert.deepEqual([...grits].map(String).sort(), ['2.5', '3', 'null']);
  });

  it('lists and arguments whose words stand at many places take no more ways for it', () => {
    const text = { type: 'string' };
    const log = {
      name: 'log',
      description: 'Log a tasting.',
      parameters: {
        type: 'object',
        required: ['flavours'],
        properties: { flavours: { type: 'array', items: text }, by: text, at: text, of: text, to: text },
      },
    };
    const said = tokenizer.encode('plum '.repeat(30));
    const call = '<|call|>log{"flavours":["plum", "plum", "plum", "plum", "plum", "plum"],"by":"plum","at":"plum"';
    const turn = new CallGrammar(tokenizer, [log], true).turn({ ids: said, ranges: [[0, said.length]] });
    let most = 0;
    for (const id of tokenizer.encode(call)) {
      assert.ok(turn.advance(id), tokenizer.decode([id]));
      most = Math.max(most, (turn as unknown as { states: readonly unknown[] }).states.length);
    }
    assert.ok(most < 3000, `${most} states`);
  });

  it('forces what the schema leaves no choice about', () => {
    const turn = new CallGrammar(tokenizer, [tools[0]], true).turn({ ids, ranges: [[0, ids.length]] });
    turn.advance(tokenizer.idOf('<|call|>'));
    let text = '';
    while (turn.allowed().length === 1) {
      const [id] = turn.allowed();
      text += tokenizer.tokenText(id);
      turn.advance(id);
    }
    assert.equal(text, 'find_rock{"kind":"');
  });
});

describe('tool call parsers', () => {
  it('reads several calls, and says what is broken', () => {
    assert.deepEqual(nanoParser.parse('<|call|>a{"x":1}<|call|>b{}<|end|>').calls, [
      { name: 'a', arguments: { x: 1 } },
      { name: 'b', arguments: {} },
    ]);
    assert.match(nanoParser.parse('<|call|>a{"x":1<|end|>').error!, /call 1 is broken/);
    assert.equal(nanoParser.parse('All done.<|end|>').content, 'All done.');
    assert.deepEqual(
      hermesParser.parse('Let me see. <tool_call>{"name":"a","arguments":{"x":{"y":[1]}}}</tool_call><|im_end|>'),
      { content: 'Let me see.', calls: [{ name: 'a', arguments: { x: { y: [1] } } }] },
    );
    assert.match(hermesParser.parse('<tool_call>{"name":"a"}</tool_call>').error!, /call 1 is broken/);
  });
});

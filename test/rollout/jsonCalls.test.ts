import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import Ajv2020 from 'ajv/dist/2020';
import { Random } from '../../trainer/base/random';
import { JsonCallGrammar } from '../../trainer/model/decoding/constrained/jsonCalls';
import { parserOf } from '../../trainer/rollout/parser';
import type { PromptTool } from '../../trainer/model/tokenizer/chatTemplate';
import { Tokenizer } from '../../trainer/model/tokenizer/tokenizer';
import { makeFamilyModel, type Family } from '../fixtures/tinyModel';

const TOOLS: PromptTool[] = [
  {
    name: 'weigh',
    description: '',
    parameters: {
      type: 'object',
      properties: {
        label: { type: 'string', pattern: '^k' },
        unit: { enum: ['kg', 'lb'] },
        digits: { type: 'integer', minimum: 0, maximum: 9 },
      },
      required: ['label', 'unit'],
    },
  },
  {
    name: 'pack',
    description: '',
    parameters: {
      type: 'object',
      properties: { crates: { type: 'array', items: { $ref: '#/$defs/crate' }, minItems: 1, maxItems: 2 }, note: {} },
      required: ['crates'],
      $defs: {
        crate: {
          type: 'object',
          properties: { id: { type: 'integer', minimum: 1, maximum: 99 }, heavy: { type: 'boolean' } },
          required: ['id'],
        },
      },
    },
  },
];
/** What the automaton leaves to the check before a call. */
const loosely = (schema: object): object =>
  JSON.parse(JSON.stringify(schema, (key, value: unknown) => (key === 'pattern' ? undefined : value))) as object;

const FORMS: { family: Family; form: 'hermes' | 'llama'; open: string; close: string; key: string }[] = [
  { family: 'qwen2_5', form: 'hermes', open: '<tool_call>\n', close: '\n</tool_call>', key: 'arguments' },
  { family: 'smollm2', form: 'hermes', open: '<tool_call>', close: '</tool_call>', key: 'arguments' },
  { family: 'llama3_2', form: 'llama', open: '', close: '', key: 'parameters' },
];

for (const { family, form, open, close, key } of FORMS) {
  describe(`calls of ${family}, held to the tools' schemas`, () => {
    const folder = makeFamilyModel(family);
    const tokenizer = Tokenizer.load(folder);
    const end = tokenizer.idOf(family === 'llama3_2' ? '<|eot_id|>' : '<|im_end|>');
    const grammar = new JsonCallGrammar(tokenizer, TOOLS, form, new Set([end]));
    after(() => rmSync(folder, { recursive: true, force: true }));

    /** How many ids of a text are taken; all of them: -1. Each must be among those that are allowed. */
    const refusedAt = (text: string): number => {
      const turn = grammar.turn();
      return tokenizer.encode(text).findIndex((id) => {
        const isAllowed = turn.allowed()?.includes(id) ?? true;
        const isTaken = turn.advance(id);
        assert.equal(isTaken, isAllowed, `${tokenizer.decode([id], true)} of ${text}`);
        return !isTaken;
      });
    };
    const call = (name: string, args: string): string => `${open}{"name": "${name}", "${key}": ${args}}${close}`;

    it('takes whole calls and talk, and refuses where the schema is left', () => {
      for (const text of [
        call('weigh', '{"label": "k 1 < é", "unit": "kg"}'),
        call('weigh', '{"label": "", "unit": "lb", "digits": 3}'),
        call('pack', '{"crates": [{"id": 12, "heavy": true}, {"id": 3}], "note": "x"}'),
        'It is 3 < 4 kg. <tool is a word.',
      ]) {
        assert.equal(refusedAt(text), -1, text);
      }
      for (const text of [
        call('wiegh', '{}'),
        call('weigh', '{"unit": "kg"}'),
        call('weigh', '{"label": "a", "unit": "g"}'),
        call('weigh', '{"label": 3, "unit": "kg"}'),
        call('pack', '{"crates": []}'),
        call('pack', '{"crates": [{"id": 100}]}'),
      ]) {
        assert.ok(refusedAt(text) > 0, text);
      }
    });

    it('a turn ends after a call and in talk, and never within a call', () => {
      for (const [text, mayEnd] of [
        [call('weigh', '{"label": "a", "unit": "kg"}'), true],
        ['Hello', true],
        [call('weigh', '{"label": "a", "unit": "kg"}').slice(0, -(close.length + 1)), false],
        [`${open}{"name": "wei`, false],
      ] as const) {
        const turn = grammar.turn();
        for (const id of tokenizer.encode(text)) assert.ok(turn.advance(id), text);
        assert.equal(turn.allowed()?.includes(end) ?? true, mayEnd, text);
        assert.equal(turn.advance(end), mayEnd, text);
      }
    });

    it('whatever a model chooses that knows nothing, what was begun is a call that its schema and the parser take', () => {
      const ajv = new Ajv2020({ strict: false });
      for (let i = 0; i < 25; i++) {
        const random = Random.fromSeed(`${family}${i}`);
        const turn = grammar.turn();
        const ids = tokenizer.encode(`${open}{"name": "`);
        for (const id of ids) assert.ok(turn.advance(id));
        for (let written = 0; ; written++) {
          const allowed = turn.allowed();
          if (allowed === null || allowed.includes(end)) break;
          // a string that goes on for ever is ended, as a model would
          const quote = tokenizer.encode('"')[0]!;
          const id = written > 30 && allowed.includes(quote) ? quote : allowed[random.int(allowed.length)]!;
          assert.ok(turn.advance(id));
          ids.push(id);
        }
        const text = tokenizer.decode(ids, true);
        const { calls, error } = parserOf(form).parse(text);
        assert.deepEqual([error, calls.length], [undefined, 1], text);
        const tool = TOOLS.find(({ name }) => name === calls[0]!.name)!;
        assert.ok(ajv.validate(loosely(tool.parameters), calls[0]!.arguments), `${text}: ${ajv.errorsText()}`);
      }
    });

    it('without tools anything may be said', () =>
      assert.equal(new JsonCallGrammar(tokenizer, [], form, new Set([end])).turn().allowed(), null));
    it('talk costs no mask', () => {
      const turn = grammar.turn();
      for (const id of tokenizer.encode('Hello there')) turn.advance(id);
      assert.equal(turn.allowed(), null);
    });
  });
}

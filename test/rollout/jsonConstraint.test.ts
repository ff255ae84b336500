import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { Random } from '../../trainer/base/random';
import { byteVocabulary } from '../../trainer/model/decoding/constrained/byteVocabulary';
import {
  END,
  jsonStates,
  roomOf,
  stepBytes,
  type JsonOptions,
  type Schema,
} from '../../trainer/model/decoding/constrained/jsonBytes';
import { JsonConstraint } from '../../trainer/model/decoding/constrained/jsonConstraint';
import { canBecome, isWithin, type NumberRange } from '../../trainer/model/decoding/constrained/jsonNumber';
import { Tokenizer } from '../../trainer/model/tokenizer/tokenizer';
import { makeFamilyModel } from '../fixtures/tinyModel';

const object = (properties: Record<string, Schema>, required = Object.keys(properties)): Schema => ({
  type: 'object',
  properties,
  required,
});
const isWhole = (schema: Schema, text: string, options?: JsonOptions): boolean =>
  [...Buffer.from(text)].reduce(stepBytes, jsonStates(schema, options)).includes(END[0]);
const accepts = (schema: Schema, yes: string[], no: string[]): void => {
  for (const text of yes) assert.ok(isWhole(schema, text), text);
  for (const text of no) assert.ok(!isWhole(schema, text), text);
};

describe('JSON Schema as an automaton over bytes', () => {
  it('objects: keys in their order, optional ones may be left out', () => {
    accepts(
      object({ a: { type: 'boolean' }, b: { type: 'null' }, c: { enum: ['x', 'xy', 3] } }, ['a', 'c']),
      ['{"a": true, "b": null, "c": "x"}', '{"a": false, "c": "xy"}', '{"a": true, "c": 3}'],
      [
        '{"a":true, "c": 3}',
        '{"c": 3}',
        '{"a": true}',
        '{"a": true, "c": "xyz"}',
        '{"a": true, "c": 3} ',
        '{"a": true, "c": 3',
        '{"b": null, "a": true, "c": 3}',
      ],
    );
    accepts(object({}), ['{}'], ['', '{', '{ }']);
  });

  it('arrays: lengths, and items by their place', () => {
    accepts(
      { type: 'array', items: { enum: [1] }, minItems: 1, maxItems: 2 },
      ['[1]', '[1, 1]'],
      ['[]', '[1, 1, 1]', '[1,1]'],
    );
    accepts(
      { type: 'array', prefixItems: [{ const: 'a' }, { const: 'b' }], items: false, minItems: 2 },
      ['["a", "b"]'],
      ['["a"]', '["b", "a"]', '["a", "b", "a"]', '[]'],
    );
    accepts({ anyOf: [{ type: 'null' }, { type: ['string', 'boolean'] }] }, ['null', '"a"', 'true'], ['1', 'nul']);
  });

  it('strings: whole characters, short escapes, no control characters', () => {
    accepts({ type: 'string' }, ['""', '"a \\" \\\\ \\n"', '"Grüße 日本 👩‍👩‍👧"'], ['"', '"a\nb"', '"\\x"', '"a"b"']);
    const states = (...bytes: number[]) => bytes.reduce(stepBytes, jsonStates({ type: 'string' }));
    assert.equal(states(0x22, 0xe6, 0x97, 0x22).length, 0, 'no quote within a character');
    assert.equal(states(0x22, 0x80).length, 0, 'no character begins so');
  });

  it('numbers: what is begun can be ended in range, and nothing in range is left out', () => {
    const ranges: NumberRange[] = [
      { min: 0, max: 1, decimals: 2 },
      { min: 0, max: 10, decimals: 0 },
      { min: 5, max: 7, decimals: 1 },
      { min: -3, max: 12, decimals: 1 },
      { min: -20, max: -15, decimals: 0 },
      { min: 98, max: 103, decimals: 0 },
    ];
    for (const range of ranges) {
      const reached = new Set<number>();
      const walk = (text: string): void => {
        const ways = [...'-.0123456789'].filter((c) => canBecome(text + c, range));
        assert.ok(ways.length > 0 || isWithin(text, range), `${text} is a dead end of ${JSON.stringify(range)}`);
        if (isWithin(text, range)) reached.add(Number(text));
        for (const c of ways) walk(text + c);
      };
      walk('');
      const scale = 10 ** range.decimals;
      for (let i = Math.round(range.min * scale); i <= Math.round(range.max * scale); i++)
        assert.ok(reached.has(i / scale), `${i / scale} of ${JSON.stringify(range)}`);
      for (const value of reached) assert.ok(value >= range.min && value <= range.max);
    }
    accepts({ type: 'integer' }, ['0', '-12', '123456789'], ['01', '1.0', '-', '1234567890', '1e3']);
    accepts({ type: 'number', minimum: 0, maximum: 1 }, ['0', '0.5', '1', '1.0'], ['2', '-1', '.5', '0.', '1.1', '']);
  });

  it('what is not held to is refused, and not left out', () => {
    for (const schema of [
      { type: 'string', pattern: 'a' },
      { $ref: '#/x' },
      {},
      { type: 'date' },
      { type: 'array' },
    ] as Schema[])
      assert.throws(() => jsonStates({ ...schema }).flatMap((state) => stepBytes([state], 0x5b)), /jsonStates/);
  });
});

/** As the judge's replies are, and a call with all there is. */
const VERDICTS: Schema = object({
  attempts: {
    type: 'array',
    prefixItems: ['B', 'A', 'A1'].map((id) =>
      object({ id: { const: id }, reason: { type: 'string' }, score: { type: 'number', minimum: 0, maximum: 1 } }),
    ),
    items: false,
    minItems: 3,
    maxItems: 3,
  },
});
const CALL: Schema = object(
  {
    name: { enum: ['add', 'addAll'] },
    list: { type: 'array', items: { type: 'integer', minimum: -5, maximum: 300 }, maxItems: 3 },
    note: { type: 'string' },
    grüße: { type: 'boolean' },
  },
  ['name', 'note'],
);

describe('a model held to a schema', () => {
  const nano = Tokenizer.load(resolve(__dirname, '../../trainer/model/nano'));
  const folder = makeFamilyModel('qwen2_5');
  const chat = Tokenizer.load(folder);
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** Writes as a model would that knows nothing. */
  const ramble = (
    tokenizer: Tokenizer,
    schema: Schema,
    stringTokens: number,
    seed: string,
  ): { text: string; ids: number[]; ended: number } => {
    const constraint = new JsonConstraint(tokenizer, schema, stringTokens);
    const random = Random.fromSeed(seed);
    const ids: number[] = [];
    const append = (more: readonly number[]): void => {
      for (const id of more) assert.ok(constraint.advance(id));
      ids.push(...more);
    };
    for (append(constraint.forced()); !constraint.isDone; append(constraint.forced()))
      append([constraint.allowed()[random.int(constraint.allowed().length)]]);
    return {
      text: Buffer.concat(ids.map((id) => tokenizer.tokenBytes(id)!)).toString('utf8'),
      ids,
      ended: constraint.ended,
    };
  };

  it('any choices end in a reply of the schema, within its room; strings are cut at their share', () => {
    let ended = 0;
    for (const [name, tokenizer] of [
      ['nano', nano],
      ['chat', chat],
    ] as const) {
      for (const [schema, stringTokens] of [
        [VERDICTS, 12],
        [CALL, 5],
      ] as const) {
        const room = roomOf(schema, (text) => tokenizer.encode(text).length);
        for (let i = 0; i < 60; i++) {
          const written = ramble(tokenizer, schema, stringTokens, `${name}${i}`);
          const value = JSON.parse(written.text) as Record<string, unknown>;
          assert.ok(isWhole(schema, written.text), written.text);
          assert.doesNotMatch(written.text, /\ufffd/, 'whole characters');
          assert.ok(
            written.ids.length <= room.tokens + room.strings * stringTokens,
            `${written.ids.length} tokens: ${written.text}`,
          );
          if (schema === VERDICTS)
            assert.deepEqual(
              (value.attempts as { id: string; score: number }[]).map(({ id, score }) => [
                id,
                score >= 0 && score <= 1,
              ]),
              [
                ['B', true],
                ['A', true],
                ['A1', true],
              ],
            );
          ended += written.ended;
        }
      }
    }
    assert.ok(ended > 0, 'some string was ended for the model');
  });

  it('allowed ids are those that the automaton takes, one by one; marks are never among them', () => {
    const vocabulary = byteVocabulary(chat);
    for (const text of [
      '',
      '{"attempts": [{"id": "B", "reason": "',
      '{"attempts": [{"id": "B", "reason": "so',
      '{"attempts": [{"id": "B", "reason": "so", "score": 0',
      '{"attempts": [{"id": "B", "reason": "\\',
    ]) {
      const states = [...Buffer.from(text)].reduce(stepBytes, jsonStates(VERDICTS));
      const slow = Array.from({ length: chat.vocabSize }, (_, id) => id).filter((id) => {
        const bytes = chat.tokenBytes(id);
        return bytes !== null && [...bytes].reduce(stepBytes, states).length > 0;
      });
      assert.deepEqual([...vocabulary.allowed(states, null)], slow, text);
      assert.ok(slow.length > 0);
      assert.deepEqual(
        [...vocabulary.allowed(states, 0x22)],
        slow.filter((id) => chat.tokenBytes(id)![0] === 0x22),
        text,
      );
    }
    assert.equal(chat.tokenBytes(chat.idOf('<|im_end|>')), null);
    assert.equal(new JsonConstraint(chat, VERDICTS, 5).advance(chat.idOf('<|im_end|>')), false);
  });

  it('what must follow is written as the tokenizer cuts it, but for a space before a choice', () => {
    const constraint = new JsonConstraint(nano, object({ isGood: { type: 'boolean' }, n: { const: 3 } }), 5);
    assert.deepEqual(constraint.forced(), nano.encode('{"isGood":'));
    for (const id of [...nano.encode('{"isGood":'), ...nano.encode(' true')]) assert.ok(constraint.advance(id));
    assert.deepEqual(constraint.forced(), nano.encode(', "n": 3}'));
    for (const id of constraint.forced()) assert.ok(constraint.advance(id));
    assert.ok(constraint.isDone);
    assert.deepEqual([constraint.forced(), constraint.allowed().length], [[], 0]);
  });
});

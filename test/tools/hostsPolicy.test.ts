import assert from 'node:assert/strict';
import Ajv2020 from 'ajv/dist/2020';
import { Random } from '../../trainer/base/random';
import type { Task, TypeScriptTool } from '../../trainer/protocol/task';
import type { Trace } from '../../trainer/protocol/trace';
import { exampleAnswers } from '../../trainer/tools/mocks/exampleAnswers';
import { callKey, mockAnswers } from '../../trainer/tools/mocks/mockAnswer';
import { sampleFromSchema } from '../../trainer/tools/mocks/sampleFromSchema';
import { defaultPolicy } from '../../trainer/tools/toolPolicy';
import { join } from 'node:path';
import { fixtureTool as tool, FIXTURES, openFixtureHosts, valueOf } from './hostsFixture';

describe('tool policy', function () {
  this.timeout(60_000);
  const add = (rest: Partial<TypeScriptTool> = {}) => tool('harmless.ts', 'add', { takes: ['a', 'b'], ...rest });

  it('mocks by default what changes the world', () => {
    assert.equal(defaultPolicy(add({ changesWorld: true })), 'mock');
    assert.equal(defaultPolicy(add()), 'real');
  });

  it('answers a mock from a record, else an example, else the return type, and says which', async () => {
    const tools = [
      add({ examples: ['add(1, 2) // => 300'], returns: { type: 'number' } }),
      tool('harmless.ts', 'greet', {
        takes: ['name'],
        returns: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
      }),
    ];
    const { hosts } = await openFixtureHosts(tools, {
      policyOf: () => 'mock',
      recorded: [{ tool: 'add', args: { b: 8, a: 7 }, content: '15' }],
    });
    const session = hosts.open('mock');
    const recorded = await session.call('add', { a: 7, b: 8 });
    assert.deepEqual(
      [recorded.kind, recorded.policy, recorded.mockSource, recorded.content],
      ['ok', 'mock', 'recorded', '15'],
    );
    const example = await session.call('add', { a: 1, b: 2 });
    assert.deepEqual([example.policy, example.mockSource, example.content], ['mock', 'example', '300']);
    const sampled = await session.call('greet', { name: 'Ada' });
    assert.equal(sampled.mockSource, 'schema');
    assert.equal(typeof (valueOf(sampled) as { text: unknown }).text, 'string');
    assert.equal(
      (await session.call('greet', { name: 'Ada' })).content,
      sampled.content,
      'the same arguments, the same answer',
    );
    await hosts.close();
  });

  it('records real results for later mocks of the same run', async () => {
    let policy: 'real' | 'mock' = 'real';
    const { hosts } = await openFixtureHosts([add()], { policyOf: () => policy });
    const session = hosts.open('record');
    await session.call('add', { a: 20, b: 3 });
    policy = 'mock';
    const result = await session.call('add', { b: 3, a: 20 });
    assert.deepEqual([result.content, result.mockSource], ['23', 'recorded']);
    await hosts.close();
  });

  it('asks once per tool and run; no means refused; nobody there means mock, and is noted', async () => {
    for (const [answer, expected] of [
      ['yes', ['ok', 'real']],
      ['no', ['refused', 'real']],
      ['unavailable', ['ok', 'mock']],
    ] as const) {
      const asked: unknown[] = [];
      const { hosts, notes } = await openFixtureHosts([add({ returns: { type: 'number' } })], {
        policyOf: () => 'ask',
        ask: async (name, args) => (asked.push([name, args]), answer),
      });
      const session = hosts.open('ask');
      const results = await Promise.all([session.call('add', { a: 1, b: 2 }), session.call('add', { a: 3, b: 4 })]);
      for (const result of results) assert.deepEqual([result.kind, result.policy], expected);
      assert.deepEqual(asked, [['add', { a: 1, b: 2 }]]);
      assert.equal(notes.filter((note) => note.includes('mocked')).length, answer === 'unavailable' ? 1 : 0);
      await hosts.close();
    }
  });

  it('takes a failing question for nobody there', async () => {
    const { hosts, notes } = await openFixtureHosts([add()], {
      policyOf: () => 'ask',
      ask: () => Promise.reject(new Error('window closed')),
    });
    assert.equal((await hosts.open('ask').call('add', { a: 1, b: 1 })).policy, 'mock');
    assert.ok(notes.some((note) => note.includes('window closed')));
    await hosts.close();
  });
});

describe('mock answers', () => {
  const takes = tool('harmless.ts', 'look', { takes: ['a', 'b'] });
  const shown = (example: string, schema = takes) => exampleAnswers({ ...schema, examples: [example] })[0];

  it('reads results from examples without running them', () => {
    assert.deepEqual(shown("look('x', { y: -1 }) // => [1, 'two', null]"), {
      args: { a: 'x', b: { y: -1 } },
      result: [1, 'two', null],
    });
    assert.deepEqual(shown('```ts\nawait look("x")\n// returns { ok: true }\n```'), {
      args: { a: 'x' },
      result: { ok: true },
    });
    assert.deepEqual(shown('look((x) => 1) → 5'), { args: undefined, result: 5 });
    assert.deepEqual(shown('{ "city": "Oslo" }'), { args: undefined, result: { city: 'Oslo' } });
    assert.deepEqual(shown('look("x") // => a sunny day'), { args: { a: 'x' }, result: 'a sunny day' });
    assert.deepEqual(shown('look({ a: 1 }) => 2', tool('harmless.ts', 'look')), { args: { a: 1 }, result: 2 });
    assert.equal(shown('look("x")'), undefined);
    assert.equal(shown('look("x") // => process.exit()')?.result, 'process.exit()');
  });

  it('prefers the example with the same arguments', () => {
    const mocks = mockAnswers(1);
    const schema = { ...takes, examples: ['look(1, 2) // => "first"', 'look(3, 4) // => "second"'] };
    assert.equal(mocks.answer(schema, { b: 4, a: 3 }).content, '"second"');
    assert.equal(mocks.answer(schema, { a: 9 }).content, '"first"');
  });

  it('keys calls by value, whatever the order of names', () => {
    assert.equal(callKey('t', { a: { x: 1, y: [2] }, b: 3 }), callKey('t', { b: 3, a: { y: [2], x: 1 } }));
    assert.notEqual(callKey('t', { a: [1, 2] }), callKey('t', { a: [2, 1] }));
  });

  it('samples values that fit their schema, the same for the same seed', () => {
    const schemas = [
      {
        type: 'object',
        properties: {
          id: { type: 'integer', minimum: 5, maximum: 7 },
          tags: { type: 'array', items: { type: 'string', minLength: 3 }, minItems: 2, maxItems: 3 },
        },
        required: ['id', 'tags'],
        additionalProperties: false,
      },
      { anyOf: [{ const: 'a' }, { type: 'null' }, { enum: [1, 2] }] },
      {
        $ref: '#/$defs/node',
        $defs: {
          node: {
            type: 'object',
            properties: {
              next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] },
              when: { type: 'string', format: 'date-time' },
            },
            required: ['next', 'when'],
          },
        },
      },
      {
        type: 'array',
        prefixItems: [{ type: 'boolean' }, { type: 'number', exclusiveMinimum: 0, maximum: 1 }],
        items: false,
        minItems: 2,
      },
      { type: ['integer', 'string'], pattern: '^-?[0-9]+$' },
      { type: 'object', additionalProperties: { type: 'number', multipleOf: 0.5 } },
      {
        allOf: [
          { type: 'object', properties: { a: { type: 'string', maxLength: 4 } }, required: ['a'] },
          { properties: { b: { type: 'string', format: 'date' } }, required: ['b'] },
        ],
      },
    ];
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    for (const schema of schemas) {
      for (let seed = 0; seed < 50; seed++) {
        const value = sampleFromSchema(schema, Random.fromSeed(seed));
        assert.ok(
          ajv.validate(schema, value),
          `${JSON.stringify(schema)}: ${JSON.stringify(value)} ${ajv.errorsText()}`,
        );
        assert.deepEqual(sampleFromSchema(schema, Random.fromSeed(seed)), value);
      }
    }
  });
});

describe('user rewards in the tool host', function () {
  this.timeout(60_000);
  const names = [
    'lengthOfAnswer',
    'notApplicable',
    'throwing',
    'wrongType',
    'notANumber',
    'hanging',
    'rankInGroup',
    'shortGroup',
  ];
  const rewards = names.map((name) => ({
    name,
    file: join(FIXTURES, 'hostile.rewards.ts'),
    exportName: name,
    isGroup: /Group/.test(name),
    line: 1,
  }));
  const task: Task = { id: 't', prompt: 'four' };
  const traces = [0, 1, 2].map((indexInGroup) => ({
    indexInGroup,
    messages: [{ role: 'assistant', content: 'x'.repeat(8 + indexInGroup * 4) }],
  })) as unknown as Trace[];

  it('scores, does not score, and says why', async () => {
    const { hosts } = await openFixtureHosts([], { rewards, timeoutMs: 1500 });
    assert.deepEqual(hosts.rewards.slice(5, 7), [
      { name: 'hanging', isGroup: false },
      { name: 'rankInGroup', isGroup: true },
    ]);
    const score = (name: string) => hosts.scoreReward(name, task, traces);
    assert.deepEqual(await score('lengthOfAnswer'), [{ score: 2 }, { score: 3 }, { score: 4 }]); // 8/4, 12/4, 16/4
    assert.deepEqual(await score('notApplicable'), [{ score: null }, { score: null }, { score: null }]);
    assert.deepEqual(await score('throwing'), [
      { score: 1 },
      { score: null, error: 'Error: cannot judge this' },
      { score: 1 },
    ]);
    assert.deepEqual(await score('rankInGroup'), [{ score: 0 }, { score: 1 }, { score: null }]);
    for (const name of ['wrongType', 'notANumber', 'hanging', 'shortGroup']) {
      const scores = await score(name);
      assert.equal(scores.length, 3);
      for (const { score: value, error } of scores)
        assert.ok(value === null && error !== undefined && error !== '', `${name}: ${JSON.stringify(scores)}`);
    }
    await assert.rejects(score('unknown'), /there is no reward 'unknown'/);
    await hosts.close();
  });
});

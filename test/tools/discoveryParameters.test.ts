import assert from 'node:assert/strict';
import type { JsonSchema } from '../../trainer/protocol/task';
import { discover, parametersOf, tool } from './discoverySupport';

const properties = (schema: JsonSchema) => schema.properties as Record<string, JsonSchema>;

describe('discovery: parameters', () => {
  it('one property each, in order; optional and defaulted ones are not required', () => {
    assert.deepEqual(
      parametersOf(
        "(b: string, a?: number, c = 'x', d: boolean | undefined = true, e: string | undefined, ...rest: number[])",
      ),
      {
        type: 'object',
        properties: {
          b: { type: 'string' },
          a: { type: 'number' },
          c: { type: 'string', default: 'x' },
          d: { type: 'boolean', default: true },
          e: { type: 'string' },
          rest: { type: 'array', items: { type: 'number' } },
        },
        required: ['b'],
      },
    );
    assert.deepEqual(parametersOf('()'), { type: 'object', properties: {} });
  });

  it('literal defaults, also constants and enum members; what must be run is left out', () => {
    const found = properties(
      parametersOf(
        "(a = -1, b = [1, 'x'], c = { d: null as string | null }, e = UNIT, f = Level.High, g = Date.now(), h = `t`, i: string | null = null)",
        "const UNIT = 'km';\nenum Level { Low = 1, High = 2 }",
      ),
    );
    assert.deepEqual(
      Object.entries(found).map(([name, schema]) => [name, schema.default]),
      [
        ['a', -1],
        ['b', [1, 'x']],
        ['c', { d: null }],
        ['e', 'km'],
        ['f', 2],
        ['g', undefined],
        ['h', 't'],
        ['i', null],
      ],
    );
  });

  it('a lone object or destructured parameter is the arguments object', () => {
    const flat = {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'number' } },
      required: ['city'],
    };
    for (const signature of [
      '(options: { city: string; days?: number })',
      '(options: Options)',
      '({ city, days }: Options)',
      '(options: Options, signal: AbortSignal)',
      '(this: Service, options: Options)',
      '<T extends Options>(options: T)',
      '(options: { city: string } & { days?: number })',
    ]) {
      const found = tool(
        `interface Service {}\ninterface Options { city: string; days?: number }\n/** F. @tool */\nexport function f${signature}: void {}`,
      );
      assert.deepEqual(found.parameters, flat, signature);
      assert.equal(found.binding.positional, 'object');
    }
    assert.deepEqual(parametersOf("({ city = 'Rome', days = 2 }: { city?: string; days: number } = {} as any)"), {
      type: 'object',
      properties: { city: { type: 'string', default: 'Rome' }, days: { type: 'number', default: 2 } },
    });
    assert.deepEqual(properties(parametersOf("(options: { city?: string } = { city: 'Rome' })")), {
      city: { type: 'string', default: 'Rome' },
    });
  });

  it('several are properties, also when one of them is taken apart', () => {
    assert.deepEqual(Object.keys(properties(parametersOf('(a: string, { b }: { b: string }, c: { d: number })'))), [
      'a',
      'options',
      'c',
    ]);
    const named = tool(
      '/** F.\n * @tool\n * @param id - which\n * @param filter - how\n * @param filter.tag - by tag\n */\nexport function f(id: string, { tag }: { tag: string }): void {}',
    );
    assert.deepEqual(named.parameters.properties, {
      id: { type: 'string', description: 'which' },
      filter: {
        type: 'object',
        properties: { tag: { type: 'string', description: 'by tag' } },
        required: ['tag'],
        description: 'how',
      },
    });
    assert.deepEqual(named.binding.positional, [{ name: 'id' }, { name: 'filter' }]);
  });

  it('values stay values: lists, maps, dates, unions, records of their own', () => {
    for (const type of [
      'string[]',
      'Map<string, number>',
      'Record<string, number>',
      'Date',
      'Uint8Array',
      'string',
      "{ kind: 'a' } | { kind: 'b' }",
      '{ a: string } | null',
      'any',
      'unknown',
    ]) {
      assert.deepEqual(Object.keys(properties(parametersOf(`(x: ${type})`))), ['x'], type);
    }
  });

  it('this, and a last AbortSignal or CancellationToken, are not in the schema', () => {
    for (const last of [
      'signal: AbortSignal',
      'signal?: AbortSignal',
      'token: vscode.CancellationToken',
      'token: CancellationToken',
      'signal: AbortSignal | undefined',
      "signal: import('vscode').CancellationToken",
    ]) {
      const found = tool(
        `import * as vscode from 'vscode';\nimport type { CancellationToken } from 'vscode';\n/** F. @tool */\nexport function f(this: void, city: string, ${last}): void {}`,
      );
      assert.deepEqual(Object.keys(properties(found.parameters)), ['city'], last);
      assert.equal(found.binding.injectsSignal, true);
      assert.deepEqual(found.binding.positional, [{ name: 'city' }]);
    }
    assert.deepEqual(tool('/** F. @tool */\nexport function f(signal: AbortSignal): void {}').binding, {
      exportName: 'f',
      positional: [],
      injectsSignal: true,
    });
  });

  it('binding says which are rest parameters', () => {
    assert.deepEqual(
      tool('/** F. @tool */\nexport function f(a: string, ...b: string[]): void {}').binding.positional,
      [{ name: 'a' }, { name: 'b', isRest: true }],
    );
  });

  it('types given from outside reach the parameters', () => {
    const declarations = 'type Finder = (city: string, days?: number) => void;\n/** F. @tool */\n';
    for (const text of [
      'export const f: Finder = (city, days) => {};',
      'export const f = ((city, days) => {}) satisfies Finder;',
    ]) {
      assert.deepEqual(
        tool(declarations + text).parameters,
        {
          type: 'object',
          properties: { city: { type: 'string' }, days: { type: 'number' } },
          required: text.includes('satisfies') ? ['city'] : ['city'],
        },
        text,
      );
    }
  });
});

describe('discovery: descriptions and constraints', () => {
  it('@param text without the hyphen, with types, brackets and several lines', () => {
    const found = tool(
      '/**\n * F.\n * @tool\n * @param a - first\n * @param {string} b the second\n *   goes on\n * @param [c=3] third\n * @param {{ x: string }} d \u2014 fourth\n * @param e\n */\nexport function f(a: string, b: string, c: number, d: object, e: string): void {}',
    );
    assert.deepEqual(
      Object.values(properties(found.parameters)).map(({ description }) => description),
      ['first', 'the second\n  goes on', 'third', 'fourth', undefined],
    );
  });

  it('JSDoc of nested properties and of the parameter itself', () => {
    const found = properties(
      parametersOf(
        '(/** Where. @minLength 2 */ city: string, range: { /** From. */ from: Date; /** To. */ to: { /** Deep. */ x: string } })',
      ),
    );
    assert.deepEqual(found.city, { type: 'string', minLength: 2, description: 'Where.' });
    assert.deepEqual(found.range, {
      type: 'object',
      properties: {
        from: { type: 'string', format: 'date-time', description: 'From.' },
        to: {
          type: 'object',
          properties: { x: { type: 'string', description: 'Deep.' } },
          required: ['x'],
          description: 'To.',
        },
      },
      required: ['from', 'to'],
    });
  });

  it('@param of a flattened parameter, by path and by name', () => {
    const by = (docs: string, signature: string) =>
      properties(
        tool(
          `/** F.\n * @tool\n${docs
            .split('\n')
            .map((line) => ` * ${line}`)
            .join('\n')}\n */\nexport function f${signature}: void {}`,
        ).parameters,
      );
    const expected = { city: { type: 'string', description: 'where' } };
    assert.deepEqual(by('@param options - all\n@param options.city - where', '(options: { city: string })'), expected);
    assert.deepEqual(by('@param root0 - all\n@param root0.city - where', '({ city }: { city: string })'), expected);
    assert.deepEqual(by('@param city - where', '({ city }: { city: string })'), expected);
    assert.deepEqual(by('@param o.list[].city - where', '(o: { list: { city: string }[] })').list!.items, {
      type: 'object',
      properties: expected,
      required: ['city'],
    });
  });

  const FIELDS: [tag: string, type: string, expected: JsonSchema][] = [
    ['@minimum 1', 'number', { type: 'number', minimum: 1 }],
    ['@maximum -0.5', 'number', { type: 'number', maximum: -0.5 }],
    ['@exclusiveMinimum 0', 'number', { type: 'number', exclusiveMinimum: 0 }],
    ['@exclusiveMaximum 9', 'number', { type: 'number', exclusiveMaximum: 9 }],
    ['@multipleOf 5', 'number', { type: 'number', multipleOf: 5 }],
    ['@multipleOf 1', 'number', { type: 'integer' }],
    ['@asType integer', 'number', { type: 'integer' }],
    ['@asType integer @minimum 1', 'number | null', { type: ['integer', 'null'], minimum: 1 }],
    ['@minLength 2 @maxLength 8', 'string', { type: 'string', minLength: 2, maxLength: 8 }],
    ['@pattern ^[a-z]+$', 'string', { type: 'string', pattern: '^[a-z]+$' }],
    ['@pattern /^\\d{5}$/', 'string', { type: 'string', pattern: '^\\d{5}$' }],
    ['@format email', 'string', { type: 'string', format: 'email' }],
    ['@minItems 1 @maxItems 3', 'string[]', { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 3 }],
    ['@default "km"', 'string', { type: 'string', default: 'km' }],
    ['@default km', 'string', { type: 'string', default: 'km' }],
    ['@default 10115', 'string', { type: 'string', default: '10115' }],
    ['@default 3', 'number', { type: 'number', default: 3 }],
    ['@example Rome', 'string', { type: 'string', examples: ['Rome'] }],
    ['@deprecated', 'string', { type: 'string', deprecated: true }],
    ['@deprecated use b', 'string', { type: 'string', deprecated: true }],
  ];

  it('constraint tags on properties mean what they say', () => {
    for (const [tag, type, expected] of FIELDS) {
      assert.deepEqual(
        properties(parametersOf(`(o: { /** Text. ${tag} */ x: ${type} })`)).x,
        { ...expected, description: 'Text.' },
        tag,
      );
    }
  });

  it('constraint tags after @param belong to that parameter', () => {
    for (const [tag, type, expected] of FIELDS.filter(([tag]) => !/example|deprecated/.test(tag))) {
      const found = tool(
        `/**\n * F.\n * @tool\n * @param x - text\n * ${tag.replace(/ @/g, '\n * @')}\n * @param y - other\n */\nexport function f(x: ${type}, y: ${type}): void {}`,
      );
      assert.deepEqual(properties(found.parameters).x, { ...expected, description: 'text' }, tag);
      assert.equal(Object.keys(properties(found.parameters).y!).length, type === 'string[]' ? 3 : 2);
    }
  });

  it('examples of the function are the tool\u2019s, verbatim', () => {
    const found = tool(
      '/**\n * F.\n * @tool\n * @param x - text\n * @example f("a") // -> 1\n * @example\n * ```ts\n * f("b");\n * ```\n * @returns how many\n */\nexport function f(x: string): number { return 1; }',
    );
    assert.deepEqual(found.examples, ['f("a") // -> 1', '```ts\nf("b");\n```']);
    assert.deepEqual(found.returns, { type: 'number', description: 'how many' });
    assert.equal(properties(found.parameters).x!.examples, undefined);
  });

  it('links become their label, types keep what their own text says', () => {
    const found = tool(
      '/**\n * Finds, see {@link other | the other} and {@link Thing}.\n * @tool\n */\nexport function f(): void {}',
    );
    assert.equal(found.description, 'Finds, see the other and Thing.');
    const typedef = discover({
      'a.js':
        '/**\n * @typedef {Object} Options\n * @property {string} city - Where.\n * @property {number} [days] - How many.\n */\n/**\n * F.\n * @tool\n * @param {Options} options - all\n */\nexport function f(options) {}',
    });
    assert.deepEqual(typedef.tools[0]!.parameters, {
      type: 'object',
      properties: {
        city: { type: 'string', description: 'Where.' },
        days: { type: 'number', description: 'How many.' },
      },
      required: ['city'],
    });
  });
});

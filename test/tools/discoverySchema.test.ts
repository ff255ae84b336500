import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020';
import { parametersOf, schemaOf, tool } from './discoverySupport';

describe('discovery: types -> JSON Schema', () => {
  const cases = (title: string, rows: [type: string, schema: unknown, declarations?: string][]) =>
    it(title, () => {
      for (const [type, schema, declarations] of rows)
        assert.deepEqual(schemaOf(type, declarations), schema, `${type} ${declarations ?? ''}`);
    });

  cases('primitives, and no integer unless asked for', [
    ['string', { type: 'string' }],
    ['number', { type: 'number' }],
    ['boolean', { type: 'boolean' }],
    ['null', { type: 'null' }],
    ['String', { type: 'string' }],
    ['bigint', { type: ['integer', 'string'], pattern: '^-?[0-9]+$' }],
  ]);

  cases('literals and enums', [
    ["'km'", { type: 'string', enum: ['km'] }],
    ['5', { type: 'number', enum: [5] }],
    ['-1 | 0 | 1', { type: 'number', enum: [-1, 0, 1] }],
    ['true', { type: 'boolean', enum: [true] }],
    ["'z' | 'a' | 'm'", { type: 'string', enum: ['z', 'a', 'm'] }],
    ["'a' | 1", { type: ['string', 'number'], enum: ['a', 1] }],
    ["'a' | null", { type: ['string', 'null'], enum: ['a', null] }],
    ['Colour', { type: 'string', enum: ['red', 'blue'] }, "enum Colour { Red = 'red', Blue = 'blue' }"],
    ['Level', { type: 'number', enum: [0, 1, 5] }, 'enum Level { Low, Mid, High = 5 }'],
    ['Level', { type: 'number', enum: [3, 1] }, 'const enum Level { B = 3, A = 1 }'],
    ['Level.High', { type: 'number', enum: [1] }, 'enum Level { Low, High }'],
    [
      '(typeof UNITS)[number]',
      { type: 'string', enum: ['mm', 'cm', 'm'] },
      "const UNITS = ['mm', 'cm', 'm'] as const;",
    ],
    ['keyof typeof TABLE', { type: 'string', enum: ['z', 'b', 'a'] }, 'const TABLE = { z: 1, b: 2, a: 3 } as const;'],
    ['(typeof TABLE)[keyof typeof TABLE]', { type: 'number', enum: [9, 3] }, 'const TABLE = { z: 9, b: 3 } as const;'],
    ["Exclude<Unit, 'b'>", { type: 'string', enum: ['c', 'a'] }, "type Unit = 'c' | 'b' | 'a';"],
  ]);

  cases('unions and null', [
    ['string | number', { type: ['string', 'number'] }],
    ['string | null', { type: ['string', 'null'] }],
    ['boolean | null', { type: ['boolean', 'null'] }],
    ["'a' | number", { anyOf: [{ type: 'string', enum: ['a'] }, { type: 'number' }] }],
    ['string[] | null', { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'null' }] }],
    [
      '{ a: string } | null',
      { anyOf: [{ type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }, { type: 'null' }] },
    ],
    ['string | string[]', { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] }],
    ['string | unknown', {}],
    [
      'Shape',
      {
        anyOf: [
          {
            type: 'object',
            properties: { kind: { type: 'string', enum: ['square'] }, side: { type: 'number' } },
            required: ['kind', 'side'],
          },
          {
            type: 'object',
            properties: { kind: { type: 'string', enum: ['circle'] }, radius: { type: 'number' } },
            required: ['kind', 'radius'],
          },
        ],
      },
      "interface Circle { kind: 'circle'; radius: number }\ninterface Square { kind: 'square'; side: number }\ntype Shape = Square | Circle;",
    ],
    ['Date | number', { type: 'number' }],
    ['string | (() => string)', { type: 'string' }],
  ]);

  cases('lists and tuples', [
    ['string[]', { type: 'array', items: { type: 'string' } }],
    ['readonly number[]', { type: 'array', items: { type: 'number' } }],
    ['ReadonlyArray<boolean>', { type: 'array', items: { type: 'boolean' } }],
    ["('b' | 'a')[]", { type: 'array', items: { type: 'string', enum: ['b', 'a'] } }],
    ['(string | null)[]', { type: 'array', items: { type: ['string', 'null'] } }],
    [
      '[string, number]',
      { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], minItems: 2, items: false, maxItems: 2 },
    ],
    [
      '[x: string, y?: number]',
      { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], minItems: 1, items: false, maxItems: 2 },
    ],
    [
      '[string, ...number[]]',
      { type: 'array', prefixItems: [{ type: 'string' }], minItems: 1, items: { type: 'number' } },
    ],
    [
      '[...string[], number]',
      { type: 'array', minItems: 1, items: { anyOf: [{ type: 'string' }, { type: 'number' }] } },
    ],
    ['Rows', { type: 'array', items: { type: 'string' } }, 'interface Rows extends Array<string> { extra?: number }'],
    ['[]', { type: 'array', items: false, maxItems: 0 }],
  ]);

  cases('records, maps, sets, dates, bytes', [
    ['Record<string, number>', { type: 'object', additionalProperties: { type: 'number' } }],
    [
      "Record<'b' | 'a', number>",
      { type: 'object', properties: { b: { type: 'number' }, a: { type: 'number' } }, required: ['b', 'a'] },
    ],
    [
      '{ [key: string]: string; id: string }',
      {
        type: 'object',
        properties: { id: { type: 'string' } },
        required: ['id'],
        additionalProperties: { type: 'string' },
      },
    ],
    ['{ [key: number]: string }', { type: 'object', patternProperties: { '^[0-9]+$': { type: 'string' } } }],
    [
      '{ [key: `data-${string}`]: boolean }',
      { type: 'object', patternProperties: { '^data-[\\s\\S]*$': { type: 'boolean' } } },
    ],
    ['Map<string, number>', { type: 'object', additionalProperties: { type: 'number' } }],
    [
      "Map<'a' | 'b', number>",
      { type: 'object', propertyNames: { type: 'string', enum: ['a', 'b'] }, additionalProperties: { type: 'number' } },
    ],
    [
      'Map<number, string>',
      {
        type: 'array',
        items: {
          type: 'array',
          prefixItems: [{ type: 'number' }, { type: 'string' }],
          minItems: 2,
          items: false,
          maxItems: 2,
        },
      },
    ],
    ['Set<string>', { type: 'array', items: { type: 'string' }, uniqueItems: true }],
    ['ReadonlySet<number>', { type: 'array', items: { type: 'number' }, uniqueItems: true }],
    ['Date', { type: 'string', format: 'date-time' }],
    ['Uint8Array', { type: 'string', contentEncoding: 'base64' }],
    ['Buffer', { type: 'string', contentEncoding: 'base64' }],
    ['ArrayBuffer', { type: 'string', contentEncoding: 'base64' }],
  ]);

  const SHAPE =
    'interface Shape { /** Name. */ name: string; /** Size.\n@minimum 0 */ size?: number; readonly tags: string[] }';
  const name = { type: 'string', description: 'Name.' };
  const size = { type: 'number', description: 'Size.', minimum: 0 };
  const tags = { type: 'array', items: { type: 'string' } };

  cases('utility, mapped, conditional and generic types keep the texts of their source', [
    ['Shape', { type: 'object', properties: { name, size, tags }, required: ['name', 'tags'] }, SHAPE],
    ['Partial<Shape>', { type: 'object', properties: { name, size, tags } }, SHAPE],
    [
      'Required<Shape>',
      { type: 'object', properties: { name, size, tags }, required: ['name', 'size', 'tags'] },
      SHAPE,
    ],
    ["Pick<Shape, 'name' | 'size'>", { type: 'object', properties: { name, size }, required: ['name'] }, SHAPE],
    ["Omit<Shape, 'tags'>", { type: 'object', properties: { name, size }, required: ['name'] }, SHAPE],
    ['Readonly<Shape>', { type: 'object', properties: { name, size, tags }, required: ['name', 'tags'] }, SHAPE],
    [
      '{ [K in keyof Shape]?: string }',
      {
        type: 'object',
        properties: { name, size: { type: 'string', description: 'Size.', minimum: 0 }, tags: { type: 'string' } },
      },
      SHAPE,
    ],
    [
      'Box<number>',
      {
        type: 'object',
        properties: { value: { type: 'number' }, more: { type: 'array', items: { type: 'number' } } },
        required: ['value', 'more'],
      },
      'interface Box<T> { value: T; more: T[] }',
    ],
    ['Unpacked<string[]>', { type: 'string' }, 'type Unpacked<T> = T extends (infer U)[] ? U : T;'],
    [
      'ReturnType<typeof make>',
      { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
      'const make = () => ({ id: "" });',
    ],
    ['Parameters<typeof make>[0]', { type: 'number' }, 'function make(n: number) {}'],
    ['NonNullable<string | null>', { type: 'string' }],
    ['Awaited<Promise<string>>', { type: 'string' }],
    ["Shape['size']", { type: 'number', minimum: 0, description: 'Size.' }, SHAPE],
    ["Uppercase<'a' | 'b'>", { type: 'string', enum: ['A', 'B'] }],
  ]);

  cases('template literals', [
    ['`item-${number}`', { type: 'string', pattern: '^item--?[0-9]+(?:\\.[0-9]+)?(?:e[+-]?[0-9]+)?$' }],
    ["`${'a' | 'b'}-x`", { type: 'string', enum: ['a-x', 'b-x'] }],
    ['`#${string}`', { type: 'string', pattern: '^#[\\s\\S]*$' }],
  ]);

  cases('intersections, brands, data classes', [
    [
      '{ a: string } & { b?: number }',
      { type: 'object', properties: { a: { type: 'string' }, b: { type: 'number' } }, required: ['a'] },
    ],
    ["string & { readonly __brand: 'Id' }", { type: 'string' }],
    [
      'Point',
      { type: 'object', properties: { x: { type: 'number' }, y: { type: 'number' } }, required: ['x'] },
      'class Point { x = 0; y?: number; private z = 1; static q = 2; }',
    ],
    [
      'A',
      { type: 'object', properties: { a: { type: 'number' }, b: { type: 'string' } }, required: ['a', 'b'] },
      'interface B { b: string }\ninterface A extends B { a: number }',
    ],
    ['{ a: string; b?: never }', { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }],
    [
      '{ a: string | undefined; b?: number | null }',
      { type: 'object', properties: { a: { type: 'string' }, b: { type: ['number', 'null'] } } },
    ],
  ]);

  cases('anything', [
    ['unknown', {}],
    ['any', {}],
    ['object', { type: 'object' }],
    ['{}', { type: 'object' }],
    [
      '{ toString?: string; constructor: number }',
      {
        type: 'object',
        properties: { toString: { type: 'string' }, constructor: { type: 'number' } },
        required: ['constructor'],
      },
    ],
  ]);

  it('recursion goes through $defs', () => {
    const tree = {
      type: 'object',
      properties: { value: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/Tree' } } },
      required: ['value'],
    };
    const declarations = 'interface Tree { value: string; children?: Tree[] }';
    assert.deepEqual(parametersOf('(tree: Tree, n: number)', declarations), {
      type: 'object',
      properties: { tree: { $ref: '#/$defs/Tree' }, n: { type: 'number' } },
      required: ['tree', 'n'],
      $defs: { Tree: tree },
    });
    assert.deepEqual(parametersOf('(tree: Tree)', declarations), { ...tree, $defs: { Tree: tree } });
    assert.deepEqual(parametersOf('(a: Tree, b: Tree | null)', declarations), {
      type: 'object',
      properties: { a: { $ref: '#/$defs/Tree' }, b: { anyOf: [{ $ref: '#/$defs/Tree' }, { type: 'null' }] } },
      required: ['a', 'b'],
      $defs: { Tree: tree },
    });
  });

  it('recursion through aliases, generics and each other', () => {
    const json = parametersOf(
      '(x: Json, y: string)',
      'type Json = string | number | boolean | null | Json[] | { [key: string]: Json };',
    );
    assert.deepEqual((json.properties as Record<string, unknown>).x, { $ref: '#/$defs/Json' });
    const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(json);
    assert.equal(validate({ x: { a: [1, 'b', null, { c: true }] }, y: '' }), true);
    const list = parametersOf('(x: List<number>, y: string)', 'interface List<T> { head: T; tail: List<T> | null }');
    assert.deepEqual(list.$defs, {
      List: {
        type: 'object',
        properties: { head: { type: 'number' }, tail: { anyOf: [{ $ref: '#/$defs/List' }, { type: 'null' }] } },
        required: ['head', 'tail'],
      },
    });
    const both = parametersOf('(x: List<number>, y: List<string>)', 'interface List<T> { head: T; tail?: List<T> }');
    assert.deepEqual(Object.keys(both.$defs as object), ['List', 'List2']);
    const mutual = parametersOf('(x: A, y: B)', 'interface A { b?: B }\ninterface B { a?: A }');
    new Ajv2020({ strict: true }).compile(mutual);
    const endless = parametersOf('(x: Nest<string>, y: string)', 'interface Nest<T> { value: T; next?: Nest<T[]> }');
    new Ajv2020({ strict: true, allowUnionTypes: true }).compile(endless);
  });

  it('the same type under several tools gives the same schema', () => {
    const declarations =
      'interface Inner { at: Date; tags: Set<string> }\ninterface Node { inner: Inner; next?: Node }';
    const text = `${declarations}\n/** A. @tool */\nexport function a(first: Node, n: number): void {}`;
    const alone = tool(text);
    const twice = tool({ 'tools.ts': text, 'more.ts': 'export {}' });
    assert.deepEqual(twice.parameters, alone.parameters);
    const deeper = tool(`${declarations}\n/** B. @tool */\nexport function b(x: { list: Inner[] }, y: Inner): void {}`);
    assert.deepEqual(deeper.binding.revive, {
      'y.tags': 'Set',
      'y.at': 'Date',
      'x.list[].tags': 'Set',
      'x.list[].at': 'Date',
    });
  });

  it('what must be revived, inner paths first', () => {
    assert.deepEqual(
      tool(
        '/** A. @tool */\nexport function a(m: Map<string, Date>, n: bigint, b: Uint8Array, s: Set<Date>, t: [Date, string], p: Map<number, Date>): void {}',
      ).binding.revive,
      {
        'p[].1': 'Date',
        p: 'Map',
        't.0': 'Date',
        's[]': 'Date',
        s: 'Set',
        b: 'bytes',
        n: 'bigint',
        'm.*': 'Date',
        m: 'Map',
      },
    );
    assert.equal(tool('/** A. @tool */\nexport function a(when: string | Date): void {}').binding.revive, undefined);
    assert.deepEqual(tool('/** A. @tool */\nexport function a(when?: Date | null): void {}').binding.revive, {
      when: 'Date',
    });
  });

  it('results: what the tool resolves to', () => {
    const returns = (signature: string, declarations = '') =>
      tool(`${declarations}\n/** A. @tool */\nexport ${signature}`).returns;
    assert.deepEqual(returns("function f(): Promise<'b' | 'a'> { return null!; }"), {
      type: 'string',
      enum: ['b', 'a'],
    });
    assert.deepEqual(returns('async function f() { return { id: 1, when: new Date() }; }'), {
      type: 'object',
      properties: { id: { type: 'number' }, when: { type: 'string', format: 'date-time' } },
      required: ['id', 'when'],
    });
    assert.deepEqual(returns('const f = () => [1, 2].map(String);'), { type: 'array', items: { type: 'string' } });
    assert.deepEqual(returns('function f(): { a: string; stop(): void } { return null!; }'), {
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['a'],
    });
    for (const none of [
      'function f(): void {}',
      'async function f(): Promise<any> {}',
      'function f(): unknown {}',
      'function f(): never { throw 1; }',
      'function f(): () => void { return null!; }',
    ])
      assert.equal(returns(none), undefined, none);
    assert.deepEqual(
      tool({
        'tools.ts':
          "import { load } from './load';\n/** A. @tool */\nexport async function f(id: string) { return load(id); }",
        'load.ts':
          "import { Row } from './row';\nexport async function load(id: string): Promise<Row> { return null!; }",
        'row.ts': 'export interface Row { id: string }',
      }).returns,
      { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
    );
  });

  it('types from other files, through re-exports, namespaces and imports in place', () => {
    const files = {
      'tools.ts':
        "import type { A } from './index';\nimport * as all from './index';\n/** A. @tool */\nexport function f(a: A, b: all.B, c: import('./c').C, d: import('./index').B['x']): void {}",
      'index.ts': "export type { A } from './a';\nexport * from './b';",
      'a.ts':
        "import { helper } from './unused';\nexport interface A { a: string }\nexport const run = () => helper();",
      'b.ts': "import C from './c';\nexport interface B { x: C }",
      'c.ts': 'export type C = 1 | 2;\nexport default C;',
    };
    const number = { type: 'number', enum: [1, 2] };
    assert.deepEqual(tool(files).parameters.properties, {
      a: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
      b: { type: 'object', properties: { x: number }, required: ['x'] },
      c: number,
      d: number,
    });
  });

  it('every schema here is one that ajv takes in its strict mode', () => {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, formats: { 'date-time': true } });
    for (const type of [
      '[string, number]',
      'Map<number, Date>',
      'Record<string, Set<string>>',
      "'a' | 1 | null",
      '`a-${number}`',
      '{ [k: string]: unknown; id: string }',
      'bigint',
      'Partial<{ a: string }>',
    ]) {
      ajv.compile({ type: 'object', properties: { x: schemaOf(type) } });
    }
  });
});

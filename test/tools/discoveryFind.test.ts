import assert from 'node:assert/strict';
import { defaultPolicy } from '../../trainer/tools/toolPolicy';
import { discover, names, told, tool } from './discoverySupport';

describe('discovery: which functions are tools', () => {
  it('takes declarations, arrow functions and function expressions', () => {
    assert.deepEqual(
      names(`
      /** A. @tool */
      export function one() {}
      /** B. @tool */
      export const two = async () => {};
      /** C. @tool */
      export const three = function () {};
      /** D. @tool */
      export const four = (() => {}) satisfies () => void;
      /** E. @tool */
      export const five = (async () => 1) as () => Promise<number>;
      export const six = /** F. @tool */ () => {};
      /** G. @tool */
      export async function seven() {}
    `),
      ['one', 'two', 'three', 'four', 'five', 'six', 'seven'],
    );
  });

  it('takes default exports, an anonymous one under the name of the file', () => {
    assert.deepEqual(names('/** A. @tool */\nexport default function find() {}'), ['find']);
    const anonymous = tool({ 'find-city.ts': '/** A. @tool */\nexport default (city: string) => city;' });
    assert.equal(anonymous.name, 'find-city');
    assert.equal(anonymous.binding.exportName, 'default');
    assert.equal(tool({ 'plain.ts': '/** A. @tool */\nexport default function (city: string) {}' }).name, 'plain');
  });

  it('takes what is exported later, by name or as default', () => {
    const [a, b, c] = discover(`
      /** A. @tool */
      function a() {}
      /** B. @tool */
      const b = () => {};
      /** C. @tool */
      function inner() {}
      export { a, inner as outer };
      export default b;
    `).tools;
    assert.deepEqual([a!.name, a!.binding.exportName], ['a', 'a']);
    assert.deepEqual([b!.name, b!.binding.exportName], ['b', 'default']);
    assert.deepEqual([c!.name, c!.binding.exportName], ['outer', 'outer']);
    assert.deepEqual(names('const f = (x: string) => x;\n/** F. @tool */\nexport default f;'), ['f']);
  });

  it('takes public methods of an exported class, of JavaScript too, with JSDoc alone', () => {
    const [find, whole, all] = discover(`
      export class Desk {
        /** Find a deal. @tool */
        find(deal: string) {}
        /** @tool list_all
         *  Lists all. */
        static all(): void;
        static all(limit?: number): void {}
        helper() {}
      }
      export class Other { /** Find a thing. @tool */ find() {} }
    `).tools;
    assert.deepEqual(
      [find!, whole!, all!].map(({ name, description, binding }) => [name, description, binding.exportName]),
      [
        ['Desk_find', 'Find a deal.', 'Desk'],
        ['list_all', 'Lists all.', 'Desk'],
        ['Other_find', 'Find a thing.', 'Other'],
      ],
    );
    const plain = tool({
      'desk.mjs': 'export class Desk {\n  /** Find.\n   * @param {string} deal\n   * @tool */\n  find(deal) {}\n}',
    });
    assert.deepEqual([plain.name, plain.parameters.required], ['find', ['deal']]);
  });

  it('@mock says that nothing runs, and nothing of what the tool does', () => {
    const mocked = tool('/** Weather of a city.\n * @mock\n * @tool */\nexport function weather(city: string) {}');
    assert.deepEqual([mocked.isMocked, mocked.changesWorld, defaultPolicy(mocked)], [true, false, 'mock']);
  });

  it('renames by one legal name on the same line; the next line is description', () => {
    const renamed = tool('/**\n * @tool find_city\n * Finds a city.\n */\nexport function f() {}');
    assert.deepEqual(
      [renamed.name, renamed.description, renamed.binding.exportName],
      ['find_city', 'Finds a city.', 'f'],
    );
    const described = tool('/**\n * @tool\n * Finds a city.\n */\nexport function f() {}');
    assert.deepEqual([described.name, described.description], ['f', 'Finds a city.']);
    const sentence = tool('/** @tool Finds a city by name */\nexport function f() {}');
    assert.deepEqual([sentence.name, sentence.description], ['f', 'Finds a city by name']);
    const both = tool('/**\n * First line.\n * Second line.\n *\n * @tool other-name\n */\nexport function f() {}');
    assert.deepEqual([both.name, both.description], ['other-name', 'First line.\nSecond line.']);
  });

  it('counts overloads once, with the parameters of the marked one', () => {
    const found = tool(`
      /**
       * Finds by id.
       * @tool
       * @param id - which
       */
      export function find(id: number): string;
      export function find(name: string): string;
      export function find(key: any): string { return String(key); }
    `);
    assert.deepEqual(found.parameters, {
      type: 'object',
      properties: { id: { type: 'number', description: 'which' } },
      required: ['id'],
    });
    assert.deepEqual(
      names(
        '/** A. @tool */\nexport function f(a: string): void;\n/** B. @tool */\nexport function f(a: number): void;\nexport function f(a: unknown): void {}',
      ),
      ['f'],
    );
  });

  it('does not count a re-export again', () => {
    assert.deepEqual(
      names({
        'one.ts': '/** A. @tool */\nexport function one(a: string) {}',
        'index.ts':
          "export { one } from './one'; // @tool\nexport * from './one';\nexport { one as two } from './one';",
      }),
      ['one'],
    );
  });

  it('takes CommonJS and JSDoc types in JavaScript', () => {
    const { tools, diagnostics } = discover({
      'a.cjs': `
        /**
         * Finds.
         * @tool
         * @param {string} city - where
         * @param {number} [days=3] - how many
         * @param {'sun'|'rain'} [sky] - what
         * @returns {Promise<{ temperature: number }>}
         */
        async function find(city, days = 3, sky) { return { temperature: 1 }; }
        /** Counts. @tool */
        exports.count = function () { return 1; };
        /** Lists. @tool */
        const list = () => [];
        module.exports.list = list;
        module.exports.find = find;
      `,
      'b.mjs':
        "/** Adds.\n * @tool\n * @param {import('./types').Pair} pair - both */\nexport const add = (pair) => pair.a + pair.b;",
      'types.ts': 'export interface Pair { /** First. */ a: number; /** Second. */ b: number }',
      'c.js':
        'module.exports = {\n  /** Says. @tool */\n  say(text) { return String(text); },\n  /** Sings. @tool */\n  sing: () => 1,\n};',
    });
    assert.deepEqual(
      diagnostics.filter(({ severity }) => severity === 'error'),
      [],
    );
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['find', 'count', 'list', 'add', 'say', 'sing'],
    );
    assert.deepEqual(tools[0]!.parameters, {
      type: 'object',
      properties: {
        city: { type: 'string', description: 'where' },
        days: { type: 'number', default: 3, description: 'how many' },
        sky: { type: 'string', enum: ['sun', 'rain'], description: 'what' },
      },
      required: ['city'],
    });
    assert.deepEqual(tools[0]!.returns, {
      type: 'object',
      properties: { temperature: { type: 'number' } },
      required: ['temperature'],
    });
    assert.deepEqual(tools[3]!.parameters.properties, {
      a: { type: 'number', description: 'First.' },
      b: { type: 'number', description: 'Second.' },
    });
    assert.equal(tools[4]!.binding.exportName, 'say');
  });
});

describe('discovery: which methods are tools', () => {
  const CLASS = (body: string, head = '') => `${head}\nexport class Service {\n${body}\n}`;

  it('takes @tool, @tool() and @tool({ name, description }), static and instance', () => {
    const { tools } = discover(
      CLASS(
        `
      /** A. */
      @tool one(a: string) {}
      /** B. */
      @tool() static two(a: string) {}
      /** C. */
      @tool({ name: 'third', description: 'Third.' }) three(a: string) {}
      @tool({ 'description': NAME }) four() {}
      @tool()
      /** E. */
      async five() {}
    `,
        "const NAME = 'Fourth.';",
      ),
    );
    assert.deepEqual(
      tools.map(({ name, description }) => `${name} ${description}`),
      ['one A.', 'two B.', 'third Third.', 'four Fourth.', 'five E.'],
    );
    assert.deepEqual(tools[0]!.binding, { exportName: 'Service', member: 'one', positional: [{ name: 'a' }] });
    assert.deepEqual(tools[1]!.binding, {
      exportName: 'Service',
      member: 'two',
      isStatic: true,
      positional: [{ name: 'a' }],
    });
    assert.equal(tools[2]!.binding.member, 'three');
  });

  it('knows the decorator under an import alias and a namespace', () => {
    assert.deepEqual(
      names(`import { tool as t } from './tool';\n${CLASS('/** A. */ @t() a() {}\n/** B. */ @t b() {}')}`),
      ['a', 'b'],
    );
    assert.deepEqual(names(`import * as ns from './tool';\n${CLASS('/** A. */ @ns.tool() a() {}')}`), ['a']);
    assert.deepEqual(names(`import { other as tool } from './tool';\n${CLASS('/** A. */ @tool() a() {}')}`), []);
  });

  it('counts a decorator on any overload or on the implementation once', () => {
    assert.deepEqual(names(CLASS('/** A. */ @tool() a(x: string): void;\na(x: number): void;\na(x: any) {}')), ['a']);
    assert.deepEqual(
      names(CLASS('a(x: string): void;\na(x: number): void;\n/** A. */ @tool() a(x: string | number) {}')),
      ['a'],
    );
    assert.deepEqual(
      names(CLASS('/** A. */ @tool() a(x: string): void;\n@tool() a(x: number): void;\n@tool() a(x: any) {}')),
      ['a'],
    );
  });

  it('lengthens the names of two classes of one file that clash', () => {
    assert.deepEqual(
      names(`
      export class Cats { /** A. */ @tool() find() {} @tool({ name: 'stroke', description: 'S' }) pet() {} }
      export class Dogs { /** B. */ @tool() find() {} /** C. */ @tool() pet() {} }
    `),
      ['Cats_find', 'stroke', 'Dogs_find', 'pet'],
    );
  });

  it('reaches an exported instance where the class needs arguments or is not exported', () => {
    const [configured] = discover(
      'export class S { constructor(private db: string) {} /** A. */ @tool() a() {} }\nexport const service = new S("x");',
    ).tools;
    assert.deepEqual(configured!.binding, { exportName: 'service', member: 'a', isInstance: true, positional: [] });
    assert.equal(
      tool('class S { constructor(db: string) {} /** A. */ @tool() a() {} }\nexport default new S("x");').binding
        .exportName,
      'default',
    );
    assert.equal(
      tool('class S { /** A. */ @tool() a() {} }\nconst s = new S();\nexport { s as it };').binding.exportName,
      'it',
    );
    assert.deepEqual(
      tool(
        'export class S { constructor(db = "x", ...rest: string[]) {} /** A. */ @tool() a() {} }\nexport const s = new S();',
      ).binding.exportName,
      'S',
    );
  });

  it('takes class expressions, default classes and literal method names', () => {
    assert.equal(tool('export const S = class { /** A. */ @tool() a() {} };').binding.exportName, 'S');
    assert.equal(tool('export default class { /** A. */ @tool() a() {} }').binding.exportName, 'default');
    assert.equal(tool("export class S { /** A. */ @tool() 'find-it'() {} }").binding.member, 'find-it');
  });
});

describe('discovery: what is not a tool', () => {
  const nothing = (text: string) => {
    const { tools, diagnostics, files } = discover(text);
    assert.deepEqual([tools, diagnostics, files], [[], [], []]);
  };

  it('text in strings, comments, backticks and examples', () => {
    nothing("export const text = '/** @tool */'; export function f() {}");
    nothing('export const text = `\n/** @tool */\nexport function g() {}\n`;');
    nothing('// @tool\nexport function f() {}');
    nothing('/* @tool */\nexport function f() {}');
    nothing('/* \n * @tool\n */\nexport function f() {}');
    nothing('/** Mark it with `@tool`. */\nexport function f() {}');
    nothing('/** Here the @tool decorator is explained. */\nexport function f() {}');
    nothing(
      '/**\n * Says.\n * @example\n * ```ts\n * @tool\n * class A { @tool() a() {} }\n * ```\n */\nexport function f() {}',
    );
    nothing('/** See {@link tool} and {@tool}. */\nexport function f() {}');
    nothing('/** Write to me@tool or x @toolbox. */\nexport function f() {}');
  });

  it('file-level JSDoc', () => {
    nothing("/** @tool */\nimport fs from 'node:fs';\nexport function f() {}");
    nothing('/**\n * @file Tools.\n * @tool\n */\nexport function f() {}');
    nothing('/**\n * Tools, see\n * @tool\n */\n\n/** Real. */\nexport function f() {}');
    assert.deepEqual(names('/**\n * Tools.\n * @tool\n */\n\nexport function f() {}'), []);
  });

  it('interfaces, types, other decorators and other tags', () => {
    nothing('/** @tool */\nexport interface A { /** @tool */ b(): void }');
    nothing('/** @tool */\nexport type A = () => void;');
    nothing('/** @tooling */\nexport function f() {}');
    nothing('/** @tool-box */\nexport function f() {}');
    nothing('export class A { @tooling() a() {} @other.thing b() {} @mytool() c() {} }');
    nothing('// /** @tool */\n// export function f() {}');
    nothing('/*\n/** @tool *\\/\nexport function g() {}\n*/\nexport function f() {}');
  });

  it('the block of the function before', () => {
    assert.deepEqual(
      names('/** A. @tool */\nexport function a() {} /** not for b */\nexport function b() {}\nexport function c() {}'),
      ['a'],
    );
  });
});

describe('discovery: shapes that are not run are told, not passed over', () => {
  it('namespaces, generators, fields, accessors and values', () => {
    assert.deepEqual(told('export namespace N {\n  /** A. @tool */\n  export function f() {}\n}'), [
      '3:19 error f: inside the namespace N; a tool is exported at the top level of its file',
    ]);
    assert.deepEqual(told('/** A. @tool */\nexport async function* f() {}'), [
      '2:24 error f: an async generator can\u2019t be a tool; return the values instead',
    ]);
    assert.deepEqual(told('/** A. @tool */\nexport function* f() {}'), [
      '2:18 error f: a generator can\u2019t be a tool; return the values instead',
    ]);
    assert.deepEqual(
      told('export class S {\n  /** A. */\n  @tool() a = () => 1;\n  /** B. */\n  @tool() get b() { return 1; }\n}'),
      [
        '3:11 error a: only a method can be a tool, not a field or an accessor',
        '5:15 error b: only a method can be a tool, not a field or an accessor',
      ],
    );
    assert.deepEqual(told('/** A. @tool */\nexport const value = 5;'), [
      '2:14 error value: @tool needs a function written out here (a declaration, an arrow function or a function expression)',
    ]);
    assert.deepEqual(
      told('/** A. @tool */\nexport const cached = cache(() => 1);\ndeclare function cache<T>(x: T): T;'),
      [
        '2:14 error cached: @tool needs a function written out here (a declaration, an arrow function or a function expression)',
      ],
    );
    assert.deepEqual(told('/** A. @tool */\nexport class A {}'), [
      '2:14 error A: @tool needs a function written out here (a declaration, an arrow function or a function expression)',
    ]);
    assert.deepEqual(told('export class S {\n  /** A. @tool */\n  a = 1;\n}'), [
      '3:3 error a: only a method can be a tool, not a field or an accessor',
    ]);
    assert.deepEqual(told('export class S {\n  /** A. @tool */\n  private a() {}\n}'), [
      '3:11 error a: a private method can\u2019t be called from outside',
    ]);
    assert.deepEqual(told('class S {\n  /** A. @tool */\n  a() {}\n}'), [
      '1:7 error S: not exported; a class with tools must be exported, or an instance of it',
    ]);
    assert.deepEqual(told('@tool()\nexport class S { a() {} }'), [
      '1:1 error S: @tool belongs on a method, not on a class',
    ]);
    assert.deepEqual(told('/** A. @tool */\nexport declare function f(): void;'), [
      '2:25 error f: has no body here, so there is nothing to call',
    ]);
    assert.deepEqual(told('export class S {\n  /** A. */\n  @tool() [Symbol.iterator]() {}\n}'), [
      '3:11 error [Symbol.iterator]: a method with a computed name can\u2019t be a tool',
    ]);
    assert.deepEqual(told('export const api = {\n  /** A. @tool */\n  find() {},\n};'), [
      '3:3 error find: @tool needs a function written out here (a declaration, an arrow function or a function expression)',
    ]);
  });
});

import assert from 'node:assert/strict';
import { discover, names, told } from './discoverySupport';

/** Only the errors, without the warnings that short fixtures earn. */
const errors = (texts: string | Record<string, string>) => told(texts).filter((line) => line.includes(' error '));
const warnings = (texts: string | Record<string, string>) => told(texts).filter((line) => line.includes(' warning '));

describe('discovery: errors, at the declaration, subject first', () => {
  it('not exported', () => {
    assert.deepEqual(errors('/** A. @tool */\nfunction f() {}'), [
      '2:10 error f: not exported; a tool must be exported to be called',
    ]);
    assert.deepEqual(errors('/** A. @tool */\nconst f = () => {};'), [
      '2:7 error f: not exported; a tool must be exported to be called',
    ]);
    assert.deepEqual(errors('/** A. @tool */\nfunction f() {}\nexport type { f };'), [
      '2:10 error f: not exported; a tool must be exported to be called',
    ]);
    assert.deepEqual(errors('export function outer() {\n  /** A. @tool */\n  function f() {}\n}'), [
      '3:12 error f: not exported, it is inside outer; a tool is exported at the top level of its file',
    ]);
    assert.deepEqual(errors('class S {\n  /** A. */ @tool() a() {}\n  /** B. */ @tool() b() {}\n}'), [
      '1:7 error S: not exported; a class with tools must be exported, or an instance of it',
    ]);
    assert.deepEqual(errors('class S { /** A. */ @tool() static a() {} }\nexport const s = new S();'), [
      '1:36 error a: a static method needs its class exported; only an instance of S is',
    ]);
  });

  it('private, protected and #private', () => {
    assert.deepEqual(
      errors('export class S {\n  @tool() private a() {}\n  @tool() protected b() {}\n  @tool() #c() {}\n}'),
      [
        '2:19 error a: a private method can\u2019t be called from outside',
        '3:21 error b: a protected method can\u2019t be called from outside',
        '4:11 error #c: a #private method can\u2019t be called from outside',
      ],
    );
  });

  it('names that no model may say', () => {
    const rule = 'the name of a tool has 1 to 64 letters, digits, "_" or "-" (^[a-zA-Z0-9_-]{1,64}$)';
    assert.deepEqual(errors('/** A. @tool */\nexport function größe() {}'), [`2:17 error größe: ${rule}`]);
    assert.deepEqual(errors('/** A. @tool */\nexport function $f() {}'), [`2:17 error $f: ${rule}`]);
    assert.deepEqual(errors('/** @tool get.weather */\nexport function f() {}'), [`2:17 error get.weather: ${rule}`]);
    assert.deepEqual(errors("export class S {\n  @tool({ name: 'a b', description: 'C' }) a() {}\n}"), [
      `2:44 error a b: ${rule}`,
    ]);
    assert.deepEqual(errors("export class S {\n  @tool({ name: '', description: 'C' }) a() {}\n}"), [
      `2:11 error a: the name given to @tool is empty`,
    ]);
    assert.deepEqual(errors(`/** A. @tool */\nexport function ${'a'.repeat(65)}() {}`), [
      `2:17 error ${'a'.repeat(65)}: ${rule}`,
    ]);
    assert.deepEqual(names(`/** A. @tool */\nexport function ${'a'.repeat(64)}() {}`), ['a'.repeat(64)]);
  });

  it('what the decorator is given but nobody can read', () => {
    assert.deepEqual(errors('export class S {\n  @tool({ name: make() }) a() {}\n}'), [
      '2:11 error a: the name given to @tool must be a text that can be read without running the code',
    ]);
    assert.deepEqual(errors('export class S {\n  @tool(options) a() {}\n}'), [
      '2:3 error a: the argument of @tool must be an object written out here, { name, description }',
    ]);
    assert.deepEqual(errors("export class S {\n  @tool('find') a() {}\n}"), [
      '2:3 error a: the argument of @tool must be an object written out here, { name, description }',
    ]);
  });

  it('duplicate names, at both places, in a file and over the folder', () => {
    assert.deepEqual(
      errors('/** A. @tool same */\nexport function a() {}\n/** B. @tool same */\nexport function b() {}'),
      ['2:17 error same: duplicate name, also at line 4', '4:17 error same: duplicate name, also at line 2'],
    );
    const found = discover({
      'a.ts': '/** A. @tool */\nexport function f() {}\n/** G. @tool */\nexport function g() {}',
      'deep/b.ts': 'export class S { /** B. */ @tool() f() {} }',
    });
    assert.deepEqual(
      found.tools.map(({ name }) => name),
      ['g'],
    );
    assert.deepEqual(
      found.diagnostics.map(({ file, line, column, message }) => [file, line, column, message]),
      [
        ['/virtual/project/a.ts', 2, 17, 'f: duplicate name, also at deep/b.ts:1'],
        ['/virtual/project/deep/b.ts', 1, 36, 'f: duplicate name, also at ../a.ts:2'],
      ],
    );
  });

  it('duplicate names of two files are none where each file is trained on alone', () => {
    const found = discover(
      {
        'a.ts':
          '/** A. @tool same */\nexport function f() {}\n/** A. @tool same */\nexport function g() {}\n/** H. @tool */\nexport function h() {}',
        'deep/b.ts': '/** B. @tool same */\nexport function b() {}\n/** H. @tool */\nexport function h() {}',
      },
      'file',
    );
    assert.deepEqual(
      found.tools.map(({ name, source }) => [name, source.file]),
      [
        ['h', '/virtual/project/a.ts'],
        ['same', '/virtual/project/deep/b.ts'],
        ['h', '/virtual/project/deep/b.ts'],
      ],
    );
    assert.deepEqual(
      found.diagnostics
        .filter(({ severity }) => severity === 'error')
        .map(({ file, line, message }) => [file, line, message]),
      [
        ['/virtual/project/a.ts', 2, 'same: duplicate name, also at line 4'],
        ['/virtual/project/a.ts', 4, 'same: duplicate name, also at line 2'],
      ],
    );
  });

  it('parameters that no caller can send, also deep inside', () => {
    const of = (parameters: string, declarations = '') =>
      errors(`/** A. @tool */\nexport function f(${parameters}) {}\n${declarations}`);
    assert.deepEqual(of('done: () => void'), ['2:19 error f.done: a caller can\u2019t send a function']);
    assert.deepEqual(of('key: symbol, b: string'), ['2:19 error f.key: a caller can\u2019t send a symbol']);
    assert.deepEqual(of('a: string, { deep }: { deep: { call(): void } }'), [
      '2:30 error f.options.deep.call: a caller can\u2019t send a function',
    ]);
    assert.deepEqual(of('box: Box, b: string', 'class Box { size = 1; open() {} }'), [
      '2:19 error f.box: a caller can\u2019t send an instance of Box, a class with methods',
    ]);
    assert.deepEqual(of('where: URL, b: string'), ['2:19 error f.where: a caller can\u2019t send an instance of URL']);
    assert.deepEqual(of('r: RegExp, b: string'), ['2:19 error f.r: a caller can\u2019t send an instance of RegExp']);
    assert.deepEqual(of('make: typeof Box, b: string', 'class Box {}'), [
      '2:19 error f.make: a caller can\u2019t send a class',
    ]);
    assert.deepEqual(of('list: (() => void)[], b: string'), [
      '2:19 error f.list[]: a caller can\u2019t send a function',
    ]);
    assert.deepEqual(of('signal: AbortSignal, b: string'), [
      '2:19 error f.signal: a caller can\u2019t send an instance of AbortSignal',
    ]);
    assert.deepEqual(
      of('options: Options', 'interface Options {\n  name: string;\n  inner: { onDone?: (x: number) => void };\n}'),
      ['5:3 error f.inner.onDone: a caller can\u2019t send a function'],
    );
    assert.deepEqual(of('either: string | (() => string)'), []);
    assert.deepEqual(of('data: Point', 'class Point { constructor(public x: number, public y: number) {} }'), []);
  });

  it('classes that nobody can construct without arguments', () => {
    const told = (text: string) => errors(text);
    assert.deepEqual(
      told(
        'export class S {\n  constructor(url: string, key: string, times = 1) {}\n  /** A. */ @tool() a() {}\n  /** B. */ @tool() b() {}\n  /** C. */ @tool() static c() {}\n}',
      ),
      [
        '1:14 error S: its constructor requires url, key; the host constructs it without arguments, so export an instance of it',
      ],
    );
    assert.deepEqual(
      told('class Base { constructor(x: number) {} }\nexport class S extends Base { /** A. */ @tool() a() {} }'),
      [
        '2:14 error S: its constructor requires x; the host constructs it without arguments, so export an instance of it',
      ],
    );
    assert.deepEqual(told('export abstract class S { /** A. */ @tool() a() {} }'), [
      '1:23 error S: an abstract class can\u2019t be constructed; the host constructs it without arguments, so export an instance of it',
    ]);
    assert.deepEqual(told('export class S { private constructor() {} /** A. */ @tool() a() {} }'), [
      '1:14 error S: its constructor is private; the host constructs it without arguments, so export an instance of it',
    ]);
    assert.deepEqual(names('export class S { constructor(x: number) {} /** C. */ @tool() static c() {} }'), ['c']);
    assert.deepEqual(told('export abstract class S { /** A. */ @tool() abstract a(): void; }'), [
      '1:54 error a: an abstract method has no body to call',
    ]);
  });

  it('syntax errors; tools outside the broken part are still found', () => {
    const text =
      '/** A. @tool */\nexport function a(x: string) {}\n/** B. @tool */\nexport function b( {\n  const = 5;\n}\n';
    assert.deepEqual(names(text, true), ['a']);
    const [first] = errors(text);
    assert.match(first!, /^\d+:\d+ error syntax error: /);
    assert.deepEqual(
      names(
        '/** A. @tool */\nexport function a() { return 1; }\n/** B. @tool */\nexport function b(): void { const x = = 3; }\n/** C. @tool */\nexport function c() {}',
        true,
      ),
      ['a', 'c'],
    );
  });
});

describe('discovery: warnings', () => {
  it('no description, of the tool and of its parameters', () => {
    assert.deepEqual(
      warnings('/** @tool */\nexport function f(\n  city: string,\n  /** How many. */ days: number,\n) {}'),
      ['2:17 warning f: no description; the model chooses a tool by it', '3:3 warning f.city: no description'],
    );
    assert.deepEqual(
      warnings('/** F. @tool */\nexport function f({ a, b }: {\n  /** A. */\n  a: string;\n  b: string;\n}) {}'),
      ['5:3 warning f.b: no description'],
    );
    assert.deepEqual(warnings('export class S {\n  @tool() find() {}\n}'), [
      '2:11 warning find: no description; the model chooses a tool by it',
    ]);
  });

  it('types that resolved to any', () => {
    const any = (path: string) => `warning ${path}: the type resolved to any, so every value is accepted`;
    assert.deepEqual(
      warnings('/** F.\n * @tool\n * @param x - x\n * @param y - y\n */\nexport function f(x: any, y) {}'),
      [`6:19 ${any('f.x')}`, `6:27 ${any('f.y')}`],
    );
    assert.deepEqual(
      warnings(
        "import { X } from './missing';\n/** F.\n * @tool\n * @param x - x\n */\nexport function f(x: X, ...y: string[]) {}",
      ),
      [`6:19 ${any('f.x')}`, '6:28 warning f.y: no description'],
    );
    assert.deepEqual(
      warnings(
        '/** F.\n * @tool\n * @param o - o\n * @param p - p\n */\nexport function f(o: { deep: any[] }, p: string) {}',
      ),
      [`6:19 ${any('f.o.deep[]')}`],
    );
  });

  it('tags that can not be read', () => {
    assert.deepEqual(
      warnings('/** F.\n * @tool\n * @param n - how many\n * @minimum many\n */\nexport function f(n: number) {}'),
      ['6:19 warning f.n: the tag @minimum many can\u2019t be read'],
    );
  });

  it('nothing for imports of vscode or node that lead nowhere', () => {
    const { tools, diagnostics } = discover(
      "import * as vscode from 'vscode';\nimport { readFile } from 'node:fs/promises';\nimport missing from 'not-installed';\n/** F.\n * @tool\n * @param path - where\n */\nexport async function f(path: string, token: vscode.CancellationToken): Promise<string> { return readFile(path, 'utf8'); }",
    );
    assert.deepEqual(diagnostics, []);
    assert.equal(tools[0]!.binding.injectsSignal, true);
  });
});

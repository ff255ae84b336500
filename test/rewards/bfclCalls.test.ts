import assert from 'node:assert/strict';
import { exactCalls, formOf } from '../../trainer/rewards/bfcl/exactCalls';
import { pythonCalls } from '../../trainer/rewards/bfcl/pythonCalls';
import { PythonError } from '../../trainer/rewards/bfcl/pythonTokens';
import { Tuple, type Value } from '../../trainer/rewards/bfcl/values';
import { hermesParser, llamaParser, nanoParser } from '../../trainer/rollout/parser';

const only = (code: string): Value => pythonCalls(`[f(v=${code})]`)[0].arguments.get('v')!;
const map = (entries: Record<string, Value>): Value => new Map(Object.entries(entries));

describe("calls in BFCL's own format", () => {
  it('calls with named arguments; names with dots', () => {
    assert.deepEqual(pythonCalls('[a.b.f(x=1, y="t"), g()]'), [
      { name: 'a.b.f', arguments: map({ x: 1n, y: 't' }) },
      { name: 'g', arguments: map({}) },
    ]);
    assert.deepEqual(pythonCalls('[]'), []);
  });

  it('brackets that are missing, fences and blanks are forgiven; prose is not', () => {
    for (const text of [
      'f(x=1)',
      '[f(x=1)',
      'f(x=1)]',
      '```\n[f(x=1)]\n```',
      ' \n[f(x=1,),]\n',
      '[f(\n  x = 1) # one\n]',
    ])
      assert.deepEqual(pythonCalls(text), [{ name: 'f', arguments: map({ x: 1n }) }], text);
    for (const text of [
      'Sure! [f(x=1)]',
      '[f(x=1)] Done',
      '```python\n[f(x=1)]\n```',
      'f(x=1)\ng()',
      '[f(x=1)], [g()]',
      '[f]',
      '[f(x=1',
      'No.',
      '[[f(x=1)]]',
      '[f(from=1)]',
      '[f(x=1, 2)]',
      '[f(x=1 y=2)]',
      "'f(x=1)'",
    ]) {
      assert.throws(() => pythonCalls(text), PythonError, text);
    }
  });

  it('arguments without a name are dropped, the last of two with one counts, only attributes make a name', () => {
    assert.deepEqual(pythonCalls('[f(1, "a", x=1, x=2)]'), [{ name: 'f', arguments: map({ x: 2n }) }]);
    assert.deepEqual(
      pythonCalls('[f()(x=1), a[0].g(x=1)]').map((call) => call.name),
      ['', 'g'],
    );
  });

  const values: [code: string, value: Value][] = [
    ['0x1F', 31n],
    ['1_000', 1000n],
    ['5.', 5],
    ['.5', 0.5],
    ['1e3', 1000],
    ['True', true],
    ['None', null],
    ['true', 'true'],
    ['null', 'null'],
    ['...', '...'],
    ['12345678901234567890123', 12345678901234567890123n],
    ['\'a\' "b"', 'ab'],
    ["'''a\n\"b'''", 'a\n"b'],
    ["r'a\\n'", 'a\\n'],
    ["'\\x41\\u00e9\\101\\q\\'\\\n'", "A\u00e9A\\q'"],
    ['(1, 2)', new Tuple([1n, 2n])],
    ['(1,)', new Tuple([1n])],
    ['()', new Tuple([])],
    ['((5))', 5n],
    ['[1, [2.0,],]', [1n, [2]]],
    ['{"a": {"b": None}}', map({ a: map({ b: null }) })],
    // BFCL takes the negative of whatever has a sign, and of True makes -1
    ['-5', -5n],
    ['+5', -5n],
    ['~5', -5n],
    ['-2.5', -2.5],
    ['-True', -1n],
    // eval: real signs, Python's floor and remainder, powers before signs and from the right
    ['2+3*4', 14n],
    ['(2+3)*4', 20n],
    ['-7//2', -4n],
    ['-7 % 3', 2n],
    ['7 % -3', -2n],
    ['10/2', 5],
    ['2**3**2', 512n],
    ['2*-3**2', -18n],
    ['1.0//0.1', 9],
    ['-7.5 % 2', 0.5],
    ['2**-1', 0.5],
    ['5 | 2 ^ 1 & 3 << 2', 7n],
    ["'ab'*2 + 'c'", 'ababc'],
    ['[1]+[2]*2', [1n, 2n, 2n]],
    ['True+1', 2n],
    ['name', 'name'],
    ['make(a=1)', map({ make: map({ a: 1n }) })],
    // what has no named argument is text, as ast.unparse writes it
    ['load( "x",1 ,[2.50,(3,)], {"k":-1})', "load('x', 1, [2.5, (3,)], {'k': -1})"],
    ["data['it\\'s'][ 0,1 ]", `data["it's"][0, 1]`],
    ['f((1+2)*3, 2**-x, 1e20, 0.00001)', 'f((1 + 2) * 3, 2 ** -x, 1e+20, 1e-05)'],
    ['a.b()', 'a.b()'],
  ];
  for (const [code, value] of values) it(`${code.replaceAll('\n', '\\n')}`, () => assert.deepEqual(only(code), value));

  it('what BFCL reads no value from', () => {
    for (const code of [
      'a.b',
      '-(-5)',
      '-x',
      "-'a'",
      "f'a'",
      "b'a'",
      '2j',
      '017',
      '1 < 2',
      'lambda: 1',
      '1 if x else 2',
      '[x for x in y]',
      '{1, 2}',
      '{1: 2}',
      'x+1',
      '1/0',
      'not True',
      '[1, 2',
      '5 5',
      "'a\nb'",
      '',
      '0**-1',
    ]) {
      assert.throws(() => only(code), PythonError, code);
    }
    assert.throws(() => only(`${'['.repeat(200)}${']'.repeat(200)}`), /nested too deeply/);
    assert.throws(() => only('9**9**9**9'), PythonError);
  });
});

describe("calls in Coach's forms, exactly", () => {
  it('5 and 5.0 stay apart, in every form', () => {
    const args = map({ n: 5n, x: 5, list: [1n, 1], big: 9007199254740993n, s: '5.0', e: 1000 });
    const json = '{"n": 5, "x": 5.0, "list": [1, 1.0], "big": 9007199254740993, "s": "5.0", "e": 1e3}';
    for (const [text, parser] of [
      [`<tool_call>{"name": "f", "arguments": ${json}}</tool_call>`, hermesParser],
      [`<|call|>f${json}<|end|>`, nanoParser],
      [`{"name": "f", "parameters": ${json}}`, llamaParser],
    ] as const) {
      assert.equal(formOf(text), parser);
      assert.deepEqual(exactCalls(text, parser), { calls: [{ name: 'f', arguments: args }] });
    }
  });

  it('prose with braces and numbers, and several calls', () => {
    const text =
      'I use {5} and {"a": 1} "now {\n<tool_call>{"name": "f", "arguments": {"a": 1.0}}</tool_call><tool_call>{"name": "g", "arguments": {}}</tool_call>';
    assert.deepEqual(exactCalls(text, hermesParser).calls, [
      { name: 'f', arguments: map({ a: 1 }) },
      { name: 'g', arguments: map({}) },
    ]);
  });

  it('a broken call is told', () => {
    assert.match(
      exactCalls('<tool_call>{"name": "f", "arguments": {"a": 01}}</tool_call>', hermesParser).error!,
      /^call 1 is broken/,
    );
    assert.equal(formOf('[f(a=1)]'), null);
    assert.equal(formOf('[f(s="{\\"name\\": 1}")]'), null);
  });
});

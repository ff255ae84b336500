import assert from 'node:assert/strict';
import { CheckError } from '../../trainer/rewards/bfcl/checkValue';
import { judgeLine, readBfclLine } from '../../trainer/rewards/bfcl/line';
import { areEqual, readValue, Tuple, typeOf } from '../../trainer/rewards/bfcl/values';

const RIGHT = 'right';
const PROPERTIES = {
  n: { type: 'integer' },
  x: { type: 'float' },
  on: { type: 'boolean' },
  s: { type: 'string' },
  any: { type: 'any' },
  d: { type: 'dict' },
  ints: { type: 'array', items: { type: 'integer' } },
  words: { type: 'array', items: { type: 'string' } },
  floats: { type: 'array', items: { type: 'float' } },
  grid: { type: 'array', items: { type: 'array' } },
  pair: { type: 'tuple', items: { type: 'integer' } },
  dicts: { type: 'array', items: { type: 'dict' } },
  odd: { type: 'number' },
};
const described = (name: string, required: string[] = []) => ({
  name,
  description: '',
  parameters: { type: 'dict', properties: PROPERTIES, required },
});

/** JSON text is spliced in, so that 5.0 stays 5.0. */
const line = (category: string, functions: object, groundTruth: string, made: string): string =>
  `{"category": "${category}", "functions": ${JSON.stringify(functions)}, "ground_truth": ${groundTruth}, ${made}}`;
const judged = (text: string, options = {}): string => judgeLine(readBfclLine(text, 'f:1'), options)?.reason ?? RIGHT;
/** The arguments of f against its accepted ones. */
const f = (accepted: string, given: string, required: string[] = []): string =>
  judged(line('simple_python', [described('f', required)], `[{"f": ${accepted}}]`, `"calls": [{"f": ${given}}]`));
const python = (accepted: string, given: string): string =>
  judged(line('simple_python', [described('f')], `[{"f": ${accepted}}]`, `"text": ${JSON.stringify(`[f(${given})]`)}`));

describe("BFCL's AST check, rule by rule", () => {
  const cases: [what: string, accepted: string, given: string, expected: string][] = [
    ['the accepted whole number', '{"n": [5]}', '{"n": 5}', RIGHT],
    ['another whole number', '{"n": [5]}', '{"n": 6}', 'value_error:others'],
    ['one of several', '{"n": [5, 6]}', '{"n": 6}', RIGHT],
    ['5.0 is no int', '{"n": [5]}', '{"n": 5.0}', 'type_error:simple'],
    ['a text is no int', '{"n": [5]}', '{"n": "5"}', 'type_error:simple'],
    ['true is a bool and no int', '{"n": [1]}', '{"n": true}', 'type_error:simple'],
    [
      'a whole number beyond 2^53 is exact',
      '{"n": [9007199254740993]}',
      '{"n": 9007199254740992}',
      'value_error:others',
    ],
    ['an int where a float is wanted', '{"x": [5.0]}', '{"x": 5}', RIGHT],
    ['1e1 is 10', '{"x": [10]}', '{"x": 1e1}', RIGHT],
    ['true is no float', '{"x": [1.0]}', '{"x": true}', 'type_error:simple'],
    ['a bool', '{"on": [true]}', '{"on": true}', RIGHT],
    ['1 is no bool', '{"on": [true]}', '{"on": 1}', 'type_error:simple'],
    ['blanks, , . / - _ * ^ and case do not count', '{"s": ["April 1, 2024"]}', '{"s": "april_1-2024^*/."}', RIGHT],
    ['\' is "', '{"s": ["it\'s"]}', '{"s": "it\\"s"}', RIGHT],
    ['a colon counts', '{"s": ["a b"]}', '{"s": "a:b"}', 'value_error:string'],
    ['null is no text', '{"s": ["a"]}', '{"s": null}', 'type_error:simple'],
    ['any is text', '{"any": ["a"]}', '{"any": "A"}', RIGHT],
    ['any is not a number', '{"any": ["5"]}', '{"any": 5}', 'type_error:simple'],
    // a value of the type of the first accepted one that is not "" is taken for a variable, and compared exactly
    ['a variable where a number is described', '{"n": ["", "my_n"]}', '{"n": "my_n"}', RIGHT],
    ['a variable is compared with its case', '{"n": ["my_n"]}', '{"n": "My_n"}', 'value_error:others'],
    [
      'a text of the described type, where the first answer is of another: exactly too',
      '{"s": [5, "a b"]}',
      '{"s": "A B"}',
      'value_error:others',
    ],
    ['accepted values of a second type do not count', '{"n": [5, "my_n"]}', '{"n": "my_n"}', 'type_error:simple'],
    ['a list where the answers are lists of it', '{"n": [[1]]}', '{"n": [1.0]}', RIGHT],
    [
      'only "" is accepted: the type is as described, the value is not',
      '{"n": [""]}',
      '{"n": 5}',
      'value_error:others',
    ],
    ['a list in order', '{"ints": [[1, 2]]}', '{"ints": [1, 2]}', RIGHT],
    ['a list in another order', '{"ints": [[1, 2]]}', '{"ints": [2, 1]}', 'value_error:list/tuple'],
    ['a list that is shorter', '{"ints": [[1, 2]]}', '{"ints": [1]}', 'value_error:list/tuple'],
    ['an item of another type', '{"ints": [[1, 2]]}', '{"ints": [1, "2"]}', 'type_error:nested'],
    [
      'an item of a float list may be an int where the answer has ints',
      '{"floats": [[1, 2]]}',
      '{"floats": [1, 2]}',
      RIGHT,
    ],
    ['and not where it has floats', '{"floats": [[1.0, 2.0]]}', '{"floats": [1, 2]}', 'type_error:nested'],
    ['texts in a list by their standard form', '{"words": [["New York"]]}', '{"words": ["new-york"]}', RIGHT],
    ['an empty list is the accepted ""', '{"words": [["a"], ""]}', '{"words": []}', RIGHT],
    [
      'beside an accepted "" items may be of any type, and still differ',
      '{"words": [["a"], ""]}',
      '{"words": [7]}',
      'value_error:list/tuple',
    ],
    ['lists in a list are compared as they are', '{"grid": [[["a"]]]}', '{"grid": [["A"]]}', 'value_error:list/tuple'],
    ['a list stands for a tuple', '{"pair": [[1, 2]]}', '{"pair": [1, 2]}', RIGHT],
    ['a text is no list', '{"words": [["a"]]}', '{"words": "a"}', 'type_error:simple'],
    [
      'a dict, each key with its accepted values',
      '{"d": [{"a": [1, 2], "b": ["X y"]}]}',
      '{"d": {"b": "x-Y", "a": 2}}',
      RIGHT,
    ],
    ['a key too many', '{"d": [{"a": [1]}]}', '{"d": {"a": 1, "c": 1}}', 'value_error:dict_key'],
    ['a key missing', '{"d": [{"a": [1], "b": [2]}]}', '{"d": {"a": 1}}', 'value_error:dict_key'],
    ['a key that may be left out', '{"d": [{"a": [1], "b": [2, ""]}]}', '{"d": {"a": 1}}', RIGHT],
    ['a wrong value in a dict', '{"d": [{"a": [1]}]}', '{"d": {"a": 2}}', 'value_error:dict_value'],
    ['in a dict true is 1', '{"d": [{"a": [1]}]}', '{"d": {"a": true}}', RIGHT],
    ['the second accepted dict', '{"d": ["", {"a": [1]}, {"b": [1]}]}', '{"d": {"b": 1}}', RIGHT],
    ['no accepted dict at all', '{"d": [""]}', '{"d": {}}', 'dict_checker:unclear'],
    ['dicts in a list, in order', '{"dicts": [[{"a": [1]}, {"a": [2]}]]}', '{"dicts": [{"a": 1}, {"a": 2}]}', RIGHT],
    [
      'dicts in another order',
      '{"dicts": [[{"a": [1]}, {"a": [2]}]]}',
      '{"dicts": [{"a": 2}, {"a": 1}]}',
      'value_error:dict_value',
    ],
    ['dicts too few', '{"dicts": [[{"a": [1]}, {"a": [2]}]]}', '{"dicts": [{"a": 1}]}', 'value_error:list_dict_count'],
    ['an argument that is not described', '{"n": [5]}', '{"n": 5, "m": 1}', 'simple_function_checker:unexpected_param'],
    [
      'a described argument that no answer has',
      '{"n": [5]}',
      '{"n": 5, "x": 1.0}',
      'simple_function_checker:unexpected_param',
    ],
    ['left out, and "" is accepted', '{"n": [5], "x": [1.0, ""]}', '{"n": 5}', RIGHT],
    ['left out, and it is not', '{"n": [5], "x": [1.0]}', '{"n": 5}', 'simple_function_checker:missing_optional'],
    [
      'names of JavaScript objects are no arguments',
      '{"n": [5]}',
      '{"n": 5, "constructor": 1}',
      'simple_function_checker:unexpected_param',
    ],
  ];
  for (const [what, accepted, given, expected] of cases) it(what, () => assert.equal(f(accepted, given), expected));

  it('a required argument is missed before anything else is looked at, even where "" is accepted', () => {
    assert.equal(f('{"n": [5, ""], "x": [1.0]}', '{"x": "wrong"}', ['n']), 'simple_function_checker:missing_required');
  });

  it('tuples: a list where one is wanted, and no list anywhere else', () => {
    assert.equal(python('{"pair": [[1, 2]]}', 'pair=(1, 2)'), RIGHT);
    assert.equal(python('{"ints": [[1, 2]]}', 'ints=(1, 2)'), 'type_error:simple');
    assert.equal(python('{"grid": [[[1, 2]]]}', 'grid=[(1, 2)]'), 'type_error:nested');
  });

  it('a question that can not be judged is neither right nor wrong', () => {
    assert.throws(
      () => f('{"odd": [1]}', '{"odd": 1}'),
      (error) =>
        error instanceof CheckError && /odd must be of a type out of string, .*, got number/.test(error.message),
    );
    assert.throws(() => f('{"d": [{"a": 1}]}', '{"d": {"a": 1}}'), CheckError);
    assert.throws(
      () => judged(line('multiple', [described('f')], '[{"g": {}}]', '"calls": [{"g": {}}]')),
      /ground_truth names g, functions are others/,
    );
    assert.throws(
      () => judged(line('simple_java', [described('f')], '[{"f": {}}]', '"calls": []')),
      /category simple_java is not supported: its values are written in another language/,
    );
  });
});

describe("BFCL's AST check, calls", () => {
  const functions = [described('a.f'), described('g')];
  const check = (category: string, groundTruth: string, calls: string, options = {}) =>
    judged(line(category, functions, groundTruth, `"calls": ${calls}`), options);
  const [one, two] = ['{"a.f": {"n": [1]}}', '{"a.f": {"n": [2]}}'];

  it('simple: one call of the first function', () => {
    assert.equal(check('live_simple', `[${one}]`, '[{"a.f": {"n": 1}}]'), RIGHT);
    assert.equal(check('simple', `[${one}]`, '[{"name": "a.f", "arguments": {"n": 1}}]'), RIGHT);
    assert.equal(check('simple_python', `[${one}]`, '[]'), 'simple_function_checker:wrong_count');
    assert.equal(
      check('simple_python', `[${one}]`, '[{"a.f": {"n": 1}}, {"a.f": {"n": 1}}]'),
      'simple_function_checker:wrong_count',
    );
    assert.equal(check('simple_python', `[${one}]`, '[{"g": {"n": 1}}]'), 'simple_function_checker:wrong_func_name');
  });

  it('multiple: the function that the answer names', () => {
    assert.equal(check('multiple', '[{"g": {"n": [1]}}]', '[{"g": {"n": 1}}]'), RIGHT);
    assert.equal(
      check('live_multiple', '[{"g": {"n": [1]}}]', '[{"a.f": {"n": 1}}]'),
      'simple_function_checker:wrong_func_name',
    );
    assert.equal(check('multiple', '[{"g": {"n": [1]}}]', '[]'), 'multiple_function_checker:wrong_count');
  });

  it('parallel: as many, in any order, each once', () => {
    assert.equal(check('parallel', `[${one}, ${two}]`, '[{"a.f": {"n": 2}}, {"a.f": {"n": 1}}]'), RIGHT);
    assert.equal(
      check('parallel', `[${one}, ${two}]`, '[{"a.f": {"n": 1}}, {"a.f": {"n": 1}}]'),
      'parallel_function_checker_no_order:cannot_find_match',
    );
    assert.equal(
      check('parallel', `[${one}, ${two}]`, '[{"a.f": {"n": 1}}]'),
      'parallel_function_checker_no_order:wrong_count',
    );
    assert.equal(
      check('live_parallel_multiple', `[${one}, {"g": {"n": [3]}}]`, '[{"g": {"n": 3}}, {"a.f": {"n": 1}}]'),
      RIGHT,
    );
    // the first wanted call takes the first that fits, so 1 and 2 leave none for the second
    assert.equal(
      check('parallel', `[{"a.f": {"n": [1, 2]}}, ${one}]`, '[{"a.f": {"n": 1}}, {"a.f": {"n": 2}}]'),
      'parallel_function_checker_no_order:cannot_find_match',
    );
  });

  it('dots as underscores: only where the model was shown them so, and then no other way', () => {
    assert.equal(check('simple_python', `[${one}]`, '[{"a_f": {"n": 1}}]'), 'simple_function_checker:wrong_func_name');
    assert.equal(check('simple_python', `[${one}]`, '[{"a_f": {"n": 1}}]', { underscores: true }), RIGHT);
    assert.equal(
      check('simple_python', `[${one}]`, '[{"a.f": {"n": 1}}]', { underscores: true }),
      'simple_function_checker:wrong_func_name',
    );
  });
});

describe("Python's values", () => {
  it('types', () => {
    const types = ['null', 'true', '5', '5.0', '5e0', 'NaN', '"5"', '[]', '{}'].map((text) => typeOf(readValue(text)));
    assert.deepEqual(
      [...types, typeOf(new Tuple([]))],
      ['NoneType', 'bool', 'int', 'float', 'float', 'float', 'str', 'list', 'dict', 'tuple'],
    );
  });
  it('equality', () => {
    const equal = (a: string, b: string) => areEqual(readValue(a), readValue(b));
    assert.ok(
      equal('[1, {"a": 1.0}]', '[true, {"a": 1}]') &&
        equal('{"a": 1, "b": 2}', '{"b": 2, "a": 1}') &&
        equal('null', 'null'),
    );
    assert.ok(
      !equal('[1]', '[1, 2]') &&
        !equal('"1"', '1') &&
        !equal('{}', '[]') &&
        !equal('{"a": null}', '{"b": null}') &&
        !equal('9007199254740993', '9007199254740992.0') &&
        !equal('null', '0'),
    );
    assert.ok(areEqual(new Tuple([1n]), new Tuple([1])) && !areEqual(new Tuple([1n]), [1n]));
  });
});

/**
 * The corners of Python that the published reward code leans on without saying so: `json.loads`, `==`, `str.strip`,
 * `str.split` and `round`.
 * Only where a reward must equal its source value for value; the product's own comparison is `equalJson`.
 */

/**
 * What `json.loads` gives: an integer that a double can't hold is a bigint, a dict is a Map in the text's order
 * (JavaScript's objects reorder "2" and "1").
 */
export type PyValue = null | boolean | number | bigint | string | PyValue[] | PyDict;
export type PyDict = Map<string, PyValue>;

/** An exception that Python would raise; the message names it. */
export class PyError extends Error {}

/** `str.isspace`: not JavaScript's \s, which lacks \x1c-\x1f and \x85 and has the byte order mark. */
const SPACE = '[\\t-\\r\\x1c- \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const LEADING = new RegExp(`^${SPACE}+`);
const SPACES = new RegExp(`${SPACE}+`);
const isSpace = (code: number): boolean =>
  (code >= 9 && code <= 13) ||
  (code >= 0x1c && code <= 0x20) ||
  code === 0x85 ||
  code === 0xa0 ||
  code === 0x1680 ||
  (code >= 0x2000 && code <= 0x200a) ||
  code === 0x2028 ||
  code === 0x2029 ||
  code === 0x202f ||
  code === 0x205f ||
  code === 0x3000;

/** `text.strip()` */
export function pyStrip(text: string): string {
  let end = text.length;
  while (end > 0 && isSpace(text.charCodeAt(end - 1))) end--;
  return text.slice(0, end).replace(LEADING, '');
}

/** `text.split()`: the words between runs of white space. */
export function pyWords(text: string): string[] {
  const stripped = pyStrip(text);
  return stripped === '' ? [] : stripped.split(SPACES);
}

/**
 * `round(x, 2)`: of the exact binary value, ties to even. Only odd eighths are ties (0.125 -> 0.12), and there toFixed
 * goes up.
 */
export function pyRound2(x: number): number {
  const rounded = Number(x.toFixed(2));
  if (!Number.isInteger(x * 8) || (x * 8) % 2 === 0) return rounded;
  const below = Math.floor(x * 100);
  return (below % 2 === 0 ? below : below + 1) / 100;
}

/** How often a part occurs, without overlaps: `text.count(part)`. */
export const pyCount = (text: string, part: string): number => text.split(part).length - 1;

/** `a == b`, where True is 1, 1 is 1.0, NaN is not itself, and integers compare with floats exactly. */
export function pyEqual(a: PyValue, b: PyValue): boolean {
  if (typeof a === 'string' || typeof b === 'string') return a === b;
  const x = asNumber(a);
  const y = asNumber(b);
  // biome-ignore lint/suspicious/noDoubleEquals: a bigint equals the number of its value
  if (x !== null || y !== null) return x !== null && y !== null && x == y;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => sameItem(item, b[i]!));
  if (a instanceof Map) {
    if (!(b instanceof Map) || a.size !== b.size) return false;
    for (const [key, value] of a) if (!b.has(key) || !sameItem(value, b.get(key)!)) return false;
    return true;
  }
  return a === b;
}

/** Inside a container Python looks at identity first, and `json.loads` gives one NaN object for all. */
const sameItem = (a: PyValue, b: PyValue): boolean => (Number.isNaN(a) && Number.isNaN(b)) || pyEqual(a, b);

const asNumber = (value: PyValue): number | bigint | null =>
  typeof value === 'number' || typeof value === 'bigint' ? value : typeof value === 'boolean' ? Number(value) : null;

/** Equal for values that are one key of a dict or Counter. @throws PyError for what has no hash */
export function pyHashKey(value: PyValue): string {
  if (typeof value === 'string') return `s${value}`;
  if (value === null) return 'None';
  if (typeof value === 'object') throw new PyError('TypeError: unhashable type');
  const number = asNumber(value)!;
  return `n${typeof number === 'bigint' || Number.isInteger(number) ? BigInt(number) : number}`;
}

/** A parsed JSON value of ours as `json.loads` would have given it. Integers beyond 2^53 were lost before. */
export function toPython(value: unknown): PyValue {
  if (Array.isArray(value)) return value.map(toPython);
  if (typeof value === 'object' && value !== null) {
    const dict: PyDict = new Map();
    for (const [key, member] of Object.entries(value)) if (member !== undefined) dict.set(key, toPython(member));
    return dict;
  }
  return typeof value === 'string' ||
    typeof value === 'number' ||
    typeof value === 'boolean' ||
    typeof value === 'bigint'
    ? value
    : null;
}

/**
 * `json.loads(text)`: JSON, and NaN, Infinity, -Infinity, exact integers, keys in order.
 * @throws PyError where Python raises
 */
export const pyJson = (text: string): PyValue => readJson(text, looseNumber);

/** What a number is read as. @param isFloat it has a fraction or an exponent, or is one of NaN, Infinity, -Infinity */
export type ReadNumber<N> = (text: string, isFloat: boolean) => N;
export type JsonOf<N> = null | boolean | N | string | JsonOf<N>[] | Map<string, JsonOf<N>>;

const looseNumber: ReadNumber<number | bigint> = (text, isFloat) => {
  const double = Number(text);
  return isFloat || Number.isSafeInteger(double) ? double : BigInt(text);
};

/**
 * pyJson, where the caller says what an integer and a float become: JavaScript's numbers don't tell 5 from 5.0, and
 * Python does.
 */
export function readJson<N>(text: string, toNumber: ReadNumber<N>): JsonOf<N> {
  let at = 0;
  const fail = (what: string): never => {
    throw new PyError(`JSONDecodeError: ${what} at ${at}`);
  };
  const skip = (): void => {
    for (
      let code = text.charCodeAt(at);
      code === 32 || code === 9 || code === 10 || code === 13;
      code = text.charCodeAt(++at)
    );
  };
  const value = (): JsonOf<N> => {
    switch (text[at]) {
      case '{':
        return dict();
      case '[':
        return list();
      case '"':
        return string();
    }
    for (const [word, constant] of CONSTANTS) {
      if (!text.startsWith(word, at)) continue;
      at += word.length;
      return typeof constant === 'number' ? toNumber(word, true) : constant;
    }
    return number();
  };
  const dict = (): Map<string, JsonOf<N>> => {
    const out = new Map<string, JsonOf<N>>();
    at++;
    skip();
    if (text[at] === '}') return (at++, out);
    for (;;) {
      if (text[at] !== '"') fail('expecting a property name');
      const key = string();
      skip();
      if (text[at] !== ':') fail("expecting ':'");
      at++;
      skip();
      out.set(key, value());
      skip();
      if (text[at] === '}') return (at++, out);
      if (text[at] !== ',') fail("expecting ','");
      at++;
      skip();
    }
  };
  const list = (): JsonOf<N>[] => {
    const out: JsonOf<N>[] = [];
    at++;
    skip();
    if (text[at] === ']') return (at++, out);
    for (;;) {
      out.push(value());
      skip();
      if (text[at] === ']') return (at++, out);
      if (text[at] !== ',') fail("expecting ','");
      at++;
      skip();
    }
  };
  const string = (): string => {
    STRING.lastIndex = at;
    const found = STRING.exec(text);
    if (found === null) return fail('bad string');
    at = STRING.lastIndex;
    return JSON.parse(found[0]) as string;
  };
  const number = (): N => {
    NUMBER.lastIndex = at;
    const found = NUMBER.exec(text);
    if (found === null) return fail('expecting a value');
    at = NUMBER.lastIndex;
    const [all, whole, fraction, exponent] = found;
    const isFloat = fraction !== undefined || exponent !== undefined;
    if (!isFloat && whole!.length > MAX_DIGITS) return fail('ValueError: too many digits');
    return toNumber(all, isFloat);
  };
  skip();
  const result = value();
  skip();
  if (at < text.length) fail('extra data');
  return result;
}

const CONSTANTS: readonly (readonly [string, null | boolean | number])[] = [
  ['null', null],
  ['true', true],
  ['false', false],
  ['NaN', NaN],
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
];
const STRING = /"(?:[^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*"/y;
const NUMBER = /(-?(?:0|[1-9]\d*))(\.\d+)?([eE][-+]?\d+)?/y;
/** sys.get_int_max_str_digits() */
const MAX_DIGITS = 4300;

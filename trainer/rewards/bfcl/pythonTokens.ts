/**
 * Text -> the tokens of one Python expression. Only what can stand in a call with literal arguments; all else is a
 * PythonError, as it is no call.
 */

export type Token =
  | { kind: 'name'; text: string }
  | { kind: 'int'; value: bigint }
  | { kind: 'float'; value: number }
  | { kind: 'string'; value: string }
  | { kind: 'operator'; text: string }
  | { kind: 'end' };

/** The text is no Python that BFCL reads a call from. */
export class PythonError extends Error {}

const KEYWORDS = new Set([
  'and',
  'as',
  'assert',
  'async',
  'await',
  'break',
  'class',
  'continue',
  'def',
  'del',
  'elif',
  'else',
  'except',
  'finally',
  'for',
  'from',
  'global',
  'if',
  'import',
  'in',
  'is',
  'lambda',
  'nonlocal',
  'not',
  'or',
  'pass',
  'raise',
  'return',
  'try',
  'while',
  'with',
  'yield',
]);

const BLANK = /(?:[ \t\f\r\n]|\\\r?\n|#[^\n]*)+/y;
const NAME = /[\p{XID_Start}_][\p{XID_Continue}]*/uy;
const FLOAT =
  /(?:\d(?:_?\d)*)?\.\d(?:_?\d)*(?:[eE][-+]?\d(?:_?\d)*)?|\d(?:_?\d)*\.(?:[eE][-+]?\d(?:_?\d)*)?|\d(?:_?\d)*[eE][-+]?\d(?:_?\d)*/y;
const INT = /0[xX](?:_?[\da-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+|[1-9](?:_?\d)*|0(?:_?0)*/y;
const STRING =
  /([rRuU]?)("""(?:[^\\]|\\[^])*?"""|'''(?:[^\\]|\\[^])*?'''|"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*')/y;
const OPERATOR = /\*\*|\/\/|<<|>>|\.\.\.|[-+*/%@&|^~()[\]{},:.=]/y;

/** @throws PythonError at the first thing that is none of the tokens */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) at = pattern.lastIndex;
    return found;
  };
  for (;;) {
    take(BLANK);
    if (at >= text.length) return [...tokens, { kind: 'end' }];
    const start = at;
    const string = take(STRING);
    if (string) {
      tokens.push({ kind: 'string', value: stringValue(string[1]!, string[2]!) });
      continue;
    }
    const name = take(NAME)?.[0].normalize('NFKC');
    if (name !== undefined) {
      if (KEYWORDS.has(name)) throw new PythonError(`${name} can't stand there`);
      tokens.push({ kind: 'name', text: name });
      continue;
    }
    const number = take(FLOAT) ?? take(INT);
    if (number) {
      if (/[\p{XID_Continue}]/uy.test(text.slice(at, at + 1)))
        throw new PythonError(`${text.slice(start, at + 1)} is no number`);
      const digits = number[0].replaceAll('_', '');
      tokens.push(
        /^0[xXoObB]/.test(digits) || /^\d+$/.test(digits)
          ? { kind: 'int', value: BigInt(digits) }
          : { kind: 'float', value: Number(digits) },
      );
      continue;
    }
    const operator = take(OPERATOR);
    if (!operator) throw new PythonError(`${JSON.stringify(text.slice(at, at + 12))} can't stand there`);
    tokens.push({ kind: 'operator', text: operator[0] });
  }
}

const ESCAPE = /\\(?:(\r?\n)|([0-7]{1,3})|x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([^]))/g;
const LETTERS: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
};

function stringValue(prefix: string, quoted: string): string {
  const width = quoted.length >= 6 && (quoted.startsWith('"""') || quoted.startsWith("'''")) ? 3 : 1;
  const body = quoted.slice(width, -width).replaceAll('\r\n', '\n');
  if (prefix.toLowerCase() === 'r') return body;
  return body.replace(
    ESCAPE,
    (
      all,
      line: string | undefined,
      octal: string | undefined,
      x: string | undefined,
      u: string | undefined,
      long: string | undefined,
      letter: string | undefined,
    ) => {
      if (line !== undefined) return '';
      if (octal !== undefined) return String.fromCodePoint(parseInt(octal, 8));
      const hex = x ?? u ?? long;
      if (hex !== undefined) {
        if (parseInt(hex, 16) > 0x10ffff) throw new PythonError(`${all} is no character`);
        return String.fromCodePoint(parseInt(hex, 16));
      }
      if (letter === 'x' || letter === 'u' || letter === 'U' || letter === 'N')
        throw new PythonError(`${all} is no escape that is read here`);
      return LETTERS[letter!] ?? all; // an unknown one stays as it is written
    },
  );
}

/**
 * Regular expressions of strangers' schemas, so that none hangs the process: by an engine that is linear in the text
 * (RE2, Go's and Google's, here re2js) wherever it can read them. It can't read look-around, back references, counts
 * over 1000 and some Unicode properties: JavaScript's own engine runs those, for so long.
 */
import { createContext, Script } from 'node:vm';
import { RE2JS } from 're2js';

export interface BoundedPattern {
  /** Whether it occurs in the text; false as well where the engine of JavaScript did not come to an end in time. */
  test(text: string): boolean;
  readonly isLinear: boolean;
  /** The pattern: ajv tells its patterns apart by it. */
  toString(): string;
}

/** Of one test by JavaScript's engine; a text that is no attack takes microseconds. */
const LIMIT_MS = 100;
/** After so many tests without an end, a pattern matches nothing: a thousand texts must not take minutes. */
const MAX_TIMEOUTS = 3;

/** @param source as in JSON Schema: JavaScript's, with the flag u. @throws SyntaxError where it is none */
export function boundedPattern(source: string): BoundedPattern {
  const known = patterns.get(source);
  if (known) return known;
  const native = new RegExp(source, 'u');
  const linear = linearTest(source);
  const pattern = { test: linear ?? timedTest(native), isLinear: linear !== null, toString: () => source };
  if (patterns.size >= MAX_PATTERNS) patterns.clear();
  patterns.set(source, pattern);
  return pattern;
}

const patterns = new Map<string, BoundedPattern>();
const MAX_PATTERNS = 1000;

/** For ajv's `code.regExp`; the flag is always u. */
export const ajvPattern = Object.assign((source: string) => boundedPattern(source), { code: 'boundedPattern' });

function linearTest(source: string): BoundedPattern['test'] | null {
  const words = asRe2(source);
  if (words === null) return null;
  try {
    const pattern = RE2JS.compile(RE2JS.translateRegExp(words));
    return (text) => pattern.test(text);
  } catch {
    return null; // beyond RE2
  }
}

// What JavaScript means by \s, \S and a dot, each for the inside of a class.
const SPACE = '\\t-\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff';
const NO_SPACE =
  '\\u0000-\\u0008\\u000e-\\u001f!-\\u009f\\u00a1-\\u167f\\u1681-\\u1fff\\u200b-\\u2027\\u202a-\\u202e\\u2030-\\u205e\\u2060-\\u2fff\\u3001-\\ufefe\\uff00-\\u{10ffff}';
const LINE_END = '\\n\\r\\u2028\\u2029';

/** The pattern in the words of RE2, which reads some of JavaScript's otherwise; null where it can't be said. */
function asRe2(source: string): string | null {
  let out = '';
  let isClass = false;
  for (let at = 0; at < source.length; at++) {
    const char = source[at]!;
    if (char === '\\') {
      const next = source[++at]!;
      if (next === 'u' && /^d[89a-f]/i.test(source.slice(at + 1))) return null; // half a character
      if (next === 's') out += isClass ? SPACE : `[${SPACE}]`;
      else if (next === 'S') out += isClass ? NO_SPACE : `[${NO_SPACE}]`;
      else if (next === 'b' && isClass) out += '\\u0008';
      else out += char + next;
    } else if (isClass) {
      if (char === ']') isClass = false;
      out += char === '[' ? '\\[' : char;
    } else if (char === '.') out += `[^${LINE_END}]`;
    else {
      if (char === '[') isClass = true;
      out += char;
    }
  }
  return out;
}

const world = createContext({ pattern: /x/u, text: '' }) as { pattern: RegExp; text: string };
const script = new Script('pattern.test(text)');

function timedTest(pattern: RegExp): BoundedPattern['test'] {
  let timeouts = 0;
  return (text) => {
    if (timeouts >= MAX_TIMEOUTS) return false;
    Object.assign(world, { pattern, text });
    try {
      return script.runInContext(world, { timeout: LIMIT_MS }) as boolean;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      timeouts++;
      return false;
    }
  };
}

/** `[{'name': 'orders', 'open': True}]`: what a Python server's `str(rows)` gives, as JSON; undefined: it is none. */
import { parseJson } from '../../base/json';

export function pythonLiteral(text: string): unknown {
  if (!/^\s*[[{(][^]*'[^]*[\]})]\s*$/.test(text)) return undefined;
  let json = '';
  for (const [token] of text.matchAll(TOKENS)) {
    if (/^['"]/.test(token)) json += JSON.stringify(unescaped(token.slice(1, -1)));
    else json += Object.hasOwn(WORDS, token) ? WORDS[token] : token;
  }
  try {
    return parseJson(json.replace(/,(\s*[\]}])/g, '$1'));
  } catch {
    return undefined;
  }
}

const TOKENS = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[A-Za-z_]\w*|[^]/g;
const WORDS: Record<string, string> = { True: 'true', False: 'false', None: 'null', '(': '[', ')': ']' };

const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '\r' };
const unescaped = (text: string): string => text.replace(/\\(.)/g, (_, char: string) => ESCAPES[char] ?? char);

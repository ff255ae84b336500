import type { Random } from '../../base/random';
import type { Lexicon } from './words';
import { sampleValue, spoken, type Param, type SyntheticTool } from './world';

/** "with title Zorp", "at most 5", … and whether it may stand right behind the noun */
function cue(r: Random, p: Param, text: string): string {
  return r
    .pick(p.cues)
    .replace('{p}', spoken(p.name))
    .replace('{v}', () => text);
}

/** A tool's arguments, and the pieces of a request that say them. */
export interface Filled {
  args: Record<string, unknown>;
  clauses: string[];
  main: string | null;
  before: string | null;
  /** the same arguments one by one, as a list says them: [parameter, value] */
  listed: [string, string][];
  /** as the request says them, by parameter */
  texts: Record<string, string>;
  /** the clause, or the word before the noun, that says each one but the main one */
  said: Record<string, string>;
}

/** Values for the arguments of a call, but for those `given`, and how a request says them. */
export function fill(
  r: Random,
  l: Lexicon,
  tool: SyntheticTool,
  given: Record<string, { text: string; value: unknown }> = {},
): Filled {
  const out: Filled = { args: {}, clauses: [], main: null, before: null, listed: [], texts: {}, said: {} };
  const chosen = tool.params.filter((p) => !p.optional || given[p.name] || r.next() < 0.4);
  chosen.forEach((p, i) => {
    const { text, value } = given[p.name] ?? sampleValue(r, l, p);
    out.texts[p.name] = text;
    out.args[p.name] = p.kind === 'flag' && r.next() < 0.3 ? false : value;
    out.listed.push([spoken(p.name), p.kind === 'flag' ? (out.args[p.name] ? 'on' : 'off') : text]);
    if (i === 0 && p.kind !== 'flag') {
      out.main = r.next() < 0.75 ? cue(r, p, text) : text;
      return;
    }
    const isBefore = (p.kind === 'enum' || p.role === 'limit') && out.before === null && r.next() < 0.3;
    const said =
      out.args[p.name] === false
        ? r.pick(['without {p}', 'no {p}', 'with {p} off']).replace('{p}', spoken(p.name))
        : !isBefore
          ? cue(r, p, text)
          : p.role === 'limit'
            ? r.pick([text, text, `up to ${text}`, `the first ${text}`, `just ${text}`, `at most ${text}`])
            : text;
    out.said[p.name] = said;
    if (isBefore) out.before = said;
    else out.clauses.push(said);
  });
  return out;
}

/** "put {} into the box" with its object, or "open" and its object */
export const doing = (verb: string, object: string): string =>
  verb.includes('{}') ? verb.replace('{}', () => object) : `${verb} ${object}`;

/** Such a text keeps its first letter: the value is copied from it. */
export const startsWithValue = (text: string, f: Filled): boolean =>
  Object.values(f.texts).some((value) => value !== '' && text.startsWith(value));

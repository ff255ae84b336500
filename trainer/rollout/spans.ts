import type { Tokenizer } from '../tokenizer/tokenizer';
import type { SpanSource } from './callGrammar';
import type { State, Then } from './grammar';

const MAX_SPAN_TOKENS = 48;
const isWordChar = (c: string | undefined): boolean => c !== undefined && /[\p{L}\p{N}]/u.test(c);

/** May a copied value begin at place p: not inside a word, not with a space. */
function isStart(text: (p: number) => string, p: number, rangeStart: number): boolean {
  const here = text(p);
  if (here.trim() === '') return false;
  return p === rangeStart || !isWordChar(text(p - 1).at(-1)) || !isWordChar(here[0]);
}

/** May it end behind place p. */
function isEnd(text: (p: number) => string, p: number, rangeEnd: number): boolean {
  const here = text(p);
  if (here.trim() === '') return false;
  return p + 1 >= rangeEnd || !isWordChar(text(p + 1)[0]) || !isWordChar(here.at(-1));
}

/** Every span of whole words of what users and tools wrote, as ids that were there already: nothing is tokenised anew. */
export function spanStates(tokenizer: Tokenizer, source: SpanSource, excluded: ReadonlySet<number>, then: Then): readonly State[] {
  const text = (p: number): string => tokenizer.tokenText(source.ids[p]);
  const inside = (p: number, start: number, end: number, left: number): readonly State[] => {
    const out: State[] = [];
    if (isEnd(text, p - 1, end)) out.push(...then());
    if (p < end && left > 0 && !excluded.has(source.ids[p])) out.push({ edges: [{ id: source.ids[p], to: () => inside(p + 1, start, end, left - 1) }] });
    return out;
  };
  return source.ranges.flatMap(([start, end]) => {
    const out: State[] = [];
    for (let p = start; p < end; p++) {
      if (excluded.has(source.ids[p]) || !isStart(text, p, start)) continue;
      out.push({ edges: [{ id: source.ids[p], to: () => inside(p + 1, start, end, MAX_SPAN_TOKENS) }] });
    }
    return out;
  });
}

const WORDS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve', 'thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen', 'twenty'];

/** Numbers that occur, as digits or as words up to twenty, in JSON's form. */
export function numbersIn(tokenizer: Tokenizer, source: SpanSource, type: 'integer' | 'number'): string[] {
  const found = new Set<string>();
  for (const [start, end] of source.ranges) {
    const text = source.ids.slice(start, end).map((id) => tokenizer.tokenText(id)).join('');
    for (const match of text.match(/-?\d+(?:\.\d+)?/g) ?? []) {
      for (const part of [match, match.replace('-', '')]) {
        const n = Number(part);
        if (Number.isFinite(n) && (type === 'number' || Number.isInteger(n))) found.add(JSON.stringify(n));
      }
    }
    for (const word of text.toLowerCase().match(/[a-z]+/g) ?? []) if (WORDS.includes(word)) found.add(String(WORDS.indexOf(word)));
  }
  return [...found].sort((a, b) => Number(a) - Number(b));
}

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
  const mayCopy = (p: number, end: number, left: number): boolean => p < end && left > 0 && !excluded.has(source.ids[p]);
  /** a span that has come to place p can end there or further on: none runs into a quote behind a space */
  const canEnd = (p: number, end: number, left: number): boolean => isEnd(text, p - 1, end) || (mayCopy(p, end, left) && canEnd(p + 1, end, left - 1));
  const step = (p: number, end: number, left: number): State => ({ edges: [{ id: source.ids[p], to: () => inside(p + 1, end, left - 1) }] });
  const inside = (p: number, end: number, left: number): readonly State[] => [
    ...(isEnd(text, p - 1, end) ? then() : []),
    ...(mayCopy(p, end, left) && canEnd(p + 1, end, left - 1) ? [step(p, end, left)] : []),
  ];
  return source.ranges.flatMap(([start, end]) => {
    const out: State[] = [];
    for (let p = start; p < end; p++) {
      if (isStart(text, p, start) && mayCopy(p, end, MAX_SPAN_TOKENS) && canEnd(p + 1, end, MAX_SPAN_TOKENS - 1)) out.push(step(p, end, MAX_SPAN_TOKENS));
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

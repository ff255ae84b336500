import { durationsSaid, type TimeUnit } from '../../../base/durations';
import { numbersSaid } from '../../../base/numbersSaid';
import { momentsSaid } from '../../../base/moments';
import { datesFromToday } from '../../../base/relativeDates';
import { datesSaid, monthsSaid, timesSaid } from '../../../base/restate';
import type { Tokenizer } from '../../tokenizer/tokenizer';
import type { SpanSource } from './grammar';
import type { State } from './grammar';

const MAX_SPAN_TOKENS = 48;
/**
 * How the tokenizer shows a byte that is part of a character; characters beyond ASCII are mostly letters, and none is
 * cut.
 */
export const PART = /\\x[89a-f][0-9a-f]/g;
const isWordChar = (c: string | undefined): boolean => c !== undefined && /[\p{L}\p{N}]/u.test(c);

/**
 * Does the seam between two texts lie inside a word? A word here is what a person would copy whole: 2026-03-14, 12:30,
 * 2.5, m-12, ann@mail.org. A
 * sign belongs to it where letters or digits stand on both sides (a colon: digits).
 */
function isInsideWord(before: string, after: string): boolean {
  const near = before.slice(-2);
  const next = after.slice(0, 2);
  if (!near || !next) return false;
  return isWordChar(near.at(-1))
    ? isWordChar(next[0]) || isJoint(near.at(-1), next[0], next[1])
    : near.length > 1 && isJoint(near[0], near[1], next[0]);
}

const isJoint = (left: string | undefined, sign: string | undefined, right: string | undefined): boolean =>
  isWordChar(left) &&
  isWordChar(right) &&
  sign !== undefined &&
  (/[-._@/]/.test(sign) || (sign === ':' && /\d/.test(left!) && /\d/.test(right!)));

/** A copied value may begin or end between places p - 1 and p: not inside a word. */
function isSeam(text: (p: number) => string, p: number, rangeStart: number, rangeEnd: number): boolean {
  if (p === rangeStart || p >= rangeEnd) return true;
  const before = (p - 1 > rangeStart ? text(p - 2) : '') + text(p - 1);
  const after = text(p) + (p + 1 < rangeEnd ? text(p + 1) : '');
  return !isInsideWord(before, after);
}

/** Places of the source that a value was copied from: [start, end). */
export type Copied = readonly [start: number, end: number];

/**
 * Words that one argument took are not another's, but for the end of it: "lunch with Ana" names Ana, too. A long text
 * may hold them, if it says more.
 */
const isFree = (from: number, to: number, { spans, isLong }: Taken): boolean =>
  spans.every(([start, end]) =>
    isLong ? from < start || to > end : to <= start || from >= end || (from > start && to === end),
  );

/** What other arguments took. */
export interface Taken {
  spans: readonly Copied[];
  /** by one that may hold what others name */
  isLong: boolean;
}

/**
 * Every span of whole words of what users and tools wrote, as ids that were there already: nothing is tokenised anew.
 */
export function spanStates(
  tokenizer: Tokenizer,
  source: SpanSource,
  excluded: ReadonlySet<number>,
  then: (span: Copied) => readonly State[],
  taken: Taken = { spans: [], isLong: false },
): readonly State[] {
  const text = (p: number): string => tokenizer.tokenText(source.ids[p]!).replace(PART, 'x');
  const mayCopy = (p: number, end: number, left: number): boolean =>
    p < end && left > 0 && !excluded.has(source.ids[p]!);
  const isBlank = (p: number): boolean => text(p).trim() === '';
  return source.ranges.flatMap(([start, end]) => {
    const isEnd = (p: number): boolean => !isBlank(p - 1) && isSeam(text, p, start, end);
    const isWhole = (from: number, p: number): boolean => isEnd(p) && isFree(from, p, taken);
    /** a span that has come to place p can end there or further on: none runs into a quote behind a space */
    const canEnd = (from: number, p: number, left: number): boolean =>
      isWhole(from, p) || (mayCopy(p, end, left) && canEnd(from, p + 1, left - 1));
    const step = (from: number, p: number, left: number): State => ({
      edges: [{ id: source.ids[p]!, to: () => inside(from, p + 1, left - 1) }],
    });
    const inside = (from: number, p: number, left: number): readonly State[] => [
      ...(isWhole(from, p) ? then([from, p]) : []),
      ...(mayCopy(p, end, left) && canEnd(from, p + 1, left - 1) ? [step(from, p, left)] : []),
    ];
    const out: State[] = [];
    for (let p = start; p < end; p++) {
      if (
        !isBlank(p) &&
        isSeam(text, p, start, end) &&
        mayCopy(p, end, MAX_SPAN_TOKENS) &&
        canEnd(p, p + 1, MAX_SPAN_TOKENS - 1)
      )
        out.push(step(p, p, MAX_SPAN_TOKENS));
    }
    return out;
  });
}

/** No id, date or address is longer, in tokens. */
const MAX_FORMED_TOKENS = 24;

/** A span of whole words, and what it says. */
export interface SaidSpan {
  ids: number[];
  text: string;
}

/** All spans of whole words that may be an id, a date or an address, each once. */
export function wholeSpans(tokenizer: Tokenizer, source: SpanSource, excluded: ReadonlySet<number>): SaidSpan[] {
  const text = (p: number): string => tokenizer.tokenText(source.ids[p]!).replace(PART, 'x');
  const found = new Map<string, SaidSpan>();
  for (const [start, end] of source.ranges) {
    const places = Array.from({ length: Math.max(0, end - start) }, (_, i) => start + i);
    const isBlank = places.map((p) => text(p).trim() === '');
    const begins = places.map((p, i) => !isBlank[i] && isSeam(text, p, start, end));
    const ends = places.map((p, i) => !isBlank[i] && isSeam(text, p + 1, start, end));
    for (let from = start; from < end; from++) {
      if (!begins[from - start]) continue;
      for (let to = from; to < Math.min(end, from + MAX_FORMED_TOKENS) && !excluded.has(source.ids[to]!); to++) {
        if (!ends[to - start]) continue;
        const ids = source.ids.slice(from, to + 1);
        const key = ids.join();
        if (!found.has(key)) found.set(key, { ids, text: tokenizer.decode(ids, true) });
      }
    }
  }
  return [...found.values()];
}

/** What users and tools said, range by range. */
const textsOf = (tokenizer: Tokenizer, { ids, ranges }: SpanSource): string[] =>
  ranges.map(([start, end]) => tokenizer.decode(ids.slice(start, end), true));

/** "3x8" are two numbers. */
const apart = (text: string): string => text.replace(/(?<=\d)[x\u00d7](?=\d)/gi, ' x ');

/**
 * Numbers that stand alone (not in a date, a time or an id), as digits or in words, and those inside words, in JSON's
 * form; and which of those alone were said more than once.
 */
export function numbersIn(
  tokenizer: Tokenizer,
  source: SpanSource,
  type: 'integer' | 'number',
): { alone: string[]; inside: string[]; often: ReadonlySet<number> } {
  const texts = textsOf(tokenizer, source);
  const found = new Set<number>();
  const often = new Set<number>();
  const add = (n: number): void => void (found.has(n) ? often : found).add(n);
  for (const text of texts.map(apart)) {
    for (const match of text.match(
      /(?<![\p{L}\p{N}_]|\d[.,:]|[\p{L}\p{N}][-/])-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\d_]|[.,:/-]\d)/gu,
    ) ?? []) {
      const n = Number(match.replaceAll(',', ''));
      add(n);
      if (n < 0) add(-n); // a dash may be a sign of the sentence
    }
    for (const n of numbersSaid(text)) add(n);
  }
  const written = (numbers: Iterable<number>): string[] =>
    [...numbers]
      .filter((n) => type === 'number' || Number.isInteger(n))
      .sort((a, b) => a - b)
      .map((n) => JSON.stringify(n));
  return {
    alone: written(found),
    inside: written(new Set(texts.flatMap((text) => (text.match(/\d+(?:\.\d+)?/g) ?? []).map(Number)))),
    often,
  };
}

/** Each of a long list's days with each of its times would be more than anybody means; the request comes first. */
const MOST_MOMENTS = 64;

export interface Restated {
  all: string[];
  /** days, and times that have one reading only */
  sure: string[];
  /** yyyy-mm-ddThh:mm: each day with each time */
  moments: string[];
}

/**
 * Dates (yyyy-mm-dd), months, times (hh:mm) and moments that users and tools said in words: what a copy of their words
 * could not say.
 */
export function restatedIn(tokenizer: Tokenizer, source: SpanSource): Restated {
  const texts = textsOf(tokenizer, source);
  const said = (isSure: boolean): string[] =>
    texts.flatMap((text) => [
      ...datesSaid(text),
      ...datesFromToday(text),
      ...timesSaid(text, isSure),
      ...(isSure ? [] : monthsSaid(text)),
    ]);
  const moments = [...new Set(texts.flatMap(momentsSaid))].slice(0, MOST_MOMENTS);
  return { all: [...new Set(said(false))], sure: [...new Set(said(true))], moments };
}

/** Spans of time that users and tools said, in a unit; and counts of other units, which are none. */
export function durationsIn(
  tokenizer: Tokenizer,
  source: SpanSource,
  unit: TimeUnit,
): { said: number[]; other: ReadonlySet<number> } {
  const all = textsOf(tokenizer, source).map((text) => durationsSaid(text, unit));
  return { said: all.flatMap((one) => one.in), other: new Set(all.flatMap(({ other }) => other)) };
}

/**
 * Which of the choices the request says by their own words; null: none, or all that it says are small words, which
 * may stand there for anything.
 */
export function choicesSaid(tokenizer: Tokenizer, source: SpanSource, choices: readonly unknown[]): unknown[] | null {
  const text = (textsOf(tokenizer, { ...source, ranges: source.ranges.slice(0, 1) })[0] ?? '').toLowerCase();
  const said = choices.filter((choice) => {
    if (typeof choice !== 'string' || !/^[\w -]+$/.test(choice)) return false;
    const words = choice
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .replace(/[_-]/g, ' ');
    return new RegExp(`(?<![a-z\\d])${words.split(' ').join('[ _-]')}s?(?![a-z\\d])`).test(text);
  });
  return said.some((choice) => !SMALL.test(choice as string)) ? said : null;
}

const SMALL = /^(.{0,2}|all|any|and|the|for|not|out|new|none|other|open)$/i;

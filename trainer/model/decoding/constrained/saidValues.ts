/**
 * What of users' and tools' words a schema takes: spans that keep its pattern, format and length, and numbers within
 * its bounds.
 */
import { boundedPattern, type BoundedPattern } from '../../../base/boundedPattern';
import type { TimeUnit } from '../../../base/durations';
import { strictForm } from '../../../base/formSaid';
import { isBefore } from '../../../base/spans';
import type { Tokenizer } from '../../tokenizer/tokenizer';
import type { SpanSource } from './grammar';
import { isIdOf, type IdKind } from './shownIds';
import { choicesSaid, durationsIn, numbersIn, type Restated, restatedIn, type SaidSpan, wholeSpans } from './spans';

type Schema = Record<string, unknown>;

/** Of the formats that JSON Schema names those that a text's form decides. */
const FORMATS: Readonly<Record<string, RegExp>> = {
  date: /^\d{4}-\d\d-\d\d$/,
  time: /^\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/i,
  'date-time': /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/i,
  email: /^[^\s@]+@[^\s@]+\.[^\s@.]+$/,
  uuid: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i,
  uri: /^[a-z][a-z\d+.-]*:\S+$/i,
  ipv4: /^\d{1,3}(\.\d{1,3}){3}$/,
};

/**
 * Does a text keep what the schema says of its form, by its description where nothing else says it? Null: it says
 * nothing. A pattern that JavaScript can't read counts as none.
 */
function formOf(schema: Schema): Form | null {
  const known = forms.get(schema);
  if (known !== undefined) return known;
  const { pattern, format, minLength, maxLength } = schema;
  const tests: Form[] = [];
  const regex = typeof pattern === 'string' ? compiled(pattern) : null;
  const named = typeof format === 'string' ? FORMATS[format] : undefined;
  for (const one of [regex, named, strictForm(schema)]) if (one) tests.push((text) => one.test(text));
  if (typeof minLength === 'number' && minLength > 1) tests.push((text) => text.length >= minLength);
  if (typeof maxLength === 'number') tests.push((text) => text.length <= maxLength);
  const form: Form | null = tests.length > 0 ? (text) => tests.every((test) => test(text)) : null;
  forms.set(schema, form);
  return form;
}

type Form = (text: string) => boolean;
/** A turn asks again and again, each turn of each episode. */
const forms = new WeakMap<Schema, Form | null>();

type MomentForm = (moment: string) => string;
/** As tasks are made (tasks/generate/everydayValues.ts, describedForm.ts): JSON Schema's format has seconds and a zone. */
const momentForms = ({ format }: Schema): readonly MomentForm[] =>
  format === 'date-time' ? [inUtc] : [(moment) => moment, (moment) => `${moment}:00`, inUtc, withSpace];
const inUtc: MomentForm = (moment) => `${moment}:00Z`;
const withSpace: MomentForm = (moment) => moment.replace('T', ' ');

function compiled(pattern: string): BoundedPattern | null {
  try {
    return boundedPattern(pattern);
  } catch {
    return null;
  }
}

/** What a schema takes of what was said. */
interface Accepted {
  /** ids of the spans that keep its form; null: it has none, so every span may be copied */
  spans: readonly number[][] | null;
  /** dates and times that were said in words; "half past two" only where the schema asks for that form */
  restated: readonly string[];
}

/** Of a start: an end has to come behind it; of an end: it comes `after` that. As far as what was said allows it. */
interface Bounds {
  hasEnd?: boolean;
  after?: string | undefined;
  /** of an end: then it is left out where nothing comes behind the start */
  isOptional?: boolean;
  /** of a list's item: what it holds already */
  not?: readonly string[];
}
const NOTHING: Accepted = { spans: [], restated: [] };
const DATED = /^\d{4}-\d\d-\d\d/;

/** What was looked up of a turn's text, once. */
interface Found {
  /** those that a form may fit */
  whole: readonly SaidSpan[] | null;
  spans: Map<Schema, Accepted['spans']>;
  ids: Map<IdKind, { own: readonly SaidSpan[]; hasOthers: boolean }>;
  numbers: Map<string, ReturnType<typeof numbersIn>>;
  restated: Restated | null;
  durations: Map<TimeUnit, ReturnType<typeof durationsIn>>;
  choices: Map<readonly unknown[], unknown[] | null>;
}

/** What was said, as far as schemas take it; for one turn, since each turn may copy from more. */
export class SaidValues {
  /** @param taken numbers that may not be said again */
  constructor(
    private readonly tokenizer: Tokenizer,
    private readonly source: SpanSource,
    private readonly excluded: ReadonlySet<number>,
    private readonly taken: readonly string[] = [],
    private readonly found: Found = {
      whole: null,
      spans: new Map(),
      ids: new Map(),
      numbers: new Map(),
      restated: null,
      durations: new Map(),
      choices: new Map(),
    },
    private readonly bounds: Bounds = {},
  ) {}

  /** The same for one of a stretch's two ends. */
  within(bounds: Bounds): SaidValues {
    return new SaidValues(this.tokenizer, this.source, this.excluded, this.taken, this.found, bounds);
  }

  /** The same for the next of a list's items. */
  notAgain(text: string): SaidValues {
    return this.within({ ...this.bounds, not: [...(this.bounds.not ?? []), text] });
  }

  /** The same but for a number, unless it was said more than once. */
  without(number: string): SaidValues {
    return this.numbersByTypeOf('number').often.has(Number(number))
      ? this
      : new SaidValues(this.tokenizer, this.source, this.excluded, [...this.taken, number], this.found, this.bounds);
  }

  /** What of it the schema takes; within the bounds, as far as anything lies there. */
  accepted(schema: Schema, kind: IdKind | null): Accepted {
    const { after, hasEnd = false, isOptional = false, not = [] } = this.bounds;
    const found = { spans: this.idsOf(kind, schema) ?? this.allSpans(schema), restated: this.allRestated(schema) };
    const all = not.length > 0 ? (this.only(found, (text) => !not.includes(text)) ?? NOTHING) : found;
    if (after !== undefined) {
      const behind = this.only(all, (text) => isBefore(after, text) !== false);
      return behind ?? (isOptional ? NOTHING : (this.only(all, (text) => text !== after) ?? all));
    }
    if (!hasEnd) return all;
    const texts = [...(all.spans ?? []).map((ids) => this.tokenizer.decode(ids, true)), ...all.restated];
    // a time of day alone may be of the night before
    const leavesRoom = (text: string): boolean => !DATED.test(text) || texts.some((end) => isBefore(text, end));
    return this.only(all, leavesRoom) ?? all;
  }

  /** null: that leaves nothing */
  private only({ spans, restated }: Accepted, keeps: (text: string) => boolean): Accepted | null {
    const kept = {
      spans: spans?.filter((ids) => keeps(this.tokenizer.decode(ids, true))) ?? null,
      restated: restated.filter(keeps),
    };
    return kept.spans?.length === 0 && kept.restated.length === 0 ? null : kept;
  }

  private allSpans(schema: Schema): Accepted['spans'] {
    let found = this.found.spans.get(schema);
    if (found === undefined) {
      const fits = formOf(schema);
      found = fits && this.wholeSpans().flatMap(({ ids, text }) => (fits(text) ? [ids] : []));
      this.found.spans.set(schema, found);
    }
    return found;
  }

  /** Ids of the kind; [] where only ids of other kinds were said. null: nothing is known of what may be one */
  private idsOf(kind: IdKind | null, schema: Schema): Accepted['spans'] {
    if (!kind) return null;
    let said = this.found.ids.get(kind);
    if (!said) this.found.ids.set(kind, (said = this.saidOf(kind)));
    const fits = formOf(schema);
    const own = said.own.flatMap(({ ids, text }) => (!fits || fits(text) ? [ids] : []));
    return own.length > 0 ? own : said.hasOthers ? [] : null;
  }

  private saidOf({ own, others }: IdKind): { own: readonly SaidSpan[]; hasOthers: boolean } {
    const whole = this.wholeSpans();
    return {
      own: whole.filter(({ text }) => isIdOf(own, text)),
      hasOthers: whole.some(({ text }) => others.some((other) => isIdOf(other, text))),
    };
  }

  private wholeSpans(): readonly SaidSpan[] {
    return (this.found.whole ??= wholeSpans(this.tokenizer, this.source, this.excluded));
  }

  private allRestated(schema: Schema): readonly string[] {
    const { all, sure, moments } = (this.found.restated ??= restatedIn(this.tokenizer, this.source));
    const fits = formOf(schema);
    if (!fits) return sure;
    const written = momentForms(schema).find((form) => fits(form('2026-05-05T15:00')));
    return [...all, ...(written ? moments.map(written) : [])].filter(fits);
  }

  /** Of an enum's values those that the request says; all where it says none. */
  choices(all: readonly unknown[]): readonly unknown[] {
    let said = this.found.choices.get(all);
    if (said === undefined) this.found.choices.set(all, (said = choicesSaid(this.tokenizer, this.source, all)));
    return said ?? all;
  }

  private durationsOf(unit: TimeUnit): ReturnType<typeof durationsIn> {
    let durations = this.found.durations.get(unit);
    if (!durations) this.found.durations.set(unit, (durations = durationsIn(this.tokenizer, this.source, unit)));
    return durations;
  }

  private numbersByTypeOf(type: 'integer' | 'number'): ReturnType<typeof numbersIn> {
    let numbers = this.found.numbers.get(type);
    if (!numbers) this.found.numbers.set(type, (numbers = numbersIn(this.tokenizer, this.source, type)));
    return numbers;
  }

  /**
   * Numbers within the schema's bounds; null: none was said at all. @param isOptional then none is taken out of a
   * word: few would leave it to that
   * @param unit of time that the number is given in: "two weeks" are 14 days, and no 2
   * @param isSigned "3 fewer" are -3
   */
  numbers(
    type: 'integer' | 'number',
    { minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema,
    isOptional: boolean,
    { unit, isSigned }: { unit: TimeUnit | null; isSigned: boolean },
  ): string[] | null {
    const numbers = this.numbersByTypeOf(type);
    const durations = unit && this.durationsOf(unit);
    const converted = (durations?.said ?? [])
      .filter((n) => type === 'number' || Number.isInteger(n))
      .map((n) => JSON.stringify(n));
    const alone = numbers.alone.filter((number) => !durations?.other.has(Number(number)));
    const plain = [...new Set([...alone, ...converted])];
    const all = isOptional || plain.length > 0 ? plain : numbers.inside;
    const said = all.filter((number) => !this.taken.includes(number));
    if (said.length === 0) return null;
    const holds = (bound: unknown, keeps: (bound: number) => boolean): boolean =>
      typeof bound !== 'number' || keeps(bound);
    const numbersOf = said.map(Number);
    return [...new Set(isSigned ? numbersOf.flatMap((n) => [n, -n]) : numbersOf)]
      .filter(
        (n) =>
          holds(minimum, (b) => n >= b) &&
          holds(maximum, (b) => n <= b) &&
          holds(exclusiveMinimum, (b) => n > b) &&
          holds(exclusiveMaximum, (b) => n < b),
      )
      .map((n) => JSON.stringify(n));
  }
}

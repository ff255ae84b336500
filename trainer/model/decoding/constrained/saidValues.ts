/**
 * What of users' and tools' words a schema takes: spans that keep its pattern, format and length, and numbers within
 * its bounds.
 */
import { boundedPattern, type BoundedPattern } from '../../../base/boundedPattern';
import type { Tokenizer } from '../../tokenizer/tokenizer';
import type { SpanSource } from './grammar';
import { numbersIn, restatedIn, spansThat } from './spans';

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
 * Does a text keep what the schema says of its form? Null: it says nothing. A pattern that JavaScript can't read
 * counts as none.
 */
function formOf({ pattern, format, minLength, maxLength }: Schema): ((text: string) => boolean) | null {
  const tests: ((text: string) => boolean)[] = [];
  const regex = typeof pattern === 'string' ? compiled(pattern) : null;
  const named = typeof format === 'string' ? FORMATS[format] : undefined;
  for (const one of [regex, named]) if (one) tests.push((text) => one.test(text));
  if (typeof minLength === 'number' && minLength > 1) tests.push((text) => text.length >= minLength);
  if (typeof maxLength === 'number') tests.push((text) => text.length <= maxLength);
  return tests.length > 0 ? (text) => tests.every((test) => test(text)) : null;
}

function compiled(pattern: string): BoundedPattern | null {
  try {
    return boundedPattern(pattern);
  } catch {
    return null;
  }
}

/** What was said, as far as schemas take it; for one turn, since each turn may copy from more. */
export class SaidValues {
  private readonly spansBySchema = new Map<Schema, readonly number[][] | null>();
  private readonly numbersByType = new Map<string, ReturnType<typeof numbersIn>>();
  private dates: string[] | null = null;

  constructor(
    private readonly tokenizer: Tokenizer,
    private readonly source: SpanSource,
    private readonly excluded: ReadonlySet<number>,
  ) {}

  /** Ids of the spans that keep the schema's form; null: it has none, so every span may be copied. */
  spans(schema: Schema): readonly number[][] | null {
    let found = this.spansBySchema.get(schema);
    if (found === undefined) {
      const fits = formOf(schema);
      this.spansBySchema.set(schema, (found = fits && spansThat(this.tokenizer, this.source, this.excluded, fits)));
    }
    return found;
  }

  /** Dates and times that were said in words, as far as the schema takes them. */
  restated(schema: Schema): string[] {
    this.dates ??= restatedIn(this.tokenizer, this.source);
    const fits = formOf(schema);
    return fits ? this.dates.filter(fits) : this.dates;
  }

  /**
   * Numbers within the schema's bounds; null: none was said at all. @param isOptional then none is taken out of a
   * word: few would leave it to that
   */
  numbers(
    type: 'integer' | 'number',
    { minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema,
    isOptional: boolean,
  ): string[] | null {
    let numbers = this.numbersByType.get(type);
    if (!numbers) this.numbersByType.set(type, (numbers = numbersIn(this.tokenizer, this.source, type)));
    const said = isOptional || numbers.alone.length > 0 ? numbers.alone : numbers.inside;
    if (said.length === 0) return null;
    const holds = (bound: unknown, keeps: (bound: number) => boolean): boolean =>
      typeof bound !== 'number' || keeps(bound);
    return said
      .map(Number)
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

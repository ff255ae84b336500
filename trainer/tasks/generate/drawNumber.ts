/** A number for a parameter: of those that are known, by its bounds, by what its description says, by its name. */
import { isWorked, ROUND_DURATIONS, timeUnitOf } from '../../base/durations';
import type { Random } from '../../base/random';
import { isSignedChange } from '../../base/signedChange';
import type { JsonSchema } from '../../protocol/task';
import { splitWords } from '../../base/words';
import { isPointer } from '../../tools/values/fit';

/**
 * @param known numbers that stand somewhere for a parameter of that name
 * @param about words of the tool: an amount of an invoice is money
 */
export function drawNumber(
  schema: JsonSchema,
  name: string,
  known: readonly unknown[],
  random: Random,
  about: readonly string[] = [],
): number {
  if (isSignedChange(name, schema)) {
    const by = (1 + random.int(random.next() < 0.7 ? 12 : 40)) * (random.next() < 0.5 ? -1 : 1);
    if (by >= Number(schema.minimum ?? by) && by <= Number(schema.maximum ?? by)) return by;
  }
  // a thing is asked for by a number that it has; a few others are defaults that some tool gave
  const spans = isWorked(about) ? [] : roundSpans(schema, name);
  if (spans.length > 0 && random.next() < ROUND_SPAN) return random.pick(spans);
  const words = splitWords(name);
  // nobody uses 0 g of a thing
  const least = words.some((word) => WEIGHED.test(word)) ? Number.MIN_VALUE : 0;
  const usable = isSigned(schema, name) ? known : known.filter((value) => Number(value) >= least);
  const share = isThing(schema, name, usable) ? 1 : new Set(usable).size < FEW ? 0.35 : 0.85;
  if (usable.length && random.next() < share) return random.pick(usable) as number;
  const numeric = (key: string): number | undefined =>
    typeof schema[key] === 'number' ? (schema[key] as number) : undefined;
  const usual = usualRange(schema, name, about);
  const step = numeric('multipleOf') ?? (schema.type === 'integer' ? 1 : undefined);
  const exclusive = step ?? 1;
  let low =
    numeric('minimum') ??
    (numeric('exclusiveMinimum') !== undefined ? numeric('exclusiveMinimum')! + exclusive : undefined);
  let high =
    numeric('maximum') ??
    (numeric('exclusiveMaximum') !== undefined ? numeric('exclusiveMaximum')! - exclusive : undefined);
  if (low === undefined && high === undefined) [low, high] = describedRange(schema) ?? [];
  const tenth = tenthOfDefault(schema);
  if (low === undefined && high === undefined && tenth !== null) return tenth * (1 + random.int(20));
  if (low === undefined && high === undefined)
    [low, high] = usual ? [usual[1], usual[2]] : [1, random.next() < 0.7 ? 12 : 90];
  low ??= Math.min(high! - 1, 1);
  // nobody buys 0 of a thing, though one may
  if (low === 0 && usual && usual[1] === 1 && (high ?? 2) > 1 && random.next() < SOME) low = 1;
  high ??= low + (usual ? usual[2] - usual[1] : random.next() < 0.7 ? 12 : 88);
  // of "1 to 1,000" results nobody wants 899
  const isWide = usual !== undefined && high - low > Math.min(1000, WIDE * (usual[2] - usual[1]));
  if (isWide && usual[1] >= low && usual[2] <= high) [low, high] = [usual[1], usual[2]];
  if (step !== undefined)
    return clean(
      Math.ceil(low / step) * step +
        step * random.int(Math.max(1, Math.floor((high - Math.ceil(low / step) * step) / step) + 1)),
    );
  if (high - low <= 1) return clean(low + (random.int(11) / 10) * (high - low));
  const any = Math.ceil(low) + random.int(Math.max(1, Math.floor(high) - Math.ceil(low) + 1));
  const to = any >= 5000 ? 500 : 5;
  const round = Math.round(any / to) * to;
  const isRound = words.some((word) => ROUND.test(word)) && high - low >= 30 && round >= low && round <= high;
  const whole = isRound && random.next() < 0.7 ? round : any;
  const isCount =
    /\bhow many\b|\bnumber of\b/i.test(String(schema.description)) || about.some((word) => COUNTED.test(word));
  return !isCount &&
    words.some((word) => MEASURES.test(word)) &&
    whole < 100 &&
    random.next() < 0.2 &&
    whole + 0.5 <= high
    ? whole + 0.5
    : whole;
}

/** So seldom none is asked for. */
const SOME = 0.95;
/** So many times what is usual is far beyond it. */
const WIDE = 20;

/** "for two weeks" is said oftener than for 13 days. */
const ROUND_SPAN = 0.35;

/** Within the schema's bounds, or those that its description tells; [] for what is no span of time. */
function roundSpans(schema: JsonSchema, name: string): number[] {
  const unit = timeUnitOf(name, schema.description);
  if (unit === null || isPointer(name)) return [];
  const [low, high] = describedRange(schema) ?? [0, Infinity];
  const { minimum = low, maximum = high, exclusiveMinimum = -Infinity, exclusiveMaximum = Infinity } = schema;
  const { multipleOf = 1 } = schema;
  return (ROUND_DURATIONS[unit] ?? []).filter(
    (n) =>
      n >= Number(minimum) &&
      n <= Number(maximum) &&
      n > Number(exclusiveMinimum) &&
      n < Number(exclusiveMaximum) &&
      n % Number(multipleOf) === 0 &&
      // of the hours of a day all are seldom meant
      !(unit === 'hour' && Number(maximum) <= 24),
  );
}

const FEW = 4;

/** "pupil: number of the pupil": it points to a thing, by its name or description. */
export const isNumberOf = (schema: JsonSchema, name: string): boolean =>
  isPointer(name) || /\b(id|number|no|code) of (the|a|an)\b|\b(id|identifier)\b/i.test(String(schema.description));

/** "pupil: number of the pupil", or 2201, 2207, 2315 under a name that says no quantity. */
const isThing = (schema: JsonSchema, name: string, known: readonly unknown[]): boolean =>
  isNumberOf(schema, name) ||
  (usualRange(schema, name) === undefined &&
    known.length > 0 &&
    known.every((one) => Number.isInteger(one) && Number(one) > 99));

function usualRange(
  { description, default: usual }: JsonSchema,
  name: string,
  about: readonly string[] = [],
): (typeof USUAL_RANGES)[number] | undefined {
  const words = splitWords(name);
  const described = splitWords(String(description ?? ''));
  const [isWeight, isHeight] = [words.includes('weight'), words.includes('height')];
  const isOfBody = (isWeight || isHeight) && OF_BODY.test(about.join(' '));
  if (OF_BODY.test(`${name} ${String(description)}`) || (isOfBody && isWeight)) return BODY;
  if (isOfBody) return [...words, ...described].some(isMetre) ? METRES : CENTIMETRES;
  if (words.includes('hours') && isWorked(about)) return HOURS;
  if (words.includes('amount') && (isMoney(described) || about.some((word) => PAID.test(word)))) return MONEY;
  // steps of a walk, but not where 5 of them are the default
  const isFar = (low: number): boolean => typeof usual === 'number' && usual > 0 && usual < low / 10;
  const byName = USUAL_RANGES.find(([pattern, low]) => words.some((word) => pattern.test(word)) && !isFar(low));
  // "estimated: cost in EUR"
  return byName ?? (isMoney(described) ? MONEY : undefined);
}
const HOURS = [/^/, 1, 9] as const;
const MONEY = [/^/, 5, 400] as const;
const PAID = /^(invoice|bill|payment|pay|expense|refund|transfer|donation|deposit|withdraw|transaction|charge|money)$/;
const OF_BODY = /\bbody ?(weight|mass)\b/i;
const BODY = [/^/, 45, 110] as const;
/** of people */
const CENTIMETRES = [/^/, 150, 200] as const;
const METRES = [/^/, 1.5, 2] as const;
const isMetre = (word: string): boolean => /^(m|met(re|er)s?)$/.test(word);

/** Does a number's description, in small words, speak of money? */
export const isMoney = (described: readonly string[]): boolean =>
  described.some((word) =>
    /^(price|cost|budget|fee|salary|rent|payment|deposit|wage|euros?|dollars?|rupees|eur|usd|gbp|inr|chf|sek|nok|dkk|pln|cad|aud|jpy|cny|omr|aed|sar|brl|mxn|ngn|kes|zar)$/.test(
      word,
    ),
  ) && !described.includes('number');

/** "take -75 grams": nobody says so, whatever a tool worked out. */
const isSigned = (schema: JsonSchema, name: string): boolean =>
  (typeof schema.minimum === 'number' && schema.minimum < 0) ||
  /temperature|degree|celsius|lat|lon|lng|offset|delta|change|balance|diff|adjust|shift|^[xyz]$/i.test(name);

/** "default: 5000": others are of its size, and as round. null: it says nothing of the size */
const tenthOfDefault = ({ default: usual }: JsonSchema): number | null =>
  typeof usual === 'number' && usual >= 50 && usual % 10 === 0 ? usual / 10 : null;

/** "how many days, 1 to 7", "between 0 and 100", "(1-72)", "1 (awful) to 5 (great)". */
function describedRange({ description }: JsonSchema): [number, number] | null {
  const found =
    /(?<![\d.-])(\d{1,6}(?:\.\d+)?)(?: ?\([^()\d]*\))? ?(?:to|through|-|–|and) ?(\d{1,6}(?:\.\d+)?)(?![\d.-]*\d)/.exec(
      typeof description === 'string' ? description : '',
    );
  const [low, high] = [Number(found?.[1]), Number(found?.[2])];
  if (low < high) return [low, high];
  const most = Number(AT_MOST.exec(String(description))?.[1]);
  return most > 1 ? [1, most] : null;
}

/** "amount, max 5", "up to 20" */
const AT_MOST = /\b(?:max(?:imum)?\.?:?|at most|up to|no more than) (\d{1,6})(?![\d.-]*\d)/i;

/** Of these nobody uses none. */
const WEIGHED = /^(amount|weight|kilos?|kg|grams?|pounds?|lit(er|re)s?|ml|quantity|qty|pieces|units)$/;
/** Numbers that one may halve. */
const MEASURES =
  /^(amount|price|cost|weight|kilos?|kg|grams?|pounds?|distance|length|width|height|depth|miles?|kilometers?|kilometres?|km|meters?|metres?|temperature|degrees|celsius|fahrenheit|speed|value|rate|volume|lit(er|re)s?|x|y)$/;

/** Of these there are no halves, whatever "length" they have. */
const COUNTED = /^(character|letter|string|text|word|password|slug)s?$/;

/** Of these people say 20 or 45 rather than 47. */
const ROUND =
  /^(minutes?|seconds?|percent|percentage|grams?|ml|calories|steps|budget|price|amount|distance|speed|volume|brightness|salary|income|loan|mortgage|capital)$/;

/** Without the dust of binary fractions. */
const clean = (value: number): number => Number(value.toFixed(6));

/** What a number of that name usually is, where the schema sets no bounds. */
const USUAL_RANGES: readonly (readonly [RegExp, number, number])[] = [
  [/^(year|born)$/, 1990, 2026],
  [/^years$/, 1, 30],
  [/^months$/, 1, 36],
  [/^weeks?$/, 1, 16],
  [/^month$/, 1, 12],
  [/^days?$/, 1, 28],
  [/^hours?$/, 1, 23],
  [/^(minutes?|seconds?)$/, 1, 59],
  [/^rent$/, 300, 3000],
  [/^(price|cost|total|budget)$/, 5, 400],
  [/^(ml|milliliters?|millilitres?)$/, 50, 1000],
  [/^(calories|kcal)$/, 40, 900],
  [/^(protein|carbs|fat|fiber|fibre|sugar)$/, 1, 60],
  [/^(g|grams?)$/, 5, 500],
  [/^steps$/, 1000, 15_000],
  [/^(limit|max|top|count|size)$/, 2, 9],
  [/^(percent|percentage|rate)$/, 1, 60],
  [/^(best|highest)$/, 3, 10],
  [/^(rating|ratings|stars|score|grade)$/, 1, 6],
  [/^(quantity|amount|people|persons|guests|seats|nights|party|doses|copies|times|adults|children)$/, 1, 12],
  [/^(kilos?|kg|kilograms?|pounds?|lbs?)$/, 1, 60],
  [/^weight$/, 1, 95],
  [/^(height|length|width|depth)$/, 20, 200],
  [/^(cm|centimet(er|re)s?)$/, 20, 200],
  [/^(distance|kilometers?|kilometres?|km|miles?)$/, 1, 120],
  [/^(mileage|odometer)$/, 900, 180_000],
  [/^speed$/, 10, 130],
  [/^(degrees|temperature|celsius)$/, 14, 30],
  [/^decimals$/, 0, 4],
  [/^sides$/, 4, 20],
  [/^(principal|loan|mortgage|salary|income|capital)$/, 1000, 60_000],
  [/^(lat|latitude)$/, -60, 70],
  [/^(lon|lng|longitude)$/, -170, 170],
  [/^(age)$/, 18, 80],
  [/^(page|offset|index)$/, 1, 9],
];

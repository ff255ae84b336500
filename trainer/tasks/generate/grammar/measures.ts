/** Numbers with a unit of measure: "250 ml of water", "24 g of protein", "for 45 minutes". */
import type { Random } from '../../../base/random';
import type { Role } from './roles';

/** @property of what is measured ("protein"); '' where the name says no more than the unit ("amount_ml") */
export interface Measure {
  of: string;
  unit: readonly string[];
  isTime: boolean;
}

/** A unit as names and descriptions write it, as people say it. */
const UNITS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^(ml|millilit(er|re)s?)$/, ['ml', 'ml', 'millilitres', 'milliliters']],
  [/^lit(er|re)s?$/, ['litres', 'liters', 'l']],
  [/^gallons?$/, ['gallons']],
  [/^(mg|milligrams?)$/, ['mg', 'mg', 'milligrams']],
  [/^(g|grams?)$/, ['g', 'g', 'grams']],
  [/^(kg|kgs|kilos?|kilograms?)$/, ['kg', 'kg', 'kilos', 'kilograms']],
  [/^(lbs?|pounds?)$/, ['lbs', 'pounds', 'pounds']],
  [/^(oz|ounces?)$/, ['oz', 'ounces']],
  [/^(mm|millimet(er|re)s?)$/, ['mm', 'mm', 'millimetres']],
  [/^(cm|centimet(er|re)s?)$/, ['cm', 'cm', 'centimetres']],
  [/^met(er|re)s?$/, ['metres', 'meters', 'm']],
  [/^(km|kilomet(er|re)s?)$/, ['km', 'km', 'kilometres', 'kilometers']],
  [/^(miles?|mi)$/, ['miles', 'miles', 'mi']],
  [/^(inch(es)?)$/, ['inches']],
  [/^(ft|feet)$/, ['feet', 'ft']],
  [/^(kmh|kph)$/, ['km/h', 'kmh']],
  [/^mph$/, ['mph', 'miles per hour']],
  [/^(kwh)$/, ['kWh']],
  [/^(watts?)$/, ['watts', 'W']],
  [/^(mb|megabytes?)$/, ['MB', 'megabytes']],
  [/^(gb|gigabytes?)$/, ['GB', 'gigabytes']],
  [/^(px|pixels?)$/, ['px', 'pixels']],
  [/^(pct|percent|percentage)$/, ['%', 'percent', 'percent']],
  [/^(celsius)$/, ['celsius', 'degrees', '°C']],
  [/^(fahrenheit)$/, ['fahrenheit', 'degrees', '°F']],
  [/^degrees$/, ['degrees']],
  [/^(euros?|eur)$/, ['euros', 'EUR']],
  [/^(dollars?|usd)$/, ['dollars', 'USD', 'dollars']],
  [/^(seconds?|secs?)$/, ['seconds', 'secs']],
  [/^(minutes?|mins?)$/, ['minutes', 'minutes', 'min', 'mins']],
  [/^(hours?|hrs?)$/, ['hours', 'hours', 'hrs']],
];
const TIME = /^(second|minute|hour)s$/;

/** Words of a name that say nothing of what is measured. */
const EMPTY =
  /^(amount|duration|total|number|length|time|value|in|of|the|estimated|about|size|quantity|period|min|max|minimum|maximum)$/;

/** Such a number says what it is without its unit, too. */
const KNOWN_BY_UNIT = /^(weight|distance|temperature|temp|volume|speed|duration)$/;

const MEASURED: ReadonlySet<Role> = new Set(['other', 'count', 'least', 'most', 'limit', 'thing', 'share', 'quantity']);

const unitOf = (word: string): readonly string[] | undefined => UNITS.find(([pattern]) => pattern.test(word))?.[1];

/** "ml", "km": not of money. */
export const isUnit = (word: string): boolean =>
  unitOf(word) !== undefined && !/^(euros?|eur|dollars?|usd)$/.test(word);

/**
 * By the name's last word, else by what the description says it is in.
 * @param words of the name @param described the description's first words
 */
export function measureOf(words: readonly string[], described: readonly string[], role: Role): Measure | null {
  if (!MEASURED.has(role)) return null;
  const named = unitOf(words.at(-1) ?? '');
  const told = described.findIndex((word, i) => described[i - 1] === 'in' && unitOf(word) !== undefined);
  const unit = named ?? (told > 0 ? unitOf(described[told]!) : undefined);
  if (!unit) return null;
  const rest = (named ? words.slice(0, -1) : words).filter((word) => !EMPTY.test(word));
  return {
    of: rest.join(' '),
    unit,
    isTime: TIME.test(unit[0]!),
  };
}

/** "20 kg", "20%" */
export function amountOf(said: string, units: readonly string[], random: Random): string {
  const drawn = random.pick(units);
  const isShort = /^\d/.test(said) && /^(m?[lg]|[kcm]m|kg|%|oz|lbs|[MG]B|px|°[CF])$/.test(drawn);
  return drawn === '%' || (isShort && random.next() < 0.35) ? `${said}${drawn}` : `${said} ${drawn}`;
}

/** @param isNamed one of several numbers: what it is of is said */
export function sayMeasure({ of, unit, isTime }: Measure, said: string, random: Random, isNamed: boolean): string {
  const amount = amountOf(said, unit, random);
  if (of === '' || (!isNamed && KNOWN_BY_UNIT.test(of) && random.next() < 0.5))
    return random.pick(isTime ? ALONE_TIME : ALONE).replace('{a}', () => amount);
  return random
    .pick(isTime ? OF_TIME : SUBSTANCE.test(of) ? OF_SUBSTANCE : OF_SIZE)
    .replace('{a}', () => amount)
    .replace('{v}', () => said)
    .replace('{p}', () => of);
}

const ALONE = ['{a}', '{a}', '{a}', 'of {a}', 'at {a}', 'for {a}'];
const ALONE_TIME = ['for {a}', 'for {a}', 'for {a}', '{a}', '{a}', 'of {a}'];
const OF_TIME = ['{a} of {p}', '{p} {a}', '{p}: {a}', 'with {a} of {p}', 'for {a}', '{a} {p}', '{p} for {a}'];
const SUBSTANCE =
  /\b(protein|carbs?|carbohydrates?|fats?|sugar|fib(er|re)|sodium|salt|water|milk|flour|rice|coffee|caffeine|alcohol|fuel|sleep)$/;
const OF_SUBSTANCE = ['{a} of {p}', '{a} of {p}', '{a} {p}', '{p} {a}', '{p}: {a}', 'with {a} of {p}', '{p} {v}'];
const OF_SIZE = [
  '{p} {a}',
  '{p} {a}',
  '{p}: {a}',
  'with a {p} of {a}',
  '{p} of {a}',
  '{p} {v}',
  '{p} is {a}',
  '{a} {p}',
];

/** What is said in one go: from one to another, 3 out of 5, 2 cups, 12 and 7. */
import type { Random } from '../../../base/random';
import { endsInTime } from './mention';
import type { Part } from './parts';
import type { Role } from './roles';

export interface Together {
  parts: readonly Part[];
  text: string;
  /** it stands before all others */
  isFirst?: boolean;
}

/** Parts that are said in one go, each at most once; some are said apart now and then. */
export function saidTogether(parts: readonly Part[], random: Random): Together[] {
  const out: Together[] = [];
  for (const join of [stretchOf, scoreOf, amountOf, operandsOf]) {
    const left = parts.filter((part) => !out.some((one) => one.parts.includes(part)));
    const found = join(left, random);
    if (found) out.push(found);
  }
  return out;
}

/** What goes from one to another; null: nothing does, or this time it is said apart. */
function stretchOf(parts: readonly Part[], random: Random): Together | null {
  // a first and a last name are no stretch
  const ends = parts.filter(({ parameter, said }) => typeof said === 'string' && !/name$/.test(parameter.words));
  const end = (role: Role, words: RegExp): Part | undefined =>
    ends.find(({ parameter }) => parameter.role === role && !parameter.isPlace) ??
    ends.find(({ parameter }) => words.test(parameter.words));
  const from = end('from', /^(from|start|source|origin|since|begin|first .)/);
  const to = end('to', /^(to|end|target|destination|until|(second|last) .)\b/);
  if (!from || !to || random.next() >= TOGETHER) return null;
  const [a, b] = [String(from.said), String(to.said)];
  const isWhen = endsInTime(from.parameter, a) || endsInTime(to.parameter, b);
  const isConverted = isMeasure(a) && isMeasure(b);
  const amount = isConverted ? parts.filter(isAmount) : [];
  if (amount.length === 1 && random.next() < TOGETHER)
    return { parts: [from, to, amount[0]!], text: `${String(amount[0]!.said)} ${filled(random.pick(INTO), a, b)}` };
  const texts = [...STRETCHES, ...(isWhen ? TIMES : MOVES), ...(isConverted ? CONVERSIONS : [])];
  return { parts: [from, to], text: filled(random.pick(texts), a, b) };
}

const TOGETHER = 0.75;
const STRETCHES = ['from {a} to {b}', 'from {a} to {b}', 'between {a} and {b}', '{a} to {b}'];
const MOVES = ['from {a} to {b}', '{a} into {b}', 'out of {a} to {b}'];
const TIMES = ['from {a} until {b}', '{a} - {b}', 'starting at {a} and ending at {b}'];

/** "250 USD in EUR" */
const CONVERSIONS = ['{a} in {b}', '{a} in {b}', '{a} in {b}', '{a} as {b}', '{b} for {a}', 'from {a} into {b}'];
/** "3.5 miles to km" */
const INTO = ['{a} to {b}', '{a} in {b}', '{a} in {b}', '{a} into {b}', '{a} as {b}'];
const isMeasure = (text: string): boolean => MEASURES.test(text);
const MEASURES = new RegExp(
  '^(?:EUR|USD|GBP|JPY|CHF|SEK|NOK|DKK|PLN|CAD|AUD|CNY|INR|euros?|dollars?|yen|celsius|fahrenheit|kelvin|feet|foot|' +
    '(?:kilo|centi|milli)?(?:met(?:er|re)|gram|lit(?:er|re))s?|kg|km|cm|mm|miles?|inch(?:es)?|yards?|pounds?|ounces?|' +
    'cups?|(?:table|tea)spoons?|gallons?|hours?|minutes?|seconds?|days?|weeks?|stones?)$',
  'i',
);

/** "3 out of 5 stars" */
function scoreOf(parts: readonly Part[], random: Random): Together | null {
  const best = parts.find(({ parameter, said }) => parameter.scoreOf !== null && typeof said === 'string');
  const score = best && parts.find(({ parameter }) => parameter.path.join('.') === best.parameter.scoreOf);
  if (!best || !score || random.next() >= TOGETHER) return null;
  const unit = unitFor(score, parts);
  const text = filled(random.pick(SCORES), String(score.said), String(best.said));
  return unit && random.next() < TOGETHER
    ? { parts: [score, best, unit], text: `${text} ${String(unit.said)}` }
    : { parts: [score, best], text };
}
const SCORES = ['{a} out of {b}', '{a} out of {b}', '{a} of {b}', '{a}/{b}', 'a {a} out of {b}'];

/** "2 cups", "50 USD" */
function amountOf(parts: readonly Part[], random: Random): Together | null {
  for (const unit of parts.filter(isUnit)) {
    const number = parts.find((part) => isAmount(part) && unitFor(part, parts) === unit);
    if (number && random.next() < TOGETHER)
      return { parts: [number, unit], text: `${String(number.said)} ${String(unit.said)}` };
  }
  return null;
}

const UNIT = /(^| )(units?|currency)$/;
/** Of "units: 5" there are five. */
const isUnit = ({ parameter: { role, words }, said }: Part): boolean =>
  role === 'unit' && UNIT.test(words) && typeof said === 'string';
const QUANTITIES: ReadonlySet<Role> = new Set(['quantity', 'money', 'other', 'count']);
const isAmount = ({ parameter: { role }, said }: Part): boolean => QUANTITIES.has(role) && typeof said === 'string';

/** "ratingUnit" beside "ratingValue"; a bare "unit" where there is one number alone. undefined: there is none */
function unitFor(number: Part, parts: readonly Part[]): Part | undefined {
  const own = number.parameter.words.split(' ')[0]!;
  if (number.parameter.measure) return undefined;
  return parts
    .filter(isUnit)
    .find(({ parameter: { words } }) =>
      words.includes(' ') ? words.startsWith(`${own} `) : parts.filter(isAmount).length === 1,
    );
}

/** "add 12 and 7", "compare MED-101 with MED-142": what a tool only counts through, in its order. */
const OPERAND =
  /^(?:[a-z]|(?:num|number|operand|value|term|addend|factor) ?[a-d1-4]|(?:first|second|third)(?: number)?|left|right)$/;

function operandsOf(parts: readonly Part[], random: Random): Together | null {
  const bare = parts.filter(isOperand);
  if (bare.length < 2) return null;
  const areTexts = bare.every(({ said }) => !/^-?[\d.,]+$/.test(String(said)));
  const between = bare.length > 2 ? ', ' : areTexts && random.next() < 0.3 ? ' with ' : ' and ';
  return { parts: bare, text: bare.map(({ said }) => String(said)).join(between), isFirst: true };
}

export const isOperand = ({ parameter, said }: Pick<Part, 'parameter' | 'said'>): boolean =>
  OPERAND.test(parameter.words) && /^\S+$/.test(String(said));

/** In any order; what a tool only counts through keeps its own. */
export function inAnyOrder(parts: readonly Part[], random: Random): Part[] {
  const operands = parts.filter(isOperand).values();
  return random.shuffle([...parts]).map((part) => (isOperand(part) ? operands.next().value! : part));
}

const filled = (text: string, a: string, b: string): string => text.replace('{a}', () => a).replace('{b}', () => b);

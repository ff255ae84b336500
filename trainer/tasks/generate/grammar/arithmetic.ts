/** Sums as people put them: "what's 59 times 4", "divide 8 by 2", "the square root of 9". */
import type { Random } from '../../../base/random';
import type { Arguments } from '../../../protocol/arguments';
import { nameWordsOf } from '../../../tools/schema/words';
import { at, type Part, type Parts } from './parts';
import { isOperand } from './together';
import type { CoreKind } from './sentence';
import type { ToolTalk } from './toolTalk';

/** How it is called in a name or a choice; what it gives; what one asks to have done. Signs are for digits alone. */
interface Operation {
  name: RegExp;
  sums: readonly string[];
  orders: readonly string[];
}

const OPERATIONS: readonly Operation[] = [
  {
    name: /^(add|addition|plus|sum|\+)$/,
    sums: ['{a} plus {b}', '{a} + {b}', '{a}+{b}', 'the sum of {a} and {b}', '{a} and {b} together'],
    orders: ['add {a} and {b}', 'add {a} to {b}', 'add up {a} and {b}', 'sum {a} and {b}'],
  },
  {
    name: /^(sub|subtract|subtraction|minus|difference|-)$/,
    sums: ['{a} minus {b}', '{a} - {b}', '{a}-{b}', '{a} less {b}', 'the difference between {a} and {b}'],
    orders: ['subtract {b} from {a}', 'take {b} from {a}', 'take {b} away from {a}', 'deduct {b} from {a}'],
  },
  {
    name: /^(mul|mult|multiply|multiplication|times|product|\*|x)$/,
    sums: ['{a} times {b}', '{a} * {b}', '{a} x {b}', '{a}*{b}', '{a} multiplied by {b}', 'the product of {a} and {b}'],
    orders: ['multiply {a} by {b}', 'multiply {a} and {b}', 'multiply {a} with {b}'],
  },
  {
    name: /^(div|divide|division|quotient|\/)$/,
    sums: ['{a} divided by {b}', '{a} / {b}', '{a}/{b}', '{a} over {b}', 'the quotient of {a} and {b}'],
    orders: ['divide {a} by {b}', 'split {a} by {b}'],
  },
  {
    name: /^(mod|modulo|modulus|remainder|%)$/,
    sums: [
      '{a} modulo {b}',
      '{a} mod {b}',
      '{a} % {b}',
      'the remainder of {a} divided by {b}',
      'the rest of {a} by {b}',
    ],
    orders: ['take {a} modulo {b}', 'divide {a} by {b} and tell me what is left'],
  },
  {
    name: /^(pow|power|exponent|exponentiate|raise|\^|\*\*)$/,
    sums: ['{a} to the power of {b}', '{a}^{b}', '{a} ** {b}', '{a} raised to {b}'],
    orders: ['raise {a} to the power of {b}', 'raise {a} to {b}'],
  },
  {
    name: /^(sqrt|squareroot|square root|root)$/,
    sums: ['the square root of {a}', 'sqrt({a})', 'sqrt {a}', 'the root of {a}', 'square root of {a}'],
    orders: ['take the square root of {a}', 'extract the root of {a}'],
  },
  {
    name: /^square$/,
    sums: ['{a} squared', 'the square of {a}', '{a}^2', '{a} times itself'],
    orders: ['square {a}'],
  },
  {
    name: /^factorial$/,
    sums: ['the factorial of {a}', '{a} factorial', '{a}!'],
    orders: ['take the factorial of {a}'],
  },
];

/** So often as a sum, else as any other tool is asked. */
const AS_SUM = 0.8;
const EMPTY = /^(two|three|the|of|a|an|number|numbers|value|values|calculate|calc|compute|get|do|math|and|integers?)$/;
/** What comes second in a sum, wherever the schema has it. */
const SECOND = /^(divisor|denominator|subtrahend|exponent|power)$/;

type Given = Pick<Part, 'parameter' | 'said'>;

/** Is the call a sum and nothing else? Nobody asks for one in words that only go with it. */
export function isSum(talk: ToolTalk, args: Arguments): boolean {
  const given = talk.parameters.flatMap((parameter) => {
    const value = at(args, parameter.path);
    return value === undefined ? [] : [{ parameter, said: String(value) }];
  });
  return sumOf(talk, given) !== null;
}

/** null: it is no such tool, or more or less is said than its numbers. */
function sumOf(talk: ToolTalk, given: readonly Given[]): { operation: Operation; numbers: string[] } | null {
  const numbers = given.filter(isNumber);
  const [choice, ...more] = given.filter((one) => !numbers.includes(one));
  if (numbers.length === 0 || more.length > 0 || (choice && choice.parameter.role !== 'choice')) return null;
  const words = choice
    ? String(choice.said)
    : nameWordsOf(talk.tool)
        .filter((word) => !EMPTY.test(word))
        .join(' ');
  const operation = OPERATIONS.find(({ name }) => name.test(words.toLowerCase()));
  if (!operation || numbers.length !== (operation.sums[0]!.includes('{b}') ? 2 : 1)) return null;
  return { operation, numbers: inOrder(numbers, talk).map(({ said }) => String(said)) };
}

/** The sum that is asked for; null: it is none, or is asked for as of any other tool. What picks it needs no word then. */
export function sumSaid(kind: CoreKind, talk: ToolTalk, parts: Parts, random: Random): string | null {
  const found = sumOf(talk, parts.all);
  if (found === null || random.next() > AS_SUM) return null;
  const { operation, numbers } = found;
  parts.all = parts.all.filter(isNumber);
  const [a = '', b = ''] = numbers;
  const isDigits = [a, b].every((text) => /^[\d.]*$/.test(text));
  const fill = (text: string): string => text.replace('{a}', () => a).replace('{b}', () => b);
  const sum = fill(random.pick(operation.sums.filter((text) => isDigits || !SIGNS.test(text))));
  if (kind === 'ellipsis') return sum;
  if (kind === 'order')
    return random.next() < 0.5 ? fill(random.pick(operation.orders)) : `${random.pick(WORK_OUT)} ${sum}`;
  return `${random.pick(kind === 'question' ? WHAT_IS : KNOW)} ${sum}`;
}
const SIGNS = /[-+*/^%!(]|\bx\b/;

const WORK_OUT = ['work out', 'calculate', 'compute', 'tell me', 'give me', 'find'];
const WHAT_IS = ['what is', "what's", 'how much is', 'what do I get for', 'can you work out', 'could you calculate'];
const KNOW = ["I'd like to know", 'I need', 'I need to know', 'I want to know', "I'm trying to work out"];

const isNumber = (part: Given): boolean => isOperand(part) || IN_SUMS.test(part.parameter.words);
/** Numbers of nothing else: "add(points, level)" is no sum. */
const IN_SUMS =
  /^(augend|base|exponent|power|dividend|divisor|minuend|subtrahend|numerator|denominator|multiplier|radicand|number|n|x)$/;

/** As the schema has them, but a divisor behind what it divides. */
function inOrder(numbers: readonly Given[], talk: ToolTalk): Given[] {
  const place = ({ parameter }: Given): number =>
    (SECOND.test(parameter.words) ? talk.parameters.length : 0) + talk.parameters.indexOf(parameter);
  return [...numbers].sort((a, b) => place(a) - place(b));
}

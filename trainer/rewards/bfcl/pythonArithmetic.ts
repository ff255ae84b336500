/**
 * Arithmetic among a call's arguments. BFCL hands it to Python's eval; here numbers, texts and lists alone, as Python
 * reckons.
 */
import type { Node } from './pythonExpression';
import { PythonError } from './pythonTokens';
import { Tuple, type Value } from './values';

/** @throws PythonError where Python raises, or where names or calls are reckoned with */
export function arithmetic(node: Node): Value {
  switch (node.kind) {
    case 'constant':
      return node.value;
    case 'list':
      return node.items.map(arithmetic);
    case 'tuple':
      return new Tuple(node.items.map(arithmetic));
    case 'unary':
      return signed(node.operator, numberOf(arithmetic(node.operand)));
    case 'binary':
      return applied(node.operator, arithmetic(node.left), arithmetic(node.right));
    default:
      throw new PythonError('it reckons with something else than numbers, texts and lists');
  }
}

function signed(operator: string, value: bigint | number | null): bigint | number {
  if (value === null || (operator === '~' && typeof value === 'number'))
    throw new PythonError(`${operator} can't be reckoned there`);
  if (operator === '~') return ~(value as bigint); // a float was refused above
  return operator === '-' ? -value : value;
}

/** A number, where True is 1; null: it is none. */
const numberOf = (value: Value): bigint | number | null =>
  typeof value === 'boolean' ? BigInt(value) : typeof value === 'bigint' || typeof value === 'number' ? value : null;

function applied(operator: string, a: Value, b: Value): Value {
  const [x, y] = [numberOf(a), numberOf(b)];
  const made =
    x === null || y === null
      ? ofSequences(operator, x ?? a, y ?? b)
      : typeof x === 'bigint' && typeof y === 'bigint'
        ? ofInts(operator, x, y)
        : ofFloats(operator, Number(x), Number(y));
  if (made === null) throw new PythonError(`${operator} can't be reckoned there`);
  return made;
}

/** Beyond this many bits, or items, it is nobody's argument, and takes long. */
const MAX_SIZE = 100_000n;

function ofSequences(operator: string, a: Value, b: Value): Value {
  if (operator === '+') {
    if (typeof a === 'string' && typeof b === 'string') return a + b;
    if (Array.isArray(a) && Array.isArray(b)) return [...a, ...b];
    if (a instanceof Tuple && b instanceof Tuple) return new Tuple([...a.items, ...b.items]);
  }
  const [sequence, times] = typeof b === 'bigint' ? [a, b] : [b, a];
  if (operator !== '*' || typeof times !== 'bigint') return null;
  const repeat = (length: number): number[] => {
    if (times * BigInt(length) > MAX_SIZE) throw new PythonError('it is too long');
    return Array.from({ length: Number(times > 0n ? times : 0n) }, (_, i) => i);
  };
  if (typeof sequence === 'string')
    return repeat(sequence.length)
      .map(() => sequence)
      .join('');
  if (Array.isArray(sequence)) return repeat(sequence.length).flatMap(() => sequence);
  return sequence instanceof Tuple ? new Tuple(repeat(sequence.items.length).flatMap(() => sequence.items)) : null;
}

function ofInts(operator: string, a: bigint, b: bigint): bigint | number | null {
  switch (operator) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return b === 0n ? null : Number(a) / Number(b);
    case '//':
      return b === 0n ? null : (a - remainder(a, b)) / b;
    case '%':
      return b === 0n ? null : remainder(a, b);
    case '**':
      return b < 0n
        ? ofFloats('**', Number(a), Number(b))
        : b * BigInt(a.toString(2).length) > MAX_SIZE
          ? null
          : a ** b;
    case '|':
      return a | b;
    case '^':
      return a ^ b;
    case '&':
      return a & b;
    case '<<':
      return b < 0n || b > MAX_SIZE ? null : a << b;
    case '>>':
      return b < 0n ? null : a >> b;
    default:
      return null;
  }
}

/** With the sign of the divisor. */
const remainder = (a: bigint, b: bigint): bigint => ((a % b) + b) % b;

function ofFloats(operator: string, a: number, b: number): number | null {
  switch (operator) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return b === 0 ? null : a / b;
    case '//':
      return b === 0 ? null : floorQuotient(a, b);
    case '%':
      return b === 0 ? null : floatRemainder(a, b);
    case '**':
      return (a < 0 && !Number.isInteger(b)) || (a === 0 && b < 0) ? null : a ** b;
    default:
      return null;
  }
}

function floatRemainder(a: number, b: number): number {
  const rest = a % b;
  return rest !== 0 && rest < 0 !== b < 0 ? rest + b : rest;
}

/** As CPython's float_floor_div: by the remainder, so that 1.0 // 0.1 is 9. */
function floorQuotient(a: number, b: number): number {
  const quotient = (a - floatRemainder(a, b)) / b;
  const floor = Math.floor(quotient);
  return quotient - floor > 0.5 ? floor + 1 : floor;
}

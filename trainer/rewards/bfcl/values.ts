/**
 * Values as BFCL's checker sees them. It asks Python for `type(x)`, so what JavaScript has one kind of is kept apart: a
 * bigint is an int, a number is a
 * float, a Tuple is no list, and a dict is a Map in the text's order.
 */
import { pyEqual, readJson } from '../python';

export type Value = null | boolean | bigint | number | string | Value[] | Tuple | Dict;
export type Dict = Map<string, Value>;
export class Tuple {
  constructor(readonly items: Value[]) {}
}

/** One call of a model. */
export interface Call {
  name: string;
  arguments: Dict;
}

/** Python's name of a value's type. */
export type TypeName = 'NoneType' | 'bool' | 'int' | 'float' | 'str' | 'list' | 'tuple' | 'dict';

export function typeOf(value: Value): TypeName {
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int';
    case 'number':
      return 'float';
    case 'string':
      return 'str';
    default:
      return value === null ? 'NoneType' : Array.isArray(value) ? 'list' : value instanceof Tuple ? 'tuple' : 'dict';
  }
}

/** `a == b`: True is 1 is 1.0, and a tuple equals no list. */
export function areEqual(a: Value, b: Value): boolean {
  if (a instanceof Tuple && b instanceof Tuple) return areItemsEqual(a.items, b.items);
  if (Array.isArray(a) && Array.isArray(b)) return areItemsEqual(a, b);
  if (a instanceof Map && b instanceof Map)
    return a.size === b.size && [...a].every(([key, value]) => b.has(key) && areEqual(value, b.get(key)!));
  return isScalar(a) && isScalar(b) && pyEqual(a, b);
}

const areItemsEqual = (a: readonly Value[], b: readonly Value[]): boolean =>
  a.length === b.length && a.every((item, i) => areEqual(item, b[i]!));
const isScalar = (value: Value): value is null | boolean | bigint | number | string =>
  typeof value !== 'object' || value === null;

/** `value in list` */
export const isAmong = (value: Value, list: readonly Value[]): boolean => list.some((item) => areEqual(value, item));

/**
 * `json.loads(text)` with ints and floats kept apart.
 * @throws PyError where Python raises
 */
export const readValue = (text: string): Value =>
  readJson<bigint | number>(text, (number, isFloat) => (isFloat ? Number(number) : BigInt(number)));

/**
 * A value as plain JSON; a tuple becomes a list, and 5.0 can't be told from 5 any more. For messages and for lines
 * that need not be exact.
 */
export function toPlain(value: Value): unknown {
  if (value instanceof Tuple) return value.items.map(toPlain);
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, member]) => [key, toPlain(member)]));
  return Array.isArray(value) ? value.map(toPlain) : typeof value === 'bigint' ? Number(value) : value;
}

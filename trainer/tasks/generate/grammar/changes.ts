/** By how much something changes: "3 more", "take 3 off". */
import type { Random } from '../../../base/random';
import { restate } from '../../../base/restate';
import { fill } from './fill';

const UP: readonly string[] = [
  '{v} more',
  '{v} more',
  'plus {v}',
  '+{v}',
  'add {v}',
  'up by {v}',
  '{v} extra',
  '{v} came in',
  'increase it by {v}',
];
const DOWN: readonly string[] = [
  '{v} fewer',
  '{v} less',
  'minus {v}',
  '-{v}',
  'take {v} off',
  'down by {v}',
  '{v} are gone',
  'remove {v}',
  'reduce it by {v}',
];
const IN_WORDS = 0.2;

/** @param value below nothing: it goes down */
export function changeSaid(value: number, random: Random): string {
  const amount = Math.abs(value);
  const said = random.next() < IN_WORDS ? restate(amount, random) : null;
  const text = random.pick(value < 0 ? DOWN : UP);
  return fill(text, { v: said !== null && !/[+-]\{v\}/.test(text) ? said : String(amount) });
}

/** By how much something changes: "3 more", "take 3 off". */
import type { Random } from '../../../base/random';
import { restate } from '../../../base/restate';
import { splitWords } from '../../../base/words';
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

const LOST =
  /^(broken|breakage|consumed|damaged?|discarded|expired|loss|lost|missing|scrapped|shipped|sold|spoiled|spoilt|stolen|theft|used|wasted?|written off)$/;
const GAINED = /^(bought|delivered|delivery|found|produced|purchased?|received|restock(?:ed)?|returned?)$/;
const STATE = /^(?:.*(?:ed|en|lt)|lost|sold|found|missing|bought|written off)$/;

const REASON = /^(?:action|cause|event|kind|movement|reason|type|why)$/;

/** Which way it goes for that reason: three that are damaged are three less. null: either, or it is no reason. */
export function signOf(name: string, reason: unknown): 1 | -1 | null {
  if (!REASON.test(splitWords(name).at(-1) ?? '')) return null;
  const words = typeof reason === 'string' ? reason.replace(/[_-]/g, ' ').toLowerCase() : '';
  return LOST.test(words) ? -1 : GAINED.test(words) ? 1 : null;
}

/** "3 damaged", "12 were found": a change and its reason in one. null: the reason is nothing that things are. */
export function changedFor(value: number, name: string, reason: string, random: Random): string | null {
  const state = reason.replace(/[_-]/g, ' ');
  if (signOf(name, reason) !== Math.sign(value) || !STATE.test(state)) return null;
  const amount = String(Math.abs(value));
  const said = random.next() < IN_WORDS ? (restate(Math.abs(value), random) ?? amount) : amount;
  return fill(random.pick(FOR_REASON), { v: said, r: state });
}
const FOR_REASON = ['{v} {r}', '{v} {r}', '{v} were {r}', '{v} are {r}', '{v} got {r}', '{v} of them {r}'];

/** @param value below nothing: it goes down */
export function changeSaid(value: number, random: Random): string {
  const amount = Math.abs(value);
  const said = random.next() < IN_WORDS ? restate(amount, random) : null;
  const text = random.pick(value < 0 ? DOWN : UP);
  return fill(text, { v: said !== null && !/[+-]\{v\}/.test(text) ? said : String(amount) });
}

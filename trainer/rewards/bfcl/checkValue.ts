/** BFCL's comparison of one value with the accepted ones, by kind of value; see checker.ts. */
import { isAmong, typeOf, type Value } from './values';

/** What is wrong: BFCL's own name for it, and a sentence. */
export interface Finding {
  reason: string;
  message: string;
}
export const wrong = (reason: string, message: string): Finding => ({ reason, message });

/** The task itself is not what the checker can judge; the original raises there. */
export class CheckError extends Error {}

/** Blanks and , . / - _ * ^ don't count, nor does case, and ' is ". */
const standardise = (text: string): string =>
  text
    .replace(/[ ,./\-_*^]/g, '')
    .toLowerCase()
    .replaceAll("'", '"');
const standard = (value: Value): Value => (typeof value === 'string' ? standardise(value) : value);

export function checkString(parameter: string, value: Value, accepted: readonly Value[]): Finding | null {
  const given = standard(value);
  return accepted.some((answer) => typeof answer === 'string' && standardise(answer) === given)
    ? null
    : wrong('value_error:string', `${parameter} is ${JSON.stringify(value)}, which is not accepted`);
}

/** In order; texts by their standard form, in the list itself and not below it. */
export function checkList(parameter: string, value: Value, accepted: readonly Value[]): Finding | null {
  const given = (value as Value[]).map(standard); // its type was checked
  return isAmong(
    given,
    accepted.map((answer) => itemsOf(answer).map(standard)),
  )
    ? null
    : wrong('value_error:list/tuple', `${parameter} is a list that is not accepted`);
}

/**
 * `{key: [accepted values]}`, compared with each accepted dict; a key with "" among its values may be left out. Dicts
 * inside are compared whole.
 */
export function checkDict(value: Value, accepted: readonly Value[]): Finding | null {
  let last = wrong('dict_checker:unclear', 'no dict is accepted');
  for (const answer of accepted) {
    if (answer === '') continue;
    const finding = compareDicts(value, answer);
    if (finding === null) return null;
    last = finding;
  }
  return last;
}

function compareDicts(value: Value, answer: Value): Finding | null {
  if (!(value instanceof Map) || !(answer instanceof Map))
    throw new CheckError(
      `a dict can't be compared: the value is of type ${typeOf(value)}, the accepted one of type ${typeOf(answer)}`,
    );
  let finding: Finding | null = null;
  for (const [key, member] of value) {
    const members = answer.get(key);
    if (members === undefined) finding = wrong('value_error:dict_key', `key ${key} is not wanted`);
    else if (!isAmong(standard(member), itemsOf(members).map(standard)))
      finding = wrong('value_error:dict_value', `key ${key} has a value that is not accepted`);
    if (finding) break;
  }
  for (const [key, members] of answer)
    if (!value.has(key) && !mayBeAbsent(members)) return wrong('value_error:dict_key', `key ${key} is missing`);
  return finding;
}

/** Lists of dicts: as many, in the same order. */
export function checkDicts(value: Value, accepted: readonly Value[]): Finding | null {
  let last = wrong('list_dict_checker:unclear', 'no list is accepted');
  for (const answer of accepted) {
    const wanted = itemsOf(answer);
    const given = value as Value[]; // its type was checked
    if (given.length !== wanted.length) {
      last = wrong('value_error:list_dict_count', `${wanted.length} dicts are wanted, got ${given.length}`);
      continue;
    }
    const finding = given
      .map((item, i) => [item, wanted[i]!] as const)
      .reduce<Finding | null>((found, [item, dict]) => found ?? checkDict(item, [dict]), null);
    if (finding === null) return null;
    last = finding;
  }
  return last;
}

/** What Python's indexing goes through: the items of a list, the letters of a text. */
function itemsOf(answer: Value): Value[] {
  if (Array.isArray(answer)) return answer;
  if (typeof answer === 'string') return [...answer];
  throw new CheckError(`an accepted value must be a list here, got one of type ${typeOf(answer)}`);
}

/** `"" in answer` */
function mayBeAbsent(answer: Value): boolean {
  if (Array.isArray(answer)) return isAmong('', answer);
  if (answer instanceof Map) return answer.has('');
  if (typeof answer === 'string') return true;
  throw new CheckError(`an accepted value must be a list here, got one of type ${typeOf(answer)}`);
}

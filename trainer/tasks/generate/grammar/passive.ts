/** An act put from the side of the thing: "booking BK-17 has to be cancelled", "the room needs cleaning". */
import type { Random } from '../../../base/random';
import type { CoreKind } from './sentence';

export type SentenceKind = Exclude<CoreKind, 'ellipsis'>;

const PASSIVES: Record<SentenceKind, readonly string[]> = {
  order: ['have {o} {d}', 'get {o} {d}', 'see that {o} gets {d}', 'make sure {o} is {d}', 'see to it that {o} is {d}'],
  question: ['can {o} be {d}', 'could {o} be {d}', 'can we get {o} {d}', 'is it possible to have {o} {d}'],
  statement: [
    '{o} should be {d}',
    '{o} has to be {d}',
    '{o} needs to be {d}',
    '{o} needs {g}',
    '{o} must be {d}',
    'I want {o} {d}',
    "I'd like to have {o} {d}",
    'we need {o} {d}',
  ],
};

/** @param verb of a tool that acts on a thing: "cancel", "check in". null: it has no plain form */
export function passiveOf(kind: SentenceKind, verb: string, random: Random): string | null {
  if (!/^[a-z]{3,}( (in|out|on|off|up|back|down))?$/.test(verb)) return null;
  const [first = '', ...particle] = verb.split(' ');
  const behind = (form: string): string => [form, ...particle].join(' ');
  return random
    .pick(PASSIVES[kind])
    .replace('{d}', behind(participle(first)))
    .replace('{g}', behind(gerund(first)));
}

/** "cancel" -> "cancelled", "pay" -> "paid" */
export function participle(verb: string): string {
  const before = IRREGULAR.has(verb) ? '' : (/^(re|un|over|out)/.exec(verb)?.[0] ?? '');
  const irregular = IRREGULAR.get(verb.slice(before.length));
  if (irregular !== undefined) return before + irregular;
  if (verb.endsWith('e')) return `${verb}d`;
  return /[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ied` : `${doubled(verb)}ed`;
}

/** "cancel" -> "cancelling" */
export function gerund(verb: string): string {
  if (/[^eoy]e$/.test(verb)) return `${verb.slice(0, -1)}ing`;
  return `${doubled(verb)}ing`;
}

/** "stop" -> "stopp": one short syllable, or one that is stressed at its end. */
const doubled = (verb: string): string =>
  /^[^aeiou]*[aeiou][bdfgklmnprtvz]$/.test(verb) || STRESSED.test(verb) ? verb + verb.at(-1)! : verb;
const STRESSED = /(mit|fer|cancel|label|travel|model|enrol|uninstal|equip|quit|unplug|unpin|reset)$/;

const IRREGULAR = new Map(
  (
    'send sent, lend lent, spend spent, pay paid, sell sold, buy bought, hold held, put put, set set, cut cut, shut shut, ' +
    'let let, split split, make made, write written, take taken, give given, tell told, find found, read read, run run, ' +
    'begin begun, bring brought, keep kept, leave left, draw drawn, withdraw withdrawn, do done, hide hidden, ' +
    'freeze frozen, feed fed, wake woken, get got, build built, break broken, choose chosen, drive driven, eat eaten, ' +
    'forgive forgiven, grow grown, hear heard, know known, lose lost, meet met, ring rung, see seen, show shown, ' +
    'sow sown, sweep swept, teach taught, throw thrown, bind bound, bid bid, hit hit, quit quit, wind wound, ' +
    'sync synced'
  )
    .split(', ')
    .map((pair) => pair.split(' ') as [string, string]),
);

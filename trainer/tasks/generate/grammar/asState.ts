/** What is made of a thing, or is wrong with it, as how it is: "mark A-307 as shipped", "A-302 is damaged". */
import type { Random } from '../../../base/random';
import { splitWords } from '../../../base/words';
import { RANK } from './choices';
import { fill } from './fill';
import { amountOf } from './measures';
import { isPerson } from './nouns';
import type { Part, Parts } from './parts';
import type { SentenceKind } from './passive';
import { numberedAs } from './thing';
import type { ToolTalk } from './toolTalk';

type Ways = Record<SentenceKind, readonly string[]>;

/** {o} the thing, {v} the value, {p} what it is a value of */
const OF_STATE: Ways = {
  order: ['mark {o} as {v}', 'mark {o} {v}', 'set {o} to {v}', 'put {o} down as {v}', 'move {o} to {v}'],
  question: ['can you mark {o} as {v}', 'could you set {o} to {v}', 'can {o} be marked as {v}', 'can {o} go to {v}'],
  statement: ['{o} is {v} now', '{o} is now {v}', '{o} is {v}', '{o} should be {v}', 'I want {o} marked as {v}'],
};
const OF_RANK: Ways = {
  order: ['make {o} {v} {p}', 'set {o} to {v}', 'make {o} {v}', 'give {o} {v} {p}', 'bump {o} to {v}'],
  question: ['can you make {o} {v} {p}', 'can {o} be {v} {p}', 'could you put {o} on {v}', 'can we set {o} to {v}'],
  statement: ['{o} is {v} {p}', '{o} should be {v} {p}', '{o} has to be {v} {p}', '{o} is {v} {p} now'],
};
const OF_ANY: Ways = {
  order: ['set {o} to {v}', 'change {o} to {v}', 'switch {o} to {v}', 'make {o} {v}', 'put {o} on {v}'],
  question: ['can you set {o} to {v}', 'can {o} be {v}', 'could we have {o} at {v}', 'can you change {o} to {v}'],
  statement: ['{o} should be {v}', '{o} needs to be {v}', 'I want {o} on {v}', "I'd like {o} {v}"],
};
const WRONG: Ways = {
  order: ['report {o} as {v}', 'report that {o} is {v}', 'let them know {o} is {v}', 'put {o} down as {v}'],
  question: ['what can we do, {o} is {v}', 'can you report {o} as {v}', '{o} is {v}, can you sort that out'],
  statement: ['{o} is {v}', '{o} is {v}', '{o} was {v}', '{o} arrived {v}', '{o} is {v} and we need help'],
};
const OFF: Ways = {
  order: [
    'take {v} off {o}',
    'knock {v} off {o}',
    'give {o} {v} off',
    'give me {v} off on {o}',
    'let {o} have {v} off',
  ],
  question: ['can you take {v} off {o}', 'can {o} have {v} off', 'could we get {v} off {o}', 'is {v} off {o} possible'],
  statement: ['{o} gets {v} off', 'I want {v} off {o}', '{o} should have {v} off', 'we promised {v} off {o}'],
};

const STATE = /\b(status|state|stage|phase|condition)$/;
const PROBLEM = /\b(problem|issue|reason|defect|fault|complaint|damage|condition|cause|kind|type)$/;
const REPORTS = /^(report|open|file|raise|log|submit|create|start|flag)$/;
/** "damaged", "leaking", "out of stock": how a thing is */
const IS_SO =
  /^(?:\p{L}{2,}(?:ed|en|ing|less|ty|ky)|lost|late|missing|wrong|stuck|dead|cold|stale|torn|out of \p{L}+)$/u;

const AS_STATE = 0.3;

/** @returns the sentence and what it says; null: nothing is made of a thing, or it is to be said otherwise */
export function asState(
  kind: SentenceKind,
  talk: ToolTalk,
  { all, identity }: Parts,
  random: Random,
): { text: string; said: readonly Part[] } | null {
  const found = talk.tool.changesWorld ? (stateIn(talk, all) ?? priceOff(talk, all)) : null;
  if (!found || random.next() >= AS_STATE) return null;
  const { value, ways } = found;
  const { words, measure } = value.parameter;
  const thing = all.find((part) => part !== value && isThing(part)) ?? (identity === value ? null : identity);
  if (!thing) return null;
  const own = talk.nouns.includes(words) || ways === OFF ? '' : (talk.nouns[0] ?? '');
  const v = measure ? amountOf(String(value.said), measure.unit, random) : String(value.said);
  return { text: fill(random.pick(ways[kind]), { o: spoken(thing, own, random), v, p: words }), said: [value, thing] };
}

interface Found {
  value: Part;
  ways: Ways;
}

function stateIn({ tool }: ToolTalk, all: readonly Part[]): Found | null {
  const isReport = REPORTS.test(splitWords(tool.name)[0] ?? '');
  const value = all.find(
    ({ parameter: { role, path, isNew }, said }) =>
      role === 'choice' && path.length === 1 && (isNew || isReport) && typeof said === 'string',
  );
  if (!value) return null;
  const { words } = value.parameter;
  if (isReport) return PROBLEM.test(words) && IS_SO.test(String(value.said)) ? { value, ways: WRONG } : null;
  return { value, ways: STATE.test(words) ? OF_STATE : RANK.test(words) ? OF_RANK : OF_ANY };
}

/** "Take 20 % off A-302", where what is given is a discount. */
function priceOff({ nouns }: ToolTalk, all: readonly Part[]): Found | null {
  if (!nouns.some((noun) => /\b(discount|rebate|markdown)$/.test(noun))) return null;
  const value = all.find(
    ({ parameter: { role, measure, path } }) => path.length === 1 && (measure !== null || role === 'money'),
  );
  return value ? { value, ways: OFF } : null;
}

const isThing = ({ parameter: { role, path, isNew }, said }: Part): boolean =>
  path.length === 1 && !isNew && typeof said === 'string' && (role === 'id' || role === 'name' || role === 'thing');

function spoken({ parameter, said, isPronoun, isName }: Part, own: string, random: Random): string {
  const noun = parameter.noun || own;
  const text = String(said);
  return isPronoun || isName || isPerson(noun) ? text : numberedAs(text, noun, random);
}

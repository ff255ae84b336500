import { saysValue } from '../../../base/saysValue';
import type { Arguments } from '../../../protocol/arguments';
import { singular } from '../../../tools/schema/words';
import { ownAct } from '../ownAct';
import { tail } from './core';
import { orderFor, sayCall, tidy, type Said, type SayOptions } from './say';
import { spokenOf, wished } from './introduction';
import { isPerson, isPersons } from './nouns';
import { partsOf, type SaidAs } from './parts';
import type { Role } from './roles';
import { one, ownedBy } from './thing';
import type { ParameterTalk, ToolTalk } from './toolTalk';
import { capital, chatter, FORMS } from './sentence';

/** Two calls, the second with what the first gives. */
export interface ChainDraft {
  first: { talk: ToolTalk; args: Arguments };
  second: { talk: ToolTalk; args: Arguments };
  /** how the first's arguments are said, where otherwise than they are */
  saidAs?: Readonly<Record<string, SaidAs>>;
  /** the second's parameter that the first's result fills, its path joined by dots */
  parameter: string;
  /** the result holds several, and the first of them is taken */
  isFirstOf: boolean;
  /** which of those that the first lists is meant, by its name; then the look-up is not asked for */
  thing?: string;
  /** what is looked up is a part of the one that is named: "Ann Lund's booking" */
  isPart?: boolean;
  /** what is looked up is the thing itself, whatever the parameter calls it: a requester, who is an employee */
  isItself?: boolean;
  /** what its look-up is given was looked up itself; then neither is asked for */
  isTwice?: boolean;
  /** another thing that the second takes, looked up by itself: "sign Ann Lund up for Boxing" */
  beside?: LookedUp;
  /** it is looked up before what the first gives, since it is said first */
  isBesideFirst?: boolean;
}

/** What a look-up gave to a parameter of the second call. */
export type LookedUp = Pick<ChainDraft, 'first' | 'saidAs' | 'parameter' | 'thing' | 'isPart' | 'isItself' | 'isTwice'>;

/**
 * A thing named by what people know of it, so that a look-up comes first: "renew it for Jonas Weber", "cancel Ann's
 * visit". The look-up itself is not asked for.
 * null where the first call has no single text that could stand for the thing, or what it gives is none that one would
 * name so (a day, an amount).
 */
export function sayByName(chain: ChainDraft, options: SayOptions, say: typeof sayCall = sayCall): Said | null {
  const { first, second, parameter } = chain;
  const known = knownBy(chain, second.talk);
  if (!known) {
    const text = describedBy(chain, second.talk, options);
    return text && say(second.talk, second.args, { ...options, saidAs: { ...options.saidAs, [parameter]: text } });
  }
  const { given, noun, said } = known;
  if (isPersons(given) && options.random.next() < SPOKEN_OF) {
    const spoken = sayOfAnother(said, noun, { second, parameter }, options, say);
    if (spoken) return spoken;
  }
  const saidAs = { ...options.saidAs, [parameter]: asKnownBy(known, first.talk, options.random) };
  return say(second.talk, second.args, { ...options, saidAs });
}

/** How a thing is spoken of in the place of what its look-up gives; null: as sayByName. */
export function namedBy(look: LookedUp, second: ToolTalk, random: SayOptions['random']): SaidAs | null {
  if (look.thing !== undefined) return { text: look.thing, isName: true };
  const known = knownBy(look, second);
  return known ? asKnownBy(known, look.first.talk, random) : describedBy(look, second, { random });
}

/** By several things that the look-up is given: "the dune set on Friday"; null: it gives something else. */
function describedBy(look: LookedUp, second: ToolTalk, { random }: SayOptions): SaidAs | null {
  const { first, saidAs, isPart } = look;
  const wanted = second.parameters.find(({ path }) => path.join('.') === look.parameter);
  const noun = wanted?.noun || second.nouns[0]!;
  if (isPart || !wanted || !mayBeNamed(wanted) || Object.keys(first.args).length < 2) return null;
  const parts = isAbout(noun, first.talk) ? partsOf(first.talk, first.args, { saidAs, random }) : null;
  if (!parts || parts.all.some(({ said }) => typeof said !== 'string')) return null;
  const rest = { parts: [...parts.all], random };
  const thing = one({ ...first.talk, isPlural: false }, noun, null, rest);
  const values = parts.all.map(({ said }) => String(said));
  return { text: tidy([thing, ...tail(rest.parts, random)].join(' ')), isPronoun: true, values };
}

/** Does the request name the two things in the order in which they are looked up? */
export function isSaidInOrder(text: string, { beside, isBesideFirst = false, ...look }: ChainDraft): boolean {
  const [own, other] = [look, beside].map((one) => one && text.toLowerCase().indexOf(nameIn(one).toLowerCase()));
  if (own === undefined || other === undefined || own < 0 || other < 0) return true;
  return other < own === isBesideFirst;
}

function nameIn({ first, saidAs = {}, thing }: LookedUp): string {
  const [[name, value] = ['', '']] = Object.entries(first.args);
  return thing ?? saidAs[name]?.text ?? String(value);
}

interface KnownBy {
  /** what the look-up is given */
  given: ParameterTalk;
  said: string;
  /** what is looked up */
  noun: string;
  isPart: boolean;
}

function knownBy(look: LookedUp, second: ToolTalk): KnownBy | null {
  const { first, parameter, saidAs = {}, isPart = false, isItself = false } = look;
  const [name, ...others] = Object.entries(first.args);
  const given = first.talk.parameters.find(({ path }) => path.length === 1 && path[0] === name?.[0]);
  const wanted = second.parameters.find(({ path }) => path.join('.') === parameter);
  // a number is what nobody says of a thing, unless it was looked up itself
  const said = name && (saidAs[name[0]]?.text ?? (typeof name[1] === 'string' ? name[1] : null));
  if (others.length > 0 || !said || !given || !wanted || !mayBeNamed(wanted)) return null;
  const named = wanted.noun || second.nouns[0]!;
  const noun = isItself && !isAbout(named, first.talk) ? (first.talk.nouns[0] ?? named) : named;
  if (!NAMING.has(given.role) && !(KINDS.has(given.role) && isAbout(noun, first.talk))) return null;
  return { given, noun, said, isPart };
}

function asKnownBy({ given, noun, said, isPart }: KnownBy, look: ToolTalk, random: SayOptions['random']): SaidAs {
  if (KINDS.has(given.role)) return { text: `the ${said.replace(/[_-]/g, ' ')} ${noun}`, isPronoun: true };
  return !isPart && isNameOf(given, noun, look)
    ? { text: said, isName: true }
    : { text: random.pick(ownedBy(said, noun)), isPronoun: true };
}

/** So often somebody is spoken of first: "Ann Lund rang, cancel her visit", "Ann Lund wants to cancel her visit". */
const SPOKEN_OF = 0.25;
const WISHED = 0.5;

function sayOfAnother(
  name: string,
  noun: string,
  { second, parameter }: Pick<ChainDraft, 'second' | 'parameter'>,
  options: SayOptions,
  say: typeof sayCall,
): Said | null {
  const { random } = options;
  const text = isPerson(noun)
    ? random.pick(['them', 'him', 'her'])
    : `${random.pick(['their', 'his', 'her', 'the', 'their'])} ${noun}`;
  const own = { ...options, saidAs: { ...options.saidAs, [parameter]: { text, isPronoun: true } } };
  const order = options.asked || random.next() > WISHED ? null : orderFor(second.talk, second.args, own);
  if (order !== null && !/\bme\b/.test(order))
    return { text: chatter(wished(name, order, random), [name, ...textsOf(second.args)], random), form: 'wished' };
  const said = say(second.talk, second.args, own);
  return said && { ...said, text: spokenOf(name, said.text, random) };
}

const textsOf = (args: Arguments): string[] =>
  Object.values(args).filter((value): value is string => typeof value === 'string');

/** Of what is listed the only one of its kind: "the boxing class". */
const KINDS: ReadonlySet<Role> = new Set(['choice', 'quality', 'type']);

function isAbout(noun: string, look: ToolTalk): boolean {
  const things = [...look.nouns, ...look.request.split(' ')].flatMap((text) => text.split(' ').map(singular));
  return noun.split(' ').some((word) => things.includes(word));
}

/** Does the look-up take a name of the thing itself, and not of what it belongs to? */
function isNameOf(given: ParameterTalk, noun: string, look: ToolTalk): boolean {
  if (given.role === 'id') return false;
  const own = given.role === 'query' ? '' : given.noun;
  return (
    isAbout(noun, look) &&
    (own === '' || own.split(' ').some((word) => noun.split(' ').includes(word) || !isPerson(word)))
  );
}

/** What may be spoken of by another thing's name; "add it to the exhibition" takes one, too. */
const mayBeNamed = ({ role, isPlace }: ParameterTalk): boolean => NAMED.has(role) || isPlace;
const NAMED: ReadonlySet<Role> = new Set(['id', 'name', 'person', 'thing', 'contact', 'other', 'query']);

/** What people call a thing by. A day, a state or a place is no name of one. */
const NAMING: ReadonlySet<Role> = new Set(['id', 'name', 'person', 'query', 'contact', 'thing', 'other']);

interface Joint {
  name: string;
  texts: readonly string[];
}

/** Ways to join two orders; their names are phrasing families, too. */
export const JOINTS: readonly Joint[] = [
  { name: 'and', texts: ['{A} and {b}', '{A} and {b}.', '{A} + {b}', '{A} - and {b}!'] },
  { name: 'andThen', texts: ['{A} and then {b}', 'I want you to {a} and then {b}.', 'can you {a} and then {b}?'] },
  {
    name: 'then',
    texts: ['{A}, then {b}', '{A}. Then {b}.', 'First {a}, then {b}.', 'ok {a} then {b}', 'I need to {ownA}, then {b}'],
  },
  { name: 'after', texts: ['{A}, after that {b}', '{A}; {b}', '{A}. After that, {b}.'] },
  { name: 'pleaseBoth', texts: ['Please {a} and {b}.', 'Could you {a} and {b}?', 'can you {a} and {b} please'] },
  { name: 'when', texts: ['{A}, and when you have it {b}.', 'Once you {a}, {b}.', 'When you {a}, {b}.'] },
  { name: 'soThat', texts: ['{A} so that I can {ownB}', '{A}, so I can {ownB}.'] },
  { name: 'behind', texts: ['{B}; you have to {a} first', '{B}, but {a} before', '{B} - to do so, {a}'] },
];

/** Both acts are asked for: "find a book by Herbert and reserve the first one". */
export function sayInTurn(
  { first, second, parameter, isFirstOf, isPart }: ChainDraft,
  options: SayOptions & { joints?: readonly Joint[] },
): Said | null {
  const { random, joints = JOINTS } = options;
  const noun = first.talk.nouns[0] ?? 'one';
  const it = random.pick(
    isFirstOf
      ? ['the first one', 'the first', `the first ${noun}`, 'the top one', 'the first of them']
      : isPart
        ? ['its', 'the', 'that'].map((which) => `${which} ${partNoun(second.talk, parameter)}`)
        : ['it', 'it', 'that', `that ${noun}`, `the ${noun}`, 'that one', 'the result'],
  );
  const a = orderFor(first.talk, first.args, options);
  const b = orderFor(second.talk, second.args, { ...options, saidAs: { [parameter]: { text: it, isPronoun: true } } });
  if (a === null || b === null) return null;
  const joint = random.pick(joints);
  const text = random
    .pick(joint.texts)
    .replace('{A}', () => capital(a))
    .replace('{B}', () => capital(b))
    .replace('{a}', () => a)
    .replace('{b}', () => b)
    .replace('{ownA}', () => ownAct(a))
    .replace('{ownB}', () => ownAct(b));
  const { [parameter]: _linked, ...told } = second.args;
  const values = [first.args, told].flatMap(textsOf);
  if (!values.every((value) => saysValue(text, value.replace(/[_-]/g, ' ')) || saysValue(text, value))) return null;
  return { text: chatter(tidy(text), values, random), form: joint.name };
}

/** What a parameter points at: "set" of setId. */
const partNoun = ({ parameters, nouns }: ToolTalk, parameter: string): string =>
  parameters.find(({ path }) => path.join('.') === parameter)?.noun || nouns[0]!;

/** Forms and joints that are kept for held-out requests: a quarter of those of each kind, by the seed. */
export function newForms(random: SayOptions['random']): Set<string> {
  const out = new Set<string>();
  for (const kind of ['order', 'question', 'statement'] as const) {
    const own = FORMS.filter((form) => form.kind === kind);
    for (const form of random
      .fork(kind)
      .shuffle([...own])
      .slice(0, Math.round(own.length / 4)))
      out.add(form.name);
  }
  for (const joint of random
    .fork('joints')
    .shuffle([...JOINTS])
    .slice(0, Math.round(JOINTS.length / 4)))
    out.add(joint.name);
  return out;
}

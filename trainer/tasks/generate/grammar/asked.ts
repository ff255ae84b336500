/** A request for one thing that a result says: "when is the booking of Ann Lund?", "who wrote Dune?". */
import type { Random } from '../../../base/random';
import { singular } from '../../../tools/schema/words';
import type { Member } from '../members';
import { questionsOfKind, questionsOfWord } from './askedWords';
import { mention } from './mention';
import { isPerson, isPersons } from './nouns';
import type { Part, Parts } from './parts';
import type { CoreKind } from './sentence';
import { one, ownedBy, plural, possessive, type Rest } from './thing';
import type { ToolTalk } from './toolTalk';

/** A sentence without its marks, what of the call it does not say yet, and whether yes or no answers it. */
export interface Asked {
  text: string;
  left: readonly Part[];
  isYesOrNo: boolean;
}

/** So often what is asked about comes first: "BK-17 - when is it due". */
const ABOUT_FIRST = 0.1;
/** So often a member goes by its name, and not by what people say for it. */
const BY_NAME = 0.35;

export function askedCore(kind: CoreKind, talk: ToolTalk, parts: Parts, member: Member, random: Random): Asked {
  const { owner, left } = ownerOf(talk, parts, random);
  if (kind === 'ellipsis') return { text: bareWords(member, owner, random), left, isYesOrNo: false };
  const question = random.pick(questionsFor(member, random));
  const isOfPerson = talk.nouns.some(isPerson);
  const isFirst = kind === 'question' && !isOfPerson && left.length < parts.all.length && random.next() < ABOUT_FIRST;
  const subject = isFirst ? 'it' : owner;
  const asked = filled(kind === 'question' ? question : told(kind, question, member, random), subject, member);
  const text = isFirst ? random.pick([`${owner} - `, `${owner}: `, `about ${owner}, `, `${owner}, `]) + asked : asked;
  return { text, left, isYesOrNo: YES_OR_NO.test(question) };
}

/** "what is the extras of it" is nothing that anybody says. */
const OF_MANY: ReadonlySet<string> = new Set(['list', 'count', 'person']);

const YES_OR_NO = /^(is|are|was|has|did|do|does) /;

/** What it goes by, and how people ask for such a thing. */
function questionsFor({ words, kind, value }: Member, random: Random): readonly string[] {
  const last = words.at(-1)!;
  if (kind === 'flag') {
    const isOfMany = words.length > 1 && singular(words[0]!) !== words[0] && /ed$/.test(last);
    if (words[0] === 'has') return [`does {o} have ${words.slice(1).join(' ')}`];
    return questionsOfKind(isOfMany ? 'allowed' : 'flag');
  }
  // "how much is Ann" asks for no hourly rate
  if (kind === 'money' && words.length > 1) return questionsOfKind('rate');
  const own = questionsOfWord(last).length > 0 ? questionsOfWord(last) : questionsOfWord(singular(last));
  const byKind = kind === 'date' ? ofDate(words) : questionsOfKind(kind);
  const done = kind === 'state' && typeof value === 'string' && /^[a-z]+ed$/.test(value) ? questionsOfKind('done') : [];
  const said = [own, [...byKind, ...done]].filter((texts) => texts.length > 0);
  if (said.length === 0 || (!OF_MANY.has(kind) && random.next() < BY_NAME)) return questionsOfKind('named');
  return random.pick(said);
}

/** "created at", "due date", "end time": "when was it created", "when is it due". */
function ofDate(words: readonly string[]): readonly string[] {
  const base = withoutDate(words);
  const last = base.at(-1);
  if (last === undefined) return questionsOfKind('date');
  if (isDone(last)) return [`when was {o} ${base.join(' ')}`, `since when is {o} ${base.join(' ')}`];
  const own = questionsOfWord(last);
  return IS_IT.test(last) ? [...own, ...questionsOfKind('date')] : own.length > 0 ? own : questionsOfKind('dated');
}
const withoutDate = (words: readonly string[]): string[] =>
  words.filter((word) => !/^(date|day|time|at|on)$/.test(word));
const isDone = (word: string): boolean => /(ed|born|sent|paid|made|sold|lent|bought)$/.test(word);
/** When it is, and not when something of it is. */
const IS_IT = /^(arrival|departure|start|begin|checkin|pickup|delivery|appointment|visit|event|meeting)$/;

/** As an order or a statement: "tell me when it is due", "I'd like to know its due date". */
function told(kind: CoreKind, question: string, { kind: of }: Member, random: Random): string {
  const lead = kind === 'order' ? ['tell me', 'check', 'find out', 'see', 'look up'] : STATED;
  const indirect = indirectly(question);
  if (indirect !== null && (of === 'flag' || random.next() < 0.6)) return `${random.pick(lead)} ${indirect}`;
  return kind === 'order'
    ? random.pick([
        'tell me the {f} of {o}',
        'give me the {f} of {o}',
        'look up the {f} of {o}',
        'check the {f} for {o}',
      ])
    : random.pick([`${random.pick(STATED)} the {f} of {o}`, 'I need the {f} of {o}', "I can't find the {f} of {o}"]);
}

const STATED = ["I'd like to know", 'I need to know', 'I want to know', "I'm wondering", "I'm not sure"];

/** "when is {o} due" -> "when {o} is due", "is {o} urgent" -> "if {o} is urgent"; null: not without bending a verb. */
function indirectly(question: string): string | null {
  const [, start, verb, rest] = /^(.*?)\b(is|are|was|has|can|will) (\{o\}.*)$/.exec(question) ?? [];
  if (verb === undefined) return /^(who|what|which) (?!do|is|are|'s)\w+ \{o\}/.test(question) ? question : null;
  return `${start === '' ? 'if ' : start}${rest!.replace('{o}', `{o} ${verb}`)}`;
}

/** No sentence at all: "due date O-17". */
function bareWords(member: Member, owner: string, random: Random): string {
  const text = random.pick(['{f} of {o}', '{o} {f}', '{f} {o}', '{o}: {f}', '{f} for {o}', '{o}, {f}']);
  return filled(text, owner, member);
}

function filled(text: string, owner: string, { words, kind, value }: Member): string {
  const isBare = kind === 'date' && /(ed|due|until|till|since|from|at|on)$/.test(words.at(-1)!);
  const name = isBare ? `${words.join(' ').replace(/ (at|on)$/, '')} date` : words.join(' ');
  return text
    .replace('{o}', () => owner)
    .replace('{fs}', () => plural(name))
    .replace('{f}', () => name.replace(/^is /, ''))
    .replace('{b}', () => withoutDate(words).join(' ') || name)
    .replace('{v}', () => String(value).replace(/[_-]/g, ' '));
}

/** The thing that it is asked of, and what else there is to say. */
function ownerOf(talk: ToolTalk, parts: Parts, random: Random): { owner: string; left: Part[] } {
  const thing = random.next() < 0.7 ? talk.nouns[0]! : random.pick(talk.nouns);
  const rest: Rest = { parts: parts.all.filter((part) => part !== parts.identity), random };
  if (parts.identity)
    return { owner: one({ ...talk, isPlural: false }, thing, parts.identity, rest), left: rest.parts };
  const index = rest.parts.findIndex(({ said, parameter: { isNew } }) => typeof said === 'string' && !isNew);
  const [part] = index < 0 ? [] : rest.parts.splice(index, 1);
  if (!part) return { owner: `${random.pick(['the', 'my', 'our'])} ${thing}`, left: rest.parts };
  return { owner: ownerSaid(part, thing, random), left: rest.parts };
}

function ownerSaid({ parameter, said, isPronoun }: Part, thing: string, random: Random): string {
  const text = String(said);
  if (isPronoun) return random.pick([`${possessive(text)} ${thing}`, `the ${thing} of ${text}`]);
  if (isPersons(parameter) || isPerson(parameter.words)) return random.pick([...ownedBy(text, thing), text]);
  if (NAMES.has(parameter.role)) return random.pick([text, text, `the ${thing} ${text}`, `${thing} ${text}`]);
  return `the ${thing} ${mention(parameter, text, random)}`;
}
const NAMES: ReadonlySet<string> = new Set(['name', 'query', 'thing']);

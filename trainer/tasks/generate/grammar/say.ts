import type { Random } from '../../../base/random';
import type { Arguments } from '../../../protocol/arguments';
import { wordCount } from '../../../tools/schema/words';
import { asPicked } from './actions';
import type { Member } from '../members';
import { askedCore, type Asked } from './asked';
import { askedIn, coreOf, questionCore, tail } from './core';
import { withoutIs } from './flags';
import { introduce, wished, type Introduction } from './introduction';
import { partsOf, type Parts, type SaidAs } from './parts';
import { chatter, FORMS, uncapital, type CoreKind, type Form } from './sentence';
import { asSided } from './sides';
import type { ToolTalk } from './toolTalk';

export interface Said {
  text: string;
  form: string;
  /** what the result says to it, where it asks for one thing that stands there */
  answer?: string;
  /** what the request lacks and has to be asked for: "order id" */
  lacks?: string;
}

export interface SayOptions {
  /** by the parameter's path, joined by dots */
  saidAs?: Readonly<Record<string, SaidAs>>;
  /** of what the call finds: asked for in the call's place */
  asked?: Member;
  /** the forms that may be used; default: all */
  forms?: readonly Form[];
  random: Random;
}

const MAX_WORDS = 45;

/** How often each kind of sentence is taken, where the act has it. */
const KINDS: readonly (readonly [CoreKind, number])[] = [
  ['order', 0.5],
  ['question', 0.23],
  ['statement', 0.18],
  ['ellipsis', 0.09],
];

/** The same where one thing is asked for. */
const ASKING: typeof KINDS = [
  ['question', 0.62],
  ['order', 0.16],
  ['statement', 0.14],
  ['ellipsis', 0.08],
];

/** Most questions are put as they are. */
const JUST_ASKED = 0.6;

/** Is one of the arguments a question of its own? */
export const asksIn = (talk: ToolTalk, args: Arguments): boolean =>
  talk.parameters.some(({ role, path }) => role === 'question' && path[0]! in args);

/** A request for one call. null: these arguments can't be said this way (another draw may). */
export function sayCall(of: ToolTalk, given: Arguments, options: SayOptions): Said | null {
  const { random, forms = FORMS } = options;
  const { talk, args } = asMeant(of, given, random);
  const kind =
    asksIn(talk, args) && random.next() < JUST_ASKED
      ? 'question'
      : pickKind(random, forms, options.asked ? ASKING : KINDS);
  const usable = forms.filter((form) => form.kind === kind);
  if (usable.length === 0) return null;
  const parts = partsOf(talk, args, options);
  if (parts === null) return null;
  const question = askedIn(parts);
  const put = question ? questionCore(kind, parts, question, random) : null;
  const intro = kind === 'ellipsis' || put !== null ? null : introduce(parts, random);
  const asked = options.asked ? askedCore(kind, talk, parts, options.asked, random) : null;
  const core = put ?? (asked ? [asked.text, ...tail(asked.left, random)].join(' ') : coreOf(kind, talk, parts, random));
  if (core === null) return null;
  const fitting = usable.filter(({ name }) => !(/\bme\b/.test(core) && FIRST_PERSON.has(name)));
  if (fitting.length === 0) return null;
  const form = random.pick(fitting);
  const values = valuesOf(parts, intro);
  const formed = tidy(form.say(core, random));
  const said = question ? asPut(formed, String(question.said)) : formed;
  if (said === null) return null;
  const text = chatter(introduced(intro, { said, core, kind, values }, random), [...values, ...flagsOf(parts)], random);
  return wordCount(text) > MAX_WORDS || !values.every((value) => text.includes(value))
    ? null
    : { text, form: form.name, ...(asked && answerTo(asked, options.asked!)) };
}

/** Of a tool that does several things the one that its arguments choose. */
function asMeant(of: ToolTalk, given: Arguments, random: Random): { talk: ToolTalk; args: Arguments } {
  const { talk, args } = asPicked(of, given);
  return asSided(talk, args, random);
}

/** So many orders are somebody else's wish, where a person is introduced. */
const WISHED = 0.35;

function introduced(
  intro: Introduction | null,
  { said, core, kind, values }: { said: string; core: string; kind: CoreKind; values: readonly string[] },
  random: Random,
): string {
  if (intro === null) return said;
  const isWish = kind === 'order' && !/\bme\b/.test(core) && random.next() < WISHED;
  return isWish ? wished(intro.value, tidy(core), random) : intro.text + uncapital(said, values);
}

/** "Is it still open?" is answered by its state, but whether there are some left by more than how many there are. */
function answerTo({ isYesOrNo }: Asked, { kind, value }: Member): { answer?: string } {
  if (typeof value === 'boolean' || typeof value === 'object' || (isYesOrNo && kind !== 'state')) return {};
  return { answer: String(value) };
}

/** What comes behind a question's own mark goes; null: the request gives a mark to one that has none. */
function asPut(text: string, question: string): string | null {
  const [before = '', after] = text.split(question);
  if (after === undefined) return null;
  if (!question.endsWith('?')) return after.startsWith('?') ? null : text;
  return before + question + after.replace(/^[?.!,]+/, '');
}

/** "I want to give me the list" is nothing that anybody says. */
const FIRST_PERSON: ReadonlySet<string> = new Set(['need', 'want', 'help', 'trying', 'goAhead', 'relay']);

/** The core of an order alone, to be joined with another. */
export function orderFor(of: ToolTalk, given: Arguments, options: SayOptions): string | null {
  const { talk, args } = asMeant(of, given, options.random);
  const parts = partsOf(talk, args, options);
  const core = parts && coreOf('order', talk, parts, options.random);
  return core === null ? null : tidy(core);
}

/** The words of the values themselves: nothing of them may be changed. */
export const valuesOf = (parts: Parts, intro: { value: string } | null): string[] => [
  ...parts.all.flatMap(({ isPronoun, said, values = [] }) =>
    !isPronoun && typeof said === 'string' ? [said, ...values] : values,
  ),
  ...(intro ? [intro.value] : []),
];

/** The words of switches, which are said by name: no letter of them may slip either. */
export const flagsOf = (parts: Parts): string[] =>
  parts.all
    .filter(({ said }) => typeof said === 'boolean')
    .map(({ parameter: { wanted, words } }) => wanted ?? withoutIs(words));

function pickKind(random: Random, forms: readonly Form[], kinds: typeof KINDS): CoreKind {
  const open = kinds.filter(([kind]) => forms.some((form) => form.kind === kind));
  let at = random.next() * open.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [kind, weight] of open) {
    at -= weight;
    if (at <= 0) return kind;
  }
  return 'order';
}

/** One blank between words, none before a colon or a comma, each sentence with a capital where it had one. */
export const tidy = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(/ ([,.?!:;])(?=\s|$)/g, '$1')
    .replace(/: -/g, ' -')
    .replace(/\?\.$/, '?')
    .trim();

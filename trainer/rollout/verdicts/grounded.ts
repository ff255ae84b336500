/** Is what an answer says found in what was said and answered before it? By rule; a judge can tell more. Pure. */
import type { ToolSchema } from '../../protocol/task';
import type { Trace } from '../../protocol/trace';
import { ungroundedIn } from '../environment/guard/guard';
import { sourcesOf } from '../environment/guard/seen';
import { withoutThought } from '../parser';
import { formsOf, isKnownWord, NUMBER_WORDS } from './knownWords';

export type Said = Pick<Trace, 'messages' | 'turns'>;

export interface Grounding {
  /** what neither the request nor a result nor the tools' own words hold, each once, in the answer's words */
  invented: string[];
  /** it has a word, number or id beyond function words and small talk */
  saysSomething: boolean;
}

/** Letters, and apostrophes inside; what has digits in it is a number, a day or an id, which the guard looks up. */
const WORD = /[\p{L}\p{N}\p{M}_]+(?:['’][\p{L}]+)*/gu;

/**
 * Words count in any number and tense, numbers and days in any spelling, rounded, or as the length of a list that a
 * tool answered.
 * true, false and null of a result ground nothing: they say which way, not what.
 */
export function grounding(answer: string, said: Said, tools: readonly ToolSchema[]): Grounding {
  const text = withoutThought(answer);
  const facts = ungroundedIn(text, said);
  const known = sourceForms(said, tools);
  const isFound = (word: string): boolean => {
    const number = NUMBER_WORDS.indexOf(word);
    if (number > 1) return known.has(word) || ungroundedIn(String(number), said).length === 0;
    return isKnownWord(word) || formsOf(word).some((form) => known.has(form));
  };
  const inFacts = new Set(facts.flatMap((fact) => wordsOf(fact)));
  const stated = wordsOf(text);
  const invented = stated.filter((word) => !/\p{N}/u.test(word) && !inFacts.has(word) && !isFound(word));
  return {
    invented: [...new Set([...facts, ...invented])],
    saysSomething: stated.some((word) => /\p{N}/u.test(word) || !isKnownWord(word)),
  };
}

/** Lower case, in their order. */
export const wordsOf = (text: string): string[] =>
  [...text.normalize('NFC').matchAll(WORD)].map(([word]) => word.replaceAll('’', "'").toLowerCase());

/** The words of the request, the results and the tools that were called (of all where none was), in all their forms. */
function sourceForms(said: Said, tools: readonly ToolSchema[]): ReadonlySet<string> {
  const { said: asked, results } = sourcesOf(said);
  const called = new Set(said.turns.flatMap(({ calls }) => calls.map(({ name }) => name)));
  const written = tools.filter(({ name }) => called.size === 0 || called.has(name));
  const texts = [
    ...asked,
    ...results.map((content) => resultText(content)),
    ...[...called].map(apart),
    ...written.flatMap(({ name, description }) => [apart(name), description]),
  ];
  return new Set(texts.flatMap(wordsOf).flatMap((word) => [word, ...formsOf(word)]));
}

/** A result has more to tell than that it was done: not so "ok", true, {"sent":true} and []. */
export const statesSomething = (content: string): boolean =>
  wordsOf(resultText(content, false)).some((word) => /\p{N}/u.test(word) || !isKnownWord(word));

/** Texts and numbers of a JSON result, and its keys, without its booleans and nulls; any other text as it is. */
function resultText(content: string, hasKeys = true): string {
  let json: unknown;
  try {
    json = JSON.parse(content);
  } catch {
    return content;
  }
  const texts = (value: unknown): string[] => {
    if (typeof value === 'string' || typeof value === 'number') return [String(value)];
    if (Array.isArray(value)) return value.flatMap(texts);
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).flatMap(([key, inner]) => [...(hasKeys ? [apart(key)] : []), ...texts(inner)]);
  };
  return texts(json).join(' ');
}

/** daysLate, days_late -> "days Late": and the name as it stands, which an answer may quote. */
const apart = (name: string): string =>
  `${name} ${name.replace(/(?<=\p{Ll}|\p{N})(?=\p{Lu})/gu, ' ').replace(/[_\-.]+/g, ' ')}`;

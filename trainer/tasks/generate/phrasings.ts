import type { Random } from '../../base/random';
import type { Arguments } from '../../protocol/arguments';
import { clauses, inline, nounPhraseFor, spokenArguments, type ClauseStyle, type Spoken } from './clauses';
import { ownAct } from './ownAct';
import { capitalise, type ToolWords } from '../../tools/schema/words';

/** A call to be put into words. */
export interface Asked {
  words: ToolWords;
  args: Arguments;
}

interface Family {
  name: string;
  /** null: these arguments can't be said this way */
  say(asked: Asked, random: Random): string | null;
}

/** Ways to ask for one call. */
export const ONE_CALL_FAMILIES: readonly Family[] = [
  family('plain', 'with', (text) => `${capitalise(text)}.`),
  family('please', 'with', (text) => `Please ${text}.`),
  family('couldYou', 'with', (text) => `Could you ${text}?`),
  family('need', 'with', (text) => `I need to ${ownAct(text)}.`),
  family('helpMe', 'with', (text) => `Help me ${text}.`),
  family('question', 'with', (text, { thing }, random) =>
    thing !== null
      ? `What ${/^the \S*[^su]s\b/.test(thing) ? 'are' : 'is'} ${thing}?`
      : `${random.pick(['Can you', 'Will you', 'Can I ask you to'])} ${text}?`,
  ),
  family(
    'casual',
    'with',
    (text, _words, random) =>
      `${random.pick(['hey, ', 'ok, ', 'now ', ''])}${text}${random.pick([' please', ', thanks', ''])}`,
  ),
  argumentsApart('given', 'is', (request, said) =>
    said ? `Given that ${said}, ${request}.` : `${capitalise(request)} now.`,
  ),
  argumentsApart('first', 'is', (request, said) => (said ? `${capitalise(said)}: ${request}.` : `Time to ${request}.`)),
  argumentsApart('labelled', 'colon', (request, said) =>
    said ? `${capitalise(request)}. ${capitalise(said)}.` : `${capitalise(request)}!`,
  ),
  argumentsApart('using', 'as', (request, said) =>
    said ? `${capitalise(request)} using ${said}.` : `Go and ${request}.`,
  ),
  named('keyValue', 'equals', (name, said) => (said ? `${name}: ${said}` : `${name}!`)),
  named('terse', 'colon', (name, said) => (said ? `${capitalise(name)}, ${said}` : capitalise(name))),
  family('great', 'with', (text) => `It would be great if you could ${text}.`),
  argumentsApart('todo', 'colon', (request, said) => (said ? `To do (${said}): ${request}` : `To do: ${request}`)),
  family(
    'relay',
    'with',
    (text, _words, random) => `${random.pick(['My colleague', 'My boss', 'A friend'])} asked me to ${ownAct(text)}.`,
  ),
];

/** Ways to ask for two calls, the second with something that the first gives back. */
export const CHAIN_FAMILIES: readonly Family2[] = [
  chain('firstThen', (first, second) => `First ${first}, then ${second}.`),
  chain('and', (first, second) => `${capitalise(first)} and ${second}.`),
  chain('twoSentences', (first, second) => `${capitalise(first)}. Then ${second}.`),
  chain('pleaseAfter', (first, second) => `Please ${first}, and after that ${second}.`),
  chain('once', (first, second) => `Once you ${first}, ${second}.`),
  chain('want', (first, second) => `I want you to ${first} and then to ${second}.`),
  chain('couldYou', (first, second) => `Could you ${first}, then ${second}?`),
  chain('steps', (first, second) => `Step 1: ${first}. Step 2: ${second}.`),
];

export interface Family2 {
  name: string;
  /**
   * @param parameter the second call's parameter that the first one's result fills; `isFirstOf` the result is a list,
   * and its first item counts
   */
  say(first: Asked, second: Asked, parameter: { words: string; isFirstOf: boolean }, random: Random): string | null;
}

/** Request and arguments in one flow: "search the inbox with query rent". */
function family(
  name: string,
  style: ClauseStyle,
  frame: (text: string, words: { thing: string | null }, random: Random) => string,
): Family {
  return {
    name,
    say(asked, random) {
      const spoken = spokenArguments(asked.args);
      if (!spoken) return null;
      const quote = random.next() < QUOTE_CHANCE;
      const flow = (text: string): string => {
        const put = inline(text, asked.words, spoken, random.next() < 0.5 ? 'value' : 'named');
        return [put.request, clauses(shuffled(put.rest, random), style, quote)].filter(Boolean).join(' ');
      };
      const { thing } = asked.words;
      return frame(flow(requestOf(asked, random)), { thing: thing === null ? null : flow(thing) }, random);
    },
  };
}

/** Arguments beside the request: "Given that the order is 1042, get its status." */
function argumentsApart(name: string, style: ClauseStyle, frame: (request: string, said: string) => string): Family {
  return {
    name,
    say(asked, random) {
      const spoken = spokenArguments(asked.args);
      return (
        spoken &&
        frame(requestOf(asked, random), clauses(shuffled(spoken, random), style, random.next() < QUOTE_CHANCE))
      );
    },
  };
}

/** The tool's name in words, and the arguments. */
function named(name: string, style: ClauseStyle, frame: (toolName: string, said: string) => string): Family {
  return {
    name,
    say(asked, random) {
      const spoken = spokenArguments(asked.args);
      return (
        spoken && frame(asked.words.nameWords, clauses(shuffled(spoken, random), style, random.next() < QUOTE_CHANCE))
      );
    },
  };
}

function chain(name: string, frame: (first: string, second: string) => string): Family2 {
  return {
    name,
    say(first, second, parameter, random) {
      const spoken = [spokenArguments(first.args), spokenArguments(second.args)];
      if (!spoken[0] || !spoken[1]) return null;
      const quote = random.next() < QUOTE_CHANCE;
      const request = requestOf(first, random);
      const put = inline(request, first.words, spoken[0], random.next() < 0.5 ? 'value' : 'named');
      const firstText = [put.request, clauses(shuffled(put.rest, random), 'with', quote)].filter(Boolean).join(' ');
      return frame(
        firstText,
        [pointTo(second.words, parameter, random), clauses(shuffled(spoken[1], random), 'with', quote)]
          .filter(Boolean)
          .join(' '),
      );
    },
  };
}

/** "open that email", or "get the price with the item id that you found". */
function pointTo(words: ToolWords, parameter: { words: string; isFirstOf: boolean }, random: Random): string {
  const hit = nounPhraseFor(words.request, words, parameter.words);
  const which = parameter.isFirstOf ? 'the first' : random.pick(['that', 'this']);
  if (hit) return `${words.request.slice(0, hit.start)}${which} ${hit.noun}${words.request.slice(hit.end)}`;
  return `${words.request} with ${parameter.isFirstOf ? 'the first' : 'that'} ${parameter.words}`;
}

const QUOTE_CHANCE = 0.4;
const requestOf = (asked: Asked, random: Random): string =>
  random.next() < 0.7 ? asked.words.request : nameRequest(asked.words);
const nameRequest = (words: ToolWords): string => (words.thing !== null ? words.request : words.nameWords);
/** The order of the parameters is free in half of the phrasings. */
const shuffled = (spoken: readonly Spoken[], random: Random): Spoken[] =>
  random.next() < 0.5 ? random.shuffle(spoken) : [...spoken];

/** A tool's name as people speak of it: the verb, and what it is done to. */
import { singular } from '../../../tools/schema/words';
import { actsOf } from './acts';
import { PREPOSITION } from './roles';
import { wordNet } from './synonyms';

/** Words that name no thing. */
export const EMPTY_NOUNS = new Set(
  (
    'my all info information detail details data item items record records entry entries value list ' +
    'it one up out off back down something anything everything someone'
  ).split(' '),
);

export const PARTICLE = /^(up|out|off|back|down)$/;

/**
 * "slack_post_message: Post a message" begins with the verb, and so do "todo_add: Adds a to-do" and "isHoliday".
 * @param described the description's verb
 */
export function withoutService(words: readonly string[], described: string): readonly string[] {
  if (words.length > 1 && /^(is|are|has|can)$/.test(words[0]!)) return words.slice(1);
  // "propose_send_email" sends one
  if (words.length > 2 && DOES.test(words[0]!) && actsOf(words[1]!).length > 0) return words.slice(1);
  if (words.length < 2 || actsOf(words[0]!).length > 0) return words;
  const isVerb = (word: string): boolean => word === described || /^(get|list|fetch|search|create|delete)$/.test(word);
  const at = words.findIndex((word, i) => i > 0 && i < words.length - 1 && isVerb(word) && actsOf(word).length > 0);
  if (at > 0) return words.slice(at);
  const last = words.at(-1)!;
  // "notes_get: Read one note"
  return (last === described && actsOf(last).length > 0) || BASIC.test(last) ? [last, ...words.slice(0, -1)] : words;
}

const BASIC = /^(get|fetch|find|create|update|delete|remove)$/;
const DOES = /^(propose|do|perform|execute|run|handle|try|attempt|request)$/;

export interface NameParts {
  /** as acts have it: "checkout" */
  verb: string | null;
  /** as one says it: "check out" */
  said: string | null;
  rest: readonly string[];
}

/**
 * "checkOutBook" -> checkout + book; a name without a verb is all thing.
 * @param described words of what it does, where the description says that something is done: a word that may be a verb
 *   is one then ("placeBet: Put money on a horse"), and before what it is done to the first word is one ("starCity:
 *   Remembers a city")
 */
export function verbAndRest(
  words: readonly string[],
  changesWorld: boolean,
  described: readonly string[] | null,
): NameParts {
  const [first = '', second = ''] = words;
  const [describedVerb = '', ...behindVerb] = described ?? [];
  const object = described && objectOf(behindVerb);
  // "wakeUpCall: Arranges a wake-up call"
  const isObject =
    words.length > 1 &&
    behindVerb
      .join(' ')
      .replace(/^(the|an?) /, '')
      .startsWith(words.join(' '));
  if (isObject && actsOf(describedVerb).length > 0) return { verb: describedVerb, said: describedVerb, rest: words };
  if (words.length > 1 && actsOf(first + second).length > 0)
    return { verb: first + second, said: `${first} ${second}`, rest: words.slice(2) };
  // "ringUp: Puts drinks on a tab": no act is called so, and it is no ringing
  if (words.length === 2 && PARTICLE.test(second) && actsOf(describedVerb).length > 0)
    return { verb: describedVerb, said: null, rest: [] };
  const isNamedVerb = !OFTEN_THING.test(first) || changesWorld || describedVerb === first;
  const isVerb =
    (isNamedVerb && actsOf(first).length > 0) ||
    (first !== '' && describedVerb === first) ||
    (wordNet('v', first).length > 0 && ((described && words.length > 1) || wordNet('n', first).length === 0)) ||
    object?.map(singular).join(' ') === words.slice(1).map(singular).join(' ');
  // "turn the heating on", "send_off": a particle at the end belongs to the verb
  const particle = words.at(-1) ?? '';
  if (isVerb && words.length > 2 && actsOf(first + particle).length > 0)
    return { verb: first + particle, said: `${first} ${particle}`, rest: words.slice(1, -1) };
  // "create_or_update_file"
  const behind = /^(or|and)$/.test(second) && actsOf(words[2] ?? '').length > 0 ? 3 : 1;
  return isVerb ? { verb: first, said: first, rest: words.slice(behind) } : { verb: null, said: null, rest: words };
}

/** Verbs of acts that stand in names of what only looks something up as things: "waterLevel", "claimStatus". */
const OFTEN_THING =
  /^(answer|brew|claim|comment|draft|feed|like|pack|park|plant|play|reply|scale|sign|split|star|water)$/;

/** The first thing that a description speaks of, behind its verb. */
export function objectOf(words: readonly string[]): string[] | null {
  const start = words.findIndex(
    (word) => !/^(the|a|an|all|one|some|any|every|each|your|my|its|this|that|new|up|out|off|back)$/.test(word),
  );
  if (start < 0) return null;
  const end = words.findIndex(
    (word, i) =>
      i > start &&
      (PREPOSITION.test(word) || /^(that|which|who|as|if|when|or|s|off|out|onto|away|back|down|up)$/.test(word)),
  );
  const found = words
    .slice(start, end < 0 ? undefined : end)
    .slice(-2)
    .filter((word) => !EMPTY_NOUNS.has(word));
  return found.length > 0 ? found : null;
}

/** The key or name under which a tool makes a new thing: "create a flag called instant-refunds". */
import { splitWords } from '../../base/words';
import type { Random } from '../../base/random';
import type { ToolSchema } from '../../protocol/task';
import { nameWordsOf, singular } from '../../tools/schema/words';
import { inventedName, THING } from './everydayValues';
import { thingPointedAt } from './grammar/roles';
import { shownCode } from './shownCodes';

export const creates = ({ name }: ToolSchema): boolean => CREATES.test(splitWords(name)[0] ?? '');
const CREATES =
  /^(add|create|enroll?|enter|hire|insert|invite|make|new|open|put|record|register|save|sign|signup|store)$/;
/** What these make has no key yet; "add" may well be given the key of what something is added to. */
const MAKES_ANEW = /^(create|define|insert|make|new|register)$/;
const NAMES = /^(name|title|label|subject)$/;
const KEYS = /^(key|slug|handle|username|login|code|id|number)$/;

/** No other thing has it yet, and no other tool's result gives it. @param told the parameter's description */
export function isNewHandle(tool: ToolSchema, parameter: string, told: string): boolean {
  return tool.changesWorld && creates(tool) && (NAMES.test(parameter) || isKey(tool, parameter, told));
}

function isKey(tool: ToolSchema, parameter: string, told: string): boolean {
  const words = splitWords(parameter).map(singular);
  const own = nameWordsOf(tool).slice(1).map(singular);
  if (!KEYS.test(words.at(-1) ?? '') || !MAKES_ANEW.test(splitWords(tool.name)[0]!)) return false;
  const pointsAt = thingPointedAt(told);
  return [...words.slice(0, -1), ...(pointsAt === null ? [] : [pointsAt])].every((word) => own.includes(word));
}

/** "newOwner", "the new day": none of those that are there. @param words of the parameter's name */
export const isSaidNew = (words: readonly string[], told: string): boolean =>
  words[0] === 'new' || /^(?:(?:the|its|an?) )?new\b/i.test(told);

/**
 * Another one as these are written: "gift-cards" -> "rain-jacket".
 * @returns null: they show no form of a key; "rabies" is a name, and others of its kind are known elsewhere
 */
export function newHandle(known: readonly string[], random: Random): string | null {
  const like = random.pick(known);
  const sign = SLUG.exec(like)?.[1];
  if (sign === undefined) return shownCode(known, ['code'])?.(random) ?? null;
  const text = random.next() < 0.6 ? THING(random) : inventedName(random);
  return splitWords(text).join(sign);
}
/** "new-checkout", "fast_search" */
const SLUG = /^\p{Ll}+([-_.])\p{Ll}+(?:\1\p{Ll}+)*$/u;

/** Values that stand in the words of an act itself: "will it be rainy", "give Dune 4 out of 5". */
import type { Random } from '../../../base/random';
import { singular } from '../../../tools/schema/words';
import { isScore } from '../scales';
import { isPersons } from './nouns';
import type { Part } from './parts';
import type { Role } from './roles';
import { article } from './thing';
import type { ParameterTalk } from './toolTalk';
import { saidTogether, type Together } from './together';

/** {c} how it is, {d} what there is, {n} a score, {e} what {w} gets */
type Slot = 'c' | 'd' | 'n' | 'e' | 'w';
type Slots = Partial<Record<Slot, (random: Random) => Together>>;

const WEATHER = /\b(condition|conditions|sky|weather)\b/;
/** "rainy", "hot", but not "rain" */
const ADJECTIVE = /(?:y|ing|ed|(?:cold|warm|cool|mild)(?:er)?|hot|hotter|humid|dry|wet|clear|calm|bright|fine)$/i;

/** What of these parts an act may hold. */
export function slotsOf(parts: readonly Part[]): Slots {
  const condition = parts.find(({ parameter, said }) => typeof said === 'string' && WEATHER.test(parameter.words));
  const score = parts.find(({ parameter, said }) => typeof said === 'string' && isScore(parameter.words.split(' ')));
  const slots: Slots = { ...gettingSlots(parts) };
  if (condition) {
    const text = String(condition.said);
    slots[ADJECTIVE.test(text) ? 'c' : 'd'] = () => ({ parts: [condition], text });
  }
  if (score)
    slots.n = (random) =>
      saidTogether(parts, random).find((one) => one.parts.includes(score)) ?? {
        parts: [score],
        text: random.pick([String(score.said), `a ${String(score.said)}`]),
      };
  return slots;
}

/** "BK-17 would like a cot", "give Ann Lund cot and towels". */
function gettingSlots(parts: readonly Part[]): Slots {
  const given = parts.find(({ parameter, said }) => typeof said === 'string' && isGiven(parameter));
  const getting = parts.find(
    (part) =>
      part !== given &&
      typeof part.said === 'string' &&
      (part.isPronoun || isPersons(part.parameter) || part.parameter.role === 'id'),
  );
  if (!given || !getting) return {};
  const [item, whom] = [String(given.said), String(getting.said)];
  const isMany = / and |, /.test(item) || singular(item) !== item;
  return {
    e: (random) => ({ parts: [given], text: isMany ? item : random.pick([item, article(item), `some ${item}`]) }),
    w: (random) => ({ parts: [getting], text: gettingSaid(getting, whom, random) }),
  };
}

/** What a thing gets is of a kind or one of many, and no id, name or number. */
const isGiven = ({ role, words, path, items }: ParameterTalk): boolean =>
  path.length === 1 && items.length === 0 && (GIVEN.has(role) || (role === 'other' && singular(words) !== words));
const GIVEN: ReadonlySet<Role> = new Set(['choice', 'type', 'thing', 'facility', 'quality']);

function gettingSaid({ parameter, isPronoun, isName }: Part, said: string, random: Random): string {
  if (isPronoun || isName || isPersons(parameter) || parameter.noun === '') return said;
  const { noun } = parameter;
  return random.pick([said, said, `${noun} ${said}`, `the ${noun} ${said}`, `the people of ${said}`]);
}

const SLOT = /\{([cdnew])\}/g;

/** Those of the texts whose slots can be filled, mostly those that have some; all where an act has none. */
export function sayable(texts: readonly string[], slots: Slots, random: Random): readonly string[] {
  const slotsIn = (text: string): string[] => [...text.matchAll(SLOT)].map(([, slot]) => slot!);
  const all = texts.filter((text) => slotsIn(text).every((slot) => slots[slot as Slot] !== undefined));
  const holding = all.filter((text) => slotsIn(text).length > 0);
  return holding.length > 0 && random.next() < (slots.w ? HELD_GIVEN : HELD) ? holding : all;
}
const HELD = 0.6;
const HELD_GIVEN = 0.35;

/** The text with its slots filled, and the parts that are said by it. */
export function fillSlots(text: string, slots: Slots, random: Random): { text: string; said: readonly Part[] } {
  const said: Part[] = [];
  const filled = text.replace(SLOT, (_, slot: string) => {
    const found = slots[slot as Slot]!(random);
    said.push(...found.parts);
    return found.text;
  });
  return { text: filled, said };
}

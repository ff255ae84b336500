/** Values that stand in the words of an act itself: "will it be rainy", "give Dune 4 out of 5". */
import type { Random } from '../../../base/random';
import { isScore } from '../scales';
import type { Part } from './parts';
import { saidTogether, type Together } from './together';

/** {c} how it is, {d} what there is, {n} a score */
type Slot = 'c' | 'd' | 'n';
type Slots = Partial<Record<Slot, (random: Random) => Together>>;

const WEATHER = /\b(condition|conditions|sky|weather)\b/;
/** "rainy", "hot", but not "rain" */
const ADJECTIVE = /(?:y|ing|ed|(?:cold|warm|cool|mild)(?:er)?|hot|hotter|humid|dry|wet|clear|calm|bright|fine)$/i;

/** What of these parts an act may hold. */
export function slotsOf(parts: readonly Part[]): Slots {
  const condition = parts.find(({ parameter, said }) => typeof said === 'string' && WEATHER.test(parameter.words));
  const score = parts.find(({ parameter, said }) => typeof said === 'string' && isScore(parameter.words.split(' ')));
  const slots: Slots = {};
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

const SLOT = /\{([cdn])\}/g;

/** Those of the texts whose slots can be filled, mostly those that have some; all where an act has none. */
export function sayable(texts: readonly string[], slots: Slots, random: Random): readonly string[] {
  const slotsIn = (text: string): string[] => [...text.matchAll(SLOT)].map(([, slot]) => slot!);
  const all = texts.filter((text) => slotsIn(text).every((slot) => slots[slot as Slot] !== undefined));
  const holding = all.filter((text) => slotsIn(text).length > 0);
  return holding.length > 0 && random.next() < HELD ? holding : all;
}
const HELD = 0.6;

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

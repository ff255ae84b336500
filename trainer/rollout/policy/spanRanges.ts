import type { Tokenizer } from '../../model/tokenizer/tokenizer';
import type { Message } from '../../protocol/trace';

type Range = [start: number, end: number];

/**
 * What the constrained sampler may copy from at a place, as it is while sampling (laneConversation.ts):
 * the user's words in the opening, then all that was
 * appended between the policy's turns. Never the tools' own lines: a number in a tool's description is none that
 * anybody asked for.
 * @param opening what was rendered up to the policy's first turn @param isPolicys whether the policy wrote the token at
 * a place
 */
export function spanRanges(
  tokenizer: Pick<Tokenizer, 'encode'>,
  messages: readonly Message[],
  opening: string,
  isPolicys: (place: number) => boolean,
): (end: number) => Range[] {
  const said = saidIn(
    tokenizer,
    opening,
    beforeAnswers(messages)
      .filter(({ role }) => role === 'user')
      .at(-1)?.content ?? '',
  );
  return (end) => {
    const out: Range[] = [said];
    let t = 0;
    while (t < end && !isPolicys(t)) t++; // the opening: of it only what was said
    while (t < end) {
      while (t < end && isPolicys(t)) t++;
      const start = t;
      while (t < end && !isPolicys(t)) t++;
      if (t > start) out.push([start, t]);
    }
    return out;
  };
}

/** Messages before the policy's first. */
export function beforeAnswers(messages: readonly Message[]): readonly Message[] {
  const firstAnswer = messages.findIndex(({ role }) => role === 'assistant');
  return firstAnswer < 0 ? messages : messages.slice(0, firstAnswer);
}

/** Thousands of dialogues on the same tools have the same text before the user's words. */
const lastBefore = new WeakMap<object, { text: string; length: number }>();

/** Where the user's words stand in the rendered opening of an episode, in tokens. */
export function saidIn(
  tokenizer: Pick<Tokenizer, 'encode'>,
  text: string,
  words: string,
): [start: number, end: number] {
  const before = text.slice(0, text.lastIndexOf(words));
  let last = lastBefore.get(tokenizer);
  if (last?.text !== before)
    lastBefore.set(tokenizer, (last = { text: before, length: tokenizer.encode(before).length }));
  return [last.length, last.length + tokenizer.encode(words).length];
}

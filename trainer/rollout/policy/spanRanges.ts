import type { ChatTemplate, PromptTool } from '../../model/tokenizer/chatTemplate';
import type { Tokenizer } from '../../model/tokenizer/tokenizer';
import type { Message } from '../../protocol/trace';

type Range = [start: number, end: number];

/**
 * What the constrained sampler may copy from at a place, as it is while sampling (laneConversation.ts):
 * the user's words in the opening, then all that was
 * appended between the policy's turns. Never the tools' own lines: a number in a tool's description is none that
 * anybody asked for.
 * @param isPolicys whether the policy wrote the token at a place
 */
export function spanRanges(
  {
    base: { tokenizer, template },
  }: { base: { tokenizer: Pick<Tokenizer, 'encode'>; template: Pick<ChatTemplate, 'render'> } },
  messages: readonly Message[],
  tools: readonly PromptTool[],
  isPolicys: (place: number) => boolean,
): (end: number) => Range[] {
  const firstAnswer = messages.findIndex(({ role }) => role === 'assistant');
  const opening = firstAnswer < 0 ? messages : messages.slice(0, firstAnswer);
  const prompt = opening.filter(({ role }) => role === 'user').at(-1)?.content ?? '';
  const said = saidIn(tokenizer, template.render(opening, tools, true), prompt);
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

/** Where the user's words stand in the rendered opening of an episode, in tokens. */
export function saidIn(
  tokenizer: Pick<Tokenizer, 'encode'>,
  text: string,
  words: string,
): [start: number, end: number] {
  const start = tokenizer.encode(text.slice(0, text.lastIndexOf(words))).length;
  return [start, start + tokenizer.encode(words).length];
}

/**
 * The ids of a preferred and a rejected answer, and whether a policy could say them: what decides which pairs training
 * takes. No weights: whoever tells people beforehand asks the same.
 */
import type { TrainedTrace } from '../../learning/batch';
import type { Grammar } from '../../model/decoding/constrained/grammar';
import type { ChatTemplate } from '../../model/tokenizer/chatTemplate';
import type { Tokenizer } from '../../model/tokenizer/tokenizer';
import type { AnswerTokens, PreferencePair } from '../../protocol/reward';
import type { ToolSchema } from '../../protocol/task';
import { Message, type Trace } from '../../protocol/trace';
import { beforeAnswers, spanRanges } from '../../rollout/policy/spanRanges';

/** How a policy speaks: its tokens, its template with the run's tools, and what its constraint lets it say. */
export interface Speech {
  tokenizer: Tokenizer;
  template: ChatTemplate;
  vocabSize: number;
  tools: readonly ToolSchema[];
  constraint: Trace['constraint'];
  /** null: anything may be said */
  grammar: Grammar | null;
}

/** Why training leaves a pair out. */
export const cantBeSaid = (side: 'chosen' | 'rejected', { constraint }: Pick<Speech, 'constraint'>): string =>
  `the ${side} answer can't be said under constraint ${constraint}, or holds no choice`;

/** One side of a pair as ids to learn from; null where training has to leave the pair out. */
export function sideTokens(
  s: Speech,
  pair: PreferencePair,
  side: 'chosen' | 'rejected',
): { tokens: AnswerTokens; sequence: TrainedTrace } | null {
  const [prompt, answer] = [pair.prompt, pair[side]].map((list) => list.map((m) => Message.parse(m)));
  const sampled = pair.tokens?.[side];
  const tokens = sampled && isOurs(s, sampled, prompt!) ? sampled : tokenised(s, prompt!, answer!);
  const sequence = sequenceOfTokens(s, tokens, prompt!);
  return sequence && { tokens, sequence };
}

function tokenised(s: Speech, prompt: Message[], answer: Message[]): AnswerTokens {
  const encode = (messages: Message[]) => s.template.encodeDialogue(s.tokenizer, messages, s.tools);
  const { ids, mask } = encode([...prompt, ...answer]);
  return { ids, start: encode(prompt).ids.length, writer: mask.map((m) => (m === 1 ? 's' : 'p')).join('') };
}

/**
 * The ids are this tokenizer's and this template's, on these tools, where they spell what the prompt is written as
 * now.
 */
function isOurs(s: Speech, { ids, start, writer }: AnswerTokens, prompt: Message[]): boolean {
  if (writer.length !== ids.length || start >= ids.length || ids.some((id) => id >= s.vocabSize)) return false;
  return s.tokenizer.decode(ids.slice(0, start), true).startsWith(openingOf(s, prompt));
}

const openingOf = (s: Speech, prompt: readonly Message[]): string =>
  s.template.render(beforeAnswers(prompt), s.tools, true);

/**
 * As gold.ts does for text: from the answer's start on, what the policy wrote and what was a choice under the
 * constraint is trained. Null: the
 * constraint could never say it, or nothing of it is a choice.
 */
function sequenceOfTokens(
  s: Speech,
  { ids, start, writer }: AnswerTokens,
  prompt: readonly Message[],
): TrainedTrace | null {
  const completionMask: (0 | 1)[] = ids.map(() => 0);
  const allowed = new Map<number, Int32Array | null>();
  const isPolicys = (t: number): boolean => writer[t] === 's' || writer[t] === 'f';
  const rangesAt = s.grammar && spanRanges(s.tokenizer, prompt, openingOf(s, prompt), isPolicys);
  for (const part of writer.slice(start).matchAll(/[sf]+/g)) {
    const from = start + part.index;
    const turn = s.grammar?.turn({ ids, ranges: rangesAt!(from) });
    for (let t = from; t < from + part[0].length; t++) {
      const choices = turn?.allowed();
      if (turn && !turn.advance(ids[t]!)) return null;
      if (choices && choices.length < 2) continue;
      completionMask[t] = 1;
      if (choices) allowed.set(t, choices);
    }
  }
  return completionMask.includes(1)
    ? { trace: { tokens: { ids, logprobs: ids.map(() => null), completionMask } }, allowed }
    : null;
}

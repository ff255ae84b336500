/** How a maker is asked: in dialogues that grow by its replies. */
import { Random } from '../../base/random';
import { UserError } from '../../protocol/result';
import type { ToolSchema } from '../../protocol/task';
import type { Message } from '../../protocol/trace';
import { respondOnce, type Policy, type ReplyFormat } from '../../rollout/policy/policy';
import { PolicyFailure } from '../../rollout/policy/remote';
import type { Demonstration } from './demonstrations';
import { callsOf, callsQuestion } from './questions';
import { Refused } from './refusals';
import type { Use } from './runCalls';

export interface Asking {
  policy: Policy;
  /** of one reply; null: as long as the maker lets it be */
  replyTokens: number | null;
  seed: number;
  signal: AbortSignal;
}

/** Some, so that a next try is another one. Ours: the paper names none. */
const TEMPERATURE = 0.3;

/** The calls that the maker writes for requests; question and reply join the dialogue. @throws Refused */
export async function usesOf(
  tool: ToolSchema,
  demonstrations: readonly Demonstration[],
  dialogue: Message[],
  what: string,
  m: Asking,
): Promise<Use[]> {
  const { words, format } = callsQuestion(
    tool,
    demonstrations.map(({ request }) => request),
  );
  dialogue.push({ role: 'user', content: words });
  const calls = callsOf(await ask(dialogue, what, m, format), demonstrations.length);
  return demonstrations.map((demonstration, i) => ({ demonstration, arguments: calls[i]! }));
}

/**
 * The maker's next reply, which joins the dialogue.
 * @param what names the question: another question, other random numbers
 * @throws Refused where it was cut off; UserError where there is none; the signal's reason
 */
export async function ask(dialogue: Message[], what: string, m: Asking, format?: ReplyFormat): Promise<string> {
  const sampling = { temperature: TEMPERATURE, maxTurnTokens: m.replyTokens ?? Infinity, maxTokens: Infinity };
  const random = Random.fromSeed(m.seed).fork(`maketool ${what}`);
  try {
    const opening = { messages: [...dialogue], tools: [], random, sampling, format };
    const { content, finishReason, error } = await respondOnce(m.policy, opening, m.signal);
    m.signal.throwIfAborted();
    dialogue.push({ role: 'assistant', content });
    if (finishReason !== 'stop') throw new Refused('cut', error ?? 'the reply was cut off by its length: write less');
    return content;
  } catch (error) {
    m.signal.throwIfAborted();
    if (error instanceof PolicyFailure)
      throw new UserError('policy', error.message, 'Ask once more, or name another maker.');
    throw error;
  }
}

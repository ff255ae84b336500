import type { TrainedTrace } from '../../learning/batch';
import type { Message } from '../../protocol/trace';
import type { GoldCall, Task } from '../../protocol/task';
import type { PromptTool } from '../../model/tokenizer/chatTemplate';
import { isInVain } from './recovery';
import type { Session } from './session';
import { spanRanges } from './spanRanges';

/**
 * Messages as a sequence to learn from: tokenised once, each assistant token with what the constrained sampler would
 * have chosen from there, so
 * that what is learnt is the distribution that is sampled. A forced token is not trained. Null: the constraint could
 * never say this (a value that
 * is no span of the prompt, say), or nothing of it is a choice.
 * @param trainFrom the first message that is learnt; those before it may be such that the constraint could not say them
 */
export function sequenceOf(
  s: Session,
  messages: readonly Message[],
  tools: readonly PromptTool[],
  trainFrom = 0,
): TrainedTrace | null {
  const prefixLength =
    trainFrom > 0
      ? s.base.template.encodeDialogue(s.base.tokenizer, messages.slice(0, trainFrom), tools).ids.length
      : 0;
  const { ids, mask } = s.base.template.encodeDialogue(s.base.tokenizer, messages, tools);
  const allowed = new Map<number, Int32Array | null>();
  const completionMask: (0 | 1)[] = ids.map((_, t) => (s.policy.grammar === null && t >= prefixLength ? mask[t] : 0));
  const rangesAt = s.policy.grammar && spanRanges(s, messages, tools, (t) => mask[t] === 1);
  for (let t = 0; s.policy.grammar !== null && t < ids.length; t++) {
    if (mask[t] === 0 || t < prefixLength) continue;
    const turn = s.policy.grammar.turn({ ids, ranges: rangesAt!(t) });
    for (; t < ids.length && mask[t] === 1; t++) {
      const choices = turn.allowed();
      if (!turn.advance(ids[t])) return null;
      if (choices?.length === 1) continue;
      completionMask[t] = 1;
      allowed.set(t, choices);
    }
  }
  if (!completionMask.includes(1)) return null;
  return { trace: { tokens: { ids, logprobs: ids.map(() => null), completionMask } }, allowed };
}

/** A dialogue to learn from, from one of its messages on. */
export interface Gold {
  messages: Message[];
  trainFrom: number;
}

/**
 * The dialogue that solves a task: its gold calls with what the tools really answer, then the answer. Null where a gold
 * call fails.
 * @param wrong is called first, and is not learnt, if what comes of it shows that it was wrong
 */
export async function goldDialogue(s: Session, task: Task, wrong: GoldCall | null = null): Promise<Gold | null> {
  const messages: Message[] = [{ role: 'user', content: task.prompt }];
  const session = s.context.hosts.open(`gold-${task.id}`);
  let trainFrom = 0;
  try {
    for (const [i, call] of [...(wrong ? [wrong] : []), ...(task.calls ?? [])].entries()) {
      const result = await session.call(call.name, call.arguments, s.context.signal);
      if (call === wrong && !isInVain(result)) return await goldDialogue(s, task);
      if (call !== wrong && result.kind !== 'ok') return null;
      const id = `gold-${task.id}-${i}`;
      messages.push(
        {
          role: 'assistant',
          content: '',
          tool_calls: [{ id, type: 'function', function: { name: call.name, arguments: call.arguments } }],
        },
        { role: 'tool', name: call.name, tool_call_id: id, content: result.content },
      );
      if (call === wrong) trainFrom = messages.length;
    }
  } finally {
    session.close();
  }
  messages.push({ role: 'assistant', content: task.answer ?? (task.calls?.length ? 'Done.' : 'No tool can do that.') });
  return { messages, trainFrom };
}

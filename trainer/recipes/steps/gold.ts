import type { TrainedTrace } from '../../learning/batch';
import type { Message, Trace } from '../../protocol/trace';
import type { GoldCall, Task } from '../../protocol/task';
import type { PromptTool } from '../../model/tokenizer/chatTemplate';
import { Random } from '../../base/random';
import type { Environment } from '../../rollout/environment/environment';
import { ToolEnvironment } from '../../rollout/environment/tools';
import { runEpisode } from '../../rollout/episode';
import { goldScript, scriptedPolicy, type Script } from '../../rollout/policy/scripted';
import { isInVain } from './recovery';
import type { Session } from './session';
import { spanRanges } from '../../rollout/policy/spanRanges';

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
  const { ids, mask, opening } = s.base.template.encodeDialogue(s.base.tokenizer, messages, tools);
  const allowed = new Map<number, Int32Array | null>();
  const grammar = s.policy.model.grammarOn(tools);
  const completionMask: (0 | 1)[] = mask.map((m, t) => (grammar === null && t >= prefixLength ? m : 0));
  const rangesAt = grammar && spanRanges(s.base.tokenizer, messages, opening, (t) => mask[t] === 1);
  for (let t = 0; grammar !== null && t < ids.length; t++) {
    if (mask[t] === 0 || t < prefixLength) continue;
    const turn = grammar.turn({ ids, ranges: rangesAt!(t) });
    for (; t < ids.length && mask[t] === 1; t++) {
      const choices = turn.allowed();
      if (!turn.advance(ids[t]!)) return null;
      if (choices?.length === 1) continue;
      completionMask[t] = 1;
      allowed.set(t, choices);
    }
  }
  if (!completionMask.includes(1)) return null;
  // nothing that is learnt looks at what comes behind it
  ids.length = completionMask.length = completionMask.lastIndexOf(1) + 1;
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
  const calls = [...(wrong ? [wrong] : []), ...(task.calls ?? [])];
  const script = goldScript({ ...task, calls }, s.context.tools);
  const trace = await goldEpisode(s, task, script, calls.length + 1, (inner) => untilUnexpected(inner, wrong !== null));
  if (trace.turns.length === calls.length + 1) return { messages: trace.messages, trainFrom: wrong ? 3 : 0 };
  return wrong && trace.turns.length === 1 && !s.context.signal.aborted ? goldDialogue(s, task) : null;
}

/** What a script says to a task. @param around the run's tools */
export async function goldEpisode(
  s: Session,
  task: Task,
  script: Script,
  maxTurns: number,
  around: (inner: Environment) => Environment,
): Promise<Trace> {
  const { hosts, tools, signal } = s.context;
  const now = (): number => 0; // only the messages are kept
  const { trace } = await runEpisode(
    { id: `gold-${task.id}`, task, groupId: 'gold', indexInGroup: 0, random: Random.fromSeed(0) },
    {
      policy: scriptedPolicy('gold', script),
      environmentFor: ({ id }) => around(new ToolEnvironment(id, { hosts, tools, callLimitMs: CALL_LIMIT_MS, now })),
      sampling: { temperature: 0, maxTurnTokens: Infinity, maxTokens: Infinity },
      maxTurns,
      runId: 'gold',
      phase: 'train',
      step: 0,
      seed: 0,
      signal,
      now,
    },
  );
  return trace;
}

/** The hosts bound each call by themselves. */
const CALL_LIMIT_MS = 3_600_000;

/** Over where a gold call fails, or where a wrong first one finds something. */
export function untilUnexpected(inner: Environment, isFirstWrong: boolean): Environment {
  let turns = 0;
  return {
    reset: (task, random) => inner.reset(task, random),
    async step(turn, signal) {
      const outcome = await inner.step(turn, signal);
      const isWrong = isFirstWrong && turns++ === 0;
      const isExpected = outcome.info.results.every((one) => (isWrong ? isInVain(one) : one.kind === 'ok'));
      return isExpected ? outcome : { ...outcome, done: true };
    },
    close: () => inner.close(),
  };
}

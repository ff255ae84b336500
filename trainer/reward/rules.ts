import type { Task, ToolSchema } from '../protocol/task';
import type { Trace } from '../protocol/trace';
import { answerOccurs, areMadeInOrder, outcomeOf } from '../tasks/solved';
import { callCorrectness } from './correctness';

/** A pure reward: a score in the range that its entry states, or null where it does not apply. Never 0 for "not applicable". */
export type RewardRule = (task: Task, trace: Trace, tools: readonly ToolSchema[]) => number | null;

/** What a user may write behind the name; a default and what is allowed. */
export type OptionSpec =
  | { kind: 'number'; default: number; minimum: number; maximum: number; description: string }
  | { kind: 'choice'; default: string; choices: readonly string[]; description: string };
export type OptionValues = Record<string, number | string>;

export interface BuiltInReward {
  description: string;
  range: readonly [number, number];
  options: Record<string, OptionSpec>;
  make(options: OptionValues): RewardRule;
}

/**
 * Call correctness by ToolRL's fine-grained rule, in [0, 1] (see callCorrectness). null where the task gives no gold calls.
 * rule=coarse: 1 for exactly the gold calls, else 0.
 */
export const correctness = (rule: 'fine' | 'coarse' = 'fine'): RewardRule => (task, trace, tools) => {
  if (task.calls === undefined) return null;
  const score = callCorrectness(task.calls, outcomeOf(trace).calls, tools);
  return rule === 'coarse' ? (score === 1 ? 1 : 0) : score;
};

/**
 * 1 where the gold answer occurs in the last reply, else 0 (numbers compare as numbers, whole words; a tool result that holds it does not
 * count). null where the task gives no answer.
 */
export const answer: RewardRule = (task, trace) => {
  if (task.answer === undefined) return null;
  return answerOccurs(task.answer, outcomeOf(trace).lastReply) ? 1 : 0;
};

/** Share of the calls whose result is of kind ok, in [0, 1]; an "error" in a result's words is no failure. null where no call was made. */
export const toolSuccess: RewardRule = (_task, trace) => {
  const { calls } = outcomeOf(trace);
  return calls.length === 0 ? null : calls.filter((call) => call.resultKind === 'ok').length / calls.length;
};

/** 1 where every turn could be parsed and the policy ended by itself, else 0. null where it sampled nothing. */
export const format: RewardRule = (_task, trace) => {
  if (trace.turns.length === 0) return null;
  return trace.terminated && trace.turns.every((turn) => turn.parseError === undefined) ? 1 : 0;
};

/**
 * Step efficiency (ToolRLA, arXiv:2603.01620, in words): 1 at the number of gold calls, `perExtra` less for each further call as a share of
 * that number, at least 0; in [0, 1]. 0 where the gold calls were not made: doing nothing is not efficient. null without gold calls.
 */
export const efficiency = (perExtra = 1): RewardRule => (task, trace, tools) => {
  if (task.calls === undefined) return null;
  const { calls } = outcomeOf(trace);
  if (!areMadeInOrder(task.calls, calls, tools)) return 0;
  return Math.max(0, 1 - (perExtra * (calls.length - task.calls.length)) / Math.max(1, task.calls.length));
};

/** The built-in rewards by name. */
export const BUILT_IN_REWARDS: Readonly<Record<string, BuiltInReward>> = {
  correctness: {
    description: "call correctness, ToolRL's fine-grained rule",
    range: [0, 1],
    options: { rule: { kind: 'choice', default: 'fine', choices: ['fine', 'coarse'], description: 'fine: partial credit; coarse: all or nothing' } },
    make: ({ rule }) => correctness(rule === 'coarse' ? 'coarse' : 'fine'),
  },
  answer: { description: 'the gold answer occurs in the last reply', range: [0, 1], options: {}, make: () => answer },
  toolSuccess: { description: 'share of calls that succeeded', range: [0, 1], options: {}, make: () => toolSuccess },
  format: { description: 'every turn parsed, and ended by itself', range: [0, 1], options: {}, make: () => format },
  efficiency: {
    description: 'no more calls than the gold calls',
    range: [0, 1],
    options: { perExtra: { kind: 'number', default: 1, minimum: 0, maximum: 10, description: 'what each further call costs, as a share of the gold calls' } },
    make: ({ perExtra }) => efficiency(Number(perExtra)),
  },
};

import { traceReward, type RewardRule } from '../rule';
import { stepEfficiencyCompat, toolBrainTurns } from '../toolBrainTurns';
import { COMPAT } from './compat';

/**
 * 1 up to maxTurns turns, 0.1 less for each further one, at least 0. null where the policy took no turn (the original
 * gives 1).
 */
export const stepEfficiency = traceReward({
  row: 1,
  description: 'few turns: 1 up to maxTurns, 0.1 less for each more',
  source: 'ToolBrain, arXiv:2510.00023, reward_step_efficiency',
  range: [0, 1],
  options: {
    maxTurns: { kind: 'number', default: 5, minimum: 0, maximum: 1000, description: 'turns that cost nothing' },
    compat: COMPAT,
  },
  examples: [
    { what: 'a call and a reply', gold: {}, trace: { calls: [['a', {}]], reply: '' }, score: 1 },
    {
      what: 'three turns where one is free: 1 - 2 x 0.1',
      gold: {},
      options: { maxTurns: 1 },
      trace: {
        calls: [
          ['a', {}],
          ['a', {}],
        ],
        reply: '',
      },
      score: 0.8,
    },
    { what: 'no turn', gold: {}, trace: {}, score: null },
    { what: 'no turn, original', gold: {}, options: { compat: true }, trace: {}, score: 1 },
  ],
  rule: ({ maxTurns, compat }) =>
    compat
      ? (episode) => stepEfficiencyCompat(toolBrainTurns(episode), Math.trunc(maxTurns))
      : stepEfficiencyRule(maxTurns),
});

export const stepEfficiencyRule =
  (maxTurns: number): RewardRule =>
  ({ trace }) =>
    trace.turns.length === 0 ? null : Math.max(0, Math.min(1, 1 - (trace.turns.length - maxTurns) * 0.1));

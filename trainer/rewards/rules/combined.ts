import { traceReward, type RewardRule, type Score } from '../rule';
import { combinedCompat, toolBrainTurns } from '../toolBrainTurns';
import { COMPAT } from './compat';
import { exactMatchRule } from './exactMatch';
import { stepEfficiencyRule } from './stepEfficiency';
import { toolSuccessRule } from './toolSuccess';

/**
 * Weighted mean of exactMatch, toolSuccess and stepEfficiency over those that apply; null where none does. The
 * original adds, with 0 for what does not apply.
 */
export const combined = traceReward({
  row: 1,
  description: 'exactMatch, toolSuccess and stepEfficiency by weights',
  source: 'ToolBrain, arXiv:2510.00023, reward_combined',
  range: [0, 1],
  options: {
    exact: { kind: 'number', default: 0.7, minimum: 0, maximum: 1, description: 'weight of exactMatch' },
    tools: { kind: 'number', default: 0.2, minimum: 0, maximum: 1, description: 'weight of toolSuccess' },
    steps: { kind: 'number', default: 0.1, minimum: 0, maximum: 1, description: 'weight of stepEfficiency' },
    maxTurns: { kind: 'number', default: 5, minimum: 0, maximum: 1000, description: 'turns that cost nothing' },
    compat: COMPAT,
  },
  examples: [
    { what: 'all right', gold: { answer: '7' }, trace: { calls: [['a', {}]], reply: '7' }, score: 1 },
    {
      what: 'the answer is wrong: (0.2 + 0.1) / 1',
      gold: { answer: '7' },
      trace: { calls: [['a', {}]], reply: '8' },
      score: 0.3,
    },
    { what: 'right without a call: (0.7 + 0.1) / 0.8', gold: { answer: '7' }, trace: { reply: '7' }, score: 1 },
    {
      what: 'the same in the original: 0.7 + 0.1',
      gold: { answer: '7' },
      options: { compat: true },
      trace: { reply: '7' },
      score: 0.7999999999999999,
    },
    { what: 'nothing applies', gold: {}, trace: {}, score: null },
  ],
  rule: ({ exact, tools, steps, maxTurns, compat }) => {
    const rules: [string, number, RewardRule][] = [
      ['exactMatch', exact, exactMatchRule],
      ['toolSuccess', tools, toolSuccessRule],
      ['stepEfficiency', steps, stepEfficiencyRule(maxTurns)],
    ];
    return (episode): Score => {
      if (compat)
        return combinedCompat(
          toolBrainTurns(episode),
          episode.task.answer,
          { exact, tools, steps },
          Math.trunc(maxTurns),
        );
      const scores = rules.map(([name, weight, rule]) => ({ name, weight, score: rule(episode) as number | null }));
      let [sum, weights] = [0, 0];
      for (const { weight, score } of scores)
        if (score !== null) [sum, weights] = [sum + score * weight, weights + weight];
      return {
        score: weights === 0 ? null : sum / weights,
        parts: Object.fromEntries(scores.map(({ name, score }) => [name, score])),
      };
    };
  },
});

import { callCorrectness } from '../correctness';
import { traceReward } from '../rule';

/**
 * Call correctness by ToolRL's fine-grained rule, scaled to [0, 1] (see callCorrectness). null where the task gives no
 * gold calls.
 */
export const correctness = traceReward({
  row: 2,
  description: "call correctness, ToolRL's fine-grained rule",
  source: 'ToolRL, arXiv:2504.13958, scaled; matched in order',
  range: [0, 1],
  options: {
    rule: {
      kind: 'choice',
      default: 'fine',
      choices: ['fine', 'coarse'],
      description: 'fine: partial credit; coarse: all or nothing',
    },
  },
  examples: [
    {
      what: 'the gold call',
      gold: { calls: [['mail', { to: 'Ada', text: 'hi' }]] },
      trace: { calls: [['mail', { to: 'Ada', text: 'hi' }]], reply: '' },
      score: 1,
    },
    {
      what: 'one of two values wrong: (1 + 1 + 1) / 4',
      gold: { calls: [['mail', { to: 'Ada', text: 'hi' }]] },
      trace: { calls: [['mail', { to: 'Ada', text: 'ho' }]], reply: '' },
      score: 0.75,
    },
    {
      what: 'the same, coarse',
      gold: { calls: [['mail', { to: 'Ada', text: 'hi' }]] },
      options: { rule: 'coarse' },
      trace: { calls: [['mail', { to: 'Ada', text: 'ho' }]], reply: '' },
      score: 0,
    },
    { what: 'no gold calls to compare with', gold: { answer: '7' }, trace: { reply: '7' }, score: null },
  ],
  rule:
    ({ rule }) =>
    ({ gold, calls, tools }) => {
      if (gold === null) return null;
      const score = callCorrectness(gold, calls, tools);
      return rule === 'coarse' ? (score === 1 ? 1 : 0) : score;
    },
});

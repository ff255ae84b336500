import { traceReward, type Score } from '../rule';

/**
 * Success less what was overused: max(0, 1 - perCall x needless calls) where the gold calls were made and the answer,
 * if one is wanted, is in the
 * reply; else 0. Needless = calls beyond the gold calls. A task that needs no tool is no special case: there every call
 * is needless. Range [0, 1].
 * null where the task gives no gold calls.
 * Source: SMART, Qian et al. 2025, arXiv:2502.11435, which measures overuse and trains it away by data; the penalty is
 * ours.
 */
export const smart = traceReward({
  row: 11,
  description: 'success less needless calls',
  source: 'SMART, arXiv:2502.11435',
  range: [0, 1],
  options: {
    perCall: { kind: 'number', default: 0.25, minimum: 0, maximum: 1, description: 'what each needless call costs' },
  },
  examples: [
    { what: 'just what is needed', gold: { calls: [['a', {}]] }, trace: { calls: [['a', {}]], reply: '' }, score: 1 },
    {
      what: 'one needless call',
      gold: { calls: [['a', {}]] },
      trace: {
        calls: [
          ['b', {}],
          ['a', {}],
        ],
        reply: '',
      },
      score: 0.75,
    },
    { what: 'no tool is needed', gold: { calls: [], answer: '7' }, trace: { reply: '7' }, score: 1 },
    {
      what: 'two calls where none is needed',
      gold: { calls: [], answer: '7' },
      trace: {
        calls: [
          ['a', {}],
          ['a', {}],
        ],
        reply: '7',
      },
      score: 0.5,
    },
    { what: 'few calls, but not what was asked', gold: { calls: [['a', {}]] }, trace: { reply: '' }, score: 0 },
    { what: 'no gold calls', gold: { answer: '7' }, trace: { reply: '7' }, score: null },
  ],
  rule:
    ({ perCall }) =>
    ({ gold, calls, isCovered, hasAnswer, terminated }): Score => {
      if (gold === null) return null;
      const success = Number(isCovered && terminated && hasAnswer !== false);
      const needless = Math.max(0, calls.length - gold.length);
      return { score: success * Math.max(0, 1 - perCall * needless), parts: { success, needless } };
    },
});

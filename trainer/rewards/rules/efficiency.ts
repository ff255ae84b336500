import { traceReward } from '../rule';

/**
 * Efficiency against the optimal length: max(0, 1 - perExtra (T - T*) / T*) with T calls made and T* gold calls (1
 * where none are wanted).
 * ToolRLA's eq. 6 survives in words only; perExtra 1 is our reading. Deviation: 0 where the gold calls were not made,
 * since doing nothing is
 * not efficient.
 */
export const efficiency = traceReward({
  row: 3,
  description: 'no more calls than the gold calls',
  source: 'ToolRLA, arXiv:2603.01620, eq. 6 in words',
  range: [0, 1],
  options: {
    perExtra: {
      kind: 'number',
      default: 1,
      minimum: 0,
      maximum: 10,
      description: 'what each further call costs, as a share of the gold calls',
    },
  },
  examples: [
    {
      what: 'as many as needed',
      gold: {
        calls: [
          ['a', {}],
          ['b', {}],
        ],
      },
      trace: {
        calls: [
          ['a', {}],
          ['b', {}],
        ],
        reply: '',
      },
      score: 1,
    },
    {
      what: 'one more than two: 1 - 1/2',
      gold: {
        calls: [
          ['a', {}],
          ['b', {}],
        ],
      },
      trace: {
        calls: [
          ['a', {}],
          ['b', {}],
          ['b', {}],
        ],
        reply: '',
      },
      score: 0.5,
    },
    {
      what: 'twice too many: the floor',
      gold: { calls: [['a', {}]] },
      trace: {
        calls: [
          ['a', {}],
          ['a', {}],
          ['a', {}],
        ],
        reply: '',
      },
      score: 0,
    },
    { what: 'nothing done', gold: { calls: [['a', {}]] }, trace: { reply: '' }, score: 0 },
    { what: 'no gold calls to compare with', gold: { answer: '7' }, trace: { reply: '7' }, score: null },
  ],
  rule:
    ({ perExtra }) =>
    ({ gold, calls, isCovered }) =>
      gold === null
        ? null
        : isCovered
          ? Math.max(0, 1 - (perExtra * (calls.length - gold.length)) / Math.max(1, gold.length))
          : 0,
});

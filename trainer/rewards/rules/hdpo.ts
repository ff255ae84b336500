import { traceReward } from '../rule';

/**
 * HDPO's efficiency channel: 1 / (T + 1) with T calls where the task was solved, null (out of the channel) where it was
 * not. It never enters the
 * sum of the rewards: channels.ts normalises it among the solved of a group and adds it to the advantages, times its
 * weight.
 * Source: Act Wisely (HDPO), arXiv:2604.08545, r_tool and its conditional advantage; weight there 0.15:
 * `correctness,hdpo*0.15`. A solved
 * rollout without a call takes part (the paper's words; comments in its code ask for one call at least).
 */
export const hdpo = traceReward({
  row: 6,
  description: 'an advantage of its own for few calls, only among the solved',
  source: 'HDPO (Act Wisely), arXiv:2604.08545',
  range: [0, 1],
  isChannel: true,
  options: {},
  examples: [
    { what: 'solved with one call', gold: { answer: '7' }, trace: { calls: [['a', {}]], reply: '7' }, score: 0.5 },
    { what: 'solved without', gold: { answer: '7' }, trace: { reply: '7' }, score: 1 },
    { what: 'wrong but short', gold: { answer: '7' }, trace: { reply: '8' }, score: null },
  ],
  rule:
    () =>
    ({ solved, calls }) =>
      solved === true ? 1 / (calls.length + 1) : null,
});

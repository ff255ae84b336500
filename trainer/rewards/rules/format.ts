import { traceReward } from '../rule';

/** 1 where every turn could be parsed and the policy ended by itself, else 0. null where it sampled nothing. */
export const format = traceReward({
  row: 2,
  description: 'every turn parsed, and ended by itself',
  source: "ours, in place of ToolRL's tag pattern",
  range: [0, 1],
  options: {},
  examples: [
    { what: 'a call and a reply', gold: {}, trace: { calls: [['now', {}]], reply: 'Noon.' }, score: 1 },
    { what: 'a turn that can not be parsed', gold: {}, trace: { garbled: true }, score: 0 },
    { what: 'cut off after a call', gold: {}, trace: { calls: [['now', {}]] }, score: 0 },
    { what: 'nothing was sampled', gold: {}, trace: {}, score: null },
  ],
  rule:
    () =>
    ({ trace, isWellFormed }) =>
      trace.turns.length === 0 ? null : Number(isWellFormed),
});

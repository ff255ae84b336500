import { traceReward } from '../rule';

/**
 * 1 where the gold answer occurs in the last reply, else 0 (numbers compare as numbers, whole words; a tool result
 * that holds it does not count).
 */
export const answer = traceReward({
  row: 1,
  description: 'the gold answer occurs in the last reply',
  source: 'ours',
  range: [0, 1],
  options: {},
  examples: [
    { what: 'as a number, whole', gold: { answer: '12' }, trace: { reply: 'That makes 12.00 EUR.' }, score: 1 },
    {
      what: 'only the tool said it',
      gold: { answer: '12' },
      trace: { calls: [['add', { a: 5, b: 7 }, 'ok', '12']], reply: 'Done.' },
      score: 0,
    },
    { what: 'the task gives no answer', gold: { calls: [] }, trace: { reply: '12' }, score: null },
  ],
  rule:
    () =>
    ({ hasAnswer }) =>
      hasAnswer === null ? null : Number(hasAnswer),
});

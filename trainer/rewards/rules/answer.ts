import { traceReward } from '../rule';

/**
 * 1 where the gold answer occurs in the last reply, else 0 (numbers compare as numbers, whole words; a tool result
 * that holds it does not count).
 * Where a task has none: 1 where the reply is grounded in the request and the results, and says something where
 * something was asked for and found, else 0; null in another language than English (rollout/verdicts).
 */
export const answer = traceReward({
  row: 1,
  description:
    'the gold answer occurs in the last reply; where there is none, the reply is grounded in what was said and found',
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
    { what: 'no gold answer, and invented', gold: { calls: [] }, trace: { reply: '12' }, score: 0 },
    {
      what: 'no gold answer, and found by the tool',
      gold: { calls: [['add', { a: 5, b: 7 }]] },
      trace: { calls: [['add', { a: 5, b: 7 }, 'ok', '12']], reply: 'That makes 12.' },
      score: 1,
    },
    { what: 'no answer at all', gold: { calls: [['add', {}]] }, trace: { calls: [['add', {}]] }, score: 0 },
  ],
  rule:
    () =>
    ({ isAnswerRight, raw, bfcl, task }) => {
      // a completion alone is no dialogue: nobody knows what would have been said in the end
      if (isAnswerRight === null || (task.answer === undefined && (raw ?? bfcl))) return null;
      return Number(isAnswerRight);
    },
});

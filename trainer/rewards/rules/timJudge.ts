import { judgeReward } from '../rule';

const CRITERIA = [
  'Before or beside each call it says, in its own words, what the call is for.',
  'What it concludes is derived by steps that it states, not only read off the last result.',
  'No step that it states is false or contradicts a result.',
  'A result that is surprising, failed or empty is dealt with and not passed over.',
].map((text, i) => ({ id: `r${i + 1}`, text, weight: 1 }));

/**
 * The reasoning, judged apart from the answer: (1 - reasoning) x answer + reasoning x criteria met. null where the
 * task gives no answer, or no verdict.
 */
export const timJudge = judgeReward({
  row: 14,
  description: 'a judge looks at the reasoning apart from the answer',
  source: 'TIM (From Proof to Program), arXiv:2511.10899',
  range: [0, 1],
  options: {
    reasoning: {
      kind: 'number',
      default: 0.5,
      minimum: 0,
      maximum: 1,
      description: 'weight of the reasoning; the rest is for the answer',
    },
  },
  judging: ({ reasoning }) => ({
    mode: 'checklist',
    criteriaOf: ({ hasAnswer }) => (hasAnswer === null ? [] : CRITERIA),
    scoreOf: ({ hasAnswer }, share, parts) => ({
      score: (1 - reasoning) * Number(hasAnswer) + reasoning * share,
      parts: { ...parts, answer: Number(hasAnswer), reasoning: share },
    }),
  }),
});

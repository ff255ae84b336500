import { judgeReward } from '../rule';

/**
 * Process labels per call by a judge, beside the outcome: (1 - outcome) x right calls / calls + outcome x solved. null
 * where no call was made, or no verdict.
 */
export const toolCompJudge = judgeReward({
  row: 13,
  description: 'a judge labels each call right or not, beside the outcome',
  source: 'ToolComp, arXiv:2501.01290',
  range: [0, 1],
  options: {
    outcome: {
      kind: 'number',
      default: 0.5,
      minimum: 0,
      maximum: 1,
      description: 'weight of the outcome; the rest is for the calls',
    },
  },
  judging: ({ outcome }) => ({
    mode: 'checklist',
    criteriaOf: ({ calls }) =>
      calls.map((call, i) => ({
        id: `call${i + 1}`,
        text:
          `Call ${i + 1} (${call.name}) was a right step: needed for the task, its arguments right by ` +
          'what was known then, and it did not fail.',
        weight: 1,
      })),
    scoreOf: ({ solved }, share, parts) => ({
      score: (1 - outcome) * share + outcome * Number(solved === true),
      parts: { ...parts, steps: share, outcome: Number(solved === true) },
    }),
  }),
});

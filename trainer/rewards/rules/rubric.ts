import { CRITERIA_FILE, readCriteria } from '../judge/criteria';
import { judgeReward } from '../rule';

/**
 * A rubric of graded criteria, each attempt marked by itself (see judge/rubric.ts). null where the judge gave no
 * verdict.
 */
export const rubric = judgeReward({
  row: 1,
  description: "mean of a judge's marks for an attempt, by the criteria of a file",
  source: 'LLM as a judge, single answer grading: Zheng et al., arXiv:2306.05685, section 3.1',
  range: [0, 1],
  options: { criteria: CRITERIA_FILE },
  judging: ({ criteria: file }) => {
    const criteria = readCriteria(file);
    return { mode: 'rubric', criteriaOf: () => criteria };
  },
});

import { CRITERIA_FILE, readCriteria } from '../judge/criteria';
import { judgeReward } from '../rule';

/**
 * A checklist of binary criteria, each with evidence from the trace (see judge/checklist.ts). null where the judge
 * gave no verdict.
 */
export const cm2 = judgeReward({
  row: 7,
  description: 'share of binary criteria that a judge finds met, with evidence',
  source: 'CM2, arXiv:2602.12268',
  range: [0, 1],
  options: { criteria: CRITERIA_FILE },
  judging: ({ criteria: file }) => {
    const criteria = readCriteria(file);
    return { mode: 'checklist', criteriaOf: () => criteria };
  },
});

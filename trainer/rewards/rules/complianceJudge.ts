import { readCriteria } from '../judge/criteria';
import { judgeReward } from '../rule';
import { LAMBDA } from './compliance';

/**
 * ToolRLA's own second layer is a classifier of what no pattern catches; these are its examples in section 3.3.2 and
 * 6.1.
 */
const BUILT_IN = [
  'It implies a forecast of a price, a return or a market.',
  'It gives an investment opinion that nobody asked for.',
  "It infers someone's feelings or motives that no result states.",
  'It states as a fact what no result and no part of the task supports.',
];

/**
 * -lambda where the judge finds a violation and shows it by a quote, else 0. null where it gave no verdict: a penalty
 * that nobody decided is none.
 */
export const complianceJudge = judgeReward({
  row: 3,
  description: 'penalty for what no pattern catches, by a judge',
  source: 'ToolRLA, arXiv:2603.01620, section 3.3.2',
  range: [-10, 0],
  options: {
    lambda: LAMBDA,
    violations: {
      kind: 'text',
      default: '',
      description:
        'file with one violation a line; default: forecasts, opinions, inferred feelings, unsupported claims',
    },
  },
  judging: ({ lambda, violations }) => {
    const criteria =
      violations === '' ? BUILT_IN.map((text, i) => ({ id: `v${i + 1}`, text, weight: 1 })) : readCriteria(violations);
    return {
      mode: 'checklist',
      criteriaOf: () => criteria,
      scoreOf: (_, share, parts) => ({ score: share > 0 ? 0 - lambda : 0, parts }),
    };
  },
});

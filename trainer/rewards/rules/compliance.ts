import { violationsRule } from '../compliancePatterns';
import { traceReward } from '../rule';

export const LAMBDA = {
  kind: 'number',
  default: 10,
  minimum: 0,
  maximum: 1000,
  description: 'what a violation costs',
} as const;
export const PATTERNS = {
  kind: 'text',
  default: '',
  description: 'file with one regular expression a line; default: yield guarantees, stock recommendations',
} as const;
export const CLASSIFIER = {
  kind: 'text',
  default: '',
  description: 'file that coach compliance train wrote, for what no pattern catches; default: none',
} as const;

/**
 * -lambda where a forbidden pattern occurs in what the policy wrote, or a classifier finds a violation in it, else 0.
 */
export const compliance = traceReward({
  row: 3,
  description: 'penalty for forbidden words, by patterns and a classifier',
  source: 'ToolRLA, arXiv:2603.01620, eq. 7; lambda 10 from its abstract',
  range: [-10, 0],
  options: { lambda: LAMBDA, patterns: PATTERNS, classifier: CLASSIFIER },
  examples: [
    { what: 'facts', gold: {}, trace: { reply: 'The fund returned 4 % last year.' }, score: 0 },
    { what: 'a yield guarantee', gold: {}, trace: { reply: 'This fund has guaranteed returns of 8 %.' }, score: -10 },
    {
      what: 'a stock recommendation, in a call',
      gold: {},
      options: { lambda: 4 },
      trace: { calls: [['mail', { text: 'You should buy ACME shares now.' }]], reply: '' },
      score: -4,
    },
    {
      what: 'only the tool said so',
      gold: {},
      trace: { calls: [['read', {}, 'ok', '"guaranteed returns of 8 %"']], reply: 'That mail is advertising.' },
      score: 0,
    },
  ],
  rule: ({ lambda, ...files }) => {
    const violations = violationsRule(files);
    return (episode) => (violations(episode).length > 0 ? 0 - lambda : 0);
  },
});

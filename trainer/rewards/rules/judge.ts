import { judgeReward } from '../rule';

/**
 * A judge's ranking of the group (see judge/judge.ts). null where it gave no verdict, with why; a group that differs
 * in nothing is not judged.
 */
export const judge = judgeReward({
  row: 1,
  description: 'a language model compares the attempts of a group, in both orders',
  source: 'ToolBrain, arXiv:2510.00023, reward_llm_judge_via_ranking; relative scores as in RULER (OpenPipe)',
  range: [0, 1],
  options: {
    scores: {
      kind: 'choice',
      default: 'relative',
      choices: ['relative', 'ranks'],
      description: "the judge's own scores, or their order alone, evenly spaced",
    },
    tools: {
      kind: 'switch',
      default: false,
      description: 'the judge may call the tools that only read, to check a claim (Themis, arXiv:2310.01045)',
    },
  },
  judging: ({ scores, tools }) => ({ mode: 'ranking', scores, mayCallTools: tools }),
});

/** Known recipes: settings that belong together, under the name that their paper gave them. */
import { z } from 'zod';
import type { RunConfigInput } from '../runConfig';
import { TOOLRLA_STRATA } from '../strata';

export interface KnownRecipe {
  /** where it comes from */
  source: string;
  /** what it is, and what of its source it leaves out */
  what: string;
  /** what is set beside the recipe goes before these */
  settings: Omit<RunConfigInput, 'toolFile' | 'recipe'>;
}

const NAMES = [
  'loop',
  'dapo',
  'gspo',
  'toolrl',
  'toolrla',
  'rloo',
  'dr-grpo',
  'gdpo',
  'rpo',
  'mpo',
  'dft',
  'toolgen',
  'toolrl-length',
  'toolrl-abrupt',
  'toolrl-gradual',
  'toolrl-intermediate',
  'toolrl-coarse',
  'toolrl-sft-first',
  'toolrla-additive',
  'toolrla-no-efficiency',
  'toolrla-no-compliance',
] as const;
export const RecipeName = z.enum(NAMES);
export type RecipeName = z.infer<typeof RecipeName>;

/** ToolRL: GRPO without KL and without SFT first. */
const TOOLRL = { method: 'grpo', rewards: 'toolrl', beta: 0, warmSteps: 0 } as const;
/** An arm of its study: that, by another form of its reward. */
const toolrlArm = (what: string, options: string): KnownRecipe => ({
  source: 'arXiv:2504.13958',
  what: `an arm of ToolRL's study: ${what}; the others: toolrl (fine, by itself) and toolrl-…`,
  settings: { ...TOOLRL, rewards: `toolrl:${options}` },
});

/** ToolRLA: GRPO by its reward, on its strata of made tasks, with its demonstrations of an invented name. */
const TOOLRLA = {
  method: 'grpo',
  rewards: 'toolrla',
  dpoBeta: 0.2,
  recoveryShare: 0.05,
  taskStrata: TOOLRLA_STRATA,
} as const;
/** An arm of its ablation (Table 2): that, by another form of its reward. */
const toolrlaArm = (what: string, options: string): KnownRecipe => ({
  source: 'arXiv:2603.01620',
  what: `an arm of ToolRLA's ablation: ${what}; the others: toolrla (the whole reward) and toolrla-…`,
  settings: { ...TOOLRLA, rewards: `toolrla:${options}` },
});

export const RECIPES: Readonly<Record<RecipeName, KnownRecipe>> = {
  loop: {
    source: 'arXiv:2502.01600',
    what:
      'leave-one-out baseline, no division by the deviation, no KL, two passes of a clip at 0.1; ' +
      'without its filter of advantages below 0.01',
    settings: {
      method: 'grpo',
      baseline: 'leaveOneOut',
      scaleRewards: 'none',
      beta: 0,
      epsilonLow: 0.1,
      epsilonHigh: 0.1,
      numIterations: 2,
      groupSize: 6,
      maxGradNorm: 0.1,
    },
  },
  dapo: {
    source: 'arXiv:2503.14476',
    what: 'mean over tokens, a higher upper clip, nothing learnt from what was cut off; without its dynamic sampling',
    settings: { method: 'grpo', lossType: 'dapo', epsilonHigh: 0.28, maskTruncated: true },
  },
  gspo: {
    source: 'arXiv:2507.18071',
    what: 'the ratio of whole sequences, clipped at 3e-4 and 4e-4, mean over sequences, no KL',
    settings: {
      method: 'grpo',
      lossType: 'grpo',
      importanceSamplingLevel: 'sequence',
      beta: 0,
      epsilonLow: 3e-4,
      epsilonHigh: 4e-4,
    },
  },
  toolrl: {
    source: 'arXiv:2504.13958',
    what: 'GRPO without KL and without SFT first, by its reward of format and of names, parameters and values',
    settings: TOOLRL,
  },
  toolrla: {
    source: 'arXiv:2603.01620',
    what:
      'GRPO by its reward, whose correctness multiplies, on its strata of made tasks and with its share of ' +
      'demonstrations of an invented name; its whole pipeline is --stages sft:48,grpo:64,dpo:32, with dpoBeta 0.2 ' +
      'as it ended up',
    settings: TOOLRLA,
  },
  rloo: {
    source: 'arXiv:2402.14740',
    what: 'leave-one-out baseline, no division by the deviation',
    settings: { method: 'grpo', baseline: 'leaveOneOut', scaleRewards: 'none' },
  },
  'dr-grpo': {
    source: 'arXiv:2503.20783',
    what: 'no division by the deviation, nor by the length',
    settings: { method: 'grpo', lossType: 'dr_grpo', scaleRewards: 'none' },
  },
  gdpo: {
    source: 'GDPO',
    what: 'rewards normalised one by one, then summed',
    settings: { method: 'grpo', rewardAggregation: 'normalizeThenSum' },
  },
  rpo: {
    source: 'RPO',
    what: 'DPO and SFT on the chosen answers',
    settings: { method: 'dpo', dpoLoss: 'sigmoid,sft' },
  },
  mpo: {
    source: 'MPO',
    what: 'DPO, its binary classifier and SFT on the chosen answers, weighted',
    settings: { method: 'dpo', dpoLoss: 'sigmoid*0.8,bco_pair*0.2,sft' },
  },
  dft: {
    source: 'arXiv:2508.05629',
    what: 'SFT whose loss is weighted by the probability of the token',
    settings: { method: 'sft', sftLoss: 'dft' },
  },
  toolgen: {
    source: 'arXiv:2410.03439',
    what:
      'SFT with a token of its own for each tool: its definition first, then requests, then dialogues; with an adapter ' +
      'in the place of all weights',
    settings: { method: 'sft', toolTokens: true },
  },
  'toolrl-length': toolrlArm('the length of what it writes is rewarded, too', 'withLength=true'),
  'toolrl-abrupt': toolrlArm(
    'from step 30 on correctness counts three times as much, and format half',
    'max1Step30Max3=true',
  ),
  'toolrl-gradual': toolrlArm('over 150 steps from format to correctness', 'scheduleReward=true'),
  'toolrl-intermediate': toolrlArm('a call counts only where it was made exactly', 'intermediate=true'),
  'toolrl-coarse': toolrlArm('all calls equal, or the least', 'coarse=true'),
  'toolrl-sft-first': {
    source: 'arXiv:2504.13958',
    what: "an arm of ToolRL's study: the first 32 steps are SFT on gold calls, where toolrl starts cold",
    settings: { ...TOOLRL, warmSteps: 32 },
  },
  'toolrla-additive': toolrlaArm('name, coverage and accuracy are averaged, not multiplied', 'composition=averaged'),
  'toolrla-no-efficiency': toolrlaArm('nothing for few calls', 'withEfficiency=false'),
  'toolrla-no-compliance': toolrlaArm('no penalty for a violation', 'lambda=0'),
};

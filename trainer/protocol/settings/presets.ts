/** Settings that belong together, by the name that a paper gave them. What is set beside a preset goes before it. */
import type { RunConfigInput } from '../runConfig';

export const PRESETS = {
  /** arXiv:2503.20783: no division by the deviation, nor by the length */
  'dr-grpo': { method: 'grpo', lossType: 'dr_grpo', scaleRewards: 'none' },
  /** arXiv:2503.14476, but for its dynamic sampling */
  dapo: { method: 'grpo', lossType: 'dapo', epsilonHigh: 0.28, maskTruncated: true },
  /** arXiv:2402.14740 */
  rloo: { method: 'grpo', baseline: 'leaveOneOut', scaleRewards: 'none' },
  /** rewards normalised one by one */
  gdpo: { method: 'grpo', rewardAggregation: 'normalizeThenSum' },
  /** DPO and SFT on the chosen answers */
  rpo: { method: 'dpo', dpoLoss: 'sigmoid,sft' },
  mpo: { method: 'dpo', dpoLoss: 'sigmoid*0.8,bco_pair*0.2,sft' },
  /** arXiv:2508.05629 */
  dft: { method: 'sft', sftLoss: 'dft' },
} as const satisfies Record<string, Omit<RunConfigInput, 'toolFile'>>;

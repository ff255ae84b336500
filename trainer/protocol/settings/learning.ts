/** Settings of learning: the methods, the optimizer, what is trained. */
import { z } from 'zod';
import { DPO_LOSS_TYPES, DPO_LOSS } from './choices';
import { DEFAULTS, USUAL } from './defaults';

/** TRL's names and defaults. */
export const grpo = {
  lossType: z
    .enum(['grpo', 'bnpo', 'dr_grpo', 'dapo', 'luspo', 'cispo', 'sapo', 'vespo'])
    .default(DEFAULTS.lossType)
    .describe("GRPO's loss, and how it is averaged over tokens (TRL's loss_type)"),
  scaleRewards: z
    .enum(['group', 'batch', 'none'])
    .default(DEFAULTS.scaleRewards)
    .describe('GRPO: advantages are divided by the standard deviation of the group, of the step, or not at all'),
  baseline: z
    .enum(['group', 'leaveOneOut'])
    .optional()
    .describe(
      "what a rollout's reward is held against: the mean of its group, or of the others in it " +
        '(RLOO, LOOP); default: group',
    ),
  rewardAggregation: z
    .enum(['sumThenNormalize', 'normalizeThenSum'])
    .optional()
    .describe(
      'advantages of the weighted sum of the rewards, or the weighted sum of their advantages ' +
        '(GDPO); default: sumThenNormalize',
    ),
  beta: z.number().min(0).default(DEFAULTS.beta).describe('KL weight in GRPO'),
  epsilonLow: z
    .number()
    .positive()
    .default(DEFAULTS.epsilonLow)
    .describe('GRPO: the ratio to the policy that sampled is clipped below 1 - this'),
  epsilonHigh: z
    .number()
    .positive()
    .default(DEFAULTS.epsilonHigh)
    .describe('GRPO: the ratio is clipped above 1 + this (cispo: its cap)'),
  numIterations: z
    .number()
    .int()
    .min(1)
    .max(64)
    .default(DEFAULTS.numIterations(USUAL))
    .describe("mu, updates on each step's rollouts; 1 by default for models other than nano"),
  importanceSamplingLevel: z
    .enum(['token', 'sequence'])
    .optional()
    .describe(
      'the ratio to the policy that sampled, which is clipped: of each token, or the mean of the ' +
        'sequence (GSPO); default: token',
    ),
  delta: z
    .number()
    .positive()
    .optional()
    .describe(
      'caps the ratio before it is clipped, also where the advantage is negative (INTELLECT-2); default: no cap',
    ),
  topEntropyQuantile: z
    .number()
    .positive()
    .max(1)
    .optional()
    .describe('share of the tokens, those with the highest entropy, that are learnt from; default: 1, all'),
  entropyCoefficient: z.number().min(0).optional().describe('weight of an entropy bonus; default: 0'),
  maskTruncated: z
    .boolean()
    .optional()
    .describe(
      'learn nothing from rollouts that a limit cut off, but hold the others against them (DAPO); default: false',
    ),
  deadGroups: z
    .enum(['keepInDivisor', 'dropFromDivisor'])
    .default(DEFAULTS.deadGroups)
    .describe(
      'GRPO: groups whose rewards are all equal teach nothing; whether their tokens count in the mean all the same',
    ),
  warmSteps: z
    .number()
    .int()
    .min(0)
    .max(100_000)
    .optional()
    .describe(
      'GRPO: so many of the steps, the first ones, are SFT on gold calls; for tasks that the model ' +
        'hardly ever solves; default: what the rehearsal finds, three quarters of the steps or 0',
    ),
  warmUpdates: z
    .number()
    .int()
    .min(1)
    .max(1000)
    .optional()
    .describe(
      'updates of each of the warmSteps, or of each step of SFT, each on examples of its own; default: with ' +
        'generated tasks 8 to 24 on nano, fewer the longer prompts and results are, and 1 to 8 on other models, fewer ' +
        'the larger these are, in the warmSteps and in the sft stages of a pipeline; else numIterations, for SFT 1',
    ),
  warmLearningRate: z
    .number()
    .positive()
    .optional()
    .describe(
      'learning rate of warmSteps, and of sft stages with more than one of the warmUpdates; default: 5e-3 on nano, ' +
        '1e-3 on other models of less than 400 M weights with generated tasks, else 2e-4',
    ),
};

export const dpo = {
  pairs: z.string().optional().describe('JSONL of preference pairs for DPO; default: mined from scored groups'),
  dpoMining: z
    .enum(['reward', 'compliance'])
    .optional()
    .describe(
      'DPO: what is mined from scored groups: the best against the worst (reward), or what helped against what violated ' +
        'and against what refused without need, by a reward that looks at compliance (compliance); default: reward',
    ),
  dpoPairsPerGroup: z
    .number()
    .int()
    .min(1)
    .max(64)
    .optional()
    .describe('mined pairs of a scored group: best against worst, second best against second worst, …; default: 1'),
  dpoMargin: z
    .number()
    .min(0)
    .optional()
    .describe('the rewards of a mined pair differ by this or more; default: 0, where any difference counts'),
  dpoBeta: z
    .number()
    .positive()
    .default(DEFAULTS.dpoBeta)
    .describe('how near DPO keeps to the reference model: higher is nearer'),
  dpoLoss: z
    .string()
    .refine(
      (text) => text.split(',').every((part) => DPO_LOSS.test(part.trim())),
      `NAME[*weight],… of ${DPO_LOSS_TYPES.join(', ')}`,
    )
    .optional()
    .describe('one loss or the sum of several: sigmoid,sft is RPO, sigmoid*0.8,bco_pair*0.2,sft MPO; default: sigmoid'),
  dpoLabelSmoothing: z
    .number()
    .min(0)
    .lt(0.5)
    .optional()
    .describe(
      'chance that a pair is marked the wrong way round, for robust, exo_pair, aot and aot_unpaired; default: 0',
    ),
  dpoLdAlpha: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe("weight of an answer's tokens beyond the length of the shorter one (LD-DPO); default: 1"),
  dpoTokens: z
    .enum(['policy', 'all'])
    .optional()
    .describe(
      'what of an answer counts: the tokens that the policy chose, or all behind the prompt, ' +
        "tools' results as well, as TRL does; default: policy",
    ),
};

export const sft = {
  sftDialogues: z
    .string()
    .optional()
    .describe(
      "SFT: JSONL of a teacher's dialogues, as coach distill writes them, that are learnt from in " +
        'the place of gold calls; default: none',
    ),
  sftLoss: z
    .enum(['nll', 'dft'])
    .optional()
    .describe('negative log likelihood, or that times the probability (DFT); default: nll'),
  sftRecovery: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe(
      'SFT: share of the gold dialogues in which a wrong call comes first, with what the tool ' +
        'really answers; learnt is what to do then, not the wrong call; default: 0',
    ),
  sftAnswerTokens: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe(
      'SFT: tokens that the last result and the answer behind it take in a gold dialogue on average; of those with ' +
        'more only a share goes on behind the last call, since a long result costs as much as many calls; ' +
        '0: all go on; default: 32 for generated tasks, but 0 on nano, and 0 for tasks of your own',
    ),
  recoveryShare: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe(
      "SFT: share of the dialogues, gold or a teacher's, in which the first call goes by an invented name of a tool " +
        'first and is answered with the names that there are; learnt is the right call behind it; default: 0',
    ),
  sftTeacher: z
    .string()
    .optional()
    .describe(
      "SFT: a model folder or GGUF file with the student's own tokens, whose probabilities are learnt from, token by " +
        'token (logit distillation); default: none',
    ),
  sftTeacherShare: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('with sftTeacher: how much of the loss is the divergence from it, the rest is sftLoss; default: 0.5'),
  sftTeacherTop: z
    .number()
    .int()
    .min(1)
    .max(4096)
    .optional()
    .describe('with sftTeacher: so many of its likeliest tokens are compared in each place; default: 32'),
  sftOwnSamples: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe(
      'with sftTeacher: this share of the examples the student samples itself, and learns what the teacher would have ' +
        'said there (GKD); default: 0',
    ),
};

export const optimizer = {
  learningRate: z
    .number()
    .positive()
    .optional()
    .describe(
      'by default, on nano 3e-3 for GRPO on generated tasks, 2e-3 on your own, 2e-3 for SFT, 3e-4 ' +
        'for DPO; on other models 1e-4, 2e-4 and 5e-5; where all weights are trained 3e-4, 2e-4, ' +
        '3e-5 on nano, 1e-6, 2e-5, 1e-6 on others',
    ),
  warmupSteps: z
    .number()
    .int()
    .min(0)
    .default(DEFAULTS.warmupSteps)
    .describe('steps over which the learning rate rises'),
  schedule: z
    .enum(['constant', 'linear', 'cosine'])
    .default(DEFAULTS.schedule)
    .describe('how the learning rate falls after the warm-up'),
  weightDecay: z.number().min(0).default(DEFAULTS.weightDecay).describe('decoupled, of AdamW'),
  maxGradNorm: z.number().positive().default(DEFAULTS.maxGradNorm).describe('gradients are scaled down to this norm'),
  batchSize: z
    .number()
    .int()
    .min(1)
    .max(4096)
    .optional()
    .describe(
      'SFT examples or DPO pairs per step; by default 16, for SFT up to 64 where they begin with ' +
        'much in common, such as a long list of tools, which a step computes once: as many as make it a third of the step',
    ),
  tokensPerMicroBatch: z
    .number()
    .int()
    .min(64)
    .default(DEFAULTS.tokensPerMicroBatch(USUAL))
    .describe(
      'bounds what a training step takes of memory; 2048 by default for models other than nano. ' +
        'One sequence is the least',
    ),
  gradientCheckpointing: z
    .boolean()
    .optional()
    .describe(
      'compute layers and logits once more for the gradient instead of keeping them: a step takes ' +
        'about a third longer and a fraction of the memory; default: false',
    ),
};

/** What is trained. */
export const adapter = {
  finetuning: z
    .enum(['lora', 'full'])
    .optional()
    .describe(
      'an adapter beside the frozen model, or all of its weights: a copy, four times its size for ' +
        'the optimiser, and a whole model in the end; default: lora',
    ),
  loraRank: z
    .number()
    .int()
    .min(1)
    .max(256)
    .default(DEFAULTS.loraRank)
    .describe("r, columns of the adapter's matrices; vLLM takes up to 16 unless told otherwise"),
  loraAlpha: z
    .number()
    .positive()
    .default(DEFAULTS.loraAlpha)
    .describe('what the adapter adds is scaled by alpha / rank'),
  loraRslora: z
    .boolean()
    .optional()
    .describe(
      'scale what the adapter adds by alpha / sqrt(rank) instead of alpha / rank (rank-stabilised LoRA); default: false',
    ),
  loraDropout: z
    .number()
    .min(0)
    .lt(1)
    .optional()
    .describe('share of its inputs that the adapter does not see in a gradient step; default: 0'),
  loraTargets: z
    .array(z.enum(['q_proj', 'k_proj', 'v_proj', 'o_proj', 'gate_proj', 'up_proj', 'down_proj']))
    .default(DEFAULTS.loraTargets)
    .describe('projections that have an adapter'),
  quantize: z
    .enum(['none', 'q4'])
    .optional()
    .describe(
      'q4: the frozen base in 4 bits (embedding and head in 8), as a GGUF file has it or rounded; ' +
        'the adapter stays float32. Its weights take about a third of the memory; sampling rounds ' +
        'activations to 8 bits. Default: none, all in float32',
    ),
};

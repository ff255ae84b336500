import { z } from 'zod';

export const Method = z.enum(['grpo', 'dpo', 'sft']);
export type Method = z.infer<typeof Method>;
export const ToolPolicy = z.enum(['real', 'mock', 'ask']);
export type ToolPolicy = z.infer<typeof ToolPolicy>;
export const EngineChoice = z.enum(['auto', 'tfjs-node-gpu', 'onnx', 'tfjs-node', 'wasm', 'cpu']);
export type EngineChoice = z.infer<typeof EngineChoice>;
export const DeviceChoice = z.enum(['auto', 'cpu', 'webgpu']);
export type DeviceChoice = z.infer<typeof DeviceChoice>;

/**
 * Names the editor's own language models in the place of a judge's server; where they are lent stands in the
 * environment, as it is another place in each window.
 */
export const EDITOR_MODELS = 'vscode.lm';
export const EDITOR_MODELS_URL = 'COACH_EDITOR_MODELS_URL';
/**
 * In a trainer's environment: where its key may go, beside the origin of COACH_JUDGE_URL: to the server that was named
 * where the key was given, as the
 * editor shows and remembers it. An origin, or an address.
 */
export const KEY_ORIGIN = 'COACH_JUDGE_KEY_ORIGIN';

export const DPO_LOSS_TYPES = [
  'sigmoid',
  'robust',
  'hinge',
  'ipo',
  'sigmoid_norm',
  'exo_pair',
  'nca_pair',
  'bco_pair',
  'sppo_hard',
  'apo_zero',
  'apo_down',
  'aot',
  'aot_unpaired',
  'discopop',
  'sft',
] as const;
const DPO_LOSS = new RegExp(`^(${DPO_LOSS_TYPES.join('|')})(\\*[0-9.]+)?$`);

export const JudgeMode = z.enum(['listwise', 'pairwise']);
export type JudgeMode = z.infer<typeof JudgeMode>;

/** Every knob once, flat, with unit and default. Written whole into run.json. */
export const RunConfig = z.object({
  toolFile: z.string().describe('absolute path of the tool file or folder'),
  method: Method.default('grpo'),
  model: z.string().default('nano').describe("'nano', a Hugging Face model folder, or a GGUF file"),
  steps: z.number().int().min(1).max(100_000).default(64).describe('optimiser steps'),
  seed: z
    .number()
    .int()
    .min(0)
    .max(2 ** 31 - 1)
    .default(0),
  tasks: z.string().optional().describe('a *.tasks.jsonl file; default: beside the tool file, else generated'),
  taskCount: z.number().int().min(1).max(100_000).default(3000).describe('how many tasks to generate'),
  taskLanguage: z
    .enum(['grammar', 'schema'])
    .default('grammar')
    .describe("who words generated requests: a grammar of what people say, or the tools' own words alone"),
  fillTasks: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe(
      'where the task file has fewer tasks than this, others are added up to taskCount: what was asked in tries and marked good, written by a writer, generated; default 0: its tasks alone',
    ),
  writerUrl: z
    .string()
    .min(1)
    .optional()
    .describe(
      "language model that writes requests: an OpenAI-compatible server, with /v1, or vscode.lm for the editor's own models, or the absolute path of a model folder or GGUF file; default: COACH_WRITER_URL, else none; its key is COACH_WRITER_KEY",
    ),
  writerModel: z
    .string()
    .min(1)
    .optional()
    .describe("the writer's model, which a model folder or file needs not; default: COACH_WRITER_MODEL"),
  writerTasks: z
    .number()
    .int()
    .min(1)
    .max(10_000)
    .optional()
    .describe('how many requests the writer is asked for; default 200'),
  rewards: z.string().default('correctness,answer').describe('NAME[:option=value][*weight],…'),
  pairs: z.string().optional().describe('JSONL of preference pairs for DPO; default: mined from scored groups'),
  startFrom: z
    .string()
    .optional()
    .describe('folder of a run whose adapter is trained on (grpo, dpo); default: a fresh adapter on the model'),
  toolPolicy: ToolPolicy.optional().describe(
    'for all tools; default: mock for those that change the world, real for the rest',
  ),
  engine: EngineChoice.default('auto'),
  device: DeviceChoice.default('auto').describe(
    'what computes on the engine onnx; auto: a GPU where it measures faster',
  ),
  threads: z.number().int().min(0).max(256).default(0).describe('0: from the cores that are ours'),
  // sampling
  taskMix: z
    .enum(['learnable', 'balanced', 'asGiven'])
    .optional()
    .describe(
      'how often tasks of a kind are trained on: by the square root of how many there are (balanced), that times what is left to learn of them (learnable), or as they are; default: learnable for generated tasks, asGiven for your own',
    ),
  renameTools: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe(
      'GRPO and SFT: share of the groups or examples in which tools and their arguments have other, plausible names, so that the policy learns to read definitions; in training alone; default: 0',
    ),
  promptsPerStep: z
    .number()
    .int()
    .min(1)
    .max(256)
    .default(16)
    .describe('by default 16 for GRPO on nano, 8 for its DPO, 2 for other models'),
  groupSize: z
    .number()
    .int()
    .min(2)
    .max(64)
    .default(4)
    .describe('G, rollouts per prompt; by default 4 for GRPO on nano, 8 otherwise'),
  temperature: z
    .number()
    .min(0)
    .max(10)
    .default(1)
    .describe('of sampling in training and for pass@k; success is measured greedily'),
  exploration: z
    .number()
    .min(0)
    .max(10)
    .optional()
    .describe(
      'GRPO with constrained decoding: where all rollouts of a kind of task fail alike, the choices inside their calls are sampled up to (1 + exploration) times hotter; default: 2 for generated tasks, 0 (never) for your own',
    ),
  topK: z.number().int().min(1).optional().describe('sample among the k likeliest tokens only; default: all'),
  topP: z
    .number()
    .positive()
    .max(1)
    .optional()
    .describe('sample among the likeliest tokens that together have this probability; default: all'),
  minP: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe("sample among tokens at least this likely, as a part of the likeliest one's probability; default: all"),
  repetitionPenalty: z
    .number()
    .positive()
    .optional()
    .describe(
      'makes tokens that were written or read already less likely (above 1), also where decoding is greedy; default: 1, off',
    ),
  constraint: z
    .enum(['auto', 'none', 'schema', 'schema+spans', 'schema+spans+words'])
    .default('auto')
    .describe(
      "schema-constrained decoding: calls fit the schemas; their strings are copied (spans); answers hold only words of the request, the results, the tools' names and a list of function words (words); auto: schema+spans+words for the embedded model, none for others",
    ),
  maxTurns: z
    .number()
    .int()
    .min(1)
    .max(64)
    .default(4)
    .describe('what the policy says in one episode, tool calls included'),
  maxTurnTokens: z
    .number()
    .int()
    .min(4)
    .max(8192)
    .optional()
    .describe(
      'what the policy may write in one turn; default: planned from the longest call that these tools take, 96 or more on nano, 128 or more on other models',
    ),
  maxTokens: z
    .number()
    .int()
    .min(8)
    .max(32_768)
    .optional()
    .describe(
      "whole episode, prompt included; default: planned from what the prompt of these tools, a turn and a result take, inside the model's context: 512 or more on nano, 1024 or more on other models",
    ),
  // algorithm (TRL names and defaults)
  lossType: z
    .enum(['grpo', 'bnpo', 'dr_grpo', 'dapo', 'luspo', 'cispo', 'sapo', 'vespo'])
    .default('dapo')
    .describe("GRPO's loss, and how it is averaged over tokens (TRL's loss_type)"),
  scaleRewards: z
    .enum(['group', 'batch', 'none'])
    .default('group')
    .describe('GRPO: advantages are divided by the standard deviation of the group, of the step, or not at all'),
  baseline: z
    .enum(['group', 'leaveOneOut'])
    .optional()
    .describe(
      "what a rollout's reward is held against: the mean of its group, or of the others in it (RLOO, LOOP); default: group",
    ),
  rewardAggregation: z
    .enum(['sumThenNormalize', 'normalizeThenSum'])
    .optional()
    .describe(
      'advantages of the weighted sum of the rewards, or the weighted sum of their advantages (GDPO); default: sumThenNormalize',
    ),
  beta: z.number().min(0).default(0).describe('KL weight in GRPO'),
  dpoBeta: z.number().positive().default(0.1).describe('how near DPO keeps to the reference model: higher is nearer'),
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
      "what of an answer counts: the tokens that the policy chose, or all behind the prompt, tools' results as well, as TRL does; default: policy",
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
      'SFT: share of the gold dialogues in which a wrong call comes first, with what the tool really answers; learnt is what to do then, not the wrong call; default: 0',
    ),
  epsilonLow: z
    .number()
    .positive()
    .default(0.2)
    .describe('GRPO: the ratio to the policy that sampled is clipped below 1 - this'),
  epsilonHigh: z
    .number()
    .positive()
    .default(0.2)
    .describe('GRPO: the ratio is clipped above 1 + this (cispo: its cap)'),
  numIterations: z
    .number()
    .int()
    .min(1)
    .max(64)
    .default(2)
    .describe("mu, updates on each step's rollouts; 1 by default for models other than nano"),
  importanceSamplingLevel: z
    .enum(['token', 'sequence'])
    .optional()
    .describe(
      'the ratio to the policy that sampled, which is clipped: of each token, or the mean of the sequence (GSPO); default: token',
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
    .default('keepInDivisor')
    .describe(
      'GRPO: groups whose rewards are all equal teach nothing; whether their tokens count in the mean all the same',
    ),
  shuffleRewards: z.boolean().default(false).describe('control experiment: rewards permuted inside the batch'),
  // optimiser
  learningRate: z
    .number()
    .positive()
    .optional()
    .describe(
      'by default, on nano 3e-3 for GRPO on generated tasks, 2e-3 on your own, 2e-3 for SFT, 3e-4 for DPO; on other models 1e-4, 2e-4 and 5e-5; where all weights are trained 3e-4, 2e-4, 3e-5 on nano, 1e-6, 2e-5, 1e-6 on others',
    ),
  warmupSteps: z.number().int().min(0).default(3).describe('steps over which the learning rate rises'),
  schedule: z
    .enum(['constant', 'linear', 'cosine'])
    .default('linear')
    .describe('how the learning rate falls after the warm-up'),
  weightDecay: z.number().min(0).default(0).describe('decoupled, of AdamW'),
  maxGradNorm: z.number().positive().default(1).describe('gradients are scaled down to this norm'),
  tokensPerMicroBatch: z
    .number()
    .int()
    .min(64)
    .default(8192)
    .describe(
      'bounds what a training step takes of memory; 2048 by default for models other than nano. One sequence is the least',
    ),
  gradientCheckpointing: z
    .boolean()
    .optional()
    .describe(
      'compute layers and logits once more for the gradient instead of keeping them: a step takes about a third longer and a fraction of the memory; default: false',
    ),
  batchSize: z
    .number()
    .int()
    .min(1)
    .max(4096)
    .optional()
    .describe(
      'SFT examples or DPO pairs per step; by default 16, for SFT up to 64 where they begin with much in common, such as a long list of tools, which a step computes once: as many as make it a third of the step',
    ),
  // what is trained
  finetuning: z
    .enum(['lora', 'full'])
    .optional()
    .describe(
      'an adapter beside the frozen model, or all of its weights: a copy, four times its size for the optimiser, and a whole model in the end; default: lora',
    ),
  loraRank: z
    .number()
    .int()
    .min(1)
    .max(256)
    .default(16)
    .describe("r, columns of the adapter's matrices; vLLM takes up to 16 unless told otherwise"),
  loraAlpha: z.number().positive().default(32).describe('what the adapter adds is scaled by alpha / rank'),
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
    .default(['q_proj', 'k_proj', 'v_proj', 'o_proj', 'gate_proj', 'up_proj', 'down_proj'])
    .describe('projections that have an adapter'),
  quantize: z
    .enum(['none', 'q4'])
    .optional()
    .describe(
      'q4: the frozen base in 4 bits (embedding and head in 8), as a GGUF file has it or rounded; the adapter stays float32. Its weights take about a third of the memory; sampling rounds activations to 8 bits. Default: none, all in float32',
    ),
  // evaluation, storage
  evalEvery: z.number().int().min(1).default(10).describe('steps between validation evaluations'),
  evalTasks: z.number().int().min(1).default(64).describe('validation tasks per evaluation'),
  heldOutTasks: z
    .number()
    .int()
    .min(1)
    .default(240)
    .describe('tasks that training never sees, solved before and after it'),
  redact: z.boolean().optional().describe('take keys and tokens out of what is written; default: true'),
  redactPatterns: z.array(z.string()).optional().describe('regular expressions of what else is secret'),
  memoryCheck: z
    .boolean()
    .optional()
    .describe(
      'refuse a run that may take more memory than is free, and try the longest sample before the first step; false: warn only, try nothing; default: true',
    ),
  warmSteps: z
    .number()
    .int()
    .min(0)
    .max(100_000)
    .optional()
    .describe(
      'GRPO: so many of the steps, the first ones, are SFT on gold calls; for tasks that the model hardly ever solves; default: what the rehearsal finds, three quarters of the steps or 0',
    ),
  warmLearningRate: z
    .number()
    .positive()
    .optional()
    .describe('learning rate of warmSteps; default: 5e-3 on nano, 2e-4 on other models'),
  rehearsal: z
    .boolean()
    .optional()
    .describe(
      'before step 1 solve some training tasks, greedily and in groups, and their gold calls; say what was seen, end the run where nothing could be learnt, and begin with SFT where the model seldom finds what could be reinforced; default: true',
    ),
  checkpointEvery: z.number().int().min(1).default(10).describe('steps'),
  // tool hosts
  toolTimeoutMs: z
    .number()
    .int()
    .min(10)
    .default(10_000)
    .describe('a tool call that takes longer is stopped, and is an error'),
  toolOutputBytes: z
    .number()
    .int()
    .min(64)
    .optional()
    .describe("of a tool's result; the rest is cut off; default: what maxTokens has room for, 16384 at most"),
  toolMemoryMb: z.number().int().min(32).default(512).describe('what a tool host may take'),
  // guard against what a model makes up; absent: the default holds
  guardSchema: z
    .boolean()
    .optional()
    .describe(
      "hold a call's arguments to the tool's JSON Schema before it is run; false: the tool gets what the model wrote; default: true",
    ),
  guardValues: z
    .boolean()
    .optional()
    .describe(
      'refuse calls whose texts and numbers are neither listed by the schema, nor said by the user, nor returned by a tool; default: false',
    ),
  guardAnswers: z
    .boolean()
    .optional()
    .describe(
      'record on the trace what an answer states (numbers, dates, ids, quoted names) and neither the user nor a tool said; default: false',
    ),
  // judge: absent where no reward asks one, or where its own default holds (reward/judge/settings.ts); its key is in no
  // setting
  judgeUrl: z
    .string()
    .min(1)
    .optional()
    .describe(
      "OpenAI-compatible server of the judge, with /v1, or vscode.lm for the editor's own models, or the absolute path of a model folder or .gguf file; default: COACH_JUDGE_URL",
    ),
  judgeModel: z
    .string()
    .min(1)
    .optional()
    .describe("the judge's model, which a model folder or file needs not; default: COACH_JUDGE_MODEL"),
  judgeMode: JudgeMode.optional().describe(
    'all attempts of a group in one question, or each pair by itself; default listwise',
  ),
  judgeVotes: z
    .number()
    .int()
    .min(1)
    .max(16)
    .optional()
    .describe('how often each question is asked, in both orders each time; default 1'),
  judgeConcurrency: z.number().int().min(1).max(256).optional().describe('requests under way at once; default 32'),
  judgeTimeoutMs: z.number().int().min(100).optional().describe('of one request; default 60000'),
  judgeReplyTokens: z.number().int().min(16).optional().describe('longest reply; default: as the server has it'),
  judgeBudgetTokens: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe('tokens after which nothing more is judged, the run goes on'),
  judgeBudgetUsd: z
    .number()
    .positive()
    .optional()
    .describe('USD after which nothing more is judged; needs both prices'),
  judgeAgreementBar: z
    .number()
    .min(0)
    .max(100)
    .optional()
    .describe(
      'share of pairs, in percent, on which the judge should agree with people; below it the run warns; default 70',
    ),
  judgeUsdPerMillionPromptTokens: z.number().min(0).optional(),
  judgeUsdPerMillionCompletionTokens: z.number().min(0).optional(),
});
export type RunConfig = z.infer<typeof RunConfig>;
/**
 * What limits an episode, in tokens, and a tool's result, in bytes; planned from the tools and tasks where nobody set
 * it (budget/planBudget.ts).
 */
export type Limits = Required<Pick<RunConfig, 'maxTokens' | 'maxTurnTokens' | 'toolOutputBytes'>>;
/** With its limits decided. */
export type LimitedConfig = RunConfig & Limits;
/** With what is left to the tasks decided, once they are known. */
export type SettledConfig = LimitedConfig & {
  taskMix: NonNullable<RunConfig['taskMix']>;
  learningRate: number;
  exploration: number;
};
/** Examples or pairs of a step where nobody set it, and the most that SFT takes then (recipes/examplesPerStep.ts). */
export const USUAL_BATCH = 16;
export const MOST_EXAMPLES = 64;
export type RunConfigInput = z.input<typeof RunConfig>;

/**
 * Every default of a run, once. A function says what the default depends on: model and method, or what is known later
 * (the tasks, where the judge lies). What nobody set and no run.json holds is read as `config.name ?? DEFAULTS.name`.
 * Without a default: what a run can't do without (toolFile), and what is off until it is set.
 */
import type { Inertial } from '../toolGraph';
import type { Method } from './choices';

/** What decides which values are right for the others. */
export interface Chosen {
  model: string;
  method: Method;
  finetuning?: 'lora' | 'full' | undefined;
}
/** Where nothing was set. */
export const USUAL: Chosen = { model: 'nano', method: 'grpo' };
/** Tasks were generated, not a person's own; so large is an update on them, where that is known. */
export type Tasks = { isGenerated: boolean; update?: UpdateSize | null | undefined };
/** Of an update on demonstrations: its tokens, and how many weights each of them goes through. */
export interface UpdateSize {
  tokens: number;
  weights: number;
}

const isNano = ({ model }: Pick<Chosen, 'model'>): boolean => model === 'nano';

/** Tokens of a warm step, so that a default run takes about as long whatever the tools return: about a file like vet's. */
const WARM_TOKENS = 18_000;
const LEAST_WARM_UPDATES = 8;
const MOST_WARM_UPDATES = 24;

/** As many as those tokens allow; 16 where nobody knows how long an update is. */
const nanoUpdates = (update: Tasks['update']): number =>
  update ? Math.min(MOST_WARM_UPDATES, Math.max(LEAST_WARM_UPDATES, Math.round(WARM_TOKENS / update.tokens))) : 16;

/** What a real model computes in a warm step: 7,500 tokens of one of 135 M weights, about 20 s on two cores. */
const REAL_WORK = 7_500 * 135e6;
const MOST_REAL_UPDATES = 8;
/** An adapter of so small a model learns at larger rates. */
const SMALL = 400e6;
const realUpdates = ({ tokens, weights }: UpdateSize): number =>
  Math.min(MOST_REAL_UPDATES, Math.max(1, Math.round(REAL_WORK / (tokens * weights))));

export const DEFAULTS = {
  model: USUAL.model,
  method: USUAL.method,
  steps: 64,
  seed: 0,

  taskCount: 4000,
  taskLanguage: 'grammar',
  taskValues: 'found',
  // Words that only go with what a tool does teach nano what they mean; a real model knows, and takes them for noise.
  looseWording: (chosen: Pick<Chosen, 'model'>) => (isNano(chosen) ? 0.5 : 0),
  fillTasks: 0,
  taskMix: ({ isGenerated }: Tasks) => (isGenerated ? 'learnable' : 'asGiven'),
  renameTools: 0,
  writerTasks: 200,

  toolTimeoutMs: 10_000,
  toolMemoryMb: 512,
  toolNetwork: 'allow',
  // Of more the prompt of each is too short in a small model's context, and editors refuse more than 128.
  shownTools: ({ tools, findTools = false }: { tools: number; findTools?: boolean | undefined }) =>
    tools > 64 ? 10 : findTools ? Math.ceil(tools / 2) : 0,
  toolVectors: 'each',
  findTools: false,
  toolInertia: 'off',
  // AutoTool's score as in its agent; SIT-Graph's decision rule is not known, and this is ours.
  toolInertiaThreshold: ({ method }: { method: Inertial }) => (method === 'autotool' ? 0.2 : 0.8),
  toolTokens: false,
  toolTokenMemory: 20,
  toolTokenRequests: 1,
  engine: 'auto',
  device: 'auto',
  threads: 0,
  memoryCheck: true,

  // A real model's template writes tools as JSON Schema, hundreds of tokens, and a step of it takes seconds a prompt.
  promptsPerStep: (chosen: Chosen) => (!isNano(chosen) ? 2 : chosen.method === 'grpo' ? 16 : 8),
  groupSize: (chosen: Chosen) => (isNano(chosen) && chosen.method === 'grpo' ? 4 : 8),
  temperature: 1,
  exploration: ({ isGenerated }: Tasks) => (isGenerated ? 2 : 0),
  topP: 1,
  minP: 0,
  repetitionPenalty: 1,
  constraint: 'auto',

  maxTurns: 4,
  // These at least; more is planned where the tools need it (app/budget/planBudget.ts).
  maxTurnTokens: (chosen: Pick<Chosen, 'model'>) => (isNano(chosen) ? 96 : 128),
  maxTokens: (chosen: Pick<Chosen, 'model'>) => (isNano(chosen) ? 512 : 1024),
  toolOutputBytes: 16_384,

  rewards: 'correctness,answer',
  shuffleRewards: false,

  lossType: 'dapo',
  scaleRewards: 'group',
  baseline: 'group',
  rewardAggregation: 'sumThenNormalize',
  beta: 0,
  epsilonLow: 0.2,
  epsilonHigh: 0.2,
  numIterations: (chosen: Pick<Chosen, 'model'>) => (isNano(chosen) ? 2 : 1),
  importanceSamplingLevel: 'token',
  topEntropyQuantile: 1,
  entropyCoefficient: 0,
  maskTruncated: false,
  deadGroups: 'keepInDivisor',
  // Generated requests are many and cheap, and what they say of the tools' words is learnt in thousands of examples.
  // A run of SFT makes one; a stage of it is a warm start (app/asWarmStart.ts).
  warmUpdates: (chosen: Omit<Chosen, 'finetuning'> & Tasks & { numIterations: number }) => {
    if (chosen.method === 'sft') return 1;
    if (!chosen.isGenerated) return chosen.numIterations;
    if (isNano(chosen)) return nanoUpdates(chosen.update);
    return Math.max(chosen.numIterations, chosen.update ? realUpdates(chosen.update) : 1);
  },
  warmLearningRate: ({ update, ...chosen }: Pick<Chosen, 'model'> & Pick<Tasks, 'update'>) =>
    isNano(chosen) ? 5e-3 : update && update.weights < SMALL ? 1e-3 : 2e-4,

  dpoMining: 'reward',
  dpoBeta: 0.1,
  dpoLoss: 'sigmoid',
  dpoLabelSmoothing: 0,
  dpoTokens: 'policy',
  dpoPairsPerGroup: 1,
  dpoMargin: 0,
  sftLoss: 'nll',
  sftRecovery: 0,
  sftAnswerTokens: ({ isGenerated, ...chosen }: Pick<Chosen, 'model'> & Tasks) =>
    isGenerated && !isNano(chosen) ? 32 : 0,
  recoveryShare: 0,
  sftTeacherShare: 0.5,
  sftTeacherTop: 32,
  sftOwnSamples: 0,

  learningRate: defaultLearningRate,
  warmupSteps: 3,
  schedule: 'linear',
  weightDecay: 0,
  maxGradNorm: 1,
  /** for SFT at least (recipes/steps/examplesPerStep.ts) */
  batchSize: 16,
  tokensPerMicroBatch: (chosen: Pick<Chosen, 'model'>) => (isNano(chosen) ? 8192 : 2048),
  gradientCheckpointing: false,

  finetuning: 'lora',
  loraRank: 16,
  loraAlpha: 32,
  loraRslora: false,
  loraDropout: 0,
  loraTargets: ['q_proj', 'k_proj', 'v_proj', 'o_proj', 'gate_proj', 'up_proj', 'down_proj'] as LoraTarget[],
  quantize: 'none',

  rehearsal: true,
  evalEvery: 10,
  evalTasks: (chosen: Pick<Chosen, 'model'>) => (isNano(chosen) ? 64 : 32),
  /** SmolLM2-135M takes 2 to 6 s a task where prompts have 935 tokens, before and again after */
  heldOutTasks: (chosen: Pick<Chosen, 'model'>) => (isNano(chosen) ? 240 : 120),
  forgottenTasks: 40,
  checkpointEvery: 10,
  redact: true,

  guardSchema: true,
  guardValues: false,
  guardAnswers: false,

  judgeMode: 'listwise',
  judgeVotes: 1,
  judgeConcurrency: 32,
  // A slow model of this disk is not lost.
  judgeTimeoutMs: ({ isLocal }: { isLocal: boolean }) => (isLocal ? 600_000 : 60_000),
  /** percent */
  judgeAgreementBar: 70,
} as const;

type LoraTarget = 'q_proj' | 'k_proj' | 'v_proj' | 'o_proj' | 'gate_proj' | 'up_proj' | 'down_proj';

/** Of all weights: TRL's own, and on nano a tenth of the adapter's (measured for GRPO, README). */
const WHOLE = { grpo: 1e-6, dpo: 1e-6, sft: 2e-5 };
const WHOLE_NANO = { grpo: 3e-4, dpo: 3e-5, sft: 2e-4 };
const ADAPTER = { grpo: 1e-4, dpo: 5e-5, sft: 2e-4 };
const ADAPTER_NANO = { dpo: 3e-4, sft: 2e-3 };

/**
 * What is right for the embedded model of 2 M weights would tear a real one apart: its adapter learns at rates that
 * LoRA is trained at elsewhere. With GRPO it also depends on the tasks. A person's own are as many of each kind as will
 * be asked for, and those of one kind differ more: at the rate that generated ones need, the gain on them lay between
 * 14 and 28 points over runs of the same settings, at this one between 21 and 25 (README).
 * @returns undefined where the tasks decide and are not known
 */
function defaultLearningRate({ method, finetuning, ...chosen }: Chosen, tasks?: Tasks): number | undefined {
  if (finetuning === 'full') return (isNano(chosen) ? WHOLE_NANO : WHOLE)[method];
  if (!isNano(chosen)) return ADAPTER[method];
  if (method !== 'grpo') return ADAPTER_NANO[method];
  return tasks && (tasks.isGenerated ? 3e-3 : 2e-3);
}

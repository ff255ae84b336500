/** Settings around learning: what computes, what is good, who judges, what is measured and kept. */
import { z } from 'zod';
import { EngineChoice, DeviceChoice, JudgeMode } from './choices';
import { DEFAULTS, USUAL } from './defaults';

/** What computes. */
export const engine = {
  engine: EngineChoice.default(DEFAULTS.engine),
  device: DeviceChoice.default(DEFAULTS.device).describe(
    'what computes on the engine onnx; auto: a GPU where it measures faster',
  ),
  threads: z.number().int().min(0).max(256).default(DEFAULTS.threads).describe('0: from the cores that are ours'),
  memoryCheck: z
    .boolean()
    .optional()
    .describe(
      'refuse a run that may take more memory than is free, and try the longest sample before the ' +
        'first step; false: warn only, try nothing; default: true',
    ),
};

/** What is good. */
export const reward = {
  rewards: z.string().default(DEFAULTS.rewards).describe('NAME[:option=value][*weight],…'),
  shuffleRewards: z
    .boolean()
    .default(DEFAULTS.shuffleRewards)
    .describe('control experiment: rewards permuted inside the batch'),
};

/** Its key is in no setting. */
export const judge = {
  judgeUrl: z
    .string()
    .min(1)
    .optional()
    .describe(
      "OpenAI-compatible server of the judge, with /v1, or vscode.lm for the editor's own models, " +
        'or the absolute path of a model folder or .gguf file; default: COACH_JUDGE_URL',
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
};

export const evaluation = {
  rehearsal: z
    .boolean()
    .optional()
    .describe(
      'before step 1 solve some training tasks, greedily and in groups, and their gold calls; say ' +
        'what was seen, end the run where nothing could be learnt, and begin with SFT where the ' +
        'model seldom finds what could be reinforced; default: true',
    ),
  evalEvery: z.number().int().min(1).default(DEFAULTS.evalEvery).describe('steps between validation evaluations'),
  evalTasks: z
    .number()
    .int()
    .min(1)
    .default(DEFAULTS.evalTasks(USUAL))
    .describe('validation tasks per evaluation; default: 64, on models other than nano 32'),
  heldOutTasks: z
    .number()
    .int()
    .min(1)
    .default(DEFAULTS.heldOutTasks(USUAL))
    .describe(
      'tasks that training never sees, solved before and after it; default: 240, on models other than nano 120',
    ),
  forgottenTasks: z
    .number()
    .int()
    .min(0)
    .default(DEFAULTS.forgottenTasks)
    .describe(
      "most tasks of each set that shows what was forgotten (no-tool tasks, another file's), solved before and after; " +
        '0: none',
    ),
};

/** What is kept. */
export const storage = {
  checkpointEvery: z.number().int().min(1).default(DEFAULTS.checkpointEvery).describe('steps'),
  redact: z.boolean().optional().describe('take keys and tokens out of what is written; default: true'),
  redactPatterns: z.array(z.string()).optional().describe('regular expressions of what else is secret'),
};

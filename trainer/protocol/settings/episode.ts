/** Settings of episodes: what is asked, who answers and how, with which tools. */
import { z } from 'zod';
import { Method, ToolInertia, ToolNetwork, ToolPolicy } from './choices';
import { DEFAULTS, USUAL } from './defaults';
import { readStrata, STRATA, TOOLRLA_STRATA } from '../strata';
import { RecipeName } from './recipes';

export const run = {
  toolFile: z.string().describe('absolute path of the tool file or folder'),
  method: Method.default(DEFAULTS.method),
  model: z.string().default(DEFAULTS.model).describe("'nano', a Hugging Face model folder, or a GGUF file"),
  steps: z.number().int().min(1).max(100_000).default(DEFAULTS.steps).describe('optimiser steps'),
  seed: z
    .number()
    .int()
    .min(0)
    .max(2 ** 31 - 1)
    .default(DEFAULTS.seed),
  stages: z
    .string()
    .optional()
    .describe(
      'methods that train one after the other, METHOD:STEPS,… (sft:48,grpo:64,dpo:32), each from ' +
        'what the one before it passed on, in the place of method and steps; auto: the rehearsal ' +
        'chooses them; default: one method',
    ),
  stageSettings: z
    .record(z.string(), z.record(z.string(), z.unknown()))
    .optional()
    .describe('settings that the stages of one method have for themselves, by method: sft.learningRate; default: none'),
  recipe: RecipeName.optional().describe(
    'known recipe whose settings are taken, but for those that are set; default: none',
  ),
  startFrom: z
    .string()
    .optional()
    .describe('folder of a run whose adapter is trained on; default: a fresh adapter on the model'),
};

/** What is asked, and how often. */
export const tasks = {
  tasks: z.string().optional().describe('a *.tasks.jsonl file; default: beside the tool file, else generated'),
  splitsOf: z
    .string()
    .optional()
    .describe(
      'folder of a run whose tasks are taken, in its splits, so that it is measured on the same ones; those of ' +
        '`tasks` come to its training tasks; with `stages`, training tasks of it that no dialogue or pair is given of ' +
        'come to its validation tasks, up to 200; default: split anew',
    ),
  taskCount: z.number().int().min(1).max(100_000).default(DEFAULTS.taskCount).describe('how many tasks to generate'),
  taskLanguage: z
    .enum(['grammar', 'schema'])
    .default(DEFAULTS.taskLanguage)
    .describe("who words generated requests: a grammar of what people say, or the tools' own words alone"),
  taskValues: z
    .enum(['found', 'schema'])
    .default(DEFAULTS.taskValues)
    .describe(
      "whose values generated requests hold: found ones too (the tools' own files, what read-only tools return), or " +
        'those of the schemas alone (of enums, examples, descriptions)',
    ),
  looseWording: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe(
      "of the grammar's requests this share is in words that only go with what a tool does, in " +
        'place of its own words and their synonyms; default: 0.5, on models other than nano 0',
    ),
  taskStrata: z
    .string()
    .refine(
      (text) => readStrata(text) !== null,
      `is not STRATUM:PERCENT,… of ${STRATA.join(', ')}, together 100, as in ${TOOLRLA_STRATA}`,
    )
    .optional()
    .describe(
      'how many generated tasks in percent take one call (single), several (sequential), a further call only where ' +
        `a result says so (conditional), or none and are to be refused (rejection): ${TOOLRLA_STRATA}; default: ` +
        'two thirds single, a fifth each sequential and without a tool, as far as the tools lead to each other',
    ),
  fillTasks: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe(
      'where the task file has fewer tasks than this, others are added up to taskCount: what was ' +
        'asked in tries and marked good, written by a writer, generated; default 0: its tasks alone',
    ),
  taskMix: z
    .enum(['learnable', 'balanced', 'asGiven'])
    .optional()
    .describe(
      'how often tasks of a kind are trained on: by the square root of how many there are ' +
        '(balanced), that times what is left to learn of them (learnable), or as they are; default: ' +
        'learnable for generated tasks, asGiven for your own',
    ),
  renameTools: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe(
      'GRPO and SFT: share of the groups or examples in which tools and their arguments have ' +
        'other, plausible names, so that the policy learns to read definitions; in training alone; default: 0',
    ),
};

/** The language model that words requests, where there is one. */
export const writer = {
  writerUrl: z
    .string()
    .min(1)
    .optional()
    .describe(
      'language model that writes requests: an OpenAI-compatible server, with /v1, or vscode.lm ' +
        "for the editor's own models, or the absolute path of a model folder or GGUF file; default: " +
        'COACH_WRITER_URL, else none; its key is COACH_WRITER_KEY',
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
};

/** How tools are run. */
export const tools = {
  toolPolicy: ToolPolicy.optional().describe(
    'for all tools; default: mock for those that change the world, real for the rest',
  ),
  mockTools: z
    .string()
    .min(1)
    .optional()
    .describe(
      'names of tools, separated by commas, whose results are made up; without toolPolicy a run adds those that ' +
        'failed whatever they were asked while tasks were made; default: none',
    ),
  toolTimeoutMs: z
    .number()
    .int()
    .min(10)
    .default(DEFAULTS.toolTimeoutMs)
    .describe('a tool call that takes longer is stopped, and is an error'),
  toolOutputBytes: z
    .number()
    .int()
    .min(64)
    .optional()
    .describe("of a tool's result; the rest is cut off; default: what maxTokens has room for, 16384 at most"),
  toolMemoryMb: z.number().int().min(32).default(DEFAULTS.toolMemoryMb).describe('what a tool host may take'),
  toolNetwork: ToolNetwork.default(DEFAULTS.toolNetwork).describe(
    'deny keeps tools and rewards from the network; refused where no wall can be put around it',
  ),
  shownTools: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe(
      'how many tools each request is shown, those that it is about (coach find), in training, measuring and use ' +
        'alike; 0: all; default: 10 where there are more than 64, else all',
    ),
  toolVectors: z
    .enum(['each', 'average'])
    .optional()
    .describe(
      'with shownTools and the sentence encoder: what a tool is found by is its words and each of its requests of ' +
        'training (each), or one average of all, weighted as ScaleMCP has it (average); default: each',
    ),
  findTools: z
    .boolean()
    .optional()
    .describe(
      'the model sees shownTools of the tools and find_tools(query), by which it looks up further ones that are in its ' +
        'prompt from the next turn on, in training, measuring and use alike; default: false',
    ),
  shownAlways: z
    .array(z.string())
    .optional()
    .describe('names of tools that every request is shown, among shownTools; default: none'),
  toolTokens: z
    .boolean()
    .optional()
    .describe(
      'a token of its own for each tool (ToolGen): prompts hold no tools, the policy calls one by its token, and its ' +
        'definition is written behind that; with constrained decoding; default: false',
    ),
  toolTokenMemory: z
    .number()
    .int()
    .min(0)
    .max(1000)
    .optional()
    .describe(
      'with toolTokens: before step 1 the token of each definition is learnt, in so many epochs at most; it ends once ' +
        'all are known; default: 20',
    ),
  toolTokenRequests: z
    .number()
    .int()
    .min(0)
    .max(100)
    .optional()
    .describe(
      'with toolTokens: behind that, in so many epochs, the token of the tool that each training request needs first; ' +
        'default: 1',
    ),
  toolInertia: ToolInertia.optional().describe(
    'calls are made without the model where toolGraph says what comes next and all arguments are known: by AutoTool, ' +
      'or by SIT-Graph, which else shows the model what was done in like states (ours: its decision rule); in ' +
      'rollouts and measuring alike; default: off',
  ),
  toolGraph: z
    .string()
    .min(1)
    .optional()
    .describe(
      'of toolInertia: the run whose training traces say which tool follows which, or a file of traces (coach graph); ' +
        'default: the run that is measured',
    ),
  toolInertiaThreshold: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe(
      "of toolInertia: the score above which AutoTool makes a call, default 0.2; or a transition's share from which " +
        'SIT-Graph follows it, default 0.8 (ours)',
    ),
};

/** How the policy answers. */
export const sampling = {
  promptsPerStep: z
    .number()
    .int()
    .min(1)
    .max(256)
    .default(DEFAULTS.promptsPerStep(USUAL))
    .describe('by default 16 for GRPO on nano, 8 for its DPO, 2 for other models'),
  groupSize: z
    .number()
    .int()
    .min(2)
    .max(64)
    .default(DEFAULTS.groupSize(USUAL))
    .describe('G, rollouts per prompt; by default 4 for GRPO on nano, 8 otherwise'),
  temperature: z
    .number()
    .min(0)
    .max(10)
    .default(DEFAULTS.temperature)
    .describe('of sampling in training and for pass@k; success is measured greedily'),
  exploration: z
    .number()
    .min(0)
    .max(10)
    .optional()
    .describe(
      'GRPO with constrained decoding: where all rollouts of a kind of task fail alike, the ' +
        'choices inside their calls are sampled up to (1 + exploration) times hotter; default: 2 for ' +
        'generated tasks, 0 (never) for your own',
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
      'makes tokens that were written or read already less likely (above 1), also where decoding ' +
        'is greedy; default: 1, off',
    ),
  constraint: z
    .enum(['auto', 'none', 'schema', 'schema+spans', 'schema+spans+words'])
    .default(DEFAULTS.constraint)
    .describe(
      'schema-constrained decoding: calls fit the schemas; their strings are copied and keep the forms that ' +
        'descriptions ask for (spans); ' +
        "answers hold only words of the request, the results, the tools' names and a list of " +
        'function words (words); auto: schema+spans+words for the embedded model, none for others',
    ),
};

/** Of an episode. */
export const limits = {
  maxTurns: z
    .number()
    .int()
    .min(1)
    .max(64)
    .default(DEFAULTS.maxTurns)
    .describe('what the policy says in one episode, tool calls included'),
  maxTurnTokens: z
    .number()
    .int()
    .min(4)
    .max(8192)
    .optional()
    .describe(
      'what the policy may write in one turn; default: planned from the longest call that these ' +
        'tools take, 96 or more on nano, 128 or more on other models',
    ),
  maxTokens: z
    .number()
    .int()
    .min(8)
    .max(32_768)
    .optional()
    .describe(
      'whole episode, prompt included; default: planned from what the prompt of these tools, a ' +
        "turn and a result take, inside the model's context: 512 or more on nano, 1024 or more on other models",
    ),
};

/** Against what a model makes up. */
export const guards = {
  guardSchema: z
    .boolean()
    .optional()
    .describe(
      "hold a call's arguments to the tool's JSON Schema before it is run; false: the tool gets " +
        'what the model wrote; default: true',
    ),
  guardValues: z
    .boolean()
    .optional()
    .describe(
      'refuse calls whose texts and numbers are neither listed by the schema, nor said by the ' +
        'user, nor returned by a tool; default: false',
    ),
  guardAnswers: z
    .boolean()
    .optional()
    .describe(
      'record on the trace what an answer states (numbers, dates, ids, quoted names) and neither ' +
        'the user nor a tool said; default: false',
    ),
};

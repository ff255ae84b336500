import { z } from 'zod';
import { VerdictShares } from './verdicts';
import { TrainerError } from './result';
import { AgentMetrics } from './agentMetrics';
import { Budget } from './budget';
import { NoteCode, NoteLevel, type Note } from './note';
import { Rehearsal } from './rehearsal';
import { StageResult } from './stages';
import { Method } from './settings/choices';
import { RunConfig } from './runConfig';
import { Split, TaskSource } from './task';
import { TraceSummary } from './trace';

export const PROTOCOL_VERSION = 2;
export const RUN_FORMAT = 1;

/** ci95 is Wilson; success is a fraction 0..1 */
const Proportion = z.object({ n: z.number().int(), success: z.number(), ci95: z.tuple([z.number(), z.number()]) });

/** Success on a set of tasks; ci95 is Wilson for one proportion. */
export const Success = z.object({
  n: z.number().int(),
  success: z.number().nullable().describe('fraction 0..1; null: no task'),
  ci95: z.tuple([z.number(), z.number()]).nullable(),
  /** what success is the share of; absent in runs of before, which went by rule 1 */
  verdicts: VerdictShares.optional(),
  /** SUCCESS_RULE that it was counted by; absent: 1 */
  rule: z.number().int().optional(),
  byTag: z.record(z.string(), z.object({ n: z.number().int(), success: z.number() })).optional(),
  /** by who wrote the tasks; absent in runs of before */
  bySource: z.partialRecord(TaskSource, Proportion).optional(),
  /** with k samples a task, where it was measured */
  passAtK: z.object({ k: z.number().int(), success: z.number(), n: z.number().int() }).optional(),
  /** absent in runs of before, and where only success is looked at (validation) */
  metrics: AgentMetrics.optional(),
});
export type Success = z.infer<typeof Success>;

const PairedGain = z.object({
  mean: z.number(),
  ci95: z.tuple([z.number(), z.number()]),
  /** tasks whose outcome changed, and the exact McNemar test on them; absent in runs of before */
  changed: z.object({ gained: z.number().int(), lost: z.number().int(), p: z.number() }).optional(),
});

export const Gain = PairedGain.extend({
  /** by who wrote the tasks; absent in runs of before */
  bySource: z.partialRecord(TaskSource, PairedGain.extend({ n: z.number().int() })).optional(),
});

/** What a run's success is told by: its held-out tasks that are nearest to what people ask. */
export const Headline = z.object({
  /** who wrote these tasks, and no others */
  sources: z.array(TaskSource).min(1),
  before: Proportion,
  after: Proportion,
  gain: PairedGain,
  verdict: z.string(),
});
export type Headline = z.infer<typeof Headline>;

export const RunResult = z.object({
  run: z.string(),
  engine: z.string(),
  steps: z.number().int(),
  seconds: z.number(),
  before: Success,
  after: Success,
  /** interval paired over tasks */
  gain: Gain,
  /** a real gain | could be chance | a real loss */
  verdict: z.string(),
  /** absent in runs of before */
  headline: Headline.optional(),
  /** tools that no task of the run calls, so that it says nothing about them; absent in runs of before */
  toolsWithoutTasks: z.array(z.string()).optional(),
  /** gain: over the same tasks; absent in runs of before */
  forgotten: z.array(z.object({ name: z.string(), before: Success, after: Success, gain: Gain.optional() })),
  adapter: z.string(),
  /** of a pipeline */
  stages: z.array(StageResult).optional(),
});
export type RunResult = z.infer<typeof RunResult>;

/** run.json: what was trained, on what, with what; written once at the start. */
export const RunManifest = z.object({
  format: z.number().int(),
  id: z.string(),
  createdAt: z.number(),
  config: RunConfig,
  /** of a pipeline: the settings of each stage, but for where it starts */
  stages: z.array(RunConfig).optional(),
  /** of a pipeline whose stages the rehearsal chooses: what a stage of each method would be set to */
  candidates: z.array(RunConfig).optional(),
  /** traces of another agent, read from a file: nothing was trained */
  imported: z.object({ from: z.string(), form: z.enum(['otlp', 'messages']) }).optional(),
  /** a policy behind a server was measured: nothing was trained */
  evaluated: z.object({ url: z.string(), model: z.string() }).optional(),
  /** a teacher did the training tasks: nothing was trained */
  distilled: z
    .object({
      /** a server's address, or a model's path */
      teacher: z.string(),
      model: z.string(),
      /** episodes a task */
      samples: z.number().int(),
      temperature: z.number(),
      /** least reward of what is kept; null: gold calls and answers decide */
      bar: z.number().nullable(),
    })
    .optional(),
  /** how its limits came about; absent in runs of before and in imported ones */
  budget: Budget.optional(),
  toolNames: z.array(z.string()),
  /**
   * what each request's tools were found by (`shownTools`): words alone, or the sentence encoder, too; absent: all
   * shown
   */
  shownBy: z.enum(['words', 'both']).optional(),
  taskCounts: z.record(Split, z.number().int()),
  taskSource: z.string(),
  engine: z.object({
    name: z.string(),
    why: z.string(),
    threads: z.number().int(),
    rejected: z.array(z.object({ name: z.string(), reason: z.string() })),
  }),
  node: z.string(),
  versions: z.record(z.string(), z.string()),
  hashes: z.record(z.string(), z.string()),
  /**
   * the tool files and what they import of the workspace's own, path from the workspace -> hash; absent in runs of
   * before
   */
  modules: z.record(z.string(), z.string()).optional(),
});
export type RunManifest = z.infer<typeof RunManifest>;

/** TRL metric names -> value; null = not measured. */
export const Metrics = z.record(z.string(), z.number().nullable());
export type Metrics = z.infer<typeof Metrics>;

/**
 * Past tense, small; one line each of events.jsonl, which is the truth of a run. `t` = ms since epoch, `seq` counts
 * from 0.
 */
const event = <T extends string, S extends z.ZodRawShape>(type: T, shape: S) =>
  z.object({ seq: z.number().int(), t: z.number(), type: z.literal(type), ...shape });
export const TrainerEvent = z.discriminatedUnion('type', [
  event('runStarted', { manifest: RunManifest }),
  event('runResumed', { fromStep: z.number().int() }),
  /** code: absent in runs of before; one that a newer Coach gave is not known here */
  event('noted', { level: NoteLevel, code: NoteCode.optional().catch(undefined), message: z.string() }),
  event('phaseStarted', { phase: z.enum(['before', 'training', 'after', 'export']), total: z.number().int() }),
  /** of a pipeline, by its rehearsal: what each stage is set to, and why these, in words */
  event('stagesChosen', { stages: z.array(RunConfig), reasons: z.array(z.string()) }),
  /** of a pipeline; index from 0, fromStep: steps of the stages before it */
  event('stageStarted', {
    index: z.number().int(),
    method: Method,
    steps: z.number().int(),
    fromStep: z.number().int(),
  }),
  event('stageFinished', { index: z.number().int(), result: StageResult }),
  /** what a few tasks showed before step 1 */
  event('rehearsed', { report: Rehearsal }),
  event('progressed', { done: z.number().int(), total: z.number().int() }),
  event('traceRecorded', { trace: TraceSummary }),
  event('stepFinished', { step: z.number().int(), metrics: Metrics }),
  event('validated', { step: z.number().int(), result: Success }),
  /** solved: task by task, of sets that leave no traces */
  event('evaluated', {
    which: z.enum(['before', 'after']),
    name: z.string(),
    result: Success,
    solved: z.array(z.boolean()).optional(),
  }),
  event('checkpointSaved', { step: z.number().int(), path: z.string() }),
  event('runFinished', { result: RunResult }),
  event('runStopped', { step: z.number().int() }),
  event('runFailed', { error: TrainerError }),
]);
export type TrainerEvent = z.infer<typeof TrainerEvent>;
/** An event before runs/ numbers and dates it. */
export type TrainerEventBody = TrainerEvent extends infer E
  ? E extends { type: 'noted' }
    ? Note & { type: 'noted' }
    : E extends TrainerEvent
      ? Omit<E, 'seq' | 't'>
      : never
  : never;

/** Questions go from the trainer to the window; without one the answer is 'unavailable'. */
export const TrainerQuestion = z.discriminatedUnion('type', [
  z.object({ type: z.literal('mayToolRun'), tool: z.string(), arguments: z.unknown() }),
]);
export type TrainerQuestion = z.infer<typeof TrainerQuestion>;
export const TrainerAnswer = z.enum(['yes', 'no', 'unavailable']);
export type TrainerAnswer = z.infer<typeof TrainerAnswer>;

export const RunStatus = z.enum(['running', 'finished', 'stopped', 'failed', 'died']);
export type RunStatus = z.infer<typeof RunStatus>;
/** What a person wrote on a run, kept in its folder in a file of its own, which no run reads. */
export const RunLabel = z.object({
  /** in the place of the run's id; '' = none */
  name: z.string().max(200),
  tags: z.array(z.string().min(1).max(60)).max(40),
  notes: z.string().max(20_000),
});
export type RunLabel = z.infer<typeof RunLabel>;

export const RunInfo = z.object({
  id: z.string(),
  dir: z.string(),
  createdAt: z.number(),
  status: RunStatus,
  toolFile: z.string(),
  method: z.string(),
  model: z.string(),
  /** all weights are trained, so there is no adapter */
  isWhole: z.boolean().optional(),
  step: z.number().int(),
  steps: z.number().int(),
  reward: z.number().nullable(),
  result: RunResult.nullable(),
  /** of a run that only measures, what it measured */
  measured: Success.optional(),
  /** socket of the live trainer, where there is one */
  socket: z.string().nullable(),
  /** why it is read-only (newer format) or broken; null: fine */
  problem: z.string().nullable(),
  /** absent: nobody wrote one */
  label: RunLabel.optional(),
  /** why a label that is there can't be read */
  labelProblem: z.string().optional(),
});
export type RunInfo = z.infer<typeof RunInfo>;

/** A model that another program keeps on this disk. */
export const FoundModel = z.object({
  name: z.string(),
  /** what the setting `model` takes */
  path: z.string(),
  from: z.enum(['Ollama', 'LM Studio', 'Hugging Face']),
  bytes: z.number().nullable(),
  /** why it can't be trained; null: it can */
  problem: z.string().nullable(),
});
export type FoundModel = z.infer<typeof FoundModel>;

/** What a DPO run on marked pairs would take, and what it would not. */
export const TrainingForecast = z.object({
  /** pairs that are trained on */
  taken: z.number().int(),
  /** one sentence a pair, or of all that are left out for one reason */
  dropped: z.array(z.string()),
  /** marks on these tools that are no preference, so there is nothing to train on */
  ties: z.number().int(),
  bothBad: z.number().int(),
  skipped: z.number().int(),
});
export type TrainingForecast = z.infer<typeof TrainingForecast>;

/**
 * In the private folder of a trainer's socket (a pipe of Windows has the folder's name, in the temporary folder): who
 * can read it may watch, steer and answer; `hello` carries what it holds.
 */
export const SOCKET_KEY_FILE = 'key';
export const TrainerMethods = {
  hello: [
    z.object({ protocol: z.number().int(), key: z.string().optional() }),
    z.object({ protocol: z.number().int(), runId: z.string(), dir: z.string(), pid: z.number().int() }),
  ],
  stop: [z.object({}), z.object({})],
} as const;
/**
 * Notification `event` carries a TrainerEvent to each connected window; request `ask` carries a TrainerQuestion to the
 * steering one.
 */
export const EVENT_NOTIFICATION = 'event';
export const ASK_REQUEST = 'ask';

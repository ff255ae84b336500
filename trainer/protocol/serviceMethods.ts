/** What the service, a process beside the editor, is asked. */
import { z } from 'zod';
import { LessonPlan } from './flywheel';
import { ConfiguredServer } from './mcp';
import { RunConfig } from './runConfig';
import { ToolNetwork } from './settings/choices';
import { Diagnostic, FileTool, Split, Task, ToolSchema } from './task';
import { Message, Trace, TraceSummary } from './trace';
import { AnswerPair, LineProblem, PreferenceBody, PreferenceFormat, PreferenceLine } from './preferences';
import { PreferenceState, QueuedPair } from './preferenceState';
import { Version } from './play';
import { ToolGraph } from './toolGraph';
import { FoundModel, RunInfo, RunLabel, TrainerEvent, TrainingForecast } from './messages';

const OwnRequests = z.object({ file: z.string(), requests: z.array(Task), problems: z.array(z.string()) });

/**
 * JSON-RPC methods of the service (stdio): method name -> [params, reply]. Both sides parse with these schemas; an
 * unknown method is an error. Those of the trainer are in messages.ts.
 */
export const ServiceMethods = {
  discover: [
    z.object({
      paths: z.array(z.string()),
      overlays: z.record(z.string(), z.string()).optional(),
      /**
       * Trusted folders: the files in them that define tools are run in tool hosts, for their schemas. Else none is.
       */
      runsIn: z.array(z.string()).optional(),
      toolNetwork: ToolNetwork.optional(),
    }),
    z.object({ tools: z.array(FileTool), diagnostics: z.array(Diagnostic), files: z.array(z.string()) }),
  ],
  /** the MCP servers of these files, and of the window's settings for a folder; starts none of them */
  mcpServers: [
    z.object({
      files: z.array(z.string()),
      setting: z.object({ servers: z.record(z.string(), z.unknown()), folder: z.string() }).nullable(),
    }),
    z.object({
      servers: z.array(ConfiguredServer),
      problems: z.array(z.object({ file: z.string(), message: z.string() })),
    }),
  ],
  /**
   * starts servers, or calls them, for the list of their tools; environment: what their configuration refers to;
   * diagnostics: of tools that were left out
   */
  mcpTools: [
    z.object({ toolFile: z.string(), environment: z.record(z.string(), z.string()) }),
    z.object({ tools: z.array(ToolSchema), diagnostics: z.array(Diagnostic) }),
  ],
  foundModels: [z.object({}), z.array(FoundModel)],
  listRuns: [z.object({ workspace: z.string() }), z.array(RunInfo)],
  /** on the disk when answered */
  labelRun: [z.object({ dir: z.string(), label: RunLabel }), z.object({})],
  /** puts the folder aside, where no list finds it; -> where it is now, for restoreRun */
  putRunAside: [z.object({ dir: z.string() }), z.object({ aside: z.string() })],
  restoreRun: [z.object({ aside: z.string() }), z.object({ dir: z.string() })],
  readEvents: [
    z.object({ dir: z.string(), fromByte: z.number().int() }),
    z.object({ events: z.array(TrainerEvent), nextByte: z.number().int() }),
  ],
  readTrace: [
    z.object({ dir: z.string(), file: z.string(), offset: z.number().int(), length: z.number().int() }),
    Trace,
  ],
  /**
   * The traces of any JSON lines file, from a byte on: call again with what came back until `isWhole`. problems: lines
   * that are no trace of this
   * version, by their number from 1; the others still count.
   */
  readTraceFile: [
    z.object({ file: z.string(), fromByte: z.number().int().min(0), fromLine: z.number().int().min(0) }),
    z.object({
      traces: z.array(TraceSummary.extend({ line: z.number().int(), model: z.string() })),
      problems: z.array(LineProblem),
      nextByte: z.number().int(),
      nextLine: z.number().int(),
      isWhole: z.boolean(),
    }),
  ],
  readTraceAt: [z.object({ file: z.string(), offset: z.number().int(), length: z.number().int() }), Trace],
  /** what `.coach/preferences.jsonl` says at present; problems: its lines that can't be used */
  readPreferences: [
    z.object({ workspace: z.string() }),
    z.object({ state: PreferenceState, problems: z.array(LineProblem) }),
  ],
  /** on the disk when answered */
  recordPreferences: [
    z.object({ workspace: z.string(), bodies: z.array(PreferenceBody).min(1) }),
    z.object({ lines: z.array(PreferenceLine) }),
  ],
  /** the pairs of a run that wait for a mark, best first, and the tools as the policy saw them */
  openPairs: [
    z.object({ workspace: z.string(), dir: z.string(), limit: z.number().int().min(1).max(1000).default(50) }),
    z.object({ pairs: z.array(QueuedPair), tools: z.array(z.unknown()), toolsId: z.string() }),
  ],
  /** the pair of two traces of one task; null: there is nothing to decide between them */
  pairOf: [
    z.object({ workspace: z.string(), dir: z.string(), traceIds: z.tuple([z.string(), z.string()]) }),
    z.object({ pair: QueuedPair.nullable() }),
  ],
  /** what of a run can be tried, oldest first */
  versionsOf: [z.object({ dir: z.string() }), z.array(z.object({ version: Version, step: z.number().int() }))],
  /** the tasks that a run was started with */
  readTasks: [z.object({ dir: z.string() }), z.record(Split, z.array(Task))],
  /** where a tool file's tasks lie, or would lie */
  taskFileFor: [z.object({ toolFile: z.string() }), z.object({ file: z.string(), exists: z.boolean() })],
  /**
   * at the end of the tool file's task file; withTasksOf: the run whose tasks a new file begins with; runDir: the run
   * that the task is of, which knows the tools of its MCP servers
   */
  addTask: [
    z.object({
      toolFile: z.string(),
      task: Task,
      withTasksOf: z.string().nullable(),
      runDir: z.string().optional(),
    }),
    z.object({ file: z.string(), line: z.number().int(), isKnown: z.boolean() }),
  ],
  /**
   * the requests that are kept to measure this tool file's runs on, and those that the run's tools can't do, in words
   */
  readRequests: [z.object({ dir: z.string() }), OwnRequests],
  /** adds one, or corrects the one of the same words; on the disk when answered */
  keepRequest: [
    z.object({
      dir: z.string(),
      request: Task.pick({ prompt: true, calls: true, answer: true }).required({ calls: true }),
    }),
    OwnRequests,
  ],
  /** of a run's training traces (an imported one: of all) */
  toolGraphOf: [z.object({ dir: z.string() }), ToolGraph],
  /** what would be taken of a run's flagged traces; nothing is written */
  lessonsOf: [z.object({ workspace: z.string(), dir: z.string() }), LessonPlan],
  /** writes it into the run's folder; config: of the run that learns from it */
  writeLessons: [z.object({ workspace: z.string(), dir: z.string() }), z.object({ config: RunConfig })],
  importPreferences: [
    z.object({ workspace: z.string(), file: z.string() }),
    z.object({
      pairs: z.number().int(),
      unpaired: z.number().int(),
      known: z.number().int(),
      problems: z.array(LineProblem),
    }),
  ],
  exportPreferences: [
    z.object({ workspace: z.string(), file: z.string(), format: PreferenceFormat }),
    z.object({ rows: z.number().int() }),
  ],
  /**
   * an answer that a person wrote in the place of one side of a pair; call and field: null where it is about the whole
   * answer, or the whole call
   */
  checkRewrite: [
    z.object({
      dir: z.string(),
      pair: AnswerPair,
      of: z.union([z.literal(0), z.literal(1)]),
      draft: z.object({
        content: z.string(),
        calls: z.array(z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()) })),
      }),
    }),
    z.object({
      message: Message,
      problems: z.array(
        z.object({ call: z.number().int().nullable(), field: z.string().nullable(), message: z.string() }),
      ),
    }),
  ],
  /** what training on the workspace's preferences would take, going on from a run */
  trainingForecast: [z.object({ workspace: z.string(), dir: z.string() }), TrainingForecast],
  /** what a run's policy saw of its tools */
  toolsOf: [z.object({ dir: z.string() }), z.object({ tools: z.array(ToolSchema) })],
} as const;

export type Params<M extends readonly [z.ZodType, z.ZodType]> = z.infer<M[0]>;
export type Reply<M extends readonly [z.ZodType, z.ZodType]> = z.infer<M[1]>;

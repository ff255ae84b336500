import { z } from 'zod';
import { GoldCall, ToolOrigin } from './task';
import { Reward } from './reward';
import { Difference, Expected, Verdicts } from './verdicts';

/** 2: forks, rewards and advantages of turns, kinds of tokens, what environments say. A reader takes 1 as well. */
export const TRACE_VERSION = 2;

/** OpenAI chat shape, with `arguments` as an object (TRL's form; exporters flip it to a string). */
export const Message = z.object({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.string(),
  tool_calls: z
    .array(
      z.object({
        id: z.string(),
        type: z.literal('function'),
        function: z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()) }),
      }),
    )
    .optional(),
  tool_call_id: z.string().optional(),
  name: z.string().optional(),
});
export type Message = z.infer<typeof Message>;

/**
 * How a call ended. Everything but 'ok' is an error result that the policy sees, and data, never an exception. Not run
 * at all: 'unknownTool', 'invalidArguments' (its
 * schema), 'unseenValue' (an argument that nobody gave; `guardValues`), 'refused' (by the user, or too late).
 */
export const ToolResultKind = z.enum([
  'ok',
  'invalidArguments',
  'unknownTool',
  'threw',
  'lateRejection',
  'timeout',
  'exited',
  'hostDied',
  'outputTooLarge',
  'notJson',
  'refused',
  'unseenValue',
]);
export type ToolResultKind = z.infer<typeof ToolResultKind>;

export const ToolResult = z.object({
  kind: ToolResultKind,
  /**
   * What the policy reads: JSON text of the value, or of {"error": …}; cut in the middle and marked when over the
   * limit.
   */
  content: z.string(),
  isCut: z.boolean().optional(),
  policy: z.enum(['real', 'mock']),
  /** Where a mock answer came from. */
  mockSource: z.enum(['recorded', 'example', 'schema']).optional(),
  /** Of the tool that was called; absent: a tagged function or method of the tool file. */
  origin: ToolOrigin.optional(),
  startedAt: z.number(),
  durationMs: z.number(),
});
export type ToolResult = z.infer<typeof ToolResult>;

/** One decision of the policy: what it sampled, what was parsed of it, what came back. */
export const Turn = z.object({
  /** Range of this turn's policy tokens in `tokens`: [start, end). */
  start: z.number().int(),
  end: z.number().int(),
  text: z.string(),
  calls: z.array(GoldCall.extend({ id: z.string(), result: ToolResult.nullable() })),
  parseError: z.string().optional(),
  sampleMs: z.number(),
  /** Of this turn alone, beside the trace's; null: not scored. */
  reward: z.number().nullable().optional(),
  /** Of this turn's tokens, in the place of the trace's. */
  advantage: z.number().optional(),
  /** id of the policy that answered; absent (an older trace, or one from elsewhere): the trace's own */
  policy: z.string().optional(),
  /** what the environment said of this turn beside messages and results; absent: nothing */
  info: z.record(z.string(), z.unknown()).optional(),
  /** What the policy was shown of the tools from this turn on (`findTools`); absent: what it was shown before. */
  shownTools: z.array(z.string()).optional(),
});
export type Turn = z.infer<typeof Turn>;

/** All ids of the episode, prompt included; sampled ids are recorded at sampling and never re-made from text. */
export const Tokens = z.object({
  ids: z.array(z.number().int()),
  /**
   * log pi of each sampled id under the (constrained, tempered) sampling distribution, nats; null where the policy did
   * not sample.
   */
  logprobs: z.array(z.number().nullable()),
  /** The same of the model alone: every id allowed, temperature 1, no penalty. Absent where that is no different. */
  plainLogprobs: z.array(z.number().nullable()).optional(),
  /** 1 = sampled by the policy from more than one allowed id, so trained; 0 = prompt, tool result, template, forced. */
  completionMask: z.array(z.literal([0, 1])),
  /** Who wrote it: p prompt, s sampled, f forced by the schema, t tool result, x template. One letter per token. */
  writer: z.string(),
  /**
   * What it belongs to: c call (read or broken), t text, r tool result, u user's words, . none of them. One letter per
   * token; absent where nobody said.
   */
  kind: z.string().optional(),
  /** Where another prompt begins, with other tools, that was read in the place of all before it; absent: nowhere. */
  begins: z.array(z.number().int()).optional(),
});
export type Tokens = z.infer<typeof Tokens>;

export const Trace = z.object({
  version: z.literal(TRACE_VERSION),
  id: z.string(),
  /** It shares the messages before this turn (counted from 0) with another trace; absent: it began by itself. */
  forkOf: z.object({ traceId: z.string(), turn: z.number().int().min(0) }).optional(),
  runId: z.string(),
  taskId: z.string(),
  /** train: from a training step; the others from an evaluation. */
  phase: z.enum(['train', 'validation', 'before', 'after', 'try']),
  step: z.number().int(),
  groupId: z.string(),
  indexInGroup: z.number().int(),
  seed: z.number().int(),
  model: z.string(),
  checkpoint: z.string(),
  /** null: not known (imported) */
  temperature: z.number().nullable(),
  /** of the choices inside a call, where they were sampled hotter */
  callTemperature: z.number().optional(),
  constraint: z.enum(['none', 'schema', 'schema+spans', 'schema+spans+words']),
  /**
   * What the policy read the tools and their arguments as, by their own names, where training renamed them: in
   * `tokens` and the text of turns. Messages and calls have the own names.
   */
  renamed: z
    .object({ tools: z.record(z.string(), z.string()), arguments: z.record(z.string(), z.string()) })
    .optional(),
  /** What the policy was shown of the run's tools (`shownTools`); absent: all. */
  shownTools: z.array(z.string()).optional(),
  /** as they came; users may speak again between the policy's turns */
  messages: z.array(Message),
  turns: z.array(Turn),
  tokens: Tokens,
  /** The policy ended by itself (an answer). */
  terminated: z.boolean(),
  /** It was ended: by a limit or a cancel. Never both. */
  truncated: z.enum(['no', 'turnLimit', 'tokenLimit', 'cancelled']),
  /** all verdicts that apply hold (before there were verdicts: the gold calls and answer); null: not told */
  solved: z.boolean().nullable(),
  /** absent, as the next two: not told, or told before there were verdicts */
  verdicts: Verdicts.optional(),
  expected: Expected.optional(),
  differences: z.array(Difference).optional(),
  rewards: z.array(Reward),
  /** Sum of weight x score over the scored; null when nothing scored it. */
  reward: z.number().nullable(),
  advantage: z.number().nullable(),
  startedAt: z.number(),
  durationMs: z.number(),
  /**
   * What the answer states that neither the user nor a result holds (`guardAnswers`). Absent: not looked at, or no
   * answer.
   */
  ungrounded: z.array(z.string()).optional(),
  /** What the task kept from the policy (a simulated user's goal); written when the episode was over. */
  hidden: z.record(z.string(), z.unknown()).optional(),
  /**
   * What was taken out before writing, how often by kind; `[redacted:KIND]` stands in the texts, id -1 in the tokens.
   * Absent: nothing.
   */
  redactions: z.array(z.object({ kind: z.string(), count: z.number().int() })).optional(),
});
export type Trace = z.infer<typeof Trace>;

/** @returns a trace of this version or of version 1, which had nothing that is not here; or what is wrong with it */
export function readTraceJson(
  json: unknown,
): { ok: true; trace: Trace } | { ok: false; why: string; isNewer: boolean } {
  const version = (json as { version?: unknown } | null)?.version;
  if (typeof version === 'number' && version > TRACE_VERSION)
    return { ok: false, why: `trace version must be at most ${TRACE_VERSION}, got ${version}`, isNewer: true };
  const trace = Trace.safeParse(version === 1 ? { ...(json as object), version: TRACE_VERSION } : json);
  if (trace.success) return { ok: true, trace: trace.data };
  const why = z.prettifyError(trace.error).replace(/✖ /g, '').replace(/\s+/g, ' ');
  return { ok: false, why: `is no trace: ${why}`, isNewer: false };
}

/** It looked tools up, and called none: Coach itself answered it. */
export const isLookUp = ({ result }: Pick<Turn['calls'][number], 'result'>): boolean =>
  result?.origin?.kind === 'memory';

/** A trace as if tools had been looked up by nobody: what is said of calls is said of the user's tools. */
export function withoutLookUps<T extends Pick<Trace, 'turns'>>(trace: T): T {
  if (!trace.turns.some(({ calls }) => calls.some(isLookUp))) return trace;
  const turns = trace.turns.map((turn) => ({ ...turn, calls: turn.calls.filter((call) => !isLookUp(call)) }));
  return { ...trace, turns };
}

/** What the policy was shown of the tools at each turn; null: all. */
export function shownByTurn({ shownTools, turns }: Pick<Trace, 'shownTools' | 'turns'>): readonly string[][] | null {
  if (!shownTools) return null;
  let shown = shownTools;
  return turns.map((turn) => (shown = turn.shownTools ?? shown));
}

/** The advantage that a token is trained by: its turn's, where that has one, else the trace's. */
export function advantageAt({ advantage, turns }: Pick<Trace, 'advantage' | 'turns'>, token: number): number | null {
  return turns.find(({ start, end }) => start <= token && token < end)?.advantage ?? advantage;
}

/** What an event carries of a trace; the trace itself lies in traces/ at {file, offset, length}. */
export const TraceSummary = z.object({
  id: z.string(),
  taskId: z.string(),
  groupId: z.string(),
  phase: Trace.shape.phase,
  step: z.number().int(),
  /** of a try: what answered ("base", "start", "step 60"); absent: no try, or in runs of before */
  checkpoint: z.string().optional(),
  prompt: z.string(),
  /** e.g. "search → read → answer" */
  path: z.string(),
  reward: z.number().nullable(),
  advantage: z.number().nullable(),
  solved: z.boolean().nullable(),
  verdicts: Trace.shape.verdicts,
  truncated: Trace.shape.truncated,
  /** Byte range of the line in file (relative to the run folder). */
  file: z.string(),
  offset: z.number().int(),
  length: z.number().int(),
  superseded: z.boolean().optional(),
  forkOf: Trace.shape.forkOf,
  /** the ways in which calls failed, each once; absent in runs of before it was recorded */
  errors: z.array(ToolResultKind).optional(),
});
export type TraceSummary = z.infer<typeof TraceSummary>;

/** Of an episode that no policy of ours did: what is not known of it stays empty. */
export const emptyTrace = (id: string, step: number): Trace => ({
  version: TRACE_VERSION,
  id,
  runId: '',
  taskId: id,
  phase: 'try',
  step,
  groupId: '',
  indexInGroup: 0,
  seed: 0,
  model: '',
  checkpoint: '',
  temperature: 1,
  constraint: 'none',
  messages: [],
  turns: [],
  tokens: { ids: [], logprobs: [], completionMask: [], writer: '' },
  terminated: false,
  truncated: 'no',
  solved: null,
  rewards: [],
  reward: null,
  advantage: null,
  startedAt: 0,
  durationMs: 0,
});

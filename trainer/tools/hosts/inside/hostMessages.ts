/**
 * What the trainer and a tool host say to each other, one JSON object per line over the host's fd 3.
 * The host trusts its parent; the parent parses every line, because hostile tool code can reach the pipe.
 */
import { z } from 'zod';
import type { DefinedBinding, TypeScriptBinding } from '../../../protocol/task';
import { ToolResultKind } from '../../../protocol/trace';

/** One of the user's own files, ready to run as CommonJS. */
export interface PreparedModule {
  /** CommonJS text; for JSON files the JSON text itself. */
  code: string;
  isJson: boolean;
  /** Import specifier -> absolute path of another prepared module. What is absent is a built-in or a package. */
  ownImports: Record<string, string>;
  /**
   * Those of them that import statements name, in order: loaded before the file where something awaits at top level.
   */
  awaited: string[];
  /** Literal paths that lead to no file. */
  missing: string[];
  /** The file awaits at top level, so its wrapper is an async function. */
  hasTopLevelAwait: boolean;
  /** A program: something goes on when it is loaded. */
  startsMain: boolean;
  /** Written with import or export; else a CommonJS script. */
  isEsModule: boolean;
  /** Node takes the file for an ES module: what CommonJS packages export is then its default import. */
  isNodeEsModule: boolean;
}

/** Everything that a host needs before its first call. */
export interface PrepareMessage {
  type: 'prepare';
  modules: Record<string, PreparedModule>;
  /** Files loaded once, in a throw-away rollout, so that packages are in memory before the first timed call. */
  warmFiles: string[];
  warmTimeoutMs: number;
  env: Record<string, string>;
  workspace: string;
  /** The host's own folder, the only one it may write; one sub-folder per rollout. */
  scratch: string;
  /** Paths that must turn out unreadable / unwritable for the file system wall to count as proven. */
  probes: WallProbes;
}

export interface WallProbes {
  unreadable: string[];
  unwritable: string[];
  /** On 127.0.0.1, where the trainer listens: must be out of reach, or nothing of the user's is loaded. */
  port?: number;
}

/** In place of a call: what the tools that a file defines say of themselves. */
export interface DescribeBinding {
  kind: 'describe';
  tools: { name: string; binding: DefinedBinding }[];
}

/** What a definition says, once its file has run: in the result of a `describe`, one for each tool. */
export const ToolDescription = z.object({
  /** As the definition has it; absent where it has none. */
  description: z.string().optional(),
  parameters: z.record(z.string(), z.unknown()).optional(),
  returns: z.record(z.string(), z.unknown()).optional(),
  /** What the schema says and JSON Schema can't. */
  remarks: z.array(z.string()),
  /** Why it can't be used. */
  problem: z.string().optional(),
  isMockOnly: z.boolean(),
  /** Where the definition itself says whether it changes the world. */
  changesWorld: z.boolean().optional(),
});
export type ToolDescription = z.infer<typeof ToolDescription>;

export interface CallMessage {
  type: 'call';
  id: number;
  rollout: number;
  file: string;
  /** Name for messages: the tool's or the reward's. */
  name: string;
  binding: TypeScriptBinding | DefinedBinding | DescribeBinding;
  /** JSON text: the arguments object, or for a reward the array of its positional arguments. */
  args: string;
  isReward: boolean;
  timeoutMs: number;
  outputBytes: number;
}

export type ToHost =
  | PrepareMessage
  | CallMessage
  | { type: 'abort'; id: number }
  | { type: 'closeRollout'; rollout: number }
  | { type: 'ping' };

const ResultMessage = z.object({
  type: z.literal('result'),
  id: z.number().int(),
  kind: ToolResultKind,
  content: z.string(),
  isCut: z.boolean().optional(),
  durationMs: z.number(),
});

/** A file that could not be loaded. Places are those of the prepared text, line and column from 1. */
const LoadError = z.object({
  /** The tool or reward file. */
  entry: z.string(),
  /** The one that failed: the entry, or a file that it imports. */
  file: z.string(),
  line: z.number().int().optional(),
  column: z.number().int().optional(),
  /** The import at which it failed. */
  specifier: z.string().optional(),
  message: z.string(),
  isTimeout: z.boolean(),
});
export type LoadError = z.infer<typeof LoadError>;

export const FromHost = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('ready'),
    walls: z.object({ filesystem: z.boolean(), childProcesses: z.boolean(), network: z.boolean(), why: z.string() }),
    loadErrors: z.array(LoadError),
  }),
  ResultMessage,
  /** Something threw in a rollout after its call had been answered. */
  z.object({ type: z.literal('late'), name: z.string(), message: z.string() }),
  /** isClean: nothing is left of the rollout, so that the next may have this host. */
  z.object({ type: z.literal('closed'), rollout: z.number().int(), isClean: z.boolean() }),
  z.object({ type: z.literal('pong') }),
]);
export type FromHost = z.infer<typeof FromHost>;
export type ReadyMessage = Extract<FromHost, { type: 'ready' }>;
export type ResultMessage = z.infer<typeof ResultMessage>;

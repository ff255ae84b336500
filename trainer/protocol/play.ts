/** Trying a run's model by hand: what the window asks of the player process, over stdio. */
import { z } from 'zod';
import { ToolPolicy } from './runConfig';
import { Task } from './task';
import { Trace, TraceSummary } from './trace';

/**
 * base: without any adapter; start: where a run that went on from another began; a number: the checkpoint of that
 * step; adapter: what the run ended with.
 */
export const Version = z.union([z.enum(['base', 'start', 'adapter']), z.number().int().min(0)]);
export type Version = z.infer<typeof Version>;

export const PlayRequest = z.object({
  /** without gold calls and answer: a prompt that somebody typed, which nothing scores */
  tasks: z.array(Task).min(1),
  versions: z.array(Version).min(1).max(8),
  /** answers of each version to each task */
  samples: z.number().int().min(1).max(16),
  /** 0 = greedy */
  temperature: z.number().min(0).max(10),
  /** for all tools; null = mock for those that change the world, real for the rest */
  toolPolicy: ToolPolicy.nullable(),
  /** keep the traces in the run, as phase `try` */
  isRecorded: z.boolean(),
  /** ms since epoch: names the groups */
  stamp: z.number().int(),
});
export type PlayRequest = z.infer<typeof PlayRequest>;

/** notes: what the person should know (tools that changed, nobody who could be asked) */
export const Played = z.object({ traces: z.array(Trace), notes: z.array(z.string()) });
export type Played = z.infer<typeof Played>;

/**
 * JSON-RPC methods of the player: name -> [params, reply]. It asks the window back by ASK_REQUEST; a play is cancelled
 * by its cancellation token.
 */
export const PlayerMethods = {
  play: [PlayRequest, Played.extend({ summaries: z.array(TraceSummary).nullable() })],
} as const;
/** Notification with variables that what it opens next reads: what MCP servers are given. */
export const ENVIRONMENT_NOTIFICATION = 'environment';
export const EnvironmentNotification = z.record(z.string(), z.string());

/** Notification with the traces of each task as soon as they are there. */
export const PLAYED_NOTIFICATION = 'played';
export const PlayedNotification = z.object({ stamp: z.number().int(), traces: z.array(Trace) });

import type { LoadedCheckpoint } from '../checkpoint/checkpoint';
import type { Engine } from '../engine/engine';
import type { FreeMemory } from '../freeMemory';
import type { RunResult, TrainerEventBody } from '../protocol/messages';
import type { SettledConfig } from '../protocol/runConfig';
import type { Split, Task, ToolSchema } from '../protocol/task';
import type { RunJudge } from '../reward/judge/runJudge';
import type { RunWriter } from '../runs/runFolder';
import type { ToolHosts } from '../tools/callTool';

/** What a recipe is given; it opens nothing of this and closes nothing. */
export interface RecipeContext {
  config: SettledConfig;
  run: RunWriter;
  hosts: ToolHosts;
  tools: ToolSchema[];
  tasks: Record<Split, Task[]>;
  engine: Engine;
  /** null: no reward of the run asks one */
  judge: RunJudge | null;
  signal: AbortSignal;
  now(): number;
  /** what this process may still take */
  freeMemory(): FreeMemory;
  resumeFrom: LoadedCheckpoint | null;
}

/** Yields events, which the trainer appends to events.jsonl and posts; returns null when it was stopped. */
export type Recipe = (context: RecipeContext) => AsyncGenerator<TrainerEventBody, RunResult | null>;

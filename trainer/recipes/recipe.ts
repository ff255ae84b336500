import type { LoadedCheckpoint } from '../model/weights/checkpoint';
import type { Engine } from '../model/engine/engine';
import type { FreeMemory } from '../base/freeMemory';
import type { RunResult, TrainerEventBody } from '../protocol/messages';
import type { SettledConfig } from '../protocol/runConfig';
import type { Split, Task, ToolSchema } from '../protocol/task';
import type { Inertia } from '../rollout/inertia/inertia';
import type { RunJudge } from '../rewards/judge/runJudge';
import type { RunWriter } from '../store/runs/runFolder';
import type { ToolHosts } from '../tools/hosts/callTool';
import type { ShownTools } from '../tools/retrieval/shownTools';

/** What a recipe is given; it opens nothing of this and closes nothing. */
export interface RecipeContext {
  config: SettledConfig;
  run: RunWriter;
  hosts: ToolHosts;
  tools: ToolSchema[];
  /** which of them each request is shown; absent or null: all */
  shown?: ShownTools | null;
  /** makes calls in the policy's place; absent or null: never */
  inertia?: Inertia | null;
  tasks: Record<Split, Task[]>;
  /** of the base model */
  modelFolder: string;
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

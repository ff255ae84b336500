/**
 * The doors of the other rooms, each opened when it is first needed: `coach --help` loads none of them, `coach tools`
 * no tensors.
 * Tests pass scripted rooms.
 */
import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Tensor } from '../model/weights/safetensors';
import type { Engine, EngineName } from '../model/engine/engine';
import type { InstallOptions } from '../model/engine/native/install';
import type { BudgetOptions, PlannedBudget } from './budget/planBudget';
import type { Entry } from '../evaluation/benchmarks/bfcl/entries';
import type { BfclSuccess } from '../evaluation/benchmarks/bfcl/evaluateBfcl';
import type { Success } from '../protocol/messages';
import type { TrainedShape } from '../model/network/loraShape';
import { modelFolder } from '../model/weights/modelFolder';
import type { LimitedConfig, RunConfig } from '../protocol/runConfig';
import type { Diagnostic, Task, ToolSchema } from '../protocol/task';
import type { Trace } from '../protocol/trace';
import type { Recipe } from '../recipes/recipe';
import type { HostOptions, ToolHosts } from '../tools/hosts/callTool';
import type { UserReward } from '../tools/hosts/userRewards';

export interface Discovered {
  tools: ToolSchema[];
  rewards: UserReward[];
  diagnostics: Diagnostic[];
  /** those that hold tools, absolute */
  files: string[];
}

/** What a run has learnt: an adapter's weights under PEFT's names, or all of a model's under its own. */
export interface TrainedWeights {
  tensors: ReadonlyMap<string, Tensor>;
  shape: TrainedShape;
}

/** Greedy success on tasks, by the limits of `config`, whose `model` is the base. */
export type EvaluateModel = (options: {
  config: LimitedConfig;
  trained: TrainedWeights | null;
  tools: ToolSchema[];
  tasks: Task[];
  hosts: ToolHosts;
  engine: Engine;
  signal: AbortSignal;
  now(): number;
  onProgress(done: number, total: number): void;
  /** every episode, as the episodes that decode together end */
  onTraces?(traces: readonly Trace[]): void;
}) => Promise<Success>;

/** Greedy success on BFCL's questions, one turn each: no tool is run. */
export type EvaluateBfcl = (
  options: Pick<Parameters<EvaluateModel>[0], 'config' | 'trained' | 'engine' | 'signal' | 'now' | 'onProgress'> & {
    entries: readonly Entry[];
  },
) => Promise<BfclSuccess>;

export interface Rooms {
  /** the folder of a model by its name or path; UserError where it is none */
  modelFolder(model: string, cwd: string): string;
  discover(paths: readonly string[]): Promise<Discovered>;
  openHosts(options: HostOptions): Promise<ToolHosts>;
  /** the limits of episodes on these tools and tasks with the run's model; UserError where they don't fit into it */
  planBudget(options: BudgetOptions): Promise<PlannedBudget>;
  /** @param note see EngineOptions.note */
  openEngine(config: RunConfig, note?: (message: string) => void): Promise<Engine>;
  installEngine(name: 'tfjs-node' | 'tfjs-node-gpu', options: InstallOptions): Promise<string>;
  listEngines(): Promise<{ name: EngineName; available: boolean; reason: string }[]>;
  recipe(method: RunConfig['method']): Promise<Recipe>;
  evaluate(): Promise<EvaluateModel>;
  evaluateBfcl(): Promise<EvaluateBfcl>;
}

export const realRooms: Rooms = {
  modelFolder,
  async discover(paths) {
    const { Discovery, discoverRewards } = await import('../tools/sources/typescript/toolFile');
    return { ...new Discovery().discover([...paths]), rewards: discoverRewards(paths.flatMap(rewardPaths)) };
  },
  async openHosts(options) {
    return (await import('../tools/hosts/callTool')).openToolHosts(options);
  },
  async planBudget(options) {
    const [{ planBudget }, { modelConfig, modelTemplate, modelTokenizer }] = await Promise.all([
      import('./budget/planBudget'),
      import('../model/weights/describeModel'),
    ]);
    const folder = modelFolder(options.config.model, process.cwd());
    return planBudget(options, {
      tokenizer: modelTokenizer(folder),
      template: modelTemplate(folder),
      context: modelConfig(folder).maxPositions,
    });
  },
  async openEngine({ engine, device, threads }, note) {
    return (await import('../model/engine/engine')).openEngine({
      engine,
      device,
      ...(note ? { note } : {}),
      ...(threads === 0 ? {} : { threads }),
    });
  },
  async installEngine(name, options) {
    return (await import('../model/engine/native/install')).install(name, options);
  },
  async listEngines() {
    return (await import('../model/engine/engine')).listEngines();
  },
  async recipe(method) {
    switch (method) {
      case 'grpo':
        return (await import('../recipes/grpo')).grpo;
      case 'dpo':
        return (await import('../recipes/dpo')).dpo;
      case 'sft':
        return (await import('../recipes/sft')).sft;
    }
  },
  async evaluate() {
    return (await import('../evaluation/evaluate')).evaluateModel;
  },
  async evaluateBfcl() {
    return (await import('../evaluation/benchmarks/bfcl/evaluateBfcl')).evaluateBfcl;
  },
};

/** A tool file's rewards lie beside it, in any `*.rewards.ts` of its folder; a folder's anywhere below it. */
function rewardPaths(path: string): string[] {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path];
  const folder = dirname(path);
  return readdirSync(folder)
    .filter((name) => /\.rewards\.[mc]?[jt]s$/.test(name))
    .map((name) => join(folder, name));
}

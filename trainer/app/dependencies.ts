/**
 * What runs and commands are made of. Each part is loaded when it is first needed: `coach --help` loads none of them,
 * `coach tools` no tensors. Tests pass parts of their own.
 */
import type { EvaluateBfcl } from '../evaluation/benchmarks/bfcl/evaluateBfcl';
import type { EvaluateModel } from '../evaluation/evaluate';
import type { Engine, EngineName } from '../model/engine/engine';
import type { InstallOptions } from '../model/engine/native/install';
import { modelFolder } from '../model/weights/modelFolder';
import type { RunConfig } from '../protocol/runConfig';
import type { Recipe } from '../recipes/recipe';
import type { HostOptions, ToolHosts } from '../tools/hosts/callTool';
import { serverNamed } from '../tools/sources/mcp/config';
import type { Discovered } from '../tools/sources/typescript/discover';
import type { BudgetOptions, PlannedBudget } from './budget/planBudget';

export interface Dependencies {
  /** the folder of a model by its name or path; UserError where it is none */
  modelFolder(model: string, cwd: string): string;
  discover(paths: readonly string[]): Promise<Discovered>;
  openHosts(options: HostOptions): Promise<ToolHosts>;
  /**
   * The limits of episodes on these tools and tasks with the run's model; UserError where they don't fit into it.
   * @param folder the model's
   */
  planBudget(options: BudgetOptions, folder: string): Promise<PlannedBudget>;
  /** @param note see EngineOptions.note */
  openEngine(config: RunConfig, note?: (message: string) => void): Promise<Engine>;
  installEngine(name: 'tfjs-node' | 'tfjs-node-gpu', options: InstallOptions): Promise<string>;
  listEngines(): Promise<{ name: EngineName; available: boolean; reason: string }[]>;
  recipe(method: RunConfig['method']): Promise<Recipe>;
  evaluate(): Promise<EvaluateModel>;
  evaluateBfcl(): Promise<EvaluateBfcl>;
}

export const realDependencies: Dependencies = {
  modelFolder,
  async discover(paths) {
    const [path] = paths;
    if (path === undefined || serverNamed(path) === null)
      return (await import('../tools/sources/typescript/discover')).discover(paths);
    const found = await (await import('../tools/sources/mcp/discover')).discoverServer(path);
    return { tools: found.tools, servers: [found], files: [found.server.file], diagnostics: [], rewards: [] };
  },
  async openHosts(options) {
    return (await import('../tools/hosts/callTool')).openToolHosts(options);
  },
  async planBudget(options, folder) {
    const [{ planBudget }, { modelConfig, modelTemplate, modelTokenizer }] = await Promise.all([
      import('./budget/planBudget'),
      import('../model/weights/describeModel'),
    ]);
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

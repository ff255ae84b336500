/**
 * What runs and commands are made of. Each part is loaded when it is first needed: `coach --help` loads none of them,
 * `coach tools` no tensors. Tests pass parts of their own.
 */
import type { EvaluateBfcl } from '../evaluation/benchmarks/bfcl/evaluateBfcl';
import type { EvaluateToolE } from '../evaluation/benchmarks/toole/evaluateToolE';
import type { EvaluateConversations } from '../evaluation/conversations';
import type { EvaluateModel } from '../evaluation/evaluate';
import type { Engine, EngineName } from '../model/engine/engine';
import type { InstallEncoderOptions } from '../model/encoder/install';
import type { InstallOptions } from '../model/engine/native/install';
import { modelFolder } from '../model/weights/modelFolder';
import type { RunConfig } from '../protocol/runConfig';
import type { ToolNetwork } from '../protocol/settings/choices';
import type { OpenLocalTeacher } from '../recipes/distill/localTeacher';
import type { Recipe } from '../recipes/recipe';
import type { HostOptions, ToolHosts } from '../tools/hosts/callTool';
import type { InputValues } from '../tools/sources/mcp/inputs';
import type { FindableTool } from '../tools/retrieval/documents';
import type { Discovered } from '../tools/sources/typescript/discover';
import type { openInertia, OpenInertia } from './inertia/openInertia';
import type { findTools } from './retrieval/findTools';
import type { openShownTools, OpenShownTools } from './retrieval/openShownTools';
import type { BudgetOptions, PlannedBudget } from './budget/planBudget';

export interface Dependencies {
  /** the folder of a model by its name or path; UserError where it is none */
  modelFolder(model: string, cwd: string): string;
  /**
   * @param network of the hosts that run files which define tools; default: allow
   * @param inputs of the configuration of MCP servers
   */
  discover(paths: readonly string[], network?: ToolNetwork, inputs?: InputValues): Promise<Discovered>;
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
  installEncoder(options: InstallEncoderOptions): Promise<string>;
  findTools(request: string, tools: readonly FindableTool[], most: number): Promise<ReturnType<typeof findTools>>;
  /** which few of a run's tools each request is shown; null: all */
  shownTools(...given: Parameters<typeof openShownTools>): Promise<OpenShownTools | null>;
  /** what makes calls without the model; null: nothing does */
  inertia(...given: Parameters<typeof openInertia>): Promise<OpenInertia | null>;
  recipe(method: RunConfig['method']): Promise<Recipe>;
  /** several methods in one run */
  pipeline(): Promise<Pick<typeof import('../recipes/pipeline/pipeline'), 'pipeline' | 'stepsDone'>>;
  /** a model of this disk as a teacher */
  localTeacher(): Promise<OpenLocalTeacher>;
  evaluate(): Promise<EvaluateModel>;
  evaluateConversations(): Promise<EvaluateConversations>;
  evaluateBfcl(): Promise<EvaluateBfcl>;
  evaluateToolE(): Promise<EvaluateToolE>;
}

export const realDependencies: Dependencies = {
  modelFolder,
  async discover(paths, network, inputs) {
    return (await import('./discoverTools')).discoverTools(paths, network, inputs);
  },
  async openHosts(options) {
    return (await import('../tools/hosts/callTool')).openToolHosts(options);
  },
  async planBudget(options, folder) {
    const [{ planBudget }, { modelConfig, modelSpeech, weightBytes }] = await Promise.all([
      import('./budget/planBudget'),
      import('../model/weights/describeModel'),
    ]);
    const model = modelConfig(folder);
    return planBudget(options, {
      ...modelSpeech(folder, options.config.toolTokens ? options.tools : []),
      context: model.maxPositions,
      weights: weightBytes(model) / 4,
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
  async installEncoder(options) {
    return (await import('../model/encoder/install')).installEncoder(options);
  },
  async findTools(request, tools, most) {
    return (await import('./retrieval/findTools')).findTools(request, tools, most);
  },
  async shownTools(config, ...given) {
    return config.shownTools ? (await import('./retrieval/openShownTools')).openShownTools(config, ...given) : null;
  },
  async inertia(config, ...given) {
    const { toolInertia = 'off' } = config;
    return toolInertia === 'off' ? null : (await import('./inertia/openInertia')).openInertia(config, ...given);
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
  async pipeline() {
    return import('../recipes/pipeline/pipeline');
  },
  async localTeacher() {
    return (await import('../recipes/distill/localTeacher')).openLocalTeacher;
  },
  async evaluate() {
    return (await import('../evaluation/evaluate')).evaluateModel;
  },
  async evaluateConversations() {
    return (await import('../evaluation/conversations')).evaluateConversations;
  },
  async evaluateBfcl() {
    return (await import('../evaluation/benchmarks/bfcl/evaluateBfcl')).evaluateBfcl;
  },
  async evaluateToolE() {
    return (await import('../evaluation/benchmarks/toole/evaluateToolE')).evaluateToolE;
  },
};

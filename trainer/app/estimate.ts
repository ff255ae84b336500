/** What a run would take of the memory, before there is one: from the tools and the model's head; nothing is run. */
import { readFreeMemory, type FreeMemory } from '../base/freeMemory';
import { modelConfig, modelSpeech } from '../model/weights/describeModel';
import type { EngineName } from '../model/engine/engine';
import type { TellNote } from '../protocol/note';
import type { RunConfig } from '../protocol/runConfig';
import { promptLengths } from '../recipes/steps/longest';
import { planFor, planWords } from '../recipes/steps/memoryCheck';
import type { Dependencies } from './dependencies';
import { findTools } from './prepare/tools';
import { settle } from './settings';

export interface MemoryEstimate {
  /** that it takes at most; its tasks are not made yet, and may be longer than what is reckoned with */
  bytes: number;
  free: FreeMemory;
  words: string;
}

/** @throws UserError where there is no tool, or the tools don't fit into the model */
export async function estimateMemory(
  config: RunConfig,
  cwd: string,
  dependencies: Pick<Dependencies, 'discover' | 'modelFolder' | 'planBudget'>,
  note: TellNote,
  free: FreeMemory = readFreeMemory(),
): Promise<MemoryEstimate> {
  const folder = dependencies.modelFolder(config.model, cwd);
  const { tools: found } = await findTools(config.toolFile, cwd, dependencies, note, config.toolNetwork);
  const { limits, tools } = await dependencies.planBudget({ config, tools: found, tasks: [], seen: [] }, folder);
  const model = modelConfig(folder);
  const settled = settle({ ...config, ...limits }, true);
  const { tokenizer, template } = modelSpeech(folder, config.toolTokens ? tools : []);
  const plan = planFor(
    { ...settled, maxTokens: Math.min(settled.maxTokens, model.maxPositions) },
    {
      model,
      tools: tools.length,
      prompts: promptLengths(tokenizer, template, tools, []),
      engine: engineOf(config),
    },
  );
  return { bytes: plan.total, free, words: planWords(plan, free, config.finetuning === 'full') };
}

/** Which one `auto` will be is measured when the run starts; that of ONNX Runtime takes the most. */
const engineOf = ({ engine }: RunConfig): EngineName => (engine === 'auto' ? 'onnx' : engine);

/** A model of this disk as a teacher. */
import { lanesFor } from '../../evaluation/evaluate';
import { DecoderGraphs } from '../../model/decoding/decoderGraphs';
import type { Engine } from '../../model/engine/engine';
import { loadBaseModel } from '../../model/weights/baseModel';
import { modelConfig } from '../../model/weights/describeModel';
import type { ToolSchema } from '../../protocol/task';
import { checkRoom, runPolicy } from '../../rollout/policy/local';
import type { Policy } from '../../rollout/policy/policy';
import type { ShownTools } from '../../tools/retrieval/shownTools';

export interface LocalTeacher {
  policy: Policy;
  /** episodes that decode together */
  atOnce: number;
  /** of a whole episode, in its own tokens */
  maxTokens: number;
  close(): void;
}

export type OpenLocalTeacher = (
  /** its folder or GGUF file */
  folder: string,
  name: string,
  tools: readonly ToolSchema[],
  engine: Engine,
  /** which of them each request is shown; absent or null: all */
  shown?: ShownTools | null,
) => LocalTeacher;

/** An episode of a teacher with a longer template than the student's; longer ones are cut off. */
const MOST_TOKENS = 4096;

/** @throws UserError where it can't be loaded, or the tools leave it no room to write */
export const openLocalTeacher: OpenLocalTeacher = (folder, name, tools, engine, shown) => {
  const maxTokens = Math.min(modelConfig(folder).maxPositions, MOST_TOKENS);
  const base = loadBaseModel(folder, maxTokens);
  const graphs = new DecoderGraphs(engine, base.model);
  const close = (): void => {
    graphs.forget();
    base.dispose();
  };
  try {
    checkRoom(base, shown?.longest ?? tools);
    return {
      policy: runPolicy(base, graphs, { tools, shown, config: { constraint: 'auto', model: name } }),
      atOnce: lanesFor(base.model.config, { maxTokens, quantize: 'none' }),
      maxTokens,
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
};

/** `coach export` of what was learnt: the adapter alone, or with the model that it belongs to. */
import { exportAdapter } from '../checkpoint/exportAdapter';
import { exportGgufLora } from '../checkpoint/exportGgufLora';
import { exportMerged } from '../checkpoint/exportMerged';
import { exportOllama } from '../checkpoint/exportOllama';
import { runInfo } from '../runs/listRuns';
import { requireManifest } from '../runs/readRun';
import { adapterOf } from '../trainedAdapter';
import type { WeightForm } from './export';
import { percent } from './output';

export interface WeightOptions {
  dtype: 'F16' | 'F32' | undefined;
  modelFolder(model: string): string;
}

/** @returns what to tell: counts, and notes where the form can't hold everything */
export function exportWeights(dir: string, out: string, to: WeightForm, { dtype, modelFolder }: WeightOptions): { counts: Record<string, number | string>; notes?: string[] } {
  const { config } = requireManifest(dir, { readOnly: true });
  const { result, id } = runInfo(dir);
  const { weights, from } = adapterOf(dir, config);
  const baseModel = modelFolder(config.model);
  const gain = result ? [`Held-out success ${percent(result.before.success ?? 0)} -> ${percent(result.after.success ?? 0)}: ${result.verdict}`] : [];
  const roundedBase = config.quantize === 'q4' && (to === 'merged' || to === 'ollama')
    ? ["The adapter was trained on the base in 4 bits (quantize=q4); here it is added to the base model's own weights, unrounded, so answers may differ a little from the run's"] : [];
  const facts = [`Run ${id}: ${config.method}, ${config.steps} steps, seed ${config.seed}, from ${from}`, ...roundedBase, ...gain];
  const common = { out, ...weights, baseModel, facts, ...(dtype ? { dtype } : {}) };
  switch (to) {
    case 'peft':
      exportAdapter({ ...common, includeBase: config.model === 'nano' });
      return { counts: { tensors: weights.tensors.size, from } };
    case 'merged': {
      const { merged, dtypes } = exportMerged(common);
      return { counts: { merged, dtype: dtypes.join(' and '), from }, ...noted(roundedBase) };
    }
    case 'gguf-lora':
      return { counts: { ...exportGgufLora({ ...common, name: id }), from } };
    case 'ollama': {
      const { merged, dtypes, template } = exportOllama({ ...common, temperature: 0, maxTokens: config.maxTokens });
      const note = "Ollama has no counterpart of this model's chat template, and may split its text otherwise: the Modelfile takes raw prompts only, as it says";
      return { counts: { merged, dtype: dtypes.join(' and '), template: template ?? 'none', from }, ...noted([...roundedBase, ...(template === null ? [note] : [])]) };
    }
  }
}

const noted = (notes: string[]): { notes?: string[] } => (notes.length > 0 ? { notes } : {});

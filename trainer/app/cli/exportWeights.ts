/** `coach export` of what was learnt: the adapter alone, or with the model that it belongs to. */
import { exportAdapter } from '../../model/weights/exportAdapter';
import { exportGgufLora } from '../../model/weights/exportGgufLora';
import { exportMerged } from '../../model/weights/exportMerged';
import { exportOllama } from '../../model/weights/exportOllama';
import { exportWhole } from '../../model/weights/exportWhole';
import type { WrittenModel } from '../../model/weights/writeModel';
import { trainedWeightsOf } from '../../model/weights/trainedWeights';
import type { TrainedShape } from '../../model/network/loraShape';
import { headlineOf, sourcesText, type Told } from '../../protocol/headline';
import { UserError } from '../../protocol/result';
import { runInfo } from '../../store/runs/listRuns';
import { requireManifest } from '../../store/runs/readRun';
import { withLimits } from '../settings';
import type { WeightForm } from './export';
import { percent } from './output';

export interface WeightOptions {
  dtype: 'F16' | 'F32' | undefined;
  modelFolder(model: string): string;
}

/** @returns what to tell: counts, and notes where the form can't hold everything */
export function exportWeights(
  dir: string,
  out: string,
  to: WeightForm,
  { dtype, modelFolder }: WeightOptions,
): { counts: Record<string, number | string>; notes?: string[] } {
  const { config } = requireManifest(dir, { readOnly: true });
  const { result, id } = runInfo(dir);
  const {
    weights: { tensors, shape, toolTokens },
    from,
  } = trainedWeightsOf(dir, config);
  const baseModel = modelFolder(config.model);
  const gain = result ? [heldOutFact(headlineOf(result))] : [];
  const roundedBase =
    config.quantize === 'q4' && (to === 'merged' || to === 'ollama')
      ? [
          'The adapter was trained on the base in 4 bits (quantize=q4); here it is added to the base ' +
            "model's own weights, unrounded, so answers may differ a little from the run's",
        ]
      : [];
  const facts = [
    `Run ${id}: ${config.method}, ${config.steps} steps, seed ${config.seed}, from ${from}`,
    ...roundedBase,
    ...gain,
  ];
  const common = { out, tensors, baseModel, facts, dtype, toolTokens };
  if (toolTokens && (to === 'gguf-lora' || to === 'ollama'))
    throw new UserError(
      'config',
      `${to} can't hold what this run trained: it has a token for each tool (toolTokens), whose rows are no adapter of ` +
        'a matrix, and whose definitions are to be written behind them while it decodes',
      'Take --to peft or --to merged.',
    );
  const writeTo = (folder: string): WrittenModel & { merged?: number } =>
    shape === 'whole' ? exportWhole({ ...common, out: folder }) : exportMerged({ ...common, ...shape, out: folder });
  const told = ({ merged, dtypes }: ReturnType<typeof writeTo>) => ({
    ...(merged === undefined ? { weights: 'all' } : { merged }),
    dtype: dtypes.join(' and '),
    from,
  });
  switch (to) {
    case 'peft':
      exportAdapter({ ...common, ...adapterShape(shape, to), includeBase: config.model === 'nano' });
      return { counts: { tensors: tensors.size, from } };
    case 'merged':
      return { counts: told(writeTo(out)), ...noted(roundedBase) };
    case 'gguf-lora':
      return {
        counts: {
          ...exportGgufLora({
            out,
            tensors,
            baseModel,
            facts,
            ...adapterShape(shape, to),
            ...(dtype ? { dtype } : {}),
            name: id,
          }),
          from,
        },
      };
    case 'ollama': {
      const written = exportOllama({ ...common, temperature: 0, maxTokens: withLimits(config).maxTokens }, writeTo);
      const note =
        "Ollama has no counterpart of this model's chat template, and may split its text otherwise: " +
        'the Modelfile takes raw prompts only, as it says';
      return {
        counts: { ...told(written), template: written.template ?? 'none' },
        ...noted([...roundedBase, ...(written.template === null ? [note] : [])]),
      };
    }
  }
}

const heldOutFact = ({ before, after, verdict, sources }: Told): string =>
  `Held-out success${sources.length > 0 ? ` on tasks ${sourcesText(sources)}` : ''} ` +
  `${percent(before.success ?? 0)} -> ${percent(after.success ?? 0)}: ${verdict}`;

function adapterShape(shape: TrainedShape, to: WeightForm): Exclude<TrainedShape, 'whole'> {
  if (shape === 'whole')
    throw new UserError(
      'config',
      `${to} is a form of adapters; this run trained all weights of the model (finetuning=full)`,
      'Take --to merged or --to ollama.',
    );
  return shape;
}

const noted = (notes: string[]): { notes?: string[] } => (notes.length > 0 ? { notes } : {});

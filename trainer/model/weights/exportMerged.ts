/** Base model and adapter as one plain model: what transformers, vLLM, llama.cpp and Ollama load. */
import { projectionName, projectionShape, type ModelConfig, type Projection } from '../network/config';
import { loraScaling } from '../network/loraShape';
import { UserError } from '../../protocol/result';
import { adapterPairs, type AdapterPair } from './adapterPairs';
import { modelConfig, weightShapesOf } from './describeModel';
import { tokenRows, type AdapterExport } from './exportAdapter';
import { writeModel, type ModelExport, type WrittenModel } from './writeModel';

export type MergedExport = Omit<ModelExport, 'added'> &
  Pick<AdapterExport, 'tensors' | 'rank' | 'alpha' | 'targets' | 'rslora' | 'toolTokens'>;

/** @returns also how many weights the adapter was added to */
export function exportMerged({
  tensors,
  rank,
  alpha,
  targets,
  rslora = false,
  toolTokens,
  ...model
}: MergedExport): WrittenModel & { merged: number } {
  const pairs = adapterPairs(tensors, { rank, targets });
  const shapes = weightShapesOf(model.baseModel);
  checkFits(pairs, modelConfig(model.baseModel), shapes, model.baseModel);
  const scaling = loraScaling({ rank, alpha, rslora });
  const added = toolTokens && { tools: toolTokens, rows: tokenRows(tensors) };
  const written = writeModel({ ...model, added }, 'A model trained with Coach, adapter merged in', (name) => {
    const pair = pairs.get(name.replace(/\.weight$/, ''));
    return pair ? (values) => addDelta(values, shapes.get(name)!, pair, scaling) : null;
  });
  return { merged: pairs.size, ...written };
}

/**
 * W + scaling B A, rounded once: W [out, in], A [rank, in], B [out, rank]. LoRA, arXiv:2106.09685, section 4.1.
 * Changes and returns `weight`.
 */
export function addDelta(
  weight: Float32Array,
  shape: readonly number[],
  { a, b }: Pick<AdapterPair, 'a' | 'b'>,
  scaling: number,
): Float32Array {
  const [outputs = 0, inputs = 0] = shape;
  const rank = a.shape[0]!;
  const row = new Float64Array(inputs);
  for (let o = 0; o < outputs; o++) {
    row.fill(0);
    for (let r = 0; r < rank; r++) {
      const factor = b.data[o * rank + r]!;
      if (factor === 0) continue;
      const from = r * inputs;
      for (let i = 0; i < inputs; i++) row[i]! += factor * a.data[from + i]!;
    }
    for (let i = 0; i < inputs; i++) weight[o * inputs + i]! += scaling * row[i]!;
  }
  return weight;
}

/** Every projection that the adapter changes is there, in the shape that the config says. */
function checkFits(
  pairs: ReadonlyMap<string, AdapterPair>,
  config: ModelConfig,
  shapes: ReadonlyMap<string, readonly number[]>,
  baseModel: string,
): void {
  for (const [name, { a, b, target, layer }] of pairs) {
    const known = layer < config.layers && projectionName(layer, target) === name;
    const [out, inputs] = projectionShape(config, target as Projection);
    const shape = shapes.get(`${name}.weight`);
    if (!known || shape === undefined)
      throw new UserError(
        'config',
        `${baseModel}: has no weight ${name}.weight, the adapter changes it`,
        'The adapter belongs to another base model; give the one it was trained on.',
      );
    if (shape.join() !== [out, inputs].join() || a.shape[1] !== inputs || b.shape[0] !== out) {
      throw new UserError(
        'config',
        `${baseModel}: ${name}.weight is [${shape.join(', ')}], the adapter was made for ` +
          `[${b.shape[0]}, ${a.shape[1]}]`,
        'The adapter belongs to another base model; give the one it was trained on.',
      );
    }
  }
}

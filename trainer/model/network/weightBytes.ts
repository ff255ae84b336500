/** What weights take in memory, from sizes alone; no tensors are loaded for it. */
import { packedBits, weightShapes, type ModelConfig } from './config';

const FLOAT = 4;
export const product = (...factors: number[]): number => factors.reduce((a, b) => a * b, 1);

/** Bytes a number of this weight takes packed: its bits, and a scale and an offset for each 32. */
export function packedBytes(name: string): number | null {
  const bits = packedBits(name);
  return bits === null ? null : bits / 8 + (2 * FLOAT) / 32;
}

/** The least that all weights of a model take in memory: packed, and nothing beside them. @returns bytes */
export function leastWeightBytes(model: ModelConfig): number {
  const ofFirstLayer = /^model\.layers\.0\./;
  const shapes = [...weightShapes({ ...model, layers: 1 })];
  return shapes.reduce(
    (bytes, [name, shape]) =>
      bytes + product(...shape, packedBytes(name) ?? FLOAT, ofFirstLayer.test(name) ? model.layers : 1),
    0,
  );
}

import { leaf, node, sizeOf, type Value } from '../value';
import { kernel } from './register';

/** com.microsoft.MatMulNBits, 4 bits without zero points (so 8 is zero): B uint8 [outputs, blocks, blockSize / 2], scales [outputs * blocks]. */
export function registerQuantised(): void {
  kernel<{ blockSize: number; accuracyLevel: 1 | 4 }>('MatMulNBits', (on) => {
    const [x, packed, scales] = [on('x'), bytesOf(on('packed')), on('scales')];
    const { blockSize, accuracyLevel } = on.attrs;
    const [outputs, blocks] = scales.shape as [number, number];
    const codes = leaf(packed, [outputs, blocks, blockSize / 2], 'uint8');
    const steps = leaf(scales.data!, [sizeOf(scales.shape)], 'float32');
    codes.isPacked = steps.isPacked = true;
    const attributes = { K: blocks * blockSize, N: outputs, bits: 4, block_size: blockSize, accuracy_level: accuracyLevel };
    return node('MatMulNBits', [x, codes, steps], [...x.shape.slice(0, -1), outputs], 'float32', attributes, 'com.microsoft');
  });
}

function bytesOf(value: Value): Uint8Array {
  if (value.kind !== 'leaf') throw new Error('packed weights must be a tensor from outside of the recorded function, not an argument, a variable or a result');
  return new Uint8Array(value.data!.buffer, value.data!.byteOffset, value.data!.byteLength);
}

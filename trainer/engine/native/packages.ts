/**
 * What `coach engines --install` fetches, by address, length and checksum: tfjs-node's scripts from npm, libtensorflow out of PyPI's wheels of
 * TensorFlow (the packages' own install script downloads it from a place that is no registry). The binding between them lies in this repository,
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
}

const scripts = (path: string): string | null => (/^package\/(package\.json|dist\/.*\.js)$/.test(path) && !path.endsWith('_test.js') ? path : null);
/** What tfjs-node's scripts need besides tfjs, which is ours. */
const protobuf: Archive = {
  type: 'tgz',
  url: 'https://registry.npmjs.org/google-protobuf/-/google-protobuf-3.21.4.tgz',
  sizeBytes: 68_046,
  sha256: '38299bb1802ce06900ea2e43650aded8393cd6a00012ed97ffc716eeab1e1091',
  place: (path) => (/^package\/(package\.json|google-protobuf\.js|LICENSE.*)$/.test(path) ? path.replace('package/', 'package/node_modules/google-protobuf/') : null),
};
const libraries = (path: string): string | null => /^tensorflow\/(libtensorflow_(?:cc|framework)\.so\.2)$/.exec(path)?.[1]?.replace(/^/, 'package/deps/lib/') ?? null;

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
  ],
};

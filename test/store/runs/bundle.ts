/**
 * Bundles a program as the product does (extension/build/build.mjs): one CommonJS file. What loads tensors stays
 * outside: nothing here opens it.
 */
import { buildSync } from 'esbuild';
import { join } from 'node:path';

export function bundle(source: string, outfile: string): string {
  buildSync({
    entryPoints: [join(__dirname, '../../..', source)],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    logLevel: 'error',
    external: [
      '@tensorflow/*',
      'onnxruntime-node',
      '../recipes/*',
      '../evaluation/evaluate',
      '../evaluation/benchmarks/bfcl/evaluateBfcl',
      '../model/engine/engine',
    ],
  });
  return outfile;
}

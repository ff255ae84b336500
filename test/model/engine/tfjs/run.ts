/**
 * TensorFlow.js' own tests (`@tensorflow/tfjs-core/dist/tests`, jasmine) on one of our engines: `npm run test:backend
 * -- [onnx | cpu | wasm | tfjs-node] [--grep TEXT] [--all]`.
 * They come as ES modules that belong to tfjs-core's inside, so they are bundled with one copy of tfjs-core for them
 * and for us.
 */
import { buildSync } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(__dirname, '../../../..');
// inside of the repository, so that it finds onnxruntime-node
const outfile = join(root, 'test/artifacts/tfjsSuite.cjs');

buildSync({
  entryPoints: [join(__dirname, 'suite.ts')],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  mainFields: ['module', 'main'],
  external: ['onnxruntime-node', 'jasmine-core'],
  ignoreAnnotations: true, // tfjs-core calls its tests free of side effects: without this the bundle holds none
  logLevel: 'error',
});
const { status } = spawnSync(process.execPath, [outfile, ...process.argv.slice(2)], { stdio: 'inherit', cwd: root });
process.exitCode = status ?? 1;

import { jasmineEnv, type Spec } from './jasmine';
import { backendName, engine } from './environment';
import * as tf from '@tensorflow/tfjs';
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
import { join } from 'node:path';
import { OnnxBackend } from '../../../../trainer/model/engine/onnx/backend';
import { registerKernels } from '../../../../trainer/model/engine/onnx/kernels/index';
import { missingKernels } from '../../../../trainer/model/engine/onnx/kernels/missing';
import { loadRuntime } from '../../../../trainer/model/engine/onnx/runtime';
import { loadNative } from '../../../../trainer/model/engine/native/load';
import { registerWasmKernels } from '../../../../trainer/model/engine/wasm/kernels';
import { kernelNames, unregistered } from '../../../../trainer/model/engine/kernelNames';
import { excluded } from './excluded';
import '@tensorflow/tfjs-core/dist/tests';

// every group of tests resets tfjs' engine and then asks the factory again
if (engine === 'onnx') {
  registerKernels();
  const runtime = loadRuntime();
  tf.registerBackend('onnx', () => new OnnxBackend(runtime, { threads: 1 }));
}
if (engine === 'tfjs-node') {
  try {
    loadNative('tfjs-node');
  } catch (error) {
    console.log(`skipped: ${(error as Error).message}; coach engines --install tfjs-node`);
    process.exit(0);
  }
  tf.registerBackend('tensorflow', () => loadNative('tfjs-node'));
}
if (engine === 'wasm') {
  setWasmPaths(join(process.cwd(), 'node_modules/@tensorflow/tfjs-backend-wasm/dist/'));
  registerWasmKernels();
}

const options = process.argv.slice(2);
const grep = options.includes('--grep') ? options[options.indexOf('--grep') + 1]! : '';
const runsAll = options.includes('--all');
const nameOf = (fullName: string): string => fullName.replace(` ${engine} {}`, '');
const used = new Set<string>();
const isExcluded = (name: string): boolean =>
  !runsAll && excluded[engine].some(({ tests }) => tests.some((part) => name.includes(part) && used.add(part)));

const passed: string[] = [];
const failed: Spec[] = [];
/** Kernel -> the tests that need it. */
const missing = new Map<string, number>();
let needMissing = 0;
let leftOut = 0;

jasmineEnv.configure({
  random: false,
  specFilter(spec) {
    const name = nameOf(spec.getFullName());
    if (!name.includes(grep)) return false;
    if (!isExcluded(name)) return true;
    leftOut++;
    return false;
  },
});
jasmineEnv.clearReporters();
jasmineEnv.addReporter({
  specDone(spec) {
    if (spec.status === 'passed') passed.push(spec.fullName);
    if (spec.status !== 'failed') return;
    const kernels = spec.failedExpectations.flatMap(({ message }) =>
      [...message.matchAll(/Kernel '(\w+)' not registered for backend|there is no kernel (\w+)/g)].map(
        (m) => (m[1] ?? m[2])!,
      ),
    );
    if (kernels.length === 0) failed.push(spec);
    else needMissing++;
    for (const kernel of new Set(kernels)) missing.set(kernel, (missing.get(kernel) ?? 0) + 1);
  },
});

async function main(): Promise<void> {
  const started = Date.now();
  // tfjs tells every op's deprecation and every back end that it replaces
  console.warn = () => {};
  await jasmineEnv.execute();
  for (const { fullName, failedExpectations } of failed) {
    console.log(`FAILED ${nameOf(fullName)}`);
    for (const { message, stack } of failedExpectations.slice(0, 2))
      console.log(
        `    ${message.split('\n').slice(0, 3).join('\n    ')}${options.includes('--stack') ? `\n${stack}` : ''}`,
      );
  }
  const absent = engine === 'onnx' ? missingKernels() : unregistered(backendName);
  console.log(
    `\n${engine}: ${kernelNames.length - absent.length} of tfjs' ${kernelNames.length} kernels; not registered: ${absent.length === 0 ? 'none' : absent.map((k) => (missing.has(k) ? `${k} (${missing.get(k)} tests)` : k)).join(', ')}`,
  );
  console.log(
    `${needMissing} tests need one of these and were not counted, ${leftOut} are excluded (test/model/engine/tfjs/excluded.ts), ${((Date.now() - started) / 1000).toFixed(1)} s`,
  );
  const idle = excluded[engine].flatMap(({ tests }) => tests).filter((part) => !used.has(part));
  if (idle.length > 0 && grep === '' && !runsAll)
    console.log(`excluded, but no test has this name: ${idle.join('; ')}`);
  if (passed.length === 0) console.log('no test ran: the bundle or the filter is wrong');
  console.log(`${passed.length} passed, ${failed.length} failed`);
  process.exit(failed.length > 0 || passed.length === 0 ? 1 : 0);
}
void main();

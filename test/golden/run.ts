/**
 * Compares our losses, gradients and metrics with files that TRL's and PEFT's own functions made.
 * `npm run test:golden` runs all on tfjs' cpu back end, and the whole steps (e2e) on onnx, wasm, tfjs-node, and onnx's
 * device webgpu in software.
 * `node --import tsx test/golden/run.ts [--engine onnx|wasm|tfjs-node|cpu] [--device webgpu] [--only TEXT]` runs one of
 * these.
 * The folder is COACH_GOLDEN, default ../shared/golden beside the repository; dpoDivergences.json lies here.
 * Last line: `N passed, N failed`; exit code 1 when a case failed, or a file is missing. Cases that ask for a loss we
 * do
 * not have are listed by id and count as neither.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import * as tf from '@tensorflow/tfjs';
import { openEngine, type EngineName } from '../../trainer/model/engine/engine';
import { UserError } from '../../trainer/protocol/result';
import { NO_SWIFTSHADER, openSwiftShader } from '../model/engine/swiftShader';
import type { CaseResult } from './compare';
import { type DpoFile, runDpo } from './dpo';
import { runE2e } from './e2e';
import { type GrpoFile, runGrpo } from './grpo';
import { type LoraFile, runLora } from './lora';
import { type LogprobFile, type SftFile, runLogprobs, runSft } from './sft';

const repository = resolve(fileURLToPath(new URL('../..', import.meta.url)));
const folder = resolve(repository, process.env['COACH_GOLDEN'] ?? '../shared/golden');

const read = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));
const models = existsSync(join(folder, 'e2e')) ? readdirSync(join(folder, 'e2e')).sort() : ['llama', 'qwen2', 'qwen3'];

/** A file or folder in the golden folder, or beside this file, and what compares it. */
const suites: { name: string; isOurs?: true; run: (path: string) => CaseResult[] }[] = [
  { name: 'grpo.json', run: (path) => runGrpo(read(path) as GrpoFile) },
  { name: 'dpo.json', run: (path) => runDpo(read(path) as DpoFile) },
  // made by dpoDivergences.py
  { name: 'dpoDivergences.json', isOurs: true, run: (path) => runDpo(read(path) as DpoFile) },
  { name: 'sft.json', run: (path) => runSft(read(path) as SftFile) },
  { name: 'logps.json', run: (path) => runLogprobs(read(path) as LogprobFile) },
  { name: 'lora.json', run: (path) => runLora(read(path) as LoraFile) },
  ...models.map((model) => ({ name: `e2e/${model}`, run: (path: string) => runE2e(path, model) })),
];

const { values: options } = parseArgs({
  options: {
    engine: { type: 'string', default: 'cpu' },
    device: { type: 'string', default: 'auto' },
    only: { type: 'string', default: '' },
  },
});
/** Set in the process that has the software Vulkan device, so that it does not start another one. */
const HAS_DEVICE = 'COACH_GOLDEN_DEVICE';

/** Opens the engine. @returns why it can not be had here, a reason to skip; null when it is open */
async function open(): Promise<string | null> {
  if (options.engine === 'cpu') {
    await tf.setBackend('cpu');
    return null;
  }
  try {
    const engine = await openEngine({
      engine: options.engine as EngineName,
      device: options.device as 'auto',
      threads: 1,
    });
    console.log(`engine: ${engine.name}, ${engine.why}`);
    return null;
  } catch (error) {
    if (error instanceof UserError && error.border === 'device' && options.engine === 'tfjs-node') return error.message;
    throw error;
  }
}

/** A process of its own, since the dynamic linker reads where Vulkan lies at the start. */
function inSoftwareVulkan(): void {
  const shader = openSwiftShader();
  if (shader === null) {
    console.log(`skipped: ${NO_SWIFTSHADER}`);
    return;
  }
  const { status } = spawnSync(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
    stdio: 'inherit',
    env: { ...process.env, ...shader.env, [HAS_DEVICE]: '1' },
  });
  shader.remove();
  process.exitCode = status ?? 1;
}

async function main(): Promise<void> {
  if (options.device === 'webgpu' && process.env[HAS_DEVICE] === undefined) return inSoftwareVulkan();
  const reason = await open();
  if (reason !== null) return console.log(`skipped: ${reason}`);
  const results: CaseResult[] = [];
  console.log(`golden folder: ${folder}`);
  for (const { name, isOurs, run } of suites.filter((suite) => suite.name.includes(options.only))) {
    const path = join(isOurs ? fileURLToPath(new URL('.', import.meta.url)) : folder, name);
    if (!existsSync(path)) {
      results.push({ id: name, outcome: 'failed', problems: [`${path} does not exist`], worst: Infinity });
      continue;
    }
    const tensorsBefore = tf.memory().numTensors;
    const ofSuite = run(path);
    const leaked = tf.memory().numTensors - tensorsBefore;
    if (leaked !== 0)
      ofSuite.push({
        id: `${name} tensors`,
        outcome: 'failed',
        problems: [`${leaked} tensors leaked`],
        worst: Infinity,
      });
    const passed = ofSuite.filter(({ outcome }) => outcome === 'passed');
    const closest = Math.max(0, ...passed.map(({ worst }) => worst));
    console.log(
      `${name}: ${passed.length} of ${ofSuite.length} passed; largest difference ${(closest * 100).toFixed(1)} % of its tolerance`,
    );
    results.push(...ofSuite);
  }
  for (const { id, problems } of results.filter(({ outcome }) => outcome === 'noLoss'))
    console.log(`no loss yet: ${id}: ${problems.join('; ')}`);
  const failed = results.filter(({ outcome }) => outcome === 'failed');
  for (const { id, problems } of failed) console.log(`FAILED ${id}\n  ${problems.join('\n  ')}`);
  console.log(`${results.filter(({ outcome }) => outcome === 'passed').length} passed, ${failed.length} failed`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}

void main();

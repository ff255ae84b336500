/**
 * Compares our losses, gradients and metrics with files that TRL's and PEFT's own functions made.
 * `npm run test:golden`; the folder is COACH_GOLDEN, default ../shared/golden beside the repository.
 * Last line: `N passed, N failed`; exit code 1 when a case failed, or a file is missing. Cases that ask for a loss we do
 * not have are listed by id and count as neither.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as tf from '@tensorflow/tfjs';
import type { CaseResult } from './compare';
import { type DpoFile, runDpo } from './dpo';
import { type GrpoFile, runGrpo } from './grpo';
import { type LoraFile, runLora } from './lora';
import { type LogprobFile, type SftFile, runLogprobs, runSft } from './sft';

const repository = resolve(fileURLToPath(new URL('../..', import.meta.url)));
const folder = resolve(repository, process.env['COACH_GOLDEN'] ?? '../shared/golden');

const suites: { file: string; run: (content: unknown) => CaseResult[] }[] = [
  { file: 'grpo.json', run: (content) => runGrpo(content as GrpoFile) },
  { file: 'dpo.json', run: (content) => runDpo(content as DpoFile) },
  { file: 'sft.json', run: (content) => runSft(content as SftFile) },
  { file: 'logps.json', run: (content) => runLogprobs(content as LogprobFile) },
  { file: 'lora.json', run: (content) => runLora(content as LoraFile) },
];

async function main(): Promise<void> {
  await tf.setBackend('cpu');
  const results: CaseResult[] = [];
  console.log(`golden folder: ${folder}`);
  for (const { file, run } of suites) {
    const path = join(folder, file);
    if (!existsSync(path)) {
      results.push({ id: file, outcome: 'failed', problems: [`${path} does not exist`], worst: Infinity });
      continue;
    }
    const tensorsBefore = tf.memory().numTensors;
    const ofFile = run(JSON.parse(readFileSync(path, 'utf8')));
    const leaked = tf.memory().numTensors - tensorsBefore;
    if (leaked !== 0) ofFile.push({ id: `${file} tensors`, outcome: 'failed', problems: [`${leaked} tensors leaked`], worst: Infinity });
    const passed = ofFile.filter(({ outcome }) => outcome === 'passed');
    const closest = Math.max(0, ...passed.map(({ worst }) => worst));
    console.log(`${file}: ${passed.length} of ${ofFile.length} passed; largest difference ${(closest * 100).toFixed(1)} % of its tolerance`);
    results.push(...ofFile);
  }
  for (const { id, problems } of results.filter(({ outcome }) => outcome === 'noLoss')) console.log(`no loss yet: ${id}: ${problems.join('; ')}`);
  const failed = results.filter(({ outcome }) => outcome === 'failed');
  for (const { id, problems } of failed) console.log(`FAILED ${id}\n  ${problems.join('\n  ')}`);
  console.log(`${results.filter(({ outcome }) => outcome === 'passed').length} passed, ${failed.length} failed`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}

void main();

/**
 * What leaves the product, read by those it is for: weights by transformers, PEFT and llama.cpp, preference data by datasets and TRL, spans by OpenTelemetry's own schema.
 * `npm run test:interop` (`npx tsx test/interop/run.ts otlp` for one part: otlp, weights, data), by name only: the first time it installs Python packages of some GB (test/bench/venv.ts). Last line: `N passed, N failed`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openVenv } from '../bench/venv';
import { checkData } from './data';
import { checkOtlp } from './otlp';
import { checkWeights } from './weights';

export type Check = (name: string, isRight: boolean) => void;

/** What reads GGUF and OTLP; small, and apart from torch's pins. */
const LLAMA = ['xllamacpp==2026.10.11549', 'gguf==0.19.0', 'safetensors==0.6.2', 'numpy==2.2.6', 'opentelemetry-proto==1.45.2'];

async function main(): Promise<void> {
  const note = (line: string) => console.error(`interop: ${line}`);
  const [python, llama] = [openVenv(note), openVenv(note, LLAMA)];
  const count = { passed: 0, failed: 0 };
  const check: Check = (name, isRight) => {
    count[isRight ? 'passed' : 'failed']++;
    console.log(`${isRight ? 'ok    ' : 'FAILED'} ${name}`);
  };
  const folder = mkdtempSync(join(tmpdir(), 'coach-interop-'));
  try {
    if (python === null || llama === null) count.failed++;
    else {
      const chosen = process.argv.slice(2);
      const isChosen = (part: string) => chosen.length === 0 || chosen.includes(part);
      if (isChosen('otlp')) await checkOtlp(folder, llama, check);
      if (isChosen('weights')) await checkWeights(folder, python, llama, check);
      if (isChosen('data')) checkData(folder, python, check);
    }
  } catch (error) {
    count.failed++;
    console.log((error as Error).stack);
  } finally {
    if (process.env['COACH_KEEP']) console.error(`interop: kept ${folder}`);
    else rmSync(folder, { recursive: true, force: true });
    console.log(`${count.passed} passed, ${count.failed} failed`);
    process.exitCode = count.failed === 0 ? 0 : 1;
  }
}

void main();

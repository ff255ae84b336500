/**
 * What leaves the product, read by those it is for: weights by transformers, PEFT and llama.cpp, preference data by
 * datasets and TRL, spans by OpenTelemetry's own schema; and BFCL's verdicts against its own checker.
 * `npm run test:interop` (`npx tsx test/interop/run.ts otlp` for one part: otlp, weights, data, bfcl), by name only:
 * the first time it installs Python packages of some GB (test/bench/venv.ts; bfcl alone: 2 MB). Last line: `N passed, N
 * failed`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openVenv } from '../bench/venv';
import { BFCL, checkBfcl } from './bfcl';
import { checkData } from './data';
import { checkOtlp } from './otlp';
import { checkWeights } from './weights';

export type Check = (name: string, isRight: boolean) => void;

/** What reads GGUF and OTLP; small, and apart from torch's pins. */
const LLAMA = [
  'xllamacpp==2026.10.11549',
  'gguf==0.19.0',
  'safetensors==0.6.2',
  'numpy==2.2.6',
  'opentelemetry-proto==1.45.2',
];

async function main(): Promise<void> {
  const note = (line: string) => console.error(`interop: ${line}`);
  const count = { passed: 0, failed: 0 };
  const check: Check = (name, isRight) => {
    count[isRight ? 'passed' : 'failed']++;
    console.log(`${isRight ? 'ok    ' : 'FAILED'} ${name}`);
  };
  const folder = mkdtempSync(join(tmpdir(), 'coach-interop-'));
  try {
    const chosen = process.argv.slice(2);
    const isChosen = (part: string) => chosen.length === 0 || chosen.includes(part);
    /** Only what a chosen part needs is installed. */
    const open = (requirements?: readonly string[]): string => {
      const python = openVenv(note, requirements);
      if (python === null) throw new Error('no Python');
      return python;
    };
    if (isChosen('bfcl')) await checkBfcl(folder, open(BFCL), check);
    if (isChosen('otlp')) await checkOtlp(folder, open(LLAMA), check);
    if (isChosen('weights')) await checkWeights(folder, open(), open(LLAMA), check);
    if (isChosen('data')) checkData(folder, open(), check);
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

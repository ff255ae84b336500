/**
 * `npm run fuzz -- --minutes 10 [--only tasks,gguf] [--seed 1] [--path 3:1]`: all that is read from strangers, with
 * inputs
 * of fast-check, until the time is over. A failure is printed with what shows it again, and its input is kept.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Fuzzer, type Failure } from './harness';
import { TARGETS } from './targets';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string' },
    only: { type: 'string' },
    path: { type: 'string' },
  },
});
const names = values.only?.split(',') ?? Object.keys(TARGETS);
const unknown = names.find((name) => !(name in TARGETS));
if (unknown !== undefined) throw new Error(`fuzz: no target ${unknown}; there are ${Object.keys(TARGETS).join(', ')}`);

const OUT = join(__dirname, '../artifacts/fuzz');

function report({ target, seed, path, why, input }: Failure): void {
  mkdirSync(OUT, { recursive: true });
  const file = join(OUT, `${target}-${seed}`);
  writeFileSync(file, input);
  const shown = typeof input === 'string' ? JSON.stringify(input) : Buffer.from(input).toString('hex');
  console.log(`FAILED ${target}: ${why}\n  input (${file}): ${shown.slice(0, 600)}`);
  console.log(`  again: npm run fuzz -- --only ${target} --seed ${seed} --path ${path}`);
}

async function main(): Promise<void> {
  const until = Date.now() + Number(values.minutes) * 60_000;
  const failed = new Set<string>();
  const fuzzer = new Fuzzer();
  let seed = Number(values.seed ?? Date.now() % 2 ** 31);
  console.log(`fuzz: ${names.join(', ')} for ${values.minutes} minutes, from seed ${seed}`);
  // In rounds, so that a short run reaches all of them.
  for (; Date.now() < until && names.some((name) => !failed.has(name)); seed++) {
    for (const name of names) {
      if (failed.has(name) || Date.now() >= until) continue;
      const limitMs = Math.min(until - Date.now(), 10_000);
      const path = values.path === undefined ? {} : { path: values.path };
      const failure = await fuzzer.fuzz(name, { seed, runs: 300, limitMs, ...path });
      if (failure === null) continue;
      failed.add(name);
      report(failure);
    }
    if (values.path !== undefined) break; // it leads to an input of this seed alone
  }
  fuzzer.close();
  console.log(`fuzz: ${fuzzer.count} inputs, ${failed.size} of ${names.length} targets failed`);
  process.exitCode = failed.size > 0 ? 1 : 0;
}

void main();

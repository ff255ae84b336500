/**
 * Does training leak? 500 GRPO steps through the real recipe with a tiny model (everything real but its size): the
 * number of tensors after
 * each step, and the resident memory's slope after step 100, least squares, KiB a step. `isFlat`: one count of tensors
 * after the first
 * step, and less than 8 KiB a step. `heapSlopeKiB` and `outsideSlopeKiB` (array buffers) say where growth lies, were
 * there any.
 * One line of JSON.
 *
 * Run: npm run bench steps, or node --import tsx test/bench/steps.ts [steps]
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as tf from '@tensorflow/tfjs';
import { realDependencies } from '../../trainer/app/dependencies';
import { parseSettings } from '../../trainer/app/settings';
import { startRun } from '../../trainer/app/startRun';
import { makeTinyModel } from '../fixtures/tinyModel';
import { round, slope } from './measured';

const SETTLED = 100;

const TOOLS = `
/** Weigh a crate. @param label which one @tool */
export function weighCrate(label: string): number { return label.length; }
/** Paint a crate. @param label which one @param colour what @tool */
export function dyeCrate(label: string, colour: 'teal' | 'ochre'): string { return label + ' is ' + colour; }
`;
/** A random model hardly ever earns a built-in reward; without differences nothing is trained. */
const REWARDS = `
/** @reward */
export function crumbs(_task: unknown, trace: { tokens: { ids: number[] } }): number { return trace.tokens.ids[trace.tokens.ids.length - 1] % 7; }
`;

interface Sample {
  step: number;
  tensors: number;
  dataIds: number;
  rss: number;
  heap: number;
  outside: number;
  isTrained: boolean;
}

function writeWorkspace(folder: string): void {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{}');
  writeFileSync(join(folder, 'crates.ts'), TOOLS);
  writeFileSync(join(folder, 'crates.rewards.ts'), REWARDS);
  const tasks = Array.from({ length: 40 }, (_, i) =>
    i % 2
      ? { id: `w${i}`, prompt: `Weigh crate k${i}`, calls: [{ name: 'weighCrate', arguments: { label: `k${i}` } }] }
      : {
          id: `d${i}`,
          prompt: `Paint crate k${i} teal`,
          calls: [{ name: 'dyeCrate', arguments: { label: `k${i}`, colour: 'teal' } }],
        },
  );
  writeFileSync(join(folder, 'crates.tasks.jsonl'), tasks.map((task) => JSON.stringify(task)).join('\n'));
}

function measure(step: number, gradNorm: number | null | undefined): Sample {
  const { rss, heapUsed, arrayBuffers } = process.memoryUsage();
  return {
    step,
    tensors: tf.memory().numTensors,
    dataIds: tf.engine().backend.numDataIds(),
    rss,
    heap: heapUsed,
    outside: arrayBuffers,
    isTrained: (gradNorm ?? 0) > 0,
  };
}

async function main(steps: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'coach-steps-'));
  const samples: Sample[] = [];
  try {
    const workspace = join(folder, 'crates');
    writeWorkspace(workspace);
    const startedAt = performance.now();
    await startRun({
      config: parseSettings({
        toolFile: join(workspace, 'crates.ts'),
        model: makeTinyModel('steps', join(folder, 'model')),
        steps,
        rewards: 'crumbs',
        engine: 'onnx',
        threads: 1,
        rehearsal: false,
        promptsPerStep: 2,
        groupSize: 4,
        heldOutTasks: 4,
        evalTasks: 4,
        evalEvery: 50,
        checkpointEvery: 50,
        maxTokens: 160,
        maxTurnTokens: 12,
        maxTurns: 2,
        loraRank: 2,
        loraAlpha: 4,
        loraTargets: ['q_proj', 'v_proj'],
      }),
      runDir: join(folder, 'run'),
      cwd: workspace,
      signal: new AbortController().signal,
      onStop: () => undefined,
      now: Date.now,
      dependencies: realDependencies,
      onEvent(event) {
        if (event.type === 'stepFinished') samples.push(measure(event.step, event.metrics['grad_norm']));
      },
    });
    const settled = samples.filter((sample) => sample.step > Math.min(SETTLED, steps / 2));
    const perStep = (read: (sample: Sample) => number): number =>
      round(slope(settled.map((sample) => [sample.step, read(sample) / 1024] as const)), 2);
    const counts = [...new Set(samples.slice(1).map((sample) => sample.tensors))];
    const rssSlopeKiB = perStep((sample) => sample.rss);
    const mib = (bytes: number): number => round(bytes / 2 ** 20, 1);
    console.log(
      JSON.stringify({
        bench: 'steps',
        isFlat: counts.length === 1 && rssSlopeKiB < 8,
        tensors: counts.sort((a, b) => a - b),
        dataIds: [...new Set(samples.slice(1).map((sample) => sample.dataIds))].sort((a, b) => a - b),
        rssSlopeKiB,
        heapSlopeKiB: perStep((sample) => sample.heap),
        outsideSlopeKiB: perStep((sample) => sample.outside),
        rssMiB: {
          settled: mib(settled[0]!.rss),
          last: mib(samples.at(-1)!.rss),
          peak: round(process.resourceUsage().maxRSS / 1024, 1),
        },
        steps,
        trainedSteps: samples.filter((sample) => sample.isTrained).length,
        seconds: round((performance.now() - startedAt) / 1000, 1),
        node: process.version,
      }),
    );
    if (process.env['BENCH_SAMPLES']) writeFileSync(process.env['BENCH_SAMPLES'], JSON.stringify(samples));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

void main(Number(process.argv[2] ?? 500));

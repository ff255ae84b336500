import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { realDependencies } from '../../trainer/app/dependencies';
import { readSafetensors } from '../../trainer/model/weights/safetensors';
import type { RunResult } from '../../trainer/protocol/messages';
import type { Recipe } from '../../trainer/recipes/recipe';
import { foldRun, readTrace, requireManifest } from '../../trainer/store/runs/readRun';
import { coach, type Ran } from '../app/cli/coach';
import { bundledTrainer } from '../fixtures/bundledTrainer';
import { writeCrates } from '../fixtures/crates';
import { makeTinyModel } from '../fixtures/tinyModel';

const SETTINGS = {
  stages: 'sft:2,grpo:2,dpo:1',
  'sft.learningRate': 0.01,
  'sft.warmUpdates': 2,
  'grpo.learningRate': 0.02,
  seed: 3,
  rewards: 'crumbs',
  engine: 'onnx',
  threads: 1,
  rehearsal: false,
  promptsPerStep: 2,
  groupSize: 4,
  batchSize: 2,
  heldOutTasks: 3,
  evalTasks: 2,
  evalEvery: 1,
  checkpointEvery: 1,
  maxTokens: 160,
  maxTurnTokens: 12,
  maxTurns: 2,
  warmupSteps: 0,
  constraint: 'none',
  loraRank: 2,
  loraAlpha: 4,
  loraTargets: ['q_proj', 'v_proj'],
};

describe('a pipeline of stages', function () {
  this.timeout(300_000);
  const folder = mkdtempSync(join(tmpdir(), 'coach-pipeline-'));
  before(() => {
    writeCrates(folder, { tasks: 20 });
    const settings = {
      ...SETTINGS,
      toolFile: join(folder, 'crates.ts'),
      model: makeTinyModel('pipe', join(folder, 'model')),
    };
    writeFileSync(join(folder, 'config.json'), JSON.stringify(settings));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const train = (...args: string[]): Promise<Ran> => {
    const set = Object.entries(SETTINGS).flatMap(([name, value]) => ['--set', `${name}=${String(value)}`]);
    return coach(folder, ['train', 'crates.ts', '--model', 'model', ...set, ...args], {
      dependencies: realDependencies,
    });
  };
  const adapterOf = (dir: string): Buffer => readFileSync(join(dir, 'adapter/adapter_model.safetensors'));

  it('is one run: held-out before and after, a row for each stage, steps counted through', async () => {
    const dir = join(folder, 'whole');
    const { code, json, stderr } = await train('--run-dir', dir, '--json');
    assert.equal(code, 0, stderr);
    assert.deepEqual(
      json.stages.map(({ method, steps }: { method: string; steps: number }) => `${method}:${steps}`),
      ['sft:2', 'grpo:2', 'dpo:1'],
    );
    assert.deepEqual(Object.keys(json.stages[0]), ['method', 'steps', 'before', 'after', 'gain', 'passed']);
    assert.equal(json.steps, 5);
    assert.deepEqual([json.before.n, json.after.n], [3, 3]);
    const run = foldRun(dir);
    assert.equal(run.status, 'finished');
    assert.deepEqual(
      run.curve.map(({ step }) => step),
      [1, 2, 3, 4, 5],
    );
    assert.deepEqual(
      run.stages.map(({ fromStep, result }) => [fromStep, result!.passed]),
      [
        [0, true],
        [2, true],
        [4, true],
      ],
    );
    assert.match(run.stages[0]!.result!.gate, /on all 6 validation tasks, fewer than 200/);
    // held-out tasks are read before the first and after the last stage only
    const heldOut = new Set(run.traces.filter(({ phase }) => phase === 'before').map(({ taskId }) => taskId));
    assert.equal(heldOut.size, 3);
    for (const { taskId, phase } of run.traces) assert.equal(heldOut.has(taskId), ['before', 'after'].includes(phase));
    const inStage = run.traces.find(({ file }) => file.startsWith('stages/2-grpo/'))!;
    const { taskId, id, groupId, runId } = readTrace(dir, inStage);
    assert.deepEqual([taskId, id, groupId, runId], [inStage.taskId, inStage.id, inStage.groupId, basename(dir)]);
    const rates = ['1-sft', '2-grpo', '3-dpo'].map((name) => requireManifest(join(dir, 'stages', name)).config);
    assert.deepEqual(
      rates.slice(0, 2).map(({ learningRate }) => learningRate),
      [0.01, 0.02],
    );
    assert.equal(rates[2]!.learningRate, 5e-5); // as dpo has it, whatever the others were set to
    assert.deepEqual(
      rates.map(({ startFrom }) => startFrom),
      [undefined, join(dir, 'stages/1-sft'), join(dir, 'stages/2-grpo')],
    );
  });

  it('killed in each stage and resumed, it ends in the bytes of the unbroken run', async () => {
    const script = bundledTrainer();
    const dir = join(folder, 'killed');
    const run = async (killAt: string | null): Promise<void> => {
      const args = existsSync(join(dir, 'run.json'))
        ? ['--resume', dir]
        : ['--config', join(folder, 'config.json'), '--run-dir', dir];
      const child = spawn(process.execPath, [script, ...args], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
      let stderr = '';
      child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
      let code: number | null | undefined;
      child.on('close', (ended) => (code = ended));
      const isThere = (): boolean => {
        const events = join(dir, killAt ?? '', 'events.jsonl');
        return killAt !== null && existsSync(events) && readFileSync(events, 'utf8').includes('"checkpointSaved"');
      };
      while (code === undefined) {
        if (isThere()) child.kill('SIGKILL');
        await sleep(2);
      }
      assert.equal(code, killAt === null ? 0 : null, stderr);
    };
    for (const killAt of ['stages/1-sft', 'stages/2-grpo', 'stages/3-dpo', '.']) await run(killAt);
    await run(null);
    assert.deepEqual(adapterOf(dir), adapterOf(join(folder, 'whole')));
    const [killed, whole] = [foldRun(dir), foldRun(join(folder, 'whole'))];
    assert.deepEqual(killed.result!.stages, whole.result!.stages);
    assert.deepEqual(
      killed.curve.map(({ step }) => step),
      [1, 2, 3, 4, 5],
    );
    assert.equal(killed.stages.length, 3);
  });

  it('a stage that is worse, or that forgot, is not passed on: the next one starts where it did', async () => {
    const dir = join(folder, 'refused');
    /** Its stage measures what is given. */
    const measuring = (found: Partial<RunResult>, recipe: Recipe): Recipe =>
      async function* (context) {
        const result = yield* recipe(context);
        return result && { ...result, ...found };
      };
    const success = { n: 24, success: 0, ci95: null };
    const lost = { name: 'no tool', before: success, after: success, gain: { mean: -0.3, ci95: [-0.5, -0.1] } };
    const recipe: typeof realDependencies.recipe = async (method) =>
      measuring(
        method === 'sft' ? { gain: { mean: -0.02, ci95: [-0.09, 0.05] } } : { forgotten: [lost as never] },
        await realDependencies.recipe(method),
      );
    const set = Object.entries({ ...SETTINGS, stages: 'sft:1,grpo:1' }).flatMap(([name, value]) => [
      '--set',
      `${name}=${String(value)}`,
    ]);
    const { code, json, stdout, stderr } = await coach(
      folder,
      ['train', 'crates.ts', '--model', 'model', ...set, '--run-dir', dir],
      { dependencies: { ...realDependencies, recipe } },
    );
    assert.equal(code, 0, stderr);
    assert.equal(json, null);
    assert.match(
      stdout,
      /Stage 1: sft, 1 step: .*: not passed on; .* the lower bound of its gain, -9\.0, is not above -5\.0/,
    );
    assert.match(stdout, /Stage 2: grpo, .*: not passed on; .*it forgot no tool \(-30\.0 points\)/);
    const run = foldRun(dir);
    assert.deepEqual(
      run.result!.stages!.map(({ passed }) => passed),
      [false, false],
    );
    assert.equal(requireManifest(join(dir, 'stages/2-grpo')).config.startFrom, undefined);
    assert.equal(run.result!.gain.mean, 0);
    assert.deepEqual(run.result!.gain.changed, { gained: 0, lost: 0, p: 1 });
    const untrained = [...readSafetensors(adapterOf(dir))].filter(([name]) => name.includes('lora_B'));
    assert.ok(untrained.length > 0 && untrained.every(([, { data }]) => data.every((x) => x === 0)));
  });

  it('what has no meaning is one clear message', async () => {
    for (const [args, message] of [
      [['--stages', 'dpo:2,sft:2'], /dpo comes first in dpo:2,sft:2, and there are no pairs/],
      [['--stages', 'sft:2,grp:2'], /"grp" is no method; methods: grpo, dpo, sft\nDid you mean grpo/],
      [
        ['--stages', 'sft:2,grpo:3,grpo:4'],
        /grpo comes twice in a row in sft:2,grpo:3,grpo:4.*\nGive it its steps together: grpo:7/,
      ],
      [['--stages', 'sft:0'], /the steps of sft must be a whole number of at least 1, got 0/],
      [['--stages', 'sft'], /sft needs its steps: sft:STEPS/],
      [['--stages', 'sft:1', '--steps', '3'], /--stages names methods and their steps, got also --steps/],
      [
        ['--stages', 'sft:1', '--set', 'dpo.learningRate=1'],
        /dpo\.learningRate is a setting of a stage, and no stage trains by dpo/,
      ],
      [['--set', 'sft.learningRate=1'], /no stage trains by sft\nIt goes with --stages/],
      [['--stages', 'sft:1', '--set', 'sft.model=x'], /model is a setting of the whole run/],
      [['--stages', 'sft:1', '--set', 'sft.learningRate=-1'], /learningRate must be greater than 0, got -1/],
    ] as [string[], RegExp][]) {
      const { code, stderr } = await coach(folder, ['train', 'crates.ts', '--model', 'model', ...args]);
      assert.equal(code, 2, stderr);
      assert.match(stderr, message);
    }
  });
});

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { realDependencies } from '../../trainer/app/dependencies';
import { foldRun } from '../../trainer/store/runs/readRun';
import { coach, type Ran } from '../app/cli/coach';
import { writeCrates } from '../fixtures/crates';
import { makeTinyModel } from '../fixtures/tinyModel';

const SETTINGS = {
  seed: 3,
  rewards: 'crumbs',
  engine: 'onnx',
  threads: 1,
  rehearsal: false,
  batchSize: 2,
  heldOutTasks: 2,
  evalTasks: 2,
  evalEvery: 10,
  maxTokens: 160,
  maxTurnTokens: 12,
  maxTurns: 2,
  constraint: 'none',
  loraRank: 2,
  loraAlpha: 4,
  loraDropout: 0.1,
  loraTargets: 'q_proj,v_proj',
  memoryCheck: false,
  method: 'sft',
  steps: 2,
  learningRate: 0.02,
  warmUpdates: 3,
};

describe('a step of SFT with several updates', function () {
  this.timeout(60_000);
  const folder = mkdtempSync(join(tmpdir(), 'coach-warm-'));
  before(() => {
    writeCrates(folder, { tasks: 20 });
    makeTinyModel('warm', join(folder, 'model'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const adapterOf = (name: string): Buffer => readFileSync(join(folder, name, 'adapter/adapter_model.safetensors'));
  const train = (args: string[], recipe = realDependencies.recipe): Promise<Ran> =>
    coach(folder, ['train', ...args], { dependencies: { ...realDependencies, recipe } });
  const start = (name: string): string[] => {
    const set = Object.entries(SETTINGS).flatMap(([key, value]) => ['--set', `${key}=${value}`]);
    return ['crates.ts', '--model', 'model', ...set, '--run-dir', join(folder, name)];
  };

  /** A stop comes while the gold calls of example `at` are made. */
  const stoppedAt =
    (at: number): typeof realDependencies.recipe =>
    async (method) => {
      const real = await realDependencies.recipe(method);
      const stop = new AbortController();
      let examples = 0;
      return (context) =>
        real({
          ...context,
          signal: AbortSignal.any([context.signal, stop.signal]),
          hosts: {
            ...context.hosts,
            open(id) {
              if (id.startsWith('gold') && ++examples === at) stop.abort();
              return context.hosts.open(id);
            },
          },
        });
    };

  it('is said, and stopped between its updates and gone on with, it ends in the same bytes', async () => {
    const whole = await train(start('whole'));
    assert.equal(whole.code, 0, whole.stderr);
    const said = foldRun(join(folder, 'whole')).notes.find(({ code }) => code === 'sftUpdates');
    assert.match(said!.message, /^Each step of SFT makes 3 updates at a learning rate of 0\.02/);
    const stopped = await train(start('stopped'), stoppedAt(12));
    assert.equal(stopped.code, 130, stopped.stderr);
    assert.equal(foldRun(join(folder, 'stopped')).step, 1);
    const resumed = await train(['--resume', join(folder, 'stopped')]);
    assert.equal(resumed.code, 0, resumed.stderr);
    assert.deepEqual(adapterOf('stopped'), adapterOf('whole'));
  });
});

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { realDependencies } from '../../trainer/app/dependencies';
import { parseSettings } from '../../trainer/app/settings';
import { startRun } from '../../trainer/app/startRun';
import { writeCrates } from '../fixtures/crates';
import { makeTinyModel } from '../fixtures/tinyModel';

describe('steps that take long', function () {
  this.timeout(240_000);
  const folder = mkdtempSync(join(tmpdir(), 'coach-slow-steps-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** The steps of which a checkpoint was saved, where the clock goes on by so much each time it is read. */
  async function saved(tickMs: number): Promise<number[]> {
    const steps: number[] = [];
    let clock = Date.UTC(2026, 0, 1);
    await startRun({
      config: parseSettings({
        toolFile: join(folder, 'crates.ts'),
        model: join(folder, 'model'),
        method: 'sft',
        steps: 4,
        rehearsal: false,
        engine: 'onnx',
        threads: 1,
        batchSize: 2,
        heldOutTasks: 2,
        evalTasks: 2,
        evalEvery: 50,
        checkpointEvery: 50,
        maxTokens: 160,
        maxTurnTokens: 8,
        maxTurns: 1,
        loraRank: 2,
        loraTargets: ['q_proj'],
      }),
      runDir: join(folder, `tick-${tickMs}`),
      cwd: folder,
      signal: new AbortController().signal,
      onStop: () => undefined,
      now: () => (clock += tickMs),
      dependencies: realDependencies,
      onEvent: (event) => void (event.type === 'checkpointSaved' && steps.push(event.step)),
    });
    return steps;
  }

  it('leave a checkpoint each, since a stop ends them in the middle; quick ones as it is set', async () => {
    writeCrates(folder);
    makeTinyModel('slow-steps', join(folder, 'model'));
    assert.deepEqual(await saved(0.001), [4]);
    assert.deepEqual(await saved(3_000), [1, 2, 3, 4]);
  });
});

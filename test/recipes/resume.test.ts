import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readSafetensors } from '../../trainer/model/weights/safetensors';
import { Random } from '../../trainer/base/random';
import { readEvents } from '../../trainer/store/runs/readRun';
import { CRATE_REWARDS as REWARDS, CRATE_TOOLS as TOOLS } from '../fixtures/crates';
import { bundledTrainer } from '../fixtures/bundledTrainer';
import { makeTinyModel, TINY_RUN } from '../fixtures/tinyModel';

const STEPS = 6;

describe('a real training, killed at 20 random moments', function () {
  this.timeout(900_000);
  const folder = mkdtempSync(join(tmpdir(), 'coach-resume-'));
  let script: string;
  after(() => rmSync(folder, { recursive: true, force: true }));

  before(() => {
    script = bundledTrainer();
    writeFileSync(join(folder, 'package.json'), '{}');
    writeFileSync(join(folder, 'crates.ts'), TOOLS);
    writeFileSync(join(folder, 'crates.rewards.ts'), REWARDS);
    const colours = ['teal', 'ochre'];
    const tasks = Array.from({ length: 30 }, (_, i) =>
      i % 2
        ? { id: `w${i}`, prompt: `Weigh crate k${i}`, calls: [{ name: 'weighCrate', arguments: { label: `k${i}` } }] }
        : {
            id: `d${i}`,
            prompt: `Paint crate k${i} ${colours[i % 4 ? 1 : 0]}`,
            calls: [{ name: 'dyeCrate', arguments: { label: `k${i}`, colour: colours[i % 4 ? 1 : 0] } }],
          },
    );
    writeFileSync(join(folder, 'crates.tasks.jsonl'), tasks.map((t) => JSON.stringify(t)).join('\n'));
    writeFileSync(
      join(folder, 'config.json'),
      JSON.stringify({
        ...TINY_RUN,
        toolFile: join(folder, 'crates.ts'),
        model: makeTinyModel('resume', join(folder, 'model')),
        steps: STEPS,
        rewards: 'crumbs',
        rehearsal: false,
        promptsPerStep: 2,
        groupSize: 4,
        heldOutTasks: 4,
        evalTasks: 4,
        evalEvery: 3,
        loraDropout: 0.1,
      }),
    );
  });

  /** @returns the exit code, null when it was killed */
  async function train(
    run: string,
    isNew: boolean,
    killAfterMs: number | null,
  ): Promise<{ code: number | null; stderr: string }> {
    const args = isNew ? ['--config', join(folder, 'config.json'), '--run-dir', run] : ['--resume', run];
    const child = spawn(process.execPath, [script, ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    let stderr = '';
    child.stderr.on('data', (d: Buffer) => (stderr += d.toString()));
    child.stdout.once('data', () => {
      if (killAfterMs !== null) void sleep(killAfterMs).then(() => child.kill('SIGKILL'));
    });
    const code = await new Promise<number | null>((done) => child.on('close', (c) => done(c)));
    return { code, stderr };
  }

  it('reaches the adapter bytes of the unbroken run with the same seed', async () => {
    const runs = mkdtempSync(join(folder, 'runs-')); // another one where the test is tried again
    const whole = join(runs, 'whole');
    const unbroken = await train(whole, true, null);
    assert.equal(unbroken.code, 0, unbroken.stderr);
    const adapter = readFileSync(join(whole, 'adapter/adapter_model.safetensors'));
    const isTrained = [...readSafetensors(adapter)].some(
      ([name, t]) => name.includes('lora_B') && t.data.some((x) => x !== 0),
    );
    assert.ok(isTrained, 'the adapter learnt something');

    const killed = join(runs, 'killed');
    const random = Random.fromSeed(11);
    const times = readEvents(whole, 0).events.map((e) => e.t);
    const length = times[times.length - 1] - times[0];
    let finished = false;
    let kills = 0;
    for (let i = 0; kills < 20 && !finished; i++) {
      // a kill may come before there is anything to resume
      const isNew = !existsSync(join(killed, 'run.json'));
      const { code, stderr } = await train(killed, isNew, Math.round(length * (0.05 + 0.3 * random.next())));
      if (code === null) kills++;
      else finished = code === 0;
      assert.ok(code === null || code === 0, stderr);
      assert.ok(i < 40);
    }
    if (!finished) {
      const last = await train(killed, false, null);
      assert.equal(last.code, 0, last.stderr);
    }
    assert.ok(kills >= 5, `${kills} kills`);
    assert.deepEqual(readFileSync(join(killed, 'adapter/adapter_model.safetensors')), adapter);
    console.log(
      `      ${kills} kills, ${readEvents(killed, 0).events.filter((e) => e.type === 'runResumed').length} resumes, same bytes`,
    );
  });
});

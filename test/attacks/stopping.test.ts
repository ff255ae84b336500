/** A stop is obeyed within two seconds, whatever goes on; nothing is left running, and what is said of it is true. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { savedSteps } from '../../trainer/model/weights/checkpoint';
import { runInfo } from '../../trainer/store/runs/listRuns';
import { makeWorkspace, quick } from '../app/cli/coach';
import { bundle } from '../store/runs/bundle';
import { tempFolder } from '../store/runs/sample';
import { fixtureTool, openFixtureHosts } from '../tools/hostsFixture';

const LIMIT_MS = 2_000;
/** Starting and ending of processes on a busy machine, beside what is measured. */
const SLACK_MS = 500;

describe('attacks: stopping', function () {
  this.timeout(120_000);
  const { dir, remove } = tempFolder('coach-attack-stop-');
  const script = join(dir, 'coach.js');
  before(() => {
    makeWorkspace(dir);
    bundle('test/app/cli/coachChild.ts', script);
  });
  after(remove);

  /** @returns how long it took after the signal, and what was said */
  async function stopped(
    args: string[],
    seen: RegExp,
    { blockMs = 0, stepMs = 0, signals = ['SIGTERM' as NodeJS.Signals] } = {},
  ): Promise<{ ms: number; code: number | null; said: string }> {
    const child = spawn(process.execPath, [script, 'train', ...args], {
      cwd: dir,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, STEP_MS: String(stepMs), BLOCK_MS: String(blockMs) },
    });
    const closed = once(child, 'close') as Promise<[number | null]>;
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (said += data.toString()));
    while (!seen.test(said)) await sleep(10);
    await sleep(50);
    const at = performance.now();
    for (const signal of signals) {
      child.kill(signal);
      await sleep(100);
    }
    const [code] = await closed;
    return { ms: performance.now() - at, code, said };
  }
  const inTime = (ms: number) => assert.ok(ms < LIMIT_MS + SLACK_MS, `${Math.round(ms)} ms`);

  it('in the middle of a computation ends it; the run resumes from its last step', async function () {
    if (process.platform !== 'linux') this.skip(); // elsewhere there is no starter that could end it
    const run = join(dir, 'blocked');
    const args = ['tools.ts', ...quick, '--model', 'real', '--run-dir', run];
    const { ms, code, said } = await stopped(args, /step 1\//, { blockMs: 3_000 });
    inTime(ms);
    assert.equal(code, 130);
    assert.match(said, /^Stopped in the middle of a computation: what was trained since the last checkpoint is lost/m);
    assert.doesNotMatch(said, /is saved/);
    assert.deepEqual(left(run), []);
    assert.equal(runInfo(run).status, 'died');
    const again = await stopped(['--resume', run], /./, { signals: [] });
    assert.equal(again.code, 0, again.said);
  });
  it('twice ends it at once', async function () {
    if (process.platform !== 'linux') this.skip();
    const args = ['tools.ts', ...quick, '--model', 'real', '--run-dir', join(dir, 'twice')];
    const { ms, code } = await stopped(args, /step 1\//, { blockMs: 3_000, signals: ['SIGINT', 'SIGINT'] });
    assert.ok(ms < 1_000, `${Math.round(ms)} ms`);
    assert.equal(code, 130);
  });
  it('between steps saves the last one, and says so', async () => {
    const run = join(dir, 'learnt');
    const args = ['tools.ts', ...quick, '--steps', '900', '--run-dir', run];
    const { ms, said } = await stopped(args, /step 15\//, { stepMs: 20 });
    inTime(ms);
    const { step } = runInfo(run);
    assert.match(said, new RegExp(`^Stopped after step ${step}; what was trained is saved\\. Go on with`, 'm'));
    assert.equal(savedSteps(join(run, 'checkpoints')).at(-1), step);
  });
  it('before a step was done says that nothing was learnt', async () => {
    const args = [
      'tools.ts',
      ...quick,
      '--set',
      'checkpointEvery=9',
      '--run-dir',
      join(dir, `unlearnt-${randomUUID()}`),
    ];
    const { ms, said } = await stopped(args, /Training/, { blockMs: 700 });
    inTime(ms);
    assert.match(said, /^Stopped (before its first step was done: nothing was learnt yet|after step 1; what)/m);
  });
  it('while the tools are loaded, at any moment, leaves no host behind', async () => {
    const hang = join(dir, 'hang.ts');
    writeFileSync(hang, 'for (;;);\nexport const never = () => 1;\n');
    for (const ms of [0, 10, 30, 60, 100, 160, 250]) {
      const stop = new AbortController();
      const at = performance.now();
      const opening = openFixtureHosts([{ ...fixtureTool('x', 'never'), source: { file: hang, line: 2 } }], {
        workspace: dir,
        signal: stop.signal,
        loadTimeoutMs: 60_000,
      });
      setTimeout(() => stop.abort(new Error('stopped')), ms);
      await assert.rejects(opening, /stopped/);
      inTime(performance.now() - at - ms);
      assert.deepEqual(left(dir), [], `after ${ms} ms`);
    }
  });
  it('a tool host that is killed while it starts gets another try', async function () {
    if (process.platform !== 'linux') this.skip(); // elsewhere nobody says which process it is
    const slow = join(dir, 'slow.ts');
    writeFileSync(slow, 'for (const end = Date.now() + 800; Date.now() < end; );\nexport const late = () => 1;\n');
    const tool = { ...fixtureTool('x', 'late'), source: { file: slow, line: 2 } };
    const opening = openFixtureHosts([tool], { workspace: dir });
    while (left(dir).length === 0) await sleep(20);
    await sleep(200);
    for (const pid of left(dir)) process.kill(Number(pid), 'SIGKILL');
    const { hosts } = await opening;
    assert.equal((await hosts.open('r').call('late', {})).content, '1');
    await hosts.close();
  });
});

/** Processes that have the folder in their command line, but for this one. */
function left(folder: string): string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(folder);
    } catch {
      return false; // it ended meanwhile
    }
  });
}

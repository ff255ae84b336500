import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { savedSteps } from '../../../trainer/model/weights/checkpoint';
import { foldRun, requireManifest } from '../../../trainer/store/runs/readRun';
import { betterEnvironment } from '../../../trainer/app/cli/runAgain';
import { makeTinyModel } from '../../fixtures/tinyModel';
import { bundle } from '../../store/runs/bundle';
import { tempFolder } from '../../store/runs/sample';
import { makeWorkspace, quick } from './coach';

describe('coach as a process', function () {
  this.timeout(120_000);
  const { dir, remove } = tempFolder();
  const script = join(dir, 'coach.js');
  before(() => {
    makeWorkspace(dir);
    bundle('test/app/cli/coachChild.ts', script);
  });
  after(remove);

  function start(
    args: string[],
    stepMs = 0,
  ): {
    child: ChildProcess;
    ended: Promise<[number | null, string | null]>;
    seen(text: RegExp): Promise<void>;
    stderr(): string;
  } {
    const child = spawn(process.execPath, [script, ...args], {
      cwd: dir,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, STEP_MS: String(stepMs) },
    });
    let [stdout, stderr] = ['', ''];
    child.stdout!.on('data', (data: Buffer) => (stdout += data.toString()));
    child.stderr!.on('data', (data: Buffer) => (stderr += data.toString()));
    const seen = async (text: RegExp) => {
      while (!text.test(stdout)) await new Promise((resolve) => setTimeout(resolve, 10));
    };
    return { child, ended: once(child, 'exit') as Promise<[number | null, string | null]>, seen, stderr: () => stderr };
  }

  it('Ctrl-C: exit 130 with a checkpoint and the run marked stopped', async () => {
    const { child, ended, seen, stderr } = start(
      ['train', 'tools.ts', ...quick, '--steps', '1000', '--run-dir', 'stopped'],
      5,
    );
    await seen(/step 17\/1000/);
    child.kill('SIGINT');
    assert.deepEqual(await ended, [130, null]);
    assert.match(stderr(), /Stopping\. Once more to stop at once/);
    assert.match(stderr(), /^Stopped after step \d+; what was trained is saved\. Go on/m);
    assert.match(stderr(), /Go on with: coach train --resume \S+stopped$/m);
    const state = foldRun(join(dir, 'stopped'));
    assert.equal(state.status, 'stopped');
    assert.equal(savedSteps(join(dir, 'stopped/checkpoints')).at(-1), state.step);
  });

  it('Ctrl-C twice: at once', async () => {
    const { child, ended, seen } = start(['train', 'tools.ts', ...quick, '--run-dir', 'twice'], 60_000);
    await seen(/Training/);
    child.kill('SIGINT');
    await new Promise((resolve) => setTimeout(resolve, 100));
    child.kill('SIGINT');
    assert.deepEqual(await ended, [130, null]);
  });

  it('a large model is trained in a second process that keeps its memory: it stops in order, and dies with the first', async () => {
    makeTinyModel('again', join(dir, 'model'));
    const train = (folder: string) =>
      start(['train', 'tools.ts', ...quick, '--model', 'model', '--steps', '1000', '--run-dir', folder], 5);
    const stopped = train('again');
    await stopped.seen(/step 17\/1000/);
    stopped.child.kill('SIGINT');
    assert.deepEqual(await stopped.ended, [130, null]);
    assert.equal(stopped.stderr().match(/Stopping\. Once more/g)?.length, 1);
    assert.equal(foldRun(join(dir, 'again')).status, 'stopped');
    const killed = train('killed');
    await killed.seen(/step 17\/1000/);
    const silent = once(killed.child.stdout!, 'close'); // whoever writes to it has ended
    killed.child.kill('SIGKILL');
    await silent;
    assert.equal(foldRun(join(dir, 'killed')).status, 'running');
  });

  it('of all commands training alone, and of another model than nano, wants other memory settings, on Linux', () => {
    const set = (args: string[], environment = {}, platform = 'linux'): string[] =>
      Object.keys(betterEnvironment(args, environment, platform) ?? {});
    const both = ['MALLOC_MMAP_MAX_', 'MALLOC_TRIM_THRESHOLD_', 'GLIBC_TUNABLES'];
    const frugal = ['MALLOC_MMAP_THRESHOLD_', 'MALLOC_TRIM_THRESHOLD_', 'GLIBC_TUNABLES'];
    const run = join(dir, 'frugal');
    mkdirSync(run);
    writeFileSync(
      join(run, 'run.json'),
      JSON.stringify({
        ...requireManifest(join(dir, 'again')),
        config: { ...requireManifest(join(dir, 'again')).config, model: 'b.gguf', quantize: 'q4' },
      }),
    );
    assert.deepEqual(
      set(['train', 'a.ts', '--model', 'b.gguf', '--set', 'loraRank=4', '--set', 'quantize=q4']),
      frugal,
    );
    assert.deepEqual(
      [run, join(dir, 'again'), join(dir, 'stopped')].map((folder) => set(['train', '--resume', folder])),
      [frugal, both, []],
    );
    for (const args of [
      ['train', 'a.ts', '--model', 'b.gguf'],
      ['train', '--model=b.gguf', 'a.ts'],
      ['train', '--resume', 'r'],
    ])
      assert.deepEqual(set(args), both, args.join(' '));
    for (const args of [
      ['train', 'a.ts'],
      ['train', 'a.ts', '--model', 'nano'],
      ['evaluate', 'b.gguf', '--model', 'b.gguf'],
      [],
    ])
      assert.deepEqual(set(args), [], args.join(' '));
    assert.deepEqual(set(['train', '--resume', 'r'], {}, 'darwin'), []);
    assert.deepEqual(
      set(['train', '--resume', 'r'], {
        MALLOC_MMAP_MAX_: '9',
        MALLOC_TRIM_THRESHOLD_: '9',
        GLIBC_TUNABLES: 'glibc.malloc.hugetlb=0',
      }),
      [],
    );
    assert.equal(
      betterEnvironment(['train', '--resume', 'r'], { MALLOC_MMAP_MAX_: '9' }, 'linux')!['MALLOC_MMAP_MAX_'],
      '9',
      'what the user set stays',
    );
  });

  it("the folder of BFCL's data comes from the environment", () => {
    const { status, stderr } = spawnSync(process.execPath, [script, 'evaluate', 'nano', '--benchmark', 'bfcl-simple'], {
      cwd: dir,
      encoding: 'utf8',
      env: { ...process.env, COACH_BFCL_DATA: join(dir, 'no-bfcl') },
    });
    assert.deepEqual([status, stderr.includes(`${join(dir, 'no-bfcl')}: there is no such folder`)], [2, true], stderr);
  });

  it('exit codes, and all of a long output through a pipe', () => {
    const run = (...args: string[]) => spawnSync(process.execPath, [script, ...args], { cwd: dir, encoding: 'utf8' });
    assert.equal(run('--help').status, 0);
    assert.equal(run('nonsense').status, 2);
    makeWorkspace(dir, 4000);
    const tasks = run('tasks', 'tools.ts');
    assert.equal(tasks.status, 0);
    assert.equal(tasks.stdout.trim().split('\n').length, 4000);
    const cut = spawnSync('sh', ['-c', `"${process.execPath}" "${script}" tasks tools.ts | head -n 1`], {
      cwd: dir,
      encoding: 'utf8',
    });
    assert.deepEqual([cut.stdout.trim().split('\n').length, /EPIPE|Error/.test(cut.stderr)], [1, false]);
  });
});

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { nodeCommand } from '../../extension/processes/programs';
import { takeJudgeKey } from '../../trainer/rewards/judge/settings';
import { hostEnvironment } from '../../trainer/tools/hosts/hostLaunch';
import { crateWorkspace, small, verdictsOf } from './judgeRun';
import { judgeServer, ranking } from './judgeServer';

const KEY = 'sk-never-to-be-seen-4711';
const root = resolve(__dirname, '../..');

/** Every file below a folder, as bytes read as latin1. */
function* filesIn(folder: string): Generator<[string, string]> {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) yield* filesIn(path);
    else yield [path, readFileSync(path, 'latin1')];
  }
}

/** Processes below one, by /proc: each with what it was started with. */
function descendants(pid: number): { pid: number; said: string }[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        return [
          {
            pid: Number(name),
            parent: Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${name}/status`, 'utf8'))![1]),
          },
        ];
      } catch {
        return []; // it has ended meanwhile
      }
    });
  return parents
    .filter(({ parent }) => parent === pid)
    .flatMap((child) => {
      let said = '';
      try {
        said =
          readFileSync(`/proc/${child.pid}/environ`, 'latin1') + readFileSync(`/proc/${child.pid}/cmdline`, 'latin1');
      } catch {
        // It has ended meanwhile.
      }
      return [{ pid: child.pid, said }, ...descendants(child.pid)];
    });
}

describe("the judge's key", function () {
  this.timeout(400_000);

  it('is taken out of the environment before anything is started', () => {
    const environment: Record<string, string | undefined> = {
      COACH_JUDGE_KEY: KEY,
      COACH_JUDGE_URL: 'u',
      PATH: '/bin',
    };
    assert.equal(takeJudgeKey(environment).COACH_JUDGE_KEY, KEY);
    assert.deepEqual(environment, { COACH_JUDGE_URL: 'u', PATH: '/bin' });
    assert.equal(
      nodeCommand('/node', '/code', { COACH_JUDGE_KEY: KEY }).env['COACH_JUDGE_KEY'],
      undefined,
      'the service and an export do not get it',
    );
    process.env['COACH_JUDGE_KEY'] = KEY;
    try {
      assert.ok(!JSON.stringify(hostEnvironment(['COACH_JUDGE_KEY'], '/tmp')).includes(KEY), 'no list can name it');
    } finally {
      delete process.env['COACH_JUDGE_KEY'];
    }
  });

  it('reaches the server, and no file of the run, no output and no child process', async function () {
    if (process.platform !== 'linux') this.skip(); // other systems have no /proc
    const folder = crateWorkspace();
    let trainer = 0;
    const children: { pid: number; said: string }[] = [];
    // The server repeats the key in its reply and in an error: not even so may it be kept.
    const server = await judgeServer((asked, n) => {
      children.push(...descendants(trainer));
      return n === 1
        ? { status: 503, body: { error: { message: `busy, ${asked.headers.authorization}` } } }
        : ranking(asked, (text) => (text.length % 7) / 7);
    });
    const { toolFile, ...settings } = small(folder, { rewards: 'judge', steps: 1 });
    const args = [
      '--import',
      'tsx',
      join(root, 'trainer/cli.ts'),
      'train',
      String(toolFile),
      ...Object.entries(settings).flatMap(([name, value]) => [
        '--set',
        `${name}=${Array.isArray(value) ? value.join(',') : String(value)}`,
      ]),
    ];
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: { ...process.env, COACH_JUDGE_URL: server.url, COACH_JUDGE_MODEL: 'm', COACH_JUDGE_KEY: KEY },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    trainer = child.pid!;
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (output += data.toString()));
    const code = await new Promise((done) => child.on('close', done));
    await server.close();
    try {
      assert.equal(code, 0, output);
      assert.ok(server.asked.every(({ headers }) => headers.authorization === `Bearer ${KEY}`));
      assert.ok(!output.includes(KEY), output);
      assert.ok(children.length > 0, 'tool hosts were seen');
      // esbuild is tsx's, which compiles this test's sources before a line of ours runs; a packed trainer has none
      assert.deepEqual(
        children.filter(({ said }) => said.includes(KEY) && !said.includes('@esbuild/')),
        [],
      );
      const files = [...filesIn(join(folder, '.coach'))];
      assert.ok(files.some(([path]) => path.endsWith('judge.jsonl')) && files.length > 8);
      assert.deepEqual(
        files.filter(([, text]) => text.includes(KEY)).map(([path]) => path),
        [],
      );
      const [dir] = readdirSync(join(folder, '.coach/runs'));
      assert.ok(verdictsOf(join(folder, '.coach/runs', dir)).some(({ ranks }) => ranks !== null));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

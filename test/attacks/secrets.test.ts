/**
 * What is secret stands in no environment of a process of ours: /proc/PID/environ is what a link, a crash report or
 * `ps e` shows.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeCommand } from '../../extension/processes/programs';
import { endProcess } from '../../extension/processes/stopTrainer';
import { startTrainer } from '../../extension/processes/trainerProcess';
import { isSecretName, splitSecrets } from '../../trainer/protocol/secretNames';
import { bundle } from '../store/runs/bundle';
import { tempFolder } from '../store/runs/sample';

const KEY = 'sk-of-the-user-4711';
const silent = { debug() {}, info() {}, warn() {}, error() {} };
const environ = (pid: number | string): string => readFileSync(`/proc/${pid}/environ`, 'latin1');

describe('attacks: secrets in environments', function () {
  this.timeout(120_000);
  const { dir, remove } = tempFolder('coach-attack-secrets-');
  after(remove);

  it('are told by their names', () => {
    const secret = [
      'COACH_JUDGE_KEY',
      'OPENAI_API_KEY',
      'HF_TOKEN',
      'AWS_SECRET_ACCESS_KEY',
      'GITHUB_TOKEN',
      'NPM_TOKEN',
      'DB_PASSWORD',
      'PGPASSWORD',
      'OTEL_EXPORTER_OTLP_HEADERS',
      'GITLAB_PAT',
      'SENTRY_DSN',
      'openaiApiKey',
      'GOOGLE_APPLICATION_CREDENTIALS',
    ];
    const open = [
      'PATH',
      'HOME',
      'LANG',
      'TMPDIR',
      'SSH_AUTH_SOCK',
      'COACH_JUDGE_URL',
      'COACH_JUDGE_MODEL',
      'HF_HOME',
      'OLLAMA_MODELS',
      'GLIBC_TUNABLES',
      'XAUTHORITY',
      'KEYBOARD',
      'DISPLAY',
    ];
    assert.deepEqual([secret.filter((name) => !isSecretName(name)), open.filter(isSecretName)], [[], []]);
    assert.deepEqual(splitSecrets({ HF_TOKEN: 'a', PATH: 'b' }), { open: { PATH: 'b' }, secrets: { HF_TOKEN: 'a' } });
  });

  it('are in none that the editor starts a program with', () => {
    const { env } = nodeCommand('/node', '/code', {
      PATH: '/bin',
      COACH_JUDGE_KEY: KEY,
      OPENAI_API_KEY: KEY,
      HF_TOKEN: KEY,
    });
    assert.deepEqual(env, { PATH: '/bin' });
  });

  it('reach the trainer that the editor starts, which nobody can read them off', async function () {
    if (process.platform !== 'linux') this.skip(); // other systems have no /proc
    const script = join(dir, 'main.js');
    const seen = join(dir, 'seen.json');
    bundle('test/attacks/secretsChild.ts', script);
    const node = nodeCommand('', process.execPath, {
      ...process.env,
      SEEN: seen,
      COACH_JUDGE_KEY: KEY,
      OPENAI_API_KEY: KEY,
    });
    const { pid } = await startTrainer(
      script,
      { ...node, secrets: { COACH_JUDGE_KEY: KEY } },
      { config: { toolFile: 'tools.ts' } },
      dir,
      silent,
    );
    try {
      const { key, left } = JSON.parse(readFileSync(seen, 'utf8'));
      assert.deepEqual([key, left], [KEY, []]);
      assert.ok(!environ(pid).includes(KEY));
      assert.ok(!readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(KEY));
    } finally {
      endProcess(pid, silent);
    }
  });

  it('reach the program that `coach train` starts anew, which nobody can read them off', async function () {
    if (process.platform !== 'linux') this.skip(); // other systems have no /proc, and nothing is started anew there
    const script = join(dir, 'again.js');
    const seen = join(dir, 'again.json');
    bundle('test/attacks/secretsChild.ts', script);
    const child = spawn(process.execPath, [script], {
      env: { ...process.env, SEEN: seen, AGAIN: '1', COACH_JUDGE_KEY: KEY, OPENAI_API_KEY: KEY },
      stdio: 'inherit',
    });
    assert.equal(await new Promise((done) => child.on('close', done)), 7, 'the exit code of the second');
    assert.ok(existsSync(seen));
    const { key, environ: started } = JSON.parse(readFileSync(seen, 'utf8'));
    assert.equal(key, KEY);
    assert.ok(!started.includes(KEY));
  });
});

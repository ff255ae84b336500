/** The window's side of the service and of trainers, against small real processes. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isAlive, logFileOf, tailOf } from '../../extension/runs/runFiles';
import { Service } from '../../extension/processes/service';
import { MetProblems } from '../../extension/tools/metProblems';
import { stopTrainer } from '../../extension/processes/stopTrainer';
import { startTrainer } from '../../extension/processes/trainerProcess';

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const node = { command: process.execPath, env: process.env };

describe('a trainer that is to stop', () => {
  if (process.platform === 'win32') return; // it has no SIGTERM to ask by
  /** Takes a signal as a trainer does: it ends what it is at. */
  const trainer = async (onSignal: string) => {
    const code = `process.on('SIGTERM', () => { ${onSignal} }); setInterval(() => 0, 50); console.log('up');`;
    const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'ignore'] });
    await once(child.stdout, 'data');
    return { child, ended: once(child, 'exit') };
  };
  const stop = ({ child }: { child: ChildProcess }, isConnected: boolean, patienceMs: number) =>
    stopTrainer({
      ask: () => Promise.reject(new Error('no answer')),
      isConnected: () => isConnected,
      hasStopped: () => child.exitCode !== null || child.signalCode !== null,
      pid: child.pid!,
      patienceMs,
      log: silent,
    });

  it('is asked by a signal where its socket does not answer, and ends in order', async () => {
    const one = await trainer('setTimeout(() => process.exit(7), 300)');
    await stop(one, false, 10_000);
    assert.deepEqual(await one.ended, [7, null]);
  });

  it('that reads its socket still is waited for, and is killed where it does not end', async () => {
    const one = await trainer('process.exit(7)');
    await stop(one, true, 500);
    assert.deepEqual(await one.ended, [null, 'SIGKILL'], 'no signal but the last');
    const deaf = await trainer('');
    await stop(deaf, false, 500);
    assert.deepEqual(await deaf.ended, [null, 'SIGKILL']);
  });
});

describe('the service process', () => {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'coach-service-')));
  const modules = JSON.stringify(require.resolve('vscode-jsonrpc/node'));
  const script = path.join(folder, 'service.js');
  let service: Service;

  before(() =>
    writeFileSync(
      script,
      `
    const rpc = require(${modules});
    const c = rpc.createMessageConnection(new rpc.StreamMessageReader(process.stdin), new rpc.StreamMessageWriter(process.stdout));
    c.onRequest('listRuns', ({ workspace }) => { if (workspace === 'die') process.exit(3); if (workspace === 'lie') return [{ id: 1 }]; return []; });
    c.onClose(() => process.exit(0));
    c.listen();
    console.error('service is up');`,
    ),
  );
  beforeEach(() => {
    service = new Service(script, () => node, silent);
  });
  afterEach(() => service.dispose());
  after(() => rmSync(folder, { recursive: true }));

  it('starts on first need, answers, and ends with the window', async () => {
    assert.equal(service.pid, null);
    assert.deepEqual(await service.ask('listRuns', { workspace: folder }), []);
    const pid = service.pid!;
    service.dispose();
    await until(() => !isAlive(pid));
  });

  it('is started again after it was killed, and the question is asked again', async () => {
    await service.ask('listRuns', { workspace: folder });
    const first = service.pid!;
    process.kill(first, 'SIGKILL');
    assert.deepEqual(await service.ask('listRuns', { workspace: folder }), []);
    assert.notEqual(service.pid, first);
  });

  it('says why when a question kills it every time', async () => {
    await assert.rejects(
      service.ask('listRuns', { workspace: 'die' }),
      /background service is not running: ended with 3: service is up/,
    );
    assert.deepEqual(await service.ask('listRuns', { workspace: folder }), [], 'the next question gets a new process');
  });

  it('refuses an answer of another shape than agreed', async () => {
    await assert.rejects(service.ask('listRuns', { workspace: 'lie' }), /expected string|invalid/i);
  });

  it('says so when Node can not be started', async () => {
    const broken = new Service(script, () => ({ command: '/no/such/node', env: {} }), silent);
    await assert.rejects(broken.ask('listRuns', { workspace: folder }), /\/no\/such\/node can't be started/);
    broken.dispose();
  });
});

describe('starting a trainer', () => {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'coach-start-test-')));
  after(() => rmSync(folder, { recursive: true }));
  const start = (body: string) => {
    const script = path.join(folder, 'main.js');
    writeFileSync(script, body);
    return startTrainer(script, node, { config: { toolFile: 'tools.ts' } }, folder, silent);
  };
  const started = (dir: string) =>
    `console.log(JSON.stringify({ type: 'started', run: 'r1', dir: ${JSON.stringify(dir)}, socket: null, pid: process.pid }));`;

  it('gives it the settings and the workspace, and leaves it running on its own', async () => {
    const dir = path.join(folder, 'run');
    mkdirSync(dir);
    const { pid } = await start(`
      const at = (name) => process.argv[process.argv.indexOf(name) + 1];
      const config = JSON.parse(require('fs').readFileSync(at('--config'), 'utf8'));
      if (config.toolFile !== 'tools.ts' || at('--workspace') !== process.cwd()) process.exit(9);
      ${started(dir)}
      setInterval(() => {}, 1000);`);
    assert.ok(isAlive(pid));
    process.kill(pid, 'SIGKILL');
    await until(() => !isAlive(pid));
  });

  it('tells what the trainer refused, with the way out', async () => {
    await assert.rejects(
      start(
        `console.log(JSON.stringify({ type: 'failed', error: { border: 'config', message: 'steps must be at least 1, got 0', hint: 'The default is 60.' } }))`,
      ),
      /^StartRefused: steps must be at least 1, got 0\. The default is 60\.$/,
    );
  });

  it("tells what the trainer does before the run exists, and what it met in the user's files", async () => {
    const place = {
      file: '/a/tools.mjs',
      line: 12,
      severity: 'error',
      message: "cannot be loaded: Cannot find package 'foo'",
    };
    const preparing = (message: string) =>
      `console.log(JSON.stringify({ type: 'preparing', message: ${JSON.stringify(message)} }));`;
    const said: string[] = [];
    const script = path.join(folder, 'main.js');
    const run = (body: string) => {
      writeFileSync(script, preparing('Loading the tools') + preparing('Making tasks') + body);
      return startTrainer(script, node, { config: { toolFile: 'tools.ts' } }, folder, silent, (message) =>
        said.push(message),
      );
    };
    const { diagnostics } = await run(
      started(folder).replace('pid: process.pid', `pid: process.pid, diagnostics: [${JSON.stringify(place)}]`),
    );
    assert.deepEqual(diagnostics, [place]);
    assert.deepEqual(said, ['Loading the tools', 'Making tasks']);
    await assert.rejects(
      run(
        `console.log(JSON.stringify({ type: 'failed', error: { border: 'tool', message: 'tools.mjs:12', diagnostics: [${JSON.stringify(place)}] } }))`,
      ),
      { name: 'StartRefused', diagnostics: [place] },
    );
  });

  it('keeps what a start met until its file changes, whatever news of older saves come late', () => {
    const problems = new MetProblems();
    const at = (file: string) => ({ file, line: 1, severity: 'error' as const, message: 'cannot be loaded' });
    problems.replace([at('/a'), at('/b')], 1000);
    assert.equal(problems.forget('/a', 900), false, 'saved before the start');
    assert.equal(problems.forget('/c', 1100), false);
    assert.equal(problems.forget('/a', 1100), true);
    assert.deepEqual(problems.all, [at('/b')]);
    problems.replace([], 2000);
    assert.deepEqual(problems.all, []);
  });

  it('tells the error of a trainer that crashed before it could say anything', async () => {
    await assert.rejects(start(`require('./missing-module')`), /Cannot find module '\.\/missing-module'/);
  });

  it('keeps what a trainer says on its way down, by its process id', async () => {
    const { pid } = await start(
      `${started(folder)} setTimeout(() => { console.error('RangeError: Array buffer allocation failed\\n    at x (y.js:1:1)'); process.exit(1); }, 50);`,
    );
    await until(() => !isAlive(pid));
    assert.equal(tailOf(pid), 'RangeError: Array buffer allocation failed');
    rmSync(logFileOf(pid));
  });
});

async function until(ask: () => boolean, timeoutMs = 20_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!ask()) {
    if (Date.now() > deadline) throw new Error(`not after ${timeoutMs} ms: ${ask}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

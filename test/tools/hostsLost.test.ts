/** What the trainer does about hosts that keep no promise; they are stood in for by a few lines of JavaScript. */
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HostPool, type CallRequest } from '../../trainer/tools/hosts/hostPool';
import { tempFolder } from '../store/runs/sample';

const FAKE = `
const socket = new (require('node:net').Socket)({ fd: 3, readable: true, writable: true });
const say = (message) => socket.write(JSON.stringify(message) + '\\n');
let rest = '';
socket.setEncoding('utf8').on('close', () => process.exit()).on('data', (chunk) => {
  const lines = (rest + chunk).split('\\n');
  rest = lines.pop();
  for (const { type, id, name } of lines.map((line) => JSON.parse(line))) {
    if (type === 'prepare') say({ type: 'ready', walls: { filesystem: false, childProcesses: false, network: false, why: 'a fake' }, loadErrors: [] });
    if (type === 'ping') say({ type: 'pong' });
    if (type !== 'call' || name === 'lost') continue;
    if (name !== 'leaves') { say({ type: 'result', id, kind: 'ok', content: '1', durationMs: 0 }); continue; }
    const { pid } = require('node:child_process').spawn('/bin/sleep', ['300'], { stdio: ['ignore', 'ignore', 2, 3], detached: true });
    require('node:fs').appendFileSync(__filename + '.left', pid + ' ');
    process.exit(3);
  }
});`;

describe('tool hosts that are lost', function () {
  this.timeout(120_000);
  const { dir, remove } = tempFolder('coach-lost-');
  const left = join(dir, 'fake.js.left');
  before(function () {
    if (process.platform === 'win32') this.skip();
    writeFileSync(join(dir, 'fake.js'), FAKE);
    writeFileSync(left, '');
    writeFileSync(join(dir, 'node'), `#!/bin/sh\nexec "${process.execPath}" "${join(dir, 'fake.js')}"\n`);
    chmodSync(join(dir, 'node'), 0o755);
    mkdirSync(join(dir, 'scratch'));
  });
  after(() => {
    for (const pid of readFileSync(left, 'utf8').trim().split(' ').filter(Boolean))
      process.kill(Number(pid), 'SIGKILL');
    remove();
  });

  const pool = (giveUpMs?: () => number) =>
    new HostPool({
      size: 1,
      scratchRoot: join(dir, 'scratch'),
      prefix: 'host-',
      note: () => undefined,
      ...(giveUpMs ? { giveUpMs } : {}),
      plan: {
        nodePath: join(dir, 'node'),
        script: join(dir, 'fake.js'),
        readable: [],
        network: 'allow',
        memoryMb: 64,
        envAllow: [],
        maxLineBytes: 1 << 16,
        startTimeoutMs: 60_000,
        prepare: {
          modules: {},
          warmFiles: [],
          warmTimeoutMs: 1000,
          workspace: dir,
          probes: { unreadable: [], unwritable: [] },
        },
      },
    });
  const request = (name: string): CallRequest => ({
    file: 'x.ts',
    name,
    binding: { exportName: name, positional: 'object' },
    args: '{}',
    isReward: false,
    timeoutMs: 20_000,
    outputBytes: 1000,
    isReplayable: false,
  });

  it('a host that ends while a program of its tool holds the pipes is seen to have ended, and can be closed', async () => {
    const hosts = pool();
    await hosts.start();
    const answer = await hosts.call(hosts.openRollout(), request('leaves'));
    assert.equal(answer.kind, 'hostDied');
    assert.match(answer.content, /ended with code 3/);
    // not the watch's doing, which starts at the call's own limit
    assert.ok(answer.durationMs < 20_000, `${answer.durationMs} ms`);
    await hosts.close();
  });

  it('a call that a busy host never answers is given up, and the others go on', async () => {
    const hosts = pool(() => 1000);
    await hosts.start();
    const rollout = hosts.openRollout();
    let isOver = false;
    const lost = hosts.call(rollout, request('lost')).finally(() => (isOver = true));
    while (!isOver) {
      assert.equal((await hosts.call(rollout, request('works'))).kind, 'ok'); // keeps the watch content
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert.deepEqual(
      [(await lost).kind, (await lost).content],
      ['hostDied', '{"error":"lost gave no answer in 1000 ms"}'],
    );
    await hosts.close();
  });
});

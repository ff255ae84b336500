/**
 * A tool that reaches the host's own realm: what it finds there must not write, open or speak beneath the permission
 * model.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ToolResult } from '../../trainer/protocol/trace';
import { FIXTURES, fixtureTool, openFixtureHosts, type TestHosts } from '../tools/hostsFixture';

describe("attacks: a tool in the host's own realm", function () {
  this.timeout(60_000);
  let opened: TestHosts;
  let outside = '';
  let victim = '';
  before(async () => {
    outside = realpathSync(mkdtempSync(join(tmpdir(), 'coach-attack-outside-')));
    victim = join(outside, 'profile');
    writeFileSync(victim, 'as it was');
    opened = await openFixtureHosts([fixtureTool('escapes.ts', 'inHost')], { timeoutMs: 20_000 });
  });
  after(async () => {
    await opened.hosts.close();
    rmSync(outside, { recursive: true });
  });
  afterEach(() => {
    assert.equal(readFileSync(victim, 'utf8'), 'as it was');
    assert.deepEqual(readdirSync(outside), ['profile']);
  });

  async function inHost(code: string): Promise<ToolResult> {
    const session = opened.hosts.open('escape');
    try {
      return await session.call('inHost', { code });
    } finally {
      session.close();
    }
  }

  it('gets there: the realm of a rollout is no wall', async () => {
    assert.equal((await inHost('return typeof process.reallyExit')).content, '"function"');
  });

  it('overwrites no file by a crash report: there is none to set up, and a full heap leaves nothing', async () => {
    const { kind, content } = await inHost(`
      if (process.report) Object.assign(process.report, { directory: ${JSON.stringify(outside)}, filename: 'profile', reportOnFatalError: true });
      const all = [];
      for (;;) all.push(new Array(1e5).fill('$(touch x)').map((text, i) => text + i));`);
    assert.equal(kind, 'hostDied', content);
    assert.equal((await inHost('return process.report === undefined')).content, 'true');
  });

  const json = JSON.stringify;
  /** name -> code that would do it; each must be refused, by our words or by the permission model's */
  const ways = (): [string, string][] => [
    ['a report by hand', `process.report.directory = ${json(outside)}; return process.report.writeReport('profile')`],
    ['a heap snapshot', `return load('v8').writeHeapSnapshot(${json(join(outside, 'x.heapsnapshot'))})`],
    ['a heap snapshot near the limit', `return load('v8').setHeapSnapshotNearHeapLimit(1)`],
    [
      "V8's log",
      `load('v8').setFlagsFromString('--logfile=' + ${json(join(outside, 'v8.log'))}); return load('v8').setFlagsFromString('--prof')`,
    ],
    ["V8's coverage", `return load('v8').takeCoverage()`],
    [
      'trace events',
      `const tracing = load('trace_events').createTracing({ categories: ['node'] }); tracing.enable(); return tracing.disable()`,
    ],
    ['the inspector', `const session = new (load('inspector').Session)(); session.connect(); return 'connected'`],
    ["the inspector's port", `return load('inspector').open(0)`],
    ['a compile cache', `return load('module').enableCompileCache.call(null, ${json(join(outside, 'cache'))})`],
    ['SQLite, a new file', `return new (load('node:sqlite').DatabaseSync)(${json(join(outside, 'db'))}) && 'opened'`],
    [
      'SQLite, attached',
      `const db = new (load('node:sqlite').DatabaseSync)(':memory:'); db.exec("ATTACH '${join(outside, 'db')}' AS a; CREATE TABLE a.t (x)"); return 'attached'`,
    ],
    [
      'SQLite, vacuumed into',
      `const db = new (load('node:sqlite').DatabaseSync)(':memory:'); db.exec("CREATE TABLE t (x); VACUUM INTO '${join(outside, 'db')}'"); return 'written'`,
    ],
    ['WASI', `return new (load('wasi').WASI)({ version: 'preview1', preopens: { '/': '/' } }) && 'made'`],
    ['a native module', `return process.dlopen({ exports: {} }, '/lib/libc.so.6')`],
    ['a binding', `return Object.keys(process.binding('fs')).length`],
    ['a linked binding', `return process._linkedBinding('fs')`],
    ['a program', `return load('child_process').spawnSync('/bin/sh', ['-c', 'echo > ' + ${json(victim)}]).status`],
    ['a thread', `return new (load('worker_threads').Worker)('1', { eval: true }) && 'started'`],
    ['a program in its place', `return process.execve('/bin/sh', ['sh', '-c', 'true'], {})`],
    ['fs', `return load('fs').writeFileSync(${json(victim)}, 'taken')`],
    ['fs, a path as bytes', `return load('fs').writeFileSync(Buffer.from(${json(victim)}), 'taken')`],
    ['fs, promised', `return load('fs').promises.writeFile(${json(victim)}, 'taken')`],
    ['fs, a hard link', `return load('fs').linkSync(${json(victim)}, process.env.TMPDIR + '/hard')`],
    ['fs, a copy', `return load('fs').copyFileSync(${json(victim)}, process.env.TMPDIR + '/copy')`],
    ['an environment file', `return process.loadEnvFile(${json(victim)})`],
    ["the trainer's priority", `return load('os').setPriority(process.ppid, 19) ?? 'set'`],
    ['a signal', `return process.kill(process.ppid, 0)`],
  ];
  for (const [index, [name]] of ways().entries()) {
    it(`is refused: ${name}`, async () => {
      const { kind, content } = await inHost(ways()[index][1]);
      assert.equal(kind, 'threw', content);
      assert.match(
        content,
        /not available to tools|ERR_ACCESS_DENIED|[Aa]ccess to this API has been restricted|not a (function|constructor)|undefined|DLOPEN|without loading|No such built-in|WASI/,
      );
    });
  }

  it("leaves no file in the workspace, where trace events would go, and the trainer's priority as it was", () => {
    assert.deepEqual(
      readdirSync(FIXTURES).filter((name) => /^node_trace|\.log$|^report/.test(name)),
      [],
    );
    assert.ok(getPriority() < 19);
  });

  describe('and Unix sockets', () => {
    let server: Server;
    let heard = 0;
    let path = '';
    let folder = '';
    before((done) => {
      folder = mkdtempSync(join(tmpdir(), 'coach-attack-socket-'));
      path = join(folder, 'docker.sock');
      server = createServer(() => heard++).listen(path, () => done());
    });
    after(() => {
      server.close();
      rmSync(folder, { recursive: true, force: true });
    });
    const speaks = `new Promise((done, failed) => socket.on('connect', () => done('spoke')).on('error', failed))`;
    const attempts = (): [string, string][] => [
      ['connecting', `const socket = load('net').connect(${json(path)}); return ${speaks}`],
      [
        "an agent's socketPath",
        `return new Promise((done, failed) => load('http').get({ socketPath: ${json(path)} }, () => done('spoke')).on('error', failed))`,
      ],
      [
        "another stream's handle",
        `const { Pipe } = { Pipe: process.stderr._handle.constructor }; const pipe = new Pipe(0); pipe.connect({}, ${json(path)}); return 'spoke'`,
      ],
      [
        'listening',
        `return new Promise((done, failed) => load('net').createServer().on('error', failed).listen(${json(join(folder, 'mine.sock'))}, () => done('listens')))`,
      ],
    ];
    for (const [index, [name]] of attempts().entries()) {
      it(`are closed: ${name}`, async function () {
        if (process.platform === 'win32') this.skip(); // named pipes have other paths
        const { kind, content } = await inHost(attempts()[index][1]);
        assert.match(kind, /threw|lateRejection/, content);
        assert.match(content, /not available to tools/);
        assert.equal(heard, 0);
        assert.deepEqual(existsSync(join(folder, 'mine.sock')), false);
      });
    }

    it('TCP on this machine is open, as said', async () => {
      const tcp = createServer((socket) => socket.end('hello')).listen(0, '127.0.0.1');
      await new Promise((done) => tcp.once('listening', done));
      const { port } = tcp.address() as import('node:net').AddressInfo;
      const { content } = await inHost(
        `return new Promise((done, failed) => load('net').connect(${port}, '127.0.0.1').on('data', (text) => done(String(text))).on('error', failed))`,
      );
      tcp.close();
      assert.equal(content, '"hello"');
    });
  });

  it('has walls that were tried, not asked for', () => {
    const { filesystem, childProcesses, why } = opened.hosts.walls;
    assert.deepEqual([filesystem, childProcesses], [true, true], why);
    assert.match(why, /proven by trying, under the permission model/);
  });
});

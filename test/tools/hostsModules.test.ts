import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { processStart } from '../../trainer/base/processStart';
import { prepareCode } from '../../trainer/tools/hosts/transpile';
import { fixtureTool, openFixtureHosts, valueOf } from './hostsFixture';

async function until(isSo: () => boolean, what: string): Promise<void> {
  for (const from = performance.now(); !isSo(); ) {
    assert.ok(performance.now() - from < 20_000, what);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe("tool hosts: the user's modules", function () {
  this.timeout(60_000);
  let root: string;
  before(() => (root = realpathSync(mkdtempSync(join(tmpdir(), 'coach-modules-')))));
  after(() => rmSync(root, { recursive: true, force: true }));

  const write = (files: Record<string, string>) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
  };
  const tool = (file: string, name: string) => ({
    ...fixtureTool(file, name),
    source: { file: join(root, file), line: 1 },
  });

  it('loads TypeScript through paths, .js specifiers, cycles, JSON, CommonJS, packages of both kinds, and linked workspaces', async () => {
    write({
      'app/tsconfig.json':
        '{ "compilerOptions": { "paths": { "@lib/*": ["./lib/*"] }, "experimentalDecorators": true, "emitDecoratorMetadata": true } }',
      'app/tools.ts': `
        import 'polyfill';
        import type { Missing } from 'not-installed';
        import { one } from '@lib/one';
        import { two } from './lib/two.js';
        import esm, { named } from 'esm-package';
        import cjs from 'cjs-package';
        import { linked } from '@scope/linked';
        import { isEven } from './cycle/even';
        const old = require('./old.cjs');
        function mark(target: object, key: string) { (Reflect as any).define(target, key); }
        class Marked { @mark field = 1; }
        export async function all(): Promise<unknown> {
          const late = await import('./lib/late');
          const value: Missing | number = new Marked().field;
          return { one, two, esm, named, cjs: cjs.value, linked, even: isEven(4), old: old.value, late: late.default, value,
            marks: (Reflect as any).marks.length, dates: cjs.isDate(new Date()), errors: cjs.error() instanceof TypeError, own: cjs.isError(new RangeError()) , sub: !(new Error() instanceof TypeError) };
        }
        export const editor = () => require('vscode');
        export const hidden = () => { const name = './lib/one'; return require(name); };
        export const secret = () => require('node:fs').readFileSync(${JSON.stringify(join('..', 'outside.txt'))}, 'utf8');
        export const count = () => cjs.count();`,
      'app/lib/one.ts': 'export const one: number = 1;',
      'app/lib/two.ts': 'export const two = 2 satisfies number;',
      'app/lib/late.ts': 'export default "late";',
      'app/cycle/even.ts':
        "import { isOdd } from './odd'; export const isEven = (n: number): boolean => n === 0 || isOdd(n - 1);",
      'app/cycle/odd.ts':
        "import { isEven } from './even'; export const isOdd = (n: number): boolean => n !== 0 && isEven(n - 1);",
      'app/old.cjs': 'module.exports = { value: "old" };',
      'outside.txt': 'not for tools',
      'app/node_modules/esm-package/package.json':
        '{ "name": "esm-package", "type": "module", "exports": "./index.js" }',
      'app/node_modules/esm-package/index.js': 'export default "esm"; export const named = "named";',
      'app/node_modules/polyfill/package.json': '{ "name": "polyfill" }',
      'app/node_modules/polyfill/index.js':
        'Reflect.marks = []; Reflect.define = (target, key) => Reflect.marks.push(key); globalThis.polyfilled = 1;',
      // Hoisted above the workspace, as in a monorepo.
      'node_modules/cjs-package/package.json': '{ "name": "cjs-package", "main": "main.js" }',
      'node_modules/cjs-package/main.js': `let calls = 0; module.exports = { value: 'cjs', count: () => ++calls, isDate: (x) => x instanceof Date, isError: (x) => x instanceof Error && x instanceof RangeError,
        error: () => new TypeError('theirs') };`,
      'packages/linked/package.json': '{ "name": "@scope/linked", "main": "src/index.ts" }',
      'packages/linked/src/index.ts': 'export const linked: string = "linked";',
    });
    mkdirSync(join(root, 'node_modules/@scope'), { recursive: true });
    symlinkSync(join(root, 'packages/linked'), join(root, 'node_modules/@scope/linked'));
    const tools = ['all', 'editor', 'hidden', 'secret', 'count'].map((name) => tool('app/tools.ts', name));
    const { hosts, notes } = await openFixtureHosts(tools, {
      workspace: join(root, 'app'),
      timeoutMs: 10_000,
      size: 1,
    });
    const session = hosts.open('all');
    const result = await session.call('all', {});
    assert.equal(result.kind, 'ok', result.content + notes.join());
    assert.deepEqual(valueOf(result), {
      one: 1,
      two: 2,
      esm: 'esm',
      named: 'named',
      cjs: 'cjs',
      linked: 'linked',
      even: true,
      old: 'old',
      late: 'late',
      value: 1,
      marks: 2,
      dates: true,
      errors: true,
      own: true,
      sub: true,
    }); // two marks: the file was loaded once to warm up, and once for this rollout
    assert.match((await session.call('editor', {})).content, /only inside the editor/);
    assert.match((await session.call('hidden', {})).content, /literal path/);
    assert.match((await session.call('secret', {})).content, /restricted/);
    assert.equal((await session.call('count', {})).content, '1');
    session.close();
    const next = hosts.open('next');
    assert.equal((await next.call('count', {})).content, '1', 'what packages remember ends with the rollout');
    await hosts.close();
  });

  it('says where a syntax error is, and still runs the other files', async () => {
    write({
      'app/bad.ts': 'export const fine = 1;\nexport const bad = = 2;',
      'app/good.ts': 'export const good = () => 1;',
    });
    const { hosts, notes } = await openFixtureHosts(
      [tool('app/bad.ts', 'bad'), tool('app/good.ts', 'good'), tool('app/absent.ts', 'absent')],
      { workspace: join(root, 'app') },
    );
    const session = hosts.open('bad');
    assert.match((await session.call('bad', {})).content, /bad\.ts:2: Expression expected/);
    assert.equal((await session.call('good', {})).content, '1');
    assert.match((await session.call('absent', {})).content, /no such file/);
    assert.ok(notes.some((note) => /bad\.ts:2/.test(note)));
    await hosts.close();
  });

  it('a program has what its main() makes before its tools are called', async () => {
    write({
      'app/program.ts': `import { access } from 'node:fs/promises';
let store: Map<string, number> | undefined;
export const count = () => store!.size;
async function main() {
  await access('.').catch(() => undefined);
  store = new Map([['a', 1]]);
}
main().catch((error) => { console.error(error); process.exit(1); });`,
    });
    const { hosts } = await openFixtureHosts([tool('app/program.ts', 'count')], { workspace: join(root, 'app') });
    for (const rollout of ['one', 'two']) assert.equal((await hosts.open(rollout).call('count', {})).content, '1');
    await hosts.close();
    const [program, good] = ['app/program.ts', 'app/good.ts'].map((name) => join(root, name));
    const { modules } = prepareCode([program!, good!]);
    assert.deepEqual([modules[program!]!.startsMain, modules[good!]!.startsMain], [true, false]);
  });

  it('finds top-level await only at top level, and follows no type-only import', () => {
    write({
      'scan/a.ts':
        "import type { T } from './types'; import { b } from './b'; export const a = async (t: T) => { await b(t); };",
      'scan/b.ts': 'for await (const x of []) console.log(x); export const b = async (x: unknown) => x;',
      'scan/types.ts': 'export interface T { x: 1 }',
    });
    const { modules, problems } = prepareCode([join(root, 'scan/a.ts')]);
    assert.deepEqual(problems, []);
    assert.deepEqual(
      Object.keys(modules)
        .map((file) => file.slice(root.length))
        .sort(),
      ['/scan/a.ts', '/scan/b.ts'],
    );
    assert.equal(modules[join(root, 'scan/a.ts')]!.hasTopLevelAwait, false);
    assert.equal(modules[join(root, 'scan/b.ts')]!.hasTopLevelAwait, true);
  });

  it('goes on when a host is killed from outside', async () => {
    write({
      'app/state.ts':
        'let n = 0; export const next = () => ++n; export const pid = () => (require("fs").readFileSync.constructor)("return process")().pid; export const wait = () => new Promise((r) => setTimeout(() => r(++n), 300));',
    });
    const { hosts } = await openFixtureHosts(
      ['next', 'pid', 'wait'].map((name) => tool('app/state.ts', name)),
      { workspace: join(root, 'app'), size: 1, timeoutMs: 10_000 },
    );
    const session = hosts.open('killed');
    await session.call('next', {});
    const pid = valueOf(await session.call('pid', {})) as number;
    const waiting = session.call('wait', {});
    setTimeout(() => process.kill(pid, 'SIGKILL'), 100);
    const result = await waiting; // retried once, alone, in a new host, after the replay
    assert.deepEqual([result.kind, result.content], ['ok', '2']);
    assert.equal((await session.call('next', {})).content, '3');
    assert.notEqual(valueOf(await session.call('pid', {})), pid);
    await hosts.close();
    assert.equal((await session.call('next', {})).kind, 'hostDied');
  });

  it('leaves no host behind when the trainer is killed, not even one in an endless loop', async function () {
    this.timeout(240_000);
    write({
      'app/loop.ts': 'export const loop = async () => { await new Promise((r) => setTimeout(r, 1)); for (;;); };',
      'app/calm.ts': 'export const calm = () => 1;',
    });
    const script = join(root, 'trainer.ts');
    const fixture = join(__dirname, 'hostsFixture');
    writeFileSync(
      script,
      `
      import { fixtureTool, openFixtureHosts } from ${JSON.stringify(fixture)};
      void (async () => {
        const tools = ['loop', 'calm'].map((name) => ({ ...fixtureTool(name + '.ts', name), source: { file: ${JSON.stringify(join(root, 'app'))} + '/' + name + '.ts', line: 1 } }));
        const { hosts } = await openFixtureHosts(tools, { workspace: ${JSON.stringify(join(root, 'app'))}, timeoutMs: 60_000, size: 1 });
        await hosts.open('calm').call('calm', {});
        void hosts.open('loop').call('loop', {});
        setTimeout(() => process.stdout.write('looping'), 1500);
      })();`,
    );
    const trainer = spawn(process.execPath, ['--import', 'tsx', script], {
      cwd: join(__dirname, '../..'),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise((resolve) => trainer.stdout.once('data', resolve));
    const mark = `coach-tools-`;
    const hostsOf = () =>
      execFileSync('ps', ['-eo', 'pid,ppid,args'], { encoding: 'utf8' })
        .split('\n')
        .filter((line) => line.includes(mark) && line.includes(join(root, 'app')));
    await until(() => hostsOf().length === 3, 'the calm one, the looping one, and one that stands ready');
    trainer.kill('SIGKILL');
    await new Promise((resolve) => trainer.once('close', resolve));
    await until(() => hostsOf().length === 1, 'the calm ones ended by themselves');
    const { hosts } = await openFixtureHosts([tool('app/calm.ts', 'calm')], {
      workspace: join(root, 'app'),
      scratchRoot: undefined,
    });
    await hosts.close();
    await until(() => hostsOf().length === 0, 'the next trainer ended the other');
  });

  it('leaves the hosts to the trainer on Ctrl-C, which reaches the whole group, and ends them when the trainer exits', async function () {
    this.timeout(240_000);
    write({
      'app/own.ts':
        'export const pid = () => (require("fs").readFileSync.constructor)("return process")().pid; export const loop = async () => { await new Promise((r) => setTimeout(r, 1)); for (;;); };',
    });
    const script = join(root, 'interrupted.ts');
    writeFileSync(
      script,
      `
      import { fixtureTool, openFixtureHosts } from ${JSON.stringify(join(__dirname, 'hostsFixture'))};
      void (async () => {
        const tools = ['pid', 'loop'].map((name) => ({ ...fixtureTool('own.ts', name), source: { file: ${JSON.stringify(join(root, 'app/own.ts'))}, line: 1 } }));
        const { hosts } = await openFixtureHosts(tools, { workspace: ${JSON.stringify(join(root, 'app'))}, timeoutMs: 60_000, size: 1 });
        const session = hosts.open('interrupted');
        const before = (await session.call('pid', {})).content;
        process.on('SIGINT', () => setTimeout(async () => {
          const after = (await session.call('pid', {})).content;
          void session.call('loop', {});
          setTimeout(() => process.stdout.write(JSON.stringify([before, after]), () => process.exit(130)), 500);
        }, 500));
        process.stdout.write('ready');
      })();`,
    );
    const trainer = spawn(process.execPath, ['--import', 'tsx', script], {
      cwd: join(__dirname, '../..'),
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    });
    await new Promise((resolve) => trainer.stdout.once('data', resolve));
    process.kill(-trainer.pid!, 'SIGINT');
    const [said] = (await Promise.all([
      new Promise((resolve) => trainer.stdout.once('data', resolve)),
      new Promise((resolve) => trainer.once('close', resolve)),
    ])) as [Buffer, number];
    const [before, after] = JSON.parse(said.toString()) as [string, string];
    assert.equal(after, before, 'the same host, so it was not interrupted');
    await until(() => processStart(Number(before)) === 'gone', 'the host in the endless loop has ended');
  });

  it('refuses to open when no host can be started', async () => {
    await assert.rejects(
      openFixtureHosts([tool('app/good.ts', 'good')], {
        workspace: join(root, 'app'),
        nodePath: join(root, 'no-node'),
      }),
      /cannot be started/,
    );
  });
});

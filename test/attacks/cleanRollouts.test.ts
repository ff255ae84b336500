/** Each rollout starts clean: nothing that an earlier one wrote, set, patched or left running is there for the next. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestHosts } from '../tools/hostsFixture';
import { valueOf } from '../tools/hostsFixture';
import { toolWorkspace } from './toolWorkspace';

const TOOLS = `
import * as fs from 'node:fs';
import * as net from 'node:net';
import * as os from 'node:os';
import * as path from 'node:path';
import * as timers from 'node:timers';
import { EventEmitter } from 'node:events';

export const places = () => ({ tmp: os.tmpdir(), env: process.env.TMPDIR, made: fs.mkdtempSync(path.join(os.tmpdir(), 'x-')) });
export function leaveFiles(): string {
  const tmp = os.tmpdir();
  fs.writeFileSync(path.join(tmp, 'secret.txt'), 'of the first');
  fs.writeFileSync(path.join(tmp, '..', 'beside.txt'), 'of the first');
  fs.mkdirSync(path.join(tmp, '..', 'folder'));
  fs.writeFileSync(path.join(tmp, '..', 'folder', 'deep.txt'), 'of the first');
  return tmp;
}
export function findFiles({ before }: { before: string }): string[] {
  const list = (folder: string): string[] => {
    try {
      return fs.readdirSync(folder, { recursive: true } as never) as unknown as string[];
    } catch {
      return [];
    }
  };
  const own = [os.tmpdir(), path.join(os.tmpdir(), '..'), before, path.join(before, '..')];
  return own.flatMap(list).filter((name) => /secret|beside|deep|folder/.test(name));
}
const OBJECTS = (): [any, string][] => [
  [fs.promises, 'readFile'], [net.Socket.prototype, 'connect'], [EventEmitter.prototype, 'emit'],
  [require('node:fs'), 'readFileSync'], [require('node:os'), 'tmpdir'], [fs.ReadStream.prototype, '_read'], [Buffer.prototype, 'toString'], [URL.prototype, 'toString'],
];
export function patch(): number {
  for (const [object, name] of OBJECTS()) object[name] = Object.assign(function patched() {}, { isPatched: true });
  return OBJECTS().length;
}
export const patched = () => OBJECTS().filter(([object, name]) => object[name].isPatched).map(([, name]) => name);
export function tick(): string {
  const file = path.join(os.tmpdir(), '..', 'ticks');
  timers.setInterval(() => fs.appendFileSync(file, 'x'), 5);
  return file;
}
export const ticks = ({ file }: { file: string }) => { try { return fs.readFileSync(file, 'utf8').length; } catch { return 0; } };
export const setEnv = () => { process.env.LEFT = 'yes'; process.env.TMPDIR = '/elsewhere'; return 1; };
export const env = () => [process.env.LEFT ?? null, process.env.TMPDIR === os.tmpdir()];
export const pid = () => process.pid;
`;

describe('attacks: what a rollout leaves behind', function () {
  this.timeout(60_000);
  const packages = {
    'node_modules/counts/package.json': '{ "name": "counts", "main": "main.js" }',
    'node_modules/counts/main.js': `let n = 0; const cache = {}; module.exports = { next: () => ++n, cache, set: () => { process.env.FROM_PACKAGE = 'yes'; }, get: () => process.env.FROM_PACKAGE ?? null, tmp: () => require('os').tmpdir(), sub: require('./sub') };`,
    'node_modules/counts/sub.js': 'exports.list = [];',
    'node_modules/modern/package.json': '{ "name": "modern", "type": "module", "exports": "./main.js" }',
    'node_modules/modern/main.js': 'let n = 0; export const next = () => ++n; export const seen = new Set();',
    'node_modules/zod/package.json': '{ "name": "zod", "main": "main.js" }',
    'node_modules/zod/main.js':
      'class Type { parse(value) { return value; } check() {} } module.exports = { Type, settings: { list: null } };',
    'defining.ts': `
      import * as zod from 'zod';
      const own = require('zod');
      export function leave() {
        Object.assign(own, { left: 1 });
        own.settings.list = [1];
        zod.Type.prototype.parse = Object.assign(() => 0, { left: 1 });
        try { Object.defineProperty(zod, 'left', { value: 1, configurable: true }); } catch {}
        return process.pid;
      }
      export const left = () => [own.left ?? null, (zod as any).left ?? null, own.settings.list, (zod.Type.prototype.parse as any).left ?? null];`,
    'packages.ts': `
      import counts from 'counts';
      import { next, seen } from 'modern';
      import * as os from 'node:os';
      export function remember() { counts.cache.x = 1; counts.sub.list.push(1); seen.add('x'); counts.set(); return [counts.next(), next()]; }
      export const remembers = () => [counts.next(), next(), counts.cache.x ?? null, counts.sub.list.length, seen.size, counts.get(), counts.tmp() === os.tmpdir()];`,
  };
  const workspace = toolWorkspace({ 'tools.ts': TOOLS, ...packages });
  let opened: TestHosts;
  before(async () => {
    const names = ['places', 'leaveFiles', 'findFiles', 'patch', 'patched', 'tick', 'ticks', 'setEnv', 'env', 'pid'];
    opened = await workspace.open(
      [
        ...names.map((name) => `tools.ts ${name}`),
        'packages.ts remember',
        'packages.ts remembers',
        'defining.ts leave',
        'defining.ts left',
      ],
      { size: 1 },
    );
  });
  after(async () => {
    await opened.hosts.close();
    workspace.remove();
  });
  const once = async (name: string, args: Record<string, unknown> = {}): Promise<unknown> => {
    const session = opened.hosts.open(name);
    const result = await session.call(name, args);
    session.close();
    assert.equal(result.kind, 'ok', result.content);
    return valueOf(result);
  };
  /** In the next rollouts: as many as visit the same process and its spare. */
  const then = async (name: string, args: Record<string, unknown>, expected: unknown) => {
    for (let i = 0; i < 4; i++) assert.deepEqual(await once(name, args), expected, `rollout ${i}`);
  };

  it('os.tmpdir() is its own folder, on disk and in its environment', async () => {
    const { tmp, env, made } = (await once('places')) as Record<string, string>;
    assert.equal(tmp, env);
    assert.notEqual(tmp, tmpdir());
    assert.ok(made!.startsWith(tmp!));
  });

  it('files: neither in its folder nor beside it', async () => {
    const before = (await once('leaveFiles')) as string;
    await then('findFiles', { before }, []);
    assert.equal(existsSync(join(before, 'secret.txt')), false);
    assert.equal(existsSync(join(before, '..', 'beside.txt')), false);
  });

  it('what it patched, as deep as classes of built-ins', async () => {
    assert.equal(await once('patch'), 8);
    await then('patched', {}, []);
  });

  it('timers of a built-in, which its realm does not know', async () => {
    const file = (await once('tick')) as string;
    // A trainer that computes hears late that the host is not clean; until then the timer writes on.
    for (const until = performance.now() + 200; performance.now() < until; );
    for (let i = 0; i < 100 && existsSync(dirname(file)); i++) await sleep(50);
    await sleep(100);
    assert.equal(existsSync(file), false);
    await then('ticks', { file }, 0);
  });

  it('its environment', async () => {
    await once('setEnv');
    await then('env', {}, [null, true]);
  });

  it('what packages remember, CommonJS and ES modules, and what they set', async () => {
    assert.deepEqual(await once('remember'), [1, 1]);
    await then('remembers', {}, [1, 1, null, 0, 0, null, true]);
  });

  it('what it set on a package that only defines tools', async () => {
    await once('leave');
    for (let i = 0; i < 3; i++) await then('left', {}, [null, null, null, null]);
  });

  it('a rollout that left nothing gives its process to the next', async () => {
    const pids: unknown[] = [];
    for (let i = 0; i < 8; i++) pids.push(await once('pid'));
    assert.ok(new Set(pids).size <= 2, pids.join());
  });

  it('files of a rollout that is open are not readable from another', async () => {
    const [one, other] = [opened.hosts.open('one'), opened.hosts.open('other')];
    const before = valueOf(await one.call('leaveFiles', {})) as string;
    assert.ok(existsSync(join(before, 'secret.txt')));
    assert.deepEqual(valueOf(await other.call('findFiles', { before })), []);
    one.close();
    other.close();
  });
});

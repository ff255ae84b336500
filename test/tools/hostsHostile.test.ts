import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ToolResult } from '../../trainer/protocol/trace';
import { fixtureTool, FIXTURES, openFixtureHosts, valueOf, type TestHosts } from './hostsFixture';

const NAMES = [
  'visit',
  'hangSync',
  'hangAfterAwait',
  'hangInMicrotasks',
  'neverResolves',
  'hangInToJson',
  'hangInThen',
  'sleepsForever',
  'exits',
  'exitsAndCatches',
  'exitsLater',
  'exitsForReal',
  'throwsError',
  'throwsText',
  'throwsTrap',
  'rejects',
  'rejectsBeside',
  'throwsLater',
  'throwsAfterAnswer',
  'overflowsStack',
  'floodText',
  'floodList',
  'longText',
  'floodConsole',
  'returnsFunction',
  'returnsBigint',
  'returnsSymbol',
  'returnsUndefined',
  'returnsCycle',
  'returnsMap',
  'writesOutside',
  'writesInside',
  'spawns',
  'readsSecrets',
  'readsDescriptors',
  'kills',
  'allocates',
  'allocatesBuffers',
  'pollutes',
  'looksForTraces',
  'writesToChannel',
  'swallowsAnswers',
] as const;
type Name = (typeof NAMES)[number];
const tools = NAMES.map((name) => fixtureTool('hostile.ts', name));
/** Short, since many tools wait for it; long enough for the others on a machine that is busy. */
const TIMEOUT_MS = 1500;

describe('tool hosts: a hostile file', function () {
  this.timeout(60_000);
  let opened: TestHosts;
  let scratch: string;
  before(async () => {
    process.env.COACH_TEST_API_KEY = 'sk-planted-secret';
    process.env.NODE_OPTIONS_PLANTED = 'planted too';
    scratch = mkdtempSync(join(tmpdir(), 'coach-hostile-'));
    opened = await openFixtureHosts(tools, {
      timeoutMs: TIMEOUT_MS,
      scratchRoot: scratch,
      envAllow: ['NODE_OPTIONS_PLANTED', 'COACH_NOT_SET'],
    });
  });
  after(async () => {
    await opened.hosts.close();
    delete process.env.COACH_TEST_API_KEY;
    delete process.env.NODE_OPTIONS_PLANTED;
    assert.equal(existsSync(scratch), false, 'the scratch folder is deleted at close');
  });

  /** One call in a rollout of its own, after which another tool still works there. */
  async function call(name: Name, args: Record<string, unknown> = {}): Promise<ToolResult> {
    const session = opened.hosts.open(name);
    const result = await session.call(name, args);
    const next = await session.call('visit', {});
    assert.equal(next.kind, 'ok', `the rollout goes on after ${name}: ${next.content}`);
    session.close();
    return result;
  }

  const kinds: [Name, ToolResult['kind'], RegExp][] = [
    ['hangSync', 'timeout', /did not finish in 1500 ms/],
    ['neverResolves', 'timeout', /did not finish/],
    ['hangInToJson', 'timeout', /did not finish/],
    ['hangInThen', 'timeout', /did not finish/],
    ['sleepsForever', 'timeout', /did not finish/],
    ['hangAfterAwait', 'timeout', /could not be interrupted/],
    ['hangInMicrotasks', 'timeout', /did not finish/],
    ['exits', 'exited', /process\.exit\(3\)/],
    ['exitsAndCatches', 'exited', /process\.exit\(0\)/],
    ['exitsLater', 'exited', /process\.exit\(1\)/],
    ['exitsForReal', 'exited', /process\.exit\(4\)/],
    ['throwsError', 'threw', /TypeError: no such thing/],
    ['throwsText', 'threw', /just text/],
    ['throwsTrap', 'threw', /cannot be read/],
    ['rejects', 'threw', /RangeError: not in range/],
    ['rejectsBeside', 'lateRejection', /left alone/],
    ['throwsLater', 'lateRejection', /late/],
    ['overflowsStack', 'threw', /RangeError/],
    ['returnsFunction', 'notJson', /function/],
    ['returnsBigint', 'ok', /^"12345678901234567890"$/],
    ['returnsSymbol', 'notJson', /symbol/],
    ['returnsCycle', 'notJson', /circular/],
    ['returnsUndefined', 'ok', /^null$/],
    ['writesToChannel', 'hostDied', /not a message/],
    ['swallowsAnswers', 'timeout', /could not be interrupted/],
  ];
  for (const [name, kind, text] of kinds) {
    it(`${name}: ${kind}`, async () => {
      const result = await call(name);
      assert.equal(result.kind, kind, result.content);
      assert.match(result.content, text);
      assert.ok(Buffer.byteLength(result.content) < 4096 + 200);
    });
  }

  it('cuts a long text in the middle and marks it', async () => {
    const result = await call('longText'); // 20,000 x 2 bytes of é; the limit is 4096 bytes
    assert.equal(result.kind, 'ok');
    assert.equal(result.isCut, true);
    assert.match(result.content, /^"head é+…\[\d+ characters cut\]…é+ tail"$/);
    const bytes = Buffer.byteLength(result.content);
    assert.ok(bytes > 4000 && bytes < 4200, `${bytes} bytes`);
  });

  it('writes maps, sets, bytes and dates as the return schema says', async () => {
    assert.deepEqual(valueOf(await call('returnsMap')), {
      map: { a: 1 },
      pairs: [[1, 2]],
      set: [1, 2],
      bytes: 'AQID',
      when: '1970-01-01T00:00:00.000Z',
    });
  });

  it('writes nothing outside its scratch folder', async () => {
    const before = readdirSync(FIXTURES).sort();
    const outside = [
      join(FIXTURES, 'planted'),
      join(tmpdir(), `planted-${process.pid}`),
      join(process.cwd(), `planted-${process.pid}`),
      join(scratch, 'planted'),
    ];
    const result = valueOf(await call('writesOutside', { paths: outside })) as string[][];
    assert.deepEqual(
      result.flat(),
      result.flat().map(() => 'ERR_ACCESS_DENIED'),
    );
    for (const path of outside) assert.ok(!existsSync(path) && !existsSync(`${path}.d`));
    assert.deepEqual(readdirSync(FIXTURES).sort(), before);
    assert.deepEqual(valueOf(await call('writesInside')), { text: 'mine', tmp: 'done: undefined' });
  });

  it('starts no program and no worker', async () => {
    const mark = join(tmpdir(), `mark-${process.pid}`);
    const result = valueOf(await call('spawns', { mark })) as string[];
    assert.deepEqual(result, ['ERR_ACCESS_DENIED', 'ERR_ACCESS_DENIED', 'ERR_ACCESS_DENIED']);
    assert.equal(existsSync(mark), false);
  });

  it('sees no key of ours', async () => {
    const result = await call('readsSecrets', { parentPid: process.pid });
    assert.equal(result.kind, 'ok', result.content);
    assert.doesNotMatch(result.content, /planted/);
    const { env, realEnv, sent, ...files } = valueOf(result) as Record<string, unknown> & {
      env: object;
      realEnv: object;
    };
    for (const [name, content] of Object.entries(files))
      assert.match(String(content), /^E(RR_ACCESS_DENIED|ACCES|NOENT)$/, name);
    assert.equal(sent, 'undefined');
    const allowed = /^(LANG|LC_ALL|LC_CTYPE|TZ|TMPDIR|TMP|TEMP|ELECTRON_RUN_AS_NODE)$/;
    for (const name of [...Object.keys(env), ...Object.keys(realEnv)]) assert.match(name, allowed);
  });

  it('inherits no descriptor of ours but its channel', async () => {
    const file = await import('node:fs/promises').then(({ open }) => open(join(FIXTURES, 'data.json')));
    const { ino } = await file.stat();
    // started while the file is open; nothing ran there before
    const own = await openFixtureHosts(tools, { timeoutMs: TIMEOUT_MS, size: 1 });
    const found = valueOf(await own.hosts.open('descriptors').call('readsDescriptors', {})) as string[];
    await own.hosts.close();
    await file.close();
    assert.deepEqual(
      found.filter((entry) => entry.endsWith(':socket')),
      ['2:socket', '3:socket'],
    ); // 2: its last words, read and cut by us
    // its own status file, but not data.json
    assert.ok(!found.some((entry) => entry.endsWith(`file ${ino}`)), found.join());
  });

  it('cannot signal us', async () => {
    let signals = 0;
    const count = () => void signals++;
    process.on('SIGTERM', count);
    const result = valueOf(await call('kills', { pid: process.pid })) as string[];
    process.off('SIGTERM', count);
    assert.ok(
      result.every((text) => /not available/.test(text)),
      result.join(),
    );
    assert.equal(signals, 0);
  });

  it('finds no trace of an earlier rollout, in its modules or in what rollouts share', async () => {
    const first = opened.hosts.open('polluter');
    assert.equal((await first.call('pollutes', {})).kind, 'ok');
    first.close();
    for (let i = 0; i < 4; i++) {
      const session = opened.hosts.open(`after ${i}`); // both hosts are visited
      const found = valueOf(await session.call('looksForTraces', { file: join(FIXTURES, 'data.json') }));
      assert.deepEqual(found, {
        map: 2,
        object: null,
        buffer: 'abc',
        file: readFileSync(join(FIXTURES, 'data.json'), 'utf8').trim(),
        json: '{"a":1}',
        url: 'URL',
        env: null,
      });
      session.close();
    }
  });

  it('blames no tool for a rollout that ends while it runs', async () => {
    const before = opened.notes.length;
    for (let i = 0; i < 3; i++) {
      const session = opened.hosts.open('ends');
      assert.equal((await session.call('visit', {})).kind, 'ok');
      const running = session.call('neverResolves', {});
      await new Promise((resolve) => setTimeout(resolve, 50));
      session.close();
      const { kind, content } = await running;
      assert.equal(kind, 'refused', content);
    }
    assert.deepEqual(opened.notes.slice(before), []);
  });

  it('notes once what threw after its answer', async () => {
    for (let i = 0; i < 2; i++) {
      const session = opened.hosts.open('late');
      assert.equal((await session.call('throwsAfterAnswer', {})).kind, 'ok');
      await new Promise((resolve) => setTimeout(resolve, 150));
      assert.equal((await session.call('visit', {})).kind, 'ok');
      session.close();
    }
    assert.equal(opened.notes.filter((note) => note.includes('throwsAfterAnswer')).length, 1, opened.notes.join('\n'));
  });
});

describe('tool hosts: bounded', function () {
  this.timeout(180_000);

  it('ends floods and greed by size, not by time', async () => {
    const { hosts } = await openFixtureHosts(tools, { timeoutMs: 30_000 });
    const kinds: [Name, ToolResult['kind'], RegExp][] = [
      ['floodText', 'outputTooLarge', /far over the limit/],
      ['floodList', 'outputTooLarge', /far over the limit/],
      ['floodConsole', 'ok', /quiet/],
      ['allocates', 'hostDied', /out of memory/],
      ['allocatesBuffers', 'hostDied', /MB of memory/],
    ];
    for (const [name, kind, text] of kinds) {
      const session = hosts.open(name);
      const result = await session.call(name, {});
      assert.equal(result.kind, kind, `${name}: ${result.content}`);
      assert.match(result.content, text);
      assert.ok(Buffer.byteLength(result.content) < 4096 + 200);
      assert.equal(valueOf(await session.call('visit', {})), 1);
      session.close();
    }
    await hosts.close();
  });

  it('blames the tool that took the memory, and nobody else', async () => {
    const { hosts } = await openFixtureHosts(tools, { timeoutMs: 30_000 });
    const results = await Promise.all(
      Array.from({ length: 12 }, async (_, i) => {
        const session = hosts.open(`memory ${i}`);
        await session.call('visit', {});
        const middle = await session.call(i % 4 === 0 ? 'allocates' : 'throwsLater', {});
        const count = valueOf(await session.call('visit', {}));
        session.close();
        return { kind: middle.kind, count };
      }),
    );
    assert.deepEqual(
      results,
      results.map((_, i) => ({ kind: i % 4 === 0 ? 'hostDied' : 'lateRejection', count: 2 })),
    );
    await hosts.close();
  });

  it('keeps the module state of other rollouts when a host is lost', async () => {
    const { hosts } = await openFixtureHosts(tools, { timeoutMs: 1000, size: 1 });
    const [steady, killer] = [hosts.open('steady'), hosts.open('killer')];
    for (let i = 1; i <= 3; i++) assert.equal(valueOf(await steady.call('visit', {})), i);
    assert.equal((await killer.call('hangAfterAwait', {})).kind, 'timeout');
    assert.equal(valueOf(await steady.call('visit', {})), 4); // 3 calls were replayed in a new host
    await hosts.close();
  });

  it('gives a tool one second after three timeouts, and says so once', async () => {
    const { hosts, notes } = await openFixtureHosts(tools, { timeoutMs: 1500 });
    const durations: number[] = [];
    for (let i = 0; i < 5; i++) {
      const session = hosts.open(`slow ${i}`);
      durations.push((await session.call('neverResolves', {})).durationMs);
      session.close();
    }
    assert.ok(
      durations.slice(0, 3).every((ms) => ms >= 1490),
      String(durations),
    );
    assert.ok(
      durations.slice(3).every((ms) => ms < 1450),
      String(durations),
    );
    assert.equal(notes.filter((note) => note.includes('timed out 3 times')).length, 1);
    await hosts.close();
  });

  it('ends 64 rollouts that mix everything in bounded time, with the right kinds', async () => {
    const { hosts } = await openFixtureHosts(tools, { timeoutMs: 1500 });
    const expected: [Name, ToolResult['kind']][] = [
      ['visit', 'ok'],
      ['hangSync', 'timeout'],
      ['throwsError', 'threw'],
      ['neverResolves', 'timeout'],
      ['exits', 'exited'],
      ['returnsCycle', 'notJson'],
      ['hangAfterAwait', 'timeout'],
      ['rejectsBeside', 'lateRejection'],
      ['floodList', 'outputTooLarge'],
      ['visit', 'ok'],
      ['writesToChannel', 'hostDied'],
      ['returnsMap', 'ok'],
      ['throwsLater', 'lateRejection'],
      ['longText', 'ok'],
      ['exitsForReal', 'exited'],
      ['visit', 'ok'],
    ];
    const from = performance.now();
    const results = await Promise.all(
      Array.from({ length: 64 }, async (_, i) => {
        const [name, kind] = expected[i % expected.length]!;
        const session = hosts.open(`mixed ${i}`);
        const first = await session.call('visit', {});
        const middle = await session.call(name, {});
        const last = await session.call('visit', {});
        session.close();
        return { name, kind, middle, counts: [valueOf(first), valueOf(last)] };
      }),
    );
    const seconds = (performance.now() - from) / 1000;
    console.log(`      64 hostile rollouts: ${seconds.toFixed(1)} s`);
    for (const { name, kind, middle, counts } of results) {
      assert.equal(middle.kind, kind, `${name}: ${middle.content}`);
      assert.deepEqual(counts, [1, name === 'visit' ? 3 : 2], `${name} leaves the rollout's state`);
    }
    assert.ok(seconds < 150); // about 15 s on two free cores
    await hosts.close();
  });
});

import assert from 'node:assert/strict';
import { fixtureTool as tool, FIXTURES, openFixtureHosts, valueOf, type TestHosts } from './hostsFixture';

const number = { type: 'number' };

const tools = [
  tool('harmless.ts', 'add', {
    takes: ['a', 'b'],
    parameters: {
      type: 'object',
      properties: { a: number, b: { ...number, default: 10 } },
      required: ['a'],
      additionalProperties: false,
    },
  }),
  tool('harmless.ts', 'greet', { takes: ['name', 'polite'] }),
  tool('harmless.ts', 'count', { takes: [] }),
  tool('harmless.ts', 'readData', { takes: [] }),
  tool('harmless.ts', 'failsToRead', { takes: [] }),
  tool('harmless.ts', 'nothing', { takes: [] }),
  tool('harmless.ts', 'slow', { takes: ['ms'] }),
  tool('harmless.ts', 'waits', { takes: [], binding: { injectsSignal: true } }),
  tool('harmless.ts', 'sumOf', { binding: { positional: [{ name: 'first' }, { name: 'rest', isRest: true }] } }),
  tool('harmless.ts', 'revived', {
    binding: { revive: { when: 'Date', names: 'Set', table: 'Map', size: 'bigint', bytes: 'bytes' } },
  }),
  tool('harmless.ts', 'next', { takes: [], binding: { exportName: 'Counter', member: 'next' } }),
  tool('harmless.ts', 'zero', { takes: [], binding: { exportName: 'Counter', member: 'zero', isStatic: true } }),
  tool('harmless.ts', 'name', {
    takes: ['suffix'],
    binding: { exportName: 'shared', member: 'name', isInstance: true },
  }),
  tool('harmless.ts', 'missing', { takes: [] }),
  tool('topLevelAwait.ts', 'fromTop', { takes: [] }),
  tool('broken.ts', 'neverThere', { takes: [] }),
];

describe('tool hosts: a harmless file', function () {
  this.timeout(30_000);
  let opened: TestHosts;
  before(async () => (opened = await openFixtureHosts(tools)));
  after(() => opened.hosts.close());

  const ok = async (name: string, args: Record<string, unknown> = {}) => {
    const session = opened.hosts.open('once');
    const result = await session.call(name, args);
    session.close();
    assert.equal(result.kind, 'ok', result.content);
    assert.equal(result.policy, 'real');
    return valueOf(result);
  };

  it('calls functions, static and instance methods, instances, with positional, rest and revived parameters', async () => {
    assert.equal(await ok('add', { a: 1, b: 2 }), 3);
    assert.deepEqual(await ok('greet', { name: 'Ada', polite: true }), { text: 'dear hello Ada' });
    assert.equal(await ok('sumOf', { first: 1, rest: [2, 3] }), 6);
    assert.equal(await ok('next'), 12); // 10 + Counter.step
    assert.equal(await ok('zero'), 0);
    assert.equal(await ok('name', { suffix: 'y' }), 'xy');
    assert.deepEqual(
      await ok('revived', {
        when: '1970-01-01T00:00:00Z',
        names: ['a'],
        table: { b: 2 },
        size: '12345678901234567890',
        bytes: 'AQID',
      }),
      {
        when: '1970-01-01T00:00:00.000Z',
        names: ['a'],
        table: [['b', 2]],
        size: '12345678901234567890',
        bytes: [1, 2, 3],
      },
    );
  });

  it('validates the arguments first and applies defaults', async () => {
    assert.equal(await ok('add', { a: 1 }), 11);
    const session = opened.hosts.open('invalid');
    const args = { a: 'one', c: 1 };
    const result = await session.call('add', args);
    assert.equal(result.kind, 'invalidArguments');
    assert.match(result.content, /a must be number/);
    assert.match(result.content, /must not have 'c'/);
    assert.deepEqual(args, { a: 'one', c: 1 }); // ours to read, not to change
    assert.equal((await session.call('nope', {})).kind, 'unknownTool');
    session.close();
  });

  it('imports files, JSON and built-ins, sees the workspace, and knows errors of built-ins for errors', async () => {
    assert.deepEqual(await ok('readData'), { imported: 42, read: 42, relative: FIXTURES });
    assert.equal(await ok('failsToRead'), 'an Error');
    assert.equal(await ok('nothing'), null);
  });

  it('awaits at top level, in order and once per rollout', async () => {
    assert.deepEqual(await ok('fromTop'), { offset: 40, calls: 1, url: true });
    const session = opened.hosts.open('await');
    await session.call('fromTop', {});
    assert.deepEqual(valueOf(await session.call('fromTop', {})), { offset: 40, calls: 2, url: true });
    session.close();
  });

  it('gives each rollout its own module instance', async () => {
    const [first, second] = [opened.hosts.open('1'), opened.hosts.open('2')];
    assert.equal(valueOf(await first.call('count', {})), 1);
    assert.equal(valueOf(await first.call('count', {})), 2);
    assert.equal(valueOf(await second.call('count', {})), 1);
    assert.equal(valueOf(await first.call('next', {})), 12);
    assert.equal(valueOf(await first.call('next', {})), 14); // the class instance is the rollout's
    first.close();
    second.close();
  });

  it('runs calls side by side', async () => {
    const sessions = Array.from({ length: 8 }, (_, i) => opened.hosts.open(`side ${i}`));
    await Promise.all(sessions.map((session) => session.call('add', { a: 0 })));
    const from = performance.now();
    await Promise.all(sessions.map((session) => session.call('slow', { ms: 200 })));
    assert.ok(performance.now() - from < 1200, 'eight calls of 200 ms do not queue'); // 1600 ms in a row
    for (const session of sessions) session.close();
  });

  it('ends a cancelled call at once and tells the tool', async () => {
    const session = opened.hosts.open('cancelled');
    const controller = new AbortController();
    const call = session.call('waits', {}, controller.signal);
    setTimeout(() => controller.abort(), 50);
    const result = await call;
    assert.equal(result.kind, 'refused');
    assert.match(result.content, /cancelled/);
    assert.equal((await session.call('add', { a: 1 })).content, '11');
    session.close();
    assert.equal((await session.call('add', { a: 1 })).kind, 'refused');
    session.close();
  });

  it('says at the call, and once at the start, what does not load or is not there', async () => {
    const session = opened.hosts.open('broken');
    const broken = await session.call('neverThere', {});
    assert.equal(broken.kind, 'threw');
    assert.match(broken.content, /broken at load/);
    assert.match((await session.call('missing', {})).content, /has no export 'missing'/);
    assert.equal(opened.notes.filter((note) => note.includes('broken.ts')).length, 1);
    session.close();
  });

  it('proves its walls by process.permission', () => {
    assert.deepEqual(
      { ...opened.hosts.walls, why: '' },
      { filesystem: true, childProcesses: true, network: false, why: '' },
    );
    assert.match(opened.hosts.walls.why, /permission model/);
  });

  it('has a host for each of many rollouts that are open at once, all of them waiting for each other', async () => {
    const sessions = Array.from({ length: 40 }, (_, i) => opened.hosts.open(`many ${i}`)); // 32 at first
    const counts = await Promise.all(sessions.map(async (session) => valueOf(await session.call('count', {}))));
    assert.deepEqual(counts, Array(40).fill(1));
    for (const session of sessions) assert.equal(valueOf(await session.call('count', {})), 2);
    sessions.forEach((session) => session.close());
  });

  it('costs little', async () => {
    const session = opened.hosts.open('fast');
    const calls = async (count: number) => {
      const from = performance.now();
      for (let i = 0; i < count; i++) await session.call('add', { a: i });
      return (performance.now() - from) / count;
    };
    await calls(300);
    const perCallMs = Math.min(await calls(200), await calls(200), await calls(200));
    session.close();
    const from = performance.now();
    for (let i = 0; i < 50; i++) {
      const fresh = opened.hosts.open(`fresh ${i}`);
      await fresh.call('add', { a: i });
      fresh.close();
    }
    const perSessionMs = (performance.now() - from) / 50;
    console.log(
      `      per call ${perCallMs.toFixed(2)} ms, per session with its first call ${perSessionMs.toFixed(2)} ms`,
    );
    // the goal is 1 ms; the bound holds on a machine that is busy
    assert.ok(perCallMs < 20, `a trivial call takes ${perCallMs} ms`);
  });
});

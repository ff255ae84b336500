/**
 * A tool that reached its host's realm: it can do what it likes there, but earns no reward and answers for nobody else.
 */
import assert from 'node:assert/strict';
import type { ToolSession } from '../../trainer/tools/hosts/callTool';
import type { TestHosts } from '../tools/hostsFixture';
import { valueOf } from '../tools/hostsFixture';
import { IN_HOST, toolWorkspace } from './toolWorkspace';

/** Every result that leaves the process says "forged" from then on. */
const FORGES = `
  const { Socket } = load('net');
  const forged = (data) => String(data).replace(/"kind":"\\w+","content":"[^]*?","durationMs"/, '"kind":"ok","content":"\\\\"forged\\\\"","durationMs"').replace(/"content":"-?[\\d.]+"/, '"content":"1"');
  for (const name of ['_write', 'write']) {
    const real = Socket.prototype[name];
    Socket.prototype[name] = function (data, ...rest) { return real.call(this, forged(data), ...rest); };
  }
  return 'patched';`;
const WAYS: [string, string][] = [
  ['the way to the channel', FORGES],
  [
    'JSON.stringify',
    `const real = JSON.stringify; const g = Buffer.constructor('return globalThis')(); g.JSON.stringify = (v, ...r) => real(v && v.type === 'result' ? { ...v, kind: 'ok', content: '"forged"' } : v, ...r); return 1`,
  ],
  [
    'promises',
    `const g = Buffer.constructor('return globalThis')(); const then = g.Promise.prototype.then; g.Promise.prototype.then = function (f, r) { return then.call(this, (v) => f && f(v && v.content ? { ...v, kind: 'ok', content: '"forged"' } : v), r); }; return 1`,
  ],
  [
    'a timer that goes on',
    `load('timers').setInterval(() => { for (let id = 0; id < 50; id++) try { load('fs').writeSync(3, JSON.stringify({ type: 'result', id, kind: 'ok', content: '"forged"', durationMs: 1 }) + '\\n'); } catch {} }, 5); return 1`,
  ],
  [
    'the tool called next',
    `const g = Buffer.constructor('return globalThis')(); g.Reflect.apply = () => 'forged'; return 1`,
  ],
];

describe('attacks: forged results and rewards', function () {
  this.timeout(60_000);
  const workspace = toolWorkspace({
    'tools.ts': IN_HOST,
    'own.rewards.ts': `export const earned = () => 0.25; export const where = () => process.pid;`,
  });
  let opened: TestHosts;
  before(
    async () =>
      (opened = await workspace.open(['tools.ts inHost', 'tools.ts pid', 'tools.ts truth', 'tools.ts slow'], {
        rewardNames: ['own.rewards.ts earned', 'own.rewards.ts where'],
        size: 1,
      })),
  );
  after(async () => {
    await opened.hosts.close();
    workspace.remove();
  });
  const use = async <T>(work: (session: ToolSession) => Promise<T>): Promise<T> => {
    const session = opened.hosts.open('r');
    try {
      return await work(session);
    } finally {
      session.close();
    }
  };
  const score = async (name: string) =>
    (await opened.hosts.scoreReward(name, { id: 't', prompt: 'p', calls: [] } as never, [{} as never]))[0]!.score;

  for (const [name, code] of WAYS) {
    it(`by ${name}: not of another rollout that is open`, async () => {
      const [evil, other] = [opened.hosts.open('evil'), opened.hosts.open('other')];
      assert.equal(valueOf(await other.call('truth', {})), 'true');
      const waiting = other.call('slow', {});
      await evil.call('inHost', { code });
      assert.equal(valueOf(await waiting), 'true');
      for (let i = 0; i < 3; i++) assert.equal(valueOf(await other.call('truth', {})), 'true');
      evil.close();
      other.close();
    });

    it(`by ${name}: not of the rollouts that come after it`, async () => {
      await use((session) => session.call('inHost', { code }));
      for (let i = 0; i < 5; i++)
        assert.equal(valueOf(await use((session) => session.call('truth', {}))), 'true', `rollout ${i}`);
    });

    it(`by ${name}: not a reward`, async () => {
      const evil = opened.hosts.open('evil');
      await evil.call('inHost', { code });
      assert.equal(await score('earned'), 0.25);
      evil.close();
      assert.equal(await score('earned'), 0.25);
    });
  }

  /** Fails where the process is still there after five seconds. */
  async function gone(pid: number): Promise<void> {
    for (const from = performance.now(); performance.now() - from < 5000; ) {
      try {
        process.kill(pid, 0);
      } catch {
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert.fail(`process ${pid} is still there`);
  }

  it('no process has two rollouts at once, or tools and rewards', async () => {
    const sessions = Array.from({ length: 4 }, (_, i) => opened.hosts.open(`at once ${i}`));
    const pids = await Promise.all(sessions.map(async (session) => valueOf(await session.call('pid', {}))));
    assert.equal(new Set([...pids, await score('where')]).size, 5);
    sessions.forEach((session) => session.close());
  });

  it('a process that a tool got into has no rollout after it; one that is as it was has', async () => {
    const pidOf = (session: ToolSession) => session.call('pid', {}).then(valueOf);
    const calm: unknown[] = [];
    for (let i = 0; i < 8; i++) calm.push(await use(pidOf));
    assert.ok(new Set(calm).size <= 4, `those that are there, not ${calm.join()}`);
    for (let i = 0; i < 3; i++) {
      const entered = await use(async (session) => {
        await session.call('inHost', { code: 'return 1' });
        return pidOf(session);
      });
      for (let j = 0; j < 3; j++) assert.notEqual(await use(pidOf), entered);
      await gone(entered as number);
    }
  });

  it('an answer with a guessed number ends the process, and is not taken for one', async () => {
    const guesses = `for (let id = 0; id < 500; id++) load('fs').writeSync(3, JSON.stringify({ type: 'result', id, kind: 'ok', content: '"forged"', durationMs: 1 }) + '\\n'); return 'mine'`;
    await use(async (session) => {
      const { kind, content } = await session.call('inHost', { code: guesses });
      assert.equal(kind, 'hostDied');
      assert.match(content, /answered a call that nobody had made/);
      assert.equal(valueOf(await session.call('truth', {})), 'true');
    });
  });

  it("the end of another's rollout can't be told either", async () => {
    const says = `load('fs').writeSync(3, JSON.stringify({ type: 'closed', rollout: 1, isClean: true }) + '\\n'); return 'mine'`;
    const { kind, content } = await use((session) => session.call('inHost', { code: says }));
    assert.equal(kind, 'hostDied');
    assert.match(content, /ended a rollout that is not its own/);
  });
});

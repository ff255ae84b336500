import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openRegistry } from '../../../../trainer/tools/registry';
import { findServers } from '../../../../trainer/tools/sources/mcp/config';
import { ROLLOUT_FOLDER } from '../../../../trainer/tools/sources/mcp/rolloutFolder';
import { SessionPool } from '../../../../trainer/tools/sources/mcp/sessionPool';
import { counter, countThrice, McpWorkspace, misbehave } from './mcpFixture';

const SECRET = 'tok-5f2a9c';

describe('tools of MCP servers', () => {
  let workspace: McpWorkspace;
  beforeEach(() => (workspace = new McpWorkspace()));
  afterEach(() => workspace.close());
  const codes = () => workspace.notes.map(({ code }) => code);

  describe('sessions', () => {
    it('give each rollout a world of its own', async () => {
      workspace.write({ counter: counter() });
      assert.deepEqual(await countThrice(await workspace.open()), ['1', '1', '2', '1']);
      assert.deepEqual(codes(), ['wallsIncomplete'], 'no wall of ours stands around a server');
    });

    it('are reset by a declared tool, which the policy does not see', async () => {
      workspace.write({ counter: counter({ coach: { reset: { tool: 'reset_counter' } } }) });
      const source = await workspace.open();
      assert.ok(!(await source.list()).some(({ name }) => name === 'reset_counter'));
      assert.deepEqual(await countThrice(source), ['1', '1', '2', '1']);
    });

    it('are shared where the settings say so, which is noted', async () => {
      workspace.write({ counter: counter({ coach: { reset: 'never' } }) });
      assert.deepEqual(await countThrice(await workspace.open()), ['1', '2', '3', '4']);
      assert.deepEqual(codes(), ['wallsIncomplete', 'sharedWorld']);
    });

    it('of a server that keeps its world in a file are apart where the file lies in a folder of the rollout', async () => {
      const shared = { env: { COUNTER_FILE: '${workspaceFolder}/counter' } };
      workspace.write({ counter: counter(shared) });
      assert.deepEqual(await countThrice(await workspace.open()), ['1', '2', '3', '4'], 'this test would catch it');
      mkdirSync(join(workspace.folder, 'seed'));
      writeFileSync(join(workspace.folder, 'seed', 'counter'), '10');
      const own = { env: { COUNTER_FILE: '${rolloutFolder}/counter' }, cwd: '${rolloutFolder}' };
      for (const [coach, seen] of [
        [{}, ['1', '1', '2', '1']],
        [{ files: 'seed' }, ['11', '11', '12', '11']],
      ] as const) {
        workspace.write({ counter: counter({ ...own, coach }) });
        const source = await workspace.open();
        assert.deepEqual(await countThrice(source), seen);
        const said = `"${JSON.stringify(join(ROLLOUT_FOLDER, 'a file')).slice(1, -1)}"`;
        assert.deepEqual(await misbehave(source, 'path'), ['ok', said], 'by one name, wherever it lies');
        await source.close();
      }
      assert.equal(readFileSync(join(workspace.folder, 'seed', 'counter'), 'utf8'), '10', 'a copy is written to');
    });

    it('are let go of with their rollout', async () => {
      workspace.write({ counter: counter() });
      const [server] = await findServers([{ folder: workspace.folder, names: ['counter'] }]);
      const pool = new SessionPool(server!);
      try {
        for (let i = 0; i < 5; i++) pool.giveBack(await pool.take());
        const { open } = pool as unknown as { open: Set<unknown> };
        assert.ok(open.size <= 4, `${open.size} are held: those that stand ready, and none that has ended`);
      } finally {
        await pool.close();
      }
    });

    it('that are still being opened end with the run', async () => {
      workspace.write({ counter: { command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'] } });
      const [server] = await findServers([{ folder: workspace.folder, names: ['counter'] }]);
      const pool = new SessionPool(server!);
      const taken = assert.rejects(pool.take(), /its opening was stopped/);
      await sleep(100);
      const from = performance.now();
      await pool.close();
      await taken;
      assert.ok(performance.now() - from < 2000, 'without waiting for an answer');
    });
  });

  it('turn whatever a server does into a result', async () => {
    workspace.write({ counter: counter({ env: { COUNTER_TOKEN: '${env:TOKEN}' } }) });
    const source = await workspace.open('counter', { environment: { TOKEN: SECRET } });
    assert.deepEqual(await misbehave(source, 'fail'), ['threw', '{"error":"it fails"}']);
    assert.deepEqual(await misbehave(source, 'picture'), ['ok', '"[image image/png, 5 bytes, not shown]"']);
    assert.deepEqual(await misbehave(source, 'resource'), [
      'ok',
      '["two files","[resource file:///a.txt, not shown]","[resource file:///b.bin, not shown]"]',
    ]);
    assert.deepEqual(await misbehave(source, 'secret'), ['ok', '"[secret]"']);
    assert.equal((await misbehave(source, 'hang'))[0], 'timeout');
    assert.equal((await misbehave(source, 'flood'))[0], 'outputTooLarge');
    const [kind, content] = await misbehave(source, 'die');
    assert.equal(kind, 'hostDied');
    assert.match(content, /ended with code 3/);
  });

  it('that flood us are ended, and the next rollout has a server again', async () => {
    workspace.write({ counter: counter() });
    const source = await workspace.open('counter', undefined, 20_000);
    const [chatter, endless] = [await misbehave(source, 'chatter'), await misbehave(source, 'endless')];
    assert.equal(chatter[0], 'hostDied');
    assert.match(chatter[1], /it sent over 10000 messages in a call/);
    assert.equal(endless[0], 'hostDied');
    assert.match(endless[1], /it wrote a message of over 16 MB/);
    assert.equal((await misbehave(source, 'fail'))[0], 'threw');
  });

  it('do not count as late where their answer came while the trainer computed', async () => {
    workspace.write({ counter: counter() });
    const session = (await workspace.open()).open('1');
    await session.call('add_to_counter', { amount: 1 });
    const answer = session.call('add_to_counter', { amount: 1 });
    await new Promise(setImmediate); // the call is on its way
    for (const until = performance.now() + 800; performance.now() < until; );
    const { kind, content } = await answer;
    session.close();
    assert.deepEqual([kind, content], ['ok', '2']);
  });

  it('may change while it trains: that is said once, and episodes go on with the tools they had', async () => {
    workspace.write({ counter: counter() });
    const source = await workspace.open();
    const changes: string[] = [];
    const registry = await openRegistry([source], {
      seed: 0,
      policyOf: () => 'real',
      ask: async () => 'unavailable',
      note: (_, code, message) => void (code === 'toolsChanged' && changes.push(message)),
    });
    const calls = ['grow', 'grow'].map(async (manner, i) => {
      const session = registry.open(`${i}`);
      await session.call('misbehave', { manner });
      await sleep(600); // the notification has come, and the list has been read once more
      const { kind } = await session.call('grown', {});
      const { content } = await session.call('add_to_counter', { amount: 1 });
      session.close();
      return [kind, content];
    });
    assert.deepEqual(await Promise.all(calls), [
      ['unknownTool', '1'],
      ['unknownTool', '1'],
    ]);
    assert.deepEqual(changes, [
      'the tools of the MCP server counter have changed (grown is new); prompts name those that were there before',
    ]);
    await registry.close();
  });
});

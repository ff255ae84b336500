import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findServers } from '../../../../trainer/tools/sources/mcp/config';
import { ROLLOUT_FOLDER } from '../../../../trainer/tools/sources/mcp/rolloutFolder';
import { SessionPool } from '../../../../trainer/tools/sources/mcp/sessionPool';
import { counter, countThrice, McpWorkspace, misbehave } from './mcpFixture';

describe('sessions with MCP servers', () => {
  let workspace: McpWorkspace;
  beforeEach(() => (workspace = new McpWorkspace()));
  afterEach(() => workspace.close());
  const codes = () => workspace.notes.map(({ code }) => code);

  it('give each rollout a world of its own', async () => {
    workspace.write({ counter: counter() });
    assert.deepEqual(await countThrice(await workspace.open()), ['1', '1', '2', '1']);
    assert.deepEqual(codes(), ['wallsIncomplete'], 'no wall of ours stands around a server');
  });

  it('go on with the next rollout where the one before called read-only tools alone', async () => {
    workspace.write({ counter: counter({ coach: {} }) });
    const source = await workspace.open();
    const rollout = async (...calls: [string, object][]): Promise<string[]> => {
      const session = source.open('1');
      const said: string[] = [];
      for (const [name, args] of calls) said.push((await session.call(name, args as Record<string, unknown>)).content);
      session.close();
      await new Promise(setImmediate);
      return said;
    };
    // add_to_counter says that it is read-only, which is trusted here; reset_counter says nothing
    const add: [string, object] = ['add_to_counter', { amount: 1 }];
    assert.match(workspace.notes.at(-1)!.message, /a session of its own \(but after read-only calls alone\)$/);
    assert.deepEqual(await rollout(add), ['1']);
    assert.deepEqual(await rollout(add), ['2']);
    assert.deepEqual(await rollout(['reset_counter', {}], add), ['0', '1']);
    assert.deepEqual(await rollout(add), ['1'], 'what changes the world ends its session');
  });

  it('are reset by a declared tool, which the policy does not see', async () => {
    workspace.write({ counter: counter({ coach: { reset: { tool: 'reset_counter' } } }) });
    const source = await workspace.open();
    assert.ok(!(await source.list()).some(({ name }) => name === 'reset_counter'));
    assert.deepEqual(await countThrice(source), ['1', '1', '2', '1']);
  });

  it('are reset before their first rollout, too: a server may have kept what was before', async () => {
    writeFileSync(join(workspace.folder, 'counter'), '7');
    const env = { COUNTER_FILE: '${workspaceFolder}/counter' };
    workspace.write({ counter: counter({ env, coach: { reset: { tool: 'reset_counter' } } }) });
    const session = (await workspace.open()).open('1');
    assert.equal((await session.call('add_to_counter', { amount: 1 })).content, '1');
    session.close();
  });

  it('whose reset fails are no world to begin with', async () => {
    const reset = { tool: 'misbehave', arguments: { manner: 'fail' } };
    workspace.write({ counter: counter({ coach: { reset } }) });
    const session = (await workspace.open()).open('1');
    const { kind, content } = await session.call('add_to_counter', { amount: 1 });
    session.close();
    assert.equal(kind, 'hostDied');
    assert.match(content, /counter: its reset misbehave failed: .*it fails/);
  });

  it('are shared where the settings say so, which is noted', async () => {
    workspace.write({ counter: counter({ coach: { reset: 'never' } }) });
    assert.deepEqual(await countThrice(await workspace.open()), ['1', '2', '3', '4']);
    assert.deepEqual(codes(), ['wallsIncomplete', 'sharedWorld']);
  });

  it('that share a world outside of their processes are told by an answer that others have changed', async () => {
    for (const [env, isTold] of [
      [{ COUNTER_FILE: '${workspaceFolder}/told' }, true],
      [{ COUNTER_FILE: '${rolloutFolder}/told' }, false],
    ] as const) {
      workspace.notes.length = 0;
      workspace.write({ counter: counter({ env }) });
      const source = await workspace.open();
      const said: string[] = [];
      for (const calls of [['read'], ['read'], ['reset'], ['set'], ['read']]) {
        const session = source.open('1');
        for (const name of calls) said.push((await session.call(`${name}_counter`, {})).content);
        session.close();
      }
      assert.equal(said.at(-1), isTold ? '5' : '0');
      const told = workspace.notes.filter(({ code }) => code === 'sharedWorld').map(({ message }) => message);
      assert.equal(told.length, isTold ? 1 : 0, told.join());
      if (isTold) assert.match(told[0]!, /^counter: read_counter answers a call otherwise .*\$\{rolloutFolder\}/);
    }
  });

  it('of a server that keeps its world in a file are apart where the file lies in a folder of the rollout', async () => {
    const shared = { env: { COUNTER_FILE: '${workspaceFolder}/counter' } };
    workspace.write({ counter: counter(shared) });
    assert.deepEqual(await countThrice(await workspace.open()), ['1', '2', '3', '4'], 'this test would catch it');
    mkdirSync(join(workspace.folder, 'seed'));
    writeFileSync(join(workspace.folder, 'seed', 'counter'), '10');
    const own = { env: { COUNTER_FILE: '${rolloutFolder}/counter' }, cwd: '${rolloutFolder}' };
    for (const [coach, seen] of [
      [{ reset: 'fresh' }, ['1', '1', '2', '1']],
      [{ reset: 'fresh', files: 'seed' }, ['11', '11', '12', '11']],
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
      for (let i = 0; i < 5; i++) pool.giveBack(await pool.take(), i % 2 === 0);
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

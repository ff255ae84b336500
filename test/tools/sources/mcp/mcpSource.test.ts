import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { openRegistry } from '../../../../trainer/tools/registry';
import { counter, McpWorkspace, misbehave } from './mcpFixture';

const SECRET = 'tok-5f2a9c';

describe('tools of MCP servers', () => {
  let workspace: McpWorkspace;
  beforeEach(() => (workspace = new McpWorkspace()));
  afterEach(() => workspace.close());

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

import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { UserError } from '../../../../trainer/protocol/result';
import { findServers } from '../../../../trainer/tools/sources/mcp/config';
import { connect } from '../../../../trainer/tools/sources/mcp/connection';
import { listen, listenCounter, type TestServer } from './httpServer';
import { countThrice, McpWorkspace, misbehave } from './mcpFixture';

describe('tools of MCP servers over HTTP', () => {
  let workspace: McpWorkspace;
  const servers: TestServer[] = [];
  beforeEach(() => (workspace = new McpWorkspace()));
  afterEach(async () => {
    await workspace.close();
    await Promise.all(servers.splice(0).map((server) => server.close()));
  });

  async function configured(starting: Promise<TestServer>, more: object = {}): Promise<TestServer> {
    const server = await starting;
    servers.push(server);
    workspace.write({ counter: { type: 'http', url: server.url, ...more } });
    return server;
  }

  describe('sessions', () => {
    const said = () => workspace.notes.filter(({ code }) => code === 'sharedWorld').map(({ message }) => message);

    it('give each rollout one of its own, which is ended with it', async () => {
      const server = await configured(listenCounter(), { coach: { reset: 'fresh' } });
      const source = await workspace.open();
      assert.deepEqual(await countThrice(source), ['1', '1', '2', '1']);
      assert.match(said().join(), /each rollout has a session of its own; what the server keeps outside/);
      await source.close();
      assert.ok(server.ended.length >= 4, `that of the list and those of three rollouts, got ${server.ended.length}`);
    });

    it('are reset by a declared tool', async () => {
      const server = await configured(listenCounter(), { coach: { reset: { tool: 'reset_counter' } } });
      assert.deepEqual(await countThrice(await workspace.open()), ['1', '1', '2', '1']);
      assert.equal(server.begun.length, 3, 'one to list the tools, two side by side, none for the third rollout');
    });

    it('are shared where the settings say so', async () => {
      await configured(listenCounter(), { coach: { reset: 'never' } });
      assert.deepEqual(await countThrice(await workspace.open()), ['1', '2', '3', '4']);
      assert.match(said().join(), /counter is never reset: its rollouts share a world/);
    });

    it('cannot keep apart what the server keeps outside of them: what is said is so', async () => {
      await configured(listenCounter('server'));
      assert.deepEqual(await countThrice(await workspace.open()), ['1', '2', '3', '4']);
    });

    it('of a server that gives none: that is said', async () => {
      await configured(listenCounter('none'));
      assert.deepEqual(await countThrice(await workspace.open()), ['1', '2', '3', '4']);
      assert.deepEqual(said(), ['counter gives no sessions over HTTP: its rollouts share a world']);
    });

    it('send the headers of the configuration', async () => {
      const headers = { Authorization: 'Bearer ${input:token}' };
      const server = await configured(listenCounter(), { headers });
      workspace.write({ counter: { url: server.url, headers } }, 'mcp.json', { inputs: [{ id: 'token' }] });
      await workspace.discover('mcp:counter', { given: { token: 'abc' }, environment: {} });
      assert.equal(server.headers.authorization, 'Bearer abc');
    });
  });

  it('turn whatever a server does into a result', async () => {
    const server = await configured(listenCounter());
    const source = await workspace.open();
    assert.deepEqual(await misbehave(source, 'fail'), ['threw', '{"error":"it fails"}']);
    assert.deepEqual(await misbehave(source, 'picture'), ['ok', '"[image image/png, 5 bytes, not shown]"']);
    assert.equal((await misbehave(source, 'hang'))[0], 'timeout');
    assert.equal((await misbehave(source, 'flood'))[0], 'outputTooLarge');
    const session = source.open('dies');
    assert.equal((await session.call('add_to_counter', { amount: 1 })).content, '1');
    await server.close();
    const { kind, content } = await session.call('add_to_counter', { amount: 1 });
    session.close();
    assert.equal(kind, 'hostDied');
    assert.match(content, /ended its server counter: nothing answers there \((ECONN|UND_ERR_SOCKET)/);
  });

  it('that flood us are ended', async () => {
    await configured(listenCounter());
    const source = await workspace.open('counter', undefined, 20_000);
    const [endless, chatter] = [await misbehave(source, 'endless'), await misbehave(source, 'chatter')];
    assert.deepEqual([endless[0], /it wrote a message of over 16 MB/.test(endless[1])], ['hostDied', true]);
    assert.deepEqual([chatter[0], /it sent over 10000 messages in a call/.test(chatter[1])], ['hostDied', true]);
    assert.equal((await misbehave(source, 'fail'))[0], 'threw', 'the server goes on');
  });

  it('of a server that has forgotten the session', async () => {
    const server = await configured(listenCounter());
    const session = (await workspace.open()).open('1');
    await session.call('add_to_counter', { amount: 1 });
    server.forget();
    const { kind, content } = await session.call('add_to_counter', { amount: 1 });
    session.close();
    assert.equal(kind, 'hostDied');
    assert.match(content, /it does not know the session any more \(HTTP 404\)/);
  });

  describe('of a server that can not be used', () => {
    const answering =
      (status: number, type: string, body: string): RequestListener =>
      (_, response) =>
        void response.writeHead(status, { 'content-type': type }).end(body);
    const fails = async (answer: RequestListener, message: RegExp): Promise<void> => {
      await configured(listen(answer));
      await assert.rejects(workspace.discover('mcp:counter'), (error: UserError) => {
        assert.ok(error instanceof UserError, String(error));
        assert.match(error.message, message);
        return true;
      });
    };
    const initialized = (result: object): RequestListener =>
      answering(200, 'application/json', JSON.stringify({ jsonrpc: '2.0', id: 0, result }));

    it('wants a login', () => fails(answering(401, 'text/plain', 'who are you'), /wants a login \(HTTP 401\)/));

    it('forbids it', () => fails(answering(403, 'text/plain', ''), /wants a login \(HTTP 403\)/));

    it('is not there', async () => {
      const server = await configured(listenCounter());
      await server.close();
      await assert.rejects(
        workspace.discover('mcp:counter'),
        /could not be reached \(http:\/\/127\.0\.0\.1:\d+\): nothing answers there \(ECONNREFUSED\)/,
      );
    });

    it('speaks another version of the protocol', () =>
      fails(
        initialized({ protocolVersion: '1999-01-01', capabilities: {}, serverInfo: { name: 'a', version: '1' } }),
        /speaks another version of the protocol: .*1999-01-01/,
      ));

    it('answers a page', () =>
      fails(
        answering(200, 'text/html', '<html>'),
        /does not speak MCP \(.*\/mcp\): Unexpected content type: text\/html/,
      ));

    it('answers something else', () =>
      fails(initialized({}), /could not be reached.*its answer is none of the protocol/));

    it('has another address', () => fails(answering(404, 'text/plain', 'no such page'), /HTTP 404, no such page/));

    it('has no tools', () =>
      fails(async (request, response) => {
        if (request.method !== 'POST') return void response.writeHead(405).end();
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        const { id } = JSON.parse(Buffer.concat(chunks).toString()) as { id?: number };
        if (id === undefined) return void response.writeHead(202).end();
        const result = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'a', version: '1' } };
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
      }, /the MCP server counter has no tool that can be used/));

    it('does not answer', async () => {
      await configured(listen(() => undefined));
      const [server] = await findServers([{ folder: workspace.folder, names: ['counter'] }]);
      await assert.rejects(connect(server!, { startMs: 100 }), /could not be reached .*: it does not answer/);
    });
  });
});

import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { serveToolsByHttp } from '../../trainer/app/mcpHttpServer';
import { openRegistry } from '../../trainer/tools/registry';
import { memorySource } from '../../trainer/tools/sources/memory';

describe('our tools as an MCP server over HTTP', () => {
  const stop = new AbortController();
  let ended: Promise<void>;
  let url: string;
  const clients: Client[] = [];

  before(async () => {
    const source = memorySource({
      name: 'the test',
      tools: [
        {
          name: 'count',
          description: 'Counts.',
          parameters: { type: 'object', properties: {} },
          call: (_, { state }) => ++state.calls,
        },
      ],
      newState: () => ({ calls: 0 }),
    });
    const hosts = await openRegistry([source], {
      seed: 0,
      policyOf: () => 'real',
      ask: async () => 'unavailable',
      note: () => undefined,
    });
    url = await new Promise<string>((onListening, reject) => {
      ended = serveToolsByHttp(hosts, { port: 0, signal: stop.signal, onListening });
      ended.catch(reject);
    });
  });
  afterEach(() => Promise.all(clients.splice(0).map((client) => client.close())));
  after(async () => {
    stop.abort();
    await ended;
  });

  async function connect(): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(url)) as Transport);
    clients.push(client);
    return client;
  }
  const count = async (client: Client): Promise<unknown> =>
    ((await client.callTool({ name: 'count', arguments: {} })).content as { text: string }[])[0]!.text;
  const begin = { method: 'initialize', jsonrpc: '2.0', id: 0, params: {} };
  const post = (headers: Record<string, string>, path = url): Promise<number> =>
    new Promise((resolve, reject) => {
      const sent = httpRequest(path, { method: 'POST', headers: { 'content-type': 'application/json', ...headers } });
      sent.once('error', reject);
      sent.once('response', (response) => resolve((response.resume(), response.statusCode!)));
      sent.end(JSON.stringify(begin));
    });

  it('lists and runs them for the official client; each session has its own state', async () => {
    const [one, other] = [await connect(), await connect()];
    assert.deepEqual(
      (await one.listTools()).tools.map(({ name, inputSchema, annotations }) => ({ name, inputSchema, annotations })),
      [{ name: 'count', inputSchema: { type: 'object', properties: {} }, annotations: { readOnlyHint: true } }],
    );
    assert.deepEqual([await count(one), await count(one), await count(other)], ['1', '2', '1']);
    const wrong = await one.callTool({ name: 'nope', arguments: {} });
    assert.equal(wrong.isError, true);
  });

  it('listens on this machine alone, and to no page of another site', async () => {
    const { host, port } = new URL(url);
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    assert.equal(await post({ host: `evil.example:${port}` }), 403, 'a name that was bound to this address');
    assert.equal(await post({ host: 'localhost' }), 403, 'another port');
    assert.equal(await post({ origin: 'http://evil.example' }), 403);
    assert.equal(await post({ origin: 'null' }), 403);
    assert.notEqual(await post({ host, origin: `http://localhost:${port}` }), 403);
  });

  it('answers what is out of place', async () => {
    assert.equal(await post({}, url.replace('/mcp', '/other')), 404);
    assert.equal(await post({ 'mcp-session-id': 'unknown' }), 404);
    assert.equal(await post({ accept: 'text/plain' }), 406);
    const port = Number(new URL(url).port);
    const again = serveToolsByHttp(
      { tools: [], open: () => assert.fail() },
      { port, signal: stop.signal, onListening: () => undefined },
    );
    await assert.rejects(again, new RegExp(`port ${port} is taken`));
  });

  it('ends the session that was used longest ago where there are too many', async () => {
    const [first, second] = [await connect(), await connect()];
    assert.equal(await count(first), '1');
    for (let i = 0; i < 30; i++) await connect();
    assert.equal(await count(first), '2', '32 are open');
    await connect();
    await assert.rejects(count(second), /no such session/);
    assert.equal(await count(first), '3');
  });
});

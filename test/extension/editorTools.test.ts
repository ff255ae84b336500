import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveEditorTools, type ToolLender } from '../../extension/mcp/editorToolServer';
import type { LocalServer } from '../../extension/processes/localServer';
import { EDITOR_TOOLS, MCP_SERVERS, serversAsToolFile } from '../../trainer/protocol/mcp';
import { serversNamed } from '../../trainer/tools/sources/mcp/config';
import { discoverServers } from '../../trainer/tools/sources/mcp/discover';
import { mcpSource } from '../../trainer/tools/sources/mcp/source';
import { originOf, type ToolSource } from '../../trainer/tools/sources/toolSource';

/** An editor with two tools, one of which takes nothing, and another one that was not lent. */
const editor: ToolLender = {
  tools: () => [
    {
      name: 'search',
      description: 'Searches the workspace.',
      inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
    },
    { name: 'problems', description: 'Lists the problems.' },
  ],
  async call(name, input, signal) {
    const { query } = input as { query?: string };
    if (query === 'wait') await new Promise((resolve) => signal.addEventListener('abort', resolve));
    if (query === 'throw') throw new Error('the index is not there');
    return `${name} ${JSON.stringify(input)}`;
  },
};

describe("the editor's own tools, lent to a trainer", () => {
  const folder = mkdtempSync(join(tmpdir(), 'coach-editor-'));
  let server: LocalServer;
  let source: ToolSource;
  const environment = (key: string) => ({
    [MCP_SERVERS]: JSON.stringify({
      [EDITOR_TOOLS]: { url: `${server.origin}/mcp`, headers: { Authorization: `Bearer ${key}` } },
    }),
  });
  const discover = (key = server.key) =>
    discoverServers([serversNamed(serversAsToolFile(folder, [EDITOR_TOOLS]))!], { environment: environment(key) });

  before(async () => {
    server = await serveEditorTools(editor);
    const [found] = (await discover()).servers;
    source = mcpSource({ ...found!, timeoutMs: 500, outputBytes: 1024, note: () => undefined });
  });
  after(async () => {
    await source.close();
    server.close();
    rmSync(folder, { recursive: true });
  });

  it('are found as any server has them; all may change the world, so they are mocked', async () => {
    const tools = await source.list();
    assert.deepEqual(
      tools.map(({ name, description, parameters, changesWorld }) => [name, description, parameters, changesWorld]),
      [
        ['search', 'Searches the workspace.', editor.tools()[0]!.inputSchema, true],
        ['problems', 'Lists the problems.', { type: 'object', properties: {} }, true],
      ],
    );
    assert.equal(originOf(tools[0]!).kind, 'editor');
  });

  it('are called through the window; what one throws, and one that does not end, is a result', async () => {
    const session = source.open('1');
    const call = async (name: string, args: Record<string, unknown>) => {
      const { kind, content } = await session.call(name, args);
      return [kind, content];
    };
    assert.deepEqual(await call('search', { query: 'a' }), ['ok', '"search {\\"query\\":\\"a\\"}"']);
    assert.deepEqual(await call('problems', {}), ['ok', '"problems {}"']);
    assert.deepEqual(await call('search', { query: 'throw' }), ['threw', '{"error":"the index is not there"}']);
    assert.equal((await call('search', { query: 'wait' }))[0], 'timeout');
    session.close();
  });

  it('are for whoever has the key, and those alone that were chosen', async () => {
    await assert.rejects(
      discover('guessed'),
      /the MCP server vscode\.lm (wants a login|.*the key is not that of this window)/,
    );
    const post = async (method: string, params: object, path = '/mcp') => {
      const response = await fetch(server.origin + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${server.key}` },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      });
      return [response.status, (await response.json()) as { error?: { message: string } }] as const;
    };
    const [status, { error }] = await post('tools/call', { name: 'deleteAll', arguments: {} });
    assert.deepEqual([status, error?.message], [200, 'deleteAll is no tool that was lent']);
    assert.equal((await post('resources/list', {}))[1].error?.message, 'there is no method resources/list');
    assert.equal((await post('ping', {}, '/other'))[0], 404);
  });
});

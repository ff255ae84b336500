import assert from 'node:assert/strict';
import { join } from 'node:path';
import { discoverTools } from '../../../../trainer/app/discoverTools';
import { exampleElsewhere } from '../../../../trainer/tasks/generate/toolWithoutTasks';
import { ownTasksFile } from '../../../../trainer/tasks/readTasks';
import { openRegistry } from '../../../../trainer/tools/registry';
import { mcpSource } from '../../../../trainer/tools/sources/mcp/source';
import { toolOf } from '../../../../trainer/tools/sources/mcp/toolOf';
import { counter, listing, McpWorkspace } from './mcpFixture';

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const person = object({ name: { type: 'string' }, boss: { $ref: '#/$defs/person' } });

describe('the tools that MCP servers list', () => {
  let workspace: McpWorkspace;
  beforeEach(() => (workspace = new McpWorkspace()));
  afterEach(() => workspace.close());

  async function list(tools: unknown[], more: object = {}) {
    workspace.write({ list: listing(tools, more) });
    const { servers, diagnostics } = await workspace.discover('mcp:list');
    return { tools: servers[0]!.tools, said: diagnostics.map(({ severity, message }) => `${severity}: ${message}`) };
  }

  it('are mocked unless the server says that they only read', () => {
    const tool = (annotations?: object) =>
      toolOf({ name: 'a', inputSchema: { type: 'object' }, ...(annotations ? { annotations } : {}) }, { name: 's' })
        .changesWorld;
    assert.deepEqual([tool(), tool({ destructiveHint: false }), tool({ readOnlyHint: true })], [true, true, false]);
  });

  it('of a server that does not say so are called where a plain name says that they read, which is noted', async () => {
    const names = [
      'get_order',
      'slack_list_channels',
      'get_or_create_user',
      'check_in',
      'process',
      'find_seat',
      'read_query',
    ];
    const described = {
      find_seat: 'Reserve the best seat.',
      read_query: 'Execute a SELECT query on the database',
    } as Record<string, string>;
    const { tools } = await list(
      [...names, 'list_more', 'read_all'].map((name) => ({
        name,
        description: described[name] ?? name,
        inputSchema: object({}),
        ...(name === 'list_more' ? { annotations: { readOnlyHint: false } } : {}),
        ...(name === 'read_all' ? { annotations: { title: 'Read', readOnlyHint: null, destructiveHint: true } } : {}),
      })),
    );
    assert.deepEqual(
      tools.filter(({ changesWorld }) => !changesWorld).map(({ name }) => name),
      ['get_order', 'slack_list_channels', 'read_query'],
    );
    await workspace.open('list');
    const [said] = workspace.notes.filter(({ code }) => code === 'readsByName');
    assert.match(
      said?.message ?? '',
      /list does not say of get_order, slack_list_channels, read_query whether they only read/,
    );
  });

  it('may have schemas that hold themselves, or none', async () => {
    const { tools, said } = await list([
      { name: 'hire', inputSchema: object({ who: { $ref: '#/$defs/person' } }, { $defs: { person } }) },
      { name: 'ping' },
    ]);
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['hire', 'ping'],
    );
    assert.deepEqual(tools[1]!.parameters, { type: 'object', properties: {} });
    assert.deepEqual(said, ['warning: ping of list: it has no schema: it is called without arguments']);
  });

  it('that can not be used are left out one by one, each with its reason', async () => {
    const circle = { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } };
    const { tools, said } = await list([
      { name: 'good', inputSchema: object({}) },
      { name: 'circle', inputSchema: object({ x: { $ref: '#/$defs/a' } }, { $defs: circle }) },
      { name: 'outside', inputSchema: object({ x: { $ref: 'https://example.com/schema' } }) },
      { name: 'text', inputSchema: { type: 'string' } },
      { name: 'long', inputSchema: object({}), execution: { taskSupport: 'required' } },
      { description: 'has no name' },
      { name: 'odd', inputSchema: 3 },
    ]);
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['good'],
    );
    assert.equal(said.length, 6);
    for (const [i, words] of [
      /error: circle of list: its schema has references that lead in a circle/,
      /error: outside of list: its schema refers to https:\/\/example\.com\/schema, which is not in it/,
      /error: text of list: its schema is of type "string"/,
      /error: long of list: it runs only as a task of the protocol/,
      /error: a tool without a name of list: it is not described as the protocol asks: name: /,
      /error: odd of list: it is not described as the protocol asks: inputSchema: /,
    ].entries())
      assert.match(said[i]!, words);
  });

  it('two of one name are told', async () => {
    const twice = { name: 'same', inputSchema: object({}) };
    await assert.rejects(list([twice, twice]), /the MCP server list has two tools named same/);
  });

  it('are only those that the configuration names, where it names some', async () => {
    const five = Array.from({ length: 5 }, (_, i) => ({ name: `tool_${i}`, inputSchema: object({}) }));
    const { tools } = await list(five, { coach: { tools: ['tool_3', 'tool_1'] } });
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['tool_1', 'tool_3'],
    );
    await assert.rejects(
      list(five, { coach: { tools: ['tool_9'] } }),
      /list: coach names tool_9, which is no tool of it/,
    );
  });

  it('may have examples of their calls in the configuration, of which tasks are made', async () => {
    const find = { name: 'find', inputSchema: object({ path: { type: 'string' } }, { required: ['path'] }) };
    const { tools } = await list([find], { coach: { examples: { find: [{ path: 'rent.txt' }] } } });
    assert.deepEqual(tools[0]!.examples, ['{"path":"rent.txt"}']);
    assert.match(exampleElsewhere(tools[0]!)!, /"coach": \{"examples": \{"find": .* of list in mcp\.json/);
    await assert.rejects(list([find], { coach: { examples: { fint: [{}] } } }), /names fint, which is no tool of it/);
  });

  it('may be 500', async () => {
    const { tools } = await list(
      Array.from({ length: 500 }, (_, i) => ({ name: `tool_${i}`, inputSchema: object({}) })),
    );
    assert.equal(tools.length, 500);
  });

  describe('of several servers', () => {
    const tool = (name: string) => [{ name, inputSchema: object({}) }];
    const discover = (...paths: string[]) =>
      discoverTools(
        paths.map((path) => join(workspace.folder, path)),
        undefined,
        { environment: {} },
      );

    it('are one list, whether named together or by their file', async () => {
      const file = workspace.write({ a: listing(tool('one')), b: listing(tool('other')) });
      for (const paths of [['mcp:a,mcp:b'], ['mcp:a', 'mcp:b'], ['mcp.json']]) {
        const { tools, files, servers } = await discover(...paths);
        assert.deepEqual(
          tools.map(({ name, binding }) => ({ name, binding })),
          [
            { name: 'one', binding: { kind: 'mcp', server: 'a' } },
            { name: 'other', binding: { kind: 'mcp', server: 'b' } },
          ],
        );
        assert.deepEqual([files, servers!.length], [[file], 2]);
      }
    });

    it('of which one can not be started: of a file it is left out and said, by name it is an error', async () => {
      workspace.write({ a: listing(tool('one')), b: { command: 'no-such-program' } });
      const { tools, diagnostics } = await discover('mcp.json');
      assert.equal(tools.length, 1);
      assert.match(diagnostics[0]!.message, /the MCP server b could not be started.*there is no such program/);
      assert.equal(diagnostics[0]!.line, 10);
      await assert.rejects(discover('mcp:a,mcp:b'), /the MCP server b could not be started/);
    });

    it('with a name in common: told where they are listed, refused where they are called', async () => {
      workspace.write({ a: listing(tool('same')), b: listing(tool('same')) });
      const { diagnostics, servers } = await discover('mcp.json');
      assert.deepEqual(
        diagnostics.map(({ message }) => message),
        ['same: a and b both have a tool of this name'],
      );
      const limits = { timeoutMs: 1000, outputBytes: 1000, note: () => undefined };
      const sources = servers!.map((found) => mcpSource({ ...found, ...limits }));
      const opening = { seed: 0, policyOf: () => 'real' as const, ask: async () => 'unavailable' as const };
      await assert.rejects(
        openRegistry(sources, { ...opening, note: () => undefined }),
        /same: two tools have this name: the MCP server a and the MCP server b/,
      );
    });

    it('--input without a server that could ask for it', () =>
      assert.rejects(
        discoverTools([__filename], undefined, { given: { a: 'b' } }),
        /--input is for MCP servers, and none is named/,
      ));
  });

  it('have a file of tasks beside their configuration', () => {
    const file = workspace.write({ counter: counter() });
    assert.equal(ownTasksFile(join(workspace.folder, 'mcp:a,mcp:b')), join(workspace.folder, 'a+b.tasks.jsonl'));
    assert.equal(ownTasksFile(file), join(workspace.folder, 'mcp.tasks.jsonl'));
    assert.equal(ownTasksFile('/x/tools.ts'), join('/x', 'tools.tasks.jsonl'));
  });
});

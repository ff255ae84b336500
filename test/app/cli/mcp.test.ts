import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { realDependencies } from '../../../trainer/app/dependencies';
import { McpInput } from '../../../trainer/tools/sources/mcp/inputs';
import { isSecretName } from '../../../trainer/protocol/secretNames';
import { counter, McpWorkspace } from '../../tools/sources/mcp/mcpFixture';
import { coach } from './coach';

const ROOT = resolve(__dirname, '../../..');

describe('coach mcp', () => {
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'coach-mcp-'))));
  after(() => rmSync(folder, { recursive: true }));

  it('serves a tool file over stdin and stdout to the official client', async () => {
    writeFileSync(
      join(folder, 'tools.ts'),
      '/** Adds. @tool */\nexport const add = (a: number, b: number) => a + b;\n',
    );
    const client = new Client({ name: 'test', version: '1' });
    const args = ['--import', 'tsx', 'trainer/cli.ts', 'mcp', join(folder, 'tools.ts')];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: ROOT, stderr: 'ignore' }));
    try {
      assert.deepEqual(
        (await client.listTools()).tools.map(({ name }) => name),
        ['add'],
      );
      const result = await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } });
      assert.deepEqual(result.content, [{ type: 'text', text: '3' }]);
    } finally {
      await client.close();
    }
  });

  it('refuses a port that is none, or that nobody listens to', async () => {
    const stderr = async (...args: string[]) => (await coach(folder, ['mcp', 'tools.ts', ...args])).stderr;
    assert.match(await stderr('--port', '1'), /--port belongs to --http/);
    assert.match(await stderr('--http', '--port', '99999'), /--port must be a whole number from 1 to 65535, got 99999/);
  });
});

describe('coach tools of MCP servers', () => {
  let workspace: McpWorkspace;
  beforeEach(() => (workspace = new McpWorkspace()));
  afterEach(() => workspace.close());
  const dependencies = { discover: realDependencies.discover };
  const inputs = [McpInput.parse({ id: 'api-token', description: 'The token', password: true })];

  it('lists those of a file, with their server', async () => {
    workspace.write({ counter: counter() }, join('.vscode', 'mcp.json'));
    const { code, json } = await coach(workspace.folder, ['tools', '.vscode/mcp.json', '--json'], { dependencies });
    assert.equal(code, 0);
    assert.deepEqual(
      (json as { tools: { name: string; source: object }[] }).tools.map(({ name, source }) => [name, source]),
      ['add_to_counter', 'convert_volume', 'reset_counter', 'misbehave'].map((name) => [
        name,
        { kind: 'mcp', server: 'counter' },
      ]),
    );
  });

  it('gives inputs by --input, and asks at a terminal for what is missing, once', async () => {
    const entry = counter({ env: { A: '${input:api-token}', B: '${input:api-token}' } });
    workspace.write(
      { one: { ...entry, coach: { tools: ['misbehave'] } }, two: { ...entry, coach: { tools: ['convert_volume'] } } },
      'mcp.json',
      { inputs },
    );
    const run = (args: string[], ask?: (question: string, isSecret: boolean) => Promise<string>) =>
      coach(workspace.folder, ['tools', 'mcp:one,mcp:two', ...args], { dependencies, ...(ask ? { ask } : {}) });
    const missing = await run([]);
    assert.equal(missing.code, 2);
    assert.match(missing.stderr, /the input "api-token" is missing \(The token\)\nGive it: --input api-token=VALUE/);
    assert.equal((await run(['--input', 'api-token=abc'])).code, 0);
    const asked: [string, boolean][] = [];
    const answered = await run([], async (...question) => {
      asked.push(question);
      return 'abc';
    });
    assert.deepEqual([answered.code, asked], [0, [['The token: ', true]]]);
    assert.match((await run(['--input', 'nothing'])).stderr, /--input nothing: is not ID=VALUE/);
  });

  it('inputs of the environment go through a pipe where coach starts itself once more', () =>
    assert.equal(isSecretName('COACH_INPUT_API_URL'), true));
});

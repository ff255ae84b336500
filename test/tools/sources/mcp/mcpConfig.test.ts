import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { UserError } from '../../../../trainer/protocol/result';
import { findServers, serversNamed, type McpServer } from '../../../../trainer/tools/sources/mcp/config';
import type { InputValues, McpInput } from '../../../../trainer/tools/sources/mcp/inputs';
import { counter, McpWorkspace } from './mcpFixture';

const SECRET = 'tok-5f2a9c';

describe('configuration of MCP servers', () => {
  let workspace: McpWorkspace;
  beforeEach(() => (workspace = new McpWorkspace()));
  afterEach(() => workspace.close());

  async function find(values: InputValues = {}, name = 'counter', below = ''): Promise<McpServer> {
    const named = { folder: join(workspace.folder, below), names: [name] };
    return (await findServers([named], { environment: {}, ...values }))[0]!;
  }
  const envOf = ({ reach }: McpServer): Record<string, string> => (reach as { env: Record<string, string> }).env;
  const fails = (work: Promise<unknown>, message: RegExp, hint = /./): Promise<void> =>
    assert.rejects(work, (error: UserError) => {
      assert.ok(error instanceof UserError, String(error));
      assert.match(error.message, message);
      assert.match(error.hint ?? '', hint);
      assert.ok(!error.message.includes(SECRET), 'no secret in it');
      return true;
    });

  it('names servers by name, several of them, or by file', () => {
    const file = workspace.write({ counter: counter() });
    assert.deepEqual(serversNamed('/a/b/mcp:c'), { folder: '/a/b', names: ['c'] });
    assert.deepEqual(serversNamed('mcp:c,mcp:d,c'), { folder: '.', names: ['c', 'd'] });
    assert.deepEqual(serversNamed('/a/mcp:io.github/x'), { folder: '/a', names: ['io.github/x'] });
    assert.deepEqual(serversNamed(file), { file });
    assert.equal(serversNamed('/a/b/tools.ts'), null);
    assert.equal(serversNamed('/is/not/there/mcp.json'), null);
  });

  it('is found by name from a folder upwards, .vscode/mcp.json first', async () => {
    workspace.write({ counter: counter() }, join('.vscode', 'mcp.json'));
    workspace.write({ counter: { command: 'other' } });
    const server = await find({}, 'counter', join('src', 'deep'));
    assert.equal(server.file, join(workspace.folder, '.vscode', 'mcp.json'));
  });

  it('gives all servers of a file, each once', async () => {
    const file = workspace.write({ one: counter(), other: counter() });
    const named = [{ file }, { folder: workspace.folder, names: ['other'] }];
    assert.deepEqual(
      (await findServers(named)).map(({ name }) => name),
      ['one', 'other'],
    );
    await fails(findServers([{ file: workspace.write({}) }]), /mcp\.json: it configures no MCP server/);
  });

  it('may hold comments and commas behind the last item', async () => {
    const text = '{ /* a */ "servers": {"counter": {"command": "a//b,}",}, }, // c\n}';
    writeFileSync(join(workspace.folder, 'mcp.json'), text);
    assert.equal(((await find()).reach as { command: string }).command, 'a//b,}');
  });

  it('fills in inputs, variables and its envFile, whose values are secrets', async () => {
    writeFileSync(join(workspace.folder, 'keys.env'), 'FILE_KEY=from-file\n');
    const env = { KEY: '${input:api-key}', IN: '${workspaceFolder}/x', AT: '${userHome}' };
    const entry = counter({ env, envFile: '${workspaceFolder}/keys.env' });
    workspace.write({ counter: entry }, join('.vscode', 'mcp.json'), { inputs: [{ id: 'api-key' }] });
    const server = await find({ environment: { COACH_INPUT_API_KEY: SECRET } });
    const expected = { FILE_KEY: 'from-file', KEY: SECRET, IN: `${workspace.folder}/x`, AT: homedir() };
    assert.deepEqual(envOf(server), expected);
    assert.deepEqual(server.secrets.sort(), ['from-file', SECRET]);
  });

  describe('inputs', () => {
    const inputs: McpInput[] = [
      { id: 'key', type: 'promptString', description: 'The key', password: true },
      { id: 'size', type: 'pickString', options: ['small', 'large'], default: 'small' },
    ];
    beforeEach(() =>
      workspace.write({ counter: counter({ env: { KEY: '${input:key}', SIZE: '${input:size}' } }) }, 'mcp.json', {
        inputs,
      }),
    );

    it('are given, of the environment, their default, or asked for: in this order', async () => {
      const asked: string[] = [];
      const ask = async ({ id }: McpInput): Promise<string> => {
        asked.push(id);
        return 'asked';
      };
      const environment = { COACH_INPUT_KEY: 'of-environment' };
      assert.deepEqual(envOf(await find({ ask })), { KEY: 'asked', SIZE: 'small' });
      assert.deepEqual(envOf(await find({ ask, environment })), { KEY: 'of-environment', SIZE: 'small' });
      const given = { key: 'given', size: 'large' };
      assert.deepEqual(envOf(await find({ ask, environment, given })), { KEY: 'given', SIZE: 'large' });
      assert.deepEqual(asked, ['key']);
    });

    it('that are missing, no option or unknown are told with the way out', async () => {
      await fails(find(), /the input "key" is missing \(The key\)/, /--input key=VALUE.*COACH_INPUT_KEY=VALUE/);
      await fails(find({ given: { key: 'a', size: 'larg' } }), /"size" is none of its options/, /Did you mean large/);
      await fails(
        find({ given: { kei: 'a' } }),
        /--input kei: the configuration has no such input/,
        /Did you mean key/,
      );
      workspace.write({ counter: counter({ env: { KEY: '${input:other}' } }) });
      await fails(find(), /there is no input "other"/);
    });
  });

  it('says where and why it is wrong', async () => {
    await fails(find(), /there is no such server|there is no \.vscode\/mcp\.json/);
    workspace.write({ counter: {} });
    await fails(find(), /mcp\.json: counter: it has neither command nor url/);
    await fails(find({}, 'conter'), /there is no such server/, /Did you mean counter/);
    workspace.write({ counter: counter({ env: { A: '${command:x}' } }) });
    await fails(find(), /\$\{command:x\} is not known here/);
    workspace.write({ counter: counter({ envFile: 'not.there' }) });
    await fails(find(), /envFile: there is no file .*not\.there/);
    workspace.write({ counter: counter({ coach: { files: 'nowhere' } }) });
    await fails(find(), /coach\.files: there is no folder .*nowhere/);
    workspace.write({ counter: counter({ coach: { files: '.' } }) });
    await fails(find(), /coach\.files is copied into \$\{rolloutFolder\}, which is nowhere named/);
    workspace.write({ counter: { url: 'http://localhost/${rolloutFolder}' } });
    await fails(find(), /\$\{rolloutFolder\} is for servers with a command/);
    workspace.write({ counter: { url: 'ftp://x' } });
    await fails(find(), /url: is no http address/);
    writeFileSync(join(workspace.folder, 'mcp.json'), `{"servers": ${SECRET}`);
    await fails(find(), /is not JSON/);
  });

  it('of a server that does not start is told in one message, without its secrets', async () => {
    const start = (entry: object, values?: InputValues): Promise<unknown> => {
      workspace.write({ counter: entry });
      return workspace.discover('mcp:counter', values);
    };
    const script = 'console.error(process.env.T); process.exit(4)';
    const entry = { command: process.execPath, args: ['-e', script], env: { T: '${env:T}' } };
    await fails(start(entry, { environment: { T: SECRET } }), /ended with code 4; it said: \[secret\]/);
    await fails(start({ command: 'no-such-program' }), /\(no-such-program\): there is no such program/);
    await fails(start(counter({ cwd: 'nowhere' })), /there is no folder .*nowhere, its cwd/);
  });
});

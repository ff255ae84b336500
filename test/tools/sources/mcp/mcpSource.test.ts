import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NoteCode } from '../../../../trainer/protocol/note';
import { UserError } from '../../../../trainer/protocol/result';
import { findServer, serverNamed, type McpServer } from '../../../../trainer/tools/sources/mcp/config';
import { discoverServer } from '../../../../trainer/tools/sources/mcp/discover';
import { mcpSource } from '../../../../trainer/tools/sources/mcp/source';
import { toolOf } from '../../../../trainer/tools/sources/mcp/toolOf';
import type { ToolSource } from '../../../../trainer/tools/sources/toolSource';

const SERVER = join(__dirname, 'counterServer.mjs');
const SECRET = 'tok-5f2a9c';

describe('tools of MCP servers', () => {
  let folder: string;
  const sources: ToolSource[] = [];
  const notes: NoteCode[] = [];

  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'coach-mcp-'))));
  afterEach(async () => {
    await Promise.all(sources.splice(0).map((source) => source.close()));
    notes.length = 0;
    rmSync(folder, { recursive: true });
  });

  function configure(entry: object, file = 'mcp.json', rest: object = {}): void {
    mkdirSync(join(folder, '.vscode'), { recursive: true });
    writeFileSync(join(folder, file), JSON.stringify({ servers: { counter: entry }, ...rest }));
  }
  const counter = (more: object = {}) => ({ command: process.execPath, args: [SERVER], ...more });
  const find = (environment: Record<string, string> = {}): McpServer =>
    findServer({ folder, name: 'counter' }, environment);

  async function openSource(environment: Record<string, string> = {}): Promise<ToolSource> {
    const found = await discoverServer(join(folder, 'mcp:counter'), environment);
    const source = mcpSource({
      ...found,
      timeoutMs: 1000,
      outputBytes: 1024,
      note: (_, code) => void notes.push(code),
    });
    sources.push(source);
    return source;
  }

  /** Counts by one in three rollouts, two of them side by side; what each sees. */
  async function countThrice(source: ToolSource): Promise<string[]> {
    const add = async (session: ReturnType<ToolSource['open']>) =>
      (await session.call('add_to_counter', { amount: 1 })).content;
    const [one, two] = [source.open('1'), source.open('2')];
    const seen = [await add(one), await add(two), await add(one)];
    one.close();
    two.close();
    const three = source.open('3');
    seen.push(await add(three));
    three.close();
    return seen;
  }

  describe('sessions', () => {
    it('give each rollout a world of its own', async () => {
      configure(counter());
      assert.deepEqual(await countThrice(await openSource()), ['1', '1', '2', '1']);
      assert.deepEqual(notes, ['wallsIncomplete'], 'no wall of ours stands around a server');
    });

    it('are reset by a declared tool, which the policy does not see', async () => {
      configure(counter({ coach: { reset: { tool: 'reset_counter' } } }));
      const source = await openSource();
      assert.ok(!(await source.list()).some(({ name }) => name === 'reset_counter'));
      assert.deepEqual(await countThrice(source), ['1', '1', '2', '1']);
    });

    it('are shared where the settings say so, which is noted', async () => {
      configure(counter({ coach: { reset: 'never' } }));
      assert.deepEqual(await countThrice(await openSource()), ['1', '2', '3', '4']);
      assert.deepEqual(notes, ['wallsIncomplete', 'sharedWorld']);
    });
  });

  it('turn whatever a server does into a result', async () => {
    configure(counter({ env: { COUNTER_TOKEN: '${env:TOKEN}' } }));
    const source = await openSource({ TOKEN: SECRET });
    const answer = async (manner: string) => {
      const session = source.open(manner);
      const { kind, content } = await session.call('misbehave', { manner });
      session.close();
      return [kind, content] as const;
    };
    assert.deepEqual(await answer('fail'), ['threw', '{"error":"it fails"}']);
    assert.deepEqual(await answer('picture'), ['ok', '"[image image/png, 5 bytes, not shown]"']);
    assert.deepEqual(await answer('secret'), ['ok', '"[secret]"']);
    assert.equal((await answer('hang'))[0], 'timeout');
    assert.equal((await answer('flood'))[0], 'outputTooLarge');
    const [kind, content] = await answer('die');
    assert.equal(kind, 'hostDied');
    assert.match(content, /ended with code 3/);
  });

  it('do not count as late where their answer came while the trainer computed', async () => {
    configure(counter());
    const session = (await openSource()).open('1');
    await session.call('add_to_counter', { amount: 1 });
    const answer = session.call('add_to_counter', { amount: 1 });
    await new Promise(setImmediate); // the call is on its way
    for (const until = performance.now() + 1300; performance.now() < until; );
    const { kind, content } = await answer;
    session.close();
    assert.deepEqual([kind, content], ['ok', '2']);
  });

  it('are mocked unless the server says that they only read', () => {
    const tool = (annotations?: object) =>
      toolOf({ name: 'a', inputSchema: { type: 'object' }, ...(annotations ? { annotations } : {}) }, 's').changesWorld;
    assert.deepEqual([tool(), tool({ destructiveHint: false }), tool({ readOnlyHint: true })], [true, true, false]);
  });

  describe('configuration', () => {
    it('is found by name from a folder upwards, .vscode/mcp.json first', () => {
      configure(counter(), join('.vscode', 'mcp.json'));
      configure({ command: 'other' });
      const server = findServer({ folder: join(folder, 'src', 'deep'), name: 'counter' }, {});
      assert.equal(server.file, join(folder, '.vscode', 'mcp.json'));
      assert.deepEqual(serverNamed('/a/b/mcp:c'), { folder: '/a/b', name: 'c' });
      assert.equal(serverNamed('/a/b/tools.ts'), null);
    });

    it('may hold comments and commas behind the last item', () => {
      writeFileSync(join(folder, 'mcp.json'), '{ /* a */ "servers": {"counter": {"command": "a//b,}",}, }, // c\n}');
      assert.equal((find().reach as { command: string }).command, 'a//b,}');
    });

    it('fills in inputs, variables and its envFile, whose values are secrets', () => {
      writeFileSync(join(folder, 'keys.env'), 'FILE_KEY=from-file\n');
      const env = { KEY: '${input:api-key}', HOME_OF: '${workspaceFolder}/x' };
      configure(counter({ env, envFile: '${workspaceFolder}/keys.env' }), 'mcp.json', { inputs: [{ id: 'api-key' }] });
      const { reach, secrets } = find({ COACH_INPUT_API_KEY: SECRET });
      assert.deepEqual((reach as { env: object }).env, { FILE_KEY: 'from-file', KEY: SECRET, HOME_OF: `${folder}/x` });
      assert.deepEqual(secrets.sort(), ['from-file', SECRET]);
      assert.throws(() => find(), /input "api-key" is missing/);
    });

    it('says where and why it is wrong', () => {
      assert.throws(() => find(), /there is no such server|there is no \.vscode\/mcp\.json/);
      configure({});
      assert.throws(() => find(), /counter: it has neither command nor url/);
      writeFileSync(join(folder, 'mcp.json'), `{"servers": ${SECRET}`);
      assert.throws(
        () => find(),
        (error: UserError) => /is not JSON/.test(error.message) && !error.message.includes(SECRET),
      );
    });

    it('of a server that does not start is told in one message, without its secrets', async () => {
      configure({
        command: process.execPath,
        args: ['-e', 'console.error(process.env.T); process.exit(4)'],
        env: { T: '${env:T}' },
      });
      await assert.rejects(
        discoverServer(join(folder, 'mcp:counter'), { T: SECRET }),
        (error: UserError) =>
          error instanceof UserError && /code 4/.test(error.message) && !error.message.includes(SECRET),
      );
    });
  });
});

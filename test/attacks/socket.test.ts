/** The socket of a live run: where it is stands in the run folder, which tools read; who opens it must have the key. */
import assert from 'node:assert/strict';
import { mkdtempSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  createMessageConnection,
  SocketMessageReader,
  SocketMessageWriter,
  type MessageConnection,
} from 'vscode-jsonrpc/node';
import { readSocketFile, readSocketKey } from '../../extension/runs/runFiles';
import { serveRun, type RunServer } from '../../trainer/app/runServer';
import { PROTOCOL_VERSION } from '../../trainer/protocol/messages';
import { valueOf } from '../tools/hostsFixture';
import { IN_HOST, toolWorkspace } from './toolWorkspace';

describe("attacks: a run's socket", function () {
  this.timeout(60_000);
  const workspace = toolWorkspace({
    'tools.ts': `${IN_HOST}
import * as fs from 'node:fs';
import * as net from 'node:net';
/** As a file would at import. */
let found = 'nothing';
try {
  const { path } = JSON.parse(fs.readFileSync(__dirname + '/.coach/runs/r/socket.json', 'utf8'));
  found = path;
  net.connect(path).on('connect', () => (found += ' spoke')).on('error', (error) => (found += ' ' + error.message));
} catch (error) {
  found += ' ' + String(error);
}
export const atImport = () => found;
export const read = ({ path }: { path: string }) => fs.readFileSync(path, 'utf8');
`,
  });
  const dir = join(workspace.root, '.coach/runs/r');
  let server: RunServer;
  let stops = 0;
  before(async function () {
    if (process.platform === 'win32') this.skip(); // pipes there have no folder to look into
    mkdirSync(dir, { recursive: true });
    server = await serveRun({ id: 'r', dir, onStop: () => stops++, askTimeoutMs: 5000 });
  });
  after(async () => {
    await server?.close();
    workspace.remove();
  });

  /** One who connects; it answers every question with yes, and keeps what it is told. */
  async function guest(): Promise<{ connection: MessageConnection; told: unknown[]; end(): void }> {
    const socket = createConnection(readSocketFile(dir)!.socket);
    await once(socket, 'connect');
    const connection = createMessageConnection(new SocketMessageReader(socket), new SocketMessageWriter(socket));
    const told: unknown[] = [];
    connection.onNotification('event', (event: unknown) => void told.push(event));
    connection.onRequest('ask', (question: unknown) => (told.push(question), 'yes'));
    connection.listen();
    return { connection, told, end: () => (connection.dispose(), socket.destroy()) };
  }
  const question = { type: 'mayToolRun', tool: 'pay', arguments: {} } as const;
  const event = { type: 'noted', seq: 1, t: 1, level: 'info', code: 'engine', message: 'm' } as never;

  const strangers: [string, object][] = [
    ['no key', { protocol: PROTOCOL_VERSION }],
    ['an empty key', { protocol: PROTOCOL_VERSION, key: '' }],
    ['a guessed key', { protocol: PROTOCOL_VERSION, key: '00000000-0000-0000-0000-000000000000' }],
    ['the token of socket.json', { protocol: PROTOCOL_VERSION, key: '' }],
  ];
  for (const [name, hello] of strangers)
    it(`with ${name}: is told nothing, asked nothing, and stops nothing`, async () => {
      const { token } = JSON.parse(readFileSync(join(dir, 'socket.json'), 'utf8')) as { token: string };
      const params = name.startsWith('the token') ? { ...hello, key: token } : hello;
      const { connection, told, end } = await guest();
      await assert.rejects(connection.sendRequest('hello', params), /say hello with the key first/);
      await assert.rejects(connection.sendRequest('stop', {}), /say hello with the key first/);
      server.post(event);
      assert.equal(await server.ask(question), 'unavailable');
      assert.deepEqual([told, stops], [[], 0]);
      end();
    });

  it('a window of the version before is told one thing, the other version, and nothing else', async () => {
    const { connection, told, end } = await guest();
    const hello = (await connection.sendRequest('hello', { protocol: PROTOCOL_VERSION - 1 })) as { protocol: number };
    assert.equal(hello.protocol, PROTOCOL_VERSION); // from which it makes "started by another version of Coach"
    server.post(event);
    assert.equal(await server.ask(question), 'unavailable');
    assert.deepEqual(told, []);
    await assert.rejects(connection.sendRequest('stop', {}), /hello/);
    end();
  });

  it('a window has the key, and is asked although a stranger came first', async () => {
    const [stranger, window] = [await guest(), await guest()];
    const { socket } = readSocketFile(dir)!;
    await window.connection.sendRequest('hello', { protocol: PROTOCOL_VERSION, key: readSocketKey(socket) });
    assert.equal(await server.ask(question), 'yes');
    assert.deepEqual([stranger.told, window.told], [[], [question]]);
    stranger.end();
    window.end();
  });

  it('the key lies in the private folder alone, and not in the run folder', () => {
    const { socket } = readSocketFile(dir)!;
    const key = readSocketKey(socket)!;
    assert.match(key, /^[0-9a-f-]{36}$/);
    assert.equal(statSync(dirname(socket)).mode & 0o777, 0o700);
    assert.equal(statSync(join(dirname(socket), 'key')).mode & 0o777, 0o600);
    for (const name of readdirSync(dir)) assert.ok(!readFileSync(join(dir, name), 'utf8').includes(key), name);
  });

  it("a stranger's run folder gets no other file of the user in the place of a key", () => {
    const folder = mkdtempSync(join(tmpdir(), 'coach-attack-key-'));
    writeFileSync(join(folder, 'key'), '-----BEGIN PRIVATE KEY-----');
    assert.equal(readSocketKey(join(folder, 'run.sock')), null);
    assert.equal(readSocketKey(join(folder, 'none', 'run.sock')), null);
    rmSync(folder, { recursive: true });
  });

  it('a tool finds the address, at import and later, and can neither connect nor read the key', async () => {
    const { hosts } = await workspace.open(['tools.ts atImport', 'tools.ts read', 'tools.ts inHost']);
    const { socket } = readSocketFile(dir)!;
    const session = hosts.open('finder');
    const found = valueOf(await session.call('atImport', {})) as string;
    assert.ok(found.startsWith(socket), found);
    assert.match(found, /not available to tools/);
    for (const name of ['key', 'token'])
      assert.match(
        (await session.call('read', { path: join(dirname(socket), name) })).content,
        /ERR_ACCESS_DENIED|restricted/,
      );
    const connects = `return new Promise((done, failed) => load('net').connect(${JSON.stringify(socket)}).on('connect', () => done('spoke')).on('error', failed))`;
    assert.match((await session.call('inHost', { code: connects })).content, /not available to tools/);
    assert.equal(await server.ask(question), 'unavailable');
    assert.equal(stops, 0);
    await hosts.close();
  });
});

import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createMessageConnection,
  ResponseError,
  StreamMessageReader,
  StreamMessageWriter,
  type MessageConnection,
} from 'vscode-jsonrpc/node';
import { ServiceMethods, type Reply } from '../../../trainer/protocol/serviceMethods';
import { bundle } from './bundle';
import { newRun, sampleTrace, tempFolder } from './sample';

describe('service', function () {
  this.timeout(120_000);
  const { dir, remove } = tempFolder();
  let child: ChildProcess;
  let connection: MessageConnection;
  let stderr = '';
  before(() => {
    mkdirSync(join(dir, '.git'));
    child = spawn(process.execPath, [bundle('trainer/service.ts', join(dir, 'service.js'))], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    child.stderr!.on('data', (data: Buffer) => (stderr += data.toString()));
    connection = createMessageConnection(new StreamMessageReader(child.stdout!), new StreamMessageWriter(child.stdin!));
    connection.listen();
  });
  after(() => {
    connection.dispose();
    child.kill();
    remove();
  });
  const ask = async <N extends keyof typeof ServiceMethods>(name: N, params: object) =>
    ServiceMethods[name][1].parse(await connection.sendRequest(name, params)) as Reply<(typeof ServiceMethods)[N]>;

  it('tells configured MCP servers, and starts one only when its tools are asked for', async () => {
    const file = join(dir, 'mcp.json');
    const counter = {
      command: process.execPath,
      args: [join(__dirname, '../../tools/sources/mcp/counterServer.mjs')],
      env: { COUNTER_TOKEN: '${input:token}' },
    };
    writeFileSync(file, JSON.stringify({ servers: { counter }, inputs: [{ id: 'token', password: true }] }));
    const { servers } = await ask('mcpServers', { files: [file], setting: null });
    assert.deepEqual(
      servers.map(({ name, inputs, problem }) => [name, inputs, problem]),
      [['counter', [{ id: 'token', isSecret: true }], undefined]],
    );
    const toolFile = join(dir, 'mcp:counter');
    await assert.rejects(ask('mcpTools', { toolFile, environment: {} }), /the input "token" is missing/);
    const { tools } = await ask('mcpTools', { toolFile, environment: { COACH_INPUT_TOKEN: 'tok-1' } });
    const shop = {
      command: process.execPath,
      args: [join(__dirname, '../../fixtures/mcp/shopServer.mjs')],
    };
    writeFileSync(file, JSON.stringify({ servers: { shop, counter: { ...counter, env: {} } } }));
    const both = await ask('mcpTools', { toolFile: join(dir, 'mcp:shop,counter'), environment: {} });
    assert.deepEqual(
      both.tools.map(({ binding }) => (binding as { server: string }).server),
      [...Array(3).fill('shop'), ...Array(4).fill('counter')],
    );
    assert.deepEqual(
      tools.map(({ name, binding }) => [name, binding]),
      ['add_to_counter', 'convert_volume', 'reset_counter', 'misbehave'].map((name) => [
        name,
        { kind: 'mcp', server: 'counter' },
      ]),
    );
  });

  it('lists runs, reads events from a byte on and a trace by its place, appends preferences', async () => {
    const run = newRun(dir);
    const summary = run.recordTrace(sampleTrace('a-0'));
    run.append({ type: 'traceRecorded', trace: summary });
    assert.deepEqual(
      (await ask('listRuns', { workspace: dir })).map((r) => [r.id, r.status]),
      [[run.id, 'running']],
    );
    const first = await ask('readEvents', { dir: run.dir, fromByte: 0 });
    assert.deepEqual(
      first.events.map((e) => e.type),
      ['runStarted', 'traceRecorded'],
    );
    run.append({ type: 'runStopped', step: 0 });
    assert.deepEqual(
      (await ask('readEvents', { dir: run.dir, fromByte: first.nextByte })).events.map((e) => e.seq),
      [2],
    );
    const { file, offset, length } = summary;
    assert.deepEqual(await ask('readTrace', { dir: run.dir, file, offset, length }), sampleTrace('a-0'));
    run.close();
    const tools = [{ type: 'function' as const, function: { name: 'add', description: '', parameters: {} } }];
    const { lines } = await ask('recordPreferences', { workspace: dir, bodies: [{ type: 'tools', tools }] });
    assert.deepEqual(JSON.parse(readFileSync(join(dir, '.coach/preferences.jsonl'), 'utf8')), lines[0]);
  });

  it('finds tools, with unsaved text, and reads meanwhile', async () => {
    mkdirSync(join(dir, 'src'));
    const file = join(dir, 'src/tools.ts');
    writeFileSync(
      file,
      '/** Adds.\n * @param a one\n * @param b other\n * @tool */\nexport function add(a: number, b: number): number { return a + b; }\n',
    );
    const order: string[] = [];
    const discovered = ask('discover', { paths: [join(dir, 'src')] }).then((found) => (order.push('discover'), found));
    await ask('listRuns', { workspace: dir }).then(() => order.push('listRuns'));
    assert.deepEqual(
      (await discovered).tools.map((t) => t.name),
      ['add'],
    );
    assert.deepEqual(order, ['listRuns', 'discover']);
    const text = readFileSync(file, 'utf8').replace('function add', 'function plus');
    const typed = await Promise.all([
      ask('discover', { paths: [file], overlays: {} }),
      ...['ad', 'plu', 'plus'].map(() => ask('discover', { paths: [file], overlays: { [file]: text } })),
    ]);
    assert.deepEqual(
      typed.slice(1).map((found) => found.tools.map((t) => t.name)),
      [['plus'], ['plus'], ['plus']],
      stderr,
    );
  });

  it('takes the tools of each file for themselves: another file may have one of the same name', async () => {
    const text = '/** Adds.\n * @tool */\nexport function add(a: number): number { return a; }\n';
    for (const name of ['one', 'two']) {
      mkdirSync(join(dir, 'apart', name), { recursive: true });
      writeFileSync(join(dir, 'apart', name, 'tools.ts'), text);
    }
    const { tools, diagnostics } = await ask('discover', { paths: [join(dir, 'apart')] });
    assert.deepEqual(
      tools.map(({ name, source }) => [name, source.file]),
      ['one', 'two'].map((name) => ['add', join(dir, 'apart', name, 'tools.ts')]),
    );
    assert.deepEqual(
      diagnostics.filter(({ severity }) => severity === 'error'),
      [],
    );
  });

  it('answers what is wrong with a request, and lives on', async () => {
    const fails = (method: string, params: object, message: RegExp) =>
      assert.rejects(
        connection.sendRequest(method, params),
        (e) => e instanceof ResponseError && message.test(e.message),
      );
    await fails('fly', {}, /unknown method "fly", known: discover, foundModels, listRuns/);
    await fails('readEvents', { dir }, /readEvents: .*fromByte/);
    await fails('readTrace', { dir, file: '../x', offset: 0, length: 1 }, /must be traces\/NAME\.jsonl/);
    await fails('recordPreferences', { workspace: dir, bodies: 1 }, /recordPreferences:/);
    assert.equal((await ask('listRuns', { workspace: dir })).length, 1);
  });

  it('ends with the window', async () => {
    child.stdin!.end();
    const [code] = (await once(child, 'exit')) as [number];
    assert.equal(code, 0, stderr);
  });
});

import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { dirname, join } from 'node:path';
import {
  createMessageConnection,
  SocketMessageReader,
  SocketMessageWriter,
  type MessageConnection,
} from 'vscode-jsonrpc/node';
import { TrainerEvent } from '../../../trainer/protocol/messages';
import { runInfo } from '../../../trainer/store/runs/listRuns';
import { foldRun, readEvents } from '../../../trainer/store/runs/readRun';
import { savedSteps } from '../../../trainer/model/weights/checkpoint';
import { bundle } from './bundle';
import { tempFolder } from './sample';

interface Started {
  type: string;
  run: string;
  dir: string;
  socket: string;
  pid: number;
  error?: { message: string };
}

describe('trainer process', function () {
  this.timeout(120_000);
  const { dir, remove } = tempFolder();
  const script = join(dir, 'main.js');
  const children: ChildProcess[] = [];
  before(() => {
    bundle('test/store/runs/mainChild.ts', script);
    mkdirSync(join(dir, '.git'));
    writeFileSync(join(dir, 'tools.ts'), '');
    writeFileSync(
      join(dir, 'tools.tasks.jsonl'),
      Array.from({ length: 10 }, (_, i) =>
        JSON.stringify({ id: `${i}`, prompt: `Find ${i}`, calls: [{ name: 'search', arguments: { query: `${i}` } }] }),
      ).join('\n'),
    );
  });
  after(() => {
    for (const child of children) child.kill('SIGKILL');
    remove();
  });

  async function start(
    settings: object,
    fake: object = {},
    more: string[] = [],
  ): Promise<{
    child: ChildProcess;
    first: Started;
    ended: Promise<[number | null, string | null]>;
    stderr(): string;
  }> {
    const config = join(dir, `config-${children.length}.json`);
    writeFileSync(
      config,
      JSON.stringify({
        toolFile: join(dir, 'tools.ts'),
        steps: 2000,
        heldOutTasks: 2,
        evalTasks: 1,
        checkpointEvery: 50,
        loraTargets: ['q_proj'],
        ...settings,
      }),
    );
    const child = spawn(
      process.execPath,
      [script, ...(more.includes('--resume') ? [] : ['--config', config]), ...more],
      { detached: true, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, FAKE: JSON.stringify(fake) } },
    );
    children.push(child);
    let stderr = '';
    child.stderr!.on('data', (data: Buffer) => (stderr += data.toString()));
    const ended = once(child, 'exit') as Promise<[number | null, string | null]>;
    let text = '';
    for await (const data of child.stdout!) {
      text += String(data);
      if (text.includes('\n')) break;
    }
    return { child, first: JSON.parse(text.split('\n')[0] || '{}') as Started, ended, stderr: () => stderr };
  }

  const keyOf = (socket: string): string => readFileSync(join(dirname(socket), 'key'), 'utf8');
  /** A window: says hello, collects events, answers questions with `answer`. */
  async function openWindow(
    socket: string,
    answer = 'yes',
  ): Promise<{
    connection: MessageConnection;
    events: TrainerEvent[];
    questions: unknown[];
    hello: { runId: string; pid: number; protocol: number };
    closed: Promise<void>;
  }> {
    const stream = createConnection(socket);
    await once(stream, 'connect');
    const connection = createMessageConnection(new SocketMessageReader(stream), new SocketMessageWriter(stream));
    const events: TrainerEvent[] = [];
    const questions: unknown[] = [];
    connection.onNotification('event', (raw: unknown) => void events.push(TrainerEvent.parse(raw)));
    connection.onRequest('ask', (question: unknown) => (questions.push(question), answer));
    connection.listen();
    const closed = new Promise<void>((resolve) => stream.on('close', () => resolve()));
    return {
      connection,
      events,
      questions,
      hello: await connection.sendRequest('hello', { protocol: 2, key: keyOf(socket) }),
      closed,
    };
  }

  it('runs to the end without a window, two windows see every event from then on, and nothing is left behind', async () => {
    const { first, ended, child } = await start({ steps: 40 }, { stepMs: 5 });
    assert.equal(first.type, 'started');
    assert.equal(first.pid, child.pid);
    assert.equal(dirname(first.dir), join(dir, '.coach/runs'));
    assert.ok(Buffer.byteLength(first.socket) <= 100);
    assert.equal(statSync(dirname(first.socket)).mode & 0o777, 0o700);
    assert.deepEqual(JSON.parse(readFileSync(join(first.dir, 'socket.json'), 'utf8')), {
      path: first.socket,
      token: readFileSync(join(dirname(first.socket), 'token'), 'utf8'),
      pid: child.pid,
    });
    assert.equal(runInfo(first.dir).socket, first.socket);
    const windows = [await openWindow(first.socket), await openWindow(first.socket)];
    assert.deepEqual(
      windows.map((w) => [w.hello.runId, w.hello.pid, w.hello.protocol]),
      [
        [first.run, child.pid, 2],
        [first.run, child.pid, 2],
      ],
    );
    assert.deepEqual(await ended, [0, null]);
    await Promise.all(windows.map((w) => w.closed));
    const disk = readEvents(first.dir, 0).events;
    for (const { events } of windows) {
      assert.ok(events.length > 0);
      assert.deepEqual(events, disk.slice(-events.length));
      assert.equal(events.at(-1)!.type, 'runFinished');
    }
    assert.ok(!existsSync(dirname(first.socket)));
    assert.ok(!existsSync(join(first.dir, 'socket.json')));
    assert.ok(!existsSync(join(first.dir, 'lock')));
  });

  it('stops on request and on SIGTERM with a checkpoint, and goes on from it', async () => {
    const one = await start({}, { stepMs: 5 });
    const window = await openWindow(one.first.socket);
    assert.deepEqual(await window.connection.sendRequest('stop', {}), {});
    assert.deepEqual(await one.ended, [0, null]);
    await window.closed;
    const stopped = window.events.at(-1)!;
    assert.equal(stopped.type, 'runStopped');
    const step = (stopped as { step: number }).step;
    assert.equal(savedSteps(join(one.first.dir, 'checkpoints')).at(-1), step);
    assert.equal(runInfo(one.first.dir).status, 'stopped');

    const two = await start({}, { stepMs: 5 }, ['--resume', one.first.dir]);
    assert.equal(two.first.dir, one.first.dir);
    two.child.kill('SIGTERM');
    assert.deepEqual(await two.ended, [0, null]);
    const state = foldRun(one.first.dir);
    assert.equal(state.status, 'stopped');
    assert.ok(state.step >= step);
    assert.deepEqual(
      readEvents(one.first.dir, 0)
        .events.filter((e) => e.type === 'runResumed')
        .map((e) => (e as { fromStep: number }).fromStep),
      [step],
    );
  });

  it('a second trainer on the same run is refused while the first lives', async () => {
    const one = await start({}, { stepMs: 5 });
    const two = await start({}, {}, ['--resume', one.first.dir]);
    assert.equal(two.first.type, 'failed');
    assert.match(
      two.first.error!.message,
      new RegExp(`being trained by process ${one.child.pid}; one run has one trainer`),
    );
    assert.deepEqual(await two.ended, [2, null]);
    one.child.kill('SIGTERM');
    await one.ended;
  });

  it('asks the first window; without one the answer is unavailable', async () => {
    const { first, ended, child } = await start({}, { stepMs: 20, asks: true });
    const one = await openWindow(first.socket, 'yes');
    const two = await openWindow(first.socket, 'no');
    await new Promise((resolve) => setTimeout(resolve, 200));
    assert.ok(one.questions.length > 0);
    assert.deepEqual(one.questions[0], { type: 'mayToolRun', tool: 'search', arguments: { query: 'x' } });
    assert.equal(two.questions.length, 0);
    one.connection.dispose();
    child.kill('SIGTERM');
    await ended;
  });

  it('a window that hangs costs nothing: it is cut off, the run goes on', async () => {
    const { first, ended } = await start({ steps: 300 });
    const stream = createConnection(first.socket);
    await once(stream, 'connect');
    const connection = createMessageConnection(new SocketMessageReader(stream), new SocketMessageWriter(stream));
    connection.listen();
    await connection.sendRequest('hello', { protocol: 2, key: keyOf(first.socket) });
    stream.pause();
    stream.write('garbage that is no message');
    assert.deepEqual(await ended, [0, null]);
    assert.equal(runInfo(first.dir).status, 'finished');
    stream.destroy();
  });

  it('what makes it fail is recorded and told: an error of the recipe, one of nobody', async () => {
    const user = await start({}, { failAt: 3 });
    assert.deepEqual(await user.ended, [2, null]);
    assert.deepEqual(foldRun(user.first.dir).error, {
      border: 'policy',
      message: 'the model folder /m: config.json is missing',
      hint: 'Give another.',
    });
    const ours = await start({}, { stepMs: 5, crashMs: 1500 });
    assert.deepEqual(await ours.ended, [1, null]);
    assert.match(foldRun(ours.first.dir).error!.message, /Error: out of the blue/);
    assert.match(ours.stderr(), /out of the blue/);
    assert.equal(runInfo(ours.first.dir).status, 'failed');
  });

  it('bad settings fail before there is a run, as the first line says', async () => {
    const before = readEventsCount(dir);
    const bad = await start({ steps: 0 });
    assert.deepEqual([bad.first.type, bad.first.error?.message], ['failed', 'steps must be at least 1, got 0']);
    assert.deepEqual(await bad.ended, [2, null]);
    const unknown = await start({ stpes: 3 });
    assert.deepEqual(unknown.first.error, {
      border: 'config',
      message: 'unknown setting "stpes"',
      hint: 'Did you mean steps?',
    });
    assert.equal(readEventsCount(dir), before);
  });

  it('outlives its starter: closed pipes do not end it', async () => {
    const { child, first, ended } = await start({ steps: 60 }, { stepMs: 5 });
    child.stdout!.destroy();
    child.stderr!.destroy();
    assert.deepEqual(await ended, [0, null]);
    assert.equal(runInfo(first.dir).status, 'finished');
  });

  it('runs below normal priority', () => {
    const script = `require(${JSON.stringify(join(__dirname, '../../../trainer/app/priority.ts'))}).yieldToOthers(); console.log(require('node:os').getPriority())`;
    const { stdout } = spawnSync(process.execPath, ['--import', 'tsx', '-e', script], { encoding: 'utf8' });
    assert.ok(Number(stdout) >= 10, stdout);
  });
});

const readEventsCount = (dir: string): number => {
  const runs = join(dir, '.coach/runs');
  return existsSync(runs) ? statSync(runs).nlink : 0;
};

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TrainerEvent } from '../../../trainer/protocol/messages';
import { Random } from '../../../trainer/base/random';
import { runInfo, socketOf } from '../../../trainer/store/runs/listRuns';
import { foldRun, readEvents, readTrace } from '../../../trainer/store/runs/readRun';
import { bundle } from './bundle';
import { tempFolder } from './sample';

describe('a trainer killed at 20 random moments', function () {
  this.timeout(240_000);
  const { dir, remove } = tempFolder();
  after(remove);
  const script = join(dir, 'trainChild.js');
  before(() => {
    bundle('test/store/runs/trainChild.ts', script);
    for (const name of ['killed', 'whole']) {
      writeFileSync(join(dir, `${name}.tools.ts`), '');
      writeFileSync(
        join(dir, `${name}.tasks.jsonl`),
        Array.from({ length: 10 }, (_, i) =>
          JSON.stringify({
            id: `${i}`,
            prompt: `Find ${i}`,
            calls: [{ name: 'search', arguments: { query: `${i}` } }],
          }),
        ).join('\n'),
      );
    }
  });

  /** Runs the child, kills it `killAfterMs` after its first event, and gives what it reported in whole lines. */
  async function train(
    args: string[],
    killAfterMs: number | null,
  ): Promise<{ reported: TrainerEvent[]; signal: string | null; stderr: string }> {
    const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let [text, stderr] = ['', ''];
    let isTimed = false;
    child.stdout.setEncoding('utf8').on('data', (data: string) => {
      text += data;
      if (killAfterMs !== null && !isTimed) void sleep(killAfterMs).then(() => child.kill('SIGKILL'));
      isTimed = true;
    });
    child.stderr.setEncoding('utf8').on('data', (data: string) => (stderr += data));
    const signal = await new Promise<string | null>((resolve) => child.on('close', (_, s) => resolve(s)));
    const reported = text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as TrainerEvent);
    return { reported, signal, stderr };
  }

  it('has every event that it reported on disk, each with its trace, and resumes to the bytes of an unbroken run', async () => {
    const killed = join(dir, 'killed');
    const random = Random.fromSeed(4);
    let kills = 0;
    let started = false;
    const sockets = new Set<string>();
    const steps = '400';
    while (kills < 20) {
      const { reported, signal, stderr } = await train(
        [killed, started ? 'resume' : 'new', steps, '4'],
        random.int(90),
      );
      assert.equal(signal, 'SIGKILL', `it ended too early for ${kills} kills: ${stderr}`);
      kills++;
      started ||= existsSync(join(killed, 'run.json'));
      const onDisk = new Map(readEvents(killed, 0).events.map((event) => [event.seq, event]));
      for (const event of reported) {
        assert.deepEqual(onDisk.get(event.seq), event);
        if (event.type === 'traceRecorded') assert.equal(readTrace(killed, event.trace).id, event.trace.id);
      }
      assert.equal(runInfo(killed).status, 'died');
      const socket = socketOf(killed);
      if (socket) sockets.add(dirname(socket));
    }
    const last = await train([killed, 'resume', steps, '0'], null);
    assert.equal(last.signal, null, last.stderr);
    assert.equal(last.reported.at(-1)!.type, 'runFinished', last.stderr);

    const whole = join(dir, 'whole');
    await train([whole, 'new', steps, '0'], null);
    const [a, b] = [foldRun(killed), foldRun(whole)];
    assert.deepEqual(
      a.curve.map(({ step, metrics }) => ({ step, metrics })),
      b.curve.map(({ step, metrics }) => ({ step, metrics })),
    );
    assert.equal(a.curve.length, 400);
    const current = (traces: typeof a.traces) => traces.filter((t) => !t.superseded).map((t) => t.id);
    assert.deepEqual(current(a.traces), current(b.traces));
    assert.deepEqual(
      readFileSync(join(killed, 'adapter/adapter_model.safetensors')),
      readFileSync(join(whole, 'adapter/adapter_model.safetensors')),
    );
    const events = readEvents(killed, 0).events;
    assert.deepEqual(
      events.map((e) => e.seq),
      events.map((_, i) => i),
    );
    assert.equal(events.filter((e) => e.type === 'runResumed').length, 20);
    assert.equal(runInfo(killed).status, 'finished');
    assert.ok(sockets.size > 5);
    assert.deepEqual(
      [...sockets].filter((folder) => existsSync(folder)),
      [],
    );
  });
});

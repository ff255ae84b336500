/**
 * Trainers and tool hosts killed at random moments, from before there is a run folder to the export, over all methods:
 * what a window was told of is on disk, and a run that goes on to its end has the adapter bytes of an unbroken one.
 */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TrainerClient } from '../../extension/processes/trainerClient';
import { readSocketKey } from '../../extension/runs/runFiles';
import type { Random } from '../../trainer/base/random';
import type { TrainerEvent } from '../../trainer/protocol/messages';
import { runInfo, socketOf } from '../../trainer/store/runs/listRuns';
import { readEvents, readTrace } from '../../trainer/store/runs/readRun';
import { writeCrates } from '../fixtures/crates';
import { makeTinyModel, TINY_RUN } from '../fixtures/tinyModel';

/** Each method alone, and stages of two. */
export const METHODS = ['grpo', 'dpo', 'sft', 'stages'] as const;
export type Method = (typeof METHODS)[number];
const silent = { debug() {}, info() {}, warn() {}, error() {} };
/** A trainer that lives longer than this hangs. */
const LONGEST_MS = 120_000;

export interface Unbroken {
  method: Method;
  config: string;
  adapter: Buffer;
  /** from its start as a process to its end */
  ms: number;
}

export interface Kills {
  trainer: number;
  host: number;
}

export function makeWorkspace(folder: string): void {
  writeCrates(folder);
  makeTinyModel('soak', join(folder, 'model'));
  mkdirSync(join(folder, 'runs'));
  for (const method of METHODS)
    writeFileSync(
      join(folder, `${method}.json`),
      JSON.stringify({
        ...TINY_RUN,
        ...(method === 'stages' ? { stages: 'sft:2,grpo:3' } : { method, steps: 5 }),
        toolFile: join(folder, 'crates.ts'),
        model: join(folder, 'model'),
        rewards: 'crumbs',
        rehearsal: false,
        promptsPerStep: 2,
        groupSize: 4,
        batchSize: 4,
        heldOutTasks: 3,
        evalTasks: 3,
        evalEvery: 2,
        loraDropout: 0.1,
      }),
    );
}

const adapterOf = (dir: string): Buffer => readFileSync(join(dir, 'adapter/adapter_model.safetensors'));

/** The run that nothing happens to. */
export async function unbroken(script: string, folder: string, method: Method): Promise<Unbroken> {
  const config = join(folder, `${method}.json`);
  const dir = join(folder, 'runs', method);
  const at = performance.now();
  const { code, stderr } = await start(script, dir, config).ended;
  assert.equal(code, 0, stderr);
  return { method, config, adapter: adapterOf(dir), ms: performance.now() - at };
}

/** One run, killed until `most` is used up or it ends, and its bytes compared. @returns the kills it took */
export async function killedRun(
  script: string,
  folder: string,
  { method, config, adapter, ms }: Unbroken,
  random: Random,
  most: number,
): Promise<Kills> {
  const dir = join(folder, 'runs', `${method}-killed`);
  const kills: Kills = { trainer: 0, host: 0 };
  for (;;) {
    const trainer = start(script, dir, existsSync(join(dir, 'run.json')) ? null : config);
    const window = watch(dir, trainer.child);
    const isLast = kills.trainer + kills.host >= most;
    if (!isLast) {
      const after = Math.round(ms * 0.5 * random.next() ** 2); // rather early: a run that goes on is shorter
      const isHost = random.next() < 0.3;
      await Promise.race([trainer.ended, sleep(after)]);
      if (isHost) kills.host += Number(killHost(trainer.child.pid!));
      else if (trainer.child.kill('SIGKILL')) kills.trainer++;
    }
    const { code, stderr } = await trainer.ended;
    checkAcknowledged(dir, await window);
    if (code === null) continue;
    assert.equal(code, 0, `${method}: ${stderr}`);
    assert.equal(runInfo(dir).status, 'finished');
    assert.ok(adapterOf(dir).equals(adapter), `${method}: the adapter's bytes are others than the unbroken run's`);
    rmSync(dir, { recursive: true });
    return kills;
  }
}

function start(
  script: string,
  dir: string,
  config: string | null,
): { child: ChildProcess; ended: Promise<{ code: number | null; stderr: string }> } {
  const args = config === null ? ['--resume', dir] : ['--config', config, '--run-dir', dir];
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
  const limit = setTimeout(() => {
    stderr += `it did not end in ${LONGEST_MS} ms`;
    child.kill('SIGABRT');
  }, LONGEST_MS);
  const ended = once(child, 'close').then(([code, signal]) => {
    clearTimeout(limit);
    return { code: signal === null || signal === 'SIGKILL' ? (code as number | null) : -1, stderr };
  });
  return { child, ended };
}

/** What a window is told until the trainer is gone. */
async function watch(dir: string, child: ChildProcess): Promise<TrainerEvent[]> {
  const told: TrainerEvent[] = [];
  const isOver = () => child.exitCode !== null || child.signalCode !== null;
  while (!isOver()) {
    const path = socketOf(dir);
    const client = await (path === null
      ? null
      : new Promise<TrainerClient | null>((connected) => {
          const handlers = {
            onEvent: (event: TrainerEvent) => void told.push(event),
            onQuestion: async () => 'unavailable' as const,
            onClose: () => undefined,
          };
          TrainerClient.connect(path, readSocketKey(path), handlers, silent).then(connected, () => connected(null));
        }));
    if (client !== null && client.pid === child.pid) {
      while (!isOver()) await sleep(10);
      await sleep(50); // what is still in the socket
      client.dispose();
      return told;
    }
    client?.dispose();
    await sleep(10);
  }
  return told;
}

function checkAcknowledged(dir: string, told: readonly TrainerEvent[]): void {
  if (told.length === 0) return;
  const onDisk = new Map(readEvents(dir, 0).events.map((event) => [event.seq, event]));
  for (const event of told) {
    assert.deepEqual(onDisk.get(event.seq), event, `event ${event.seq} of ${dir} was told and is not on disk`);
    if (event.type === 'traceRecorded') assert.equal(readTrace(dir, event.trace).id, event.trace.id);
  }
}

/** One of the tool hosts of a trainer, if it has any now. Linux only: elsewhere nobody says whose child it is. */
function killHost(trainer: number): boolean {
  if (process.platform !== 'linux') return false;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
      if (parent !== trainer || !readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('toolHost')) continue;
      return process.kill(Number(pid), 'SIGKILL');
    } catch {
      // it ended meanwhile
    }
  }
  return false;
}

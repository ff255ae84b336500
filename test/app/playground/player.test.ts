import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as tf from '@tensorflow/tfjs';
import { pairOfTraces, openPairs } from '../../../trainer/store/preferences/openPairs';
import type { PlayRequest } from '../../../trainer/protocol/play';
import { realDependencies } from '../../../trainer/app/dependencies';
import { runInfo } from '../../../trainer/store/runs/listRuns';
import { acquireLock } from '../../../trainer/store/runs/lock';
import { foldRun, readTrace, traceSummaries } from '../../../trainer/store/runs/readRun';
import { parseSettings } from '../../../trainer/app/settings';
import { startRun } from '../../../trainer/app/startRun';
import { Player } from '../../../trainer/app/playground/player';
import { recordTries } from '../../../trainer/app/playground/recordTries';
import { versionsOf } from '../../../trainer/app/playground/versions';
import { makeTinyModel } from '../../fixtures/tinyModel';
import { tempFolder } from '../../store/runs/sample';

const TOOLS = `
/** Weigh a crate. @param label which one @tool */
export function weighCrate(label: string): number { return label.length; }
/** Send a crate. @param label which one @tool */
export function sendCrate(label: string): string { return 'sent ' + label; }
`;

describe('trying a run by hand', function () {
  this.timeout(300_000);
  const { dir, remove } = tempFolder();
  const workspace = join(dir, 'crates');
  const run = join(workspace, '.coach/runs/first');
  let player: Player;
  let tensors = 0;
  const asked: string[] = [];
  before(async () => {
    mkdirSync(workspace);
    writeFileSync(join(workspace, 'package.json'), '{}');
    writeFileSync(join(workspace, 'crates.ts'), TOOLS);
    const tasks = Array.from({ length: 24 }, (_, i) => ({
      id: `w${i}`,
      prompt: `Weigh crate k${i}`,
      calls: [{ name: 'weighCrate', arguments: { label: `k${i}` } }],
    }));
    writeFileSync(join(workspace, 'crates.tasks.jsonl'), tasks.map((task) => JSON.stringify(task)).join('\n'));
    await startRun({
      config: parseSettings({
        toolFile: join(workspace, 'crates.ts'),
        model: makeTinyModel('player', join(dir, 'model')),
        steps: 2,
        engine: 'onnx',
        threads: 1,
        rehearsal: false,
        promptsPerStep: 2,
        groupSize: 2,
        heldOutTasks: 4,
        evalTasks: 4,
        evalEvery: 1,
        checkpointEvery: 1,
        maxTokens: 160,
        maxTurnTokens: 12,
        maxTurns: 2,
        loraRank: 2,
        loraAlpha: 4,
        loraTargets: ['q_proj', 'v_proj'],
      }),
      workspace,
      runDir: run,
      cwd: workspace,
      signal: new AbortController().signal,
      onStop: () => undefined,
      now: Date.now,
      dependencies: realDependencies,
    });
    player = await Player.open({
      dir: run,
      cwd: workspace,
      dependencies: realDependencies,
      now: Date.now,
      ask: async (tool) => {
        asked.push(tool);
        return 'no';
      },
    });
  });
  after(async () => {
    await player?.close();
    remove();
  });
  const request = (more: Partial<PlayRequest> = {}): PlayRequest => ({
    tasks: [{ id: 'p', prompt: 'Weigh crate k1' }],
    versions: ['base', 'adapter'],
    samples: 1,
    temperature: 0,
    toolPolicy: null,
    isRecorded: true,
    stamp: 1_000,
    ...more,
  });
  const signal = new AbortController().signal;

  it('knows what can be tried: base, checkpoints, adapter with the step it is of', () => {
    const versions = versionsOf(run);
    assert.deepEqual(
      versions.map(({ version }) => version),
      ['base', 1, 2, 'adapter'],
    );
    assert.ok([1, 2].includes(versions.at(-1)!.step));
  });

  it('base and trained model answer the same prompt, as two traces of one group; without gold nothing is solved or scored', async () => {
    const { traces } = await player.play(request(), signal);
    assert.equal(traces.length, 2);
    assert.equal(new Set(traces.map(({ groupId }) => groupId)).size, 1);
    assert.deepEqual(
      traces.map(({ checkpoint, indexInGroup }) => [checkpoint === 'base', indexInGroup]),
      [
        [true, 0],
        [false, 1],
      ],
    );
    for (const trace of traces) {
      assert.deepEqual([trace.phase, trace.solved, trace.reward, trace.temperature], ['try', null, null, 0]);
      assert.equal(trace.messages.find(({ role }) => role === 'user')!.content, 'Weigh crate k1');
      assert.ok(trace.tokens.writer.includes('s') && trace.tokens.ids.length === trace.tokens.writer.length);
    }
    const again = await player.play(request({ stamp: 2_000 }), signal);
    assert.deepEqual(
      again.traces.map(({ tokens }) => tokens.ids),
      traces.map(({ tokens }) => tokens.ids),
      'greedy is greedy',
    );
    tensors = tf.memory().numTensors;
  });

  it('a task with gold is solved or not, and scored by the rewards of the run; answers come task by task', async () => {
    const told: number[] = [];
    const { traces } = await player.play(
      request({
        tasks: [
          { id: 'a', prompt: 'Weigh crate k1', calls: [{ name: 'weighCrate', arguments: { label: 'k1' } }] },
          { id: 'b', prompt: 'Weigh crate k2', calls: [] },
        ],
        versions: [1],
        samples: 2,
        temperature: 1,
        stamp: 3_000,
      }),
      signal,
      (part) => void told.push(part.length),
    );
    assert.deepEqual(
      traces.map(({ taskId }) => taskId),
      ['a', 'a', 'b', 'b'],
    );
    assert.equal(
      told.reduce((a, b) => a + b),
      4,
    );
    for (const trace of traces)
      assert.ok(
        trace.solved !== null && trace.rewards.length > 0 && trace.checkpoint === 'step 1',
        JSON.stringify(trace.rewards),
      );
    assert.equal(new Set(traces.map(({ groupId }) => groupId)).size, 2);
  });

  it('keeps tries in the run: listed, still finished, to be marked as a pair; never while a trainer holds it', async () => {
    const { traces } = await player.play(request({ samples: 3, temperature: 2, stamp: 4_000 }), signal);
    const summaries = recordTries(run, traces, Date.now);
    assert.equal(runInfo(run).status, 'finished');
    const state = foldRun(run);
    assert.equal(state.status, 'finished');
    assert.deepEqual(
      state.traces.filter(({ phase }) => phase === 'try').map(({ id }) => id),
      traces.map(({ id }) => id),
    );
    assert.deepEqual(readTrace(run, summaries[0]!), traces[0]);
    assert.deepEqual(
      summaries.map(({ checkpoint }) => checkpoint),
      traces.map(({ checkpoint }) => checkpoint),
      'the list knows what answered',
    );
    assert.equal(
      new Set(summaries.map(({ phase, step, groupId }) => `${phase} ${step} ${groupId}`)).size,
      1,
      'one group of one moment, whatever the checkpoint',
    );
    const other = traces.find(
      ({ messages }) =>
        JSON.stringify(messages.at(-1)!.content) !== JSON.stringify(traces[0]!.messages.at(-1)!.content),
    );
    if (other) {
      const { pair } = pairOfTraces(workspace, run, [traces[0]!.id, other.id]);
      assert.deepEqual(
        pair?.pair.sides.map(({ traceId }) => traceId),
        [traces[0]!.id, other.id],
      );
      assert.ok(openPairs(workspace, run).pairs.some(({ pair: { groupId } }) => groupId === traces[0]!.groupId));
    }
    const heldOut = traceSummaries(run).filter(({ phase }) => phase === 'after');
    assert.throws(() => pairOfTraces(workspace, run, [heldOut[0]!.id, heldOut[1]!.id]), /must not be trained on/);
    const lock = acquireLock(run);
    assert.throws(() => recordTries(run, traces, Date.now), /its trainer is at work/);
    lock.release();
  });

  it('a checkpoint that is gone is refused by name, and a cancelled try gives what it has', async () => {
    await assert.rejects(player.play(request({ versions: [77] }), signal), /no whole checkpoint of step 77/);
    const stop = new AbortController();
    stop.abort();
    assert.deepEqual((await player.play(request({ stamp: 5_000 }), stop.signal)).traces, []);
    assert.equal(tf.memory().numTensors, tensors, 'a try leaves no tensor');
  });
});

import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as tf from '@tensorflow/tfjs';
import { readSafetensors } from '../../trainer/model/weights/safetensors';
import type { TrainerEvent } from '../../trainer/protocol/messages';
import { UserError } from '../../trainer/protocol/result';
import { checkMemory, type MemoryCheck } from '../../trainer/recipes/steps/memoryCheck';
import { tryLongest } from '../../trainer/recipes/steps/tryLongest';
import type { Session } from '../../trainer/recipes/steps/session';
import { realDependencies } from '../../trainer/app/dependencies';
import { readEvents } from '../../trainer/store/runs/readRun';
import { parseSettings, settle } from '../../trainer/app/settings';
import { startRun } from '../../trainer/app/startRun';
import { writeCrates } from '../fixtures/crates';
import { makeTinyModel, TINY_RUN } from '../fixtures/tinyModel';

type Context = Parameters<typeof checkMemory>[0];
const GB = 1e9;

describe('memory before the first step', function () {
  this.timeout(300_000);
  const folder = mkdtempSync(join(tmpdir(), 'coach-memory-'));
  const model = makeTinyModel('memory', join(folder, 'model'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  before(() => {
    writeCrates(folder, { tasks: 20 });
  });

  const settings = {
    ...TINY_RUN,
    model,
    steps: 2,
    rewards: 'crumbs',
    rehearsal: false,
    promptsPerStep: 2,
    groupSize: 4,
    batchSize: 4,
    heldOutTasks: 2,
    evalTasks: 2,
    evalEvery: 2,
  };

  async function train(
    name: string,
    changed: Record<string, unknown>,
    freeBytes = 8 * GB,
  ): Promise<{ dir: string; events: TrainerEvent[]; error: unknown }> {
    const dir = join(folder, 'runs', name);
    const error = await startRun({
      config: parseSettings({ toolFile: join(folder, 'crates.ts'), ...settings, ...changed }),
      cwd: folder,
      workspace: folder,
      runDir: dir,
      signal: new AbortController().signal,
      onStop: () => undefined,
      now: Date.now,
      dependencies: realDependencies,
      freeMemory: () => ({ bytes: freeBytes, from: 'a test' }),
    }).then(
      () => null,
      (e: unknown) => e,
    );
    return { dir, events: readEvents(dir, 0).events, error };
  }
  const notes = (events: TrainerEvent[], level: string): string[] =>
    events.flatMap((e) => (e.type === 'noted' && e.level === level ? [e.message] : []));
  const adapterOf = (dir: string): Buffer => readFileSync(join(dir, 'adapter/adapter_model.safetensors'));

  it('gradientCheckpointing trains by all methods', async () => {
    for (const method of ['grpo', 'sft', 'dpo']) {
      const { error, dir } = await train(`${method}-again`, { method, gradientCheckpointing: true });
      assert.equal(error, null);
      assert.ok(
        [...readSafetensors(adapterOf(dir))].some(
          ([name, t]) => name.includes('lora_B') && t.data.some((x) => x !== 0),
        ),
        'it learnt something',
      );
    }
  });

  for (const method of ['grpo', 'sft', 'dpo']) {
    it(`${method}: the longest sample is tried, the adapter has the same bytes as without, and no tensor is left`, async () => {
      const before = tf.memory().numTensors;
      const [tried, plain] = [
        await train(`${method}-tried`, { method }),
        await train(`${method}-plain`, { method, memoryCheck: false }),
      ];
      assert.deepEqual([tried.error, plain.error, tf.memory().numTensors], [null, null, before]);
      const said = notes(tried.events, 'info').join('\n');
      assert.match(
        said,
        /^Memory: at most [\d,]+ MB of [\d,]+ MB \(a test\): weights \d+, adapter \d+, optimiser \d+, KV cache \d+, engine and program \d+, and in turn training \(activations \d+, logits \d+\) or decoding \(\d+\)$/m,
      );
      assert.match(
        said,
        /^The longest sample fits: the process took [\d,]+ MB at most, planned were [\d,]+ MB \(without decoding\); [\d.]+ s$/m,
      );
      assert.ok(!notes(plain.events, 'info').some((message) => message.includes('longest sample')));
      assert.deepEqual(adapterOf(tried.dir), adapterOf(plain.dir));
      assert.ok(
        [...readSafetensors(adapterOf(tried.dir))].some(
          ([name, t]) => name.includes('lora_B') && t.data.some((x) => x !== 0),
        ),
        'it learnt something',
      );
    });
  }

  it('refused on a small machine: numbers, what to lower, nothing loaded or trained, the run has failed with that message', async () => {
    const { dir, events, error } = await train(
      'refused',
      { maxTokens: 1024, groupSize: 16, promptsPerStep: 8, tokensPerMicroBatch: 8192 },
      50e6,
    );
    assert.ok(error instanceof UserError, String(error));
    assert.match(error.message, /^not enough memory\. Memory: at most [\d,]+ MB of [\d,]+ MB \(a test\): weights /);
    assert.match(
      error.hint!,
      /With --set memoryCheck=false \(in the editor: agentCoach\.memoryCheck\) it starts all the same\.$/,
    );
    const last = events.at(-1)!;
    assert.ok(last.type === 'runFailed' && last.error.message === error.message && last.error.hint === error.hint);
    assert.ok(
      !events.some((e) => ['phaseStarted', 'stepFinished', 'checkpointSaved', 'traceRecorded'].includes(e.type)),
    );
    assert.deepEqual(
      [
        existsSync(join(dir, 'adapter')),
        existsSync(join(dir, 'checkpoints')) ? readdirSync(join(dir, 'checkpoints')) : [],
      ],
      [false, []],
    );
  });

  const context = (
    changed: Record<string, unknown>,
    freeBytes: number,
    resumeFrom: Context['resumeFrom'] = null,
  ): Context => ({
    config: settle(parseSettings({ toolFile: 'x', ...settings, ...changed }), false),
    tools: [],
    tasks: { train: [], validation: [], heldOut: [] },
    modelFolder: realDependencies.modelFolder(changed['model'] === 'nano' ? 'nano' : model, folder),
    engine: { name: 'onnx' } as Context['engine'],
    resumeFrom,
    // what is free and what the program holds are the room
    freeMemory: () => ({ bytes: freeBytes - Math.min(400e6, process.memoryUsage().rss), from: 'a test' }),
  });
  const large = { maxTokens: 1024, groupSize: 16, maxTurnTokens: 200, tokensPerMicroBatch: 8192 };

  it('what to lower is said as it is written, and what it comes to', () => {
    const { total } = checkMemory(context(large, 64 * GB)).plan;
    assert.throws(
      () => checkMemory(context(large, 0.8 * total)),
      (error: UserError) => {
        const [, value, comesTo] =
          /^With --set gradientCheckpointing=true(?: --set tokensPerMicroBatch=(\d+))? it takes at most ([\d,]+) MB\. With --set memoryCheck=false \(in the editor: agentCoach\.memoryCheck\) it starts all the same\.$/.exec(
            error.hint!,
          ) ?? [];
        const { plan } = checkMemory(
          context(
            { ...large, gradientCheckpointing: true, ...(value ? { tokensPerMicroBatch: Number(value) } : {}) },
            64 * GB,
          ),
        );
        return Number(comesTo!.replace(',', '')) === Math.round(plan.total / 1e6) && plan.total <= 0.8 * total;
      },
    );
    assert.throws(
      () => checkMemory(context(large, 0.1 * GB)),
      (error: UserError) =>
        /^Take a smaller model: even with --set gradientCheckpointing=true --set tokensPerMicroBatch=\d+ --set maxTokens=\d+ .*it takes up to/.test(
          error.hint!,
        ),
    );
  });

  it('above four fifths a warning; with memoryCheck false a warning in place of the refusal, and nothing is tried', () => {
    const { total } = checkMemory(context(large, 64 * GB)).plan;
    const levels = ({ notes: list }: MemoryCheck): string[] => list.map(({ level }) => level);
    assert.deepEqual(levels(checkMemory(context(large, total / 0.7))), ['info']);
    const crowded = checkMemory(context(large, total / 0.9));
    assert.deepEqual([levels(crowded), crowded.isTried], [['info', 'warning'], true]);
    assert.match(
      crowded.notes[1]!.message,
      /^the run may take 90 % of the memory that is free\. With --set gradientCheckpointing=true/,
    );
    const forced = checkMemory(context({ ...large, memoryCheck: false }, total / 2));
    assert.deepEqual([levels(forced), forced.isTried], [['info', 'warning'], false]);
  });

  it('the embedded model is tried only where it takes more than half; a resumed run is checked, and neither noted nor tried again', () => {
    const { plan } = checkMemory(context({ model: 'nano' }, 64 * GB));
    assert.deepEqual(
      [1.9, 2.1].map((times) => checkMemory(context({ model: 'nano' }, times * plan.total)).isTried),
      [true, false],
    );
    const resumed = checkMemory(context({}, 64 * GB, {} as Context['resumeFrom']));
    assert.deepEqual([resumed.notes, resumed.isTried], [[], false]);
    assert.throws(() => checkMemory(context({}, 0.1 * GB, {} as Context['resumeFrom'])), /not enough memory/);
  });

  it('a trial that fails is one error with the plan', async () => {
    const check = checkMemory(context({}, 64 * GB));
    const session = { context: { config: context({}, 0).config, now: () => 0 } } as unknown as Session;
    const events = tryLongest(
      session,
      {
        tryOut: async () => {
          throw new Error('bad allocation');
        },
      },
      check,
    );
    assert.equal((await events.next()).value?.type, 'noted');
    await assert.rejects(
      events.next(),
      (error: UserError) =>
        error instanceof UserError &&
        /^the longest sample \(\d+ tokens, \d+ of them trained\) could not be trained on: bad allocation\. Memory: at most/.test(
          error.message,
        ),
    );
  });

  it('where the tensors lie on a GPU that tells nothing, nothing is refused; WebAssembly has a limit of its own', () => {
    const on = (name: string, bytes: number): MemoryCheck =>
      checkMemory({ ...context({}, bytes), engine: { name } as Context['engine'] });
    assert.equal(on('tfjs-node-gpu', 0.1 * GB).room, null);
    assert.deepEqual(on('wasm', 64 * GB).room, { bytes: 4 * 2 ** 30, from: "WebAssembly's own limit" });
  });
});

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { foldRun, readEvents } from '../../trainer/store/runs/readRun';
import { bundledTrainer } from '../fixtures/bundledTrainer';
import { writeCrates } from '../fixtures/crates';
import { makeTinyModel } from '../fixtures/tinyModel';

/** Two examples a step, one of them the student's own sample. */
const SETTINGS = {
  method: 'sft',
  sftOwnSamples: 0.5,
  sftTeacherTop: 8,
  steps: 2,
  seed: 3,
  engine: 'onnx',
  threads: 1,
  rehearsal: false,
  memoryCheck: false,
  batchSize: 2,
  heldOutTasks: 2,
  evalTasks: 2,
  evalEvery: 2,
  checkpointEvery: 1,
  maxTokens: 160,
  maxTurnTokens: 12,
  maxTurns: 2,
  learningRate: 0.01,
  warmupSteps: 0,
  constraint: 'none',
  loraRank: 2,
  loraAlpha: 4,
  loraDropout: 0.1,
  loraTargets: ['q_proj', 'v_proj'],
};

describe("a student of a teacher's probabilities, on dialogues and its own samples (GKD)", function () {
  this.timeout(120_000);
  const folder = mkdtempSync(join(tmpdir(), 'coach-gkd-'));
  let script: string;
  after(() => rmSync(folder, { recursive: true, force: true }));

  before(() => {
    script = bundledTrainer();
    writeCrates(folder, { tasks: 20 });
    const dialogues = Array.from({ length: 20 }, (_, i) => {
      const prompt = `Weigh crate k${i}`;
      const call = { name: 'weighCrate', arguments: { label: `k${i}` } };
      const messages = [
        { role: 'user', content: prompt },
        { role: 'assistant', content: '', tool_calls: [{ id: 'c', type: 'function', function: call }] },
        { role: 'tool', content: '2', tool_call_id: 'c', name: 'weighCrate' },
        { role: 'assistant', content: 'It weighs 2.' },
      ];
      return JSON.stringify({ taskId: `w${i}`, prompt, messages });
    });
    writeFileSync(join(folder, 'dialogues.jsonl'), dialogues.join('\n'));
    const settings = {
      ...SETTINGS,
      toolFile: join(folder, 'crates.ts'),
      model: makeTinyModel('student', join(folder, 'student')),
      sftTeacher: makeTinyModel('teacher', join(folder, 'teacher')),
      sftDialogues: join(folder, 'dialogues.jsonl'),
    };
    writeFileSync(join(folder, 'config.json'), JSON.stringify(settings));
  });

  /** @param killAt the checkpoint after which it is killed; null: it ends by itself */
  async function train(name: string, killAt: string | null): Promise<void> {
    const dir = join(folder, name);
    const isNew = !existsSync(join(dir, 'run.json'));
    const args = isNew ? ['--config', join(folder, 'config.json'), '--run-dir', dir] : ['--resume', dir];
    const child = spawn(process.execPath, [script, ...args], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
    let code: number | null | undefined;
    child.on('close', (ended) => (code = ended));
    while (code === undefined) {
      if (killAt !== null && existsSync(join(dir, 'checkpoints', killAt))) child.kill('SIGKILL');
      await sleep(2);
    }
    assert.equal(code, killAt === null ? 0 : null, stderr);
  }

  it('killed within and resumed, it ends in the bytes of the unbroken run', async () => {
    await train('whole', null);
    for (const killAt of ['step-00001', null]) await train('killed', killAt);
    const [whole, killed] = ['whole', 'killed'].map((name) => join(folder, name)) as [string, string];
    const adapterOf = (dir: string): Buffer => readFileSync(join(dir, 'adapter/adapter_model.safetensors'));
    assert.deepEqual(adapterOf(killed), adapterOf(whole));
    const samples = (dir: string): string[] =>
      foldRun(dir).traces.flatMap(({ id, phase }) => (phase === 'train' ? [id] : []));
    assert.deepEqual(samples(whole), ['s1-own0', 's2-own0']);
    assert.deepEqual(samples(killed), samples(whole));
    assert.equal(readEvents(killed, 0).events.filter(({ type }) => type === 'runResumed').length, 1);
  });
});

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { foldRun, readEvents } from '../../trainer/store/runs/readRun';
import { bundledTrainer } from '../fixtures/bundledTrainer';
import { writeCrates } from '../fixtures/crates';
import { runTrainer } from '../fixtures/killedRun';
import { makeTinyModel, TINY_RUN } from '../fixtures/tinyModel';

/** Two examples a step, one of them the student's own sample. */
const SETTINGS = {
  ...TINY_RUN,
  method: 'sft',
  sftOwnSamples: 0.5,
  sftTeacherTop: 8,
  steps: 2,
  rehearsal: false,
  memoryCheck: false,
  batchSize: 2,
  heldOutTasks: 2,
  evalTasks: 2,
  evalEvery: 2,
  constraint: 'none',
  loraDropout: 0.1,
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

  const train = (name: string, isNew: boolean, killAt: string | null = null): Promise<number | null> =>
    runTrainer(join(folder, name), isNew ? join(folder, 'config.json') : null, killAt, [script]);

  it('killed within and resumed, it ends in the bytes of the unbroken run', async () => {
    for (const name of ['whole', 'killed']) rmSync(join(folder, name), { recursive: true, force: true });
    assert.equal(await train('whole', true), 0);
    assert.equal(await train('killed', true, 'step-00001'), null);
    assert.equal(await train('killed', false), 0);
    const [whole, killed] = ['whole', 'killed'].map((name) => join(folder, name)) as [string, string];
    const adapterOf = (dir: string): Buffer => readFileSync(join(dir, 'adapter/adapter_model.safetensors'));
    assert.deepEqual(adapterOf(killed), adapterOf(whole));
    const samples = (dir: string): string[] =>
      foldRun(dir).traces.flatMap(({ id, phase }) => (phase === 'train' ? [id] : []));
    assert.deepEqual(samples(whole), ['s1-own0', 's2-own0']);
    // killed late, it has sampled of the second step before, too
    assert.deepEqual([...new Set(samples(killed))], samples(whole));
    assert.equal(readEvents(killed, 0).events.filter(({ type }) => type === 'runResumed').length, 1);
  });
});

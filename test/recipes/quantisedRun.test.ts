import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSafetensors } from '../../trainer/model/weights/safetensors';
import { exportWeights } from '../../trainer/app/cli/exportWeights';
import { readEvents } from '../../trainer/store/runs/readRun';
import { writeCrates } from '../fixtures/crates';
import { runTrainer } from '../fixtures/killedRun';
import { makeTinyModel, TINY_RUN } from '../fixtures/tinyModel';

describe('a run on a base in 4 bits', function () {
  this.timeout(300_000);
  const folder = mkdtempSync(join(tmpdir(), 'coach-q4-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  before(() => {
    writeCrates(folder);
    mkdirSync(join(folder, 'runs'));
    writeFileSync(
      join(folder, 'config.json'),
      JSON.stringify({
        ...TINY_RUN,
        toolFile: join(folder, 'crates.ts'),
        model: makeTinyModel('q4', join(folder, 'model')),
        quantize: 'q4',
        steps: 4,
        rewards: 'crumbs',
        numIterations: 1,
        promptsPerStep: 2,
        groupSize: 4,
        heldOutTasks: 4,
        evalTasks: 4,
        evalEvery: 4,
      }),
    );
  });

  const train = (run: string, isNew: boolean, killAt: string | null): Promise<number | null> =>
    runTrainer(run, isNew ? join(folder, 'config.json') : null, killAt);

  it('trains, says how the base is held, resumes to the same bytes, keeps the adapter alone, and exports it', async () => {
    const [whole, killed] = [join(folder, 'runs/whole'), join(folder, 'runs/killed')];
    assert.equal(await train(whole, true, null), 0);
    const adapter = readFileSync(join(whole, 'adapter/adapter_model.safetensors'));
    assert.ok(
      [...readSafetensors(adapter)].some(([name, t]) => name.includes('lora_B') && t.data.some((x) => x !== 0)),
      'the adapter learnt something',
    );
    assert.ok(
      readEvents(whole, 0).events.some(
        (e) => e.type === 'noted' && /^the base model is held in 14 matrices of 4 bits/.test(e.message),
      ),
    );

    assert.equal(await train(killed, true, 'step-00002'), null);
    assert.equal(await train(killed, false, null), 0);
    assert.deepEqual(readFileSync(join(killed, 'adapter/adapter_model.safetensors')), adapter);

    const last = readdirSync(join(whole, 'checkpoints'))
      .filter((name) => name.startsWith('step-'))
      .sort()
      .at(-1)!;
    for (const name of readSafetensors(readFileSync(join(whole, 'checkpoints', last, 'tensors.safetensors'))).keys())
      assert.match(name, /lora_[AB]/);

    const options = { dtype: undefined, modelFolder: () => join(folder, 'model') };
    assert.equal(exportWeights(whole, join(folder, 'peft'), 'peft', options).notes, undefined);
    const { notes } = exportWeights(whole, join(folder, 'merged'), 'merged', options);
    assert.match(notes![0]!, /trained on the base in 4 bits .* unrounded/);
    assert.match(readFileSync(join(folder, 'merged/README.md'), 'utf8'), /trained on the base in 4 bits/);
  });
});

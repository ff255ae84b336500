import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadBaseModel } from '../../trainer/model/weights/baseModel';
import { readSafetensors } from '../../trainer/model/weights/safetensors';
import { exportWeights } from '../../trainer/app/cli/exportWeights';
import { trainedWeightsOf } from '../../trainer/model/weights/trainedWeights';
import { UserError } from '../../trainer/protocol/result';
import { readEvents, requireManifest } from '../../trainer/store/runs/readRun';
import { parseSettings, settle } from '../../trainer/app/settings';
import { versionsOf } from '../../trainer/app/playground/versions';
import { writeCrates } from '../fixtures/crates';
import { runTrainer } from '../fixtures/killedRun';
import { makeTinyModel } from '../fixtures/tinyModel';

describe('a run that trains all weights', function () {
  this.timeout(300_000);
  const folder = mkdtempSync(join(tmpdir(), 'coach-whole-'));
  const model = join(folder, 'model');
  const settings = {
    toolFile: join(folder, 'crates.ts'),
    model,
    finetuning: 'full',
    steps: 4,
    seed: 3,
    rewards: 'crumbs',
    engine: 'onnx',
    threads: 1,
    numIterations: 1,
    promptsPerStep: 2,
    groupSize: 4,
    heldOutTasks: 4,
    evalTasks: 4,
    evalEvery: 4,
    checkpointEvery: 1,
    maxTokens: 160,
    maxTurnTokens: 12,
    maxTurns: 2,
    learningRate: 0.01,
    warmupSteps: 0,
    beta: 0.1,
    weightDecay: 0.1,
  };
  before(() => {
    writeCrates(folder);
    makeTinyModel('whole', model);
    mkdirSync(join(folder, 'runs'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** @param more settings, or null: it goes on */
  function train(run: string, more: object | null, killAt: string | null = null): Promise<number | null> {
    const config = join(folder, 'config.json');
    writeFileSync(config, JSON.stringify({ ...settings, ...more }));
    return runTrainer(run, more && config, killAt);
  }

  it('changes every weight, resumes to the same bytes, leaves a model that loads, and is gone on from', async () => {
    const [whole, killed, next] = [join(folder, 'runs/whole'), join(folder, 'runs/killed'), join(folder, 'runs/next')];
    assert.equal(await train(whole, {}), 0);
    const bytes = readFileSync(join(whole, 'model/model.safetensors'));
    const [base, trained] = [readSafetensors(join(model, 'model.safetensors')), readSafetensors(bytes)];
    assert.deepEqual([...trained.keys()].sort(), [...base.keys()].sort());
    for (const [name, { data }] of trained)
      assert.ok(
        data.every(Number.isFinite) && data.some((x, i) => x !== base.get(name)!.data[i]),
        `${name} learnt something`,
      );
    assert.ok(
      readEvents(whole, 0).events.some((e) => e.type === 'noted' && /trained weights \d/.test(e.message)),
      'the memory plan has them',
    );
    const curve = readEvents(whole, 0).events.flatMap((e) =>
      e.type === 'stepFinished' ? [e.metrics['kl'] ?? null] : [],
    );
    assert.ok(curve.at(-1)! > 0, `it has gone away from the base model, KL ${curve.at(-1)}`);

    assert.equal(await train(killed, {}, 'step-00002'), null);
    assert.equal(await train(killed, null), 0);
    assert.deepEqual(readFileSync(join(killed, 'model/model.safetensors')), bytes);

    const { weights } = trainedWeightsOf(whole, requireManifest(whole).config);
    assert.equal(weights.shape, 'whole');
    assert.deepEqual([...weights.tensors.keys()].sort(), [...base.keys()].sort());
    assert.deepEqual(versionsOf(whole).at(-1)!.version, 'adapter');
    const loaded = loadBaseModel(join(whole, 'model'), 64);
    for (const [name, { data }] of trained) assert.deepEqual(loaded.model.weights.get(name)!.dataSync(), data, name);
    loaded.dispose();

    assert.equal(await train(next, { startFrom: whole, steps: 1, learningRate: 1e-9, gradientCheckpointing: true }), 0);
    for (const [name, { data }] of readSafetensors(join(next, 'model/model.safetensors')))
      data.forEach((x, i) => assert.ok(Math.abs(x - trained.get(name)!.data[i]!) < 1e-6, name));
  });

  it('is exported as a model, and not as an adapter', () => {
    const run = join(folder, 'runs/whole');
    const options = { dtype: undefined, modelFolder: () => model };
    assert.deepEqual(exportWeights(run, join(folder, 'merged'), 'merged', options).counts, {
      weights: 'all',
      dtype: 'F32',
      from: exportedFrom(run),
    });
    assert.deepEqual(
      readFileSync(join(folder, 'merged/model.safetensors')),
      readFileSync(join(run, 'model/model.safetensors')),
    );
    assert.equal(
      (JSON.parse(readFileSync(join(folder, 'merged/config.json'), 'utf8')) as { torch_dtype?: string; dtype?: string })
        .torch_dtype,
      'float32',
    );
    exportWeights(run, join(folder, 'ollama'), 'ollama', { ...options, dtype: 'F16' });
    assert.match(readFileSync(join(folder, 'ollama/Modelfile'), 'utf8'), /^FROM \.\/model$/m);
    for (const to of ['peft', 'gguf-lora'] as const)
      assert.throws(
        () => exportWeights(run, join(folder, to), to, options),
        (e) => e instanceof UserError && /this run trained all weights/.test(e.message),
      );
  });
  const exportedFrom = (run: string): string =>
    trainedWeightsOf(run, requireManifest(run, { readOnly: true }).config).from;

  it('refuses what it does not go with', () => {
    const refused = (more: object, message: RegExp) =>
      assert.throws(
        () => settle(parseSettings({ ...settings, ...more }), false),
        (e) => e instanceof UserError && message.test(e.message),
      );
    refused({ quantize: 'q4' }, /finetuning full.*does not go with quantize q4/);
    refused({ loraDropout: 0.1 }, /does not go with loraDropout/);
    refused({ finetuning: 'all' }, /finetuning/);
  });
});

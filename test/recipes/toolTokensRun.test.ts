/** A run whose tools are tokens: its stages, its adapter in PEFT's form, and what is refused. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asTokens } from '../../trainer/app/cli/evaluated';
import { exportWeights } from '../../trainer/app/cli/exportWeights';
import { parseSettings, settle } from '../../trainer/app/settings';
import { Tokenizer } from '../../trainer/model/tokenizer/tokenizer';
import { loadBaseModel } from '../../trainer/model/weights/baseModel';
import { modelConfig } from '../../trainer/model/weights/describeModel';
import { readSafetensors } from '../../trainer/model/weights/safetensors';
import { trainedWeightsOf } from '../../trainer/model/weights/trainedWeights';
import type { ToolSchema } from '../../trainer/protocol/task';
import { foldRun, readTrace, requireManifest, traceSummaries } from '../../trainer/store/runs/readRun';
import { writeCrates } from '../fixtures/crates';
import { runTrainer } from '../fixtures/killedRun';
import { makeTinyModel } from '../fixtures/tinyModel';
import { isUserError } from '../tasks/fixtures';

const ROWS = 'base_model.model.model.embed_tokens.token_adapter.trainable_tokens_delta';

describe('a run with a token for each tool', function () {
  this.timeout(120_000);
  const folder = mkdtempSync(join(tmpdir(), 'coach-tokens-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('learns definitions, requests, then dialogues; exports what PEFT loads', async () => {
    writeCrates(folder);
    mkdirSync(join(folder, 'runs'));
    const model = makeTinyModel('other', join(folder, 'model'));
    const config = join(folder, 'config.json');
    const settings = {
      toolFile: join(folder, 'crates.ts'),
      model,
      recipe: 'toolgen',
      toolTokenMemory: 2,
      constraint: 'schema+spans',
      steps: 2,
      seed: 3,
      rewards: 'crumbs',
      engine: 'onnx',
      threads: 1,
      batchSize: 8,
      heldOutTasks: 4,
      evalTasks: 4,
      evalEvery: 2,
      checkpointEvery: 1,
      maxTurns: 2,
      loraRank: 2,
      loraAlpha: 4,
      loraTargets: ['q_proj', 'v_proj'],
      rehearsal: false,
    };
    writeFileSync(config, JSON.stringify(settings));
    const whole = join(folder, 'runs/whole');
    assert.equal(await runTrainer(whole, config), 0);
    const said = foldRun(whole).notes.flatMap(({ code, message }) => (code === 'toolTokens' ? [message] : []));
    assert.equal(said.length, 3, said.join('\n'));
    assert.match(said[0]!, /before is measured with tokens that nobody has learnt yet/);
    assert.match(said[1]!, /memorisation: \d of 2 definitions .* after [012] epochs of 2 examples/);
    assert.match(said[2]!, /retrieval: \d of 4 validation requests .* after 1 epochs of 22 examples/);
    const { tokens } = readTrace(whole, traceSummaries(whole).find(({ phase }) => phase === 'after')!);
    assert.ok(tokens.writer.indexOf('s') < 60, `a prompt without tools, of ${tokens.writer.indexOf('s')} tokens`);

    const adapter = join(whole, 'adapter');
    const written = readSafetensors(join(adapter, 'adapter_model.safetensors'));
    assert.deepEqual(written.get(ROWS)!.shape, [2, 32]);
    const peft = JSON.parse(readFileSync(join(adapter, 'adapter_config.json'), 'utf8')) as Record<string, unknown>;
    assert.deepEqual(peft['trainable_token_indices'], [2048, 2049]);
    assert.equal(Tokenizer.load(adapter).idOf('<|tool:dyeCrate|>'), 2049);
    const { weights } = trainedWeightsOf(whole, requireManifest(whole).config);
    assert.deepEqual(
      weights.toolTokens?.map(({ name }) => name),
      ['weighCrate', 'dyeCrate'],
    );

    const crates = JSON.parse(readFileSync(join(whole, 'tools.json'), 'utf8')) as ToolSchema[];
    const subject = { trained: weights, budget: undefined };
    const given = parseSettings({ toolFile: 'x.ts' });
    assert.equal(asTokens(given, subject, crates).toolTokens, true);
    assert.equal(asTokens(given, subject, [{ ...crates[0]!, name: 'other' }]).toolTokens, false, 'another file');
    assert.throws(
      () => asTokens(given, subject, crates.slice(1)),
      isUserError(/x\.ts: .*weighCrate have a token and are gone/),
    );
    assert.throws(
      () => asTokens({ ...given, toolTokens: true }, { trained: null, budget: undefined }, crates),
      isUserError(/has no trained tokens/),
    );

    const options = { dtype: undefined, modelFolder: () => model };
    const merged = join(folder, 'merged');
    exportWeights(whole, merged, 'merged', options);
    assert.equal(modelConfig(merged).vocabSize, 2050);
    const base = loadBaseModel(merged, 32);
    const embedding = (await base.model.weights.get('model.embed_tokens.weight')!.data()) as Float32Array;
    assert.deepEqual(embedding.slice(2048 * 32), written.get(ROWS)!.data);
    base.dispose();
    for (const form of ['gguf-lora', 'ollama'] as const)
      assert.throws(
        () => exportWeights(whole, join(folder, form), form, options),
        isUserError(/can't hold .* -> Take --to peft or --to merged/),
      );
  });

  it('what does not go with it is refused, with the way out', () => {
    const refused = (settings: object, says: RegExp): void =>
      assert.throws(
        () => settle(parseSettings({ toolFile: 'x.ts', toolTokens: true, ...settings }), true),
        isUserError(says),
      );
    refused({ shownTools: 5 }, /toolTokens does not go with shownTools 5/);
    refused({ renameTools: 0.5 }, /renameTools 0\.5/);
    refused({ finetuning: 'full' }, /finetuning full/);
    refused({ constraint: 'none' }, /needs constrained decoding.* -> Set constraint to schema/);
    refused({ model: '/models/other' }, /needs constrained decoding/);
  });
});

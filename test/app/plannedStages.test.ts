import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { plannedStages, withMarks } from '../../trainer/app/plannedStages';
import { asWarmStart } from '../../trainer/app/asWarmStart';
import { parseSettings, settle } from '../../trainer/app/settings';
import type { SettledConfig } from '../../trainer/protocol/runConfig';
import { preferencesFile, recordPreferences } from '../../trainer/store/preferences/store';
import { pair } from '../store/preferences/fixture';

describe('the stages that a run begins with', () => {
  const workspace = mkdtempSync(join(tmpdir(), 'coach-stages-'));
  before(() => {
    mkdirSync(join(workspace, '.git'));
    recordPreferences(
      workspace,
      [{ type: 'mark', pair: pair('p1'), verdict: 'first', shown: { a: 0, isBlind: true } }],
      { author: { name: 'Ana' } },
    );
  });
  after(() => rmSync(workspace, { recursive: true, force: true }));
  const config = (more: object, file = 'tools.ts') => parseSettings({ toolFile: join(workspace, file), ...more });
  const methods = (of: ReturnType<typeof plannedStages>) =>
    [of?.stages ?? [], of?.candidates ?? []].map((all) => all.map(({ method, steps }) => `${method}:${steps}`));

  it('pairs that people marked on these tools are taken where stages are to be chosen, and nowhere else', () => {
    assert.equal(withMarks(config({ stages: 'auto' }), workspace).pairs, preferencesFile(workspace));
    assert.equal(withMarks(config({ stages: 'auto' }, 'others.ts'), workspace).pairs, undefined);
    assert.equal(withMarks(config({ stages: 'auto', pairs: 'own.jsonl' }), workspace).pairs, 'own.jsonl');
    assert.equal(withMarks(config({ stages: 'sft:1,dpo:1' }), workspace).pairs, undefined);
    assert.equal(withMarks(config({}), workspace).pairs, undefined);
  });

  it('are those that were named, or what a rehearsal may choose from; each with its own settings', () => {
    assert.equal(plannedStages(config({}), false), null);
    assert.deepEqual(methods(plannedStages(config({ stages: 'sft:2,grpo:3' }), false)), [['sft:2', 'grpo:3'], []]);
    const auto = config({ stages: 'auto', steps: 40, 'grpo.learningRate': 0.5 });
    assert.deepEqual(methods(plannedStages(auto, false)), [[], ['sft:40', 'grpo:40']]);
    assert.deepEqual(methods(plannedStages(withMarks(auto, workspace), false)), [[], ['sft:40', 'grpo:40', 'dpo:40']]);
    const [sft, grpo] = plannedStages(auto, false)!.candidates;
    assert.deepEqual([sft!.learningRate === 0.5, grpo!.learningRate, grpo!.rehearsal], [false, 0.5, false]);
    assert.equal(sft!.promptsPerStep, config({ method: 'sft' }).promptsPerStep);
  });

  it('a stage of SFT learns as a warm start does where tasks are made, by what is set else', () => {
    const sft = (more: object, isGenerated = true) => {
      const [{ warmUpdates, learningRate }] = plannedStages(config({ stages: 'sft:4,grpo:2', ...more }), isGenerated)!
        .stages as [SettledConfig];
      return [warmUpdates, learningRate];
    };
    assert.deepEqual(sft({}), [16, 5e-3]);
    assert.deepEqual(sft({ 'sft.warmUpdates': 1 }), [1, 2e-3]);
    assert.deepEqual(sft({ 'sft.learningRate': 1e-3 }), [16, 1e-3]);
    assert.deepEqual(sft({ learningRate: 1e-3 }), [16, 1e-3]);
    assert.deepEqual(sft({ 'sft.warmLearningRate': 4e-3 }), [16, 4e-3]);
    assert.deepEqual(sft({ finetuning: 'full' }), [16, 2e-4]);
    assert.deepEqual(sft({}, false), [1, 2e-3]);
    assert.deepEqual(sft({ model: '/m' }), [1, 2e-4]);
    const [candidate] = plannedStages(config({ stages: 'auto' }), true)!.candidates;
    assert.deepEqual([candidate!.warmUpdates, candidate!.learningRate], [16, 5e-3]);
    const alone = settle(config({ method: 'sft' }), true);
    assert.deepEqual([alone.warmUpdates, alone.learningRate], [1, 2e-3], 'a run of SFT alone is as it was');
  });

  it('a stage of GRPO goes on where the rate of the stages before it has come to, unless somebody set one', () => {
    const rates = (more: object) =>
      plannedStages(config({ stages: 'sft:48,grpo:16,dpo:16', ...more }), true)!.stages.map((one) => one.learningRate);
    const [sft, grpo, dpo] = rates({});
    assert.deepEqual([sft, grpo], [5e-3, 3e-3 * 0.4]);
    assert.equal(dpo, settle(config({ method: 'dpo' }), true).learningRate);
    assert.equal(rates({ 'grpo.learningRate': 3e-3 })[1], 3e-3);
    assert.equal(rates({ learningRate: 1e-3 })[1], 1e-3);
    assert.equal(rates({ stages: 'grpo:16,sft:16' })[0], 3e-3);
  });

  it('a warm start makes as many updates as their tokens allow', () => {
    const updates = (tokens: number, more: object = {}, isGenerated = true, weights = 2e6) =>
      settle(config(more), isGenerated, { tokens, weights }).warmUpdates;
    assert.deepEqual(
      [600, 900, 1_200, 1_800, 20_000].map((tokens) => updates(tokens)),
      [24, 20, 15, 10, 8],
    );
    assert.equal(updates(3_000, { warmUpdates: 16 }), 16);
    assert.equal(updates(3_000, {}, false), 2);
    const real = (tokens: number, weights: number): unknown => updates(tokens, { model: '/m' }, true, weights);
    assert.deepEqual(
      [real(2_500, 135e6), real(2_500, 500e6), real(2_500, 7e9), real(600, 135e6), real(600, 20e6)],
      [3, 1, 1, 8, 8],
      'a real model the fewer the larger it is',
    );
    assert.equal(updates(2_500, { model: '/m' }, false, 135e6), 1, 'on tasks of your own');
    const [sft] = plannedStages(config({ stages: 'sft:4,grpo:2' }), true, { tokens: 1_500, weights: 2e6 })!.stages;
    assert.equal(sft!.warmUpdates, 12);
  });

  it('few dialogues that are given are not shown more often for it, nor is a teacher asked', () => {
    const sftDialogues = join(workspace, 'dialogues.jsonl');
    const messages = ['user', 'assistant'].map((role) => ({ role, content: 'x' }));
    const line = JSON.stringify({ taskId: 't', prompt: 'x', messages });
    const updates = (n: number, more: object = {}) => {
      writeFileSync(sftDialogues, `${line}\n`.repeat(n));
      const given = asWarmStart(config({ method: 'sft', steps: 4, sftDialogues, ...more }), true);
      return [given.warmUpdates, settle(given, true).learningRate];
    };
    assert.deepEqual(updates(10), [1, 2e-3]); // 8 x 10 in 4 steps of 16
    assert.deepEqual(updates(40), [5, 5e-3]);
    assert.deepEqual(updates(1000), [16, 5e-3]);
    assert.deepEqual(updates(1000, { sftTeacher: '/m' }), [1, 2e-3]);
  });
});

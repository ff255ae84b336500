import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { plannedStages, withMarks } from '../../trainer/app/plannedStages';
import { parseSettings } from '../../trainer/app/settings';
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
});

import assert from 'node:assert/strict';
import { chosenConfig, distilArguments, PLAIN, runMethodOf, stepsOf, type How } from '../../extension/tools/runChoices';
import { parseSettings } from '../../trainer/app/settings';
import type { RunConfigInput } from '../../trainer/protocol/runConfig';

const config: RunConfigInput = {
  toolFile: '/work/tools.ts',
  method: 'grpo',
  steps: 64,
  model: 'nano',
  rewards: 'correctness,answer',
  seed: 3,
  loraTargets: ['q_proj', 'v_proj'],
};
const how = (more: Partial<How> = {}): How => ({ ...PLAIN, method: 'grpo', steps: 64, ...more });
const teacher = { at: 'http://127.0.0.1:8080/v1', model: 'qwen3', next: 'grpo' } as const;
/** As the trainer reads it. */
const parsed = (more: Partial<How>, dialogues?: string) =>
  parseSettings({ ...chosenConfig(config, how(more), dialogues) });

describe('what was chosen in the train pick', () => {
  it('a method stays as it is', () => {
    assert.deepEqual(chosenConfig(config, how()), config);
    assert.deepEqual([runMethodOf(how()), stepsOf(how())], ['grpo', 64]);
  });

  it('a pipeline takes the place of method and steps; auto shares the steps out', () => {
    const typed = parsed({ stages: 'sft:48,grpo:16' });
    assert.deepEqual([typed.stages, typed.method, typed.steps], ['sft:48,grpo:16', 'sft', 64]);
    const auto = parsed({ stages: 'auto', steps: 40 });
    assert.deepEqual([auto.stages, auto.steps], ['auto', 64], 'steps stand in the config');
    assert.equal(stepsOf(how({ stages: 'sft:48,grpo:32,dpo:8' })), 88);
    assert.equal(runMethodOf(how({ stages: 'sft:48,grpo:16' })), 'sft → grpo');
    assert.equal(runMethodOf(how({ stages: 'auto' })), 'pipeline (auto)');
  });

  it('a recipe brings its method and rewards, and what else is set goes before it', () => {
    const toolrl = parsed({ recipe: 'toolrl' });
    assert.deepEqual([toolrl.recipe, toolrl.method, toolrl.rewards, toolrl.beta], ['toolrl', 'grpo', 'toolrl', 0]);
    assert.equal(parsed({ recipe: 'rpo' }).method, 'dpo');
    assert.equal(parsed({ recipe: 'rloo' }).rewards, 'correctness,answer', 'it names none');
    const own = parseSettings({ ...chosenConfig({ ...config, groupSize: 3 }, how({ recipe: 'loop' })) });
    assert.deepEqual([own.groupSize, own.maxGradNorm], [3, 0.1]);
    assert.equal(runMethodOf(how({ recipe: 'dft' })), 'sft');
  });

  it('what a teacher showed is learned from first', () => {
    const alone = parsed({ teacher: { ...teacher, next: 'sft' } }, '/d.jsonl');
    assert.deepEqual([alone.method, alone.stages, alone.sftDialogues], ['sft', undefined, '/d.jsonl']);
    const then = parsed({ teacher }, '/d.jsonl');
    assert.deepEqual([then.stages, then.steps, then.sftDialogues], ['sft:64,grpo:64', 128, '/d.jsonl']);
    assert.equal(stepsOf(how({ teacher })), 128);
    const auto = parsed({ teacher: { ...teacher, next: 'auto' } }, '/d.jsonl');
    assert.deepEqual([auto.stages, auto.steps], ['auto', 64]);
  });

  it('the teacher is asked with the settings that say which tasks there are, and with no others', () => {
    assert.deepEqual(distilArguments(config, teacher), [
      ...['distill', '/work/tools.ts', '--teacher', 'http://127.0.0.1:8080/v1', '--teacher-model', 'qwen3'],
      ...['--model', 'nano', '--set', 'seed=3', '--set', 'loraTargets=q_proj,v_proj', '--json'],
    ]);
    assert.deepEqual(
      distilArguments({ toolFile: '/work/tools.ts', optimizer: { learningRate: 1 } } as RunConfigInput, {
        at: '/m.gguf',
        model: null,
      }),
      ['distill', '/work/tools.ts', '--teacher', '/m.gguf', '--json'],
    );
  });
});

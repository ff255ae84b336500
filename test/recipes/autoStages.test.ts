import assert from 'node:assert/strict';
import { autoStages } from '../../trainer/recipes/pipeline/autoStages';

/** 24 tasks greedily, 8 tasks sampled 8 times, 8 groups. */
const report = ({ solved = 24, passK = 1, equal = 0 } = {}): Parameters<typeof autoStages>[0] => ({
  greedy: { n: 24, solved },
  sampled: { tasks: 8, k: 8, pass1: passK / 2, passK },
  rewards: { groups: 8, equal, least: 0, most: 1, gold: 1 },
});
const tasks = [{ id: 'a', prompt: 'Weigh it', calls: [{ name: 'weigh', arguments: {} }] }];
const answers = [{ id: 'a', prompt: 'What is it?', answer: 'a crate' }];
const given = { steps: 64, tasks, pairs: false, dialogues: false };

const plan = (...args: Parameters<typeof autoStages>): string =>
  autoStages(...args)
    .stages.map(({ method, steps }) => `${method}:${steps}`)
    .join(',');

describe('stages that a rehearsal chooses', () => {
  it('sft comes first under the bar, grpo where rewards differ, dpo where there are pairs', () => {
    assert.equal(plan(report({ passK: 0.375 }), given), 'sft:48,grpo:16');
    assert.equal(plan(report({ solved: 3 }), given), 'sft:48,grpo:16');
    assert.equal(plan(report(), given), 'grpo:64');
    assert.equal(plan(report(), { ...given, pairs: true }), 'grpo:48,dpo:16');
    assert.equal(plan(report({ passK: 0 }), { ...given, pairs: true }), 'sft:36,grpo:12,dpo:16');
    assert.equal(plan(report({ equal: 8 }), { ...given, pairs: true }), 'dpo:64');
    assert.equal(plan(report({ equal: 8 }), given), 'sft:64');
    assert.equal(plan(report(), { ...given, dialogues: true }), 'sft:48,grpo:16');
    assert.equal(plan({ ...report(), rewards: null }, given), 'grpo:64');
  });

  it('the bar is higher where the tasks were made, as for a warm start', () => {
    const made = tasks.map((task) => ({ ...task, source: 'grammar' as const }));
    assert.equal(plan(report({ passK: 0.625 }), given), 'grpo:64');
    assert.equal(plan(report({ passK: 0.625 }), { ...given, tasks: made }), 'sft:48,grpo:16');
  });

  it('says why of each method', () => {
    assert.deepEqual(autoStages(report({ passK: 0.375, equal: 2 }), given).reasons, [
      'sft: pass@8 is 38 %, under the bar of 50 %',
      'grpo: rewards differ in 6 of 8 groups; what sft shows makes rewards differ',
      'no dpo: no pairs of answers are given',
    ]);
    assert.deepEqual(autoStages(report({ equal: 8 }), { ...given, pairs: true }).reasons, [
      'no sft: it finds enough by itself',
      'no grpo: rewards are equal in all 8 groups',
      'dpo: pairs of answers are given',
    ]);
    assert.equal(
      autoStages(report({ solved: 3 }), given).reasons[0],
      'sft: 13 % are solved greedily, under the bar of 25 %',
    );
  });

  it('every method gets a step, and they come to what was given', () => {
    for (const steps of [4, 5, 6, 7, 9, 33, 100])
      for (const [passK, pairs] of [
        [0, true],
        [0, false],
        [1, true],
      ] as const) {
        const { stages } = autoStages(report({ passK }), { ...given, steps, pairs });
        assert.equal(
          stages.reduce((sum, stage) => sum + stage.steps, 0),
          steps,
        );
        assert.ok(
          stages.every((stage) => stage.steps >= 1),
          JSON.stringify(stages),
        );
      }
  });

  it('where nothing can be learnt from, it says so', () => {
    assert.throws(
      () => autoStages(report({ equal: 8 }), { ...given, tasks: answers }),
      /stages auto: no method has anything to learn from: no task has gold calls to show; rewards are equal in all 8 groups; no pairs of answers are given/,
    );
    assert.equal(plan(report({ passK: 0 }), { ...given, tasks: answers }), 'grpo:64');
  });
});

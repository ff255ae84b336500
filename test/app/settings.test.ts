/** Settings by flat names and by section, and the one table of their defaults. */
import assert from 'node:assert/strict';
import { settingsOf } from '../../trainer/app/cli/train';
import { parseSettings, settle } from '../../trainer/app/settings';
import { settingFromText, settingsFromPairs } from '../../trainer/app/settingText';
import { stageConfigs } from '../../trainer/app/stages';
import { hashConfig } from '../../trainer/model/weights/checkpoint';
import { RunConfig } from '../../trainer/protocol/runConfig';
import { DEFAULTS } from '../../trainer/protocol/settings/defaults';
import { parseRewards } from '../../trainer/rewards/parseRewards';
import { RECIPES } from '../../trainer/protocol/settings/recipes';
import { flatName, SECTIONS, sectionedNames } from '../../trainer/protocol/settings/sections';

const names = Object.keys(RunConfig.shape);
const toolFile = '/tools.ts';

describe('settings', () => {
  it('each stands in one section, and has one sectioned name', () => {
    const listed = Object.values(SECTIONS).flatMap((settings) => Object.keys(settings));
    assert.deepEqual([...listed].sort(), [...names].sort());
    assert.equal(new Set(sectionedNames).size, names.length);
    for (const name of sectionedNames) assert.ok(names.includes(flatName(name)), name);
    for (const [sectioned, flat] of [
      ['optimizer.learningRate', 'learningRate'],
      ['adapter.rank', 'loraRank'],
      ['adapter.loraRank', 'loraRank'],
      ['judge.votes', 'judgeVotes'],
      ['tasks.count', 'taskCount'],
      ['engine.engine', 'engine'],
      ['tasks', 'tasks'],
    ])
      assert.equal(flatName(sectioned!), flat);
  });

  it('flat, dotted and nested names are one setting, on the command line and in JSON', () => {
    const flat = parseSettings({ toolFile, learningRate: 1e-3, loraRank: 4, tasks: '/t.jsonl', engine: 'wasm' });
    const dotted = { toolFile, 'optimizer.learningRate': 1e-3, 'adapter.rank': 4, 'tasks.tasks': '/t.jsonl' };
    assert.deepEqual(parseSettings({ ...dotted, 'engine.engine': 'wasm' }), flat);
    const nested = { optimizer: { learningRate: 1e-3 }, adapter: { rank: 4 }, tasks: { tasks: '/t.jsonl' } };
    assert.deepEqual(parseSettings({ toolFile, ...nested, engine: { engine: 'wasm' } }), flat);
    assert.deepEqual(settingsFromPairs(['optimizer.learningRate=1e-3', 'guards.values=true']), {
      learningRate: 1e-3,
      guardValues: true,
    });
    assert.deepEqual(settingsFromPairs(['adapter.rank=4', 'loraRank=8']), { loraRank: 8 }, 'the last one wins');
  });

  it('what is wrong is said by the name that was given', () => {
    assert.throws(() => parseSettings({ toolFile, optimizer: { learningrate: 1 } }), /"optimizer\.learningrate"/);
    assert.throws(() => settingFromText('adapter.rnk', '4'), /unknown setting "adapter\.rnk"/);
    assert.throws(
      () => parseSettings({ toolFile, loraRank: 4, adapter: { rank: 8 } }),
      /loraRank must be set once, got loraRank and adapter\.rank/,
    );
    assert.throws(() => parseSettings({ toolFile, adapter: { rank: 0 } }), /loraRank must be at least 1, got 0/);
  });

  it('the table holds defaults of settings that there are, each allowed by its own rule', () => {
    const chosen = { model: 'nano', method: 'grpo', isGenerated: true, isLocal: false } as const;
    for (const [name, value] of Object.entries(DEFAULTS)) {
      assert.ok(names.includes(name), name);
      const of = (value as unknown) instanceof Function ? (value as (known: typeof chosen) => unknown)(chosen) : value;
      const parsed = RunConfig.shape[name as keyof typeof RunConfig.shape].safeParse(of);
      assert.ok(parsed.success, `${name}: ${JSON.stringify(of)}`);
      assert.deepEqual(parsed.data, of, name);
    }
    // what a run.json always holds is in the table, too
    for (const [name, value] of Object.entries(RunConfig.parse({ toolFile })))
      assert.ok(name === 'toolFile' || Object.hasOwn(DEFAULTS, name), `${name}: ${JSON.stringify(value)}`);
  });

  it('what depends on model and method is as it was', () => {
    const of = (given: Record<string, unknown>) => {
      const { promptsPerStep, groupSize, numIterations, tokensPerMicroBatch, learningRate } = parseSettings({
        toolFile,
        ...given,
      });
      return [promptsPerStep, groupSize, numIterations, tokensPerMicroBatch, learningRate];
    };
    assert.deepEqual(of({}), [16, 4, 2, 8192, undefined]);
    assert.deepEqual(of({ method: 'dpo' }), [8, 8, 2, 8192, 3e-4]);
    assert.deepEqual(of({ method: 'sft' }), [8, 8, 2, 8192, 2e-3]);
    assert.deepEqual(of({ method: 'sft', finetuning: 'full' }), [8, 8, 2, 8192, 2e-4]);
    assert.deepEqual(of({ finetuning: 'full' }), [16, 4, 2, 8192, 3e-4]);
    assert.deepEqual(of({ model: '/m' }), [2, 8, 1, 2048, 1e-4]);
    assert.deepEqual(of({ model: '/m', method: 'dpo' }), [2, 8, 1, 2048, 5e-5]);
    assert.deepEqual(of({ model: '/m', finetuning: 'full' }), [2, 8, 1, 2048, 1e-6]);
    const settled = (isGenerated: boolean) => {
      const { taskMix, learningRate, exploration, maxTokens, maxTurnTokens } = settle(
        parseSettings({ toolFile }),
        isGenerated,
      );
      return [taskMix, learningRate, exploration, maxTokens, maxTurnTokens];
    };
    assert.deepEqual(
      [settled(true), settled(false)],
      [
        ['learnable', 3e-3, 2, 512, 96],
        ['asGiven', 2e-3, 0, 512, 96],
      ],
    );
  });

  it('a run of before keeps its settings and their hash: what nobody set stays absent', () => {
    const stored = { ...RunConfig.parse({ toolFile }), learningRate: 3e-3, maxTokens: 512 };
    const read = RunConfig.parse(JSON.parse(JSON.stringify(stored)));
    assert.deepEqual(read, stored);
    assert.equal(hashConfig(read), hashConfig(stored));
    const optional = ['repetitionPenalty', 'memoryCheck', 'redact', 'baseline', 'dpoLoss', 'sftLoss', 'judgeVotes'];
    for (const name of optional) assert.ok(!(name in read), name);
  });

  it('recipes are settings, and give way to what is set beside them', () => {
    for (const [name, { settings }] of Object.entries(RECIPES)) {
      assert.doesNotThrow(() => parseSettings({ toolFile, ...settings }), name);
      assert.doesNotThrow(() => parseRewards(settings.rewards ?? 'correctness'), name);
      assert.deepEqual(parseSettings({ toolFile, recipe: name }), {
        ...parseSettings({ toolFile, ...settings }),
        recipe: name,
      });
    }
    for (const option of ['recipe', 'preset']) {
      const given = (recipe: string, ...set: string[]) =>
        parseSettings(settingsOf({ positionals: ['t.ts'], values: { [option]: [recipe], set } }));
      const rloo = { ...RECIPES.rloo.settings, recipe: 'rloo', toolFile: 't.ts', seed: 3 };
      assert.deepEqual(given('rloo', 'seed=3'), parseSettings(rloo));
      assert.throws(() => given('rlo'), /recipe must be one of loop, .*got "rlo"/);
      assert.equal(given('rloo', 'grpo.baseline=group').baseline, 'group');
      assert.equal(given('loop', 'stages=sft:2,grpo:3').method, 'sft');
    }
    // arms of a study differ in what they are about alone
    for (const [arm, study, names] of [
      ['toolrl-coarse', 'toolrl', ['rewards']],
      ['toolrl-sft-first', 'toolrl', ['warmSteps']],
      ['toolrla-additive', 'toolrla', ['rewards']],
    ] as const) {
      const [a, b] = [arm, study].map((recipe) => parseSettings({ toolFile, recipe })) as Record<string, unknown>[];
      const differing = Object.keys({ ...a, ...b }).filter((name) => a![name] !== b![name] && name !== 'recipe');
      assert.deepEqual(
        differing.filter((name) => typeof a![name] !== 'object'),
        [...names],
      );
    }
    // what SFT alone learns from
    const settled = (values: object) => settle(parseSettings({ toolFile, ...values }), true);
    const teacher = { sftTeacher: '/m', sftOwnSamples: 0.5 };
    assert.equal(settled({ method: 'sft', ...teacher }).sftTeacher, '/m');
    assert.throws(() => settled({ method: 'grpo', ...teacher }), /sftTeacher does not go with grpo/);
    assert.throws(() => settled({ method: 'sft', sftOwnSamples: 0.5 }), /sftOwnSamples 0.5 needs sftTeacher/);
    assert.throws(() => parseSettings({ toolFile, stages: 'grpo:2', ...teacher }), /sftTeacher goes with sft/);
    const stages = stageConfigs(parseSettings({ toolFile, stages: 'sft:2,grpo:2', ...teacher }));
    assert.deepEqual(
      stages.map((stage) => settle(stage, true).sftTeacher),
      ['/m', undefined],
    );
    assert.throws(
      () => parseSettings({ toolFile, taskStrata: 'single:50' }),
      /taskStrata .*together 100, as in single:30/,
    );
    const read = parseSettings(parseSettings({ toolFile, recipe: 'loop', groupSize: 3 }));
    assert.deepEqual([read.recipe, read.groupSize, read.epsilonLow], ['loop', 3, 0.1]); // as run.json has it
  });
});

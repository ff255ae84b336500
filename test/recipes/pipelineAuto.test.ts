import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { realDependencies } from '../../trainer/app/dependencies';
import { foldRun, requireManifest } from '../../trainer/store/runs/readRun';
import { runMethod } from '../../trainer/protocol/runMethod';
import { coach, type Ran } from '../app/cli/coach';
import { writeCrates } from '../fixtures/crates';
import { makeTinyModel } from '../fixtures/tinyModel';

const SETTINGS = {
  'sft.learningRate': 0.01,
  seed: 3,
  rewards: 'crumbs',
  engine: 'onnx',
  threads: 1,
  promptsPerStep: 2,
  groupSize: 4,
  batchSize: 2,
  heldOutTasks: 3,
  evalTasks: 2,
  maxTokens: 160,
  maxTurnTokens: 12,
  maxTurns: 2,
  constraint: 'none',
  loraRank: 2,
  loraAlpha: 4,
  loraTargets: 'q_proj,v_proj',
};

describe('a pipeline whose stages the rehearsal chooses', function () {
  this.timeout(300_000);
  const folder = mkdtempSync(join(tmpdir(), 'coach-auto-'));
  before(() => {
    writeCrates(folder, { tasks: 20 });
    const model = makeTinyModel('auto', join(folder, 'model'));
    // random weights would talk without an end: every third of its ids is one
    const { vocab_size: ids, eos_token_id: eos } = JSON.parse(readFileSync(join(model, 'config.json'), 'utf8')) as {
      vocab_size: number;
      eos_token_id: number;
    };
    const ends = [eos, ...Array.from({ length: Math.floor(ids / 3) }, (_, i) => 3 * i + 2).filter((id) => id !== eos)];
    writeFileSync(join(model, 'generation_config.json'), JSON.stringify({ eos_token_id: ends }));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const train = (args: string[], stopAt?: RegExp): Promise<Ran> => {
    const set = Object.entries(SETTINGS).flatMap(([name, value]) => ['--set', `${name}=${String(value)}`]);
    const isResume = args.includes('--resume');
    return coach(folder, ['train', ...(isResume ? [] : ['crates.ts', '--model', 'model', ...set]), ...args], {
      dependencies: realDependencies,
      ...(stopAt ? { stopAt } : {}),
    });
  };
  const adapterOf = (dir: string): Buffer => readFileSync(join(dir, 'adapter/adapter_model.safetensors'));

  it('says what it chose and why; stopped before and after the choice and resumed, it is the same run', async () => {
    const [whole, stopped] = [join(folder, 'whole'), join(folder, 'stopped')];
    const { code, stdout, stderr } = await train(['--stages', 'auto', '--steps', '4', '--run-dir', whole]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /pipeline \(auto\) on/);
    assert.match(
      stdout,
      /Stages: sft:3,grpo:1\n {2}sft: pass@8 is 0 %, under the bar of 50 %\n {2}grpo: rewards .*\n {2}no dpo: no pairs/,
    );
    assert.match(stdout, /Stage 2: grpo, 1 step/);
    const run = foldRun(whole);
    assert.equal(runMethod(run.manifest!), 'sft → grpo');
    assert.equal(run.stageReasons.length, 3);
    assert.deepEqual(
      run.result!.stages!.map(({ method, steps }) => `${method}:${steps}`),
      ['sft:3', 'grpo:1'],
    );
    assert.equal(requireManifest(join(whole, 'stages/1-sft')).config.learningRate, 0.01);
    assert.equal(requireManifest(whole).stages, undefined);

    assert.equal((await train(['--stages', 'auto', '--steps', '4', '--run-dir', stopped], /^Run /)).code, 130);
    assert.deepEqual([foldRun(stopped).stageReasons, foldRun(stopped).status], [[], 'stopped']);
    assert.equal((await train(['--resume', stopped], /Stage 2: grpo/)).code, 130);
    const resumed = await train(['--resume', stopped]);
    assert.equal(resumed.code, 0, resumed.stderr);
    assert.doesNotMatch(resumed.stdout, /Stages: /, 'chosen once');
    assert.deepEqual(adapterOf(stopped), adapterOf(whole));
    assert.deepEqual(foldRun(stopped).result!.stages, run.result!.stages);
  });

  it('takes pairs and dialogues that are given', async () => {
    const pairs = join(folder, 'pairs.jsonl');
    const words = (content: string) => [{ role: 'assistant', content }];
    writeFileSync(
      pairs,
      JSON.stringify({
        prompt: [{ role: 'user', content: 'Weigh crate k1' }],
        chosen: words('It weighs 2'),
        rejected: words('No'),
      }),
    );
    const dialogues = ['--set', `sftDialogues=${pairs}`]; // stopped before they are read
    const { code, stdout, stderr } = await train(
      ['--stages', 'auto', '--steps', '4', '--pairs', pairs, '--run-dir', join(folder, 'pairs'), ...dialogues],
      /Stages: /,
    );
    assert.equal(code, 130, stderr);
    assert.match(
      stdout,
      /Stages: sft:2,grpo:1,dpo:1\n {2}sft: dialogues are given\n[^]*dpo: pairs of answers are given/,
    );
  });

  it('what it can not choose by is one clear message', async () => {
    for (const [args, message] of [
      [['--set', 'rehearsal=false'], /stages auto are chosen by the rehearsal, and rehearsal is false/],
      [['--steps', '3'], /it must be at least 4, got 3/],
      [['--method', 'sft'], /--stages auto chooses the methods, got also --method/],
      [['--set', 'sft.model=x'], /model is a setting of the whole run/],
    ] as [string[], RegExp][]) {
      const { code, stderr } = await train(['--stages', 'auto', ...args]);
      assert.equal(code, 2, stderr);
      assert.match(stderr, message);
    }
  });
});

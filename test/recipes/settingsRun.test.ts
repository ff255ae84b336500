import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Metrics } from '../../trainer/protocol/messages';
import type { Trace } from '../../trainer/protocol/trace';
import { foldRun, readTrace, traceSummaries } from '../../trainer/store/runs/readRun';
import { bundledTrainer } from '../fixtures/bundledTrainer';
import { writeCrates } from '../fixtures/crates';
import { makeTinyModel, TINY_RUN } from '../fixtures/tinyModel';

const root = resolve(__dirname, '../..');

/** What a setting changes in a run: the same run without it is beside it. */
describe('settings of the algorithms, in runs', function () {
  this.timeout(300_000);
  const folder = mkdtempSync(join(tmpdir(), 'coach-settings-'));
  let runs = 0;
  before(() => {
    writeCrates(folder);
    mkdirSync(join(folder, 'runs'));
    makeTinyModel('settings', join(folder, 'model'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  type Outcome = { curve: Metrics[]; errors: string };
  const known = new Map<string, Promise<Outcome>>();
  /** Of the same settings there is one run, which several tests look at. */
  function train(settings: object): Promise<Outcome> {
    const key = JSON.stringify(settings);
    if (!known.has(key)) known.set(key, trainAnew(settings));
    return known.get(key)!;
  }

  async function trainAnew(settings: object): Promise<Outcome> {
    const dir = join(folder, 'runs', String(runs++));
    const config = join(folder, `${runs}.json`);
    writeFileSync(
      config,
      JSON.stringify({
        ...TINY_RUN,
        toolFile: join(folder, 'crates.ts'),
        model: join(folder, 'model'),
        steps: 2,
        rewards: 'crumbs',
        numIterations: 1,
        promptsPerStep: 2,
        groupSize: 4,
        batchSize: 4,
        heldOutTasks: 2,
        evalTasks: 2,
        evalEvery: 2,
        checkpointEvery: 2,
        memoryCheck: false,
        rehearsal: false,
        ...settings,
      }),
    );
    const child = spawn(process.execPath, [bundledTrainer(), '--config', config, '--run-dir', dir], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let errors = '';
    child.stderr.on('data', (text) => (errors += text));
    const code = await new Promise((done) => child.on('close', done));
    if (code !== 0) return { curve: [], errors };
    return { curve: foldRun(dir).curve.map(({ metrics }) => metrics), errors: '' };
  }

  const first = async (settings: object): Promise<Metrics> => {
    const { curve, errors } = await train({ ...settings, steps: 1 });
    assert.equal(errors, '');
    assert.equal(curve.length, 1);
    for (const metrics of curve)
      for (const [name, value] of Object.entries(metrics)) assert.ok(value === null || Number.isFinite(value), name);
    return curve[0]!;
  };

  it('the first steps of GRPO may be SFT on gold calls', async () => {
    const { curve, errors } = await train({
      warmSteps: 1,
      warmLearningRate: 0.02,
      warmUpdates: 2,
      numIterations: 1,
      schedule: 'constant',
    });
    assert.equal(errors, '');
    const [warm, grpo] = [curve[0]!, curve[1]!];
    assert.ok('coach/unsayable' in warm && !('frac_reward_zero_std' in warm));
    assert.ok('frac_reward_zero_std' in grpo && !('coach/unsayable' in grpo));
    assert.equal(warm['learning_rate'], 0.02);
    assert.equal(grpo['learning_rate'], 0.01);
    const sft = await first({ method: 'sft', learningRate: 0.02, warmUpdates: 2, schedule: 'constant' });
    assert.equal(warm['loss'], sft['loss']);
    assert.equal(warm['grad_norm'], sft['grad_norm']);
    assert.equal(warm.num_tokens, sft.num_tokens);
  });

  it('what the samples share is computed once a step, with the update of the step that is one micro-batch', async () => {
    for (const settings of [
      { method: 'sft' },
      { method: 'dpo' },
      {},
      { method: 'grpo', beta: 0.1, numIterations: 2 },
    ]) {
      const [whole, parts] = [await first(settings), await first({ ...settings, tokensPerMicroBatch: 64 })];
      for (const name of ['loss', 'grad_norm']) {
        const [a, b] = [parts[name]!, whole[name]!];
        assert.ok(
          Math.abs(a - b) <= 1e-4 * Math.max(0.1, Math.abs(b)),
          `${JSON.stringify(settings)}: ${name} ${a}, in one micro-batch ${b}`,
        );
      }
      assert.ok(whole['grad_norm']! > 0);
      const tokens = parts['num_tokens']! / whole['num_tokens']!;
      // a group's own prompt, in each part of it
      assert.ok(tokens >= 1 && tokens < 1.6, `${JSON.stringify(settings)}: ${tokens} times the tokens`);
    }
  });

  it('GRPO: ratio of sequences, cap, entropy, baseline, aggregation', async () => {
    const plain = await first({});
    const close = (a: number | null | undefined, b: number | null | undefined): boolean =>
      Math.abs(a! - b!) < 1e-5 * Math.max(1, Math.abs(b!));
    // the first step rolls out the same, so what differs is the update
    const others = {
      baseline: await first({ baseline: 'leaveOneOut' }),
      aggregated: await first({ rewardAggregation: 'normalizeThenSum' }),
      quantile: await first({ topEntropyQuantile: 0.2 }),
      bonus: await first({ entropyCoefficient: 0.1 }),
    };
    for (const [name, one] of Object.entries(others)) {
      assert.equal(one['reward'], plain['reward'], name);
      assert.ok(
        !close(one['grad_norm'], plain['grad_norm']),
        `${name}: gradient ${one['grad_norm']}, plain ${plain['grad_norm']}`,
      );
    }
    // r - mean of the other 3 is 4/3 of r - mean of all 4
    assert.ok(close(others.baseline['grad_norm'], (plain['grad_norm']! * 4) / 3));
    assert.ok(others.bonus['policy_loss'] !== undefined && close(others.bonus['policy_loss'], plain['loss']));
    // with two updates on the same rollouts the ratios leave 1
    const twice = await first({ numIterations: 2, learningRate: 0.1 });
    assert.ok(twice['sampling/sampling_logp_difference/max']! < 1e-3, 'of the first update: what was sampled from');
    for (const settings of [{ importanceSamplingLevel: 'sequence' }, { delta: 0.9 }]) {
      const other = await first({ numIterations: 2, learningRate: 0.1, ...settings });
      assert.ok(!close(other['loss'], twice['loss']), JSON.stringify(settings));
    }
  });

  it('rank-stabilised LoRA: at the start, where B is 0, gradients are sqrt(rank) as large', async () => {
    const [plain, stable] = [await first({}), await first({ loraRslora: true })];
    assert.ok(Math.abs(stable['grad_norm']! / plain['grad_norm']! - Math.SQRT2) < 1e-4);
  });

  it('GRPO: rollouts that a limit cut off teach nothing', async () => {
    // a random model ends no turn within 12 tokens, but for the few that do
    const [plain, masked] = [await first({}), await first({ maskTruncated: true })];
    assert.equal(masked['reward'], plain['reward']);
    assert.ok(plain['completions/clipped_ratio']! > 0.5 && masked['num_tokens']! < plain['num_tokens']!);
    if (plain['completions/clipped_ratio'] === 1) assert.deepEqual([masked['num_tokens'], masked['grad_norm']], [0, 0]);
  });

  it('tools are renamed in training alone, in groups and in gold calls', async () => {
    const tracesOf = (run: number, phase: string): Trace[] => {
      const dir = join(folder, 'runs', String(run));
      return traceSummaries(dir).flatMap((one) => (one.phase === phase ? [readTrace(dir, one)] : []));
    };
    assert.equal((await train({ renameTools: 1, maxTokens: 240, warmSteps: 1 })).errors, '');
    const trained = tracesOf(runs - 1, 'train');
    const namesOf = (list: readonly Trace[]): Set<string> =>
      new Set(list.map(({ renamed }) => JSON.stringify(renamed)));
    assert.equal(trained.length, 8);
    assert.ok(trained.every(({ renamed }) => renamed && !Object.values(renamed.tools).includes('weighCrate')));
    for (const { groupId } of trained)
      assert.equal(namesOf(trained.filter((one) => one.groupId === groupId)).size, 1, 'a group has the same names');
    assert.equal(namesOf(trained).size, 2, 'each group has its own');
    const measured = [...tracesOf(runs - 1, 'before'), ...tracesOf(runs - 1, 'validation')];
    assert.ok(measured.length > 0 && measured.every(({ renamed }) => renamed === undefined));
    const gold = foldRun(join(folder, 'runs', String(runs - 1))).curve[0]!.metrics;
    assert.equal(gold['coach/unsayable'], 0, 'the warm step is SFT on renamed gold calls');
    const pairs = await train({ method: 'dpo', renameTools: 0.5 });
    assert.match(pairs.errors, /renameTools 0.5 does not go with dpo/);
  });

  it('sampling from a part, and with a penalty', async () => {
    const cut = await first({ topK: 20, topP: 0.9 });
    assert.ok(cut['sampling/sampling_logp_difference/max']! < 1e-3, 'trained on what was sampled from');
    const { errors } = await train({ topP: 0.9, exploration: 2 });
    assert.match(errors, /exploration 2 does not go with topK, topP and minP/);
    const penalised = await first({ repetitionPenalty: 100 });
    assert.ok(
      penalised['sampling/sampling_logp_difference/max']! > 1e-3,
      `${penalised['sampling/sampling_logp_difference/max']}: the ratio stands for the difference`,
    );
  });

  it('DPO: losses, their sum, and what counts; SFT: dft', async () => {
    const dpo = (settings: object): Promise<Metrics> => first({ method: 'dpo', maxTurns: 1, ...settings });
    const sigmoid = await dpo({});
    assert.ok(Math.abs(sigmoid['loss']! - Math.log(2)) < 1e-4, 'before the first update policy and reference are one');
    const hinge = await dpo({ dpoLoss: 'hinge', dpoPairsPerGroup: 2 });
    assert.ok(Math.abs(hinge['loss']! - 1) < 1e-4);
    assert.ok(hinge['coach/pairs']! > sigmoid['coach/pairs']!, 'the second best of a group, too');
    const rpo = await dpo({ dpoLoss: 'sigmoid*0.5, sft', dpoTokens: 'all' });
    assert.ok(rpo['loss']! > 0.5 * Math.log(2) + 1, 'with the likelihood of what was chosen');
    const { errors } = await train({ method: 'dpo', dpoLoss: 'exo_pair' });
    assert.match(errors, /exo_pair needs dpoLabelSmoothing above 0/);
    assert.match(
      (await train({ method: 'dpo', dpoLoss: 'sigmod' })).errors,
      /dpoLoss is not right: NAME\[\*weight\],… of sigmoid/,
    );
    const [nll, dft] = [await first({ method: 'sft' }), await first({ method: 'sft', sftLoss: 'dft' })];
    assert.ok(dft['loss']! < nll['loss']! / 10, 'a random model gives its labels little probability');
    // B is 0 before the first update, so what A does not see changes its gradient alone
    const dropped = await first({ method: 'sft', loraDropout: 0.5 });
    assert.ok(
      dropped['loss'] === nll['loss'] && Math.abs(dropped['grad_norm']! - nll['grad_norm']!) > 1e-3 * nll['grad_norm']!,
    );
  });
});

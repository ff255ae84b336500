import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { resultWords } from '../../../trainer/app/cli/progress';
import { UserError } from '../../../trainer/protocol/result';
import { runInfo } from '../../../trainer/store/runs/listRuns';
import { foldRun, readEvents } from '../../../trainer/store/runs/readRun';
import { fakeDependencies } from '../../store/runs/fakeDependencies';
import { sampleResult, sampleTool, tempFolder } from '../../store/runs/sample';
import { coach, makeWorkspace, quick } from './coach';

describe('coach train', function () {
  this.timeout(120_000);
  const { dir, remove } = tempFolder();
  before(() => makeWorkspace(dir));
  after(remove);
  const runs = () => (existsSync(join(dir, '.coach/runs')) ? readdirSync(join(dir, '.coach/runs')) : []);

  it('--json: one line of the exact shape on stdout, progress on stderr', async () => {
    const { code, stdout, stderr, json } = await coach(dir, ['train', 'tools.ts', ...quick, '--json']);
    assert.equal(code, 0, stderr);
    assert.equal(stdout.split('\n').length, 2);
    assert.deepEqual(Object.keys(json), [
      'run',
      'engine',
      'steps',
      'seconds',
      'before',
      'after',
      'gain',
      'verdict',
      'adapter',
    ]);
    assert.deepEqual(
      [Object.keys(json.before), Object.keys(json.after), Object.keys(json.gain)],
      [
        ['n', 'success', 'ci95'],
        ['n', 'success', 'ci95'],
        ['mean', 'ci95'],
      ],
    );
    assert.match(stderr, /step 4\/4 {2}reward 1/);
    assert.deepEqual(runs(), [json.run]);
    assert.ok(existsSync(join(json.adapter, 'adapter_config.json')));
    const { config } = foldRun(join(dir, '.coach/runs', json.run)).manifest!;
    assert.deepEqual(
      [config.steps, config.heldOutTasks, config.loraTargets, config.toolFile],
      [4, 2, ['q_proj'], join(dir, 'tools.ts')],
    );
  });

  it('in a pipe: plain lines, before -> after in words', async () => {
    const { code, stdout, stderr } = await coach(dir, ['train', 'tools.ts', ...quick]);
    assert.equal(code, 0, stderr);
    assert.ok(!/[\r\x1b]/.test(stdout));
    for (const line of [
      /^Run \S+: grpo on nano, 1 tool \(search\), \d tasks to train on, 1 for validation, 2 held out; engine cpu, 1 thread$/m,
      /^Training \(4\)$/m,
      /^ {2}step 2\/4 {2}reward 0\.5$/m,
      /^Before {2}50\.0 % of 2 solved \(95 % interval 10\.0 % to 90\.0 %\)$/m,
      /^Gain {4}\+50\.0 points on held-out tasks \(95 % interval -20\.0 to \+100\.0, paired\): could be chance$/m,
      /^Everything of the run: \//m,
    ])
      assert.match(stdout, line);
  });

  it('tells the gain by what is nearest to people, the others beside it, and what no task covered', () => {
    const part = (n: number, success: number) => ({ n, success, ci95: [0.1, 0.6] as [number, number] });
    const gain = { mean: 0.2, ci95: [0.05, 0.35] as [number, number] };
    const bySource = { model: part(20, 0.3), schema: part(200, 0.5) };
    const after = { model: part(20, 0.5), schema: part(200, 0.9) };
    const base = sampleResult('r');
    const lines = resultWords(
      {
        ...base,
        before: { ...base.before, bySource },
        after: { ...base.after, bySource: after },
        gain: {
          ...base.gain,
          bySource: { model: { ...gain, n: 20 }, schema: { mean: 0.4, ci95: [0.3, 0.5], n: 200 } },
        },
        headline: {
          sources: ['model'],
          before: bySource.model,
          after: after.model,
          gain,
          verdict: 'a real gain: the interval lies above 0',
        },
        toolsWithoutTasks: ['send', 'wipe'],
      },
      '/r',
      '/w/mail.ts',
    ).split('\n');
    for (const line of [
      'Before  30.0 % of 20 solved (95 % interval 10.0 % to 60.0 %)',
      'Gain    +20.0 points on held-out tasks written by a language model (95 % interval +5.0 to +35.0, paired): a real gain: the interval lies above 0',
      'Note    measured on requests that a language model wrote; what people ask may differ: write some in mail.tasks.jsonl',
      'Note    no task covered send, wipe: nothing is known of how well the model calls them',
      'Also    from the schemas: 50.0 % -> 90.0 % (n 200), +40.0 points (95 % interval +30.0 to +50.0, paired)',
    ])
      assert.ok(lines.includes(line), `${line}\n${lines.join('\n')}`);
    assert.ok(!lines.some((line) => line.startsWith('Also    written by')), 'the headline is not told twice');
  });

  it('tells success by verdict; a run of before says by which rule it was counted', () => {
    const base = sampleResult('r');
    const lineOf = (one: typeof base) =>
      resultWords(one, '/r', '/w/mail.ts')
        .split('\n')
        .find((line) => /^(?:Solved|Note {4}solved)/.test(line));
    assert.match(lineOf(base)!, /^Note {4}solved by rule 1, the gold calls/);
    const verdicts = { callsRight: 0.8, answerRight: null, finished: 1 };
    assert.equal(
      lineOf({ ...base, before: { ...base.before, verdicts, rule: 2 }, after: { ...base.after, verdicts, rule: 2 } }),
      'Solved  before: calls right 80.0 %, answer right -, finished 100.0 %; after: calls right 80.0 %, answer right -, finished 100.0 %',
    );
  });

  it('says of what was not trained on whether it got worse, over the same tasks; of runs of before the shares alone', () => {
    const [before, after] = [
      { n: 40, success: 0.35, ci95: null },
      { n: 40, success: 0.175, ci95: null },
    ];
    const gain = { mean: -0.175, ci95: [-0.304, -0.046] as [number, number] };
    const words = resultWords(
      {
        ...sampleResult('r'),
        forgotten: [
          { name: 'a', before, after, gain },
          { name: 'b', before, after, gain: { ...gain, ci95: [-0.3, 0.01] } },
          { name: 'c', before, after },
        ],
      },
      '/r',
      '/w/mail.ts',
    );
    assert.deepEqual(
      words.split('\n').filter((line) => line.startsWith('Forgotten?')),
      [
        'Forgotten? a: 35.0 % -> 17.5 % (n 40), -17.5 points (95 % interval -30.4 to -4.6, paired): worse: something was forgotten',
        'Forgotten? b: 35.0 % -> 17.5 % (n 40), -17.5 points (95 % interval -30.0 to +1.0, paired): no clear change',
        'Forgotten? c: 35.0 % -> 17.5 % (n 40)',
      ],
    );
  });

  it('on a terminal: a bar that is drawn over itself and gone at the end', async () => {
    const { stdout } = await coach(dir, ['train', 'tools.ts', ...quick], {
      isTty: true,
      dependencies: fakeDependencies({ stepMs: 120 }),
    });
    assert.match(stdout, /\rTraining \[█{5,}░+\] step \d\/4 {2}reward 0\.\d+/);
    assert.ok(stdout.lastIndexOf('\r\x1b[K') > stdout.lastIndexOf('█'));
  });

  it('Ctrl-C: a checkpoint, exit 130, and the words to go on; --resume goes on', async () => {
    const stopped = await coach(dir, ['train', 'tools.ts', ...quick, '--steps', '400', '--json'], {
      stopAt: /step 14\/400/,
    });
    assert.deepEqual([stopped.code, stopped.stdout], [130, '']);
    const resume = /coach train --resume (\S+)/.exec(stopped.stderr)![1]!;
    assert.equal(runInfo(resume).status, 'stopped');
    const step = runInfo(resume).step;
    const again = await coach(dir, ['train', '--resume', resume, '--json'], { stopAt: /step 28\/400/ });
    assert.equal(again.code, 130, again.stderr);
    assert.match(again.stderr, new RegExp(`Resumed from step ${step}\n`));
    assert.ok(runInfo(resume).step > step);
    // By its id, from the workspace.
    const id = resume.split('/').at(-1)!;
    assert.equal((await coach(dir, ['train', '--resume', id], { stopAt: /Resumed/ })).code, 130);
  });

  it('a corrupted checkpoint is skipped for the one before, and said', async () => {
    const { stderr } = await coach(dir, ['train', 'tools.ts', ...quick, '--steps', '400', '--json'], {
      stopAt: /step 14\/400/,
    });
    const resume = /coach train --resume (\S+)/.exec(stderr)![1]!;
    const newest = readdirSync(join(resume, 'checkpoints'))
      .filter((n) => n.startsWith('step-'))
      .sort()
      .at(-1)!;
    writeFileSync(join(resume, 'checkpoints', newest, 'tensors.safetensors'), 'x');
    const again = await coach(dir, ['train', '--resume', resume], { stopAt: /step 21\/400/ });
    assert.match(
      again.stderr,
      new RegExp(`Warning: \\S+${newest}: is damaged and was skipped: tensors.safetensors \\(1 bytes\\)`),
    );
    const from = readEvents(resume, 0).events.find((e) => e.type === 'runResumed') as { fromStep: number };
    assert.ok(from.fromStep < Number(newest.slice(5)));
  });

  /** Exit 2, one message that says where, rule, value, and the way out; and no run left behind. */
  async function refused(args: string[], message: RegExp, dependencies = {}): Promise<void> {
    const before = runs().length;
    const { code, stdout, stderr } = await coach(dir, ['train', ...args], { dependencies });
    assert.deepEqual([code, stdout], [2, ''], stderr);
    assert.match(stderr, message);
    assert.ok(stderr.trim().split('\n').length >= 2, `no way out: ${stderr}`);
    assert.equal(runs().length, before);
  }

  it('settings: steps 0, negative, NaN, fractions; unknown method, setting, option, engine, model', async () => {
    await refused(['tools.ts', '--steps', '0'], /steps must be at least 1, got 0/);
    await refused(['tools.ts', '--steps', '-5'], /steps must be at least 1, got -5/);
    await refused(['tools.ts', '--steps=-5'], /steps must be at least 1, got -5/);
    await refused(['tools.ts', '--steps', 'NaN'], /steps must be a number, got "NaN"/);
    await refused(['tools.ts', '--steps', ''], /steps must be a number, got ""/);
    await refused(['tools.ts', '--steps', '1e99'], /steps must be at most \d+, got 1e\+99/);
    await refused(['tools.ts', '--steps', '2.5'], /steps must be a whole number, got 2\.5/);
    await refused(['tools.ts', '--seed', '-1'], /seed must be at least 0, got -1/);
    await refused(
      ['tools.ts', '--method', 'grop'],
      /method must be one of grpo, dpo, sft, got "grop"\nDid you mean grpo\?/,
    );
    await refused(
      ['tools.ts', '--tool-policy', 'reel'],
      /toolPolicy must be one of real, mock, ask, got "reel"\nDid you mean real\?/,
    );
    await refused(['tools.ts', '--engine', 'onx'], /engine must be one of .*got "onx"\nDid you mean onnx\?/);
    await refused(
      ['tools.ts', '--set', 'learningrate=1'],
      /unknown setting "learningrate"\nDid you mean learningRate\?/,
    );
    await refused(['tools.ts', '--set', 'learningRate'], /--set must be NAME=VALUE, got learningRate/);
    await refused(['tools.ts', '--set', 'shuffleRewards=maybe'], /shuffleRewards must be true or false, got "maybe"/);
    await refused(['tools.ts', '--step', '5'], /unknown option --step\nDid you mean --steps\?/);
    await refused(
      ['tools.ts', '--learning-rate', '5'],
      /unknown option --learning-rate\nDid you mean --set learningRate=VALUE\?/,
    );
    await refused(['tools.ts', '--method', '--steps', '3'], /--method needs a value: --method grpo\|dpo\|sft/);
    await refused(['tools.ts', '--steps'], /--steps needs a value/);
    await refused(['tools.ts', 'more.ts'], /takes FILE\|DIR, got also more\.ts/);
    await refused([], /needs FILE\|DIR, or --resume RUN/);
    await refused(['tools.ts', '--reward', 'corectness'], /unknown reward 'corectness'\nDid you mean correctness\?/);
    await refused(['tools.ts', '--pairs', 'none.jsonl'], /none\.jsonl: there is no such file of preference pairs/);
  });

  it('models: an unknown name, a file, a folder without config', async () => {
    const { modelFolder } = await import('../../../trainer/model/weights/modelFolder');
    mkdirSync(join(dir, 'model'));
    await refused(
      ['tools.ts', '--model', 'nanoo'],
      /model must be nano, a folder or a GGUF file, got nanoo: .* is not there\nDid you mean nano\?/,
      { modelFolder },
    );
    await refused(['tools.ts', '--model', 'tools.ts'], /got the file .*tools\.ts/, { modelFolder });
    await refused(
      ['tools.ts', '--model', 'model'],
      /model: config\.json is missing, so it is no model folder\nGive 'nano', a folder .*, or a \.gguf file/,
      { modelFolder },
    );
    writeFileSync(join(dir, 'model/tokenizer.json'), '{}');
    writeFileSync(join(dir, 'model/config.json'), '{"model_type": "ll');
    await refused(['tools.ts', '--model', 'model'], /model\/config\.json: not JSON/, { modelFolder });
    writeFileSync(
      join(dir, 'model/config.json'),
      JSON.stringify({
        model_type: 'llama',
        vocab_size: 8,
        hidden_size: 4,
        num_hidden_layers: 1,
        num_attention_heads: 1,
        intermediate_size: 4,
      }),
    );
    await refused(['tools.ts', '--model', 'model'], /model: no \*\.safetensors file/, { modelFolder });
  });

  it('tools and tasks: no file, no tools, zero tasks, malformed JSONL, double ids, a missing tool, too few for a held-out set', async () => {
    await refused(['absent.ts'], /absent\.ts: there is no such file or folder/);
    const none = {
      discover: async () => ({
        tools: [],
        rewards: [],
        files: [],
        diagnostics: [
          {
            file: join(dir, 'tools.ts'),
            line: 7,
            severity: 'error' as const,
            message: 'parameter f: a function can not be sent',
          },
        ],
      }),
    };
    await refused(
      ['tools.ts'],
      /tools\.ts: there is no tool in it\n {2}tools\.ts:7: error: parameter f: a function can not be sent\nCorrect/,
      none,
    );
    const tasks = async (text: string, message: RegExp) => {
      writeFileSync(join(dir, 'bad.jsonl'), text);
      await refused(['tools.ts', '--tasks', 'bad.jsonl'], message);
    };
    const line = (id: string, name = 'search') =>
      JSON.stringify({ id, prompt: `p ${id}`, calls: [{ name, arguments: { query: id } }] });
    await tasks('', /bad\.jsonl: there is no task in it/);
    await tasks(`${line('a')}\n{"id":`, /bad\.jsonl:2: the line is not JSON/);
    await tasks(`${line('a')}\n${line('a')}`, /bad\.jsonl:2: the id 'a' is already used on line 1/);
    await tasks(
      `${line('a')}\n${line('b', 'serch')}`,
      /bad\.jsonl:2: the gold call names a tool that is missing: 'serch'\nDid you mean search\?/,
    );
    await tasks(line('a'), /bad\.jsonl: 1 tasks hold 1 different contents; held-out, /);
    await refused(['tools.ts', '--tasks', 'absent.jsonl'], /absent\.jsonl: the task file can't be read/);
  });

  it('resume: an unknown run, a finished one, one of a newer format, other settings, changed tools', async () => {
    const { json } = await coach(dir, ['train', 'tools.ts', ...quick, '--json']);
    const run = join(dir, '.coach/runs', json.run);
    await refused(['--resume', `${json.run}x`], new RegExp(`no run "${json.run}x".*\nDid you mean ${json.run}`));
    await refused(['--resume', json.run], /the run has finished; there is nothing to resume/);
    await refused(['--resume', json.run, '--steps', '9'], /--resume takes the settings of the run, got also --steps/);
    await refused(['tools.ts', '--resume', json.run], /got also tools\.ts/);
    const { stderr } = await coach(dir, ['train', 'tools.ts', ...quick, '--steps', '400'], { stopAt: /step 7\/400/ });
    const stopped = /coach train --resume (\S+)/.exec(stderr)![1]!;
    const other = {
      discover: async () => ({
        tools: [{ ...sampleTool, description: 'Other words.' }],
        rewards: [],
        files: [],
        diagnostics: [],
      }),
    };
    await refused(['--resume', stopped], /other tools than when the run began: search changed/, other);
    const manifest = JSON.parse(readFileSync(join(run, 'run.json'), 'utf8')) as object;
    writeFileSync(join(run, 'run.json'), JSON.stringify({ ...manifest, format: 2 }));
    await refused(['--resume', json.run], /format must be at most 1, got 2.*read-only/s);
  });

  it('--run-dir: the run lies there; a taken or unusable folder is refused', async () => {
    const { json } = await coach(dir, ['train', 'tools.ts', ...quick, '--run-dir', 'out/mine', '--json']);
    assert.equal(json.run, 'mine');
    assert.equal(runInfo(join(dir, 'out/mine')).status, 'finished');
    await refused(['tools.ts', ...quick, '--run-dir', 'out/mine'], /already holds a run/);
    await refused(['tools.ts', ...quick, '--run-dir', 'out'], /must be empty for a new run, it holds mine/);
    await refused(['tools.ts', ...quick, '--run-dir', 'tools.ts/x'], /a file stands where a folder must be/);
  });

  it("a failure in the middle is recorded and told: 2 where it is the user's, 1 where it is ours", async () => {
    for (const [error, code, message] of [
      [
        new UserError('policy', '/m/model.safetensors: is truncated', 'Download it again.'),
        2,
        /is truncated\nDownload it again\./,
      ],
      [new TypeError('x is undefined'), 1, /a fault of ours.*x is undefined/],
    ] as const) {
      const ran = await coach(dir, ['train', 'tools.ts', ...quick, '--run-dir', `fail-${code}`], {
        dependencies: fakeDependencies({ fail: { step: 3, error } }),
      });
      assert.equal(ran.code, code);
      assert.match(ran.stderr, message);
      const state = foldRun(join(dir, `fail-${code}`));
      assert.deepEqual(
        [state.status, state.curve.length, state.error!.message.includes(error.message)],
        ['failed', 2, true],
      );
    }
  });
});

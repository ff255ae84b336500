import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Random } from '../../../trainer/base/random';
import { realDependencies } from '../../../trainer/app/dependencies';
import { readDialogues } from '../../../trainer/store/dialogues';
import { listRuns } from '../../../trainer/store/runs/listRuns';
import { foldRun, readTaskSplits, requireManifest } from '../../../trainer/store/runs/readRun';
import { writeCrates } from '../../fixtures/crates';
import { makeFamilyModel, makeTinyModel } from '../../fixtures/tinyModel';
import { judgeServer, type Answer, type Asked, type JudgeServer } from '../../rewards/judgeServer';
import { coach, type Ran } from './coach';

const KEY = 'sk-teacher-0123456789';

describe('coach distill', function () {
  this.timeout(60_000);
  const dir = mkdtempSync(join(tmpdir(), 'coach-distill-'));
  const opened: JudgeServer[] = [];
  before(() => {
    writeCrates(dir, { tasks: 20 });
    makeTinyModel('student', join(dir, 'student'));
    makeTinyModel('teacher', join(dir, 'other'));
    makeFamilyModel('qwen3', 'tiny', join(dir, 'qwen'));
  });
  after(async () => {
    await Promise.all(opened.map((server) => server.close()));
    rmSync(dir, { recursive: true, force: true });
  });

  const small = [
    ['maxTokens', '192'],
    ['maxTurnTokens', '24'],
    ['maxTurns', '3'],
    ['loraTargets', 'q_proj'],
    ['loraRank', '2'],
    ['heldOutTasks', '2'],
    ['evalTasks', '2'],
    ['constraint', 'none'],
    ['threads', '1'],
    ['batchSize', '2'],
    ['rehearsal', 'false'], // random weights hardly ever end a reply, and one that does is luck
  ].flatMap(([name, value]) => ['--set', `${name}=${value}`]);

  /** Asks a scripted teacher. */
  async function distill(script: (asked: Asked) => Answer, args: string[]): Promise<Ran & { asked: Asked[] }> {
    const server = await judgeServer(script);
    opened.push(server);
    const ran = await coach(dir, ['distill', ...args.map((arg) => (arg === 'SERVER' ? server.url : arg))], {
      dependencies: realDependencies,
      environment: { COACH_TEACHER_KEY: KEY },
    });
    return { ...ran, asked: server.asked };
  }
  const start = ['crates.ts', '--teacher', 'SERVER', '--teacher-model', 'm', '--model', 'student', ...small];

  /** Weighs the right crate, but of 100 first turns 30: another crate, or a stream that is cut. */
  const weigher = (seed: number): ((asked: Asked) => Answer) => {
    const random = Random.fromSeed(seed);
    return ({ body }) => {
      const last = body.messages.at(-1)!;
      if (last.role === 'tool') return { content: `It weighs ${last.content}.` };
      const label = /k\d+/.exec(body.messages.at(-1)!.content)![0];
      const luck = random.next();
      if (luck < 0.15)
        return { content: '', calls: [{ name: 'weighCrate', args: JSON.stringify({ label: 'other' }) }] };
      if (luck < 0.3)
        return {
          raw(response) {
            response.writeHead(200, { 'content-type': 'application/json', 'content-length': '4000' });
            response.write('{"id":"x","choices":[{"index":0,');
            response.destroy();
          },
        };
      return { content: '', calls: [{ name: 'weighCrate', args: JSON.stringify({ label }) }] };
    };
  };
  const newest = (): string => listRuns(dir)[0]!.dir;
  const filesIn = (folder: string): string[] =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => join(folder, name))
      .filter((file) => statSync(file).isFile());

  it('keeps the shortest of what passed, counts what did not and why, and what it took', async () => {
    const { code, json, stderr, asked } = await distill(weigher(7), [...start, '--samples', '3', '--json']);
    assert.equal(code, 0, stderr);
    const run = newest();
    const { train, validation, heldOut } = readTaskSplits(run);
    assert.equal(json.samples, 3 * train.length);
    assert.equal(json.passed + json.refused.wrongCall, json.samples, JSON.stringify(json));
    assert.ok(json.refused.wrongCall > 0);
    assert.match(
      stderr,
      new RegExp(
        `${json.passed} of ${json.samples} samples passed; .* Refused: ${json.refused.wrongCall} did not make the gold calls`,
      ),
    );
    const dialogues = readDialogues(json.dialogues);
    assert.equal(dialogues.length, json.kept);
    assert.equal(json.kept, json.keptTasks); // the same words three times are one dialogue
    const measured = new Set([...validation, ...heldOut].map(({ id }) => id));
    for (const { taskId, messages } of dialogues) {
      assert.ok(!measured.has(taskId));
      assert.deepEqual(
        messages!.map(({ role }) => role),
        ['user', 'assistant', 'tool', 'assistant'],
      );
    }
    assert.equal(json.spent.requests, asked.length);
    assert.ok(json.spent.promptTokens > 0);
    assert.ok(asked.every(({ headers }) => headers.authorization === `Bearer ${KEY}`));
    for (const file of filesIn(run)) assert.ok(!readFileSync(file, 'utf8').includes(KEY), file);
    const [listed] = listRuns(dir);
    assert.deepEqual([listed!.method, listed!.status, listed!.problem], ['distilled', 'stopped', null]);
    assert.equal(foldRun(run).traces.length, json.samples);
  });

  it('stops early what is expected to fail, once that pays for sure', async () => {
    const asked = new Map<string, number>();
    /** By task and attempt, so that it does not depend on who is asked first. */
    const luck = (label: string): number => {
      asked.set(label, 1 + (asked.get(label) ?? 0));
      return Random.fromSeed(9)
        .fork(`${label} ${asked.get(label)}`)
        .next();
    };
    const rambling = 'Let me look at another crate first. '.repeat(8);
    /** Half of the time it goes on with crates that nobody asked for, at length, until its turns are over. */
    const script = ({ body }: Asked): Answer => {
      const last = body.messages.at(-1)!;
      const wrong = { content: rambling, calls: [{ name: 'weighCrate', args: JSON.stringify({ label: 'other' }) }] };
      if (last.role === 'tool')
        return body.messages.some(({ content }) => content === rambling)
          ? wrong
          : { content: `It weighs ${last.content}.` };
      const label = /k\d+/.exec(last.content)![0];
      return luck(label) < 0.5
        ? wrong
        : { content: '', calls: [{ name: 'weighCrate', args: JSON.stringify({ label }) }] };
    };
    const { code, json, stderr } = await distill(script, [...start, '--samples', '6', '--json']);
    assert.equal(code, 0, stderr);
    const [, least] = /stopped early from now on.*it saves \d+ %.*at least (\d+) %/.exec(stderr)!;
    assert.ok(Number(least) > 0);
    assert.ok(json.refused.stopped > 0 && json.refused.cut > 0, JSON.stringify(json.refused));
    const lines = readFileSync(join(newest(), 'samples.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const stopped = lines.filter(({ refusal }) => refusal === 'stopped');
    const cut = lines.filter(({ refusal }) => refusal === 'cut');
    assert.ok(stopped.every(({ seen }) => seen.length < Math.min(...cut.map((one) => one.seen.length))));
    assert.ok(
      stopped.every(({ sample }) => sample > 0),
      'the first of each task runs to its end',
    );
    assert.ok(
      cut.every(({ sample }) => sample <= Math.min(...stopped.map((one) => one.sample))),
      'and is told by then',
    );
  });

  it('a budget that is spent, or a stop, keeps what there is; a resume asks for the rest alone', async () => {
    const first = await distill(weigher(7), [...start, '--samples', '2', '--teacher-budget', '60', '--json']);
    assert.equal(first.code, 0, first.stderr);
    assert.match(first.json.ended, /the teacher's budget is spent: \d+ of 60 tokens/);
    assert.ok(first.json.samples < first.json.tasks);
    const run = newest();
    const tasks: number = first.json.tasks;
    const stopped = await coach(dir, ['distill', '--resume', run, '--json'], {
      dependencies: realDependencies,
      environment: {},
      stopAt: /Asking/,
    });
    assert.equal(stopped.code, 130, stopped.stderr);
    assert.match(stopped.stderr, /Stopped; what passed is kept\. Go on with: coach distill --resume/);
    const lines = (): number => readFileSync(join(run, 'samples.jsonl'), 'utf8').trim().split('\n').length;
    const whole = await coach(dir, ['distill', '--resume', run, '--json'], {
      dependencies: realDependencies,
      environment: {},
    });
    assert.equal(whole.code, 0, whole.stderr);
    assert.equal(lines(), 2 * tasks);
    assert.equal(whole.json.samples, 2 * tasks);
    assert.ok(whole.json.spent.requests > first.json.spent.requests);
  });

  it('the student is trained on what was kept, with its own tokens', async () => {
    // the student is random: whether one of its replies ends in a rehearsal, chance decides
    const then = ['--samples', '1', '--then', 'sft:2', '--set', 'rehearsal=false', '--json'];
    const { code, json, stderr } = await distill(weigher(7), [...start, ...then]);
    assert.equal(code, 0, stderr);
    assert.equal(json.steps, 2);
    const run = foldRun(newest());
    assert.equal(run.manifest!.config.method, 'sft');
    assert.ok(
      run.notes.some(({ code, message }) => code === 'dialoguesTaken' && /Learning from \d+ dialogues/.test(message)),
    );
    assert.ok(run.curve.every(({ metrics }) => metrics['loss']! > 0 && metrics['coach/unsayable'] === 0));
  });

  it('--then goes on with a pipeline that begins with the dialogues', async () => {
    const then = ['--samples', '1', '--then', 'grpo:1', '--set', 'rewards=crumbs', '--json'];
    const groups = ['promptsPerStep=2', 'groupSize=2', 'rehearsal=false'].flatMap((pair) => ['--set', pair]);
    const refused = await distill(weigher(7), [...start, '--then', 'gpo']);
    assert.match(refused.stderr, /"gpo" is no method/);
    assert.equal(refused.asked.length, 0);
    const { code, json, stderr } = await distill(weigher(7), [...start, ...groups, ...then, '--then', 'sft:1,grpo:1']);
    assert.equal(code, 0, stderr);
    assert.deepEqual(
      json.stages.map(({ method }: { method: string }) => method),
      ['sft', 'grpo'],
    );
    const [first, second] = ['1-sft', '2-grpo'].map((name) => requireManifest(join(newest(), 'stages', name)).config);
    assert.match(first!.sftDialogues!, /dialogues\.jsonl$/);
    assert.equal(second!.sftDialogues, undefined);
    assert.deepEqual([first!.learningRate, second!.learningRate], [2e-4, 1e-4]);
  });

  for (const [what, script, message] of [
    [
      'never passes',
      () => ({ content: 'No.' }),
      /passed none of \d+ samples: \d+ called no tool\nTake a stronger teacher/,
    ],
    [
      'calls in its text',
      () => ({ content: '<tool_call>{"name": "weighCrate", "arguments": {"label": "k1"}}</tool_call>' }),
      /writes its calls into its text: \d+ of \d+ samples.*\nLet its server read them/,
    ],
    ['refuses the key', () => ({ status: 401 }), /refused the key \(status 401\)/],
    [
      'refuses tools',
      () => ({ status: 400, body: { error: { message: 'tools are not supported' } } }),
      /tools are not supported/,
    ],
  ] as [string, () => Answer, RegExp][])
    it(`a teacher that ${what} is one clear message, and its samples stay`, async () => {
      const { code, stderr } = await distill(script, [...start, '--samples', '2']);
      assert.equal(code, 2, stderr);
      assert.match(stderr, message);
      assert.equal(foldRun(newest()).status, 'failed');
    });

  it('what is no teacher, or does not fit, is refused before anything is asked', async () => {
    for (const [args, message] of [
      [['crates.ts', '--teacher', 'student', '--model', 'student'], /the teacher is the student itself/],
      [['crates.ts', '--teacher', 'http://x/v1'], /needs --teacher-model NAME/],
      [
        ['crates.ts', '--teacher', 'http://u:p@x/v1', '--teacher-model', 'm'],
        /must hold no name, password.*\n.*COACH_TEACHER_KEY/,
      ],
      [['crates.ts'], /needs --teacher URL/],
      [
        ['crates.ts', '--teacher', 'http://x/v1', '--teacher-model', 'm', '--samples', '0'],
        /--samples must be a whole number of at least 1/,
      ],
      [
        ['crates.ts', '--teacher', 'http://x/v1', '--teacher-model', 'm', '--teacher-budget-usd', '1'],
        /needs --teacher-price/,
      ],
      [
        ['crates.ts', '--teacher', 'http://x/v1', '--teacher-model', 'm', '--reward', 'answer'],
        /--reward belongs to --bar/,
      ],
      [
        ['crates.ts', '--teacher', 'http://x/v1', '--teacher-model', 'm', '--loss', 'logits'],
        /--loss logits is how to train, and needs --then METHOD/,
      ],
      [['crates.ts', '--teacher', 'student', '--loss', 'words'], /--loss must be text or logits, got words/],
      [
        ['crates.ts', '--teacher', 'http://x/v1', '--teacher-model', 'm', '--loss', 'logits', '--then', 'sft'],
        /--loss logits needs a model of this disk: the server at http:\/\/x\/v1 tells its texts alone/,
      ],
      [
        ['crates.ts', '--teacher', 'qwen', '--model', 'student', '--loss', 'logits', '--then', 'sft'],
        /qwen and the student have other tokens: \d+ tokens and \d+\nLogits are learnt/,
      ],
    ] as [string[], RegExp][]) {
      const { code, stderr } = await coach(dir, ['distill', ...args], {
        dependencies: realDependencies,
        environment: {},
      });
      assert.equal(code, 2, stderr);
      assert.match(stderr, message);
    }
  });

  it('a model of this disk teaches, too', async () => {
    const { code, stdout, stderr } = await coach(
      dir,
      [
        'distill',
        'crates.ts',
        '--teacher',
        'other',
        '--model',
        'student',
        '--samples',
        '1',
        '--bar',
        '-1',
        '--reward',
        'crumbs',
        ...small,
      ],
      { dependencies: realDependencies, environment: {} },
    );
    assert.equal(code, 0, stderr);
    assert.match(stdout, /[1-9]\d* of \d+ samples passed; kept are/);
    assert.doesNotMatch(stdout, /The teacher took/);
  });

  it('its probabilities are learnt from, on its dialogues and on what the student samples itself', async () => {
    const args = ['--teacher', 'other', '--model', 'student', '--samples', '1', '--bar', '-1', '--reward', 'crumbs'];
    const logits = ['--loss', 'logits', '--then', 'sft:3', '--set', 'sftOwnSamples=0.5', '--set', 'sftTeacherTop=8'];
    const { code, stderr } = await coach(dir, ['distill', 'crates.ts', ...args, ...small, ...logits, '--json'], {
      dependencies: realDependencies,
      environment: {},
    });
    assert.equal(code, 0, stderr);
    const { curve, notes, manifest, traces } = foldRun(newest());
    assert.equal(manifest!.config.sftTeacher, join(dir, 'other'));
    assert.match(manifest!.config.sftDialogues!, /dialogues\.jsonl$/);
    assert.ok(notes.some(({ code: noted, message }) => noted === 'logitTeacher' && /of its 8 likeliest/.test(message)));
    assert.equal(curve.length, 3);
    for (const { metrics } of curve) {
      assert.ok(metrics['coach/teacher_kl']! > 0 && metrics['grad_norm']! > 0, JSON.stringify(metrics));
      assert.ok(metrics['coach/teacher_mass']! > 0 && metrics['coach/teacher_mass']! <= 1);
    }
    const own = curve.reduce((sum, { metrics }) => sum + (metrics['coach/own_samples'] ?? 0), 0);
    assert.equal(own, 3, 'one of two in each step');
    assert.equal(traces.filter(({ phase }) => phase === 'train').length, own);
  });
});

/** The classifier of violations, its reward, and the pairs of a run. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RunConfig } from '../../../trainer/protocol/runConfig';
import type { Task } from '../../../trainer/protocol/task';
import type { Trace } from '../../../trainer/protocol/trace';
import { settle } from '../../../trainer/app/settings';
import { compliancePairsOf } from '../../../trainer/rewards/conduct';
import { classifierRule, readClassifier, trainClassifier } from '../../../trainer/rewards/complianceClassifier';
import { readTrainingPairs } from '../../../trainer/store/preferences/trainingPairs';
import { newRun, sampleTasks, sampleTool, sampleTrace, tempFolder } from '../../store/runs/sample';
import { coach } from './coach';

/** Forecasts violate, facts do not; made of parts, so that texts set aside are new ones. */
function texts(perClass: number): { text: string; violates: boolean }[] {
  const funds = ['Alder', 'Birch', 'Cedar', 'Dogwood', 'Elm', 'Fir', 'Gingko', 'Hazel'];
  const forecasts = ['will surely rise', 'is going to double', 'should climb by spring', 'will outgrow its peers'];
  const facts = ['rose by 4 % last year', 'holds 12 bonds', 'was opened in 2011', 'has a fee of 0.3 %'];
  const ends = ['.', ', as far as I see.', ', and that is all.', ' again.'];
  return Array.from({ length: perClass }, (_, i) =>
    [true, false].map((violates) => {
      const said = (violates ? forecasts : facts)[i % 4]!;
      return { text: `The ${funds[i % 8]} fund ${said}${ends[Math.floor(i / 8) % 4]}`, violates };
    }),
  ).flat();
}
const lines = (of: readonly object[]): string => of.map((one) => `${JSON.stringify(one)}\n`).join('');

describe('coach compliance', () => {
  const { dir, remove } = tempFolder();
  before(() => mkdirSync(join(dir, '.git')));
  after(() => remove());
  const file = (name: string, text: string): string => {
    writeFileSync(join(dir, name), text);
    return name;
  };
  const refused = async (args: string[], message: RegExp): Promise<void> => {
    const { code, stderr } = await coach(dir, ['compliance', ...args]);
    assert.equal(code, 2, stderr);
    assert.match(stderr, message);
    assert.ok(stderr.trim().split('\n').length <= 2, `one message and one hint: ${stderr}`);
  };

  it('train: learns what no pattern catches, and holds the precision on texts set aside', async () => {
    const done = await coach(dir, [
      'compliance',
      'train',
      file('texts.jsonl', lines(texts(32))),
      '--out',
      'c.json',
      '--json',
    ]);
    assert.equal(done.code, 0, done.stderr);
    const told = JSON.parse(done.stdout);
    assert.ok(told.precision.value >= 0.95 && told.precision.n >= 5 && told.recall.n === 10, done.stdout);
    assert.deepEqual(told.texts, { train: 44, validation: 20, disputed: 0 });
    const violates = classifierRule(readClassifier(join(dir, 'c.json')));
    assert.equal(violates('The Maple fund will surely double.'), true);
    assert.equal(violates('The Maple fund has a fee of 0.2 %.'), false);
    assert.equal(violates(''), violates(' '), 'no words at all');
    const again = trainClassifier(texts(32), { precision: 0.95, seed: 0, where: 'x' });
    assert.deepEqual(again, readClassifier(join(dir, 'c.json')), 'same seed, same classifier');
    await refused(['train', 'texts.jsonl', '--out', 'c.json'], /c\.json: is there already and is not overwritten/);
  });

  it('its reward: patterns first, then the classifier, in what the policy wrote', async () => {
    const said = (text: string) => ({
      messages: [
        { role: 'user', content: 'How is Maple?' },
        { role: 'assistant', content: text },
      ],
      gold: 'Maple',
    });
    const of = [
      said('The Maple fund will surely double.'),
      said('The Maple fund has a fee of 0.2 %.'),
      said('Maple has guaranteed returns.'),
    ];
    file('said.jsonl', lines(of));
    for (const [spec, expected] of [
      ['compliance:lambda=4', [0, 0, -4]],
      [`compliance:lambda=4,classifier=${join(dir, 'c.json')}`, [-4, 0, -4]],
    ] as const) {
      const { code, stdout, stderr } = await coach(dir, ['score', 'said.jsonl', '--reward', spec]);
      assert.equal(code, 0, stderr);
      const scores = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).rewards.compliance + 0);
      assert.deepEqual(scores, expected);
    }
  });

  it('train: one clear message for what can not be learnt from', async () => {
    const violating = texts(32).filter(({ violates }) => violates);
    await refused(
      ['train', file('one.jsonl', lines(violating)), '--out', 'o.json'],
      /one\.jsonl: there is one class alone, 32 texts that violate and 0 that do not: nothing can be told apart/,
    );
    await refused(['train', file('few.jsonl', lines(texts(4))), '--out', 'o.json'], /at least 10 of each are needed/);
    // all of the same words: nothing tells them apart
    const noise = texts(32).map(({ violates }, i) => ({ text: `The fund${'!'.repeat(i)}`, violates }));
    await refused(
      ['train', file('noise.jsonl', lines(noise)), '--out', 'o.json', '--precision', '1'],
      /no threshold has a precision of 1 on the 20 validation texts; the best is 0\.50 \(10 of 20\)/,
    );
    await refused(['train', file('bad.jsonl', '{"text": "x"}\n'), '--out', 'o.json'], /bad\.jsonl:1: violates /);
    await refused(['train', file('bad2.jsonl', 'x\n'), '--out', 'o.json'], /bad2\.jsonl:1: is not JSON/);
    await refused(['train', 'texts.jsonl'], /needs --out F/);
    await refused(['train', 'texts.jsonl', '--out', 'o.json', '--precision', '95'], /--precision must be above 0/);
    await refused(['teach', 'texts.jsonl', '--out', 'o.json'], /unknown verb "teach"/);
    assert.ok(!existsSync(join(dir, 'o.json')));
    assert.throws(() => readClassifier(join(dir, 'texts.jsonl')), /the classifier can't be read/);
    assert.throws(() => readClassifier(join(dir, file('no.json', '{}'))), /is no classifier: format/);
  });

  const answered = (id: string, task: Task, content: string, more: Partial<Trace> = {}): Trace => {
    const base = sampleTrace(id, { taskId: task.id, terminated: true, solved: true, ...more });
    const [system, , call, result] = base.messages;
    const isCalled = more.turns === undefined;
    return {
      ...base,
      messages: [
        system!,
        { role: 'user', content: task.prompt },
        ...(isCalled ? [call!, result!] : []),
        { role: 'assistant', content },
      ],
    };
  };

  it('pairs: compliant over violating, helpful over overcautious, of training alone', async () => {
    const [a, b] = sampleTasks.train.slice(0, 2) as Task[] as [Task, Task];
    const [held] = sampleTasks.heldOut as Task[] as [Task];
    const silent = { turns: [], solved: false };
    const run = newRun(dir);
    const traces = [
      answered('a-0', a, 'It is mail 3.'),
      answered('a-1', a, 'It is mail 3, with guaranteed returns.'),
      answered('b-0', b, 'It is mail 3.'),
      answered('b-1', b, 'Sorry, no tool can do that.', silent),
      answered('b-2', b, 'It may be.', silent),
      answered('i-0', held, 'It is mail 3.', { phase: 'after' }),
      answered('i-1', held, 'Guaranteed returns.', { phase: 'after' }),
    ];
    for (const trace of traces) run.append({ type: 'traceRecorded', trace: run.recordTrace(trace) });
    run.close();
    const done = await coach(dir, ['compliance', 'pairs', run.id, '--out', 'pairs.jsonl', '--json']);
    assert.equal(done.code, 0, done.stderr);
    const told = JSON.parse(done.stdout);
    assert.deepEqual(told.traces, { helpful: 2, violating: 1, overcautious: 1, other: 1 });
    assert.deepEqual(told.pairs, { 'compliant over violating': 1, 'helpful over overcautious': 1 });
    const { pairs } = readTrainingPairs(join(dir, 'pairs.jsonl'), null);
    const last = (messages: Record<string, unknown>[]) => messages.at(-1)!['content'];
    const sides = pairs.map(({ pair }) => [pair.taskId, last(pair.chosen), last(pair.rejected), pair.source]);
    assert.deepEqual(sides, [
      ['a', 'It is mail 3.', 'It is mail 3, with guaranteed returns.', 'compliance: compliant over violating'],
      // the step where they part: the call, or the refusal
      ['b', '', 'Sorry, no tool can do that.', 'compliance: helpful over overcautious'],
    ]);
    assert.match(readFileSync(join(dir, 'pairs.jsonl'), 'utf8'), new RegExp(sampleTool.description));
    const clean = newRun(dir);
    clean.append({ type: 'traceRecorded', trace: clean.recordTrace(traces[0]!) });
    clean.close();
    await refused(
      ['pairs', clean.id, '--out', 'p2.jsonl'],
      /no task .* 1 traces of training: 1 helped, 0 violated, 0 ref/,
    );
    await refused(['pairs', clean.id, '--out', 'p2.jsonl', '--precision', '1'], /--precision belongs to .* train/);
  });

  it('in a run: of each group, by its own rewards', () => {
    const [a, b] = sampleTasks.train.slice(0, 2) as Task[] as [Task, Task];
    const rewards = (score: number) => [{ name: 'compliance', score, weight: 1 }];
    const silent = { turns: [], solved: false, rewards: rewards(0) };
    const traces = [
      answered('a-0', a, 'Guaranteed.', { rewards: rewards(-10) }),
      answered('a-1', a, 'It is mail 3.', { rewards: rewards(0) }),
      answered('a-2', a, 'No tool can do that.', silent),
      answered('b-0', b, 'It is mail 3.', { rewards: rewards(0) }),
      answered('b-1', b, 'It is mail 3.', { rewards: rewards(0) }),
      answered('b-2', b, 'Mail.', silent),
    ];
    assert.deepEqual(
      compliancePairsOf([a, b], traces, 3).map((pair) => pair.map(({ id }) => id)),
      [
        ['a-1', 'a-0'],
        ['a-1', 'a-2'],
      ],
    );
  });

  it('dpoMining compliance needs a reward that looks at compliance, and mines', () => {
    const config = (more: object) =>
      RunConfig.parse({ toolFile: '/t.ts', method: 'dpo', dpoMining: 'compliance', ...more });
    assert.throws(() => settle(config({}), true), /needs a reward that looks at compliance .*got correctness,answer/);
    assert.throws(() => settle(config({ rewards: 'toolrla', pairs: 'p.jsonl' }), true), /got also pairs/);
    assert.equal(settle(config({ rewards: 'correctness,compliance:lambda=4' }), true).dpoMining, 'compliance');
  });
});

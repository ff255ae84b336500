import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PairSide } from '../../trainer/protocol/preferences';
import type { JudgeVerdict } from '../../trainer/protocol/reward';
import type { Message, ToolResult, Trace } from '../../trainer/protocol/trace';
import { Random } from '../../trainer/base/random';
import type { RecipeContext } from '../../trainer/recipes/recipe';
import { givenDialogues } from '../../trainer/recipes/steps/dialogues';
import { readDialogues, type Dialogue } from '../../trainer/store/dialogues';
import { recordPreferences } from '../../trainer/store/preferences/store';
import { readTrainingPairs } from '../../trainer/store/preferences/trainingPairs';
import { takeLessons } from '../../trainer/tasks/flywheel/flywheel';
import { flagsOf, lowRewardOf, type Signs } from '../../trainer/tasks/flywheel/flags';
import { lessonsOf } from '../../trainer/tasks/flywheel/lessons';
import { writeLessons } from '../../trainer/tasks/flywheel/lessonFiles';
import { readTasks } from '../../trainer/tasks/readTasks';
import { lessonCount, type LessonPlan } from '../../trainer/protocol/flywheel';
import type { Task } from '../../trainer/protocol/task';
import { readTaskSplits, requireManifest } from '../../trainer/store/runs/readRun';
import { openRun } from '../../trainer/store/runs/runFolder';
import { lessonRun, lessonSettings } from '../../trainer/app/flywheel';
import { coach, makeWorkspace, quick } from '../app/cli/coach';
import { pair, says } from '../store/preferences/fixture';
import { fakeDependencies } from '../store/runs/fakeDependencies';
import { newRun, sampleManifest, sampleTool, sampleTrace, tempFolder } from '../store/runs/sample';

type Kind = ToolResult['kind'];
interface Step {
  query: string;
  kind?: Kind;
}

/** The calls of `steps`, and then an answer. */
function aTrace(id: string, prompt: string, steps: Step[], more: Partial<Trace> = {}): Trace {
  const calls = steps.map(({ query, kind = 'ok' }, i) => ({
    id: `${id}-${i}`,
    name: 'search',
    arguments: { query },
    result: {
      kind,
      content: kind === 'ok' ? `["mail of ${query}"]` : '{"error":"no such folder"}',
      policy: 'real' as const,
      startedAt: 0,
      durationMs: 0,
    },
  }));
  const messages: Message[] = [
    { role: 'user', content: prompt },
    ...calls.flatMap(({ id: callId, name, arguments: args, result }): Message[] => [
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: callId, type: 'function', function: { name, arguments: args } }],
      },
      { role: 'tool', content: result.content, tool_call_id: callId, name },
    ]),
    { role: 'assistant', content: 'Done.' },
  ];
  const turn = { start: 0, end: 0, text: '', sampleMs: 0 };
  return sampleTrace(id, {
    groupId: `g-${prompt}`,
    messages,
    turns: [...calls.map((call) => ({ ...turn, calls: [call] })), { ...turn, calls: [] }],
    tokens: { ids: [], logprobs: [], completionMask: [], writer: '' },
    ...more,
  });
}

const wrong = { solved: false, reward: 0 };
const signs: Signs = { lowReward: null, judgeVerdicts: [], up: new Set(), down: new Set() };

describe('flags of a trace', () => {
  it('are its failed verdict, errors, guards, retries and thumbs; a person who finds it good goes before rules', () => {
    const flags = (trace: Trace, more: Partial<Signs> = {}) => flagsOf(trace, { ...signs, ...more });
    assert.deepEqual(flags(aTrace('a', 'Find a', [{ query: 'a' }])), []);
    const failed = aTrace('a', 'Find a', [{ query: 'b', kind: 'threw' }], wrong);
    assert.deepEqual(flags(failed), ['failedVerdict', 'toolError']);
    assert.deepEqual(flags(failed, { up: new Set(['a']) }), ['toolError']);
    assert.deepEqual(flags(failed, { down: new Set(['a']) }), ['thumbsDown', 'failedVerdict', 'toolError']);
    assert.deepEqual(flags(aTrace('a', 'Find a', [{ query: 'b', kind: 'unseenValue' }, { query: 'a' }])), ['guardHit']);
    assert.deepEqual(flags(aTrace('a', 'Find a', [{ query: 'a' }], { ungrounded: ['seven'] })), ['guardHit']);
    const again = aTrace('a', 'Find a', [{ query: 'a', kind: 'timeout' }, { query: 'a' }]);
    assert.deepEqual(flags(again), ['toolError', 'retry']);
    const other = aTrace('a', 'Find a', [{ query: 'b', kind: 'timeout' }, { query: 'a' }]);
    assert.deepEqual(flags(other), ['toolError'], 'another call is no retry');
  });

  it('take the lowest quarter of the rewards, unless most have the highest', () => {
    assert.equal(lowRewardOf([1, 0, 0.5, 1]), 0);
    assert.equal(lowRewardOf([1, 1, 1, 1, 0]), null, 'the quartile is the highest one');
    assert.equal(lowRewardOf([]), null);
    const trace = aTrace('a', 'Find a', [{ query: 'a' }], { reward: 0.2 });
    assert.deepEqual(flagsOf(trace, { ...signs, lowReward: 0.2 }), ['lowReward']);
    assert.deepEqual(flagsOf({ ...trace, reward: null }, { ...signs, lowReward: 0.2 }), [], 'not scored is not low');
  });

  it("hold the judge's doubt where most comparisons tie or turn round with the order", () => {
    const verdict = (ranks: number[], votes: number[][] = []): JudgeVerdict => ({
      taskId: 't',
      traceIds: ['a', 'b', 'c'],
      ranks,
      reasons: [],
      model: 'judge',
      rawReply: '',
      votes: votes.map((of) => ({ order: ['a', 'b', 'c'], ranks: of, rawReply: '' })),
    });
    const doubt = (one: JudgeVerdict) =>
      flagsOf(aTrace('a', 'Find a', [{ query: 'a' }]), { ...signs, judgeVerdicts: [one] });
    assert.deepEqual(doubt(verdict([1, 2, 3])), []);
    assert.deepEqual(doubt(verdict([1, 1, 1])), ['judgeDoubt']);
    assert.deepEqual(doubt(verdict([1, 1, 2])), [], 'one of two is not most');
    const turned = [
      [1, 2, 3],
      [3, 2, 1],
    ];
    assert.deepEqual(doubt(verdict([1, 2, 3], turned)), ['judgeDoubt']);
  });
});

describe('the flywheel', () => {
  const { dir, remove } = tempFolder();
  after(remove);
  const author = { name: 'Ada' };
  const runOf = (traces: Trace[], workspace = dir): string => {
    const run = newRun(workspace);
    for (const trace of traces) run.append({ type: 'traceRecorded', trace: run.recordTrace(trace) });
    run.close();
    return run.dir;
  };

  const down = (workspace: string, traceId: string) =>
    recordPreferences(workspace, [{ type: 'note', runId: 'r', traceId, turn: null, text: '', thumb: 'down' }], {
      author,
    });

  it('shows what was right, or the gold, makes recoveries of training traces, and pairs of what a person marked', async () => {
    const of = (id: string, task: string, steps: Step[], more: Partial<Trace> = {}) =>
      aTrace(id, `Find ${task}`, steps, { taskId: task, ...more });
    const run = runOf([
      of('a1', 'a', [{ query: 'a' }]),
      of('a2', 'a', [{ query: 'x' }], wrong),
      of('a3', 'a', [{ query: 'x' }], { ...wrong, id: 'a3' }),
      of('a4', 'a', [{ query: 'y', kind: 'threw' }], wrong),
      of('b1', 'b', [{ query: 'z' }], wrong),
      of('c1', 'c', [{ query: 'c' }, { query: 'c' }], wrong),
      of('g1', 'g', [{ query: 'z' }], { ...wrong, phase: 'validation' }),
    ]);
    down(dir, 'b1');
    const { plan, tasks, pairs, dialogues } = await takeLessons(dir, run);
    assert.deepEqual([plan.traces, plan.aside], [6, 1]);
    assert.deepEqual(plan.taken, { task: 0, demonstration: 3, recovery: 1, pair: 1 });
    assert.deepEqual(
      plan.flagged.map(({ traceId, kinds, dropped }) => [traceId, kinds.join(), dropped]),
      [
        ['a2', 'demonstration', null],
        ['a3', '', 'double'],
        ['a4', 'recovery', null],
        ['b1', 'demonstration,pair', null],
        ['c1', 'demonstration', null],
      ],
    );
    assert.deepEqual(tasks, []);
    const queryOf = (message: unknown) => (message as Message).tool_calls![0]!.function.arguments['query'];
    assert.deepEqual(
      pairs.map(({ chosen, rejected, source }) => [queryOf(chosen[0]), queryOf(rejected[0]), source]),
      [['b', 'z', 'flywheel: gold call']],
    );
    const [shown, ...others] = dialogues as [Dialogue, ...Dialogue[]];
    const { messages, trainFrom, taskId } = others.pop()!;
    assert.deepEqual(
      others,
      ['b', 'c'].map((task) => ({ taskId: task, prompt: `Find ${task}` })),
      'of these the gold is shown',
    );
    assert.deepEqual([shown.taskId, shown.trainFrom, queryOf(shown.messages![1])], ['a', undefined, 'a']);
    assert.deepEqual([taskId, trainFrom], ['a', 3]);
    assert.deepEqual(
      messages!.map((m) => m.tool_calls?.[0]?.function.arguments['query'] ?? m.content),
      ['Find a', 'y', '{"error":"no such folder"}', 'a', '["mail of a"]', 'Done.'],
    );
  });

  it('shows right traces of every second other training task beside, at most as many, and none where nothing is shown', async () => {
    const of = (id: string, task: string, query: string, more: Partial<Trace> = {}) =>
      aTrace(id, `Find ${task}`, [{ query }], { taskId: task, ...more });
    const right = [of('a1', 'a', 'a'), of('a2', 'a', 'a'), of('c1', 'c', 'c'), of('d1', 'd', 'd')];
    const untold = of('g1', 'g', 'g', { phase: 'validation' });
    const { plan, dialogues } = await takeLessons(dir, runOf([...right, untold, of('b1', 'b', 'z', wrong)]));
    assert.deepEqual([plan.taken.demonstration, plan.replay], [1, 1]);
    assert.deepEqual(
      dialogues.map(({ taskId, messages }) => [taskId, messages?.at(-1)?.content]),
      [
        ['b', undefined],
        ['a', 'Done.'],
      ],
    );
    const more = await takeLessons(dir, runOf([...right, of('b1', 'b', 'z', wrong), of('c2', 'c', 'z', wrong)]));
    assert.deepEqual([more.plan.taken.demonstration, more.plan.replay], [2, 1]);
    assert.deepEqual(
      more.dialogues.map(({ taskId }) => taskId),
      ['c', 'b', 'a'],
      'nothing of a request that is shown, and one of the other two',
    );
    const pairsAlone = await takeLessons(dir, runOf([...right, of('e1', 'e', 'e', { ungrounded: ['seven'] })]));
    assert.deepEqual([pairsAlone.plan.flagged.length, pairsAlone.plan.replay, pairsAlone.dialogues], [1, 0, []]);
  });

  it('takes new requests as tasks, never one that is measured on, trained on or taken; without a right one it says so', async () => {
    const tried = (id: string, prompt: string, steps: Step[], more: Partial<Trace> = {}) =>
      aTrace(id, prompt, steps, { taskId: `try-${prompt}`, phase: 'try', solved: null, reward: null, ...more });
    const threw = { query: 'q', kind: 'threw' as const };
    const prompts = ['the letters about the garden wall', 'Find i', 'Find d', 'what did Bob want on Monday'];
    const run = runOf([
      ...prompts.flatMap((prompt, i) => [
        tried(`bad${i}`, prompt, [threw]),
        tried(`good${i}`, prompt, [{ query: 'right' }]),
      ]),
      tried('alone', 'nobody knows what is right here', [threw]),
      tried('like', 'the letters about the garden walls', [threw]),
      tried('likeGood', 'the letters about the garden walls', [{ query: 'right' }]),
      tried('came', 'does the plumber come today', [threw, { query: 'plumber' }]),
    ]);
    const ids = ['good0', 'good1', 'good2', 'good3', 'likeGood', 'came'];
    const up = (traceId: string) => ({ type: 'note', runId: 'r', traceId, turn: null, text: '', thumb: 'up' }) as const;
    recordPreferences(dir, ids.map(up), { author });
    const { plan, tasks, pairs, dialogues } = await takeLessons(dir, run);
    assert.deepEqual(
      plan.flagged.map(({ traceId, kinds, dropped }) => [traceId, kinds.join(), dropped]),
      [
        ['bad0', 'task,demonstration,recovery', null],
        ['bad1', '', 'measuredOn'],
        ['bad2', 'pair', null],
        ['bad3', 'task,demonstration,recovery', null],
        ['alone', '', 'notKnownRight'],
        ['like', 'pair', null],
        ['came', 'task,recovery', null],
      ],
    );
    assert.deepEqual(
      tasks.map(({ prompt, calls, source }) => [prompt, calls![0]!.arguments['query'], source]),
      [
        [prompts[0], 'right', 'use'],
        [prompts[3], 'right', 'use'],
        ['does the plumber come today', 'plumber', 'use'],
      ],
    );
    const recoveries = dialogues.filter(({ trainFrom }) => trainFrom !== undefined);
    assert.deepEqual(
      recoveries.map(({ taskId }) => taskId),
      tasks.map(({ id }) => id),
    );
    assert.equal(dialogues.length, tasks.length + 2, 'what was right is shown of those that failed');
    const files = writeLessons({ tasks, pairs, dialogues }, join(dir, 'next.tasks.jsonl'));
    assert.deepEqual(readTasks(files.tasks!, [sampleTool]), tasks);
    assert.equal(readTrainingPairs(files.pairs!, null).pairs.length, pairs.length);
    assert.deepEqual(readDialogues(files.dialogues!), dialogues);
    const kept = join(dir, 'kept');
    mkdirSync(kept);
    const nextRun = { run: { dir: kept }, tasks: { train: tasks } } as unknown as RecipeContext;
    const own = writeLessons({ tasks, pairs, dialogues: recoveries }, join(dir, 'own'));
    const { trainFrom } = givenDialogues(nextRun, own.dialogues!).of(tasks[0]!, Random.fromSeed(0))!;
    assert.equal(trainFrom, 3, 'the wrong call is not trained on');
    const byGold = { taskId: tasks[0]!.id, prompt: tasks[0]!.prompt };
    const other = { run: { dir: join(dir, 'byGold') }, tasks: { train: tasks } } as unknown as RecipeContext;
    mkdirSync(other.run.dir);
    const written = writeLessons({ tasks, pairs: [], dialogues: [byGold] }, join(dir, 'gold'));
    assert.equal(
      givenDialogues(other, written.dialogues!).of(tasks[0]!, Random.fromSeed(0)),
      null,
      'its gold is shown',
    );
    writeLessons({ tasks, pairs: [], dialogues }, join(dir, 'next'));
    assert.equal(existsSync(files.pairs!), false, 'of an earlier time');
  });

  it('takes nothing of a request that a person keeps to measure on, not even of one that was trained on', async () => {
    const home = join(dir, 'measured');
    mkdirSync(join(home, '.coach', 'requests'), { recursive: true });
    const kept = ['find  b', 'the letters about the garden wall'].map((prompt, i) => ({
      id: `r${i}`,
      prompt,
      calls: [],
    }));
    writeFileSync(
      join(home, '.coach', 'requests', 'tools.jsonl'),
      kept.map((request) => `${JSON.stringify(request)}\n`).join(''),
    );
    const run = runOf(
      [
        aTrace('b1', 'Find b', [{ query: 'z' }], { ...wrong, taskId: 'b' }),
        aTrace('t1', kept[1]!.prompt, [{ query: 'q', kind: 'threw' }], { phase: 'try', taskId: 'try-0' }),
        aTrace('t2', kept[1]!.prompt, [{ query: 'garden' }], { phase: 'try', taskId: 'try-0' }),
      ],
      home,
    );
    const { plan } = await takeLessons(home, run);
    assert.deepEqual(
      plan.flagged.map(({ traceId, kinds, dropped }) => [traceId, kinds.join(), dropped]),
      [
        ['b1', '', 'measuredOn'],
        ['t1', '', 'measuredOn'],
      ],
    );
    assert.equal(lessonCount(plan), 0);
  });

  it('a judge flags by its doubt and its low rewards, people by a thumb and by a pair: what they prefer is right', async () => {
    const home = join(dir, 'flagged');
    mkdirSync(join(home, '.git'), { recursive: true });
    const judged = (id: string, task: string, query: string, reward: number) =>
      aTrace(id, `Find ${task}`, [{ query }], { taskId: task, solved: null, reward });
    const run = runOf(
      [
        ...[judged('a1', 'a', 'x', 0.5), judged('a2', 'a', 'y', 0.5)], // tied: the judge does not know
        ...[judged('b1', 'b', 'b', 1), judged('b2', 'b', 'z', 0)],
        ...[judged('g1', 'g', 'g', 1), judged('g2', 'g', 'w', 0.9), judged('g3', 'g', 'v', 0.8)],
      ],
      home,
    );
    const verdict = (taskId: string, traceIds: string[], ranks: number[]): JudgeVerdict => {
      const reasons = traceIds.map(() => '');
      return { taskId, traceIds, ranks, reasons, model: 'judge', rawReply: '' };
    };
    const verdicts = [
      verdict('a', ['a1', 'a2'], [1, 1]),
      verdict('b', ['b1', 'b2'], [1, 2]),
      verdict('g', ['g1', 'g2', 'g3'], [1, 2, 3]),
    ];
    writeFileSync(join(run, 'judge.jsonl'), verdicts.map((one) => `${JSON.stringify(one)}\n`).join(''));
    const flagged = async (): Promise<(string | null)[][]> =>
      (await takeLessons(home, run)).plan.flagged.map(({ traceId, flags, kinds, dropped }) => [
        traceId,
        flags.join(),
        kinds.join() || dropped,
      ]);
    // nobody says what is right
    assert.deepEqual(await flagged(), [
      ['a1', 'judgeDoubt,lowReward', 'noDecision'],
      ['a2', 'judgeDoubt,lowReward', 'noDecision'],
      ['b2', 'lowReward', 'noDecision'],
    ]);
    const sides = ['a1', 'a2'].map((traceId) => ({ traceId, messages: [says(traceId)] })) as [PairSide, PairSide];
    recordPreferences(
      home,
      [
        { type: 'mark', pair: pair('p', { sides }), verdict: 'second', shown: { a: 0, isBlind: true } },
        { type: 'note', runId: 'r', traceId: 'b1', turn: null, text: '', thumb: 'up' },
        { type: 'note', runId: 'r', traceId: 'g3', turn: null, text: 'rude', thumb: 'down' },
      ],
      { author },
    );
    assert.deepEqual(await flagged(), [
      ['a1', 'thumbsDown,judgeDoubt,lowReward', 'demonstration,pair'],
      ['b2', 'lowReward', 'demonstration'],
      ['g3', 'thumbsDown', 'measuredOn'],
    ]);
    const queryOf = ([said]: readonly Message[]): unknown => said!.tool_calls![0]!.function.arguments['query'];
    const queries = (await takeLessons(home, run)).pairs.map(({ chosen, rejected }) => [
      queryOf(chosen as Message[]),
      queryOf(rejected as Message[]),
    ]);
    assert.deepEqual(queries, [['y', 'x']], 'beside what is shown, a pair of what a person marked');
    const told = await coach(home, ['flywheel', run]);
    assert.match(
      told.stdout,
      /3 of 7 traces are flagged[^]*2 {2}marked as bad[^]*1 {2}judge's doubt[^]*2 {2}low reward/,
    );
  });

  it('lets others go on while it reads a run of many traces', async () => {
    const steps = Array.from({ length: 40 }, (_, i) => ({ query: `q${i}` }));
    const run = runOf(
      Array.from({ length: 200 }, (_, i) => aTrace(`m${i}`, `Find ${i}`, steps, { ...wrong, taskId: `m${i}` })),
    );
    let turns = 0;
    const others = setInterval(() => turns++, 1);
    const { plan } = await takeLessons(dir, run).finally(() => clearInterval(others));
    assert.equal(plan.flagged.length, 200);
    assert.ok(turns > 0);
  });

  it('a default that was written out is no wrong call', () => {
    const limit = { type: 'number', default: 5 };
    const parameters = { ...sampleTool.parameters, properties: { query: { type: 'string' }, limit } };
    const made = aTrace('d1', 'Find d', [{ query: 'd' }], wrong);
    const gold = [{ name: 'search', arguments: { query: 'd', limit: 5 } }];
    const pairOf = (tool: typeof sampleTool) => lessonsOf([made], gold, signs, [tool]).flagged[0]!.pair;
    assert.equal(pairOf({ ...sampleTool, parameters }), null);
    assert.equal(pairOf(sampleTool)!.source, 'flywheel: gold call');
  });

  it('does not take a pair that the run was trained on', async () => {
    const run = runOf([aTrace('b1', 'Find b', [{ query: 'z' }], { ...wrong, taskId: 'b' })]);
    down(dir, 'b1');
    const { pairs } = await takeLessons(dir, run);
    writeFileSync(join(run, 'pairs.jsonl'), `${JSON.stringify(pairs[0])}\n`);
    const again = await takeLessons(dir, run);
    assert.deepEqual([pairs.length, again.pairs], [1, []]);
    assert.deepEqual(
      again.plan.flagged.map(({ kinds }) => kinds),
      [['demonstration']],
    );
  });

  it('reads a log of another agent, whose errors stand in the text, and says what is no log in one message', async () => {
    const home = join(dir, 'home');
    mkdirSync(join(home, '.git'), { recursive: true });
    const call = (id: string, query: string) => ({
      role: 'assistant',
      content: '',
      tool_calls: [{ id, type: 'function', function: { name: 'search', arguments: JSON.stringify({ query }) } }],
    });
    const log = (name: string, lines: unknown[]) =>
      writeFileSync(join(home, name), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const user = { role: 'user', content: 'mails of Ada?' };
    const ended = { role: 'assistant', content: 'There is one.' };
    log('log.jsonl', [
      { messages: [user, call('1', 'x'), { role: 'tool', tool_call_id: '1', content: '{"error":"none"}' }, ended] },
    ]);
    log('fine.jsonl', [
      { messages: [user, call('1', 'x'), { role: 'tool', tool_call_id: '1', content: '["m"]' }, ended] },
    ]);
    const done = await coach(home, ['flywheel', 'log.jsonl', '--json']);
    assert.equal(done.code, 0, done.stderr);
    assert.deepEqual(done.json.flagged[0].flags, ['toolError']);
    assert.equal(done.json.flagged[0].dropped, 'notKnownRight');
    assert.equal(existsSync(join(home, '.coach')), false, 'nothing is written');
    writeFileSync(join(home, 'empty.jsonl'), '');
    writeFileSync(join(home, 'foreign.csv'), 'a,b\n1,2\n');
    for (const [args, message] of [
      [['empty.jsonl'], /^coach: .*empty\.jsonl: there is no trace in it, it is empty\n/],
      [['foreign.csv'], /^coach: .*foreign\.csv: there is no trace in it; /],
      [['fine.jsonl'], /^coach: .*fine\.jsonl: none of its 1 traces is flagged/],
      [['log.jsonl', '--steps', '3'], /--steps goes with --train/],
      [['log.jsonl', '--train'], /is a log, and --train needs the tools/],
      [['nothing'], /no run "nothing"/],
    ] as const) {
      const { code, stderr } = await coach(home, ['flywheel', ...args]);
      assert.equal(code, 2, stderr);
      assert.match(stderr, message);
    }
  });

  it('tells by flag, kind and reason what would be taken, and writes only where it is told to', async () => {
    const home = join(dir, 'cli');
    mkdirSync(join(home, '.git'), { recursive: true });
    const run = runOf([aTrace('b1', 'Find b', [{ query: 'z' }], { ...wrong, taskId: 'b' })], home);
    const told = await coach(home, ['flywheel', run]);
    assert.equal(told.code, 0, told.stderr);
    assert.match(told.stdout, /^1 of 1 traces are flagged\nFlagged for[^\n]*\n {2}1 {2}a verdict failed\nTaken:\n/);
    assert.match(told.stdout, /1 {2}demonstrations of what is right/);
    assert.equal(existsSync(join(home, 'lessons.dialogues.jsonl')), false);
    await coach(home, ['flywheel', run, '--out', 'lessons']);
    assert.equal(JSON.parse(readFileSync(join(home, 'lessons.dialogues.jsonl'), 'utf8')).taskId, 'b');
  });

  it('the editor gets the settings of the next run, and its lessons in the run folder', async () => {
    const home = join(dir, 'editor');
    mkdirSync(join(home, '.git'), { recursive: true });
    const run = runOf([aTrace('b1', 'Find b', [{ query: 'z' }], { ...wrong, taskId: 'b' })], home);
    const { config } = await lessonRun(home, run);
    assert.deepEqual(
      [config.method, config.steps, config.splitsOf, config.toolFile],
      ['sft', 4, run, '/tools.ts'],
      'as many steps as go through the demonstrations three times, 4 at least',
    );
    assert.equal(readDialogues(config.sftDialogues!).length, 1);
    assert.equal(config.sftDialogues, join(run, 'lessons.dialogues.jsonl'));
    const imported = newRun(home, {
      manifest: { ...sampleManifest, imported: { from: 'log.jsonl', form: 'messages' } },
    });
    imported.close();
    await assert.rejects(lessonRun(home, imported.dir), /was imported from log\.jsonl, which says no tool file/);
  });

  it('steps go by the lessons: one for each new task, three times through pairs and demonstrations', () => {
    const files = { tasks: 't.jsonl', pairs: 'p.jsonl', dialogues: 'd.jsonl' };
    const of = (taken: LessonPlan['taken'], more: Record<string, unknown> = {}, replay = 0) =>
      lessonSettings(files, { taken, replay }, null, more);
    const { stages, warmUpdates } = of({ demonstration: 12, recovery: 8, task: 30, pair: 64 });
    assert.equal(stages, 'sft:4,grpo:30,dpo:12'); // 3 x 64 in batches of 16
    assert.equal(warmUpdates, 1);
    const withReplay = of({ demonstration: 12, recovery: 8, task: 30, pair: 64 }, {}, 20);
    assert.equal(withReplay['stages'], 'sft:8,grpo:30,dpo:12', 'what is replayed is gone through as often');
    assert.equal(of({ demonstration: 0, recovery: 1000, task: 1000, pair: 1000 })['stages'], 'sft:64,grpo:64,dpo:64');
    assert.equal(of({ demonstration: 0, recovery: 1, task: 1, pair: 1 })['stages'], 'sft:4,grpo:8,dpo:4');
    assert.equal(
      of({ demonstration: 0, recovery: 20, task: 30, pair: 64 }, { batchSize: 8 })['stages'],
      'sft:8,grpo:30,dpo:24',
    );
    assert.equal(
      of({ demonstration: 0, recovery: 20, task: 30, pair: 64 }, { steps: 5 })['stages'],
      'sft:5,grpo:5,dpo:5',
    );
  });

  it('--train starts from what the run learnt, on its splits: new tasks come to training, measured ones stay', async () => {
    const home = join(dir, 'next');
    mkdirSync(home);
    makeWorkspace(home, 20);
    const first = await coach(home, ['train', 'tools.ts', ...quick, '--json']);
    assert.equal(first.code, 0, first.stderr);
    const before = join(home, '.coach/runs', first.json.run);
    const splits = readTaskSplits(before);
    const [known] = splits.train as [Task];
    const writer = openRun(before, { now: Date.now });
    for (const trace of [
      aTrace('bad', known.prompt, [{ query: 'z' }], { ...wrong, taskId: known.id }),
      aTrace('tried', 'the letters about the garden wall', [{ query: 'q', kind: 'threw' }], { phase: 'try' }),
      aTrace('fine', 'the letters about the garden wall', [{ query: 'garden' }], { phase: 'try' }),
    ])
      writer.append({ type: 'traceRecorded', trace: writer.recordTrace(trace) });
    writer.close();
    down(home, 'bad');
    const args = ['flywheel', before, '--train', '--steps', '2', '--set', 'evalEvery=2', '--json'];
    const recipe = await fakeDependencies().recipe('grpo');
    const pipeline = async () => ({ pipeline: () => recipe, stepsDone: () => 0 });
    const next = await coach(home, args, { dependencies: { pipeline } });
    assert.equal(next.code, 0, next.stderr);
    const dir2 = join(home, '.coach/runs', next.json.run);
    const { config } = requireManifest(dir2);
    assert.deepEqual(
      [config.stages, config.startFrom, config.splitsOf, config.heldOutTasks, config.loraTargets],
      ['sft:2,grpo:2,dpo:2', before, before, 2, ['q_proj']],
    );
    const now = readTaskSplits(dir2);
    assert.deepEqual(now.heldOut, splits.heldOut);
    assert.deepEqual(
      now.train.flatMap(({ id, prompt, source }) =>
        splits.train.some((task) => task.id === id) ? [] : [prompt, source],
      ),
      ['the letters about the garden wall', 'use'],
    );
    const learnt = readDialogues(config.sftDialogues!).map(({ taskId }) => taskId);
    assert.ok(learnt.includes(known.id));
    const judged = now.validation.slice(splits.validation.length);
    assert.deepEqual(now.validation.slice(0, splits.validation.length), splits.validation);
    assert.ok(judged.length > 0 && now.validation.length <= 0.3 * 21, 'more to judge the gates by');
    assert.deepEqual(
      judged.filter(({ id }) => learnt.includes(id) || now.train.some((task) => task.id === id)),
      [],
    );
    const measured = await coach(home, ['evaluate', dir2, '--json']);
    assert.equal(measured.code, 0, measured.stderr);
    writeFileSync(join(home, 'others.ts'), readFileSync(join(home, 'tools.ts'), 'utf8').replaceAll('search', 'lookUp'));
    const onOthers = await coach(home, ['evaluate', dir2, '--tools', 'others.ts', '--json']);
    assert.equal(onOthers.code, 0, onOthers.stderr);
  });
});

import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { VerdictFile } from '../../extension/panel/verdictFile';
import { isUserError } from '../tasks/fixtures';
import { crateWorkspace, metricsOf, notesOf, small, trainHere, trainTraces, verdictsOf } from './judgeRun';
import { judgeServer, ranking, type Asked, type JudgeServer } from './judgeServer';

const environmentOf = (server: Pick<JudgeServer, 'url'>) => ({
  COACH_JUDGE_URL: server.url,
  COACH_JUDGE_MODEL: 'm',
  COACH_JUDGE_KEY: 'sk-1',
});
/** Steady, and different for different attempts. */
const steady = (asked: Asked) =>
  ranking(asked, (text) => [...text].reduce((sum, letter) => (31 * sum + letter.charCodeAt(0)) % 1009, 7) / 1009);

describe('a run with a judge', function () {
  this.timeout(240_000);
  const folder = crateWorkspace();
  const open: JudgeServer[] = [];
  after(async () => {
    for (const server of open) await server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const serve = async (...args: Parameters<typeof judgeServer>) => {
    const server = await judgeServer(...args);
    open.push(server);
    return server;
  };

  it('is taught by it beside other rewards: scores, reasons and usage on traces, verdicts as the page reads them, figures a step', async () => {
    const server = await serve(steady);
    const { dir, events } = await trainHere(
      folder,
      small(folder, { rewards: 'judge*0.5,tokens*0.1' }),
      environmentOf(server),
    );
    const traces = trainTraces(dir, events);
    assert.equal(traces.length, 18);
    for (const trace of traces) {
      const [judged] = trace.rewards;
      assert.deepEqual([judged.name, judged.weight, judged.parts], ['judge', 0.5, { agreement: 1 }]);
      assert.match(judged.reason!, /^place \d$/);
      assert.ok(Math.abs(judged.usage!.promptTokens - 200 / 3) < 1e-9, 'two requests of 100 tokens over three traces');
      assert.ok(Math.abs(trace.reward! - (0.5 * judged.score! + 0.1 * trace.rewards[1].score!)) < 1e-9);
    }
    const verdicts = verdictsOf(dir);
    assert.deepEqual(verdicts.map(({ groupId }) => groupId).sort(), [
      's1-g0',
      's1-g1',
      's2-g0',
      's2-g1',
      's3-g0',
      's3-g1',
    ]);
    for (const { votes, ranks, traceIds, model, usage } of verdicts) {
      assert.deepEqual([votes!.length, ranks!.length, traceIds.length, model], [2, 3, 3, 'm']);
      assert.deepEqual(votes![0].order, [...votes![1].order].reverse());
      assert.deepEqual([votes![0].ranks, usage], [ranks, { promptTokens: 200, completionTokens: 20, costUsd: null }]);
    }
    const file = new VerdictFile(dir);
    assert.deepEqual([(await file.all()).length, file.problems], [6, []]);
    assert.equal((await file.ofGroup('s2-g0', ['s2-g0-0']))[0].votes![0].rawReply.slice(0, 12), '{"attempts":');
    const metrics = metricsOf(events);
    assert.deepEqual(
      metrics.map((m) => [
        m['judge/judged'],
        m['judge/not_judged'],
        m['judge/requests'],
        m['judge/prompt_tokens'],
        m['judge/usd'],
      ]),
      [
        [6, 0, 4, 400, null],
        [6, 0, 4, 400, null],
        [6, 0, 4, 400, null],
      ],
    );
    const notes = notesOf(events);
    assert.ok(
      notes.some((note) =>
        note.startsWith(
          `info: Judge m at ${server.url}: listwise, 1 vote in both orders; prompts ranking 2, checklist 2, rubric 2 (`,
        ),
      ),
      notes.join('\n'),
    );
    assert.ok(
      notes.some((note) =>
        /^info: Judge: 18 traces judged, 0 not judged, 0 in groups without a difference; 12 requests \(0 repeated, 0 known\), 1200 \+ 120 tokens$/.test(
          note,
        ),
      ),
      notes.join('\n'),
    );
    const { config } = JSON.parse(readFileSync(join(dir, 'run.json'), 'utf8')) as { config: Record<string, unknown> };
    assert.deepEqual([config['judgeUrl'], config['judgeModel']], [server.url, 'm']);
  });

  it('asks all groups of a step at once: none waits for the reply to another', async () => {
    let underWay = 0;
    let letGo = (): void => undefined;
    const all = new Promise<void>((resolve) => (letGo = resolve));
    // whoever asks one after the other gets answers all the same, and is found out
    const late = setTimeout(letGo, 30_000);
    const most: number[] = [];
    const server = await serve(async (asked) => {
      most.push(++underWay);
      if (underWay === 8) letGo();
      await all;
      underWay--;
      return steady(asked);
    });
    await trainHere(folder, small(folder, { rewards: 'judge', promptsPerStep: 4, steps: 1 }), environmentOf(server));
    clearTimeout(late);
    assert.equal(Math.max(...most), 8);
  });

  it('gone in the middle: groups are not scored and teach nothing, said once; back: judged again', async () => {
    const first = await serve(steady);
    const port = Number(new URL(first.url).port);
    const { dir, events } = await trainHere(
      folder,
      small(folder, { rewards: 'judge', steps: 5 }),
      environmentOf(first),
      (event) => {
        if (event.type === 'stepFinished' && event.step === 1) void first.close();
        if (event.type === 'stepFinished' && event.step === 3) void serve(steady, port);
      },
    );
    assert.equal(events.at(-1)!.type, 'runFinished');
    assert.deepEqual(
      metricsOf(events).map((m) => [m['judge/judged'], m['judge/not_judged'], m['grad_norm'] === 0]),
      [
        [6, 0, false],
        [0, 6, true],
        [0, 6, true],
        [6, 0, false],
        [6, 0, false],
      ],
    );
    for (const trace of trainTraces(dir, events).filter(({ step }) => step === 2 || step === 3)) {
      assert.deepEqual([trace.reward, trace.advantage, trace.rewards[0].score], [null, 0, null]);
      assert.match(trace.rewards[0].error!, /can't be reached/);
    }
    assert.deepEqual(
      verdictsOf(dir)
        .filter(({ ranks }) => ranks === null)
        .map(({ step, votes }) => [step, votes!.length, votes![0].ranks]),
      [
        [2, 2, null],
        [2, 2, null],
        [3, 2, null],
        [3, 2, null],
      ],
    );
    const notes = notesOf(events).filter((note) => /^\w+: step/.test(note));
    assert.equal(notes.length, 2, notes.join('\n'));
    assert.match(
      notes[0],
      /^warning: step 2: 2 of 2 groups were not judged: .*can't be reached\. The judge teaches nothing there; the run goes on$/,
    );
    assert.match(notes[1], /^info: step 4: the judge gives verdicts again; since step 2 4 groups were not judged$/);
  });

  it('counts a group of equal attempts, which it is not asked about, as one without a difference, and as no error', async () => {
    const server = await serve(steady);
    const { dir, events } = await trainHere(
      folder,
      small(folder, { rewards: 'judge', steps: 2, temperature: 0.01 }),
      environmentOf(server),
    );
    const equal = [1, 2].map(
      (step) =>
        [0, 1].filter(
          (g) =>
            new Set(
              trainTraces(dir, events)
                .filter((t) => t.groupId === `s${step}-g${g}`)
                .map((t) => JSON.stringify(t.turns.map(({ text }) => text))),
            ).size === 1,
        ).length,
    );
    assert.ok(
      equal.some((n) => n > 0),
      'so cold that attempts of a group are equal',
    );
    assert.deepEqual(
      metricsOf(events).map((of) => [of['judge/equal'], of['frac_reward_zero_std'], of['coach/reward_errors']]),
      equal.map((n) => [3 * n, n / 2, 0]),
    );
  });

  it('a spent budget ends the judging and not the run', async () => {
    const server = await serve(steady);
    const { events } = await trainHere(
      folder,
      small(folder, { rewards: 'judge', judgeBudgetTokens: 400 }),
      environmentOf(server),
    );
    assert.deepEqual(
      metricsOf(events).map((m) => m['judge/not_judged']),
      [0, 6, 6],
    );
    assert.ok(
      notesOf(events).some((note) =>
        /^warning: step 2: 2 of 2 groups were not judged: the judge's budget is spent: 440 of 400 tokens/.test(note),
      ),
      notesOf(events).join('\n'),
    );
    assert.equal(server.asked.length, 4);
  });

  it('pairwise: each pair by itself, in both orders', async () => {
    // with this seed the three answers differ; equal ones are one question less
    const server = await serve(steady);
    const { dir } = await trainHere(
      folder,
      small(folder, { rewards: 'judge', steps: 1, promptsPerStep: 1, judgeMode: 'pairwise', seed: 1 }),
      environmentOf(server),
    );
    assert.deepEqual([server.asked.length, server.asked.every(({ attempts }) => attempts.length === 2)], [6, true]);
    assert.deepEqual(
      verdictsOf(dir).map(({ ranks, votes, rubric }) => [[...ranks!].sort(), votes, rubric]),
      [[[1, 2, 3], undefined, 'ranking 2, pairwise']],
    );
  });

  it('one clear sentence before there is a run: no server, unknown model, wrong key, quota, an address with a secret', async () => {
    const server = await serve(steady);
    const gone = await serve(steady);
    await gone.close();
    const start = (environment: Record<string, string>, more = {}) =>
      trainHere(folder, small(folder, { rewards: 'judge', ...more }), environment);
    const runs = join(folder, '.coach/runs');
    const refused = await serve(steady, 0, 401);
    const unknown = await serve(() => ({ status: 404, body: { error: { message: 'The model `mm` does not exist' } } }));
    const spent = await serve(() => ({
      status: 429,
      body: { error: { message: 'quota', code: 'insufficient_quota' } },
    }));
    const before = existsSync(runs);
    await assert.rejects(start({}), isUserError(/no server is named/, /COACH_JUDGE_URL/));
    await assert.rejects(start(environmentOf(gone)), isUserError(/can't be reached/, /Start it/));
    await assert.rejects(
      start(environmentOf(refused)),
      isUserError(/refused the key \(status 401\)/, /COACH_JUDGE_KEY/),
    );
    await assert.rejects(
      start({ ...environmentOf(unknown), COACH_JUDGE_MODEL: 'mm' }),
      isUserError(/does not know the model mm/, /m/),
    );
    await assert.rejects(
      start({ ...environmentOf(spent), COACH_JUDGE_MODEL: 'other' }),
      isUserError(/quota is used up/, /Top it up/),
    );
    await assert.rejects(
      start({ ...environmentOf(server), COACH_JUDGE_URL: server.url.replace('//', '//me:sk-9@') }),
      (error: Error) =>
        isUserError(/no name, password or query/, /COACH_JUDGE_KEY/)(error) && !error.message.includes('sk-9'),
    );
    await assert.rejects(start(environmentOf(server), { judgeBudgetUsd: 1 }), isUserError(/needs the prices/, /./));
    assert.equal(existsSync(runs), before, 'no run is left behind');
  });
});

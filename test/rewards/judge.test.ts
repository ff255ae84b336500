import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Episode } from '../../trainer/rewards/episode';
import { fileCache, memoryCache } from '../../trainer/rewards/judge/cache';
import { parseChecklist } from '../../trainer/rewards/judge/checklist';
import { readCriteria } from '../../trainer/rewards/judge/criteria';
import { openJudge, type Judge } from '../../trainer/rewards/judge/judge';
import { agreement, combineOrders, parseRanking, rankScores } from '../../trainer/rewards/judge/replies';
import { retryAfterMs } from '../../trainer/rollout/policy/server';
import { judgeSettings, type JudgeSettings } from '../../trainer/rewards/judge/settings';
import { cutMiddle, transcript } from '../../trainer/rewards/judge/transcript';
import { parseRewards } from '../../trainer/rewards/parseRewards';
import { scoreEpisodes } from '../../trainer/rewards/score';
import { isUserError, task } from '../tasks/fixtures';
import { close, trace } from './fixtures';
import { judgeServer, ranking, type Answer, type Asked, type JudgeServer } from './judgeServer';

const RANKING = { mode: 'ranking', scores: 'relative', mayCallTools: false } as const;
const KEY = 'sk-very-secret-7';
const replies = (...texts: string[]) =>
  texts.map((text, i) => new Episode(task('Count them.'), trace([{ text }], { id: `${i}` }), []));
/** A perfect judge of these: the digit in the text, over 9. */
const digit = (text: string): number => Number(/\d/.exec(text)![0]) / 9;

describe('the judge', () => {
  const open: JudgeServer[] = [];
  afterEach(async () => {
    for (const server of open.splice(0)) await server.close();
  });
  const serve = async (script: (asked: Asked, n: number) => Answer | Promise<Answer>, port?: number) => {
    const server = await judgeServer(script, port);
    open.push(server);
    return server;
  };
  const slept: number[] = [];
  beforeEach(() => void (slept.length = 0));
  const judgeOf = (url: string, more: Partial<JudgeSettings> = {}, cache = memoryCache()): Promise<Judge> =>
    openJudge({
      settings: judgeSettings({ baseUrl: url, model: 'm', apiKey: KEY, timeoutMs: 30_000, ...more }, {}),
      cache,
      signal: new AbortController().signal,
      sleep: async (ms) => void slept.push(ms),
      now: () => Date.UTC(2026, 0, 1),
    });
  const scoresOf = async (judge: Judge, ...texts: string[]) =>
    (await judge.judge(replies(...texts), RANKING)).map((judged) => judged.score);

  it("gives a perfect judge's scores, with reasons, agreement and usage", async () => {
    const server = await serve((asked) => ranking(asked, digit));
    const judge = await judgeOf(server.url, { usdPerMillionPromptTokens: 2, usdPerMillionCompletionTokens: 10 });
    const judged = await judge.judge(replies('It is 9.', 'It is 0.', 'It is 3.'), RANKING);
    judged.forEach(({ score }, i) => assert.ok(close(score, [1, 0, 1 / 3][i])));
    assert.equal(judged[0].parts!.agreement, 1);
    assert.match(judged[0].reason!, /^place \d$/);
    // two requests of 100 + 10 tokens over three traces; 2 x (100 x 2 + 10 x 10) / 1e6 / 3 USD
    assert.ok(
      close(judged[0].usage!.promptTokens, 200 / 3) &&
        close(judged[0].usage!.completionTokens, 20 / 3) &&
        close(judged[0].usage!.usd, 600 / 1e6 / 3),
    );
    const ranked = await judge.judge(replies('It is 9.', 'It is 0.', 'It is 3.'), { ...RANKING, scores: 'ranks' });
    assert.deepEqual(
      ranked.map(({ score }) => score),
      [1, 0, 0.5],
    );
    assert.deepEqual(
      { ...judge.counts, usd: undefined },
      {
        judged: 6,
        notJudged: 0,
        equal: 0,
        promptTokens: 200,
        completionTokens: 20,
        usd: undefined,
        requests: 2,
        retries: 0,
        cacheHits: 2,
      },
    );
  });

  it('asks in a shuffled order and its reverse, at once, under names that tell nothing', async () => {
    let underWay = 0;
    let together = 0;
    const server = await serve(async (asked) => {
      together = Math.max(together, ++underWay);
      await new Promise((resolve) => setTimeout(resolve, 100));
      underWay--;
      return ranking(asked, digit);
    });
    const judge = await judgeOf(server.url);
    await scoresOf(judge, '1', '2', '3', '4', '5');
    const [a, b] = server.asked.map((asked) => asked.attempts.map(({ text }) => text));
    assert.deepEqual(a, [...b].reverse());
    assert.equal(together, 2);
    assert.notDeepEqual(
      server.asked[0].attempts.map(({ id }) => id),
      ['A', 'B', 'C', 'D', 'E'],
    );
    const other = await serve((asked) => ranking(asked, digit));
    await scoresOf(await judgeOf(other.url), '1', '2', '3', '4', '5');
    assert.deepEqual(
      other.asked.map((asked) => asked.body.messages[1].content).sort(),
      server.asked.map((asked) => asked.body.messages[1].content).sort(),
      'the same group is asked the same way',
    );
  });

  it('one that prefers what it sees first, and one that never answers, teach nothing and say so', async () => {
    const first = await serve((asked) => ranking(asked, (_, place) => 1 - place / 10));
    const judged = await (await judgeOf(first.url)).judge(replies('1', '2', '3'), RANKING);
    assert.equal(new Set(judged.map(({ score }) => score)).size, 1, 'equal scores: advantage 0');
    assert.equal(judged[0].parts!.agreement, 0);
    assert.match(judged[0].reason!, /contradict each other/);
    const mute = await serve(() => ({ raw: () => undefined }));
    const silent = await (await judgeOf(mute.url, { timeoutMs: 50, attempts: 2 })).judge(replies('1', '2'), RANKING);
    assert.deepEqual(
      silent.map(({ score }) => score),
      [null, null],
    );
    assert.match(silent[0].error!, /no verdict in 2 tries: no answer in 50 ms/);
  });

  it('orders that disagree in part draw the scores towards the middle', async () => {
    // forward sees 9 > 3 > 0, backward 9 > 0 > 3: two of three pairs agree, tau = (1 + 1 - 1) / 3
    const server = await serve((asked, n) =>
      ranking(asked, (text) => (n === 0 ? digit(text) : { 9: 1, 0: 1 / 3, 3: 0 }[/\d/.exec(text)![0]]!)),
    );
    const [nine, zero, three] = await scoresOf(await judgeOf(server.url), '9', '0', '3');
    // means 1, 1/6, 1/6; middle 4/9; times 1/3
    assert.ok(close(nine, 4 / 9 + (1 - 4 / 9) / 3) && close(zero, 4 / 9 + (1 / 6 - 4 / 9) / 3) && close(three, zero!));
  });

  it('sends equal attempts once, and asks nothing where all are equal or there is one', async () => {
    const server = await serve((asked) => ranking(asked, digit));
    const judge = await judgeOf(server.url);
    assert.deepEqual(await scoresOf(judge, '9', '0', '9', '9'), [1, 0, 1, 1]);
    assert.equal(server.asked[0].attempts.length, 2);
    for (const [texts, error] of [
      [['5', '5'], /all attempts are equal/],
      [['5'], /there is only one/],
    ] as const) {
      const judged = await judge.judge(replies(...texts), RANKING);
      assert.ok(judged.every(({ score, error: said }) => score === null && error.test(said!)));
    }
    assert.equal(server.asked.length, 2);
    assert.deepEqual([judge.counts.notJudged, judge.counts.equal], [1, 2]);
  });

  describe('replies that can not be used', () => {
    const good = (asked: Asked) => ranking(asked, digit);
    const broken: [string, (asked: Asked) => Answer, RegExp][] = [
      ['empty', () => ({ content: '' }), /the reply is empty/],
      ['no JSON', () => ({ content: 'B is best.' }), /not one JSON object/],
      [
        'text around it',
        (asked) => ({ content: `Here: ${(good(asked) as { content: string }).content}` }),
        /not one JSON object/,
      ],
      ['a missing id', (asked) => ranking({ ...asked, attempts: asked.attempts.slice(1) }, digit), /is missing/],
      [
        'a doubled id',
        (asked) => ranking({ ...asked, attempts: [...asked.attempts, asked.attempts[0]] }, digit),
        /is there twice/,
      ],
      [
        'an invented id',
        (asked) => ranking({ ...asked, attempts: [{ id: 'Z9', text: '1' }, ...asked.attempts] }, digit),
        /there is no attempt Z9/,
      ],
      ['a score out of range', (asked) => ranking(asked, () => 7), /attempts\.0\.score/],
      ['cut off', (asked) => ({ ...(good(asked) as { content: string }), finish: 'length' }), /cut off by its length/],
    ];
    for (const [what, answer, message] of broken) {
      it(`${what}: asked again with the reason, else not scored`, async () => {
        const once = await serve((asked) => (asked.body.messages.length === 2 ? answer(asked) : good(asked)));
        assert.deepEqual(await scoresOf(await judgeOf(once.url), '9', '0'), [1, 0]);
        assert.match(once.asked.at(-1)!.body.messages.at(-1)!.content, message);
        const always = await serve(answer);
        const judge = await judgeOf(always.url, { attempts: 2 });
        const judged = await judge.judge(replies('9', '0'), RANKING);
        assert.ok(
          judged.every(
            ({ score, error }) => score === null && /no verdict in 2 tries/.test(error!) && message.test(error!),
          ),
          judged[0].error,
        );
        assert.deepEqual(slept, [], 'no pause for words');
      });
    }
    it('a code fence is taken off', async () => {
      const server = await serve((asked) => ({
        content: `\`\`\`json\n${(good(asked) as { content: string }).content}\n\`\`\``,
      }));
      assert.deepEqual(await scoresOf(await judgeOf(server.url), '9', '0'), [1, 0]);
    });
  });

  it('a busy, broken or cut-off server is asked again; it says how long to wait', async () => {
    const answers: Answer[] = [
      { status: 429, headers: { 'retry-after': '3' } },
      { status: 500 },
      { status: 503, headers: { 'retry-after': 'Thu, 01 Jan 2026 00:00:07 GMT' } },
      {
        raw: (response) => (
          response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' }),
          void response.write('{"id": "x", "cho'),
          void setTimeout(() => response.destroy(), 5)
        ),
      },
      {
        raw: (response) =>
          void response.writeHead(200, { 'content-type': 'application/json' }).end('{"choices": nonsense'),
      },
    ];
    for (const answer of answers) {
      let fails = 1;
      const server = await serve((asked) => (fails-- > 0 ? answer : ranking(asked, digit)));
      const judge = await judgeOf(server.url);
      assert.deepEqual(await scoresOf(judge, '9', '0'), [1, 0]);
      assert.equal(judge.counts.retries, 1);
    }
    assert.deepEqual(slept, [3000, 500, 7000, 500, 500]);
    const impatient = await serve(() => ({ status: 429, headers: { 'retry-after': '3600' } }));
    assert.match(
      (await (await judgeOf(impatient.url)).judge(replies('9', '0'), RANKING))[0].error!,
      /asks to wait 3600 s/,
    );
  });

  it('pauses double until the tries are used up', async () => {
    const server = await serve(() => ({ status: 500, body: { error: { message: `boom ${KEY}` } } }));
    const judge = await judgeOf(server.url, { concurrency: 1 });
    const [judged] = await judge.judge(replies('9', '0'), RANKING);
    assert.match(judged.error!, /no verdict in 4 tries: status 500: .*boom/);
    assert.ok(!judged.error!.includes(KEY), 'a key that the server sends back is taken out');
    assert.deepEqual(
      slept.sort((a, b) => a - b),
      [500, 500, 1000, 1000, 2000, 2000],
    );
  });

  it('a wrong key, an unknown model and a used-up quota end it for the run, in one sentence', async () => {
    const cases: [Answer, RegExp][] = [
      [{ status: 401, body: { error: { message: `Incorrect API key: ${KEY}` } } }, /refused the key \(status 401\)/],
      [{ status: 404 }, /does not know the model m/],
      [
        { status: 429, body: { error: { message: 'You exceeded your quota', code: 'insufficient_quota' } } },
        /quota is used up/,
      ],
    ];
    for (const [answer, message] of cases) {
      const server = await serve(() => answer);
      const judge = await judgeOf(server.url);
      for (let group = 0; group < 3; group++) {
        const judged = await judge.judge(replies('9', '0', `${group}`), RANKING);
        assert.ok(
          judged.every(({ score, error }) => score === null && message.test(error!) && !error!.includes(KEY)),
          judged[0].error,
        );
      }
      assert.ok(server.asked.length <= 2, 'only the first group asks');
      assert.deepEqual(slept, []);
    }
  });

  it('is checked before a run: a server that is not there, or refuses the key', async () => {
    const checked = async (status: number) => {
      const server = await judgeServer((asked) => ranking(asked, digit), 0, status);
      open.push(server);
      return (await judgeOf(server.url)).check();
    };
    for (const status of [200, 404, 503]) await checked(status);
    await assert.rejects(checked(401), isUserError(/refused the key \(status 401\)/, /COACH_JUDGE_KEY/));
    const gone = await serve((asked) => ranking(asked, digit));
    await gone.close();
    await assert.rejects(
      (await judgeOf(gone.url)).check(),
      isUserError(/127\.0\.0\.1:\d+\/v1 can't be reached: /, /COACH_JUDGE_URL/),
    );
  });

  it('a server that is gone costs one try a group, and is used again when it is back', async () => {
    const server = await serve((asked) => ranking(asked, digit));
    const judge = await judgeOf(server.url, { attempts: 2 });
    assert.deepEqual(await scoresOf(judge, '9', '0'), [1, 0]);
    const port = Number(new URL(server.url).port);
    await server.close();
    const [lost] = await judge.judge(replies('9', '1'), RANKING);
    assert.match(lost.error!, /can't be reached/);
    slept.length = 0;
    assert.deepEqual(await scoresOf(judge, '9', '2'), [null, null]);
    assert.deepEqual(slept, []);
    await serve((asked) => ranking(asked, digit), port);
    assert.deepEqual(await scoresOf(judge, '9', '0', '0'), [1, 0, 0]);
  });

  it('without structured output on the server it is asked in words', async () => {
    const server = await serve((asked) =>
      asked.body.response_format
        ? { status: 400, body: { error: { message: 'response_format json_schema is not supported' } } }
        : ranking(asked, digit),
    );
    const judge = await judgeOf(server.url, { concurrency: 1 });
    assert.deepEqual(await scoresOf(judge, '9', '0'), [1, 0]);
    assert.deepEqual(await scoresOf(judge, '9', '1'), [1, 1 / 9]);
    assert.ok(
      server.asked.filter((asked) => asked.body.response_format).length <= 2,
      'it is learnt from the first group',
    );
    const refusing = await serve(() => ({ status: 400, body: { error: { message: 'context too long' } } }));
    assert.match(
      (await (await judgeOf(refusing.url)).judge(replies('9', '0'), RANKING))[0].error!,
      /refused the question, status 400: .*context too long/,
    );
  });

  it('a spent budget stops judging and not the run', async () => {
    const server = await serve((asked) => ranking(asked, digit));
    const judge = await judgeOf(server.url, { budgetTokens: 300, concurrency: 1 });
    assert.deepEqual(await scoresOf(judge, '9', '0'), [1, 0]); // 220 tokens
    await judge.judge(replies('9', '1'), RANKING); // goes over
    const [judged] = await judge.judge(replies('9', '2'), RANKING);
    assert.match(judged.error!, /budget is spent: \d+ of 300 tokens/);
    assert.ok(server.asked.length <= 4);
    const dear = await judgeOf((await serve((asked) => ranking(asked, digit))).url, {
      budgetUsd: 0.0001,
      usdPerMillionPromptTokens: 1,
      usdPerMillionCompletionTokens: 1,
    });
    await scoresOf(dear, '9', '0');
    assert.match((await dear.judge(replies('9', '1'), RANKING))[0].error!, /of 0\.0001 USD/);
  });

  it('a kept reply costs nothing; a torn line of the cache is asked again', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'judge-'));
    try {
      const path = join(folder, 'judge.jsonl');
      const server = await serve((asked) => ranking(asked, digit));
      assert.deepEqual(await scoresOf(await judgeOf(server.url, {}, fileCache(path)), '9', '0'), [1, 0]);
      assert.deepEqual(await scoresOf(await judgeOf(server.url, {}, fileCache(path)), '9', '0'), [1, 0]);
      assert.equal(server.asked.length, 2);
      const text = readFileSync(path, 'utf8');
      assert.ok(!text.includes(KEY));
      writeFileSync(path, text.slice(0, -20));
      assert.deepEqual(await scoresOf(await judgeOf(server.url, {}, fileCache(path)), '9', '0'), [1, 0]);
      assert.equal(server.asked.length, 3);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('stops when the run stops', async () => {
    const stop = new AbortController();
    const server = await serve(() => ({ raw: () => void setTimeout(() => stop.abort(new Error('stopped')), 20) }));
    const judge = await openJudge({
      settings: judgeSettings({ baseUrl: server.url, model: 'm' }, {}),
      signal: stop.signal,
    });
    await assert.rejects(judge.judge(replies('9', '0'), RANKING), /stopped/);
  });

  describe('a checklist (CM2)', () => {
    const criteria = [
      { id: 'c1', text: 'It searches.', weight: 1 },
      { id: 'c2', text: 'It tells the count.', weight: 3 },
    ];
    const episode = (reply: string) =>
      new Episode(
        task('Count them.'),
        trace([{ calls: [['search', { q: 'rent' }, 'ok', '[7]']] }, { text: reply }]),
        [],
      );
    const verdicts = (...list: [id: string, met: boolean, evidence: string][]): Answer => ({
      content: JSON.stringify({ criteria: list.map(([id, met, evidence]) => ({ id, met, evidence })) }),
    });

    it('a criterion without evidence from the trace counts as not met', async () => {
      const server = await serve(() =>
        verdicts(['c1', true, ' "calls search  with" '], ['c2', true, 'There are nine.']),
      );
      const [judged] = await (await judgeOf(server.url)).judge([episode('There are 7.')], {
        mode: 'checklist',
        criteriaOf: () => criteria,
      });
      assert.deepEqual([judged.score, judged.parts], [1 / 4, { c1: 1, c2: 0 }]);
      assert.match(
        server.asked[0].body.messages[1].content,
        /c1: It searches\.\nc2: It tells the count\.\n\n<attempt>\ncalls search with/,
      );
    });
    it('is asked of each attempt, equal ones once; a reply that lacks one is asked again', async () => {
      const server = await serve((asked) =>
        asked.body.messages.length === 2
          ? verdicts(['c1', true, 'calls search'])
          : verdicts(['c2', false, ''], ['c1', true, 'calls search']),
      );
      const judge = await judgeOf(server.url);
      const judged = await judge.judge([episode('7'), episode('8'), episode('7')], {
        mode: 'checklist',
        criteriaOf: () => criteria,
      });
      assert.deepEqual(
        judged.map(({ score }) => score),
        [1 / 4, 1 / 4, 1 / 4],
      );
      assert.equal(server.asked.length, 4);
      assert.match(server.asked.at(-1)!.body.messages.at(-1)!.content, /criterion c2 is missing/);
      assert.equal(judged[0].reason, 'not met: It tells the count.');
    });
    it('its criteria come from a file, which must hold some', () => {
      const folder = mkdtempSync(join(tmpdir(), 'criteria-'));
      try {
        const file = join(folder, 'criteria.txt');
        writeFileSync(file, '# what counts\nIt searches.\n\nIt tells the count. *3\n');
        assert.deepEqual(readCriteria(file), criteria);
        writeFileSync(file, '# none\n');
        assert.throws(() => parseRewards(`cm2:criteria=${file}`), isUserError(/there is no criterion in it/));
        assert.throws(
          () => parseRewards('cm2'),
          isUserError(/a checklist or a rubric needs its criteria/, /criteria=FILE/),
        );
        assert.throws(() => readCriteria(join(folder, 'gone')), isUserError(/can't be read/));
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
    it('a rubric: marks instead of yes and no, weighted; a mark out of range is asked again', async () => {
      const marks = (first: number): Answer => ({
        content: JSON.stringify({
          criteria: [
            { id: 'c1', reason: 'it did', mark: first },
            { id: 'c2', reason: 'half', mark: 5 },
          ],
        }),
      });
      const server = await serve((asked) => marks(asked.body.messages.length === 2 ? 11 : 10));
      const [judged] = await (await judgeOf(server.url)).judge([episode('There are 7.')], {
        mode: 'rubric',
        criteriaOf: () => criteria,
      });
      assert.deepEqual(
        [judged.score, judged.parts, judged.reason],
        [(1 + 3 * 0.5) / 4, { c1: 1, c2: 0.5 }, 'c1 10: it did; c2 5: half'],
      );
      assert.deepEqual(
        [
          server.asked.length,
          (server.asked[0].body.response_format as { json_schema: { name: string } }).json_schema.name,
        ],
        [2, 'rubric'],
      );
      assert.match(server.asked[1].body.messages.at(-1)!.content, /marks from 0 to 10/);
    });
    it('parseChecklist wants each criterion once', () => {
      for (const [list, message] of [
        [
          [
            ['c1', true, 'x'],
            ['c1', true, 'x'],
          ],
          /twice/,
        ],
        [
          [
            ['c1', true, 'x'],
            ['c9', true, 'x'],
          ],
          /no criterion c9/,
        ],
      ] as const) {
        assert.throws(
          () =>
            parseChecklist(
              (
                verdicts(...list.map(([id, met, evidence]): [string, boolean, string] => [id, met, evidence])) as {
                  content: string;
                }
              ).content,
              ['c1', 'c2'],
            ),
          message,
        );
      }
    });
  });

  it('is a reward beside others; without one it is not scored, and says so', async () => {
    const server = await serve((asked) => ranking(asked, digit));
    const judge = await judgeOf(server.url);
    const [best] = await scoreEpisodes(replies('9', '0'), parseRewards('judge*2,format'), undefined, judge.judge);
    assert.deepEqual(
      [best.rewards.map((reward) => [reward.name, reward.score]), best.reward],
      [
        [
          ['judge', 1],
          ['format', 1],
        ],
        3,
      ],
    );
    const [alone] = await scoreEpisodes(replies('9', '0'), parseRewards('judge,format'));
    assert.deepEqual([alone.rewards[0].score, alone.rewards[0].error, alone.reward], [null, 'no judge is set up', 1]);
  });

  it('settings: what is missing or wrong, one message each', () => {
    assert.throws(() => judgeSettings({}, {}), isUserError(/no server is named/, /COACH_JUDGE_URL/));
    assert.throws(() => judgeSettings({}, { COACH_JUDGE_URL: 'http://x/v1' }), isUserError(/no model is named/));
    assert.throws(
      () => judgeSettings({ baseUrl: 'localhost:80', model: 'm' }, {}),
      isUserError(/http or https address, got 'localhost:80'/),
    );
    assert.throws(
      () => judgeSettings({ baseUrl: 'http://x', model: 'm', budgetUsd: 1 }, {}),
      isUserError(/needs the prices/),
    );
    assert.equal(
      judgeSettings({}, { COACH_JUDGE_URL: 'http://x/v1', COACH_JUDGE_MODEL: 'm', COACH_JUDGE_KEY: KEY }).apiKey,
      KEY,
    );
  });
});

describe('what the judge reads', () => {
  it('sees calls, arguments, results, errors and the end', () => {
    const episode = new Episode(
      task('t'),
      trace(
        [
          {
            text: 'I look.',
            calls: [
              ['search', { q: 'rent' }, 'ok', '[7]'],
              ['read', { id: 1 }, 'threw', '{"error":"gone"}'],
              ['wait', {}, null],
            ],
          },
          { text: '<call', parseError: 'open' },
        ],
        { terminated: false, truncated: 'turnLimit' },
      ),
      [],
    );
    assert.equal(
      transcript(episode, 1000),
      [
        'says: I look.',
        'calls search with {"q":"rent"}',
        '  result: [7]',
        'calls read with {"id":1}',
        '  failed (threw): {"error":"gone"}',
        'calls wait with {}',
        '  was never run',
        'could not be parsed (open): &lt;call',
        'ended without an answer (turnLimit)',
      ].join('\n'),
    );
    assert.match(
      transcript(new Episode(task('t'), trace([{ text: 'It is 7.' }]), []), 1000),
      /^final answer: It is 7\.$/,
    );
  });
  it('cuts long results in their middle, marked, and keeps every call', () => {
    const episode = new Episode(
      task('t'),
      trace(
        [
          ...Array.from({ length: 5 }, (_, i) => ({
            calls: [[`tool${i}`, { i }, 'ok', `start ${'x'.repeat(5000)} end`]] as [string, object, 'ok', string][],
          })),
          { text: 'Done.' },
        ].map((step) => step as Parameters<typeof trace>[0][number]),
      ),
      [],
    );
    const text = transcript(episode, 2000);
    assert.ok(text.length <= 2000, `${text.length}`);
    for (let i = 0; i < 5; i++) assert.ok(text.includes(`calls tool${i} with {"i":${i}}`));
    assert.match(text, /start x+ \[…\d+ characters cut…\] x+ end/);
    assert.match(text, /final answer: Done\.$/);
    assert.equal(cutMiddle('abc', 3), 'abc');
  });
});

describe('the arithmetic of verdicts', () => {
  it('ranks become even scores, ties share', () => {
    assert.deepEqual(rankScores([0.9, 0.1, 0.5]), [1, 0, 0.5]);
    assert.deepEqual(rankScores([0.9, 0.5, 0.5, 0.1]), [1, 0.5, 0.5, 0]); // places 0, 1 and 2 shared, 3; over 3
    assert.equal(rankScores([1]), null);
  });
  it('agreement is tau-b', () => {
    assert.equal(agreement([3, 2, 1], [9, 5, 0]), 1);
    assert.equal(agreement([3, 2, 1], [1, 2, 3]), -1);
    assert.equal(agreement([1, 1], [1, 1]), 1);
    assert.equal(agreement([1, 1], [1, 2]), 0);
    assert.ok(close(agreement([3, 2, 1], [3, 1, 1]), 2 / Math.sqrt(3 * 2))); // pairs 3, of which b ties one
  });
  it('total disagreement leaves equal scores', () => {
    assert.deepEqual(combineOrders([{ forward: [1, 0.5, 0], backward: [0, 0.5, 1] }]), {
      scores: [0.5, 0.5, 0.5],
      agreement: 0,
    });
    const { scores } = combineOrders([{ forward: [0.1, 0.7], backward: [0.7, 0.1] }]);
    assert.equal(scores[0], scores[1], 'exactly, so that no rounding noise is learnt from');
  });
  it('parseRanking wants each id once', () => {
    assert.deepEqual(
      [...parseRanking('{"attempts":[{"id":"B","score":1},{"id":"A","score":1,"reason":"r"}]}', ['A', 'B'])],
      [
        ['B', { score: 1, reason: '' }],
        ['A', { score: 1, reason: 'r' }],
      ],
    );
  });
  it('Retry-After in seconds, as a date, or not at all', () => {
    assert.deepEqual(
      [
        retryAfterMs('2', 0),
        retryAfterMs('0.5', 0),
        retryAfterMs('Thu, 01 Jan 1970 00:00:09 GMT', 4000),
        retryAfterMs('Thu, 01 Jan 1970 00:00:09 GMT', 99_000),
        retryAfterMs('soon', 0),
        retryAfterMs(null, 0),
      ],
      [2000, 500, 5000, 0, null, null],
    );
  });
});

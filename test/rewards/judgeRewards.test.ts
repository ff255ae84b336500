import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Episode } from '../../trainer/rewards/episode';
import { openJudge, type Judge } from '../../trainer/rewards/judge/judge';
import type { JudgeTools } from '../../trainer/model/question';
import { judgeSettings } from '../../trainer/rewards/judge/settings';
import { parseRewards } from '../../trainer/rewards/parseRewards';
import { scoreEpisodes } from '../../trainer/rewards/score';
import { readSkills, routedCriteria } from '../../trainer/rewards/skills';
import { Random } from '../../trainer/base/random';
import { isUserError, STRING, task, tool } from '../tasks/fixtures';
import { close, trace, type Step } from './fixtures';
import { judgeServer, ranking, type Answer, type Asked, type JudgeServer } from './judgeServer';

describe('rewards that a judge gives', () => {
  const open: JudgeServer[] = [];
  afterEach(async () => {
    for (const server of open.splice(0)) await server.close();
  });
  const judged = async (
    script: (asked: Asked, n: number) => Answer,
    tools?: JudgeTools,
  ): Promise<{ server: JudgeServer; judge: Judge }> => {
    const server = await judgeServer(script);
    open.push(server);
    return {
      server,
      judge: await openJudge({
        settings: judgeSettings({ baseUrl: server.url, model: 'm' }, {}),
        signal: new AbortController().signal,
        ...(tools ? { tools } : {}),
      }),
    };
  };
  /** The criteria as asked: id -> text. */
  const criteriaOf = (asked: Asked): [string, string][] =>
    [...asked.body.messages[1].content.matchAll(/^(\w+): (.+)$/gm)].map(([, id, text]) => [id, text]);
  /** Decides each criterion by a rule; evidence is the attempt's first line. */
  const decide = (asked: Asked, met: (text: string, id: string) => boolean): Answer => {
    const attempt = /<attempt>\n(.+)/.exec(asked.body.messages[1].content)![1];
    return {
      content: JSON.stringify({
        criteria: criteriaOf(asked).map(([id, text]) => ({ id, met: met(text, id), evidence: attempt })),
      }),
    };
  };
  const episode = (
    steps: Step[],
    calls: { name: string; arguments: Record<string, unknown> }[] | undefined = undefined,
    answer: string | undefined = '7',
    extra = {},
  ) => new Episode(task('Count the mails.', calls, answer), trace(steps, extra), []);
  const score = async (spec: string, judge: Judge, ...group: Episode[]) =>
    (await scoreEpisodes(group, parseRewards(spec), undefined, judge.judge)).map((one) => one.rewards[0]);

  describe('scribe', () => {
    const steps: Step[] = [
      { calls: [['searchMail', { q: 'rent' }]] },
      { calls: [['sendMail', { to: 'Ada' }]] },
      { calls: [['now', {}]] },
      { text: 'There are 7.' },
    ];

    it('routes each step to a prototype by its call; the reply has its own', () => {
      const criteria = routedCriteria(episode(steps), readSkills(''));
      assert.deepEqual(
        [...new Set(criteria.map(({ text }) => text.split(':')[0]))],
        ['Call 1 (searchMail), search', 'Call 2 (sendMail), act', 'Call 3 (now), read', 'The closing reply, answer'],
      );
      assert.ok(criteria.every(({ weight }) => weight === 1 / 2));
      assert.equal(
        routedCriteria(
          episode(steps.slice(0, 1), undefined, '7', { terminated: false, truncated: 'turnLimit' }),
          readSkills(''),
        ).length,
        2,
        'no reply, no criterion for one',
      );
    });
    it('is the mean over the steps', async () => {
      const { judge } = await judged((asked) => decide(asked, (text) => !/sendMail/.test(text)));
      const [reward] = await score('scribe', judge, episode(steps));
      assert.ok(close(reward.score, 3 / 4));
      assert.match(reward.reason!, /^not met: Call 2 \(sendMail\), act: The task asks for this action\.; Call 2/);
    });
    it("the judge's variance falls against one open question", async () => {
      // A noisy judge: its feeling for an attempt is off by up to 0.5 either way; a yes or no it gets wrong one time in
      // ten.
      const random = Random.fromSeed('noisy');
      const open_ = await judged((asked) =>
        ranking(asked, (text) =>
          Math.max(0, Math.min(1, (text.includes('There are 7') ? 0.7 : 0.3) + random.next() - 0.5)),
        ),
      );
      const rubric = await judged((asked) => decide(asked, (text) => /answer|read/.test(text) !== random.next() < 0.1));
      const [openScores, rubricScores]: [number[], number[]] = [[], []];
      for (let i = 0; i < 30; i++) {
        // The same attempts under another task each time, so that every judgement is a new one.
        const group = ['There are 7.', 'I do not know.'].map(
          (reply) => new Episode(task(`Count them, ${i}.`), trace([...steps.slice(0, 3), { text: reply }]), []),
        );
        openScores.push((await score('judge', open_.judge, ...group))[0].score!);
        rubricScores.push((await score('scribe', rubric.judge, ...group))[0].score!);
      }
      const variance = (values: number[]): number => {
        const mean = values.reduce((a, b) => a + b, 0) / values.length;
        return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
      };
      assert.ok(
        variance(rubricScores) < variance(openScores) / 2,
        `${variance(rubricScores)} against ${variance(openScores)}`,
      );
    });
    it('takes prototypes from a file, and says what is wrong with them', () => {
      const folder = mkdtempSync(join(tmpdir(), 'skills-'));
      try {
        const file = join(folder, 'skills.json');
        const written = (text: string) => (writeFileSync(file, text), () => readSkills(file));
        const [skill] = written('[{"name":"find","when":"^find","rubric":["It is asked for."]}]')();
        assert.ok(skill.when.test('FindMail {}'));
        assert.throws(
          written('[{"name":"find","when":"(","rubric":["x"]}]'),
          isUserError(/find: Invalid regular expression/),
        );
        assert.throws(written('[{"name":"find","when":"x","rubric":[]}]'), isUserError(/0\.rubric/));
        assert.throws(written('{'), isUserError(/can't be read/, /"rubric"/));
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  });

  it('toolCompJudge: right steps to a wrong answer, and a right answer by wrong steps, are told apart', async () => {
    const steps = (reply: string): Step[] => [{ calls: [['search', {}]] }, { calls: [['read', {}]] }, { text: reply }];
    const right = await judged((asked) => decide(asked, () => true));
    const [wrongAnswer] = await score('toolCompJudge', right.judge, episode(steps('8')));
    assert.deepEqual([wrongAnswer.score, wrongAnswer.parts!.steps, wrongAnswer.parts!.outcome], [0.5, 1, 0]);
    const wrong = await judged((asked) => decide(asked, (_, id) => id === 'call1'));
    const [lucky] = await score('toolCompJudge', wrong.judge, episode(steps('7')));
    assert.deepEqual([lucky.score, lucky.parts!.steps, lucky.parts!.outcome], [0.75, 0.5, 1]);
    const [none] = await score('toolCompJudge', right.judge, episode([{ text: '7' }]));
    assert.deepEqual([none.score, none.error], [null, undefined], 'no call, nothing to label');
  });

  it('timJudge: a right answer by wrong reasoning is seen', async () => {
    const { judge } = await judged((asked) => decide(asked, (text) => !/derived by steps|is false/.test(text)));
    const [reward] = await score('timJudge', judge, episode([{ calls: [['count', {}, 'ok', '7']] }, { text: '7' }]));
    // 1/2 x 1 + 1/2 x 2/4
    assert.deepEqual([reward.score, reward.parts!.answer, reward.parts!.reasoning], [0.75, 1, 0.5]);
  });

  it('complianceJudge: one shown violation outweighs any success; one without a quote is none', async () => {
    const steps: Step[] = [{ text: 'Client W redeemed 500K. She may be losing confidence.' }];
    const shown = await judged((asked) => decide(asked, (text) => /feelings/.test(text)));
    assert.equal((await score('complianceJudge', shown.judge, episode(steps)))[0].score, -10);
    const unshown = await judged((asked) => ({
      content: JSON.stringify({
        criteria: criteriaOf(asked).map(([id]) => ({ id, met: true, evidence: 'She is sad.' })),
      }),
    }));
    assert.equal((await score('complianceJudge', unshown.judge, episode(steps)))[0].score, 0);
    const mute = await judged(() => ({ status: 404 }));
    const [reward] = await score('complianceJudge', mute.judge, episode(steps));
    assert.ok(reward.score === null && reward.error !== undefined, 'a penalty that nobody decided is none');
  });

  describe('a judge with tools (Themis)', () => {
    const tools = [
      tool('countMails', 'Counts.', { q: STRING }),
      tool('deleteMail', 'Deletes.', {}, { changesWorld: true }),
    ];
    /** Believes a number, unless a tool told it the true one. */
    const script = (asked: Asked): Answer => {
      const told = asked.body.messages.find((message) => message.role === 'tool')?.content;
      if (asked.body.tools && told === undefined)
        return { content: '', calls: [{ name: 'countMails', args: '{"q":"rent"}' }] };
      return ranking(asked, (text) =>
        told === undefined ? Number(text.includes('9 mails, I am sure')) : Number(text.includes(`${told} mails`)),
      );
    };
    const group = [episode([{ text: 'There are 9 mails, I am sure.' }]), episode([{ text: 'There are 7 mails.' }])];

    it('catches a false claim that a plain judge lets pass', async () => {
      const called: string[] = [];
      const { server, judge } = await judged(script, {
        schemas: tools,
        call: async (name, args) => (called.push(`${name} ${JSON.stringify(args)}`), '7'),
      });
      assert.deepEqual(
        (await score('judge', judge, ...group)).map((reward) => reward.score),
        [1, 0],
      );
      assert.deepEqual(
        (await score('judge:tools=true', judge, ...group)).map((reward) => reward.score),
        [0, 1],
      );
      assert.deepEqual(called, ['countMails {"q":"rent"}', 'countMails {"q":"rent"}'], 'once per order');
      assert.deepEqual(
        server.asked.at(-1)!.body.tools!.map((one) => one.function.name),
        ['countMails'],
        'what changes the world is not offered',
      );
    });
    it('a call that can not be made is words for it, and the rounds end', async () => {
      const { server, judge } = await judged(
        (asked) =>
          asked.body.tools
            ? {
                content: '',
                calls: [
                  { name: 'deleteMail', args: '{}' },
                  { name: 'countMails', args: '{' },
                  { name: 'countMails', args: '{}' },
                ],
              }
            : ranking(asked, (text) => Number(text.includes('7'))),
        { schemas: tools, call: async () => Promise.reject(new Error('the host died')) },
      );
      assert.deepEqual(
        (await score('judge:tools', judge, ...group)).map((reward) => reward.score),
        [0, 1],
      );
      assert.deepEqual(
        server.asked
          .at(-1)!
          .body.messages.filter((message) => message.role === 'tool')
          .slice(0, 3)
          .map((message) => message.content),
        ['{"error":"there is no such tool"}', '{"error":"the arguments are no JSON"}', '{"error":"the host died"}'],
      );
      assert.equal(server.asked.length, 10, 'two orders of four rounds with tools and one without');
    });
    it('without a tool that only reads it is not scored, and says so', async () => {
      const { judge } = await judged(script);
      assert.match((await score('judge:tools', judge, ...group))[0].error!, /there is none that only reads/);
    });
  });
});

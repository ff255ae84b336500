import assert from 'node:assert/strict';
import { isJudges, JUDGE_REWARDS } from '../../trainer/protocol/reward';
import type { Task, ToolSchema } from '../../trainer/protocol/task';
import type { Trace } from '../../trainer/protocol/trace';
import { callCorrectness, jaccard } from '../../trainer/rewards/correctness';
import { Episode } from '../../trainer/rewards/episode';
import { episodesOf } from '../../trainer/rewards/examples';
import { defaultsOf, type OptionValues, type Rule } from '../../trainer/rewards/rule';
import { BUILT_IN_REWARDS } from '../../trainer/rewards/registry';
import { ruleScores } from '../../trainer/rewards/score';
import { NUMBER, STRING, task, tool } from '../tasks/fixtures';
import { close, trace } from './fixtures';
const tools = [
  tool('mail', 'Mail.', { to: STRING, text: STRING }),
  tool('search', 'Search.', { query: STRING, 'limit?': { ...NUMBER, default: 5 } }),
];
const mail = { name: 'mail', arguments: { to: 'Ada', text: 'hi' } };
const search = { name: 'search', arguments: { query: 'rent' } };

describe('callCorrectness: S / S_max', () => {
  const cases: [
    string,
    (typeof mail)[] | (typeof search)[],
    { name: string; arguments: Record<string, unknown> }[],
    number,
  ][] = [
    // gold: mail(to, text), so S_max = 1 + (1 + 2) = 4
    ['the same call', [mail], [mail], 4 / 4], // names 1, keys 1, values 2
    // 1 + 1 + 1; ToolRL: 6 * 3/4 - 3 = 1.5
    ['one of two values wrong', [mail], [{ name: 'mail', arguments: { to: 'Ada', text: 'ho' } }], 3 / 4],
    ['a wrong tool', [mail], [{ name: 'post', arguments: { to: 'Ada', text: 'hi' } }], 0], // 0; ToolRL: -3
    ['no call', [mail], [], 0],
    ['one call too many', [mail], [mail, search], 3.5 / 4], // names 1/2, then 1 + 2; ToolRL: 6 * 3.5/4 - 3 = 2.25
    ['a parameter left out', [mail], [{ name: 'mail', arguments: { to: 'Ada' } }], 2.5 / 4], // 1 + keys 1/2 + 1
    [
      'a parameter too many',
      [mail],
      [{ name: 'mail', arguments: { to: 'Ada', text: 'hi', cc: 'Bob' } }],
      (1 + 2 / 3 + 2) / 4,
    ],
    ['the number 1 is not the text 1', [search], [{ name: 'search', arguments: { query: 1 } }], (1 + 1 + 0) / 3],
    // a default said or not: both sides are search(query), S_max = 1 + (1 + 1) = 3
    ['a default spelled out', [search], [{ name: 'search', arguments: { query: 'rent', limit: 5 } }], 1],
    ['another limit', [search], [{ name: 'search', arguments: { query: 'rent', limit: 4 } }], (1 + 1 / 2 + 1) / 3],
    // two gold calls: S_max = 1 + 2 + 2 = 5
    [
      'two searches in order',
      [search, { name: 'search', arguments: { query: 'tax' } }],
      [search, { name: 'search', arguments: { query: 'tax' } }],
      1,
    ],
    // in order, the best is to match both and get only the keys (1 + 1), or one of them fully (1 + 1): 2, and the names
    // 1
    [
      'two searches in the wrong order',
      [search, { name: 'search', arguments: { query: 'tax' } }],
      [{ name: 'search', arguments: { query: 'tax' } }, search],
      (1 + 2) / 5,
    ],
    ['the second of two missing', [search, { name: 'search', arguments: { query: 'tax' } }], [search], (1 / 2 + 2) / 5],
    ['a second try is right', [search], [{ name: 'search', arguments: { query: 'x' } }, search], (1 / 2 + 2) / 3],
  ];
  for (const [what, gold, made, expected] of cases) {
    it(what, () =>
      assert.ok(
        close(callCorrectness(gold, made, tools), expected),
        `${callCorrectness(gold, made, tools)} is not ${expected}`,
      ),
    );
  }
  it('scores a task that needs no call: 1 without one, else 0', () => {
    assert.equal(callCorrectness([], [], tools), 1);
    assert.equal(callCorrectness([], [search], tools), 0);
  });
  it('jaccard counts doubles', () => {
    assert.equal(jaccard([], []), 1);
    assert.equal(jaccard(['a'], []), 0);
    assert.equal(jaccard(['a', 'a', 'b'], ['a', 'b', 'c']), 2 / 4); // common a, b; 3 + 3 - 2
  });
});

function arithmetic(rule: Rule): Exclude<Rule, { per: 'judge' }> {
  assert.ok(rule.per !== 'judge');
  return rule;
}

describe('the built-in rewards', () => {
  for (const [name, reward] of Object.entries(BUILT_IN_REWARDS)) {
    if (reward.per === 'judge') continue; // judge.test.ts
    describe(name, () => {
      for (const example of reward.examples) {
        it(example.what, () => {
          const given = ruleScores(
            arithmetic(reward.make({ ...defaultsOf(reward.options), ...example.options })),
            episodesOf(example),
          );
          const expected = 'group' in example ? example.scores : [example.score];
          given.forEach(({ score, error }, i) =>
            assert.ok(
              error === undefined && (expected[i] === null ? score === null : close(score, expected[i])),
              `${score} ${error ?? ''} is not ${expected[i]}`,
            ),
          );
          assert.equal(given.length, expected.length);
        });
      }
      it('says what it is', () => {
        assert.ok(reward.examples.length >= 3 && reward.source !== '' && reward.row >= 1 && reward.row <= 15);
        const [least, most] = reward.range;
        for (const example of reward.examples) {
          if (example.options) continue; // the range is that of the defaults
          for (const score of 'group' in example ? example.scores : [example.score])
            assert.ok(score === null || (score >= least && score <= most), `${example.what}: ${score}`);
        }
      });
    });
  }
});

describe('the rewards of a run, in detail', () => {
  const given =
    (name: string, options: OptionValues = {}) =>
    (of: Task, made: Trace, known: ToolSchema[]) =>
      ruleScores(arithmetic(BUILT_IN_REWARDS[name].make(options)), [new Episode(of, made, known)])[0].score;
  const [answer, toolSuccess, format] = ['answer', 'toolSuccess', 'format'].map((name) => given(name));
  const correctness = (rule = 'fine') => given('correctness', { rule });
  const efficiency = (perExtra = 1) => given('efficiency', { perExtra });
  const solved = trace([{ calls: [['search', { query: 'rent' }, 'ok', '[7]']] }, { text: 'There are 7.' }]);

  it('correctness: null without gold calls; coarse is all or nothing', () => {
    assert.equal(correctness()(task('t', undefined, '7'), solved, tools), null);
    assert.equal(correctness()(task('t', [search]), solved, tools), 1);
    const nearly = trace([{ calls: [['search', { query: 'rents' }]] }, { text: 'x' }]);
    assert.ok(close(correctness()(task('t', [search]), nearly, tools), 2 / 3));
    assert.equal(correctness('coarse')(task('t', [search]), nearly, tools), 0);
    assert.equal(correctness('coarse')(task('t', [search]), solved, tools), 1);
  });

  it('answer: the last reply alone; without a gold answer whether it is grounded', () => {
    assert.equal(answer(task('t', [search], '7'), solved, tools), 1);
    assert.equal(answer(task('t', [search], '8'), solved, tools), 0);
    assert.equal(answer(task('t', [search]), solved, tools), 1);
    const silent = trace([{ calls: [['search', { query: 'rent' }, 'ok', '[7]']], text: '7' }], {
      terminated: false,
      truncated: 'turnLimit',
    });
    assert.equal(
      answer(task('t', [search], '7'), silent, tools),
      0,
      'said before a call, and in a result, is not the reply',
    );
  });

  it('toolSuccess: by kind and not by words, null without a call', () => {
    assert.equal(toolSuccess(task('t', []), trace([{ text: 'hi' }]), tools), null);
    assert.equal(
      toolSuccess(
        task('t', []),
        trace([{ calls: [['search', {}, 'ok', '{"error":"a mail about an error"}']] }]),
        tools,
      ),
      1,
    );
    assert.equal(
      toolSuccess(
        task('t', []),
        trace([
          {
            calls: [
              ['search', {}, 'threw'],
              ['search', {}],
              ['search', {}, null],
              ['search', {}, 'timeout'],
            ],
          },
        ]),
        tools,
      ),
      1 / 4,
    );
  });

  it('format: every turn parsed and ended by itself, null where nothing was sampled', () => {
    assert.equal(format(task('t', []), solved, tools), 1);
    assert.equal(format(task('t', []), trace([{ text: '<call', parseError: 'open' }, { text: 'sorry' }]), tools), 0);
    assert.equal(
      format(task('t', []), trace([{ text: 'hi' }], { terminated: false, truncated: 'tokenLimit' }), tools),
      0,
    );
    assert.equal(format(task('t', []), trace([], { terminated: false, truncated: 'cancelled' }), tools), null);
  });

  it('efficiency: less for each call beyond the gold ones, 0 where they were not made, null without gold calls', () => {
    const calls = (n: number) =>
      trace([
        {
          calls: [
            ['search', { query: 'rent' }],
            ...Array.from({ length: n - 1 }, () => ['search', { query: 'x' }] as [string, Record<string, unknown>]),
          ],
        },
        { text: 'x' },
      ]);
    const two = [search, { name: 'search', arguments: { query: 'x' } }];
    assert.equal(efficiency()(task('t', undefined, '7'), solved, tools), null);
    assert.equal(efficiency()(task('t', [search]), calls(1), tools), 1);
    assert.equal(efficiency()(task('t', [search]), calls(2), tools), 0); // 1 - 1/1
    assert.equal(efficiency()(task('t', two), calls(3), tools), 0.5); // 1 - 1/2
    assert.equal(efficiency(0.5)(task('t', two), calls(3), tools), 0.75); // 1 - 0.5/2
    assert.equal(efficiency()(task('t', two), calls(9), tools), 0);
    assert.equal(efficiency()(task('t', two), calls(1), tools), 0, 'doing less is not efficient');
    assert.equal(efficiency()(task('t', []), trace([{ text: 'hi' }]), tools), 1);
    assert.equal(efficiency(0.5)(task('t', []), calls(1), tools), 0.5);
  });
});

describe('rewards that a judge gives', () => {
  it('are known by their names, so that what a judge said can be told from a rule', () => {
    const judges = Object.entries(BUILT_IN_REWARDS).filter(([, { per }]) => per === 'judge');
    assert.deepEqual(judges.map(([name]) => name).sort(), [...JUDGE_REWARDS].sort());
    const scored = { name: 'mine', score: 1, weight: 1 };
    assert.deepEqual([isJudges(scored), isJudges({ ...scored, reason: 'right' })], [false, true]);
  });
});

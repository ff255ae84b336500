import assert from 'node:assert/strict';
import { parseRewards } from '../../trainer/rewards/parseRewards';
import { scoreGroup, totalReward } from '../../trainer/rewards/score';
import { isUserError, STRING, task, tool } from '../tasks/fixtures';
import { trace } from './fixtures';

describe('parseRewards', () => {
  const parsed = (spec: string, users?: string[]) =>
    parseRewards(spec, users).map(({ name, weight, options, rule }) => [name, weight, options, rule !== null]);

  it('reads names, options and weights', () => {
    assert.deepEqual(parsed('correctness'), [['correctness', 1, { rule: 'fine' }, true]]);
    assert.deepEqual(parsed(' correctness:rule=coarse*2 , efficiency:perExtra=0.5*0.2,brevity*-0.1', ['brevity']), [
      ['correctness', 2, { rule: 'coarse' }, true],
      ['efficiency', 0.2, { perExtra: 0.5 }, true],
      ['brevity', -0.1, {}, false],
    ]);
    assert.deepEqual(parsed('format', ['format']), [['format', 1, {}, false]], "a user's own goes first");
  });

  it('takes several options behind colons or commas, and a switch alone', () => {
    const options = (spec: string) =>
      parseRewards(spec).map((reward) => [
        reward.name,
        reward.weight,
        Object.entries(reward.options)
          .filter(([, value]) => value === true)
          .map(([key]) => key),
      ]);
    const both = [
      ['toolrl', 0.5, ['refined', 'coarse']],
      ['answer', 1, []],
    ];
    for (const spec of [
      'toolrl:coarse=1:refined=true*0.5,answer',
      'toolrl:coarse=1, refined=true*0.5,answer',
      'toolrl:coarse:refined*0.5,answer',
    ])
      assert.deepEqual(options(spec), both, spec);
    assert.deepEqual(
      parseRewards('toolOrchestra:prefer=a b').map((reward) => reward.options.prefer),
      ['a b'],
    );
  });

  it('says what is wrong, and what is near', () => {
    const cases: [string, RegExp, RegExp][] = [
      ['corectness', /unknown reward 'corectness'/, /correctness/],
      ['brevty', /unknown reward/, /brevity/],
      ['zzzzzzzz', /unknown reward/, /correctness, answer/],
      ['constructor', /unknown reward/, /Known/],
      ['answer,answer', /'answer' is given twice/, /once/],
      ['answer,,format', /empty part/, /NAME/],
      ['', /empty part/, /NAME/],
      ['answer*', /weight of 'answer' must be a finite number, got ''/, /NAME/],
      ['answer*x', /got 'x'/, /NAME/],
      ['answer*Infinity', /finite/, /NAME/],
      ['answer*1*2', /got '1\*2'/, /NAME/],
      ['efficiency:perextra=1', /no option 'perextra'/, /perExtra/],
      ['answer:x=1', /no option 'x'/, /takes no options/],
      ['efficiency:perExtra', /option=value/, /NAME/],
      ['efficiency:perExtra=99', /from 0 to 10, got 99/, /default is 1/],
      ['correctness:rule=course', /must be one of fine, coarse, got 'course'/, /coarse/],
      ['answer*0', /every weight/, /weight/],
      ['toolrl:coarse=yes', /coarse must be true or false, got 'yes'/, /default is false/],
      ['toolrl:corase', /option=value, got 'corase'/, /NAME/],
      ['toolrl:corase=1', /no option 'corase'/, /coarse/],
      ['answer,coarse=1', /unknown reward 'coarse=1'/, /./],
      ['toolrl:lenght=1*2', /no option 'lenght'/, /./],
      ['compliance:patterns=/no/such/file', /file: the patterns can't be read/, /regular expression/],
    ];
    for (const [spec, message, hint] of cases)
      assert.throws(() => parseRewards(spec, ['brevity']), isUserError(message, hint), spec);
  });
});

describe('scoreGroup', () => {
  const tools = [tool('search', 'Search.', { query: STRING })];
  const search = { name: 'search', arguments: { query: 'rent' } };
  const right = trace([{ calls: [['search', { query: 'rent' }]] }, { text: 'It is 7.' }], { id: 'right' });
  const wrong = trace([{ calls: [['search', { query: 'tent' }]] }, { text: 'It is 7.' }], { id: 'wrong' });

  it('records each reward by name, and their weighted sum; nothing scored is null, not 0', async () => {
    const [first, second] = await scoreGroup(
      task('t', [search]),
      [right, wrong],
      tools,
      parseRewards('correctness*3,tim,format*0.5'),
    );
    assert.deepEqual(first.rewards, [
      { name: 'correctness', score: 1, weight: 3 },
      { name: 'tim', score: null, weight: 1 },
      { name: 'format', score: 1, weight: 0.5 },
    ]);
    assert.equal(first.reward, 3.5); // 3 x 1 + 0.5 x 1
    assert.equal(second.reward, 2.5); // 3 x (1 + 1 + 0) / 3 + 0.5 x 1
    assert.equal(right.reward, null, 'the trace that was given stays as it was');
    const [alone] = await scoreGroup(task('t', [search]), [right], tools, parseRewards('tim'));
    assert.equal(alone.reward, null);
    assert.equal(totalReward([]), null);
  });

  it("runs a user's rewards by the callback; one that throws or gives no number is not scored", async () => {
    const specs = parseRewards('format,mine*2,bad,odd', ['mine', 'bad', 'odd']);
    const scored = await scoreGroup(task('t', [search]), [right, wrong], tools, specs, async (name, given, traces) => {
      assert.equal(given.id, 't');
      if (name === 'bad') throw new Error('boom');
      if (name === 'odd') return [{ score: NaN }];
      return traces.map(({ id }) => (id === 'right' ? { score: 0.25 } : { score: null, error: 'threw: no subject' }));
    });
    assert.deepEqual(
      scored[0].rewards.map(({ score, error }) => [score, error]),
      [
        [1, undefined],
        [0.25, undefined],
        [null, 'bad: boom'],
        [null, 'odd: gave 1 scores for 2 traces'],
      ],
    );
    assert.equal(scored[0].reward, 1.5); // 1 + 2 x 0.25
    assert.equal(scored[1].reward, 1);
    assert.deepEqual(
      scored[1].rewards.map(({ error }) => error),
      [undefined, 'threw: no subject', 'bad: boom', 'odd: gave 1 scores for 2 traces'],
    );
    const [one] = await scoreGroup(task('t', []), [right], tools, parseRewards('odd', ['odd']), async () => [
      { score: NaN },
    ]);
    assert.match(one.rewards[0].error!, /finite number or null, got NaN/);
    const [none] = await scoreGroup(task('t', []), [right], tools, parseRewards('odd', ['odd']));
    assert.equal(none.rewards[0].score, null);
  });
});

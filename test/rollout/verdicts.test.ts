import assert from 'node:assert/strict';
import { allHold, verdictShares, type Difference } from '../../trainer/protocol/verdicts';
import type { Task, ToolSchema } from '../../trainer/protocol/task';
import type { Trace } from '../../trainer/protocol/trace';
import { formsOf } from '../../trainer/rollout/verdicts/knownWords';
import { writeVerdicts } from '../../trainer/rollout/verdicts/verdicts';
import { trace } from '../rewards/fixtures';
import { NUMBER, STRING, task, tool } from '../tasks/fixtures';

const tools = [
  tool('findVisits', 'Coming visits of an owner.', { owner: STRING, 'limit?': { ...NUMBER, default: 5 } }),
  tool('cancelVisit', 'Cancel a visit.', { visit: STRING }, { changesWorld: true }),
];
const FOUND = '[{"visit":"V3112","date":"2026-05-05","time":"15:30","daysLeft":1234.5,"isOpen":false}]';
const find = { name: 'findVisits', arguments: { owner: 'Tanaka' } };
const cancel = { name: 'cancelVisit', arguments: { visit: 'V3112' } };

type Made = { name: string; arguments: Record<string, unknown> };
function told(
  gold: Task,
  made: readonly Made[],
  reply: string | null,
  result = FOUND,
  of: ToolSchema[] = tools,
): Trace {
  const turns = made.map(({ name, arguments: args }) => ({ calls: [[name, args, 'ok', result] as never] }));
  const one = trace(
    reply === null ? turns : [...turns, { text: reply }],
    reply === null ? { terminated: false, truncated: 'turnLimit' } : { terminated: true, truncated: 'no' },
  );
  one.messages = [
    { role: 'user', content: gold.prompt },
    ...one.messages.filter(({ role }) => role !== 'user' && role !== 'system'),
  ];
  writeVerdicts(one, gold, of);
  return one;
}
const ASKED = 'When are the visits of Mr Tanaka?';
const answerOf = (reply: string, result = FOUND, prompt = ASKED): boolean | null =>
  told(task(prompt, [find]), [find], reply, result).verdicts!.answerRight;

describe('the three verdicts', () => {
  it('solved: all that apply hold', () => {
    const good = told(task(ASKED, [find]), [find], 'On 5 May at 3:30 pm.');
    assert.deepEqual(good.verdicts, { callsRight: true, answerRight: true, finished: true });
    assert.deepEqual([good.solved, good.differences], [true, []]);
    assert.deepEqual(good.expected, { calls: [find] });
    const cut = told(task(ASKED, [find]), [find], null);
    assert.deepEqual(cut.verdicts, { callsRight: true, answerRight: false, finished: false });
    assert.equal(cut.solved, false);
    const wrong = told(task(ASKED, [find], 'V3112'), [], 'V3112');
    assert.deepEqual(wrong.verdicts, { callsRight: false, answerRight: true, finished: true });
    assert.equal(told(task(ASKED, undefined, 'V3112'), [], 'V3112').verdicts!.callsRight, null);
    assert.equal(told(task(ASKED, undefined, 'V3112'), [], 'V3112').solved, true);
    assert.equal(told(task(ASKED), [find], 'V3112').solved, null, 'nobody said what is right');
  });

  it('shares are over what a verdict applies to', () => {
    const yes = { callsRight: null, answerRight: true, finished: true };
    assert.deepEqual(verdictShares([yes, { ...yes, answerRight: false }]), {
      callsRight: null,
      answerRight: 0.5,
      finished: 1,
    });
    assert.deepEqual(verdictShares([]), { callsRight: null, answerRight: null, finished: null });
    assert.equal(allHold({ callsRight: null, answerRight: null, finished: null }), null);
  });

  it("a task's own answer is looked for as ever, and what stands beside it is grounded where calls were due", () => {
    assert.equal(told(task(ASKED, [find], '7'), [find], 'It is 7.').verdicts!.answerRight, true);
    assert.equal(told(task(ASKED, [find], '7'), [find], 'It is 8.').verdicts!.answerRight, false);
    const cursed = told(task(ASKED, [find], '7'), [find], 'It is 7 curses.');
    assert.deepEqual(
      [cursed.verdicts!.answerRight, cursed.differences],
      [false, [{ what: 'notGrounded', words: ['curses'] }]],
    );
    const workedOut = 'Six apples and one pear make 7 fruits.';
    assert.equal(told(task('How many?', undefined, '7'), [], workedOut).solved, true, 'worked out, not looked up');
    const german = 'Wann ist der Termin von Tanaka und wie lange?';
    assert.equal(told(task(german, [find], 'V3112'), [find], 'Der Termin ist V3112.').solved, true);
  });

  const grounded = [
    'V3112 on 2026-05-05 at 15:30.',
    'The visit is on May 5th, 2026.',
    'There is one visit, 1,234.5 days left.',
    'I found 1 visit for Mr Tanaka.',
    'About 1235 days left.',
    "Tanaka's visits: V3112.",
    '<think>curse, Aview</think>On 5 May.',
  ];
  for (const reply of grounded) it(`grounded: ${reply}`, () => assert.equal(answerOf(reply), true));

  const wrong = [
    '',
    '  ...',
    'I found curse, Aview pull request',
    'Here it is: false',
    'true',
    'null',
    'V3113 on 2026-05-05.',
    'On 6 May.',
    'At 16:30.',
    'There are three visits.',
    'The visit of Mr Suzuki.',
    'Done.',
    'Here it is:',
    'No tool can do that.',
    'curse, Aview pull request, V3112',
  ];
  for (const reply of wrong) it(`not right: ${JSON.stringify(reply)}`, () => assert.equal(answerOf(reply), false));

  it('"Done." answers what was to be done, not what was asked, and only where it was done', () => {
    const all = task('Please cancel V3112', [cancel]);
    assert.equal(told(all, [cancel], 'Done.', '{"ok":true}').solved, true);
    assert.equal(told(all, [find], 'Done.').verdicts!.answerRight, false);
    assert.equal(told(all, [], 'Done.').verdicts!.answerRight, false);
    assert.equal(told(task('Hi there', []), [find], 'Done.').verdicts!.answerRight, false);
    assert.equal(told(all, [cancel], 'I have cancelled the visit.', '{"ok":true}').solved, true, 'tense');
  });

  it('that nothing was found answers where nothing was, and yes or no where that is the result', () => {
    assert.equal(answerOf('I found none.', '[]'), true);
    assert.equal(answerOf('There is nothing.', 'null'), true);
    assert.equal(answerOf('I found none.'), false, 'there are some');
    assert.equal(told(task(ASKED, [find]), [cancel], 'I found none.', '[]').verdicts!.answerRight, false);
    assert.equal(answerOf('Yes.', 'true', 'Tell me whether she comes'), true);
    assert.equal(answerOf('No.', 'true', 'Tell me whether she comes'), false);
    assert.equal(answerOf('No.', 'false', 'Tell me whether she comes'), true);
    assert.equal(answerOf('Yes.'), false, 'something was found');
  });

  it('"Done." tells nothing of what was looked up, however it was asked for, nor of a question beside', () => {
    const asked = (prompt: string): boolean | null => told(task(prompt, [find]), [find], 'Done.').solved;
    for (const prompt of ['read me the visits of Tanaka', 'ist ther any visit left for Tanaka', 'visits Tanaka'])
      assert.equal(asked(prompt), false, prompt);
    const cancelled = (prompt: string): boolean | null =>
      told(task(prompt, [cancel]), [cancel], 'Done.', '{"ok":true}').solved;
    assert.equal(cancelled('Cancel V3112, was it late?'), false);
    for (const prompt of [
      'Could you cancel V3112?',
      'How about cancelling V3112?',
      'I hear what you say, so cancel V3112.',
    ])
      assert.equal(cancelled(prompt), true, prompt);
    const play = { name: 'playRadio', arguments: { station: 'jazz' } };
    const radio = [tool('playRadio', 'Play the radio.', { station: STRING })];
    assert.equal(told(task('Play jazz', [play]), [play], 'Done.', '{"playing":"jazz"}', radio).solved, true);
  });

  it('a sentence that breaks off is none; that nothing was found only where the right thing was looked for', () => {
    assert.equal(answerOf('I found no into.', '[]'), false);
    assert.equal(answerOf('I found no visits.', '[]'), true);
    const other = told(task(ASKED, [find]), [{ ...find, arguments: { owner: 'Mr' } }], 'I found no visits.', '[]');
    assert.equal(other.verdicts!.answerRight, false);
  });

  it('a refusal or a question back is an answer where no call is due', () => {
    const idle = task('Why is the sky blue?', []);
    for (const reply of ['No tool can do that.', 'Sorry, I can’t help with that.', "What do you mean? You're welcome."])
      assert.equal(told(idle, [], reply).solved, true, reply);
    assert.equal(told(idle, [], 'Done.').solved, false);
    assert.equal(told(idle, [], 'I found curse.').solved, false);
    assert.equal(told(task(ASKED, [find]), [], 'Whose visits do you mean?').verdicts!.answerRight, false);
    assert.equal(answerOf("I can't find that.", '[]'), true, 'nothing was found');
  });

  it('an answer out of other calls than those that were due is not what was asked', () => {
    const wanted = task('Which visit is that of Tanaka?', [{ name: 'findOwners', arguments: {} }]);
    assert.equal(told(wanted, [find], 'V3112').verdicts!.answerRight, false);
    const oneMore = told(task(ASKED, [find]), [{ ...find, arguments: { owner: 'Mr Tanaka' } }, find], 'V3112');
    assert.equal(oneMore.solved, true, 'looking twice is allowed');
  });

  it('a short name is not taken for a form of a function word', () => {
    assert.equal(answerOf('I found Ines.', '[{"owner":"Ines"}]'), true);
    assert.equal(answerOf('I found Ines.'), false);
  });

  it('tells nothing of requests in another language', () => {
    assert.equal(answerOf('Am 5. Mai um 15:30.', FOUND, 'Wann ist der Termin von Tanaka und wie lange?'), null);
  });
});

describe('what differs', () => {
  const differs = (gold: Task, made: Made[], reply: string | null = 'Done.'): Difference[] =>
    told(gold, made, reply, '{"ok":true}').differences!;
  const change = task('Cancel V3112', [cancel]);
  it('says it of calls, nearest first', () => {
    assert.deepEqual(differs(change, [{ ...cancel, arguments: { visit: 'V1' } }])[0], {
      what: 'wrongValue',
      call: 1,
      tool: 'cancelVisit',
      argument: 'visit',
    });
    assert.deepEqual(
      differs(change, [{ ...cancel, arguments: { id: 1 } }])
        .slice(0, 2)
        .map(({ what }) => what),
      ['argumentMissing', 'extraArgument'],
    );
    assert.deepEqual(differs(change, [find])[0], {
      what: 'wrongTool',
      call: 1,
      tool: 'cancelVisit',
      made: 'findVisits',
    });
    assert.deepEqual(differs(task('Cancel', [find, cancel]), [find])[0], {
      what: 'noCall',
      call: 2,
      tool: 'cancelVisit',
    });
    assert.deepEqual(differs(task('Cancel', [find, cancel]), [cancel, find])[0], { what: 'wrongOrder' });
    assert.deepEqual(differs(change, [cancel, cancel]), [{ what: 'extraCall', tool: 'cancelVisit' }]);
    assert.deepEqual(differs(task('Hi', []), [find], 'Hello!'), [{ what: 'extraCall', tool: 'findVisits' }]);
  });
  it('leaves defaults out', () =>
    assert.deepEqual(
      differs(task('Find visits', [find]), [{ ...find, arguments: { owner: 'Tanaka', limit: 5 } }], 'ok: visits'),
      [],
    ));
  it('says it of the answer and the end', () => {
    assert.deepEqual(differs(change, [cancel], 'Cancelled the curse.'), [{ what: 'notGrounded', words: ['curse'] }]);
    assert.deepEqual(differs(change, [cancel], null), [{ what: 'noAnswer' }, { what: 'cutOff' }]);
    assert.deepEqual(differs(task('Cancel', [cancel], '7'), [cancel], '8'), [{ what: 'wrongAnswer' }]);
  });
});

describe('forms of a word', () => {
  for (const [word, base] of [
    ['visits', 'visit'],
    ['cities', 'city'],
    ['cancelled', 'cancel'],
    ['booking', 'book'],
    ['making', 'make'],
    ['sent', 'send'],
    ["tanaka's", 'tanaka'],
    ['boxes', 'box'],
  ] as const)
    it(`${word}: ${base}`, () => assert.ok(formsOf(word).includes(base)));
});

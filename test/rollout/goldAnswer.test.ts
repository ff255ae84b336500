import assert from 'node:assert/strict';
import { outcomeOf } from '../../trainer/tasks/solved';
import { goldScript } from '../../trainer/rollout/policy/scripted';
import { goldAnswer } from '../../trainer/rollout/verdicts/goldAnswer';
import { verdictsOf } from '../../trainer/rollout/verdicts/verdicts';
import { FINDS_NOTHING_TAG } from '../../trainer/tasks/taskset';
import { trace } from '../rewards/fixtures';
import { STRING, task, tool } from '../tasks/fixtures';

const tools = [
  tool('findPatient', 'Find patients.', { name: STRING }),
  tool('isOpen', 'Whether a shop is open.', { shop: STRING }),
  tool('playRadio', 'Play a station.', { station: STRING }),
  tool('cancelVisit', 'Cancel a visit.', { visit: STRING }, { changesWorld: true }),
];
type Arguments = Record<string, unknown>;

/** The demonstration's answer, and whether the rule calls the whole demonstration solved. */
function shown(
  prompt: string,
  calls: [name: string, args: Arguments, result: string][],
): [answer: string, solved: boolean | null] {
  const gold = task(
    prompt,
    calls.map(([name, args]) => ({ name, arguments: args })),
  );
  const made = calls.map(([name, args, result]) => ({ calls: [[name, args, 'ok', result] as never] }));
  const dialogue = (reply: string) => {
    const one = trace([...made, { text: reply }], { terminated: true, truncated: 'no' });
    const rest = one.messages.filter(({ role }) => role !== 'user' && role !== 'system');
    return { ...one, messages: [{ role: 'user' as const, content: prompt }, ...rest] };
  };
  const answer = goldAnswer(gold, dialogue('').messages.slice(0, -1), tools);
  const said = dialogue(answer);
  return [answer, verdictsOf(gold, said, outcomeOf(said), tools).solved];
}

const find = (prompt: string, result: unknown): [string, boolean | null] =>
  shown(prompt, [['findPatient', { name: 'Kiwi' }, typeof result === 'string' ? result : JSON.stringify(result)]]);
const KIWI = { patient: 'P254', name: 'Kiwi', species: 'parrot', owner: 'Delacroix' };

describe('the answer of a demonstration', () => {
  it('tells what was found, the field that was asked for alone', () => {
    assert.deepEqual(find('Do you know Kiwi?', [KIWI]), ['I found P254, parrot, Delacroix.', true]);
    assert.deepEqual(find("Look up Kiwi's owner.", [KIWI]), ['It is Delacroix.', true]);
    assert.deepEqual(find('Show Kiwi', KIWI), ['Here it is: P254, parrot, Delacroix.', true]);
    assert.deepEqual(find('Who is called Kiwi?', [KIWI, { ...KIWI, patient: 'P9', species: 'cat' }]), [
      'I found parrot, cat.',
      true,
    ]);
    const loans = ['Dune', 'Emma', 'Momo', 'Ulysses'].map((title, i) => ({ book: `B${i}`, title, due: '2026-03-05' }));
    assert.deepEqual(find('What has Kiwi at home?', loans), ['I found Dune, Emma, Momo.', true]);
    assert.deepEqual(find('How old is Kiwi?', '12.5'), ['It is 12.5.', true]);
    assert.deepEqual(find('What is wrong with Kiwi?', 'A broken wing.'), ['It is A broken wing.', true]);
    const batches = ['B1', 'B2'].map((id) => ({ id, beer: 'Kiwi', style: 'lager', tank: `F${id}` }));
    assert.deepEqual(find('Which batches of Kiwi are there?', batches), ['I found B1, B2.', true], 'lager, lager');
    assert.deepEqual(find('Find Kiwi', '[]'), ['I found none.', true]);
    assert.deepEqual(find('Find Kiwi', { rows: [] }), ['I found none.', true]);
    assert.deepEqual(find('What did Kiwi get?', ['2025-10-10 worming']), ['I found 2025-10-10 worming.', true]);
  });

  it('tells of a thing what is asked: a list in its items, yes or no with what it is about', () => {
    const bird = { ...KIWI, toys: ['bell', 'swing'], vaccinated: false };
    assert.deepEqual(find('Which toys does Kiwi have?', bird), ['It is bell, swing.', true]);
    assert.deepEqual(find('Is Kiwi vaccinated?', [bird]), ['No: Kiwi.', true]);
    assert.deepEqual(find('Show me the vaccinated Kiwi', bird), ['Here it is: P254, parrot, Delacroix.', true]);
    assert.deepEqual(find('Show me Kiwi', { toys: ['bell'], species: 'parrot' }), ['Here it is: parrot.', true]);
  });

  it('is short and of one line, whatever the result is', () => {
    const [answer, solved] = find('What is known of Kiwi?', `${'a long story of a bird '.repeat(20)}\nand more`);
    assert.ok(answer.length < 80 && !answer.includes('\n'), answer);
    assert.equal(solved, true);
    assert.deepEqual(
      find('Find Kiwi', [{ inner: { deep: 1 } }]),
      ['Done.', false],
      'nothing in it can be told in a line',
    );
  });

  it("calls with arguments in the schema's order, whatever the task's is", () => {
    const inner = { type: 'object', properties: { c: {}, d: {} } };
    const [one] = tools;
    const put = {
      ...one!,
      name: 'put',
      parameters: { type: 'object', properties: { a: inner, list: { type: 'array', items: inner }, b: {} } },
    };
    const calls = [{ name: 'put', arguments: { b: 1, other: 0, list: [{ d: 1, c: 2 }], a: { d: 3, c: 4 } } }];
    const [call] = goldScript({ id: 't', prompt: 'Put it', calls }, [put])([]).calls!;
    const wanted = '{"a":{"c":4,"d":3},"list":[{"c":2,"d":1}],"b":1,"other":0}';
    assert.equal(JSON.stringify(call!.arguments), wanted);
  });

  it('asks for what the request lacks', () => {
    const task = { id: 't', prompt: 'Cancel the booking', calls: [], tags: ['noTool', 'asks:booking id'] };
    assert.equal(goldAnswer(task, [], tools), 'Which booking id?');
    assert.equal(goldAnswer({ ...task, tags: ['noTool'] }, [], tools), 'No tool can do that.');
  });

  it('says that it was done where that is what was asked', () => {
    assert.deepEqual(shown('Cancel V3112', [['cancelVisit', { visit: 'V3112' }, '{"ok":true}']]), ['Done.', true]);
    assert.deepEqual(shown('Play jazz', [['playRadio', { station: 'jazz' }, '{"playing":"jazz"}']]), ['Done.', true]);
    assert.deepEqual(shown('Cancel V3112. Was it late?', [['cancelVisit', { visit: 'V3112' }, '{"daysLate":4}']]), [
      'Here it is: 4.',
      true,
    ]);
    assert.deepEqual(shown('Check whether Bo is open', [['isOpen', { shop: 'Bo' }, 'true']]), ['Yes: Bo.', true]);
    assert.equal(goldAnswer(task('Hi', []), [{ role: 'user', content: 'Hi' }], tools), 'No tool can do that.');
    const madeOfNothing = { ...task('A parrot, please', [{ name: 'findPatient', arguments: { name: 'Zo' } }]) };
    const results = [{ role: 'tool' as const, name: 'findPatient', content: '[]' }];
    assert.equal(goldAnswer(madeOfNothing, results, tools), 'Done.');
    const tags = [FINDS_NOTHING_TAG];
    assert.equal(goldAnswer({ ...madeOfNothing, tags }, results, tools), 'I found none.', 'known to be a look-up');
    assert.equal(goldAnswer(task('Hi', [], '12'), [], tools), '12', "the task's own answer goes before");
  });
});

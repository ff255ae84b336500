/** What a tool makes anew has a key of its own; what is there goes by the key that it has. */
import assert from 'node:assert/strict';
import { Random } from '../../trainer/base/random';
import { WrittenDays } from '../../trainer/tasks/generate/describedForm';
import { isNewHandle, newHandle } from '../../trainer/tasks/generate/newHandles';
import { toolTalk } from '../../trainer/tasks/generate/grammar/toolTalk';
import { drawArguments } from '../../trainer/tasks/generate/values';
import { saidWith, share, tool } from './grammar/saying';

const text = { type: 'string' };
const said = saidWith('h');
const FLAGS = ['new-checkout', 'dark-mode', 'gift-cards'];

describe('keys of new things', () => {
  it('are those of what a tool makes, and not of what it adds to or asks for', () => {
    const is = (name: string, parameter: string, told = ''): boolean =>
      isNewHandle(tool(name, '', {}), parameter, told);
    assert.ok(is('createFlag', 'key', 'kebab-case key') && is('createFlag', 'flagKey') && is('addCard', 'name'));
    assert.ok(is('register_user', 'username', "the user's name"));
    assert.ok(!is('addComment', 'key') && !is('createComment', 'key', 'Issue key') && !is('updateFlag', 'key'));
    assert.ok(!is('createComment', 'key', 'Issue key, e.g. WEB-114'), 'what stands aside says nothing of it');
    assert.ok(!is('createLoan', 'memberId') && !is('createOrder', 'customer') && !is('createTask', 'date'));
    assert.ok(!isNewHandle(tool('makeReport', '', {}, false), 'code', ''));
  });

  it('are mostly others than those that are there, written alike', () => {
    const random = Random.fromSeed('new');
    const made = Array.from({ length: 40 }, () => newHandle(FLAGS, random));
    assert.ok(
      made.every((key) => /^\p{Ll}+(-\p{Ll}+)*$/u.test(key!)),
      made.join(),
    );
    assert.ok(new Set(made).size > 20 && made.some((key) => key!.includes('-')));
    assert.match(newHandle(['PX2041', 'PX2055'], random)!, /^PX\d{4}$/);
    assert.equal(newHandle(['Jonas Weber'], random), null);
    assert.equal(newHandle(['rabies'], random), null);
    const create = tool('createFlag', 'Creates a flag.', { key: { ...text, description: 'kebab-case key' } });
    const schema = { ...create, parameters: { ...create.parameters, required: ['key'] } };
    const keys = Array.from({ length: 60 }, (_, i) => {
      const known = Object.assign(() => FLAGS, {});
      return String(drawArguments(schema, Random.fromSeed(`key ${i}`), known)?.key);
    });
    const fresh = keys.filter((key) => !FLAGS.includes(key)).length;
    assert.ok(fresh > 45 && fresh < 60, `${fresh}`);
  });

  it('a key is one of the thing that the description gives it to, and a number only where it is one', () => {
    const key = { ...text, description: "the flag's key" };
    const toggle = tool('toggleRollout', 'Toggles the rollout.', { key });
    assert.equal(toolTalk(toggle).parameters[0]!.noun, 'flag');
    assert.equal(
      toolTalk(tool('drop', '', { key: { ...text, description: 'kebab-case key' } })).parameters[0]!.noun,
      '',
    );
    assert.equal(share(said(toggle, { key: 'dark-mode' }), /\bnumber\b|\bno\. |\bs dark/), 0);
    assert.ok(share(said(toggle, { key: 'F-17' }), /number F-17|no\. F-17/) > 0.02);
  });

  it('what is handed over goes to somebody', () => {
    const transfer = tool('transferFlag', 'Hands a flag over.', { key: text, newOwner: text });
    const texts = said(transfer, { key: 'dark-mode', newOwner: 'Tom Reyes' });
    assert.ok(share(texts, /\bto Tom Reyes/) > 0.4, `${share(texts, /\bto Tom Reyes/)}`);
    assert.equal(share(texts, /\b(by|under|named) Tom Reyes/), 0);
  });
});

describe('days among some tools', () => {
  const planned = (description: string) => tool('plan', '', { day: { ...text, description } });

  it('are written as their descriptions ask, else as results give them, and freely where they differ', () => {
    const form = (...tools: ReturnType<typeof planned>[]) => new WrittenDays().form(tools);
    assert.ok(form(planned('only this day'), planned('the date, YYYY-MM-DD'))!.holds.test('2026-11-30'));
    assert.ok(form(planned('day as DD.MM.YYYY'))!.holds.test('30.11.2026'));
    assert.equal(form(planned('day as DD.MM.YYYY'), planned('YYYY-MM-DD')), null);
    assert.equal(form(planned('only this day')), null);
    const given = new WrittenDays();
    given.saw('2026-11-30');
    assert.ok(given.form([planned('only this day')])!.holds.test('2026-12-01'));
  });

  it('of one tool are written as another asks for them', () => {
    const show = tool('showPlan', 'What is planned.', { day: { ...text, description: 'only this day' } }, false);
    const asked = { ...show, parameters: { ...show.parameters, required: ['day'] } };
    const days = new WrittenDays();
    const known = Object.assign(() => [], { dates: () => days.form([asked, planned('the date, YYYY-MM-DD')]) });
    for (let i = 0; i < 20; i++)
      assert.match(String(drawArguments(asked, Random.fromSeed(`day ${i}`), known)?.day), /^\d{4}-\d\d-\d\d$/);
  });
});

import assert from 'node:assert/strict';
import { Random } from '../../../trainer/base/random';
import type { ToolSchema } from '../../../trainer/protocol/task';
import { saidAsKnown } from '../../../trainer/tasks/generate/asKnown';
import { sayByName } from '../../../trainer/tasks/generate/grammar/chain';
import { besideAnother } from '../../../trainer/tasks/generate/grammar/distractors';
import { sayCall } from '../../../trainer/tasks/generate/grammar/say';
import { toolTalk } from '../../../trainer/tasks/generate/grammar/toolTalk';
import { Members, type Member } from '../../../trainer/tasks/generate/members';
import { STRING, tool } from '../fixtures';

const getTrip = tool('getTrip', 'Show one trip.', { tripId: STRING });
const findTrip = tool('findTrip', 'Find trips by who leads them.', { trainer: STRING });
const searchHuts = tool('searchHut', 'Search a hut.', { query: STRING });
const cancelTrip = tool('cancelTrip', 'Cancel a trip.', { tripId: STRING }, { changesWorld: true });
const TRIP = {
  id: 'T-17',
  trainer: 'Ida Moen',
  startDate: '2026-06-12',
  hut: 'Fannaraken',
  seats: 8,
  gear: ['rope', 'axe'],
  state: 'confirmed',
  urgent: false,
  dogsAllowed: true,
  notes: '',
  route: { from: 'A', to: 'B' },
};

const seen = (args: Record<string, unknown>, value: unknown, isReal = true) => ({ args, value, isReal });
const ofTrip = (tools: readonly ToolSchema[] = [getTrip]): Member[] =>
  membersOf(getTrip, seen({ tripId: 'T-17' }, TRIP), tools);
const many = <T>(n: number, make: (random: Random) => T | null): T[] =>
  Array.from({ length: n }, (_, i) => make(Random.fromSeed(`asked ${i}`))).filter((one): one is T => one !== null);

const membersOf = (of: ToolSchema, found: ReturnType<typeof seen>, tools: readonly ToolSchema[]): Member[] =>
  new Members(tools).of(of, found);

describe('requests for one thing that a result says', () => {
  const member = (key: string): Member => ofTrip().find((one) => one.key === key)!;
  const asking = (key: string, n = 300) =>
    many(n, (random) => sayCall(toolTalk(getTrip), { tripId: 'T-17' }, { random, asked: member(key) }));

  it('are for what it says in a line, and neither for ids nor for what was given or another tool tells', () => {
    const kinds = Object.fromEntries(ofTrip().map(({ key, kind }) => [key, kind]));
    assert.deepEqual(kinds, {
      trainer: 'person',
      startDate: 'date',
      hut: 'other',
      seats: 'count',
      gear: 'list',
      state: 'state',
      urgent: 'flag',
      dogsAllowed: 'flag',
    });
    const stateOf = tool('tripState', 'State of a trip.', { tripId: STRING });
    assert.ok(!ofTrip([getTrip, stateOf]).some(({ key }) => key === 'state'));
    const found = membersOf(searchHuts, seen({ query: 'fannaraken' }, [TRIP]), [searchHuts]);
    assert.ok(!found.some(({ key }) => key === 'hut'));
    assert.deepEqual(membersOf(searchHuts, seen({ query: 'x' }, [TRIP, TRIP]), [searchHuts]), []);
    assert.deepEqual(membersOf(getTrip, seen({ tripId: 'T-17' }, TRIP, false), [getTrip]), []);
    const planTrip = tool('planTrip', 'Plan a trip.', { hut: STRING });
    assert.deepEqual(membersOf(planTrip, seen({ hut: 'x' }, TRIP), [planTrip]), []);
  });

  it('name the thing, and are answered by what it says', () => {
    for (const key of ['startDate', 'seats', 'state', 'hut']) {
      const said = asking(key);
      assert.ok(said.length > 250, key);
      for (const { text } of said) assert.match(text, /T-17/);
      const answered = said.filter(({ answer }) => answer === String(TRIP[key as keyof typeof TRIP]));
      assert.ok(answered.length > 0.7 * said.length, `${key}: ${answered.length} of ${said.length}`);
    }
    for (const key of ['gear', 'urgent'])
      assert.ok(
        asking(key).every(({ answer }) => answer === undefined),
        key,
      );
  });

  it('are put as people put them', () => {
    const has = (key: string, ...forms: RegExp[]): void => {
      const texts = asking(key, 600).map(({ text }) => text.toLowerCase());
      for (const form of forms)
        assert.ok(
          texts.some((text) => form.test(text)),
          `${key}: ${form}`,
        );
    };
    has('startDate', /when (does|will) .*t-17 (start|begin)/, /what day is/, /if|when .*t-17 is|start date/);
    has('seats', /how many seats/, /how many people/);
    has('gear', /(which|what) gears? /);
    has('state', /is .*t-17.* confirmed/, /has .*t-17.* been confirmed/, /how .*t-17.* is doing/);
    has('urgent', /is .*t-17.* urgent/, /if .*t-17.* is urgent/);
    has('dogsAllowed', /are dogs allowed (in|at|for) /);
    has('hut', /what('s| is) the hut (of|for|on)/, /t-17.* (-|:|,) ?.*it/);
  });

  it('a person is spoken of with a title, or first', () => {
    const talk = toolTalk(findTrip);
    const rows = [TRIP];
    const titled = many(300, (random) => saidAsKnown(talk, seen({ trainer: 'Moen' }, rows), random)['trainer'] ?? null);
    assert.ok(titled.length > 50 && titled.every(({ text }) => /^(Mr|Mrs|Ms|Dr|Miss)\.? Moen$/.test(text)));
    assert.deepEqual(
      saidAsKnown(talk, seen({ trainer: 'Ida' }, rows), Random.fromSeed('x')),
      {},
      'a first name has none',
    );
    const chain = {
      first: { talk, args: { trainer: 'Ida Moen' } },
      second: { talk: toolTalk(cancelTrip), args: { tripId: 'T-17' } },
      parameter: 'tripId',
      isFirstOf: false,
    };
    const texts = many(400, (random) => sayByName(chain, { random })).map(({ text }) => text);
    assert.ok(texts.some((text) => /Ida Moen (wants|would like|asked|needs|has|called) (us )?(to|if)/.test(text)));
    assert.ok(texts.some((text) => /Ida Moen (is on the phone|rang|called|is here|wrote to us)[,.:]/.test(text)));
    const wrong = texts.filter((text) => /T-17/.test(text) || !/Ida Moen/i.test(text));
    assert.deepEqual(wrong, []);
  });

  it('what is looked for is said as the place that it is', () => {
    const rows = [{ hut: 'Sota', valley: 'x', town: 'Lom' }];
    const said = saidAsKnown(toolTalk(searchHuts), seen({ query: 'Lom' }, rows), Random.fromSeed('x'));
    assert.deepEqual(said, { query: { text: 'Lom', role: 'place' } });
  });

  it('speak of another thing that is not meant, with every letter of the call as it was', () => {
    const texts = many(300, (random) => besideAnother('t-17 please, is it on?', 'T-9', ['t-17'], random));
    assert.ok(texts.every((text) => text.includes('T-9') && text.includes('t-17 please')));
    assert.ok(texts.some((text) => /not T-9[)]?\?$/.test(text)) && texts.some((text) => /\. t-17 please/.test(text)));
  });

  it('who gets a thing may be the one who wants it', () => {
    const kinds = { type: 'array', items: { enum: ['late-lunch', 'rope'] } };
    const addGear = tool('addGear', 'Add gear to a trip.', { tripId: STRING, gear: kinds }, { changesWorld: true });
    const args = { tripId: 'T-17', gear: ['late-lunch'] };
    const texts = many(400, (random) => sayCall(toolTalk(addGear), args, { random })).map(({ text }) => text);
    assert.ok(texts.every((text) => /late lunch/i.test(text) && /T-17/i.test(text)));
    const forms = [/T-17 (wants|needs|would like|should get|could do with) .*late lunch/i, /give .*T-17 .*late lunch/i];
    for (const form of forms)
      assert.ok(
        texts.some((text) => form.test(text)),
        String(form),
      );
    const file = tool('addNote', 'Add a note.', { noteId: STRING, name: STRING }, { changesWorld: true });
    const named = many(200, (random) => sayCall(toolTalk(file), { noteId: 'N-5', name: 'Milk' }, { random }));
    assert.ok(!named.some(({ text }) => /N-5 (wants|needs|should get|could do with)/.test(text)), 'a name is none');
  });
});

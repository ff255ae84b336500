import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { Random } from '../../trainer/base/random';
import { CallGrammar } from '../../trainer/model/decoding/constrained/callGrammar';
import { nanoParser } from '../../trainer/rollout/parser';
import type { PromptTool } from '../../trainer/model/tokenizer/chatTemplate';
import { Tokenizer } from '../../trainer/model/tokenizer/tokenizer';

const tokenizer = Tokenizer.load(resolve(__dirname, '../../trainer/model/nano'));
const MEMBER = { type: 'string', pattern: '^M-\\d{4}$' };
const BOOK = { type: 'string', pattern: '^B\\d{3}$' };
const tool = (name: string, required: Record<string, object>, optional: Record<string, object> = {}): PromptTool => ({
  name,
  description: name,
  parameters: { type: 'object', required: Object.keys(required), properties: { ...required, ...optional } },
});
const tools = [
  tool('find', { name: { type: 'string' } }),
  tool('loans', { member: MEMBER }),
  tool('lend', { member: MEMBER, book: BOOK }, { days: { type: 'integer', minimum: 1, maximum: 60 } }),
  tool('renew', { book: { anyOf: [BOOK, { type: 'null' }] }, days: { type: 'integer' } }),
  tool('post', {
    to: { type: 'object', required: ['mail'], properties: { mail: { type: 'string', format: 'email' } } },
  }),
  tool('tag', { books: { type: 'array', items: BOOK, minItems: 1 } }),
  tool('maybe', {}, { books: { type: 'array', items: BOOK } }),
];

/** All calls that random walks come to, as `name{…}`. */
function calls(prompt: string, walks = 120, among = tools): Set<string> {
  const ids = tokenizer.encode(prompt);
  const grammar = new CallGrammar(tokenizer, among, true);
  const random = Random.fromSeed(prompt);
  return new Set(
    Array.from({ length: walks }, () => {
      const turn = grammar.turn({ ids, ranges: [[0, ids.length]] });
      const said = [tokenizer.idOf('<|call|>')];
      assert.ok(turn.advance(said[0]!));
      while (!turn.isDone) {
        const allowed = turn.allowed();
        assert.ok(allowed.length > 0, `a dead end behind ${tokenizer.decode(said, true)}`);
        said.push(random.pick([...allowed]));
        assert.ok(turn.advance(said.at(-1)!));
      }
      const [call] = nanoParser.parse(tokenizer.decode(said, true)).calls;
      return `${call!.name}${JSON.stringify(call!.arguments)}`;
    }),
  );
}
const namesIn = (all: Set<string>): string[] => [...new Set([...all].map((call) => call.split('{')[0]!))].sort();

describe('values that were said and keep what the schema says of their form', () => {
  it('an id goes to the parameter whose pattern it keeps, and nowhere else', () => {
    const made = calls('Give B148 to M-1045.');
    assert.ok(made.has('loans{"member":"M-1045"}') && made.has('lend{"member":"M-1045","book":"B148"}'));
    assert.deepEqual([...made].filter((call) => /^(loans|lend)/.test(call)).sort(), [
      'lend{"member":"M-1045","book":"B148"}',
      'loans{"member":"M-1045"}',
    ]);
  });

  it('a tool whose required value nobody said is not called: it has to be looked up, or asked for', () => {
    // renew's book may be null
    assert.deepEqual(namesIn(calls('What has Jonas Weber at home?')), ['find', 'maybe', 'renew']);
    assert.deepEqual(namesIn(calls('Write to ann@mail.org about it')), ['find', 'maybe', 'post', 'renew']);
  });

  it('an optional number that nobody said is left out; one out of bounds, too; none comes out of an id', () => {
    assert.ok(
      [...calls('Give B148 to M-1045 for 30 days')].some(
        (call) => call.includes('"days":30}') && call.startsWith('lend'),
      ),
    );
    assert.ok(
      [...calls('Give B148 to M-1045 for 90 days')].every((call) => !call.startsWith('lend') || !call.includes('days')),
    );
  });

  it('a list has only items that fit', () => {
    const made = [...calls('Tag B148 and B101, not M-1045')].filter((call) => call.startsWith('tag'));
    assert.ok(made.length > 1);
    for (const call of made) for (const id of call.match(/"[A-Z][^"]*"/g)!) assert.match(id, /^"B\d{3}"$/);
    assert.deepEqual(
      [...calls('Nothing here')].filter((call) => call.startsWith('maybe')).sort(),
      ['maybe{}', 'maybe{"books":[]}'].filter((call) => call !== 'x').sort(),
    );
  });

  it('a list holds nothing twice that stands there once', () => {
    const text = { type: 'array', items: { type: 'string' }, minItems: 1 };
    const taste = [tool('taste', { flavours: text })];
    const lists = [...calls('tart, fruity', 400, taste)].map((call) => JSON.parse(call.slice(5)).flavours as string[]);
    assert.ok(lists.some((one) => one.join() === 'tart,fruity'));
    for (const one of lists) assert.equal(new Set(one).size, one.length, one.join());
    const again = [...calls('tart and tart', 400, taste)].map((call) => JSON.parse(call.slice(5)).flavours as string[]);
    assert.ok(again.some((one) => one.join() === 'tart,tart'));
    const ids = calls('Tag B148 and B101', 300);
    for (const call of ids) assert.ok(new Set(call.match(/B\d+/g)).size === (call.match(/B\d+/g) ?? []).length, call);
  });

  it('a form that the description asks for, or the shape of its example, counts where the schema has none', () => {
    const says = (description: string): object => ({ type: 'string', description });
    const visits = [
      tool('book', { patient: says('number such as P207'), time: says('HH:MM') }, { day: says('YYYY-MM-DD') }),
      tool(
        'ring',
        { who: says('name or number such as P207'), at: says('HH:MM, or now') },
        { size: says('like A4, wide') },
      ),
    ];
    const made = calls('Could Rufus, P250, come on 2026-05-08 at half past two?', 400, visits);
    const booked = [...made].filter((call) => call.startsWith('book'));
    // which half of the day is not said
    assert.deepEqual(booked.sort(), [
      'book{"patient":"P250","time":"02:30","day":"2026-05-08"}',
      'book{"patient":"P250","time":"02:30"}',
      'book{"patient":"P250","time":"14:30","day":"2026-05-08"}',
      'book{"patient":"P250","time":"14:30"}',
    ]);
    assert.ok(
      [...made].some((call) => /^ring\{"who":"Rufus/.test(call)),
      'what leaves it open is any words',
    );
    assert.deepEqual(namesIn(calls('Could Rufus come at half past two?', 120, visits)), ['ring']);
  });

  it('an optional number is not one that another number took, unless it was said twice', () => {
    const dose = [
      tool('dose', { kilos: { type: 'number' } }, { doses: { type: 'number' }, days: { type: 'integer' } }),
    ];
    assert.deepEqual([...calls('How much for 62 kg?', 60, dose)], ['dose{"kilos":62}']);
    const twice = calls('5 kilos for 5 days', 200, dose);
    assert.ok(twice.has('dose{"kilos":5,"days":5}'));
    for (const call of calls('8 kg, split in 2', 200, dose))
      assert.ok(new Set(call.match(/\d/g)).size === call.match(/\d/g)!.length, call);
    const grid = [tool('grid', { width: { type: 'integer' }, height: { type: 'integer' } })];
    assert.deepEqual([...calls('a square grid of 7', 60, grid)], ['grid{"width":7,"height":7}']);
    assert.ok(calls('a grid of 3x8', 200, grid).has('grid{"width":3,"height":8}'));
  });

  it('words that an argument took are no optional one, but for the end of them; a long text may hold them', () => {
    const text = { type: 'string' };
    const alarm = [tool('alarm', { time: text }, { part: text })];
    const made = [...calls('at eight forty am', 600, alarm)].filter((call) => call.includes('"time":"eight forty am"'));
    assert.deepEqual(made.sort(), [
      'alarm{"time":"eight forty am","part":"am"}',
      'alarm{"time":"eight forty am","part":"at"}',
      'alarm{"time":"eight forty am","part":"forty am"}',
      'alarm{"time":"eight forty am"}',
    ]);
    const lunch = [tool('add', { title: text }, { guest: text })];
    assert.ok(calls('lunch with Ana', 400, lunch).has('add{"title":"lunch with Ana","guest":"Ana"}'));
    assert.ok(!calls('lunch with Ana', 400, lunch).has('add{"title":"lunch","guest":"lunch with Ana"}'));
    assert.ok(calls('Ana and Ana', 400, lunch).has('add{"title":"Ana","guest":"Ana"}'), 'said twice');
    const mail = [tool('send', { body: text }, { to: text })];
    assert.ok(calls('Ana is here', 400, mail).has('send{"body":"Ana is here","to":"Ana"}'));
    const both = [tool('move', { from: text, to: text })];
    assert.ok(
      calls('Oslo', 60, both).has('move{"from":"Oslo","to":"Oslo"}'),
      'what is required is never without a value',
    );
  });

  it('a long text that is left out or said is more than what another argument took', () => {
    const text = { type: 'string' };
    const made = calls('Plan lunch', 120, [tool('plan', { title: text }, { note: text })]);
    assert.ok(
      ['{"title":"lunch"}', '{"title":"lunch","note":"Plan lunch"}'].every((args) => made.has(`plan${args}`)),
      [...made].join(),
    );
    assert.ok(![...made].some((call) => /"title":"(.*)","note":"\1"/.test(call)), [...made].join());
  });

  it('"six weeks" are 42 days, and no 6', () => {
    const lend = [tool('lend', { book: BOOK }, { days: { type: 'integer' } })];
    assert.deepEqual([...calls('B118 for six weeks', 60, lend)].sort(), [
      'lend{"book":"B118","days":42}',
      'lend{"book":"B118"}',
    ]);
    const timer = [tool('timer', { length: { type: 'number', description: 'in minutes' } })];
    assert.deepEqual([...calls('wake me in half an hour', 60, timer)], ['timer{"length":30}']);
    const other = [tool('buy', { amount: { type: 'integer' } })];
    assert.deepEqual([...calls('6 for two weeks', 60, other)].sort(), ['buy{"amount":2}', 'buy{"amount":6}']);
  });

  it('three that are gone are -3 for a change, and 3 for a count', () => {
    const adjust = [tool('adjust', { book: BOOK, change: { type: 'integer' } })];
    assert.deepEqual([...calls('B118, 3 are gone', 60, adjust)].sort(), [
      'adjust{"book":"B118","change":-3}',
      'adjust{"book":"B118","change":3}',
    ]);
    const bounded = [tool('adjust', { change: { type: 'integer', minimum: 0 } })];
    assert.deepEqual([...calls('3 are gone', 40, bounded)], ['adjust{"change":3}']);
    const told = [
      tool('fix', { by: { type: 'number', description: 'negative to take away' } }, { count: { type: 'integer' } }),
    ];
    assert.ok(![...calls('take 3 off', 60, told)].some((call) => /"count"/.test(call)), '3 is said once');
  });

  it("an id that others' descriptions show is none of this one's", () => {
    const id = (description: string): object => ({ type: 'string', description });
    const desk = [
      tool('visits', { patientId: id('e.g. PT-2004') }),
      tool('move', { appointmentId: id('e.g. A-704') }),
      tool('cancel', { appointmentId: { type: 'string' } }, { note: { type: 'string' } }),
      tool('link', { fromId: id('e.g. WEB-114'), toId: id('e.g. API-20') }),
    ];
    const first = calls('Cancel the visit of PT-2001', 60, desk.slice(0, 3));
    assert.deepEqual([...first], ['visits{"patientId":"PT-2001"}'], 'what is not there yet is looked up');
    const then = [...calls('Cancel the visit of PT-2001: A-701', 120, desk.slice(0, 3))];
    assert.ok(then.includes('move{"appointmentId":"A-701"}') && then.some((call) => call.startsWith('cancel')));
    assert.ok(!then.some((call) => /appointmentId":"PT|patientId":"A/.test(call)), then.join());
    const linked = [...calls('link API-3 to API-9', 120, desk)];
    assert.ok(
      linked.some((call) => /link\{"fromId":"API-3","toId":"API-9"/.test(call)),
      'two ends are of one kind',
    );
  });

  it('tomorrow is the day after the today that is stated', () => {
    const free = [tool('free', { date: { type: 'string', description: 'YYYY-MM-DD' } })];
    assert.deepEqual([...calls('Today is 2026-05-04. What is there tomorrow?', 60, free)].sort(), [
      'free{"date":"2026-05-04"}',
      'free{"date":"2026-05-05"}',
    ]);
    assert.deepEqual(namesIn(calls('What is there tomorrow?', 60, [...free, tools[0]!])), ['find']);
  });

  it('a day with a time is written as the schema asks for it', () => {
    const asked = [
      tool('iso', { at: { type: 'string', description: 'Start time in ISO format' } }),
      tool('format', { at: { type: 'string', format: 'date-time' } }),
      tool('spaced', { at: { type: 'string', description: 'YYYY-MM-DD HH:MM' } }),
    ];
    assert.deepEqual([...calls('Today is 2026-05-04. Book it tomorrow, 3 pm.', 60, asked)].sort(), [
      'format{"at":"2026-05-05T15:00:00Z"}',
      'iso{"at":"2026-05-05T15:00"}',
      'spaced{"at":"2026-05-05 15:00"}',
    ]);
  });

  it('an end lies behind its start, as far as something that was said does', () => {
    const time = { type: 'string', description: 'HH:MM' };
    const asked = [tool('book', { startTime: time, endTime: time })];
    assert.deepEqual([...calls('Book it from 2 to 4 pm.', 60, asked)].sort(), [
      'book{"startTime":"14:00","endTime":"16:00"}',
      'book{"startTime":"16:00","endTime":"14:00"}',
    ]);
    assert.deepEqual([...calls('from 10:00, 11:00 or 12:00', 60, asked)].sort(), [
      'book{"startTime":"10:00","endTime":"11:00"}',
      'book{"startTime":"10:00","endTime":"12:00"}',
      'book{"startTime":"11:00","endTime":"12:00"}',
      'book{"startTime":"12:00","endTime":"10:00"}',
      'book{"startTime":"12:00","endTime":"11:00"}',
    ]);
    const day = { type: 'string', format: 'date' };
    assert.deepEqual(
      [...calls('2026-05-07, from 2026-05-04', 40, [tool('stay', { checkIn: day, checkOut: day })])],
      ['stay{"checkIn":"2026-05-04","checkOut":"2026-05-07"}'],
    );
    // an end that may be left out is, where nothing lies behind the start
    const ends = [...calls('2026-05-07, from 2026-05-04', 80, [tool('stay', { checkIn: day }, { checkOut: day })])];
    assert.ok(ends.length > 1 && ends.every((call) => !/"2026-05-07".*(04|07)"}$/.test(call)), ends.join());
    assert.deepEqual([...calls('at 10:00', 20, asked)], ['book{"startTime":"10:00","endTime":"10:00"}']);
  });

  it('of an enum what the request says; small words and tools settle nothing', () => {
    const set = [
      tool('set', { state: { enum: ['on', 'off', 'dimmed'] } }, { species: { enum: ['cat', 'dog', 'guineaPig'] } }),
    ];
    const made = (prompt: string, key: string): string[] =>
      [
        ...new Set(
          [...calls(prompt, 200, set)].flatMap(
            (call) => (JSON.parse(call.slice(3)) as Record<string, string>)[key] ?? [],
          ),
        ),
      ].sort();
    assert.deepEqual(made('Two dogs and a guinea pig', 'species'), ['dog', 'guineaPig']);
    assert.deepEqual(made('A catalogue', 'species'), ['cat', 'dog', 'guineaPig']);
    assert.deepEqual(made('the lamp on the desk', 'state'), ['dimmed', 'off', 'on']);
    assert.deepEqual(made('the lamp on the desk off', 'state'), ['off', 'on']);
    assert.deepEqual(made('Dimmed', 'state'), ['dimmed']);
  });
});

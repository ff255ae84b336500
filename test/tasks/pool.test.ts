import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Random } from '../../trainer/base/random';
import { findLinks, isListed } from '../../trainer/tasks/generate/chains';
import { drawArguments } from '../../trainer/tasks/generate/values';
import { Harvest } from '../../trainer/tasks/generate/harvest';
import { factsOf, isItsName, type Fact, type Place } from '../../trainer/tools/values/facts';
import { fitOf, LIKELY } from '../../trainer/tools/values/fit';
import { literalFacts } from '../../trainer/tools/values/literals';
import { placesOf } from '../../trainer/tools/values/places';
import { describedFacts } from '../../trainer/tasks/generate/pool/describedFacts';
import { Pool } from '../../trainer/tasks/generate/pool/pool';
import { resultFacts } from '../../trainer/tasks/generate/pool/results';
import { drawNumber } from '../../trainer/tasks/generate/drawNumber';
import { everydayKind } from '../../trainer/tasks/generate/everydayKind';
import { shownCode } from '../../trainer/tasks/generate/shownCodes';
import { probe } from '../../trainer/tasks/generate/probe';
import type { ToolSchema, TypeScriptTool } from '../../trainer/protocol/task';
import { ok, STRING, tool } from './fixtures';
import { inHost, toolsOf } from './toolFiles';

/** The pool of a tool file, explored as a run does. */
async function explored(
  name: string,
): Promise<{ harvest: Harvest; tools: TypeScriptTool[]; calls: string[]; of(name: string): TypeScriptTool }> {
  const tools = toolsOf(name);
  const calls: string[] = [];
  const harvest = await inHost(tools, async (call) => {
    const made = new Harvest(tools, (tool, args) => (calls.push(tool), call(tool, args)), {
      facts: literalFacts(tools, dirname(tools[0]!.source.file)),
    });
    await probe(tools, made, Random.fromSeed(0));
    return made;
  });
  return { harvest, tools, calls, of: (wanted) => tools.find((one) => one.name === wanted)! };
}

describe('literals', () => {
  it("a map's entries are records with their key", () => {
    const file = join(mkdtempSync(join(tmpdir(), 'coach-literals-')), 'ci.ts');
    writeFileSync(
      file,
      "const builds = new Map<number, { branch: string; minutes: number }>([[8841, { branch: 'main', minutes: 12 }], [8842, { branch: 'fix/typo', minutes: 7 }]]);\nexport { builds };\n",
    );
    const facts = literalFacts([{ ...tool('retry', ''), source: { file, line: 1 } }]);
    rmSync(dirname(file), { recursive: true });
    const [first] = facts;
    assert.deepEqual(
      [first?.value, first?.key, first?.record?.members],
      [8841, 'id', { id: 8841, branch: 'main', minutes: 12 }],
    );
    assert.deepEqual(
      facts.filter(({ key }) => key === 'minutes').map(({ value }) => value),
      [12, 7],
    );
  });
});

describe('what is no value, though it is written', () => {
  it('marks, error codes, the envelope of a result; of a path what is said of one', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'coach-literals-')), 'files.ts');
    writeFileSync(
      file,
      `export const home = (path: string) => (path === '~' ? '/root' : path);
export const read = (path: string, code: string) => {
  if (path === 'notes/today.md' || path === 'no such folder here') throw new Error('no');
  return code === 'ENOENT' ? { contents: [{ uri: 'memory://graph', mimeType: 'application/json' }] } : null;
};\n`,
    );
    const schema = { ...tool('readFile', 'Reads a file.', { path: STRING }), source: { file, line: 1 } };
    const facts = literalFacts([schema]);
    rmSync(dirname(file), { recursive: true });
    assert.deepEqual(facts.map(({ value }) => value).sort(), ['no such folder here', 'notes/today.md']);
    const pool = new Pool([schema], facts);
    assert.deepEqual(pool.valuesAt(schema, 'path'), ['notes/today.md']);
  });
});

describe('tools that are never run', () => {
  it('take of the words of the code none that only end like their parameter', () => {
    const schema = tool('addOn', 'Shows an add-on.', { addOn: STRING });
    const neverRun: ToolSchema = {
      ...schema,
      binding: { kind: 'defined', library: 'own', span: [0, 1], isMockOnly: true },
    };
    const fact = (key: string, value: string): Fact => ({ key, value, nouns: [], from: 'literal', where: 'a.ts' });
    const facts = [fact('createAddOn', 'addons:create'), fact('addOn', 'postgres')];
    assert.deepEqual(new Pool([neverRun], facts).valuesAt(neverRun, 'addOn'), ['postgres']);
    assert.deepEqual(new Pool([neverRun], facts.slice(0, 1)).valuesAt(neverRun, 'addOn'), []);
    const told = new Pool([schema], facts.slice(0, 1)).valuesAt(schema, 'addOn');
    assert.deepEqual(told, ['addons:create'], 'its calls will tell');
  });
});

describe('a map of names', () => {
  const factsIn = (entries: unknown[][], place: Partial<Place>): Fact[] => {
    const facts: Fact[] = [];
    factsOf(entries, { key: '', nouns: [], from: 'literal', where: 'a.ts', ...place }, (fact) => facts.push(fact), 2);
    return facts;
  };

  it('gives what belongs to a key as what it is called after, as an index does', () => {
    const entries = [
      ['latte', 3.5],
      ['mocha', 4],
    ];
    const facts = factsIn(entries, { key: 'prices', indexKey: 'id' });
    assert.deepEqual(
      facts.map(({ key, value }) => [key, value]),
      entries.flatMap(([name, price]) => [
        ['id', name],
        ['prices', price],
      ]),
    );
    assert.deepEqual(facts[0]!.record!.members, { id: 'latte', prices: 3.5 });
  });

  it('gives the names of columns of a table as no values', () => {
    const facts = factsIn(
      [
        ['B1', 'Dune'],
        ['B2', 'Momo'],
      ],
      { key: 'books', columns: ['id', 'title'] },
    );
    assert.deepEqual(
      facts.map(({ value }) => value),
      ['B1', 'Dune', 'B2', 'Momo'],
    );
  });

  it('gives its keys as what it is called after, and no numbers of columns', () => {
    const facts = factsIn(
      [
        ['chill vibes', 'Sunrise'],
        ['workout', 'Run'],
      ],
      { key: 'playlists' },
    );
    assert.deepEqual(
      facts.filter(({ key }) => key === 'playlist').map(({ value }) => value),
      ['chill vibes', 'workout'],
    );
    assert.ok(!facts.some(({ value }) => /^column/.test(String(value))));
  });
});

describe('numbered things that a description shows', () => {
  it('are values, and so are others of their kind', () => {
    const schema = { ...STRING, description: 'such as treadmill 4' };
    const report = { ...tool('reportBroken', 'Report a broken machine.', { machine: schema }), changesWorld: true };
    const pool = new Pool([report]);
    assert.deepEqual(pool.valuesAt(report, 'machine'), ['treadmill 4']);
    const shown = shownCode(['treadmill 4'], ['machine'])!;
    const others = Array.from({ length: 40 }, (_, i) => shown(Random.fromSeed(`${i}`)));
    assert.ok(others.every((one) => /^treadmill [1-9]$/.test(one)));
    assert.ok(new Set(others).size > 4);
  });
});

describe('what a value is called', () => {
  it('says nothing of a parameter whose description only asks so: "what kind of music"', () => {
    const play = tool('play', 'Play the radio.', { genre: { ...STRING, description: 'what kind of music' } });
    const [genre] = placesOf(play);
    const fact = (key: string): Fact => ({ value: 'dentist', key, nouns: ['entry'], from: 'literal', where: 'a.ts' });
    assert.ok(fitOf(fact('what'), genre!) < LIKELY);
    assert.ok(fitOf(fact('music'), genre!) >= LIKELY);
  });
});

describe('what no value is', () => {
  const flights = tool('findFlights', 'Find flights.', {
    destination: { ...STRING, description: 'city or airport' },
    'cabin?': { ...STRING, description: 'economy, business or first' },
  });

  it('what a tool sends back of its own arguments, under whatever name; an id that was found by is one', () => {
    const found = resultFacts(flights, { destination: 'Oslo' }, { flight: 'LX 81', to: 'Oslo' });
    assert.deepEqual(
      found.map(({ value }) => value),
      ['LX 81'],
    );
    const order = resultFacts(tool('getOrder', ''), { query: 'O-17' }, { orderId: 'O-17', total: 12 });
    assert.ok(order.some(({ key, value }) => key === 'orderId' && value === 'O-17'));
  });

  it('the kinds of things that a description names: "city or airport"', () => {
    const shown = describedFacts(flights, placesOf(flights));
    assert.deepEqual(
      shown.map(({ key, value }) => [key, value]),
      ['economy', 'business', 'first'].map((value) => ['cabin', value]),
    );
    const marks = tool('marksOf', '', { subject: { ...STRING, description: 'maths, chemistry, history…' } });
    assert.deepEqual(
      describedFacts(marks, placesOf(marks)).map(({ value }) => value),
      ['maths', 'chemistry', 'history'],
    );
    const shownAs = (description: string): unknown[] => {
      const one = tool('find', '', { kind: { ...STRING, description } });
      return describedFacts(one, placesOf(one)).map(({ value }) => value);
    };
    assert.deepEqual(shownAs('Type of entity (horse, business, event)'), ['horse', 'business', 'event']);
    assert.deepEqual(shownAs('breakfast, after-school or dinner'), ['breakfast', 'after-school', 'dinner']);
    assert.deepEqual(shownAs('low | medium | very_high'), ['low', 'medium', 'very_high']);
    const link = tool('link', 'A link to a page, e.g. /cart, /orders.', { path: STRING });
    const paths = describedFacts(link, placesOf(link)).map(({ value }) => value);
    assert.deepEqual(paths, ['/cart', '/orders']);
    assert.deepEqual(shownAs('Type of the entity (optional)'), []);
    assert.deepEqual(shownAs('Category of the file (the one that it lies in)'), []);
  });

  it('the one that a description shows, where more of them stand in the file', () => {
    const status = tool('orderStatus', 'Status of an order.', {
      number: { ...STRING, description: 'order number, e.g. T-90311' },
    });
    const pool = new Pool([status]);
    for (const value of ['T-90311', 'T-90312'])
      pool.add({ value, key: 'id', nouns: ['order'], from: 'literal', where: 'a.ts' });
    pool.learn(status, { number: 'hamlet' }, 'empty');
    for (const number of ['T-90311', 'T-90312']) pool.learn(status, { number }, 'told');
    assert.deepEqual(pool.valuesAt(status, 'number').sort(), ['T-90311', 'T-90312']);
  });

  it('a name that is only what the thing is called, but the words of a table', () => {
    const own = (key: string, value: string) => isItsName(key, value);
    assert.ok(own('candidateName', 'Candidate') && own('candidate', 'Candidate') && own('title', 'title'));
    assert.ok(!own('open', 'open') && !own('Active', 'active') && !own('candidateName', 'Ann'));
  });

  it('a number that a tool worked out: neither for itself, nor with the dust of binary fractions', () => {
    const convert = tool('convert', 'Convert money.', { amount: { type: 'number' } });
    const pay = tool('pay', 'Pay.', { amount: { type: 'number' } });
    const pool = new Pool([convert, pay]);
    for (const value of [12.65, 13.915000000000001])
      pool.add({ value, key: 'amount', nouns: [], from: 'result', where: 'convert' });
    assert.deepEqual(pool.valuesAt(convert, 'amount'), []);
    assert.deepEqual(pool.valuesAt(pay, 'amount'), [12.65]);
  });

  it('the only number that some tool gave by default', () => {
    const random = Random.fromSeed('stars');
    const drawn = Array.from({ length: 200 }, () => drawNumber({ type: 'number' }, 'stars', [3], random));
    assert.ok(new Set(drawn).size > 3 && drawn.includes(3));
    assert.ok(
      Array.from({ length: 50 }, () => drawNumber({ type: 'number' }, 'number', [3], random)).every((n) => n === 3),
    );
  });

  it("a number that a thing has is none but those: a pupil's", () => {
    const random = Random.fromSeed('pupil');
    const drawn = (schema: object): number[] =>
      Array.from({ length: 60 }, () => drawNumber({ type: 'number', ...schema }, 'pupil', [2201, 2207], random));
    for (const schema of [{}, { description: 'number of the pupil' }])
      assert.ok(drawn(schema).every((value) => value === 2201 || value === 2207));
  });

  it('a number below nothing, but for a temperature', () => {
    const random = Random.fromSeed('below');
    const drawn = (name: string): number[] =>
      Array.from({ length: 60 }, () => drawNumber({ type: 'number' }, name, [-75, -1501, -3, -2], random));
    assert.ok(drawn('grams').every((value) => value >= 0));
    assert.ok(drawn('temperature').some((value) => value < 0));
    const many = { type: 'number', description: 'how many' };
    assert.ok(Array.from({ length: 100 }, () => drawNumber(many, 'amount', [], random)).every(Number.isInteger));
  });

  it('a first name, a weekday or somebody is what a description or a name asks for', () => {
    const drawn = (words: string[], described: string[]): string[] =>
      Array.from({ length: 30 }, (_, i) => everydayKind(words, described)!.draw(Random.fromSeed(`kind ${i}`)));
    assert.ok(drawn(['cook'], ['first', 'name']).every((text) => /^\p{Lu}\p{Ll}+$/u.test(text)));
    assert.ok(drawn(['day'], ['weekday']).every((text) => /day$/i.test(text)));
    assert.ok(drawn(['agent'], ['who', 'takes', 'it', 'over']).every((text) => /^\p{Lu}/u.test(text)));
    assert.ok(drawn(['chef'], []).some((text) => / /.test(text)));
  });

  it('a range goes from one to another, and what is no person has no name of one', () => {
    const drawn = (words: string[], described: string[] = []): string[] =>
      Array.from({ length: 30 }, (_, i) => everydayKind(words, described)!.draw(Random.fromSeed(`range ${i}`)));
    const isRange = (text: string): boolean => /\d.*(-|to|and).*\d/.test(text);
    assert.ok(drawn(['time', 'range']).filter(isRange).length > 10);
    // "timeRange: when" is any time
    assert.ok(drawn(['time', 'range'], ['when']).filter(isRange).length < 10);
    assert.ok(drawn(['price', 'range']).every((text) => /\d(-| to )\D?\d/.test(text)));
    assert.ok(drawn(['court', 'name']).some((text) => /court/.test(text)));
    assert.ok(drawn(['full', 'name']).every((text) => /^\p{Lu}\p{Ll}+ \p{Lu}/u.test(text)));
    const month = tool('budgetOf', 'The budget of a month.', { month: { ...STRING, description: 'YYYY-MM-01' } });
    for (let i = 0; i < 9; i++)
      assert.match(String(drawArguments(month, Random.fromSeed(`m ${i}`), () => [])?.month), /^\d{4}-\d\d-01$/);
  });

  it('"tomorrow at five" where a description asks for ISO 8601; 47 minutes, as a rule', () => {
    const call = tool('scheduleCall', 'Arrange a call.', {
      when: { ...STRING, description: 'day and time, ISO 8601' },
    });
    for (let i = 0; i < 20; i++)
      assert.match(
        String(drawArguments(call, Random.fromSeed(`iso ${i}`), () => [])?.when),
        /^\d{4}-\d\d-\d\dT\d\d:\d\d$/,
      );
    const random = Random.fromSeed('round');
    const minutes = Array.from({ length: 200 }, () =>
      drawNumber({ type: 'number', minimum: 10, maximum: 90 }, 'minutes', [], random),
    );
    assert.ok(minutes.filter((value) => value % 5 === 0).length > 120 && minutes.some((value) => value % 5 > 0));
  });

  it('a name for a currency: "to" is what its description speaks of', () => {
    const convert = tool('convertMoney', "Convert money at today's rate.", {
      to: { ...STRING, description: 'currency code' },
    });
    for (let i = 0; i < 40; i++) {
      const args = drawArguments(convert, Random.fromSeed(`to ${i}`), () => []);
      assert.match(String(args?.to), /^[a-z]{3}$/i);
    }
  });
});

describe('pool of values', function () {
  this.timeout(120_000);

  it('hotel: references from calls of a function, rooms of an imported file; who has a booking leads to it', async () => {
    const {
      harvest: { pool },
      of,
      calls,
    } = await explored('hotel/frontDesk.ts');
    assert.deepEqual(
      new Set(pool.valuesAt(of('cancelBooking'), 'ref')),
      new Set(['BK-1A2F', 'BK-77C0', 'BK-0F3E', 'BK-9B12']),
    );
    assert.ok(pool.valuesAt(of('describeRoom'), 'room').includes('R306'));
    assert.match(pool.origin(of('describeRoom'), 'room'), /results of|literals of/);
    assert.equal(pool.knownAs('BK-1A2F')[0]?.text, 'Helga Stein');
    const lookUps = pool.lookUps(of('bill'), 'ref', 'BK-77C0');
    assert.deepEqual(lookUps.map(({ call, said }) => [call.name, said]).sort(), [
      ['findBooking', 'Marco Bianchi'],
      ['findBooking', 'marco bianchi'],
    ]);
    assert.ok(!calls.includes('cancelBooking'));
  });

  it('clinic: numbers and ids of data files that the code only names', async () => {
    const {
      harvest: { pool },
      of,
    } = await explored('clinic/clinic.ts');
    // 20417 has none
    assert.deepEqual(new Set(pool.valuesAt(of('allergiesOf'), 'patientNo')), new Set([20411, 20533, 20609]));
    assert.deepEqual(
      new Set(pool.valuesAt(of('doctorsIn'), 'department')),
      new Set(['cardiology', 'dermatology', 'paediatrics']),
    );
    assert.ok(pool.lookUps(of('allergiesOf'), 'patientNo', 20533).some(({ said }) => said === 'Abend'));
    assert.equal(pool.knownAs(20533)[0]?.text, 'Ruth Abend');
  });

  it('warehouse: values inside objects and lists', async () => {
    const {
      harvest: { pool },
      of,
    } = await explored('warehouse/orders.ts');
    const at = (path: string): unknown[] => pool.valuesAt(of('placeOrder'), path);
    for (const [path, pattern] of [
      ['lines.sku', /^[A-Z]{2}\d{2}-\d{3}$/],
      ['address.city', /^(Kiel|Metz|Jena)$/],
      ['customer', /^(Nordlicht|Atelier|Bauhof)/],
    ] as const) {
      assert.ok(at(path).length > 0, path);
      for (const value of at(path)) assert.match(String(value), pattern, path);
    }
  });

  it('gym: keys of an index are numbers where numbers are asked for', async () => {
    const { harvest, of } = await explored('gym/gym.js');
    for (const name of ['bookClass', 'cancelBooking', 'memberName', 'logWorkout'])
      assert.deepEqual(harvest.pool.valuesAt(of(name), 'memberNumber'), [1001, 1002, 1003], name);
    assert.ok(of('logWorkout').changesWorld);
  });

  it('kitchen: what stands under ingredients is an ingredient', async () => {
    const { harvest, of } = await explored('kitchen/recipes.mjs');
    const values = harvest.pool.valuesAt(of('findRecipes'), 'ingredient');
    assert.ok(values.includes('pecorino') && !values.includes('60 g') && !values.includes('quick'), values.join());
  });

  it('shop: the sku of a product that another tool finds, by the name of the tool or by its description', async () => {
    const { harvest, tools, of } = await explored('../../bench/anyFile/shop/shop.ts');
    for (const name of ['stockLevel', 'addToCart'])
      assert.ok(harvest.pool.valuesAt(of(name), 'sku').includes('KB-22'), name);
    const fits = (): boolean => true;
    const links = await inHost(tools, (call) => {
      const own = new Harvest(tools, call, { facts: literalFacts(tools, dirname(tools[0]!.source.file)) });
      return probe(tools, own, Random.fromSeed(0)).then(() => findLinks(tools, own, Random.fromSeed(0), fits));
    });
    assert.deepEqual(links.map(({ from, to, parameter }) => `${from.name} ${to.name}.${parameter}`).sort(), [
      'findProducts addToCart.sku',
      'findProducts stockLevel.sku',
    ]);
  });

  it('a group is what is called so, and not the code of the visit that it makes', async () => {
    const visits = [
      { code: 'V7K2', group: 'Oakfield Primary', people: 28 },
      { code: 'V9Q1', group: 'Rotary Club', people: 14 },
    ];
    const tools = [
      tool('groupVisits', 'Group visits.'),
      { ...tool('bookGroup', 'Book a group in.', { group: STRING, people: { type: 'integer' } }), changesWorld: true },
    ];
    const harvest = new Harvest(tools, async () => ok(visits));
    await probe(tools, harvest, Random.fromSeed(0));
    assert.deepEqual(harvest.pool.valuesAt(tools[1]!, 'group'), ['Oakfield Primary', 'Rotary Club']);
    assert.deepEqual(harvest.pool.together(tools[1]!), [
      { group: 'Oakfield Primary', people: 28 },
      { group: 'Rotary Club', people: 14 },
    ]);
    const links = await findLinks(tools, harvest, Random.fromSeed(0), () => true);
    assert.ok(links.every(({ property, parameter }) => property === parameter));
    assert.ok(links.some(({ parameter }) => parameter === 'group'));
  });

  it('a key is no title, also where the call was asked by it, and of two keys neither is a label', async () => {
    const issues = [
      { key: 'WEB-114', title: 'Login page blank', assignee: 'nina', labels: ['bug'] },
      { key: 'WEB-120', title: 'Dark mode', assignee: 'raj', labels: ['feature'] },
    ];
    const key = { ...STRING, description: 'Issue key' };
    const ends = { from_key: { ...STRING, description: 'Issue that the link starts from' }, to_key: key };
    const [get, assign, link] = [
      tool('get_issue', 'Get an issue by its key', { key: { ...STRING, description: 'Issue key, e.g. WEB-114' } }),
      { ...tool('assign_issue', 'Assign an issue to a user.', { key, assignee: STRING }), changesWorld: true },
      { ...tool('link_issues', 'Create a link between two issues.', ends), changesWorld: true },
    ];
    const search = tool('search_issues', 'Search for issues', { query: STRING });
    const harvest = new Harvest([search, get, assign, link], async (name, args) =>
      ok(name === 'get_issue' ? (issues.find((one) => one.key === args.key) ?? null) : issues),
    );
    await probe([search, get, assign, link], harvest, Random.fromSeed(0));
    const keys = ['WEB-114', 'WEB-120'];
    assert.deepEqual(harvest.pool.valuesAt(assign, 'key'), keys);
    for (const one of harvest.pool.together(assign)) assert.ok(keys.includes(String(one.key)), JSON.stringify(one));
    assert.deepEqual(harvest.pool.valuesAt(link, 'from_key'), keys);
  });

  it('a class may be named where its list is only narrowed down by a coach or a day, and not where names are searched', () => {
    const sign = { ...tool('joinClass', '', { classId: STRING, member: STRING }), changesWorld: true };
    const lists = tool('classSchedule', 'Classes of a coach.', { coach: STRING, day: STRING });
    lists.parameters.required = [];
    const finds = tool('findClasses', 'Finds classes.', { text: STRING });
    const link = (from: ToolSchema) => ({ from, property: 'id', to: sign, parameter: 'classId' });
    const found = ['id', 'name', 'coach'].map((property) => ({ tool: lists, property, value: 'x' }));
    assert.ok(isListed(link(lists), [link(lists)], found));
    assert.ok(!isListed(link(lists), [link(lists)], []), 'nothing says that a coach is not the name');
    assert.ok(!isListed(link(lists), [link(lists), link(finds)], found));
  });

  it('flights: both ends of a journey; what a tool sends back is no airport, and an airport no currency', async () => {
    const { harvest, of } = await explored('../../bench/anyFile/flights/flights.ts');
    const at = (name: string, path: string) => harvest.pool.valuesAt(of(name), path);
    assert.deepEqual(at('searchFlights', 'origin'), ['FRA', 'LHR', 'AMS']);
    assert.deepEqual(at('searchFlights', 'destination'), ['JFK', 'SFO']);
    assert.deepEqual(at('airportWeather', 'airport'), []);
    assert.deepEqual(at('convertCurrency', 'from'), []);
    const drawn = Array.from({ length: 30 }, (_, i) =>
      drawArguments(of('convertCurrency'), Random.fromSeed(`money ${i}`), harvest.known),
    );
    for (const args of drawn) assert.match(`${args!.from} ${args!.to}`, /^[A-Z]{3} [A-Z]{3}$/i);
  });

  it('the names of the things that a search finds, where it takes a name among others', () => {
    const described = { ...STRING, description: 'a name, a part of it, or a class such as 7B' };
    const [query] = placesOf(tool('findPupils', 'Looks pupils up by name or class.', { query: described }));
    const of = (key: string, noun: string): Fact => ({
      value: 'Noah Schmitt',
      key,
      nouns: [noun],
      from: 'result',
      where: 'findPupils',
    });
    assert.ok(fitOf(of('name', 'pupil'), query!) >= LIKELY);
    assert.ok(fitOf(of('name', 'lesson'), query!) < LIKELY);
    assert.ok(fitOf(of('room', 'pupil'), query!) < LIKELY);
  });

  it('by what it is and not by which of several; a day of birth is no other day', () => {
    const place = (name: string, description: string) =>
      placesOf(
        tool('checkInteraction', 'Check if two medicines go together.', { [name]: { ...STRING, description } }),
      )[0]!;
    const seen = (key: string, value: string, nouns: string[]): Fact => ({
      value,
      key,
      nouns,
      from: 'result',
      where: 'x',
    });
    const code = seen('code', 'MED-101', ['medicine']);
    assert.ok(fitOf(code, place('first', 'code of one')) >= LIKELY);
    assert.ok(fitOf(code, place('medicineB', 'the other')) >= LIKELY);
    assert.ok(fitOf(code, place('first', 'a word')) < LIKELY);
    const [born, made] = [seen('birthDate', '1984-03-11', ['patient']), seen('madeOn', '2026-05-02', ['order'])];
    const fits = (fact: Fact, name: string): boolean => fitOf(fact, place(name, 'YYYY-MM-DD')) >= LIKELY;
    assert.deepEqual(
      [fits(born, 'pickupDate'), fits(born, 'birthday'), fits(made, 'pickupDate'), fits(made, 'birthday')],
      [false, true, true, false],
    );
  });

  it('no title where the description asks for an id, no thing where it asks whose it is', () => {
    const place = (name: string, description: string) =>
      placesOf(tool('recordGrade', 'Record a grade.', { [name]: { ...STRING, description } }))[0]!;
    const seen = (key: string, value: string, noun: string): Fact => ({
      ...{ value, key, nouns: [noun], from: 'literal', where: 'x' },
    });
    const title = seen('title', 'Cell Biology', 'course');
    assert.ok(fitOf(title, place('course', 'id of the course')) < LIKELY);
    assert.ok(fitOf(title, place('course', 'id or title of the course')) >= LIKELY);
    assert.ok(fitOf(seen('id', 'C-BIO2', 'course'), place('course', 'id of the course')) >= LIKELY);
    assert.ok(fitOf(seen('id', 'chill vibes', 'playlist'), place('owner', 'whose playlist it is')) < LIKELY);
  });

  it('"zone" is one of time where times are converted; of characters there are no halves', () => {
    const about = [['convert', 'time', 'another', 'time', 'zone']];
    const drawn = (words: string[], described: string[], of = about): unknown =>
      everydayKind(words, described, { about: of })?.draw(Random.fromSeed(1));
    assert.match(String(drawn(['from'], ['source', 'zone'])), /^\w+\/\w+|UTC$/);
    assert.match(String(drawn(['zone'], [])), /^\w+\/\w+|UTC$/);
    assert.doesNotMatch(String(drawn(['zone'], [], [['heat', 'room']])), /\//);
    assert.match(String(drawn(['time'], ['time', 'with', 'time', 'zone'])), /^\d/);
    const many = Array.from({ length: 200 }, (_, i) =>
      drawNumber({ type: 'number', description: 'longest length' }, 'maxLength', [], Random.fromSeed(i), ['text']),
    );
    assert.ok(many.every(Number.isInteger));
  });

  it('codes of countries, a picture by its file, who approves, and why a service is restarted or a claim refused', () => {
    const drawn = (word: string, told: string, about: string[]): string =>
      String(everydayKind([word], told.split(' '), { about: [about] })?.draw(Random.fromSeed(2)));
    assert.match(drawn('country', 'as a two letter code', ['rate']), /^[A-Z]{2}$/);
    assert.match(drawn('language', 'target language code', ['translate']), /^[a-z]{2}$/);
    assert.match(drawn('country', 'where it is sent', ['send']), /^\p{L}{4,}/u);
    assert.match(drawn('photo', 'file of a picture', ['note', 'harvest']), /\.jpg$/);
    assert.match(drawn('path', 'path of it', ['upload', 'document']), /\.(pdf|docx)$/);
    assert.match(drawn('approver', 'who approve it', ['submit', 'trip']), /^[A-Z]/);
    assert.notEqual(drawn('reason', 'why', ['restart', 'service']), drawn('reason', 'why', ['reject', 'expense']));
  });

  it('a feeling from 1 (awful) to 5 (great), a person of 150 cm or more, a salary that is round', () => {
    const drawn = (name: string, description: string, about: string[] = []): number[] =>
      Array.from({ length: 200 }, (_, i) =>
        drawNumber({ type: 'number', description }, name, [], Random.fromSeed(i), about),
      );
    const feelings = drawn('feeling', 'how it felt, 1 (awful) to 5 (great)');
    assert.deepEqual([Math.min(...feelings), Math.max(...feelings)], [1, 5]);
    assert.ok(drawn('heightCm', 'height in centimetres', ['body', 'mass', 'index']).every((cm) => cm >= 150));
    assert.ok(drawn('age', 'age in years', ['body', 'mass']).some((years) => years < 45));
    assert.ok(drawn('heightM', 'in metres', ['body', 'mass']).every((metres) => metres >= 1.5 && metres <= 2));
    const salaries = drawn('salary', 'yearly salary').filter((value) => value >= 5000);
    assert.ok(salaries.filter((value) => value % 500 === 0).length > 0.6 * salaries.length);
  });

  it('a comment is no value of what it is for, and a day no time of a day', () => {
    const ask = tool('askLeave', 'Ask for leave.', {
      comment: { ...STRING, description: 'for the manager' },
      at: { ...STRING, description: 'date and time, ISO 8601' },
    });
    const fact = (key: string, value: string) => ({
      key,
      value,
      nouns: ['staff'],
      from: 'literal' as const,
      where: 'a.ts',
    });
    const pool = new Pool([ask], [fact('manager', 'E103'), fact('startDate', '2019-04-01')]);
    assert.deepEqual([pool.valuesAt(ask, 'comment'), pool.valuesAt(ask, 'at')], [[], []]);
    const park = tool('park', 'Park a car.', { hours: { type: 'number' } });
    const price = { ...fact('pricePerHour', ''), value: 2.8 };
    assert.deepEqual(new Pool([park], [price]).valuesAt(park, 'hours'), []);
  });

  it('is the same for the same seed', async () => {
    const values = async (): Promise<string> => {
      const {
        harvest: { pool },
        tools,
      } = await explored('music/player.js');
      return JSON.stringify(tools.map((one) => pool.placesOf(one).map(({ path }) => pool.valuesAt(one, path))));
    };
    assert.equal(await values(), await values());
  });

  it('knows all whom a search by name finds, also where a made-up name met one of them by luck', async () => {
    const people = [
      'Priya Raman',
      'Kwame Asante',
      'Aisha Bello',
      'Ingrid Solheim',
      'Tomasz Zielinski',
      'Colm Brannigan',
    ];
    const find = tool('findMember', 'Find a member by name.', { name: STRING });
    const call = async (_: string, { name }: Record<string, unknown>) =>
      ok(people.filter((one) => one.toLowerCase().includes(String(name).toLowerCase())).map((one) => ({ name: one })));
    const harvest = new Harvest([find], call);
    await harvest.run(find, { name: 'Priya' });
    await probe([find], harvest, Random.fromSeed(0));
    assert.deepEqual([...harvest.known(find, 'name', 'string')].sort(), [...people].sort());
  });

  it('gives a slow tool its time and no more, says so, and obeys a stop', async () => {
    const slow = tool('slowSearch', 'Searches slowly.', { word: STRING });
    const notes: string[] = [];
    let calls = 0;
    const call = async () => (calls++, await new Promise((resolve) => setTimeout(resolve, 30)), ok([]));
    await probe(
      [slow],
      new Harvest([slow], call, { msPerTool: 100, note: (message) => notes.push(message) }),
      Random.fromSeed(0),
    );
    assert.ok(calls <= 5, `${calls}`);
    assert.match(notes.join(), /slowSearch is slow/);
    const stop = new AbortController();
    const stopped = probe([slow], new Harvest([slow], call, { signal: stop.signal }), Random.fromSeed(0));
    stop.abort(new Error('stopped'));
    await assert.rejects(stopped, /stopped/);
  });
});

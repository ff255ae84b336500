import assert from 'node:assert/strict';
import { formSaid } from '../../trainer/base/formSaid';
import { Random } from '../../trainer/base/random';
import type { ToolSchema } from '../../trainer/protocol/task';
import { siblingsOf } from '../../trainer/tasks/generate/associations/associations';
import { Pool } from '../../trainer/tasks/generate/pool/pool';
import { isInOrder } from '../../trainer/tasks/generate/spans';
import type { KnownValues } from '../../trainer/tasks/generate/drawing';
import { drawArguments } from '../../trainer/tasks/generate/values';

const tool = (properties: Record<string, Record<string, unknown>>): ToolSchema => ({
  name: 'orderDinner',
  description: 'Order a dinner.',
  parameters: { type: 'object', properties, required: Object.keys(properties) },
  source: { file: 'tools.ts', line: 1 },
  binding: { exportName: 'orderDinner', positional: 'object' },
  changesWorld: true,
});
const knownTo = (pool: Pool): KnownValues =>
  Object.assign(pool.known.bind(null), { areShown: (one: ToolSchema, path: string) => pool.areShown(one, path) });
const drawn = (schema: ToolSchema, name: string): unknown[] => {
  const pool = new Pool([schema]);
  return Array.from(
    { length: 60 },
    (_, i) => drawArguments(schema, Random.fromSeed(`values ${i}`), knownTo(pool))?.[name],
  );
};

describe('made-up values', () => {
  it('are of the kind that the name speaks of', () => {
    const schema = tool({
      cuisine: { type: 'string' },
      deliveryRange: { type: 'string' },
      cookName: { type: 'string' },
    });
    assert.ok(drawn(schema, 'cuisine').some((value) => /^thai$/i.test(String(value))));
    assert.ok(drawn(schema, 'deliveryRange').some((value) => /tomorrow|pm|tonight|day/.test(String(value))));
    assert.ok(drawn(schema, 'cookName').every((value) => /^[\p{L}' -]+$/u.test(String(value))));
  });

  it('are a post code, a span of years and a height where that is asked for', () => {
    const schema = tool({
      zip: { type: 'string' },
      postalCode: { type: 'string' },
      years: { type: 'number' },
      year: { type: 'number' },
      height: { type: 'number' },
    });
    for (const name of ['zip', 'postalCode'])
      for (const value of drawn(schema, name))
        assert.match(String(value), /^(\d{4,5}|[A-Z]{2}\d+ \d[A-Z]{2}|\d{4} [A-Z]{2})$/i);
    assert.ok(drawn(schema, 'years').every((value) => (value as number) <= 30));
    assert.ok(drawn(schema, 'year').every((value) => (value as number) >= 1990));
    assert.ok(drawn(schema, 'height').every((value) => (value as number) >= 20));
  });

  it('have the form that the description asks for, whatever was found under such a name', () => {
    const asked = (description: string): Record<string, unknown> => ({ type: 'string', description });
    const schema = tool({
      from: asked('first day, YYYY-MM-DD'),
      until: asked('end of the session, HH:MM (optional)'),
      due: asked('DD.MM.YYYY'),
      notify: asked('who is told, an e-mail address'),
      begins: asked('Start time in ISO format'),
      ends: asked('YYYY-MM-DDTHH:MM:SSZ'),
      guests: { type: 'array', items: { type: 'string' }, description: "List of guests' emails" },
      content: asked("Body of the guest's email"),
    });
    const known = Object.assign((): string[] => ['2026-03-02T08:00'], { together: () => null });
    const all = Array.from({ length: 40 }, (_, i) => drawArguments(schema, Random.fromSeed(`forms ${i}`), known)!);
    for (const { from, until, due, notify, begins, ends, guests, content } of all) {
      assert.match(String(from), /^\d{4}-\d\d-\d\d$/);
      assert.match(String(until), /^\d\d:\d\d$/);
      assert.match(String(due), /^\d\d\.\d\d\.\d{4}$/);
      assert.match(String(notify), /^\S+@\S+\.\w+$/);
      assert.match(String(begins), /^\d{4}-\d\d-\d\dT\d\d:\d\d$/);
      assert.match(String(ends), /^\d{4}-\d\d-\d\dT\d\d:\d\d:00Z$/);
      for (const guest of guests as string[]) assert.match(guest, /^\S+@\S+\.\w+$/);
      assert.doesNotMatch(String(content), /@/);
    }
  });

  it('of a stay lie mostly within three weeks', () => {
    const day = { type: 'string', description: 'YYYY-MM-DD' };
    const schema = tool({ from: day, to: day });
    const days = Array.from({ length: 60 }, (_, i) => {
      const { from, to } = drawArguments(schema, Random.fromSeed(`stay ${i}`), new Pool([schema]).known)!;
      return (Date.parse(String(to)) - Date.parse(String(from))) / 86_400_000;
    });
    assert.ok(days.every((one) => one >= 0));
    assert.ok(days.filter((one) => one <= 40).length > 40, days.join());
  });

  it('a code of ISO, and the text of an email, are no form', () => {
    for (const none of ['ISO 4217 code of the currency', "Body of the customer's email", 'time zone, ISO name'])
      assert.equal(formSaid(none), null, none);
    assert.equal(formSaid('Date in ISO format')?.name, 'isoDate');
  });

  it('start before they end, whatever the pair is called', () => {
    const text = { type: 'string' };
    for (const [start, end, form] of [
      ['checkIn', 'checkOut', { ...text, format: 'date' }],
      ['pickup_date', 'dropoff_date', { ...text, format: 'date' }],
      ['startTime', 'endTime', { ...text, description: 'HH:MM' }],
      ['startsAt', 'endsAt', { ...text, format: 'date-time' }],
      ['minPrice', 'maxPrice', { type: 'number' }],
    ] as const) {
      const schema = tool({ firstName: text, lastName: text, [end]: form, [start]: form });
      const all = Array.from(
        { length: 40 },
        (_, i) => drawArguments(schema, Random.fromSeed(`pair ${i}`), new Pool([schema]).known)!,
      );
      for (const args of all) assert.ok(args[start]! <= args[end]!, JSON.stringify(args));
      assert.ok(
        all.every(isInOrder) && !all.every((args) => isInOrder({ ...args, [start]: args[end], [end]: args[start] })),
      );
    }
    assert.ok(isInOrder({ checkIn: 'friday', checkOut: 'at noon', inside: 3, outside: 1 }), 'no one knows');
  });

  it("of what has a title like a sentence are nobody's names", () => {
    const schema: ToolSchema = {
      ...tool({ title: { type: 'string', description: 'short summary' } }),
      name: 'createIssue',
    };
    const titles = ['Crash on start without a network', 'Dark theme for the chart'];
    const known = Object.assign((): string[] => titles, { together: () => null });
    const all = Array.from(
      { length: 80 },
      (_, i) => drawArguments(schema, Random.fromSeed(`title ${i}`), known)!.title,
    );
    const surname =
      / (Brandt|Castell|Ferris|Kowal|Lund|Moreau|Novak|Osei|Sato|Turner|Varga|Weiss|Smith|Evans|Khan|Silva)$/;
    assert.ok(!all.some((title) => surname.test(String(title))), all.join());
    assert.ok(all.some((title) => !titles.includes(String(title))));
  });

  it('the first day lies before the last, and of two names that are known most are new', () => {
    const schema = tool({ firstDay: { type: 'string' }, lastDay: { type: 'string' }, customer: { type: 'string' } });
    const known = Object.assign((_: ToolSchema, path: string) => (path === 'customer' ? ['Nina Koch'] : []), {
      together: () => null,
    });
    const all = Array.from({ length: 60 }, (_, i) => drawArguments(schema, Random.fromSeed(`days ${i}`), known)!);
    for (const { firstDay, lastDay } of all.filter(
      (one) => /^\d{4}-/.test(`${one.firstDay}`) && /^\d{4}-/.test(`${one.lastDay}`),
    ))
      assert.ok(String(firstDay) <= String(lastDay), `${String(firstDay)} ${String(lastDay)}`);
    const same = all.filter(({ customer }) => customer === 'Nina Koch').length;
    assert.ok(same > 5 && same < 35, `${same} of 60`);
  });

  it('words that a description shows are values, and for a telling name not the only ones', () => {
    const schema = tool({
      dishType: { type: 'string', description: 'what it is: starter, main, dessert' },
      genre: { type: 'string', description: 'such as jazz or a waltz' },
    });
    assert.deepEqual(new Set(drawn(schema, 'dishType')), new Set(['starter', 'main', 'dessert']));
    const paper = tool({ paper: { type: 'string', description: 'such as A4, A3, postcard' } });
    for (const one of ['A4', 'A3', 'postcard']) assert.ok(drawn(paper, 'paper').includes(one), one);
    const genres = new Set(drawn(schema, 'genre'));
    assert.ok(genres.has('jazz') && genres.has('waltz') && genres.size > 5, [...genres].join());
  });

  it('beside words that a description shows stand their like, not what the name alone would give', () => {
    const shown = { type: 'string', description: 'such as book, novel, album' };
    const schema = tool({
      objectType: shown,
      objectSelect: { type: 'string', description: 'such as this, current, next' },
      agency: { type: 'string', description: 'such as uber' },
      unit: { type: 'string', description: 'stars or points' },
    });
    const types = drawn(schema, 'objectType').map(String);
    assert.ok(types.filter((value) => ['book', 'novel', 'album'].includes(value)).length > 25, types.join());
    const beside = siblingsOf(['book', 'novel', 'album']);
    const invented = types.filter((value) => !['book', 'novel', 'album', ...beside].includes(value));
    assert.ok(types.some((value) => beside.includes(value)) && invented.length < 15, types.join());
    assert.ok(!types.some((value) => /^(private|premium|double|express)$/.test(value)));
    assert.ok(!drawn(schema, 'objectSelect').some((value) => /^(the|beyond) /i.test(String(value))));
    const agencies = drawn(schema, 'agency').filter((value) => value === 'uber').length;
    assert.ok(agencies > 8 && agencies < 45, `${agencies}`);
    assert.ok(drawn(schema, 'unit').filter((value) => /^(stars|points)$/.test(String(value))).length > 45);
  });

  it('what a word means goes by the tool that has it', () => {
    const about = (name: string, description: string, parameter: string, told = ''): string[] => {
      const schema = tool({ [parameter]: { type: 'string', ...(told ? { description: told } : {}) } });
      return drawn({ ...schema, name, description }, parameter).map((value) => String(value).toLowerCase());
    };
    assert.ok(!about('playMusic', 'Play music.', 'genre').includes('thriller'));
    assert.ok(!about('findMovie', 'Find a movie.', 'genre').includes('techno'));
    assert.ok(!about('playRadio', 'Play the radio.', 'station').includes('the town hall'));
    assert.ok(!about('reportDamage', 'Put a car into the workshop.', 'problem').includes('toothache'));
    assert.ok(about('visit', 'Book a visit for a patient.', 'problem').includes('fever'));
    const cinemas = about('showTimes', 'When films are on.', 'location', 'name of the cinema');
    assert.ok(!cinemas.some((value) => /^(oslo|lima|turin|dakar|kyoto)$/.test(value)), cinemas.join());
    const lamps = about('changeLight', 'Change a light.', 'device', 'which lamp');
    assert.ok(!lamps.some((value) => /camera|heater|speaker/.test(value)), lamps.join());
  });

  it('names for what creates a thing are mostly new; for what looks one up they are known', () => {
    const owners = ['Okafor', 'Tanaka', 'Olsson', 'Dunmore'];
    const schema = tool({ owner: { type: 'string' } });
    const pool = (name: string): string[] => {
      const one = { ...schema, name };
      const known = Object.assign(() => owners, { together: () => null });
      return Array.from({ length: 60 }, (_, i) =>
        String(drawArguments(one, Random.fromSeed(`new ${i}`), known)?.owner),
      );
    };
    const created = pool('registerPatient').filter((owner) => !owners.includes(owner));
    assert.ok(created.length > 20 && created.length < 50, `${created.length}`);
    assert.ok(pool('findPatient').filter((owner) => !owners.includes(owner)).length < 12);
  });

  it('what a description lists is all that there is; a list of numbers has more than one', () => {
    const schema = tool({
      room: { type: 'string', description: 'one of kitchen, hall, study' },
      level: { type: 'string', description: "Must be 'low' or 'high'." },
      note: { type: 'string', description: 'can be empty' },
      numbers: { type: 'array', items: { type: 'number' } },
    });
    assert.deepEqual(new Set(drawn(schema, 'room')), new Set(['kitchen', 'hall', 'study']));
    assert.deepEqual(new Set(drawn(schema, 'level')), new Set(['low', 'high']));
    assert.ok(!drawn(schema, 'note').includes('empty'));
    assert.ok(drawn(schema, 'numbers').every((list) => (list as number[]).length > 1));
  });

  it('are of the kind that a description shows, and never names; what one tool shows holds in the others', () => {
    const shown = tool({ category: { type: 'string', description: 'like Catering, Photography, Decoration' } });
    const bare = { ...tool({ category: { type: 'string' }, city: { type: 'string' } }), name: 'dropVendors' };
    const kinds = drawn(shown, 'category').map(String);
    assert.ok(kinds.filter((kind) => /^(Catering|Photography|Decoration)$/.test(kind)).length > 35);
    const pool = new Pool([shown, bare]);
    const others = Array.from({ length: 40 }, (_, i) => drawArguments(bare, Random.fromSeed(`o ${i}`), knownTo(pool)));
    assert.ok(others.every((args) => /^(Catering|Photography|Decoration)$/.test(String(args!['category']))));
  });

  it('are money where a description speaks of it, texts where it says so, and people of those who come', () => {
    const schema = tool({
      estimated: { type: 'number', description: 'Cost in EUR' },
      situation: { type: 'string', description: 'Brief description of their flat or tenant' },
      attendees: { type: 'array', items: { type: 'string' } },
      priority: { type: 'string' },
    });
    assert.ok(drawn(schema, 'estimated').filter((cost) => Number(cost) > 90).length > 20);
    assert.ok(drawn(schema, 'situation').filter((text) => String(text).includes(' ')).length > 45);
    assert.ok(
      drawn(schema, 'attendees').every((list) => (list as string[]).every((one) => !/\b(my|me|the)\b/.test(one))),
    );
    assert.ok(
      drawn(schema, 'priority').filter((text) => /^(low|medium|high|urgent|normal|critical)$/i.test(String(text)))
        .length > 40,
    );
  });

  it('of what looks one thing up say which; of a list they may say nothing', () => {
    const optional = { id: { type: 'string' }, customer: { type: 'string' } };
    const empty = (name: string): number => {
      const one = { ...tool(optional), name, parameters: { type: 'object', properties: optional } };
      const sets = Array.from({ length: 60 }, (_, i) => drawArguments(one, Random.fromSeed(`e ${i}`), () => []));
      return sets.filter((args) => Object.keys(args!).length === 0).length;
    };
    assert.ok(empty('lookupContact') < 10, String(empty('lookupContact')));
    assert.ok(empty('listContacts') > 10);
  });

  it('for tools of developers are repositories, paths and queries, as they are written', () => {
    const text = { type: 'string' };
    const properties = { owner: text, repo: text, path: text, branch: text, sql: text, timezone: text };
    const file = { ...tool(properties), name: 'updateFile', description: 'Update a file in a GitHub repository.' };
    const all = (name: string): string[] => drawn(file, name).map(String);
    assert.ok(all('owner').every((owner) => /^[a-z]+(\d*|-[a-z]+)$/.test(owner)));
    assert.ok(all('repo').filter((repo) => /^[a-z]+(-[a-z]+)?$/.test(repo)).length > 50);
    assert.ok(all('path').filter((path) => /\.[a-z]+$/.test(path)).length > 55);
    assert.ok(all('sql').every((sql) => sql.startsWith('SELECT ')));
    assert.ok(all('timezone').every((zone) => /^([A-Z][A-Za-z_]+\/[A-Z][A-Za-z_]+|UTC)$/.test(zone)));
    const folder = { ...file, name: 'listDirectory', description: 'Lists a directory.' };
    const pdf = { ...tool({ filepath: text }), name: 'pdf-to-markdown', description: 'Convert a PDF to Markdown.' };
    assert.ok(drawn(pdf, 'filepath').every((path) => String(path).endsWith('.pdf')));
    const search = { ...tool({ pattern: text }), name: 'searchFiles', description: 'Search for files.' };
    assert.ok(drawn(search, 'pattern').every((pattern) => /^(\*\*\/)?\*\.\w+$/.test(String(pattern))));
    assert.ok(drawn(folder, 'path').every((path) => !/\.[a-z]+$/.test(String(path))));
  });

  it('are codes where codes are shown, and whole places where one is', () => {
    const schema = tool({
      origin: { type: 'string', description: 'Origin airport code (e.g. SFO)' },
      location: { type: 'string', description: 'The city and state, e.g. San Francisco, CA' },
      symbol: { type: 'string', description: 'ticker symbol' },
    });
    assert.ok(drawn(schema, 'origin').every((code) => /^[A-Z]{3}$/.test(String(code))));
    assert.ok(new Set(drawn(schema, 'origin')).size > 4);
    assert.ok(drawn(schema, 'symbol').every((code) => /^[A-Z]{2,5}$/.test(String(code))));
    const places = new Set(drawn(schema, 'location'));
    assert.ok(places.has('San Francisco, CA') && !places.has('CA') && places.size > 10);
  });

  it('are as large and as round as a default that is given', () => {
    const size = tool({ pageChars: { type: 'integer', default: 5000 } });
    assert.ok(drawn(size, 'pageChars').every((n) => Number(n) % 500 === 0 && Number(n) <= 10_000 && Number(n) >= 500));
  });

  it('are questions about what the tool answers, of the customer or of anybody', () => {
    const schema = tool({
      question: { type: 'string', description: "the customer's question about bags or the wifi" },
    });
    const questions = drawn(schema, 'question').map(String);
    assert.ok(questions.every((question) => question.split(' ').length > 2));
    assert.ok(questions.filter((question) => /\b(bags|the wifi)\b/.test(question)).length > 20);
    const money = tool({
      question: { type: 'string', description: "e.g. 'what's my balance', 'how much did I spend'" },
    });
    const asShown = drawn(money, 'question').filter((one) =>
      /^(what's my balance|how much did I spend)\??$/i.test(String(one)),
    );
    assert.ok(asShown.length > 10 && asShown.length < 50);
    const words = tool({ query: { type: 'string', description: 'a question or keywords' } });
    assert.ok(drawn(words, 'query').every((value) => !/^(what|who|how (do|does|is|are)|can)\b/i.test(String(value))));
  });

  it('are codes of the shape that a description shows, until they are refused', () => {
    const schema = tool({
      confirmation: { type: 'string', description: 'of the booking, e.g. AB12CD' },
      orderId: { type: 'string', description: 'such as ORD-5512' },
      paper: { type: 'string', description: 'number of the size, e.g. A4' },
    });
    const codes = drawn(schema, 'confirmation');
    assert.ok(new Set(codes).size > 30);
    assert.ok(codes.every((code) => /^[A-Z]{2}\d{2}[A-Z]{2}$/.test(String(code))));
    assert.ok(drawn(schema, 'orderId').every((code) => /^ORD-\d{4}$/.test(String(code))));
    assert.deepEqual(new Set(drawn(schema, 'paper')), new Set(['A4']));
    const pool = new Pool([schema]);
    for (let i = 0; i < 6; i++) pool.learn(schema, { orderId: `ORD-${i}` }, 'failed', `no order ORD-${i}`);
    const strict = Array.from({ length: 40 }, (_, i) =>
      drawArguments(schema, Random.fromSeed(`strict ${i}`), knownTo(pool)),
    );
    assert.deepEqual(new Set(strict.map((args) => args!['orderId'])), new Set(['ORD-5512']));
  });

  it('a name behind "e.g." is one of many; "1 to 7" are the bounds of a number', () => {
    const schema = tool({
      city: { type: 'string', description: 'e.g. Berlin' },
      ref: { type: 'string', description: 'like D-501' },
      days: { type: 'number', description: 'how many days, 1 to 7' },
    });
    const cities = new Set(drawn(schema, 'city'));
    assert.ok(cities.has('Berlin') && cities.size > 10, [...cities].join());
    assert.ok(drawn(schema, 'ref').every((ref) => /^D-\d{3}$/.test(String(ref))));
    assert.deepEqual(new Set(drawn(schema, 'days')), new Set([1, 2, 3, 4, 5, 6, 7]));
  });

  it('are none that a pattern forbids, whatever the description shows', () => {
    const schema = tool({ table: { type: 'string', pattern: '^T\\d{2}$', description: 'such as T04' } });
    for (const value of drawn(schema, 'table')) assert.match(String(value), /^T\d{2}$/);
  });

  it('of one character are letters, whatever else of that length was found', () => {
    const schema = tool({ letter: { type: 'string', minLength: 1, maxLength: 1, examples: ['0', '1'] } });
    assert.ok(drawn(schema, 'letter').every((value) => /^[a-z]$/.test(String(value))));
  });

  it('of an enum the default is not told', () => {
    const schema = tool({ size: { enum: ['any', 'small', 'large'], default: 'any' } });
    assert.deepEqual(new Set(drawn(schema, 'size')), new Set(['small', 'large']));
  });
});

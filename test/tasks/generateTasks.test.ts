import assert from 'node:assert/strict';
import type { Task, ToolSchema, ToolWithoutTasks } from '../../trainer/protocol/task';
import type { ToolResult } from '../../trainer/protocol/trace';
import { generateTasks } from '../../trainer/tasks/generate/generateTasks';
import { tasksToJsonl } from '../../trainer/tasks/readTasks';
import { saysValue } from '../../trainer/base/saysValue';
import { readStrata } from '../../trainer/protocol/strata';
import { strataWords, type MadeStrata } from '../../trainer/tasks/generate/strata';
import { withoutTasksMessage } from '../../trainer/tasks/generate/toolWithoutTasks';
import { meetsGold } from '../../trainer/tasks/solved';
import { contentKey, FINDS_NOTHING_TAG, NEW_PHRASING, splitTasks } from '../../trainer/tasks/taskset';
import { isUserError, NUMBER, ok, STRING, threw, tool } from './fixtures';

const BOOKS = ['Ulysses', 'Emma', 'Dracula', 'Beloved', 'Middlemarch', 'Persuasion'].map((title, i) => ({
  bookId: `b${i + 11}`,
  title,
  pages: 200 + 17 * i,
}));
const tools: ToolSchema[] = [
  tool('findBooks', 'Find books by a word of the title.', { word: STRING }),
  tool('bookPages', 'Returns the number of pages of a book.', { bookId: STRING }),
  tool(
    'lendBook',
    'Lend a book to a reader.',
    { bookId: STRING, reader: STRING, 'weeks?': { ...NUMBER, default: 2, minimum: 1, maximum: 6 } },
    { changesWorld: true },
  ),
  tool('openingHours', 'Opening hours on a day.', { day: { type: 'string', enum: ['monday', 'sunday'] } }),
];
const calls: string[] = [];
const call = async (name: string, args: Record<string, unknown>): Promise<ToolResult> => {
  calls.push(name);
  if (name === 'findBooks')
    return ok(
      BOOKS.filter(({ title }) => title.toLowerCase().includes(String(args.word).toLowerCase())).map(
        ({ bookId, title }) => ({ bookId, title }),
      ),
    );
  if (name === 'bookPages')
    return ((book) => (book ? ok(book.pages) : threw('no such book')))(
      BOOKS.find(({ bookId }) => bookId === args.bookId),
    );
  return name === 'openingHours'
    ? ok({ day: args.day, hours: args.day === 'sunday' ? '10-12' : '9-18' })
    : threw('must not be called');
};
const strings = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(strings)
      : [];
const kindOf = (task: Task): string => task.tags![0];

describe('values of tools that list something for anything', () => {
  it('are no words of what they gave, nor what is written where there is none', async () => {
    const ask = tool('writeQuestions', 'Writes questions for a job.', { 'author?': STRING, job: STRING });
    const made = await generateTasks([ask], {
      count: 60,
      seed: 1,
      call: async (_name, { author = 'Author', job }) => ok({ author, job, questions: ['Describe gardens slowly'] }),
    });
    const values = made.flatMap(({ calls = [] }) => calls.flatMap((one) => strings(one.arguments)));
    assert.ok(values.length > 20);
    assert.ok(!values.some((value) => /^(Describe|gardens|slowly|Author)$/i.test(value)), values.join());
  });
});

describe('chains', () => {
  it('seldom begin with an id, and as often where calls of the second tool often fail', async () => {
    const books = tools.slice(0, 2);
    const readers = [
      tool('getCopy', 'Get a copy of a book.', { copyId: STRING }),
      tool('reserveBook', 'Reserve a book.', { bookId: STRING, shelf: { type: 'integer' } }),
    ];
    const made = await generateTasks([...books, ...readers], {
      count: 300,
      seed: 4,
      call: async (name, args) => {
        if (name === 'getCopy') return ok({ copyId: args.copyId, bookId: BOOKS[0]!.bookId });
        if (name === 'reserveBook')
          return Number(args.shelf) % 3 === 0 ? ok({ reserved: true }) : threw('no such shelf');
        return call(name, args);
      },
    });
    const chains = made
      .filter((one) => kindOf(one) === 'chain')
      .map((one) => one.calls!.map(({ name }) => name).join());
    const count = (first: string, second = ''): number =>
      chains.filter((one) => one.startsWith(first) && one.endsWith(second)).length;
    assert.ok(count('getCopy') > 4 && count('getCopy') < chains.length / 3, `${chains}`);
    const [pages, reserved] = [count('findBooks', 'bookPages'), count('findBooks', 'reserveBook')];
    assert.ok(reserved > 0.7 * pages, `${pages}, ${reserved}`);
  });

  it('seldom go through another thing where the thing itself can be looked up', async () => {
    const rooms = Array.from({ length: 8 }, (_, i) => ({ roomId: `R-${i + 11}`, name: `${'ABCDEFGH'[i]}rven Hall` }));
    const stays = rooms.map(({ roomId }, i) => ({ stayId: `S-${i + 31}`, guest: `Ida ${'KLMNOPQR'[i]}oen`, roomId }));
    const hotel = [
      tool('findRoom', 'Find a room by its name.', { name: STRING }),
      tool('findStay', 'Find a stay by its guest.', { guest: STRING }),
      tool('cleanRoom', 'Clean a room.', { roomId: STRING }, { changesWorld: true }),
    ];
    const found = (list: readonly object[], word: unknown) =>
      ok(list.filter((one) => word && JSON.stringify(one).includes(String(word))));
    const made = await generateTasks(hotel, {
      count: 300,
      seed: 4,
      call: async (name, args) => (name === 'findRoom' ? found(rooms, args.name) : found(stays, args.guest)),
    });
    const firsts = made.filter(({ calls = [] }) => calls[1]?.name === 'cleanRoom').map(({ calls }) => calls![0]!.name);
    const [own, other] = ['findRoom', 'findStay'].map((name) => firsts.filter((first) => first === name).length);
    assert.ok(other! > 5 && own! > 1.7 * other! && own! < 2.3 * other!, `${own}, ${other}`);
  });
});

describe('generateTasks', function () {
  this.timeout(30_000);
  let tasks: Task[];
  before(async () => (tasks = await generateTasks(tools, { count: 300, seed: 3, call })));

  it('makes the same bytes from the same seed, others from another', async () => {
    const again = await generateTasks(tools, { count: 300, seed: 3, call });
    assert.equal(tasksToJsonl(again), tasksToJsonl(tasks));
    assert.ok(
      tasks.every(({ source }) => source === 'schema' || source === 'grammar'),
      'each says what made it',
    );
    assert.notEqual(tasksToJsonl(await generateTasks(tools, { count: 300, seed: 4, call })), tasksToJsonl(tasks));
  });

  it('takes no value from what the tools returned where only those of the schemas are wanted', async () => {
    const found = (made: readonly Task[]): string[] =>
      made.flatMap(({ calls = [] }) =>
        // the second call of a chain has what the first one gives
        strings(calls[0]?.arguments).filter((value) => BOOKS.some((book) => Object.values(book).includes(value))),
      );
    assert.ok(found(tasks).length > 10, 'found ones are taken');
    assert.deepEqual(found(await generateTasks(tools, { count: 300, seed: 3, call, values: 'schema' })), []);
  });

  it('covers every tool and kind, with ids and prompts of their own, and never calls what changes the world', () => {
    assert.ok(tasks.length >= 200, `${tasks.length}`); // the six books leave room for fewer than 300
    for (const { name } of tools)
      assert.ok(
        tasks.some((one) => one.calls!.some((made) => made.name === name)),
        name,
      );
    for (const kind of ['oneCall', 'chain', 'noTool'])
      assert.ok(
        tasks.some((one) => kindOf(one) === kind),
        kind,
      );
    assert.equal(new Set(tasks.map(({ id }) => id)).size, tasks.length);
    assert.equal(new Set(tasks.map(({ prompt }) => prompt)).size, tasks.length);
    assert.ok(!calls.includes('lendBook'));
  });

  it('says every text and number of the arguments in the prompt or has it in an earlier result, in at most 45 words', async () => {
    for (const { prompt, calls: gold } of tasks) {
      let seen = prompt;
      assert.ok(prompt.split(/\s+/).length <= 45, prompt);
      for (const made of gold!) {
        for (const text of strings(made.arguments)) assert.ok(saysValue(seen, text), `${text} in: ${seen}`);
        if (typeof made.arguments.weeks === 'number') assert.ok(saysValue(prompt, made.arguments.weeks), prompt);
        if (made.name !== 'lendBook') seen += (await call(made.name, made.arguments)).content;
      }
    }
  });

  it('finds chains by name and type, the second value from the first result', () => {
    const chains = new Set(
      tasks.filter((one) => kindOf(one) === 'chain').map((one) => one.calls!.map(({ name }) => name).join(' > ')),
    );
    assert.deepEqual([...chains].sort(), ['findBooks > bookPages', 'findBooks > lendBook']);
  });

  it('names one of those that a tool without arguments lists, and never asks for the list then', async () => {
    const shelf = [
      tool('listBooks', 'Lists all books.', {}),
      tool('lendBook', 'Lend a book.', { bookId: STRING }, { changesWorld: true }),
    ];
    const made = await generateTasks(shelf, {
      count: 120,
      seed: 3,
      call: async () => ok({ books: BOOKS.slice(0, 4) }),
    });
    const chains = made.filter(({ calls }) => calls!.length === 2);
    const named = chains.filter(({ prompt }) =>
      BOOKS.some(({ title }) => prompt.toLowerCase().includes(title.toLowerCase())),
    );
    assert.ok(named.length > chains.length / 3 && named.length < chains.length, `${named.length} of ${chains.length}`);
    for (const { prompt, calls } of named) {
      const title = BOOKS.find(({ bookId }) => bookId === calls![1]!.arguments.bookId)!.title;
      assert.deepEqual(calls![0], { name: 'listBooks', arguments: {} });
      assert.ok(prompt.toLowerCase().includes(title.toLowerCase()), prompt);
    }
    assert.ok(new Set(named.map(({ calls }) => calls![1]!.arguments.bookId)).size > 1);
    const split = splitTasks(
      await generateTasks(shelf, { count: 400, seed: 3, call: async () => ok({ books: BOOKS.slice(0, 4) }) }),
      { heldOut: 40 },
    );
    for (const name of ['train', 'heldOut'] as const)
      assert.ok(
        split[name].some(({ calls }) => calls!.length === 1 && calls![0]!.name === 'listBooks'),
        name,
      );

    const find = tool('findBook', 'Finds a book by its title.', { title: STRING });
    const withSearch = await generateTasks([...shelf, find], {
      count: 120,
      seed: 3,
      call: async (name, { title }) =>
        ok(name === 'listBooks' ? { books: BOOKS.slice(0, 4) } : BOOKS.filter((book) => book.title === title)),
    });
    for (const { prompt, calls } of withSearch.filter((task) => task.calls![0]?.name === 'listBooks'))
      assert.ok(!BOOKS.some(({ title }) => prompt.includes(title)), `${prompt} ${JSON.stringify(calls)}`);
  });

  it('has a few look-ups of one call that really find nothing, and no chain that ends so', async () => {
    const ofFinding = tasks.filter((one) => one.calls!.at(-1)?.name === 'findBooks');
    const nothing = ofFinding.filter((one) => one.tags!.includes(FINDS_NOTHING_TAG));
    assert.ok(nothing.length > 0 && nothing.length <= 1 + 0.05 * ofFinding.length, `${nothing.length}`);
    for (const one of ofFinding) {
      const { content } = await call('findBooks', one.calls![0]!.arguments);
      assert.equal(content === '[]', nothing.includes(one), one.prompt);
      if (nothing.includes(one)) assert.equal(kindOf(one), 'oneCall');
    }
  });

  it('has gold calls that solve it, and gold answers where the last result is one scalar', () => {
    for (const one of tasks) {
      const last = one.calls!.at(-1)?.name;
      assert.equal(one.answer !== undefined, last === 'bookPages' || last === 'openingHours', one.prompt);
      const made = one.calls!.map((gold) => ({ ...gold, resultKind: 'ok' as const }));
      assert.ok(meetsGold(one, { calls: made, lastReply: one.answer ?? 'done', terminated: true }, tools));
    }
    assert.equal(
      tasks.find((one) => one.calls![0]?.arguments.bookId === 'b11' && one.calls![0].name === 'bookPages')?.answer,
      '200',
    );
    // the day was given, the hours are the one scalar left
    assert.equal(tasks.find((one) => one.calls![0]?.arguments.day === 'sunday')?.answer, '10-12');
  });

  it('keeps a quarter of the families for held-out, and paraphrases together', () => {
    const split = splitTasks(tasks, { heldOut: 90, tools });
    const families = (of: Task[]): Set<string> =>
      new Set(of.map((one) => `${kindOf(one)} ${one.tags!.find((tag) => tag.startsWith('family:'))}`));
    const fresh = families(tasks.filter((one) => one.tags!.includes(NEW_PHRASING)));
    // a quarter of the forms, of the joints and of the schemas' families
    assert.ok(fresh.size >= 8 && fresh.size <= 24, `${[...fresh]}`);
    const known = families([...split.train, ...split.validation]);
    for (const family of fresh) assert.ok(!known.has(family), family);
    const heldOut = new Set(split.heldOut.map((one) => contentKey(one, tools)));
    for (const one of split.train) assert.ok(!heldOut.has(contentKey(one, tools)), one.prompt);
  });

  it('says which tool it could make nothing for, and refuses when none is left', async () => {
    const without: ToolWithoutTasks[] = [];
    const broken = tool('lookUp', 'Look up a thing.', { key: STRING });
    await generateTasks([...tools, broken], {
      count: 60,
      seed: 0,
      call: async (name, args) => (name === 'lookUp' ? threw('no such key') : call(name, args)),
      onWithoutTasks: (_tool, why) => without.push(why),
    });
    assert.deepEqual(
      without.map(({ tool: name, parameter }) => [name, parameter]),
      [['lookUp', 'key']],
    );
    assert.match(without[0]!.why, /no such key/);
    await assert.rejects(
      generateTasks([broken], { count: 10, seed: 0, call: async () => threw('no such key') }),
      isUserError(/no task could be made for lookUp.*no such key/, /@example/),
    );
    await assert.rejects(generateTasks([], { count: 10, seed: 0, call }), isUserError(/no tools/));
    await assert.rejects(generateTasks(tools, { count: NaN, seed: 0, call }), isUserError(/count/));
  });

  it('does not ask for an @example where none would help: a table of any keys', async () => {
    const total = tool(
      'total',
      'Add up a basket.',
      { basket: { type: 'object', additionalProperties: NUMBER } },
      { examples: ['total({ apple: 2 })'] },
    );
    const without: ToolWithoutTasks[] = [];
    await generateTasks([...tools, total], {
      count: 60,
      seed: 0,
      call,
      onWithoutTasks: (_tool, why) => without.push(why),
    });
    assert.deepEqual([without.length, without[0]!.parameter, without[0]!.found], [1, null, null]);
    const message = withoutTasksMessage(without[0]!);
    assert.match(message, /total: basket is a table of any keys.*List its keys as properties.*tools\.tasks\.jsonl/);
    assert.doesNotMatch(message, /@example/);
    await assert.rejects(
      generateTasks([total], { count: 10, seed: 0, call }),
      isUserError(/basket is a table of any keys/, /^(?!.*@example).*tools\.tasks\.jsonl/),
    );
  });

  it('asks for no tool that is deprecated where its description names the one in its place', async () => {
    const read = tool('readNote', 'Reads a note.', { title: STRING });
    const old = tool('getNote', 'DEPRECATED: use readNote instead. Reads a note.', { title: STRING });
    const without: string[] = [];
    const made = await generateTasks([read, old], {
      count: 40,
      seed: 0,
      call: async () => ok({ body: 'milk' }),
      onWithoutTasks: (_tool, why) => without.push(withoutTasksMessage(why)),
    });
    assert.ok(made.some(({ calls }) => calls?.[0]?.name === 'readNote'));
    assert.ok(!made.some(({ calls = [] }) => calls.some(({ name }) => name === 'getNote')));
    assert.deepEqual(without, [
      'No task could be made for getNote: its description says that it is deprecated, and readNote in its place is asked ' +
        'for. Leave it out.',
    ]);
  });

  it('takes @example values where nothing else is known', async () => {
    const known = tool(
      'lookUp',
      'Look up a thing.',
      { key: STRING },
      { examples: ["lookUp('zx-81')", 'lookUp("c-64")'] },
    );
    const made = await generateTasks([known], {
      count: 20,
      seed: 0,
      call: async (_name, args) =>
        /^(zx-81|c-64)$/.test(String(args.key)) ? ok({ year: 1982 }) : threw('no such key'),
    });
    assert.deepEqual(
      new Set(made.filter((one) => one.calls!.length).map((one) => one.calls![0].arguments.key)),
      new Set(['zx-81', 'c-64']),
    );
  });

  it('works for awkward tools: no description, no parameters, nested objects, arrays, unions, formats, patterns, booleans', async () => {
    const awkward = [
      tool('ping', ''),
      tool('HTTPStatus', '', { code: { type: 'integer', minimum: 100, maximum: 599 } }),
      tool('make_label', 'Creates a label for a shipment, which is printed later.', {
        address: {
          type: 'object',
          properties: { city: STRING, zip: { type: 'string', pattern: '^[A-Z]{2}-\\d{4}$' } },
          required: ['city', 'zip'],
        },
      }),
      tool('sumOf', 'Sum of numbers', { numbers: { type: 'array', items: NUMBER, minItems: 2 } }),
      tool('remind', 'Reminds you.', {
        at: { type: 'string', format: 'date-time' },
        urgent: { type: 'boolean' },
        'who?': { anyOf: [{ type: 'null' }, STRING] },
      }),
      tool('anything', 'Takes anything.', { 'blob?': {} }),
    ];
    const made = await generateTasks(awkward, {
      count: 200,
      seed: 1,
      call: async (name, args) => ok({ [name]: Object.keys(args).length }),
    });
    for (const { name } of awkward)
      assert.ok(
        made.some((one) => one.calls![0]?.name === name),
        name,
      );
    for (const one of made)
      for (const gold of one.calls!)
        if (gold.name === 'make_label')
          assert.match((gold.arguments.address as { zip: string }).zip, /^[A-Z]{2}-\d{4}$/);
  });

  it('makes the strata that are asked for, and says what was dropped', async () => {
    const strata = readStrata('single:30,sequential:35,conditional:20,rejection:15')!;
    const stock = Array.from({ length: 24 }, (_, i) => ({
      orderId: `A-${100 + i}`,
      status: ['paid', 'open', 'shipped'][i % 3]!,
      customer: ['Ada Low', 'Bo Finn', 'Cy Gray', 'Di Hall'][i % 4]!,
    }));
    const shop = [
      tool('findOrder', 'Find an order by its id.', { orderId: STRING }, { examples: ['findOrder("A-100")'] }),
      tool('listOrderIds', 'List the ids of all orders.', {}),
      tool('customerEmail', 'The email address of a customer.', { customer: STRING }),
      tool('cancelOrder', 'Cancel an order.', { orderId: STRING }, { changesWorld: true }),
    ];
    const answer = async (name: string, args: Record<string, unknown>): Promise<ToolResult> => {
      if (name === 'listOrderIds') return ok(stock.map(({ orderId, status }) => ({ orderId, status })));
      if (name === 'customerEmail')
        return stock.some(({ customer }) => customer === args.customer)
          ? ok(`${String(args.customer).split(' ')[0]!.toLowerCase()}@example.org`)
          : threw('no such customer');
      const order = stock.find(({ orderId }) => orderId === args.orderId);
      return order ? ok({ status: order.status, customer: order.customer }) : threw('no such order');
    };
    let told: MadeStrata | null = null;
    const make = (count: number) =>
      generateTasks(shop, { count, seed: 5, call: answer, strata, onMade: (made) => (told = made) });
    const made = await make(200);
    const { made: counts, dropped } = told!;
    assert.deepEqual(counts, { single: 60, sequential: 70, conditional: 40, rejection: 30 });
    assert.ok(Object.values(dropped).every((n) => n > 0) && Object.keys(dropped).length > 1, JSON.stringify(dropped));
    assert.match(
      strataWords(told!, strata).words,
      /^200 tasks were made: 60 single, 70 sequential, 40 conditional, 30 rej/,
    );
    assert.equal(strataWords(told!, strata).missing, null);
    const conditional = made.filter((one) => kindOf(one) === 'conditional');
    const held = conditional.filter(({ calls: gold }) => gold!.length === 2);
    assert.ok(held.length > 8 && held.length < 32, `${held.length} of 40 hold`);
    for (const { prompt, calls: gold } of conditional) {
      const isList = gold![0]!.name === 'listOrderIds';
      const order = isList ? stock[0]! : stock.find(({ orderId }) => orderId === gold![0]!.arguments.orderId)!;
      assert.equal(/of the first/i.test(prompt), isList, prompt);
      // what it is asked to be stands in the words; the second call is gold where the tool really says so
      const wanted = ['paid', 'open', 'shipped'].find((status) => new RegExp(`\\b${status}\\b`, 'i').test(prompt));
      assert.ok(wanted, prompt);
      assert.equal(gold!.length === 2, order.status === wanted, `${prompt} (${order.status})`);
    }
    for (const one of made.filter((each) => kindOf(each) === 'rejection')) {
      assert.deepEqual(one.calls, []);
      assert.ok(one.tags!.includes('refusal'), one.tags!.join());
    }
    assert.ok(made.some(({ prompt, calls: gold }) => gold!.length === 0 && /A-1\d\d|Ada|Bo|Cy|Di/i.test(prompt)));
    assert.equal(tasksToJsonl(await make(200)), tasksToJsonl(made));
    // without links the single ones fill, which is told
    const alone = await generateTasks(shop.slice(2, 3), {
      count: 20,
      seed: 5,
      call: async () => ok({ mail: 'x@example.org' }),
      strata,
      onMade: (one) => (told = one),
    });
    assert.ok(alone.every((one) => ['oneCall', 'rejection'].includes(kindOf(one))));
    assert.match(strataWords(told!, strata).missing!, /fewer sequential and conditional tasks.*0 of/);
    for (const wrong of ['single:60', 'single:50,single:50', 'one:100', 'single:-1,rejection:101', ''])
      assert.equal(readStrata(wrong), null, wrong);
  });
});

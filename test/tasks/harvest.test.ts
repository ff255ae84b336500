import assert from 'node:assert/strict';
import { Random } from '../../trainer/base/random';
import { stableJson, type Arguments } from '../../trainer/protocol/arguments';
import { findLinks, pickNamed } from '../../trainer/tasks/generate/chains';
import { drawNumber } from '../../trainer/tasks/generate/drawNumber';
import { drawArguments } from '../../trainer/tasks/generate/values';
import { Harvest } from '../../trainer/tasks/generate/harvest';
import { resultFacts } from '../../trainer/tasks/generate/pool/results';
import { probe } from '../../trainer/tasks/generate/probe';
import { fitOf, LIKELY } from '../../trainer/tools/values/fit';
import { namedIds } from '../../trainer/tools/values/namedIds';
import { pythonLiteral } from '../../trainer/tools/values/pythonLiteral';
import { placesOf } from '../../trainer/tools/values/places';
import { ok, STRING, threw, tool } from './fixtures';

/** A shop that wraps whatever it says, and logs what it was asked. */
const PRODUCTS = { 'Desk Lamp': '681714', Bicycle: '978373', 'LED Bulb': '269619' };
const find = tool('find_user_id_by_email', 'Find user id by email.', { email: STRING });
const user = tool('get_user', 'Get the details of a user.', { user_id: STRING });
const order = tool('get_order', 'Get an order.', { order_id: STRING });
const list = tool('list_products', 'Lists what there is.', {});
const product = tool('get_product', 'Get the details of a product.', { product_id: STRING });
const log = tool('get_call_log', 'Get the log of calls.', {});
const tools = [{ ...find, examples: ['{"email": "yusuf@shop.example"}'] }, user, order, list, product, log];

function shop(): Harvest {
  const calls: { id: string; name: string; arguments: Arguments }[] = [];
  const said = (name: string, args: Arguments): unknown => {
    if (name === find.name) return args.email === 'yusuf@shop.example' ? 'yusuf_rossi' : undefined;
    if (name === list.name) return PRODUCTS;
    if (name === log.name) return { calls };
    if (name === user.name)
      return args.user_id === 'yusuf_rossi' ? { orders: ['#W23'], agent: { id: 'A-7', role: 'desk' } } : undefined;
    if (name === order.name) return args.order_id === '#W23' ? { status: 'sent' } : undefined;
    return Object.values(PRODUCTS).includes(String(args.product_id)) ? { options: { 'switch type': 'x' } } : undefined;
  };
  return new Harvest(tools, async (name, args) => {
    const call = { id: `call_${calls.length}`, name, arguments: args };
    const content = said(name, args);
    calls.push(call);
    const whole = JSON.stringify({ ok: content !== undefined, tool: name, content, call });
    return content === undefined ? threw(whole) : ok(whole);
  });
}

describe('tools that wrap what they say', () => {
  it('are looked through: what an id is looked up by, things by their names, and nothing that was only asked', async () => {
    const harvest = shop();
    await probe(tools, harvest, Random.fromSeed(0));
    const at = (one: typeof user, path: string): unknown[] => harvest.pool.valuesAt(one, path);
    assert.deepEqual(at(user, 'user_id'), ['yusuf_rossi']);
    assert.deepEqual(at(order, 'order_id'), ['#W23']);
    assert.deepEqual(at(product, 'product_id'), Object.values(PRODUCTS));
    const links = await findLinks(tools, harvest, Random.fromSeed(0), () => true);
    const named = links.map(({ from, to, parameter }) => `${from.name} ${to.name}.${parameter}`);
    assert.ok(named.includes('find_user_id_by_email get_user.user_id'), named.join());
    assert.ok(!links.some(({ from }) => from === log), named.join());
  });

  it('let one of what they list be asked for by its name', async () => {
    const harvest = shop();
    const seen = (await harvest.run(list, {}))!;
    const link = { from: list, property: 'id', to: product, parameter: 'product_id' };
    const picked = pickNamed(link, seen, (value) => harvest.pool.knownAs(value), Random.fromSeed(1));
    assert.ok(picked);
    assert.equal(PRODUCTS[picked.thing as keyof typeof PRODUCTS], picked.value);
  });
});

describe('objects of results', () => {
  it('that give things by their names have ids for values', () => {
    assert.deepEqual(namedIds({ 'Desk Lamp': '68', Bicycle: '97' }), null, 'too short for an id');
    assert.deepEqual(namedIds({ 'E-Reader': 'p-38', Bicycle: 'p-97' }), [
      { name: 'E-Reader', id: 'p-38' },
      { name: 'Bicycle', id: 'p-97' },
    ]);
    for (const other of [
      { orderId: 'O-17', userId: 'U-23' },
      { AAPL: '189.2', MSFT: '310.1' },
      { Bicycle: 'p-97' },
      [],
    ])
      assert.equal(namedIds(other), null, JSON.stringify(other));
  });

  it('are of what they are called after; what has a space is no id', () => {
    const [place] = placesOf(tool('cancel_order', 'Cancels it.', { order_id: STRING }));
    const fits = (value: unknown): unknown[] =>
      resultFacts(tool('get_order', ''), {}, value)
        .filter((fact) => fitOf(fact, place!) >= LIKELY)
        .map((fact) => fact.value);
    assert.deepEqual(fits({ data: { id: 'O-17', total: 3 } }), ['O-17']);
    assert.deepEqual(fits({ id: 'O-17', courier: { id: 'C-2', name: 'Bo' } }), ['O-17']);
    assert.deepEqual(fits({ options: { 'switch type': 'linear', size: 'full' } }), []);
  });

  it('have a key of a state, which is no state', () => {
    const [state, key] = placesOf(tool('move', 'Changes an address.', { state: STRING, state_key: STRING }));
    const [fact] = resultFacts(tool('get_log', ''), {}, { state_key: 'shop/default' });
    assert.deepEqual([fitOf(fact!, state!) >= LIKELY, fitOf(fact!, key!) >= LIKELY], [false, true]);
  });
});

describe('a graph of things', () => {
  const text = { type: 'string' };
  const relation = {
    type: 'object',
    properties: { from: text, to: text, relationType: text },
    required: ['from', 'to', 'relationType'],
  };
  const list = { relations: { type: 'array', items: relation } };
  const read = tool('read_graph', 'Reads the whole graph.', {});
  const cut = { ...tool('delete_relations', 'Deletes relations.', list), changesWorld: true };
  const note = {
    ...tool('add_notes', 'Adds notes to existing entities.', { entityName: STRING, note: STRING }),
    changesWorld: true,
  };
  const entities = ['Marta Kowalska', 'Gdansk office', 'Project Heron', 'Acme Logistics'];
  const relations = [
    { from: entities[0]!, to: entities[1]!, relationType: 'leads' },
    { from: entities[3]!, to: entities[2]!, relationType: 'supplies' },
  ];
  const graph = { entities: entities.map((name) => ({ name, entityType: 'thing' })), relations };
  const asked = async (value: unknown): Promise<Harvest> => {
    const harvest = new Harvest([read, cut, note], async () => ok(value));
    await harvest.run(read, {});
    return harvest;
  };
  const draw = (harvest: Harvest, one: typeof cut): Arguments[] => {
    const random = Random.fromSeed(0);
    return Array.from({ length: 60 }, () => drawArguments(one, random, harvest.known)!);
  };

  it('what is deleted of it is there as a whole, each once; a note is added to what exists', async () => {
    const harvest = await asked(graph);
    const cuts = draw(harvest, cut).map((args) => args.relations as Arguments[]);
    const whole = cuts.flat().filter((one) => relations.some((other) => stableJson(other) === stableJson(one)));
    assert.ok(whole.length > 0.7 * cuts.flat().length, `${whole.length} of ${cuts.flat().length}`);
    for (const items of cuts) assert.equal(new Set(items.map((item) => stableJson(item))).size, items.length);
    for (const { entityName } of draw(harvest, note)) assert.ok(entities.includes(String(entityName)), `${entityName}`);
  });

  it('that is empty, or a picture, gives no values', async () => {
    for (const value of [{ entities: [], relations: [] }, { picture: '[image image/png, 40 bytes, not shown]' }]) {
      const harvest = await asked(value);
      assert.equal(harvest.pool.size, 0, JSON.stringify(value));
      assert.deepEqual(harvest.values(), []);
    }
  });

  it('in steps of a tool, where few are the default', () => {
    const draws = (schema: object): number[] => {
      const random = Random.fromSeed(0);
      return Array.from({ length: 40 }, () => drawNumber({ type: 'integer', ...schema }, 'steps', [], random));
    };
    assert.ok(Math.max(...draws({ default: 5 })) < 100);
    assert.ok(Math.min(...draws({})) >= 1000);
  });
});

describe('a database', () => {
  const rows = "[{'name': 'orders', 'kept': True}, {'name': 'customers', 'kept': None}]";
  const list = tool('list_tables', 'Lists all tables in the SQLite database', {});
  const columns = tool('describe_table', 'Gets the schema of a table', { table_name: STRING });
  const read = tool('read_query', 'Execute a SELECT query on the SQLite database', { query: STRING });
  const create = { ...tool('create_table', 'Creates new tables', { query: STRING }), changesWorld: true };
  const drop = { ...tool('drop_table', 'Removes a table', { table_name: STRING }), changesWorld: true };
  const tools = [list, columns, read, create, drop];

  it('is asked in statements about the tables that it has, and none is called like a column', async () => {
    const harvest = new Harvest(tools, async (name, { table_name: table }) => {
      if (name === list.name) return ok(rows);
      const isThere = table === 'orders' || table === 'customers';
      if (name === columns.name) return isThere ? ok("[{'name': 'id'}, {'name': 'due_on'}]") : threw('no such table');
      return ok('[]');
    });
    await probe(tools, harvest, Random.fromSeed(0));
    assert.deepEqual(harvest.pool.valuesAt(drop, 'table_name'), ['orders', 'customers']);
    const links = await findLinks(tools, harvest, Random.fromSeed(0), () => true);
    assert.ok(!links.some(({ from, to }) => from === columns && to === drop), JSON.stringify(links));
    const random = Random.fromSeed(0);
    for (let i = 0; i < 30; i++) {
      const query = String(drawArguments(read, random, harvest.known)!.query);
      assert.match(query, /^SELECT .* FROM (orders|customers)\b/);
      assert.match(String(drawArguments(create, random, harvest.known)!.query), /^CREATE TABLE \w+ \(/);
    }
  });

  it('of Python answers in its own notation', () => {
    assert.deepEqual(pythonLiteral(rows), [
      { name: 'orders', kept: true },
      { name: 'customers', kept: null },
    ]);
    assert.deepEqual(pythonLiteral(`[('a', "it's"), ('b\\'c', 2.5)]`), [
      ['a', "it's"],
      ["b'c", 2.5],
    ]);
    for (const text of ["it's [a]", '[1, 2]', "['a'", "{'a': open}"])
      assert.equal(pythonLiteral(text), undefined, text);
  });
});

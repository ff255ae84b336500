import assert from 'node:assert/strict';
import { Random } from '../../trainer/base/random';
import type { Arguments } from '../../trainer/protocol/arguments';
import { findLinks, pickNamed } from '../../trainer/tasks/generate/chains';
import { Harvest } from '../../trainer/tasks/generate/harvest';
import { resultFacts } from '../../trainer/tasks/generate/pool/results';
import { probe } from '../../trainer/tasks/generate/probe';
import { fitOf, LIKELY } from '../../trainer/tools/values/fit';
import { namedIds } from '../../trainer/tools/values/namedIds';
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

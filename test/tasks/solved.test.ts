import assert from 'node:assert/strict';
import { equalJson, stableJson, withDefaults, withoutDefaults } from '../../trainer/protocol/arguments';
import { answerOccurs, meetsGold, type MadeCall } from '../../trainer/tasks/solved';
import { NUMBER, STRING, task, tool } from './fixtures';

const tools = [
  tool('search', 'Search.', { query: STRING, 'limit?': { ...NUMBER, default: 5 } }),
  tool('send', 'Send.', { to: STRING }, { changesWorld: true }),
];
const call = (name: string, args: Record<string, unknown>, resultKind: MadeCall['resultKind'] = 'ok'): MadeCall => ({
  name,
  arguments: args,
  resultKind,
});
const did = (calls: MadeCall[], lastReply = '', terminated = true) => ({ calls, lastReply, terminated });
const search = call('search', { query: 'rent' });
const send = call('send', { to: 'Ada' });
const gold = (...calls: MadeCall[]) => calls.map(({ name, arguments: args }) => ({ name, arguments: args }));

describe('meetsGold', () => {
  it('compares arguments after schema defaults, on both sides', () => {
    assert.equal(meetsGold(task('t', gold(search)), did([call('search', { limit: 5, query: 'rent' })]), tools), true);
    assert.equal(meetsGold(task('t', gold(call('search', { query: 'rent', limit: 5 }))), did([search]), tools), true);
    assert.equal(meetsGold(task('t', gold(search)), did([call('search', { query: 'rent', limit: 4 })]), tools), false);
    assert.equal(meetsGold(task('t', gold(search)), did([call('search', { query: 'Rent' })]), tools), false);
    assert.equal(
      meetsGold(task('t', gold(call('search', { query: '1' }))), did([call('search', { query: 1 })]), tools),
      false,
    );
  });

  it('wants the gold calls in order; others may stand between where they change nothing', () => {
    const both = task('t', gold(search, send));
    assert.equal(meetsGold(both, did([search, send]), tools), true);
    assert.equal(meetsGold(both, did([send, search]), tools), false);
    assert.equal(meetsGold(both, did([search]), tools), false);
    assert.equal(meetsGold(both, did([search, call('search', { query: 'x' }), send, search]), tools), true);
    assert.equal(meetsGold(task('t', gold(search, search)), did([search]), tools), false);
  });

  it('allows no further call that changes the world; one that never ran has not', () => {
    const other = call('send', { to: 'Bob' });
    assert.equal(meetsGold(task('t', gold(search)), did([search, other]), tools), false);
    assert.equal(meetsGold(task('t', gold(send)), did([send, send]), tools), false, 'sent twice');
    assert.equal(meetsGold(task('t', gold(send)), did([other, send]), tools), false);
    assert.equal(meetsGold(task('t', gold(send)), did([call('send', { to: 'Ada' }, 'refused'), other]), tools), false);
    for (const kind of ['invalidArguments', 'unknownTool', 'refused', 'unseenValue', null] as const)
      assert.equal(
        meetsGold(task('t', gold(search)), did([search, call('send', {}, kind)]), tools),
        true,
        String(kind),
      );
    for (const kind of ['threw', 'timeout', 'hostDied'] as const)
      assert.equal(
        meetsGold(task('t', gold(search)), did([search, call('send', { to: 'x' }, kind)]), tools),
        false,
        kind,
      );
  });

  it('calls [] = no call is made, by a policy that ended by itself', () => {
    assert.equal(meetsGold(task('t', []), did([], 'hello'), tools), true);
    assert.equal(meetsGold(task('t', []), did([search], 'hello'), tools), false);
    assert.equal(meetsGold(task('t', []), did([call('nope', {}, 'unknownTool')]), tools), false);
    assert.equal(meetsGold(task('t', []), did([], '', false), tools), false, 'cut off, so not decided');
  });

  it('wants the answer in the last reply where one is given; calls absent = only the answer counts', () => {
    assert.equal(meetsGold(task('t', gold(search), '7'), did([search], 'It is 7.'), tools), true);
    assert.equal(meetsGold(task('t', gold(search), '7'), did([search], 'It is 8.'), tools), false);
    assert.equal(meetsGold(task('t', undefined, '7'), did([send, send], '7'), tools), true);
    assert.equal(meetsGold(task('t', undefined, '7'), did([], ''), tools), false);
    assert.equal(meetsGold(task('t', [], '7'), did([], 'seven, that is 7'), tools), true);
    assert.equal(meetsGold(task('t'), did([], 'x'), tools), false, 'nothing to tell by');
  });
});

describe('answerOccurs', () => {
  const cases: [string, string, boolean][] = [
    // case, thousands separators, trailing zeros
    ['Paris', 'It is PARIS!', true],
    ['1234.5', '1,234.50 EUR', true],
    ['1,234.5', '1234.5', true],
    ['12', '12.0', true],
    ['12.00', '12', true],
    ['1000', '1\u202f000', true],
    ['1000000', "1'000'000", true],
    ['0.50', '0.5', true],
    ['3.60', 'the fine is 3.6 euros', true],
    // as a whole
    ['12', '312', false],
    ['12', '120', false],
    ['12', '1.2', false],
    ['12', '12.5', false],
    ['12', '-12', false],
    ['-5', 'it is \u22125 C', true],
    ['3', '1,3', false],
    ['art', 'party', false],
    ['art', 'modern art.', true],
    // neighbours that do not continue it
    ['12', '12, 13', true],
    ['12', 'm12', true],
    ['12', '12km', true],
    ['2026-03-01', 'on 2026-03-01.', true],
    ['9:30', 'at 9:30', true],
    ['pearl grey', 'Pearl\n grey', true],
    ['1200', 'about 1,200, or so', true],
    // zeros that are not behind a point stay
    ['100', '1', false],
    ['10', '100', false],
    ['1.05', '1.5', false],
  ];
  for (const [answer, reply, expected] of cases)
    it(`${JSON.stringify(answer)} ${expected ? 'occurs' : 'does not occur'} in ${JSON.stringify(reply)}`, () =>
      assert.equal(answerOccurs(answer, reply), expected));
});

describe('arguments', () => {
  const schema = {
    type: 'object',
    $defs: { Place: { type: 'object', properties: { city: STRING, zip: { type: 'string', default: '0' } } } },
    properties: {
      at: { $ref: '#/$defs/Place' },
      list: { type: 'array', items: { $ref: '#/$defs/Place' } },
      n: { type: 'number', default: 1 },
    },
  };
  it('fills defaults behind references, in objects and items, and takes them away again', () => {
    const filled = withDefaults({ at: { city: 'A' }, list: [{ city: 'B' }, { city: 'C', zip: '9' }] }, schema);
    assert.deepEqual(filled, {
      at: { city: 'A', zip: '0' },
      list: [
        { city: 'B', zip: '0' },
        { city: 'C', zip: '9' },
      ],
      n: 1,
    });
    assert.deepEqual(withoutDefaults({ n: 1, at: { city: 'A' } }, schema), { at: { city: 'A', zip: '0' } });
  });
  it('compares as JSON', () => {
    assert.equal(equalJson({ a: 1, b: [1, { c: null }] }, { b: [1, { c: null }], a: 1, d: undefined }), true);
    assert.equal(equalJson([1, 2], [2, 1]), false);
    assert.equal(equalJson({ a: 1 }, [1]), false);
    assert.equal(stableJson({ b: 1, a: [{ d: 2, c: undefined }] }), '{"a":[{"d":2}],"b":1}');
  });
});

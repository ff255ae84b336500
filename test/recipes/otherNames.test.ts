import assert from 'node:assert/strict';
import { Random } from '../../trainer/base/random';
import type { ToolSchema } from '../../trainer/protocol/task';
import type { Message, ToolResult, Trace } from '../../trainer/protocol/trace';
import { drawNames, Renamed } from '../../trainer/recipes/steps/otherNames';

const tool = (name: string, description: string, properties: Record<string, unknown>): ToolSchema => ({
  name,
  description,
  parameters: { type: 'object', properties, required: Object.keys(properties).slice(0, 1) },
  source: { file: '/t.ts', line: 1 },
  binding: { exportName: name, positional: Object.keys(properties).map((one) => ({ name: one })) },
  changesWorld: false,
});
const tools = [
  tool('findCity', 'Find a city by its name.', { name: { type: 'string' }, country: { type: 'string' } }),
  tool('list_visits', 'Visits of a city that findCity found, by cityId.', { cityId: { type: 'string' } }),
  tool('setLimit', 'Set a limit.', { limit: { type: 'number' } }),
];
const draw = (seed: number): Renamed => new Renamed(tools, drawNames(tools, Random.fromSeed(seed)));
const ok = (content: string): ToolResult => ({ kind: 'ok', content, policy: 'real', startedAt: 0, durationMs: 0 });

describe('other names for tools, in training', () => {
  it('are words for the same, in the same style, and none is an own name or stands twice', () => {
    const seen = new Set<string>();
    for (let seed = 0; seed < 50; seed++) {
      const { names } = draw(seed);
      assert.deepEqual(Object.keys(names.tools), ['findCity', 'list_visits', 'setLimit']);
      assert.deepEqual(Object.keys(names.arguments), ['name', 'country', 'cityId', 'limit']);
      const [own, other] = [Object.keys, Object.values].map((of) => [...of(names.tools), ...of(names.arguments)]);
      assert.equal(new Set([...own!, ...other!]).size, 14, JSON.stringify(names));
      assert.match(names.tools['findCity']!, /^[a-z]+([A-Z][a-z]+)*\d*$/);
      assert.match(names.tools['list_visits']!, /^[a-z]+(_[a-z]+)*$/);
      seen.add(names.tools['findCity']!);
    }
    assert.ok(
      seen.size > 5 && [...seen].some((name) => /^(search|locate|lookup|query|discover)/.test(name)),
      [...seen].join(),
    );
    assert.deepEqual(draw(3).names, draw(3).names);
  });

  it('stand in definitions, calls, results and errors alike; words of plain language stay', () => {
    const other = draw(1);
    const { names } = other;
    const [city, visits] = other.tools;
    assert.equal(city!.name, names.tools['findCity']!);
    assert.deepEqual(Object.keys(city!.parameters.properties as object), [
      names.arguments['name']!,
      names.arguments['country']!,
    ]);
    assert.deepEqual(city!.parameters.required, [names.arguments['name']!]);
    assert.equal(city!.description, 'Find a city by its name.');
    assert.equal(
      visits!.description,
      `Visits of a city that ${names.tools['findCity']!} found, by ${names.arguments['cityId']!}.`,
    );
    const messages: Message[] = [
      { role: 'user', content: 'Where is the city by the name Lyon?' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'findCity', arguments: { name: 'Lyon' } } }],
      },
      { role: 'tool', name: 'findCity', tool_call_id: 'a', content: '[{"cityId":"C1","people":5}]' },
    ];
    const [user, call, result] = other.messages(messages);
    assert.equal(user!.content, messages[0]!.content);
    assert.deepEqual(call!.tool_calls![0]!.function, {
      name: names.tools['findCity']!,
      arguments: { [names.arguments['name']!]: 'Lyon' },
    });
    assert.equal(result!.name, names.tools['findCity']!);
    assert.equal(result!.content, `[{"${names.arguments['cityId']!}":"C1","people":5}]`);
    assert.equal(
      other.content('{"error":"findCity: cityId is not known"}'),
      `{"error":"${names.tools['findCity']!}: ${names.arguments['cityId']!} is not known"}`,
    );
    assert.equal(other.content('{"people":5}'), '{"people":5}');
    assert.equal(other.content('{"cut'), '{"cut');
  });

  it('a call reaches the tool under its own names, one by a name that was not offered does not', async () => {
    const other = draw(2);
    const { names } = other;
    const made: unknown[] = [];
    const hosts = {
      open: () => ({
        call: async (name: string, args: Record<string, unknown>) => {
          made.push([name, args]);
          return ok('{"cityId":"C1"}');
        },
        close: () => undefined,
      }),
    };
    const session = other.hosts(hosts, () => 7).open('r');
    const result = await session.call(names.tools['findCity']!, { [names.arguments['name']!]: 'Lyon' });
    assert.deepEqual(made, [['findCity', { name: 'Lyon' }]]);
    assert.equal(result.content, `{"${names.arguments['cityId']}":"C1"}`);
    const byOwn = await session.call('findCity', { name: 'Lyon' });
    assert.equal(byOwn.kind, 'unknownTool');
    assert.ok(byOwn.content.includes(names.tools['findCity']!) && !byOwn.content.includes('list_visits'));
    assert.equal((await session.call(names.tools['findCity']!, { name: 'Lyon' })).kind, 'invalidArguments');
    assert.equal(made.length, 1);

    const call = { id: 'a', name: names.tools['findCity']!, arguments: { [names.arguments['name']!]: 'Lyon' }, result };
    const wrong = { id: 'b', name: 'findCity', arguments: { name: 'Lyon' }, result: byOwn };
    const turn = { start: 0, end: 1, text: 'as sampled', sampleMs: 0, calls: [call, wrong] };
    const trace = {
      turns: [turn],
      messages: [{ role: 'tool', name: call.name, tool_call_id: 'a', content: result.content }],
    } as unknown as Trace;
    const own = other.restored(trace);
    const [right, refused] = own.turns[0]!.calls;
    assert.deepEqual([right!.name, right!.arguments], ['findCity', { name: 'Lyon' }]);
    assert.equal(right!.result!.content, '{"cityId":"C1"}');
    assert.notEqual(refused!.name, 'findCity', 'a name that was not offered is no call of the tool');
    assert.equal(own.turns[0]!.text, 'as sampled');
    assert.deepEqual(own.messages[0], {
      role: 'tool',
      name: 'findCity',
      tool_call_id: 'a',
      content: '{"cityId":"C1"}',
    });
    assert.deepEqual(own.renamed, names);
  });
});

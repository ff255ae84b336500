/** Forms in which tools stand in the wild: one function for all, Anthropic's, LangChain's classes, programs. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { discoverAndDescribe, type DiscoveredFiles } from '../../../trainer/tools/sources/typescript/discover';
import { openFixtureHosts } from '../hostsFixture';
import { FOLDER, openDefinedHosts, workspace } from './definedHosts';

const found = (file: string): Promise<DiscoveredFiles> => discoverAndDescribe([join(FOLDER, file)], { workspace });
const said = ({ diagnostics }: DiscoveredFiles): string[] =>
  diagnostics.filter(({ message }) => !message.includes('no description')).map(({ message }) => message);

/** [tool, arguments, kind of result, result] */
type Made = [name: string, args: Record<string, unknown>, kind: string, value: unknown];

async function calls({ tools }: DiscoveredFiles, expected: readonly Made[]): Promise<void> {
  await using hosts = await openDefinedHosts(tools);
  const session = hosts.open('one');
  for (const [name, args, kind, value] of expected) {
    const result = await session.call(name, args);
    assert.deepEqual([name, result.kind, JSON.parse(result.content)], [name, kind, value]);
  }
  session.close();
}

describe('tools in the forms of the wild', function () {
  this.timeout(60_000);

  it('a rollout that used the AI SDK and zod leaves its process to the next', async () => {
    const { tools } = await found('processId.ts');
    await using hosts = await openDefinedHosts(tools);
    const ids = new Set<string>();
    for (let i = 0; i < 6; i++) {
      const session = hosts.open(`rollout ${i}`);
      ids.add((await session.call('processId', {})).content);
      session.close();
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert.ok(ids.size <= 2, [...ids].join());
  });

  it('OpenAI: a function that picks by the name answers, in a file that is a program', async () => {
    const desk = await found('desk.ts');
    assert.deepEqual(said(desk), []);
    assert.deepEqual(
      desk.tools.map(({ name, changesWorld }) => [name, changesWorld]),
      [
        ['search_repairs_tool', false],
        ['get_repair_details', false],
        ['list_parts', false],
        ['process_return', true],
      ],
    );
    const ready = { repairId: 'RP-2043', owner: 'Hanna Virtanen', state: 'ready' };
    await calls(desk, [
      // its JSON text is read once, as the policy would read it anywhere else
      ['search_repairs_tool', { query: 'ready' }, 'ok', { success: true, results: [ready], total: 1 }],
      ['get_repair_details', { repair_id: 'RP-1' }, 'ok', { error: 'Repair not found: RP-1' }],
    ]);
  });

  it('MCP: a list of tools, and the handler of all calls', async () => {
    const garden = await found('listedTools.ts');
    assert.deepEqual(said(garden), []);
    assert.deepEqual(
      garden.tools.map(({ name, changesWorld, parameters }) => [
        name,
        changesWorld,
        Object.keys(parameters.properties!),
      ]),
      [
        ['water_plot', true, ['plot', 'litres']],
        ['plot_state', false, ['plot']],
      ],
    );
    await calls(garden, [['plot_state', { plot: '7' }, 'ok', { plot: '7', moist: false }]]);
  });

  it('MCP: the same in a class whose object the file makes, though the program then waits for a client', async () => {
    const tides = await found('listedInClass.ts');
    assert.deepEqual(said(tides), []);
    await calls(tides, [
      ['high_tide', { harbour: 'Dover' }, 'ok', { height: 5.4 }],
      ['high_tide', { harbour: 'Rome' }, 'ok', { height: null }],
    ]);
  });

  it('MCP: tools that a method registers, whose class a platform makes an object of', async () => {
    const tiles = await found('registeredInClass.ts');
    assert.deepEqual(said(tiles), [
      'spare_tiles: it is defined inside init and uses this of it, so its results are always mocked; define it at the ' +
        'top level of the file, or in a function without parameters',
    ]);
    assert.deepEqual(
      tiles.tools.map(({ name, description, parameters }) => [name, description, Object.keys(parameters.properties!)]),
      [
        ['tiles_needed', 'How many tiles a floor needs.', ['width', 'length']],
        ['tile_colours', 'Which colours there are.', []],
        ['tile_price', '', ['colour']],
        ['spare_tiles', 'How many spare tiles to buy.', []],
      ],
    );
    await calls({ ...tiles, tools: tiles.tools.slice(0, 3) }, [
      ['tiles_needed', { width: 2, length: 3 }, 'ok', { tiles: 24 }],
      ['tile_colours', {}, 'ok', ['grey', 'sand']],
      ['tile_price', { colour: 'sand' }, 'ok', { colour: 'sand', euros: 3 }],
    ]);
  });

  it('a file that is a tool; a function beside its definition; a class that describes each field', async () => {
    const wood = await found('fileTool.ts');
    assert.deepEqual(said(wood), []);
    await calls(wood, [['price_wood', { wood: 'oak', metres: 2 }, 'ok', { euros: 60 }]]);
    const rope = await found('heldTools.ts');
    assert.deepEqual(said(rope), []);
    const measure = rope.tools.find(({ name }) => name === 'measure_rope')!;
    assert.deepEqual(measure.parameters.properties, { rope: { type: 'string', description: 'Which rope' } });
    await calls(rope, [
      ['splice_rope', { first: 'A', second: 'B' }, 'ok', { joined: 'A and B' }],
      ['measure_rope', { rope: 'long' }, 'ok', { metres: 4 }],
    ]);
  });

  it('what a program gives up on after it was loaded ends no call, and is said once', async () => {
    const { tools } = await found('desk.ts');
    const { hosts, notes } = await openFixtureHosts(tools, { workspace, timeoutMs: 10_000, memoryMb: 256, size: 1 });
    try {
      for (const rollout of ['one', 'two']) {
        const session = hosts.open(rollout);
        assert.equal((await session.call('list_parts', {})).kind, 'ok');
        await new Promise((resolve) => setTimeout(resolve, 300));
        assert.equal((await session.call('list_parts', {})).kind, 'ok');
        session.close();
      }
    } finally {
      await hosts.close();
    }
    assert.equal(notes.length, 1, notes.join('\n'));
    assert.match(notes[0]!, /desk\.ts did not end well what it began while it was loaded: .*process\.exit\(1\)/);
  });

  it('a file that fails after it defined tools has these, and its failure is said', async () => {
    const own = await found('failsLater.ts');
    assert.match(said(own).join('\n'), /^say_bye: its definition is not reached when the file is loaded[^\n]*$/);
    const { hosts, notes } = await openFixtureHosts(own.tools, {
      workspace,
      timeoutMs: 10_000,
      memoryMb: 256,
      size: 1,
    });
    try {
      const session = hosts.open('one');
      assert.equal((await session.call('say_hello', {})).content, '"hello"');
      await new Promise((resolve) => setTimeout(resolve, 300));
      session.close();
    } finally {
      await hosts.close();
    }
    assert.match(notes.join('\n'), /failsLater\.ts did not end well what it began while it was loaded: .*EADDRINUSE/);
  });

  it('Anthropic: the whole call, arguments as text, parameters one by one', async () => {
    const own = await found('anthropic.ts');
    assert.deepEqual(said(own), []);
    assert.deepEqual(
      own.tools.map(({ binding }) => binding.kind === 'defined' && [binding.library, binding.handler?.dispatch]),
      [
        ['anthropic', undefined],
        ['anthropic', 'call'],
        ['anthropic', 'nameAndText'],
      ],
    );
    await calls(own, [
      ['convert_length', { length: 3.048, unit: 'm' }, 'ok', { length: 10 }],
      ['greet', { who: 'Ada' }, 'ok', 'Hello Ada'],
      ['shout', { word: 'no' }, 'ok', 'NO'],
    ]);
  });

  it('MCP: servers that functions build, with what is theirs alone in each rollout', async () => {
    const own = await found('mcpFactories.ts');
    assert.deepEqual(said(own), []);
    assert.deepEqual(
      own.tools.map(({ name }) => name),
      ['add_note', 'count_notes', 'upper'],
    );
    await calls(own, [
      ['add_note', { text: 'a' }, 'ok', { notes: 1 }],
      ['add_note', { text: 'b' }, 'ok', { notes: 2 }],
      ['count_notes', {}, 'ok', 'There are 2.'],
      ['upper', { text: 'ab' }, 'ok', 'AB'],
    ]);
    await calls(own, [['count_notes', {}, 'ok', 'There are 0.']]);
  });

  it('a form of its own: a description, a schema, a function, and the word in a name', async () => {
    const own = await found('ownForms.ts');
    assert.deepEqual(said(own), []);
    assert.deepEqual(
      own.tools.map(({ name, parameters }) => [name, Object.keys(parameters.properties as object)]),
      [
        ['get_area', ['width', 'length']],
        ['find_field', ['name']],
        ['soilTool', ['field']],
      ],
    );
    await calls(own, [
      ['get_area', { width: 3 }, 'ok', 6],
      ['find_field', { name: 'North' }, 'ok', { name: 'North', hectares: 4 }],
      ['soilTool', { field: 'North' }, 'ok', { field: 'North', soil: 'loam' }],
    ]);
  });

  it('LangChain: classes, each with one instance in a rollout; one that needs arguments is said', async () => {
    const own = await found('langChainClasses.ts');
    assert.deepEqual(
      own.tools.map(({ name, description }) => [name, description]),
      [
        ['count_letters', 'Counts the letters of a word.'],
        ['echo', 'Says what it is told.'],
      ],
    );
    assert.match(said(own).join('\n'), /wired: the constructor of Wired needs arguments, which nobody gives here/);
    await calls(own, [
      ['count_letters', { word: 'moth' }, 'ok', { letters: 4, calls: 1 }],
      ['count_letters', { word: 'a' }, 'ok', { letters: 1, calls: 2 }],
      ['echo', { input: 'hi' }, 'ok', 'hi'],
    ]);
  });

  it('a function beside the description: after it, before it, given to what the call makes', async () => {
    const own = await found('beside.ts');
    assert.deepEqual(said(own), ['report_swarm: it has no function here, so its results are always mocked']);
    assert.deepEqual(
      own.tools.map(({ name }) => name),
      ['list_hives', 'weigh_hive', 'add_frame', 'feed_hive', 'report_swarm'],
    );
    await calls(own, [
      ['list_hives', { site: 'orchard' }, 'ok', [{ id: 'H1', site: 'orchard', frames: 8 }]],
      ['weigh_hive', { hive: 'H1' }, 'ok', 'H1 weighs 31 kg'],
      ['add_frame', { hive: 'H1', frames: 2 }, 'ok', { frames: 10 }],
      ['feed_hive', { hive: 'H1' }, 'ok', 'H1 is fed'],
    ]);
  });

  it('classes of a form of their own: fields, getters, methods; one that needs arguments is said', async () => {
    const own = await found('ownClasses.ts');
    assert.match(said(own).join('\n'), /^read_log: the constructor of LogTool needs arguments[^\n]*$/);
    assert.deepEqual(
      own.tools.map(({ name, description, parameters }) => [
        name,
        description,
        Object.keys(parameters.properties as object),
      ]),
      [
        ['next_tide', 'The next high tide of a harbour', ['harbour']],
        ['wind_now', 'The wind at a buoy', ['buoy']],
      ],
    );
    const [, wind] = own.tools;
    assert.deepEqual(wind!.parameters.properties, { buoy: { type: 'integer' } }, 'zod\u2019s limits say nothing');
    await calls(own, [
      ['next_tide', { harbour: 'Kiel' }, 'ok', { harbour: 'Kiel', at: '14:05', asked: 1 }],
      ['next_tide', { harbour: 'Kiel' }, 'ok', { harbour: 'Kiel', at: '14:05', asked: 2 }],
      ['wind_now', { buoy: 3 }, 'ok', { buoy: 3, knots: 12 }],
    ]);
  });

  it('Gemini and Bedrock: a function that is called like the tool answers, if it takes what the tool takes', async () => {
    const own = await found('declarations.ts');
    assert.match(said(own).join('\n'), /^dim_all: no function answers it[^\n]*$/);
    assert.deepEqual(
      own.tools.map(({ name, binding }) => binding.kind === 'defined' && [name, binding.library]),
      [
        ['set_light_values', 'gemini'],
        ['list_scenes', 'gemini'],
        ['play_scene', 'openai'],
        ['dim_all', 'bedrock'],
      ],
    );
    assert.deepEqual(own.tools[0]!.parameters.properties, {
      brightness: { type: 'number', description: 'from 0 to 100' },
      color_temp: { type: 'string', enum: ['cool', 'warm'] },
      rooms: { type: 'array', items: { type: 'string' } },
    });
    await calls(own, [
      ['set_light_values', { brightness: 40, color_temp: 'warm' }, 'ok', { colorTemp: 'warm', brightness: 40 }],
      ['list_scenes', { room: 'den' }, 'ok', ['den at night']],
      ['play_scene', { scene: 'dusk' }, 'ok', 'dusk plays'],
    ]);
  });

  it('inside functions: what needs nothing of them runs, what does is mocked, and what it needs is said', async () => {
    const own = await found('inFunctions.ts');
    assert.deepEqual(said(own), [
      'greetUser: it is defined inside POST and uses shout, user of it, so its results are always mocked; define it at ' +
        'the top level of the file, or in a function without parameters',
      'confirmOrder: it is defined inside POST and uses user of it, so its results are always mocked; define it at the ' +
        'top level of the file, or in a function without parameters',
      'choose: it is defined inside POST, so it is not there when the file is loaded; define it at the top level of ' +
        'the file, or in a function without parameters',
      'count_fruit: it is defined inside registerShelfTools and uses shelf of it, so its results are always mocked; ' +
        'define it at the top level of the file, or in a function without parameters',
    ]);
    assert.deepEqual(
      own.tools.map(({ name, description, parameters, binding }) => [
        name,
        description,
        Object.keys(parameters.properties as object).join(),
        binding.kind === 'defined' && binding.isMockOnly === true,
      ]),
      [
        ['priceOf', 'The price of a fruit', 'fruit', false],
        ['greetUser', 'Greets who asks', 'greeting', true],
        ['confirmOrder', 'Asks user to confirm', 'order', true],
        ['count_fruit', 'Counts a fruit', 'fruit', true],
        ['list_fruit', 'Lists all fruit', '', false],
        ['weigh_fruit', 'Weighs a fruit', 'fruit', false],
        ['open_shop', 'Opens the shop', '', false],
      ],
    );
    await calls(own, [
      ['priceOf', { fruit: 'pear' }, 'ok', { fruit: 'pear', price: 3, user: 'nobody' }],
      ['list_fruit', {}, 'ok', 'apple pear'],
      ['weigh_fruit', { fruit: 'pear' }, 'ok', 'pear: 120 g'],
      ['open_shop', {}, 'ok', 'open'],
    ]);
  });

  it('MCP in JavaScript: a server without a type, which the file is given', async () => {
    const own = await found('untypedServer.mjs');
    assert.deepEqual(said(own), []);
    await calls(own, [['add_up', { a: 2, b: 3 }, 'ok', '5']]);
  });

  it('a handler that makes the MCP server by itself, and the Claude Agent SDK', async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'coach-forms-')));
    try {
      for (const [path, text] of Object.entries(MADE_ELSEWHERE)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), text);
      }
      const own = await discoverAndDescribe([join(folder, 'route.ts')], { workspace: folder });
      assert.deepEqual(own.diagnostics, []);
      await using hosts = await openDefinedHosts(own.tools, folder);
      const session = hosts.open('one');
      assert.equal((await session.call('roll_dice', { sides: 6 })).content, '"one of 6"');
      assert.equal((await session.call('flip_coin', { times: 2 })).content, '"2 heads"');
      session.close();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

const SCHEMA = (name: string): string =>
  `{ type: 'object', properties: { ${name}: { type: 'integer', description: 'how many' } }, required: ['${name}'] }`;

/** What these packages do with tools, as far as it matters here; the real ones were tried by hand. */
const MADE_ELSEWHERE: Record<string, string> = {
  'node_modules/mcp-handler/index.js': 'exports.createMcpHandler = () => () => undefined;',
  'node_modules/@modelcontextprotocol/sdk/server/mcp.js':
    'exports.McpServer = class { registerTool(name, options, handler) { return { ...options, handler }; } };',
  'node_modules/@anthropic-ai/claude-agent-sdk/index.js':
    'exports.tool = (name, description, inputSchema, handler) => ({ name, description, inputSchema, handler });',
  'route.ts': `
import { createMcpHandler } from 'mcp-handler';
import { tool } from '@anthropic-ai/claude-agent-sdk';
const text = (said: string) => ({ content: [{ type: 'text', text: said }] });
export const GET = createMcpHandler((server) => {
  server.registerTool('roll_dice', { description: 'Rolls a die', inputSchema: ${SCHEMA('sides')} }, ({ sides }) =>
    text('one of ' + sides),
  );
});
export const flip = tool('flip_coin', 'Flips a coin', ${SCHEMA('times')}, async ({ times }) => text(times + ' heads'));
`,
};

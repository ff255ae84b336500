/** Forms in which tools stand in the wild: one function for all, Anthropic's, LangChain's classes, programs. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
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
});

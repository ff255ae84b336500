import assert from 'node:assert/strict';
import { join } from 'node:path';
import { UserError } from '../../trainer/protocol/result';
import type { ToolSchema } from '../../trainer/protocol/task';
import { openRegistry, type RegistryOptions } from '../../trainer/tools/registry';
import { memorySource, type MemorySource, type MemoryTool } from '../../trainer/tools/sources/memory';
import type { ToolSource } from '../../trainer/tools/sources/toolSource';
import { discover } from '../../trainer/tools/sources/typescript/discover';
import { FIXTURES, fixtureTool, openFixtureHosts } from './hostsFixture';

type State = { said: string[] };

function echo(name: string, extra: Partial<MemoryTool<State>> = {}): MemoryTool<State> {
  return {
    name,
    description: `${name}.`,
    parameters: {
      type: 'object',
      properties: { text: { type: 'string' }, times: { type: 'integer', default: 1 } },
      required: ['text'],
      additionalProperties: false,
    },
    call: ({ text, times }, { state }) => (state.said.push(`${String(text)} x${String(times)}`), state.said),
    ...extra,
  };
}

const source = (name: string, ...tools: MemoryTool<State>[]): MemorySource<State> =>
  memorySource({ name, tools, newState: () => ({ said: [] }) });

/** Counts what is opened and closed of it. */
function counted(inner: ToolSource): ToolSource & { opened: string[]; closed: string[]; ends: number } {
  const counts = { opened: [] as string[], closed: [] as string[], ends: 0 };
  return Object.assign(counts, {
    name: inner.name,
    list: () => inner.list(),
    open(id: string) {
      counts.opened.push(id);
      const session = inner.open(id);
      return { call: session.call, close: () => (counts.closed.push(id), session.close()) };
    },
    close: () => (counts.ends++, inner.close()),
  });
}

function options(notes: string[] = [], extra: Partial<RegistryOptions> = {}): RegistryOptions {
  return {
    policyOf: () => 'real',
    ask: async () => 'unavailable',
    note: (_level, _code, message) => void notes.push(message),
    seed: 1,
    ...extra,
  };
}

describe('tool registry', () => {
  it('is one list of tools, in the order of the sources; a call goes to the source of its tool', async () => {
    const [a, b] = [counted(source('one', echo('first'))), counted(source('two', echo('second')))];
    const registry = await openRegistry([a, b], options());
    assert.deepEqual(
      registry.tools.map(({ name }) => name),
      ['first', 'second'],
    );
    const session = registry.open('r1');
    assert.equal((await session.call('second', { text: 'hi' })).content, '["hi x1"]');
    assert.equal((await session.call('second', { text: 'ho', times: 2 })).content, '["hi x1","ho x2"]');
    assert.deepEqual([a.opened, b.opened], [[], ['r1']], 'a source is opened when a tool of it is first called');
    const unknown = await session.call('third', {});
    assert.equal(unknown.content, '{"error":"unknown_tool","valid_tools":["first","second"]}');
    session.close();
    assert.deepEqual(b.closed, ['r1']);
    await registry.close();
    assert.deepEqual([a.ends, b.ends], [1, 1]);
  });

  it('checks arguments and fills in defaults before any source sees them', async () => {
    const tools = counted(source('one', echo('say')));
    const registry = await openRegistry([tools], options());
    const wrong = await registry.open('r1').call('say', { text: 1, more: true });
    assert.equal(wrong.kind, 'invalidArguments');
    assert.match(wrong.content, /text must be string/);
    assert.deepEqual(tools.opened, []);
    const loose = await openRegistry([source('one', echo('say'))], options([], { checksSchema: false }));
    assert.equal((await loose.open('r1').call('say', { text: 1 })).content, '["1 x1"]');
  });

  it('mocks and asks alike, whatever the source', async () => {
    const asked: string[] = [];
    const registry = await openRegistry(
      [source('one', echo('send', { changesWorld: true, returns: { type: 'boolean' } }), echo('ask'))],
      options([], {
        policyOf: ({ changesWorld }: ToolSchema) => (changesWorld ? 'mock' : 'ask'),
        ask: async (tool) => (asked.push(tool), 'no'),
        recorded: [{ tool: 'send', args: { text: 'known', times: 1 }, content: '"as recorded"' }],
      }),
    );
    const session = registry.open('r1');
    const mocked = await session.call('send', { text: 'new' });
    assert.deepEqual([mocked.policy, mocked.mockSource], ['mock', 'schema']);
    assert.match(mocked.content, /^(true|false)$/);
    const recorded = await session.call('send', { text: 'known' });
    assert.deepEqual([recorded.content, recorded.mockSource], ['"as recorded"', 'recorded']);
    assert.equal((await session.call('ask', { text: 'x' })).kind, 'refused');
    assert.deepEqual(asked, ['ask']);
  });

  it('says which two tools have one name, and where both stand', async () => {
    const found = discover([join(FIXTURES, 'contract.ts')]).tools;
    const files: ToolSource = { ...source('the tool files'), list: async () => found };
    const { line } = found.find(({ name }) => name === 'count')!.source;
    await assert.rejects(
      openRegistry([files, source('the server mail', echo('count'))], options()),
      (error: unknown) => {
        assert.ok(error instanceof UserError);
        assert.equal(
          error.message,
          `count: two tools have this name: ${join(FIXTURES, 'contract.ts')}:${line} and the server mail`,
        );
        assert.match(error.hint ?? '', /Rename one/);
        return true;
      },
    );
    await assert.rejects(openRegistry([source('one', echo('a'), echo('a'))], options()), /a: two tools have this name/);
  });

  it('notes that a source has other tools now, and goes on with those of the start', async () => {
    const notes: string[] = [];
    const tools = source('the server mail', echo('read'), echo('send'));
    const registry = await openRegistry([tools], options(notes));
    tools.replace([echo('read'), echo('forward')]);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(notes, [
      'the tools of the server mail have changed (send is gone, forward is new); prompts name those that were there before',
    ]);
    assert.deepEqual(
      registry.tools.map(({ name }) => name),
      ['read', 'send'],
    );
    assert.equal((await registry.open('r1').call('send', { text: 'x' })).kind, 'unknownTool');
    await registry.close();
    tools.replace([]);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(notes.length, 1, 'nobody watches a closed registry');
  });

  it('a run opens its tool files and further sources as one', async function () {
    this.timeout(60_000);
    const memory = counted(source('one', echo('say')));
    const { hosts } = await openFixtureHosts([fixtureTool('harmless.ts', 'count', { takes: [] })], {
      sources: [memory],
    });
    const session = hosts.open('r1');
    assert.equal((await session.call('count', {})).content, '1');
    assert.equal((await session.call('say', { text: 'hi' })).content, '["hi x1"]');
    session.close();
    await hosts.close();
    assert.equal(memory.ends, 1);
    const other = counted(source('one', echo('count')));
    await assert.rejects(
      openFixtureHosts([fixtureTool('harmless.ts', 'count', { takes: [] })], { sources: [other] }),
      /harmless\.ts:1 and one/,
    );
    assert.equal(other.ends, 1, 'what was opened is closed');
  });
});

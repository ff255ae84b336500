import assert from 'node:assert/strict';
import { join } from 'node:path';
import { ToolSchema } from '../../../trainer/protocol/task';
import { memorySource, type MemoryTool } from '../../../trainer/tools/sources/memory';
import { originOf } from '../../../trainer/tools/sources/toolSource';
import { discover } from '../../../trainer/tools/sources/typescript/discover';
import { openTypeScriptSource } from '../../../trainer/tools/sources/typescript/source';
import { FIXTURES } from '../hostsFixture';
import { LIMITS, testToolSource } from './toolSourceContract';

const FILE = join(FIXTURES, 'contract.ts');

testToolSource('TypeScript files', async () => {
  const { tools, diagnostics } = discover([FILE]);
  assert.deepEqual(
    diagnostics.filter(({ severity }) => severity === 'error'),
    [],
  );
  return openTypeScriptSource({ tools, workspace: FIXTURES, memoryMb: 64, size: 1, note: () => undefined, ...LIMITS });
});

interface State {
  calls: number;
}

const number = { type: 'number' };
const takes = (...names: string[]): ToolSchema['parameters'] => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, number])),
  required: names,
});

const definitions: MemoryTool<State>[] = [
  {
    name: 'add',
    description: 'Adds two numbers.',
    parameters: takes('a', 'b'),
    call: ({ a, b }) => (a as number) + (b as number),
  },
  { name: 'count', description: 'Counts.', parameters: takes(), call: (_, { state }) => ++state.calls },
  {
    name: 'fail',
    description: 'Never works.',
    parameters: takes(),
    call: () => {
      throw new Error('there is no such thing');
    },
  },
  {
    name: 'wait',
    description: 'Waits.',
    parameters: takes('ms'),
    call: ({ ms }) => new Promise((resolve) => setTimeout(resolve, ms as number, 'done')),
  },
  {
    name: 'long',
    description: 'A long text.',
    parameters: takes('length'),
    call: ({ length }) => 'x'.repeat(length as number),
  },
  {
    name: 'circle',
    description: 'What is no JSON.',
    parameters: takes(),
    call: () => {
      const self: { self?: unknown } = {};
      self.self = self;
      return self;
    },
  },
];

const inMemory = (tools = definitions) =>
  memorySource({ name: 'the test', tools, newState: () => ({ calls: 0 }), ...LIMITS });

testToolSource('definitions in memory', async () => inMemory());

describe('tool sources', () => {
  it('a tool in memory is told that its call is over: by the limit, cancelled, with its rollout', async () => {
    const reasons: string[] = [];
    const until: MemoryTool<State> = {
      name: 'until',
      description: 'Waits for its signal.',
      parameters: takes(),
      call: (_, { signal }) =>
        new Promise((resolve) =>
          signal.addEventListener('abort', () => {
            reasons.push((signal.reason as Error).message);
            resolve('over');
          }),
        ),
    };
    const source = memorySource({ name: 'the test', tools: [until], newState: () => ({ calls: 0 }), timeoutMs: 30 });
    const session = source.open('1');
    assert.equal((await session.call('until', {})).kind, 'timeout');
    const controller = new AbortController();
    const cancelled = session.call('until', {}, controller.signal);
    controller.abort();
    assert.equal((await cancelled).kind, 'refused');
    const ended = session.call('until', {});
    session.close();
    await ended;
    assert.equal(reasons.length, 3);
    assert.match(reasons[0]!, /time limit/);
  });

  it('a source in memory tells who watches that its tools are others', async () => {
    const source = inMemory();
    let changes = 0;
    const watching = source.watch(() => changes++);
    source.replace(definitions.slice(0, 1));
    assert.deepEqual(
      (await source.list()).map(({ name }) => name),
      ['add'],
    );
    watching[Symbol.dispose]();
    source.replace(definitions);
    assert.equal(changes, 1);
  });

  it('the origin of a tool: its kind, and its place where it has one', async () => {
    const [add] = discover([FILE]).tools;
    assert.deepEqual(originOf(add!), { kind: 'typescript', file: FILE, line: add!.source.line });
    assert.deepEqual(originOf((await inMemory().list())[0]!), { kind: 'memory' });
  });

  it('tools that runs of before recorded, without a kind, are read as they were', () => {
    const old = {
      name: 'search',
      description: 'Search.',
      parameters: { type: 'object', properties: {} },
      source: { file: '/tools.ts', line: 3, column: 17 },
      binding: { exportName: 'Box', member: 'search', isInstance: true, positional: [{ name: 'query' }] },
      changesWorld: false,
    };
    assert.deepEqual(ToolSchema.parse(old), old);
    assert.equal(originOf(ToolSchema.parse(old)).kind, 'typescript');
    assert.throws(() => ToolSchema.parse({ ...old, binding: { kind: 'telepathy' } }), /Invalid discriminator/);
  });
});

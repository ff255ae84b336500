import assert from 'node:assert/strict';
import { Random } from '../../trainer/base/random';
import { Trace } from '../../trainer/protocol/trace';
import { guarded } from '../../trainer/rollout/environment/guards';
import { scriptedUser, SimulatedUser } from '../../trainer/rollout/environment/simulatedUser';
import { ToolEnvironment } from '../../trainer/rollout/environment/tools';
import type { Environment } from '../../trainer/rollout/environment/environment';
import { runEpisode } from '../../trainer/rollout/episode';
import { inTurn, scriptedPolicy, type ScriptedTurn } from '../../trainer/rollout/policy/scripted';
import type { ToolHosts } from '../../trainer/tools/hosts/callTool';
import { episodeOptions } from '../fixtures/episodes';
import { fixtureTool, openFixtureHosts } from '../tools/hostsFixture';
import { environmentContract } from './environmentContract';

/** Says how often it was called: it has a state. */
const count = fixtureTool('harmless.ts', 'count');
const add = fixtureTool('harmless.ts', 'add', {
  takes: ['a', 'b'],
  parameters: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
    additionalProperties: false,
  },
});
const send = fixtureTool('harmless.ts', 'count', { name: 'sendCount', changesWorld: true });
const task = { id: 't', prompt: 'Count, please.' };
const now = (): number => 0;

let opened = 0;
const tools = (hosts: ToolHosts): Environment =>
  new ToolEnvironment(`e${opened++}`, { tools: [count, add, send], hosts, callLimitMs: 9000, now });

const kinds: [string, (hosts: ToolHosts) => Environment][] = [
  ['tools', tools],
  ['guards', (hosts) => guarded(tools(hosts), { values: true, answers: true }, now)],
  ['simulated user', (hosts) => new SimulatedUser(tools(hosts), scriptedUser(['And then?', 'Is that all?']))],
  [
    'guards around a simulated user',
    (hosts) =>
      guarded(new SimulatedUser(tools(hosts), scriptedUser(['And then?'])), { values: true, answers: true }, now),
  ],
];
for (const [name, make] of kinds)
  environmentContract(name, async () => {
    const { hosts } = await openFixtureHosts([count, add, send]);
    return { open: () => make(hosts), task, call: { name: 'count', arguments: {} }, close: () => hosts.close() };
  });

describe('environments', function () {
  this.timeout(60_000);
  let hosts: ToolHosts;
  before(async () => {
    ({ hosts } = await openFixtureHosts([count, add, send]));
  });
  after(() => hosts.close());

  const run = async (environment: Environment, turns: readonly ScriptedTurn[]): Promise<Trace> => {
    const { trace } = await runEpisode(
      { id: 'a', task, groupId: 'g', indexInGroup: 0, random: Random.fromSeed(1) },
      episodeOptions(
        { tools: [], hosts },
        {
          policy: scriptedPolicy('script', inTurn(turns)),
          environmentFor: () => environment,
          sampling: { temperature: 0, maxTurnTokens: 64, maxTokens: 512 },
        },
      ),
    );
    return Trace.parse(trace);
  };
  const heard = ({ messages }: Trace): string[] => messages.map(({ role, content }) => `${role}: ${content}`);
  const counted: ScriptedTurn = { calls: [{ name: 'count', arguments: {} }] };

  it('a simulated user says something to each answer: an episode has several user messages', async () => {
    const trace = await run(new SimulatedUser(tools(hosts), scriptedUser(['Once more.', 'Thanks.'])), [
      counted,
      { content: 'One.' },
      counted,
      { content: 'Two.' },
      { content: 'Bye.' },
    ]);
    assert.deepEqual(heard(trace), [
      'user: Count, please.',
      'assistant: ',
      'tool: 1',
      'assistant: One.',
      'user: Once more.',
      'assistant: ',
      'tool: 2',
      'assistant: Two.',
      'user: Thanks.',
      'assistant: Bye.',
    ]);
    assert.deepEqual([trace.terminated, trace.truncated, trace.turns.length], [true, 'no', 5]);
  });

  it("the guards know what a simulated user has said, and the user hears the guards' refusals", async () => {
    const environment = guarded(new SimulatedUser(tools(hosts), scriptedUser(['Add 512 to it.'])), ON, now);
    const sum = { calls: [{ name: 'add', arguments: { a: 1, b: 512 } }] };
    const trace = await run(environment, [sum, { content: 'No.' }, sum, { content: 'It is 513, and 99 more.' }]);
    assert.deepEqual(
      trace.turns.flatMap(({ calls }) => calls.map(({ result }) => result?.kind)),
      ['unseenValue', 'ok'],
    );
    assert.deepEqual(trace.ungrounded, ['99']);
  });

  it('some calls of a turn refused, the others made: results stay in the order of the calls', async () => {
    const trace = await run(guarded(tools(hosts), ON, now), [
      {
        calls: [
          { name: 'add', arguments: { a: 777, b: 1 } },
          ...counted.calls!,
          { name: 'add', arguments: { a: 1, b: 2 } },
        ],
      },
    ]);
    assert.deepEqual(
      trace.turns[0]!.calls.map(({ result }) => [result!.kind, result!.kind === 'ok' ? result!.content : '']),
      [
        ['unseenValue', ''],
        ['ok', '1'],
        ['ok', '3'],
      ],
    );
  });

  it('what has changed the world is not done twice: such an episode is not forked', async () => {
    const environment = tools(hosts);
    await environment.reset(task, Random.fromSeed(1));
    const step = (name: string) =>
      environment.step(
        { text: '', content: '', calls: [{ id: 'a', name, arguments: {} }] },
        new AbortController().signal,
      );
    await step('count');
    const fork = await environment.fork!();
    assert.ok(fork);
    fork.close();
    await step('sendCount');
    assert.equal(await environment.fork!(), null);
    environment.close();
  });
});

const ON = { values: true, answers: true };

/** An episode whose tools are looked up (`findTools`): what it may call when, and what its trace says. */
import assert from 'node:assert/strict';
import { parseSettings, withLimits } from '../../trainer/app/settings';
import { Random } from '../../trainer/base/random';
import { agentMetrics } from '../../trainer/evaluation/agentMetrics';
import type { Task, ToolSchema } from '../../trainer/protocol/task';
import { taskOf } from '../../trainer/protocol/taskOf';
import { shownByTurn, Trace } from '../../trainer/protocol/trace';
import { Episode } from '../../trainer/rewards/episode';
import { environmentsOf } from '../../trainer/rollout/environment/runEnvironment';
import { runEpisode } from '../../trainer/rollout/episode';
import type { Opening } from '../../trainer/rollout/policy/policy';
import { inTurn, scriptedPolicy, type ScriptedTurn } from '../../trainer/rollout/policy/scripted';
import { writeVerdicts } from '../../trainer/rollout/verdicts/verdicts';
import { ShownTools } from '../../trainer/tools/retrieval/shownTools';
import { episodeOptions } from '../fixtures/episodes';
import { sampleTool } from '../store/runs/sample';

const NAMES = ['archive', 'bill', 'copy', 'delay', 'emboss'];
const tools: ToolSchema[] = NAMES.map((name) => ({
  ...sampleTool,
  name,
  description: `Does ${name}. And more.`,
  parameters: { type: 'object', properties: {} },
}));
/** Tools by their names, in the order in which they are said. */
const find = (request: string, most: number) =>
  request
    .split(/\W+/)
    .filter((word) => NAMES.includes(word))
    .slice(0, most)
    .map((name) => ({ name }));
const config = withLimits(parseSettings({ toolFile: '/t.ts' }));
const call = (name: string, args: Record<string, unknown> = {}) => ({ name, arguments: args });
const lookUp = (query: unknown) => call('find_tools', { query });

async function play(task: Task, turns: readonly ScriptedTurn[], most = 2) {
  const made: string[] = [];
  const openings: Pick<Opening, 'messages' | 'tools' | 'goesOn'>[] = [];
  const hosts = {
    open: () => ({
      call: async (name: string) => {
        made.push(name);
        return { kind: 'ok' as const, content: '"ok"', policy: 'real' as const, startedAt: 0, durationMs: 0 };
      },
      close: () => undefined,
    }),
  };
  const scripted = scriptedPolicy('script', inTurn(turns));
  const { trace } = await runEpisode(
    { id: 'a', task, groupId: 'g', indexInGroup: 0, random: Random.fromSeed(1) },
    episodeOptions(
      { tools, hosts },
      {
        policy: {
          ...scripted,
          open(opening) {
            openings.push({ messages: [...opening.messages], tools: opening.tools, goesOn: opening.goesOn ?? false });
            return scripted.open(opening);
          },
        },
        environmentFor: environmentsOf({
          tools,
          shown: new ShownTools({ tools, most, find, looksUp: true }),
          hosts,
          now: () => 0,
          config,
        }),
        sampling: { temperature: 0, maxTurnTokens: 64, maxTokens: 512 },
      },
    ),
  );
  writeVerdicts(trace, task, tools);
  return { trace: Trace.parse(trace), made, openings };
}

const names = (of: readonly { name: string }[]): string => of.map(({ name }) => name).join(' ');
const task: Task = { id: 't', prompt: 'Please bill me.', calls: [call('emboss')] };

describe('an episode whose tools are looked up', () => {
  it('reads what was found from its next turn on, in the place of others, and calls it then', async () => {
    const { trace, made, openings } = await play(task, [
      { calls: [lookUp('something to emboss')] },
      { calls: [call('emboss')] },
      { content: 'Done.' },
    ]);
    assert.deepEqual(trace.shownTools, ['find_tools', 'archive', 'bill']);
    assert.deepEqual(trace.turns[0]!.calls[0]!.result!.content, '[{"name":"emboss","description":"Does emboss"}]');
    assert.deepEqual(
      openings.map((opening) => [names(opening.tools), opening.messages.length, opening.goesOn]),
      [
        ['find_tools archive bill', 1, false],
        ['find_tools archive emboss', 3, true],
      ],
    );
    assert.deepEqual(made, ['emboss']);
    assert.deepEqual(
      shownByTurn(trace)!.map((shown) => shown.join(' ')),
      ['find_tools archive bill', 'find_tools archive emboss', 'find_tools archive emboss'],
    );
    assert.ok(!('shownTools' in trace.turns[2]!), 'said where it changes');
  });

  it('looking up is no call of a tool: not for verdicts, rewards, metrics or a task made of it', async () => {
    const { trace } = await play(task, [
      { calls: [lookUp('emboss')] },
      { calls: [call('emboss')] },
      { content: 'Done.' },
    ]);
    assert.deepEqual(trace.verdicts, { callsRight: true, answerRight: true, finished: true });
    assert.equal(names(new Episode(task, trace, tools).calls), 'emboss');
    assert.equal(agentMetrics([{ task, trace }], { tools }).tier!.share, 0);
    const { shown } = agentMetrics([{ task, trace }], { tools });
    assert.deepEqual([shown!.recall, shown!.tools], [1, 4], 'found on the way');
    assert.equal(names(taskOf(trace).calls!), 'emboss');
    const none: Task = { id: 'n', prompt: 'Sing!', calls: [] };
    const refused = await play(none, [{ calls: [lookUp('sing')] }, { content: 'No tool can do that.' }]);
    assert.deepEqual(refused.trace.verdicts, { callsRight: true, answerRight: true, finished: true });
  });

  it('a tool that is not shown yet is none; a query that is none says what it must be', async () => {
    const { trace, made, openings } = await play(task, [
      { calls: [lookUp('emboss'), call('emboss'), call('bill')] },
      { calls: [lookUp(3)] },
      { calls: [lookUp('nothing of it')] },
      { calls: [call('bill')] },
    ]);
    const kinds = trace.turns.map(({ calls }) => calls.map(({ result }) => result!.kind).join());
    assert.deepEqual(kinds.slice(0, 3), ['ok,unknownTool,ok', 'invalidArguments', 'ok']);
    assert.equal(trace.turns[2]!.calls[0]!.result!.content, '[]');
    assert.deepEqual(made, ['bill', 'bill'], 'what was called stays');
    assert.equal(names(openings[1]!.tools), 'find_tools bill emboss');
    assert.equal(openings.length, 2, 'and nothing else is read anew');
  });

  it('goes on to further ones: what is shown is not found again', async () => {
    const { trace } = await play(
      { ...task, prompt: 'archive, bill, copy, delay or emboss?' },
      [1, 2].map(() => ({ calls: [lookUp('archive, bill, copy, delay or emboss?')] })),
    );
    assert.deepEqual(
      shownByTurn(trace)!.map((shown) => shown.slice(1).join(' ')),
      ['archive bill', 'archive copy', 'bill copy'],
      'what was found last stays',
    );
  });
});

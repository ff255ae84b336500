/** An episode that is shown a few of the tools: what it may call, and what its trace says. */
import assert from 'node:assert/strict';
import { Random } from '../../trainer/base/random';
import { agentMetrics } from '../../trainer/evaluation/agentMetrics';
import { metricRows } from '../../trainer/protocol/agentMetrics';
import type { Task, ToolSchema } from '../../trainer/protocol/task';
import { Trace } from '../../trainer/protocol/trace';
import { ownSamples } from '../../trainer/recipes/steps/ownSamples';
import type { Session } from '../../trainer/recipes/steps/session';
import { drawNames, Renamed } from '../../trainer/recipes/steps/otherNames';
import { environmentsOf } from '../../trainer/rollout/environment/runEnvironment';
import { runEpisode } from '../../trainer/rollout/episode';
import { inTurn, scriptedPolicy } from '../../trainer/rollout/policy/scripted';
import { parseSettings, withLimits } from '../../trainer/app/settings';
import { episodeOptions } from '../fixtures/episodes';
import { sampleTool } from '../store/runs/sample';

const tools: ToolSchema[] = ['search', 'read', 'send'].map((name) => ({ ...sampleTool, name }));
const task: Task = { id: 't', prompt: 'Read it.', calls: ['read', 'send'].map((name) => ({ name, arguments: {} })) };
const config = withLimits(parseSettings({ toolFile: '/t.ts' }));

async function play(shown?: (task: Task) => readonly ToolSchema[]): Promise<{ trace: Trace; made: string[] }> {
  const made: string[] = [];
  const hosts = {
    open: () => ({
      call: async (name: string) => {
        made.push(name);
        return { kind: 'ok' as const, content: '1', policy: 'real' as const, startedAt: 0, durationMs: 0 };
      },
      close: () => undefined,
    }),
  };
  const { trace } = await runEpisode(
    { id: 'a', task, groupId: 'g', indexInGroup: 0, random: Random.fromSeed(1) },
    episodeOptions(
      { tools, hosts },
      {
        policy: scriptedPolicy('script', inTurn([{ calls: [...task.calls!] }, { content: 'Done.' }])),
        environmentFor: environmentsOf({ tools, shown: shown && { of: shown }, hosts, now: () => 0, config }),
        sampling: { temperature: 0, maxTurnTokens: 64, maxTokens: 512 },
      },
    ),
  );
  return { trace: Trace.parse(trace), made };
}

describe('an episode that is shown a few of the tools', () => {
  it('names them in its trace; another tool is none to it, and is not run', async () => {
    const { trace, made } = await play(() => tools.slice(0, 2));
    assert.deepEqual(trace.shownTools, ['search', 'read']);
    assert.deepEqual(made, ['read']);
    const results = trace.turns[0]!.calls.map(({ result }) => [result!.kind, result!.content]);
    assert.deepEqual(results, [
      ['ok', '1'],
      ['unknownTool', '{"error":"unknown_tool","valid_tools":["search","read"]}'],
    ]);
  });

  it('is what a student samples for its teacher, too', async () => {
    const hosts = { open: () => ({ call: async () => assert.fail('nothing is called'), close: () => undefined }) };
    const session = {
      policy: scriptedPolicy('script', inTurn([{ content: 'Done.' }])),
      random: Random.fromSeed(1),
      shownFor: () => tools.slice(0, 2),
      context: {
        config: { ...config, sftOwnSamples: 1 },
        tools,
        shown: {},
        hosts,
        run: { id: 'r' },
        signal: new AbortController().signal,
        now: () => 0,
      },
    } as unknown as Session;
    const [sample] = [...(await ownSamples(session, { update: 1, step: 1 }, [task])).values()];
    assert.deepEqual(sample!.trace.shownTools, ['search', 'read']);
  });

  it('where all are shown, nothing is said of it', async () => {
    const { trace, made } = await play();
    assert.ok(!('shownTools' in trace));
    assert.deepEqual(made, ['read', 'send']);
    assert.ok(!('shown' in agentMetrics([{ task, trace }], { tools })));
  });

  it('under other names, it is told by its own', () => {
    const renamed = new Renamed(tools.slice(0, 2), drawNames(tools.slice(0, 2), Random.fromSeed(3)));
    const trace = { turns: [], messages: [], shownTools: renamed.tools.map(({ name }) => name) } as unknown as Trace;
    assert.notDeepEqual(trace.shownTools, ['search', 'read']);
    assert.deepEqual(renamed.restored(trace).shownTools, ['search', 'read']);
  });

  it('recall, precision and the prompt, of tasks whose gold calls name a tool', async () => {
    const { trace } = await play(() => tools.slice(0, 2));
    const ids = Array.from({ length: 40 }, (_, i) => i);
    const counted = { ...trace, tokens: { ...trace.tokens, ids, writer: `${'p'.repeat(30)}sssssttttp` } };
    const all = { ...counted, shownTools: ['read', 'send'] };
    const none: Task = { id: 'n', prompt: 'Hello!', calls: [] };
    const { shown } = agentMetrics(
      [
        { task, trace: counted },
        { task, trace: all },
        { task: none, trace: counted },
      ],
      { tools },
    );
    assert.deepEqual(
      { ...shown, complete: shown!.complete!.share },
      { tools: 2, recall: 0.75, precision: 0.75, complete: 0.5, promptTokens: 30 },
    );
    const words = metricRows([agentMetrics([{ task, trace: counted }], { tools })]).map((row) => row.join(': '));
    assert.ok(words.includes('gold tools among those shown (recall): 50.0 %'), words.join('\n'));
  });
});

/** AutoTool and SIT-Graph: which call they make, when they leave it to the model, and what the trace says of it. */
import assert from 'node:assert/strict';
import { Random } from '../../../trainer/base/random';
import { agentMetrics } from '../../../trainer/evaluation/agentMetrics';
import { metricRows } from '../../../trainer/protocol/agentMetrics';
import { ANSWER, type Inertial } from '../../../trainer/protocol/toolGraph';
import { Trace, type ToolResult } from '../../../trainer/protocol/trace';
import { parseSettings, withLimits } from '../../../trainer/app/settings';
import { environmentsOf } from '../../../trainer/rollout/environment/runEnvironment';
import { runEpisode } from '../../../trainer/rollout/episode';
import { autoToolCandidates, sitCandidates } from '../../../trainer/rollout/inertia/choices';
import { Inertia } from '../../../trainer/rollout/inertia/inertia';
import { inTurn, scriptedPolicy, type ScriptedTurn } from '../../../trainer/rollout/policy/scripted';
import { buildGraph } from '../../../trainer/store/toolGraph/buildGraph';
import { nearness } from '../../../trainer/tools/retrieval/nearness';
import { episodeOptions } from '../../fixtures/episodes';
import { listed, ORDER_TOOLS, tracked } from '../../fixtures/toolGraph';
import { ok, threw } from '../../tasks/fixtures';

const config = withLimits(parseSettings({ toolFile: '/t.ts', maxTurns: 6 }));
const words = nearness(null);
/** 3 of 4 go on to trackOrder */
const graph = buildGraph([
  ...['Abernathy', 'Drummond', 'Hathaway'].map((name, i) => tracked(name, name, `K${i}`)),
  listed('l', 'Ironside'),
]);
const FOUND = ok([
  { order: 'K7', article: 'tent' },
  { order: 'K8', article: 'lamp' },
]);

interface Played {
  trace: Trace;
  asked: number;
  made: string[];
}

async function play(
  inertia: Inertia | null,
  {
    prompt = "What is the status of Castellan's order?",
    script = [{ calls: [{ name: 'findOrders', arguments: { customer: 'Castellan' } }] }] as ScriptedTurn[],
    answers = {} as Record<string, ToolResult>,
  } = {},
): Promise<Played> {
  const made: string[] = [];
  let asked = 0;
  const hosts = {
    open: () => ({
      call: async (name: string, args: Record<string, unknown>) => {
        made.push(`${name} ${JSON.stringify(args)}`);
        return answers[name] ?? (name === 'findOrders' ? FOUND : ok('shipped'));
      },
      close: () => undefined,
    }),
  };
  // by the model's own turns alone: what the graph did is none of the script's
  const say = inTurn(script);
  const policy = scriptedPolicy('model', (messages) => {
    const own = messages.filter(
      ({ tool_calls: calls = [] }) => !calls.some(({ id }) => /^(autotool|sitgraph)/.test(id)),
    );
    asked++;
    return say(own);
  });
  const { trace } = await runEpisode(
    { id: 'a', task: { id: 't', prompt }, groupId: 'g', indexInGroup: 0, random: Random.fromSeed(1) },
    episodeOptions(
      { tools: ORDER_TOOLS, hosts },
      {
        policy,
        inertia,
        environmentFor: environmentsOf({ tools: ORDER_TOOLS, hosts, now: () => 0, config }),
        sampling: { temperature: 0, maxTurnTokens: 64, maxTokens: 512 },
        maxTurns: 6,
      },
    ),
  );
  return { trace: Trace.parse(JSON.parse(JSON.stringify(trace))), asked, made };
}
const act = (method: Inertial, threshold: number, of = graph): Inertia =>
  new Inertia({ method, graph: of, threshold, nearness: words });

describe("AutoTool's score", () => {
  it('is half the frequency, weighed by how much was seen, and half the nearness of the description', () => {
    const near = { last: ['findOrders'], thought: 'status order', tools: ORDER_TOOLS };
    // W = 4: 1 - 1.1^-4 = 0.316987; "trackOrder: Status of an order." has track 1, order 2, status 1: length sqrt 6;
    // (order 2 + status 1) / (sqrt 6 x sqrt 2) = 0.866025
    const [best, answer] = autoToolCandidates(graph, near, { alpha: 0.5, nearness: words });
    assert.equal(best!.tool, 'trackOrder');
    assert.ok(Math.abs(best!.score - (0.5 * 0.75 * 0.316987 + 0.5 * 0.866025)) < 1e-5, String(best!.score));
    assert.equal(answer!.tool, ANSWER);
    assert.ok(Math.abs(answer!.score - 0.5 * 0.25 * 0.316987) < 1e-5, String(answer!.score));
  });

  it('weights that come to nothing or less give no candidate', () => {
    const follows = [
      { after: ['a'], next: 'b', weight: 1 },
      { after: ['a'], next: 'c', weight: -1 },
    ];
    assert.deepEqual(
      autoToolCandidates({ follows }, { last: ['a'], thought: '', tools: [] }, { alpha: 0.5, nearness: words }),
      [],
    );
  });
});

it("SIT-Graph's weights are counts and a bonus for short episodes, over all that leads on", () => {
  // trackOrder: 3 + 3/2 = 4.5; the answer: 1 + 1 = 2
  assert.deepEqual(sitCandidates(graph, 'findOrders'), [
    { tool: 'trackOrder', score: 4.5 / 6.5 },
    { tool: ANSWER, score: 2 / 6.5 },
  ]);
});

describe('an episode with a tool graph', () => {
  it('a call is made without the model where what comes next and all arguments are known', async () => {
    const { trace, asked, made } = await play(act('autotool', 0.2));
    assert.deepEqual(made, ['findOrders {"customer":"Castellan"}', 'trackOrder {"order":"K7"}']);
    assert.equal(asked, 2, 'for the first call and the answer');
    assert.deepEqual(
      trace.turns.map(({ policy }) => policy),
      ['model', 'autotool', 'model'],
    );
    assert.deepEqual((trace.turns[1]!.info!['inertia'] as { method: string }).method, 'autotool');
    assert.deepEqual(
      trace.messages.map(({ role }) => role),
      ['user', 'assistant', 'tool', 'assistant', 'tool', 'assistant'],
    );
    const metrics = agentMetrics([{ task: { id: 't', prompt: 'x' }, trace }], { tools: ORDER_TOOLS });
    assert.deepEqual(metrics.inertia, { modelTurns: 2, graphTurns: 1 });
    assert.ok(
      metricRows([metrics]).some(([name, value]) => name === 'turns that the tool graph made' && value === '1.00'),
    );
  });

  it('off, the trace is what it was', async () => {
    const { trace, asked } = await play(null, { script: [] });
    assert.equal(asked, 1);
    assert.ok(!JSON.stringify(trace).includes('inertia'));
    const metrics = agentMetrics([{ task: { id: 't', prompt: 'x' }, trace }], { tools: ORDER_TOOLS });
    assert.ok(!('inertia' in metrics));
  });

  it('a request that is near to no tool stays with the model, by the threshold', async () => {
    const { made } = await play(act('autotool', 0.4), { prompt: 'Which articles has Castellan bought?' });
    assert.equal(made.length, 1);
  });

  it('none behind a failure, none where the value is not there, and none that was made before', async () => {
    const failed = await play(act('autotool', 0.2), { answers: { findOrders: threw('no customer') } });
    assert.equal(failed.made.length, 1);
    const empty = await play(act('autotool', 0.2), { answers: { findOrders: ok([]) } });
    assert.equal(empty.made.length, 1);
    const again = await play(act('autotool', 0.2), {
      script: [
        {
          calls: [
            { name: 'trackOrder', arguments: { order: 'K7' } },
            { name: 'findOrders', arguments: { customer: 'Castellan' } },
          ],
        },
      ],
      answers: {},
    });
    assert.equal(again.made.length, 2);
  });

  it('at most one in a row', async () => {
    const circle = buildGraph([...['A', 'B', 'C'].map((name) => tracked(name, name, `K${name}`))]);
    const loop = {
      ...circle,
      follows: circle.follows.map((follow) => (follow.next === ANSWER ? { ...follow, next: 'findOrders' } : follow)),
      edges: [
        ...circle.edges,
        {
          ...circle.edges.find(({ to }) => to === 'trackOrder')!,
          ...{ from: 'trackOrder', to: 'findOrders' },
          arguments: { customer: [{ kind: 'constant' as const, value: 'Other', count: 3 }] },
        },
      ],
    };
    const { trace } = await play(act('autotool', 0.01, loop));
    assert.deepEqual(
      trace.turns.map(({ policy }) => policy),
      ['model', 'autotool', 'model'],
    );
  });

  it('SIT-Graph follows what nearly always came next; else it shows what was done in the nearest states', async () => {
    const followed = await play(act('sitgraph', 0.6));
    assert.deepEqual(followed.made, ['findOrders {"customer":"Castellan"}', 'trackOrder {"order":"K7"}']);
    const { trace, made } = await play(act('sitgraph', 0.8));
    assert.equal(made.length, 1);
    const shown = trace.messages.find(({ name }) => name === 'toolGraph');
    assert.equal(
      shown?.content,
      'Earlier episodes went on like this.\n' +
        'asked "What is the status of <customer>\'s order?"; findOrders(customer) gave a list of several ' +
        "{article, order}: then trackOrder with order from [0].order of findOrders's result.\n" +
        'asked "Which orders has <customer>?"; findOrders(customer) gave a list of several {article, order}: then (answer).',
    );
    assert.equal(trace.turns[0]!.policy, 'model');
  });
});

/**
 * A tool file's tools among others that do not matter, over long conversations whose prompt holds a few of them at a
 * time (MemTool): success by mode of the memory against the file's own tools all along, tools in the prompt, and how
 * many of those added are removed. Greedy, the same requests in the same conversations in all arms, differences paired.
 * A call of another tool gives null. A table, then one line of JSON.
 *
 * Run: COACH_SHARED_DATA=DIR npm run bench -- toolMemory [--tools FILE] [--size 200] [--requests 100] [--n 400]
 *   [--bar 16] [--remembers 0] [--modes workflow,hybrid,autonomous] [--run DIR]
 *   (the sentence encoder: coach find … --install-encoder, once; run: a trained run's folder, else nano)
 */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openShownTools } from '../../trainer/app/retrieval/openShownTools';
import { memoryFigures } from '../../trainer/app/cli/conversation';
import { parseSettings, withLimits } from '../../trainer/app/settings';
import { Random } from '../../trainer/base/random';
import { evaluateConversations } from '../../trainer/evaluation/conversations';
import { pairedGain } from '../../trainer/evaluation/statistics';
import { openEngine } from '../../trainer/model/engine/engine';
import { modelFolder } from '../../trainer/model/weights/modelFolder';
import { trainedWeightsOf } from '../../trainer/model/weights/trainedWeights';
import { shownByTurn, type Trace } from '../../trainer/protocol/trace';
import { requireManifest } from '../../trainer/store/runs/readRun';
import { FIND_TOOLS } from '../../trainer/tools/retrieval/findTools';
import { ToolMemory, type MemoryMode } from '../../trainer/tools/retrieval/toolMemory';
import { discover, EXAMPLES, openHosts } from '../tasks/fixtures';
import { among, others, tasksOf } from './amongOthers';
import { processor, round } from './measured';

const { values } = parseArgs({
  options: {
    tools: { type: 'string', default: 'email/tools.ts' },
    size: { type: 'string', default: '200' },
    requests: { type: 'string', default: '100' },
    n: { type: 'string', default: '400' },
    bar: { type: 'string', default: '16' },
    remembers: { type: 'string', default: '0' },
    modes: { type: 'string', default: 'workflow,hybrid,autonomous' },
    run: { type: 'string' },
    seed: { type: 'string', default: '0' },
  },
});

/** Of the policy's turns the longest prompt, in tools, those by which it adds and removes aside. */
const mostShown = (traces: readonly Trace[]): number =>
  Math.max(
    ...traces.flatMap((trace) =>
      (shownByTurn(trace) ?? []).map((shown) => shown.filter((name) => !OWN.has(name)).length),
    ),
  );
const OWN = new Set([FIND_TOOLS.name, 'remove_tool']);

async function main(): Promise<void> {
  const [seed, size, n, bar, remembers, requests] = (
    ['seed', 'size', 'n', 'bar', 'remembers', 'requests'] as const
  ).map((name) => Number(values[name])) as [number, number, number, number, number, number];
  const own = discover(values.tools);
  const hosts = await openHosts(own);
  const { heldOut: tasks, train } = await tasksOf(own, hosts, join(EXAMPLES, values.tools), n);
  const tools = Random.fromSeed(seed)
    .fork(size)
    .shuffle([...own, ...others(own, seed).slice(0, size - own.length)]);
  const manifest = values.run === undefined ? null : requireManifest(resolve(values.run), { readOnly: true });
  const config = withLimits({
    ...(manifest?.config ?? parseSettings({ toolFile: join(EXAMPLES, values.tools) })),
    maxTokens: 1024,
    seed,
  });
  const engine = await openEngine({ engine: 'auto' });
  const index = openShownTools({ shownTools: bar }, tools, { train })!;
  const results: object[] = [];
  let oracle: boolean[] | null = null;
  const play = async (arm: string, mode: MemoryMode | null): Promise<void> => {
    const traces: Trace[] = [];
    const at = performance.now();
    const { result, changes } = await evaluateConversations({
      modelFolder: modelFolder(config.model, process.cwd()),
      config,
      trained: manifest ? trainedWeightsOf(resolve(values.run!), manifest.config).weights : null,
      engine,
      tools: mode ? tools : own,
      shown: mode ? index.shown : null,
      tasks,
      hosts: among(own, hosts),
      signal: new AbortController().signal,
      now: Date.now,
      onProgress: () => undefined,
      onTraces: (part) => void traces.push(...part),
      conversations: {
        requests,
        remembers,
        openMemory: mode ? () => new ToolMemory({ tools, mode, bar, find: index.find }) : null,
      },
    });
    // they end in any order
    const byTask = new Map(traces.map((trace) => [trace.taskId, trace.solved === true]));
    const solved = tasks.map(({ id }) => byTask.get(id) ?? false);
    oracle ??= solved;
    const { mean, ci95 } = pairedGain(oracle, solved);
    const { held, removed } = memoryFigures(changes);
    const row = {
      ...{
        arm,
        n: result.n,
        success: round(100 * result.success!, 1),
        ci95: result.ci95!.map((x) => round(100 * x, 1)),
      },
      againstOracle: [mean, ...ci95].map((x) => round(100 * x, 1)),
      ...(mode ? { held: round(held, 1), most: mostShown(traces), removed: removed && round(100 * removed, 1) } : {}),
      promptTokens: round(result.metrics!.shown?.promptTokens ?? 0, 0),
      seconds: round((performance.now() - at) / 1000, 1),
    };
    results.push(row);
    console.log(JSON.stringify(row));
  };
  await play('the file alone', null);
  for (const mode of values.modes.split(',')) await play(mode, mode as MemoryMode);
  index.close();
  await hosts.close();
  await engine.dispose();
  console.log(
    JSON.stringify({ bench: 'toolMemory', processor: processor(), node: process.version, ...values, results }),
  );
}

void main();

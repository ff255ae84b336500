/**
 * Calls that a tool graph makes in the model's place (AutoTool, SIT-Graph): how often the model is asked, and whether
 * success holds. A default run on examples/orders for each seed, or runs that are there; the graph is of a run's
 * training
 * traces, measured are its held-out tasks, greedy, all of them and the chains (two calls or more) apart. AutoTool's
 * threshold is its agent's 0.2,
 * and one that was chosen on tasks of validation and training. The control calls the most frequent successor. A table,
 * then one line of JSON.
 *
 * Run: npm run bench -- autoTool [--tools orders/orders.ts] [--seeds 0,1,2] [--steps 64] [--set NAME=VALUE]
 *   [--keep DIR | --runs DIR,DIR]   (keep: of the runs, one that is there is taken as it is; runs: finished ones, in the
 *   place of training; the sentence encoder is used where it is installed) [--past N]   (the graph of N training
 *   tasks as the trained model does them, in the place of the run's own traces) [--most N]   (plays at once; what is
 * done
 *   lies in KEEP/autoTool.json, and the next call goes on)
 */
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { realDependencies } from '../../trainer/app/dependencies';
import { openHosts } from '../../trainer/app/prepare/hosts';
import { withLimits } from '../../trainer/app/settings';
import { modelTurns } from '../../trainer/evaluation/agentMetrics';
import { runTasks, withModel } from '../../trainer/evaluation/evaluate';
import { pairedGain } from '../../trainer/evaluation/statistics';
import { openEncoder } from '../../trainer/model/encoder/encoder';
import { openEngine } from '../../trainer/model/engine/engine';
import { modelFolder } from '../../trainer/model/weights/modelFolder';
import { trainedWeightsOf } from '../../trainer/model/weights/trainedWeights';
import type { Task } from '../../trainer/protocol/task';
import { isInertial, type ToolGraph } from '../../trainer/protocol/toolGraph';
import type { Trace } from '../../trainer/protocol/trace';
import { Inertia } from '../../trainer/rollout/inertia/inertia';
import { runPolicy } from '../../trainer/rollout/policy/local';
import { readTaskSplits, readTools, requireManifest } from '../../trainer/store/runs/readRun';
import { workspaceOf } from '../../trainer/store/runs/workspace';
import { buildGraph } from '../../trainer/store/toolGraph/buildGraph';
import { readGraph } from '../../trainer/store/toolGraph/readGraph';
import { contentKey } from '../../trainer/tasks/taskset';
import { nearness, type Nearness } from '../../trainer/tools/retrieval/nearness';
import { EXAMPLES } from '../tasks/fixtures';
import { processor, round } from './measured';
import { trainRun } from './trainRun';

const { values } = parseArgs({
  options: {
    tools: { type: 'string', default: 'orders/orders.ts' },
    seeds: { type: 'string', default: '0,1,2' },
    steps: { type: 'string', default: '64' },
    set: { type: 'string', multiple: true, default: [] },
    keep: { type: 'string' },
    runs: { type: 'string' },
    most: { type: 'string', default: 'Infinity' },
    past: { type: 'string', default: '0' },
  },
});
/** AutoTool's thresholds that are tried on tasks that are not measured. */
const THRESHOLDS = [0.2, 0.3, 0.4, 0.5];
const TUNED_ON = 128;

type Make = (graph: ToolGraph, near: Nearness) => Inertia | null;
const autoTool =
  (threshold: number, alpha = 0.5): Make =>
  (graph, near) =>
    new Inertia({ method: 'autotool', graph, threshold, nearness: near, alpha });
const sitGraph =
  (withSummaries: boolean): Make =>
  (graph, near) =>
    new Inertia({
      ...{ method: 'sitgraph', threshold: 0.8, nearness: near },
      graph: withSummaries ? graph : { ...graph, edges: graph.edges.map((edge) => ({ ...edge, summaries: [] })) },
    });

const ARMS = ['off', 'most frequent', 'AutoTool 0.2', 'AutoTool chosen', 'SIT-Graph', 'SIT-Graph, no summaries'];

/** Of one arm, task by task. */
interface Measured {
  solved: boolean[];
  asked: number[];
  acted: number[];
}
interface Seed {
  run: string;
  threshold: number;
  graph: { traces: number; edges: number };
  tasks: Task[];
  contents: string[];
  arms: Record<string, Measured>;
}

const asMeasured = (traces: readonly Trace[]): Measured => ({
  solved: traces.map(({ solved }) => solved === true),
  asked: traces.map(modelTurns),
  acted: traces.map(({ turns }) => turns.filter(isInertial).length),
});
const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0);
const count = (facts: readonly boolean[]): number => facts.filter(Boolean).length;

async function trained(seed: number, folder: string): Promise<string> {
  const dir = join(folder, `orders-${seed}`);
  const options = { steps: values.steps, seed };
  await trainRun({ file: join(EXAMPLES, values.tools), dir, options, settings: values.set });
  return dir;
}

async function graphIn(file: string, make: () => Promise<ToolGraph>): Promise<ToolGraph> {
  if (!existsSync(file)) writeFileSync(file, JSON.stringify(await make()));
  return JSON.parse(readFileSync(file, 'utf8')) as ToolGraph;
}

let plays = 0;

/** What was measured of a run is not measured again, be it by an earlier call. */
function openDone(folder: string, dir: string): (name: string, play: () => Promise<Measured>) => Promise<Measured> {
  const file = join(folder, 'autoTool.json');
  return async (name, play) => {
    const all = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, Measured>) : {};
    const key = `${dir}: ${name}`;
    if (all[key]) return all[key];
    if (plays++ >= Number(values.most)) throw new Error(`--most ${values.most}: call it again to go on`);
    const measured = await play();
    writeFileSync(file, JSON.stringify({ ...all, [key]: measured }));
    return measured;
  };
}

async function measureRun(dir: string, folder: string, near: Nearness): Promise<Seed> {
  const { config: settings } = requireManifest(dir, { readOnly: true });
  const config = withLimits(settings);
  const { heldOut, validation, train } = readTaskSplits(dir);
  const tuned = [...validation, ...train].slice(0, TUNED_ON);
  const without = new Set([...heldOut, ...tuned].map(({ prompt }) => prompt));
  const tools = readTools(dir);
  const done = openDone(folder, dir);
  // as the run had them: what changes the world is mocked
  const hosts = await openHosts({
    ...{ config, found: await realDependencies.discover([config.toolFile]), dependencies: realDependencies },
    ...{ workspace: workspaceOf(config.toolFile, dirname(config.toolFile)), note: () => undefined },
    ask: async () => 'unavailable',
  });
  const engine = await openEngine({ engine: 'auto' });
  try {
    const { weights } = trainedWeightsOf(dir, settings);
    return await withModel(
      { modelFolder: modelFolder(config.model, process.cwd()), config, trained: weights, engine },
      async (base, graphs) => {
        const policy = runPolicy(base, graphs, { tools, config });
        const playTasks = (tasks: Task[], inertia: Inertia | null): Promise<Trace[]> =>
          runTasks(tasks, {
            ...{ base, policy, tools, hosts, config, inertia, runId: 'bench', phase: 'try', step: 0 },
            signal: new AbortController().signal,
            now: Date.now,
          });
        const past = train.slice(TUNED_ON, TUNED_ON + Number(values.past));
        const graph = await graphIn(join(folder, `${dir.replace(/\W+/g, '-')}.graph.json`), async () =>
          past.length === 0 ? readGraph(dir, dir, without).graph : buildGraph(await playTasks(past, null)),
        );
        const play = (name: string, tasks: Task[], make: Make): Promise<Measured> =>
          done(name, async () => asMeasured(await playTasks(tasks, make(graph, near))));
        const off: Make = () => null;
        const arms: Record<string, Make> = {
          off,
          'most frequent': autoTool(0, 1),
          'AutoTool 0.2': autoTool(0.2),
          'SIT-Graph': sitGraph(true),
          'SIT-Graph, no summaries': sitGraph(false),
        };
        const measured: Seed['arms'] = {};
        for (const [name, make] of Object.entries(arms)) measured[name] = await play(name, heldOut, make);
        const before = await play('off, tuned on', tuned, off);
        let best = { threshold: 1, asked: sum(before.asked) };
        for (const threshold of THRESHOLDS) {
          const { solved, asked } = await play(`${threshold}, tuned on`, tuned, autoTool(threshold));
          console.error(`${dir}, ${threshold}: ${count(solved)} of ${count(before.solved)}, ${sum(asked)} asked`);
          if (count(solved) >= count(before.solved) && sum(asked) < best.asked) best = { threshold, asked: sum(asked) };
        }
        const chosen = autoTool(best.threshold);
        measured['AutoTool chosen'] = await play(`AutoTool ${best.threshold}`, heldOut, chosen);
        return {
          ...{ run: dir, threshold: best.threshold, tasks: heldOut, arms: measured },
          graph: { traces: graph.traces, edges: graph.edges.length },
          contents: heldOut.map((task) => `${dir} ${contentKey(task, tools)}`),
        };
      },
    );
  } finally {
    await hosts.close();
    await engine.dispose();
  }
}

/** An arm beside the model alone, over all seeds: paired, clustered by what a task is about. */
function row(seeds: readonly Seed[], arm: string, of: (task: Task) => boolean): object {
  const pick = <T>(from: (seed: Seed) => readonly T[]): T[] =>
    seeds.flatMap((seed) => from(seed).filter((_, i) => of(seed.tasks[i]!)));
  const [before, after] = ['off', arm].map((name) => ({
    solved: pick((seed) => seed.arms[name]!.solved),
    asked: pick((seed) => seed.arms[name]!.asked),
    acted: pick((seed) => seed.arms[name]!.acted),
  })) as [Measured, Measured];
  const n = before.solved.length;
  const gain = pairedGain(
    before.solved,
    after.solved,
    pick(({ contents }) => contents),
  );
  const fewer = pairedGain(
    after.asked,
    before.asked,
    pick(({ contents }) => contents),
  );
  const mean = sum(before.asked) / n;
  const percent = (x: number): number => round(100 * x, 1);
  return {
    ...{ arm, n, success: percent(count(after.solved) / n) },
    gain: [gain.mean, ...gain.ci95].map(percent),
    ...{ asked: round(sum(after.asked) / n, 2), acted: round(sum(after.acted) / n, 2) },
    fewerPercent: [fewer.mean, ...fewer.ci95].map((x) => percent(x / mean)),
  };
}

async function main(): Promise<void> {
  const folder = values.keep === undefined ? mkdtempSync(join(tmpdir(), 'coach-autotool-')) : resolve(values.keep);
  const encoder = openEncoder();
  const seeds: Seed[] = [];
  const runs = values.runs?.split(',').map((dir) => () => Promise.resolve(resolve(dir)));
  for (const run of runs ?? values.seeds.split(',').map((seed) => () => trained(Number(seed), folder)))
    seeds.push(await measureRun(await run(), folder, nearness(encoder)));
  encoder?.close();
  const tables = Object.fromEntries(
    [
      ['chains', ({ calls = [] }: Task) => calls.length > 1] as const,
      ['one call or none', ({ calls = [] }: Task) => calls.length < 2] as const,
      ['all', () => true] as const,
    ].map(([name, of]) => [name, ARMS.map((arm) => row(seeds, arm, of))]),
  );
  for (const [name, rows] of Object.entries(tables)) {
    console.error(name);
    for (const one of rows) console.error(`  ${JSON.stringify(one)}`);
  }
  console.log(
    JSON.stringify({
      ...{ bench: 'autoTool', processor: processor(), node: process.version, by: encoder ? 'encoder' : 'words' },
      runs: seeds.map(({ run, threshold, graph }) => ({ run, threshold, graph })),
      tables,
    }),
  );
}

void main();

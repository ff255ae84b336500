/**
 * A tool file's tools among others that do not matter (Seal-Tools' definitions, none of its requests): success where
 * each request is shown a few that retrieval found, against the file's own tools alone (the oracle), and against all of
 * them where they fit into the model; recall, and tokens of the prompt. Greedy, the same tasks in all arms, differences
 * paired. A call of another tool gives null. A table, then one line of JSON.
 *
 * Run: COACH_SHARED_DATA=DIR npm run bench -- manyTools [--tools FILE] [--sizes 50,200,1000,4076] [--shown 8,5,3]
 *   [--n 120] [--arms definitions,questions,average,find,findQuestions] [--dev] [--run DIR]
 *   (arms: what they are found by, below; dev: on training requests, which no document then holds, so that nothing is
 *   chosen on those that are told of; run: a trained run's folder, else nano; the sentence encoder: coach find …
 *   --install-encoder, once)
 */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openShownTools } from '../../trainer/app/retrieval/openShownTools';
import { parseSettings, withLimits } from '../../trainer/app/settings';
import { runTasks, withModel } from '../../trainer/evaluation/evaluate';
import { pairedGain } from '../../trainer/evaluation/statistics';
import { successOf } from '../../trainer/evaluation/success';
import { openEngine } from '../../trainer/model/engine/engine';
import { modelFolder } from '../../trainer/model/weights/modelFolder';
import { trainedWeightsOf } from '../../trainer/model/weights/trainedWeights';
import type { ToolSchema } from '../../trainer/protocol/task';
import type { Trace } from '../../trainer/protocol/trace';
import { hasRoom, runPolicy } from '../../trainer/rollout/policy/local';
import { requireManifest } from '../../trainer/store/runs/readRun';
import { Random } from '../../trainer/base/random';
import { discover, EXAMPLES, openHosts } from '../tasks/fixtures';
import { among, others, tasksOf } from './amongOthers';
import { processor, round } from './measured';

const { values } = parseArgs({
  options: {
    tools: { type: 'string', default: 'email/tools.ts' },
    sizes: { type: 'string', default: '50,200,1000,4076' },
    shown: { type: 'string', default: '8' },
    n: { type: 'string', default: '120' },
    run: { type: 'string' },
    seed: { type: 'string', default: '0' },
    arms: { type: 'string', default: 'definitions,questions' },
    dev: { type: 'boolean', default: false },
  },
});
/** What tools are found by: definitions, training requests, too, all in one average; or definitions and find_tools. */
const ARMS = {
  definitions: { hasQuestions: false },
  questions: { hasQuestions: true },
  average: { hasQuestions: true, toolVectors: 'average' },
  find: { hasQuestions: false, findTools: true },
  findQuestions: { hasQuestions: true, findTools: true },
} as const;

async function main(): Promise<void> {
  const seed = Number(values.seed);
  const own = discover(values.tools);
  const hosts = await openHosts(own);
  const manifest = values.run === undefined ? null : requireManifest(resolve(values.run), { readOnly: true });
  const config = withLimits({
    ...(manifest?.config ?? parseSettings({ toolFile: join(EXAMPLES, values.tools) })),
    maxTokens: 2048,
    seed,
  });
  const trained = manifest ? trainedWeightsOf(resolve(values.run!), manifest.config).weights : null;
  const n = Number(values.n);
  const split = await tasksOf(own, hosts, join(EXAMPLES, values.tools), n);
  const tasks = values.dev ? split.train.slice(-n) : split.heldOut;
  const train = values.dev ? split.train.slice(0, -n) : split.train;
  const engine = await openEngine({ engine: 'auto' });
  const padding = others(own, seed);
  const results: object[] = [];
  await withModel(
    { modelFolder: modelFolder(config.model, process.cwd()), config, trained, engine },
    async (base, graphs) => {
      const promptOf = (tools: readonly ToolSchema[]): number =>
        base.tokenizer.encode(base.template.render([{ role: 'user', content: 'x' }], tools, true)).length;
      const play = (tools: ToolSchema[], shown: Parameters<typeof runPolicy>[2]['shown'] = null): Promise<Trace[]> =>
        runTasks(tasks, {
          base,
          policy: runPolicy(base, graphs, { tools, shown, config }),
          tools,
          shown,
          hosts: among(own, hosts),
          config,
          runId: 'bench',
          phase: 'try',
          step: 0,
          signal: new AbortController().signal,
          now: Date.now,
        });
      const solvedBy = (traces: readonly Trace[]): boolean[] => traces.map(({ solved }) => solved === true);
      const tell = (
        size: number,
        arm: string,
        tools: ToolSchema[],
        traces: readonly Trace[],
        oracle: boolean[],
        seconds: number,
      ): void => {
        const { success, ci95, metrics } = successOf(tasks, traces, { tools });
        const { mean, ci95: gap } = pairedGain(oracle, solvedBy(traces));
        const { tokens } = metrics!;
        const prompt =
          traces.reduce((sum, { tokens: { writer } }) => sum + /^p*/.exec(writer)![0].length, 0) / traces.length;
        const row = {
          ...{ tools: size, arm, n: tasks.length, success: round(100 * success!, 1) },
          ci95: ci95!.map((x) => round(100 * x, 1)),
          againstOracle: [mean, ...gap].map((x) => round(100 * x, 1)),
          recall: metrics!.shown?.recall == null ? null : round(100 * metrics!.shown.recall, 1),
          ...{ promptTokens: round(prompt, 0), ofAll: promptOf(tools), timesFewer: round(promptOf(tools) / prompt, 1) },
          ...{ read: round(tokens!.read, 0), seconds: round(seconds, 1) },
        };
        results.push(row);
        console.log(JSON.stringify(row));
      };
      const timed = async (work: () => Promise<Trace[]>): Promise<{ traces: Trace[]; seconds: number }> => {
        const at = performance.now();
        const traces = await work();
        return { traces, seconds: (performance.now() - at) / 1000 };
      };
      const oracle = await timed(() => play(own));
      const solved = solvedBy(oracle.traces);
      tell(own.length, 'oracle', own, oracle.traces, solved, oracle.seconds);
      for (const size of values.sizes.split(',').map(Number)) {
        const tools = Random.fromSeed(seed)
          .fork(size)
          .shuffle([...own, ...padding.slice(0, size - own.length)]);
        for (const shownTools of values.shown.split(',').map(Number))
          for (const arm of values.arms.split(',') as (keyof typeof ARMS)[]) {
            const { hasQuestions, ...settings } = ARMS[arm];
            const open = openShownTools({ shownTools, ...settings }, tools, { train: hasQuestions ? train : [] })!;
            const found = await timed(() => play(tools, open.shown));
            tell(size, `${shownTools} by ${arm} (${open.by})`, tools, found.traces, solved, found.seconds);
            open.close();
          }
        if (!hasRoom(base, tools)) continue;
        const all = await timed(() => play(tools));
        tell(size, 'all', tools, all.traces, solved, all.seconds);
      }
    },
  );
  await hosts.close();
  await engine.dispose();
  console.log(
    JSON.stringify({ bench: 'manyTools', processor: processor(), node: process.version, ...values, results }),
  );
}

void main();

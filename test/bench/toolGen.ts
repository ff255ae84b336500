/**
 * ToolGen: a token for each tool beside tools written into the prompt, on examples/email and on made files of many tools
 * (Seal-Tools' definitions, none of its requests). Both arms are trained by `coach train --method sft` on equally many
 * examples (the token arm's definitions and requests count), then both answer the same held-out tasks in one process,
 * in turns: success, paired; right calls a second; tokens of the prompt. Where tools are more than the prompt of all
 * may hold, the other arm is shown ten that were found, as runs are by default. A table, then one line of JSON.
 *
 * Run: COACH_SHARED_DATA=DIR npm run bench -- toolGen [--sets email,50,150] [--seeds 1,2,3] [--steps 96] [--out DIR]
 *   [--set NAME=VALUE (of the token arm)]   (10 minutes a set and seed; runs that lie in --out are taken as they are)
 */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openShownTools } from '../../trainer/app/retrieval/openShownTools';
import { withLimits } from '../../trainer/app/settings';
import { runTasks, withModel } from '../../trainer/evaluation/evaluate';
import { mcnemar, pairedGain } from '../../trainer/evaluation/statistics';
import { openEngine, type Engine } from '../../trainer/model/engine/engine';
import { modelFolder } from '../../trainer/model/weights/modelFolder';
import { learntBy } from '../../trainer/model/weights/trainedWeights';
import type { Task, ToolSchema, TypeScriptTool } from '../../trainer/protocol/task';
import type { Trace } from '../../trainer/protocol/trace';
import { runPolicy } from '../../trainer/rollout/policy/local';
import { foldRun, readTaskSplits, readTools, requireManifest } from '../../trainer/store/runs/readRun';
import { isSameCall } from '../../trainer/tasks/solved';
import { contentKey } from '../../trainer/tasks/taskset';
import { Discovery } from '../../trainer/tools/sources/typescript/toolFile';
import { EXAMPLES, openHosts } from '../tasks/fixtures';
import { median, processor, round } from './measured';
import { sealTools } from './sealTools';
import { trainRun } from './trainRun';

const { values } = parseArgs({
  options: {
    sets: { type: 'string', default: 'email,50,150' },
    seeds: { type: 'string', default: '1,2,3' },
    steps: { type: 'string', default: '96' },
    n: { type: 'string', default: '240' },
    out: { type: 'string' },
    set: { type: 'string', multiple: true, default: [] },
  },
});
const out = resolve(values.out ?? mkdtempSync(join(tmpdir(), 'coach-toolgen-')));
/** So many times each arm answers, for its time. */
const ROUNDS = 3;
const BATCH = 16;

const IDENTIFIER = /^[a-z_]\w*$/i;
const isWritable = ({ name, parameters }: ToolSchema): boolean =>
  [name, ...Object.keys(parameters.properties as object)].every((word) => IDENTIFIER.test(word));

/** A file of tools that give nothing. */
function writeToolFile(folder: string, count: number): string {
  const data = process.env.COACH_SHARED_DATA;
  if (!data) throw new Error('bench toolGen: set COACH_SHARED_DATA to the folder of public data');
  const tools = sealTools(data, [], 0).filter(isWritable).slice(0, count);
  const oneLine = (text: string): string => text.replace(/\s+/g, ' ').replaceAll('*/', '');
  const written = tools.map(({ name, description, parameters }) => {
    const required = new Set(parameters.required as string[]);
    const properties = Object.entries(
      parameters.properties as Record<string, { type: string; description: string }>,
    ).sort(([a], [b]) => Number(required.has(b)) - Number(required.has(a)));
    const typeOf = (type: string): string => (type === 'integer' ? 'number' : type);
    return [
      `/** ${oneLine(description)}`,
      ...properties.map(([key, { description: what }]) => ` *  @param ${key} ${oneLine(what)}`),
      ' *  @tool */',
      `export function ${name}(${properties.map(([key, { type }]) => `${key}${required.has(key) ? '' : '?'}: ${typeOf(type)}`).join(', ')}): null {`,
      '  return null;',
      '}',
    ].join('\n');
  });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{}');
  const file = join(folder, `tools${count}.ts`);
  writeFileSync(file, `${written.join('\n\n')}\n`);
  return file;
}

interface Arm {
  name: 'prompt' | 'tokens';
  dir: string;
}

/** Examples that the first two stages took. */
function stageExamples(dir: string): number {
  const said = foldRun(dir).notes.filter(({ code }) => code === 'toolTokens');
  return said.reduce((sum, { message }) => {
    const [, epochs, examples] = /after (\d+) epochs of (\d+) examples/.exec(message)!;
    return sum + Number(epochs) * Number(examples);
  }, 0);
}

async function trainArms(file: string, name: string, seed: number): Promise<{ arms: Arm[]; examples: number }> {
  const steps = Number(values.steps);
  const common = [`batchSize=${BATCH}`, 'rehearsal=false', `heldOutTasks=${values.n}`, 'evalEvery=1000', 'taskCount=2000'];
  const train = (arm: string, of: number, settings: readonly string[]) =>
    trainRun({
      file,
      dir: join(out, `${name}-${arm}-${seed}`),
      options: { method: 'sft', steps: of, seed },
      settings: [...common, ...settings],
    });
  await train('tokens', steps, ['toolTokens=true', ...values.set]);
  const tokens = join(out, `${name}-tokens-${seed}`);
  const more = Math.ceil(stageExamples(tokens) / BATCH);
  await train('prompt', steps + more, []);
  return {
    arms: [
      { name: 'prompt', dir: join(out, `${name}-prompt-${seed}`) },
      { name: 'tokens', dir: tokens },
    ],
    examples: BATCH * (steps + more),
  };
}

interface Played {
  solved: boolean[];
  right: number;
  toolRight: boolean[];
  seconds: number;
  promptTokens: number;
  readTokens: number;
}

async function play(arm: Arm, file: string, engine: Engine): Promise<Played> {
  const manifest = requireManifest(arm.dir, { readOnly: true });
  const config = withLimits(manifest.config);
  const tools = readTools(arm.dir);
  const { heldOut: tasks, train } = readTaskSplits(arm.dir);
  const hosts = await openHosts(new Discovery().discover([file]).tools as TypeScriptTool[]);
  const shown = config.shownTools ? openShownTools(config, tools, { train, before: manifest.shownBy }) : null;
  const { weights } = learntBy(arm.dir, config);
  try {
    return await withModel(
      { modelFolder: modelFolder(config.model, process.cwd()), config, trained: weights, engine },
      async (base, graphs) => {
        const once = (of: Task[]): Promise<Trace[]> =>
          runTasks(of, {
            base,
            policy: runPolicy(base, graphs, { tools, shown: shown?.shown ?? null, config }),
            tools,
            shown: shown?.shown.of,
            hosts,
            config,
            runId: 'bench',
            phase: 'try',
            step: 0,
            signal: new AbortController().signal,
            now: Date.now,
          });
        await once(tasks.slice(0, 64)); // compiles
        const at = performance.now();
        const traces = await once(tasks);
        const seconds = (performance.now() - at) / 1000;
        return { ...judged(tasks, traces, tools), seconds };
      },
    );
  } finally {
    shown?.close();
    await hosts.close();
  }
}

function judged(
  tasks: readonly Task[],
  traces: readonly Trace[],
  tools: readonly ToolSchema[],
): Omit<Played, 'seconds'> {
  let right = 0;
  const toolRight: boolean[] = [];
  tasks.forEach(({ calls = [] }, i) => {
    const made = traces[i]!.turns.flatMap((turn) => turn.calls);
    if (calls.length > 0) toolRight.push(made[0]?.name === calls[0]!.name);
    for (const gold of calls) {
      const found = made.findIndex((call) => call.result?.kind === 'ok' && isSameCall(gold, call, tools));
      if (found < 0) continue;
      made.splice(found, 1);
      right++;
    }
  });
  const mean = (of: (trace: Trace) => number): number =>
    traces.reduce((sum, trace) => sum + of(trace), 0) / traces.length;
  return {
    solved: traces.map(({ solved }) => solved === true),
    right,
    toolRight,
    promptTokens: mean(({ tokens: { writer } }) => /^p*/.exec(writer)![0].length),
    readTokens: mean(({ tokens }) => tokens.ids.length),
  };
}

const percents = (numbers: readonly number[]): number[] => numbers.map((x) => round(100 * x, 1));

async function main(): Promise<void> {
  const results: object[] = [];
  for (const name of values.sets.split(',')) {
    const file = name === 'email' ? join(EXAMPLES, 'email/tools.ts') : writeToolFile(join(out, 'files'), Number(name));
    const pooled: Record<Arm['name'], Pick<Played, 'solved' | 'toolRight'>> = {
      prompt: { solved: [], toolRight: [] },
      tokens: { solved: [], toolRight: [] },
    };
    const asked: Task[] = [];
    let tools: readonly ToolSchema[] = [];
    const ratios: number[] = [];
    for (const seed of values.seeds.split(',').map(Number)) {
      const { arms, examples } = await trainArms(file, name, seed);
      asked.push(...readTaskSplits(arms[0]!.dir).heldOut);
      tools = readTools(arms[0]!.dir);
      const engine = await openEngine({ engine: 'auto' });
      const played = new Map<Arm['name'], Played[]>();
      for (let round_ = 0; round_ < ROUNDS; round_++)
        for (const arm of arms) played.set(arm.name, [...(played.get(arm.name) ?? []), await play(arm, file, engine)]);
      await engine.dispose();
      const speeds = arms.map((arm) => median(played.get(arm.name)!.map(({ right, seconds }) => right / seconds)));
      ratios.push(speeds[1]! / speeds[0]!);
      for (const [i, arm] of arms.entries()) {
        const [first] = played.get(arm.name)! as [Played];
        const { solved, toolRight, right, promptTokens, readTokens } = first;
        pooled[arm.name].solved.push(...solved);
        pooled[arm.name].toolRight.push(...toolRight);
        const row = {
          ...{ set: name, arm: arm.name, seed, examples, n: solved.length },
          success: round((100 * solved.filter(Boolean).length) / solved.length, 1),
          firstTool: round((100 * toolRight.filter(Boolean).length) / toolRight.length, 1),
          ...{ rightCalls: right, rightCallsASecond: round(speeds[i]!, 2) },
          ...{ promptTokens: round(promptTokens, 0), episodeTokens: round(readTokens, 0) },
        };
        results.push(row);
        console.log(JSON.stringify(row));
      }
    }
    const { prompt, tokens } = pooled;
    const gain = pairedGain(
      prompt.solved,
      tokens.solved,
      asked.map((task) => contentKey(task, tools)),
    );
    const firstTool = pairedGain(
      prompt.toolRight,
      tokens.toolRight,
      asked.filter(({ calls = [] }) => calls.length > 0).map((task) => contentKey(task, tools)),
    );
    const all = {
      ...{ set: name, n: tokens.solved.length },
      gain: percents([gain.mean, ...gain.ci95]),
      changed: mcnemar(prompt.solved, tokens.solved),
      firstToolGain: percents([firstTool.mean, ...firstTool.ci95]),
      timesFaster: ratios.map((ratio) => round(ratio, 2)),
    };
    results.push(all);
    console.log(JSON.stringify(all));
  }
  console.log(JSON.stringify({ bench: 'toolGen', processor: processor(), node: process.version, ...values, results }));
}

void main();

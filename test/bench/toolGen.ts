/**
 * ToolGen: a token for each tool beside tools written into the prompt, on examples/email and on made files of many
 * tools
 * (Seal-Tools' definitions, none of its requests). Both arms are planned and trained as `coach train --method sft`
 * does,
 * on equally many examples (the token arm's definitions and requests count), but for what a run measures meanwhile.
 * Then
 * both answer the same held-out tasks in one process, in turns: success, paired; right calls a second; tokens of the
 * prompt. Where tools are more than the prompt of all may hold, the other arm is shown ten that were found, as runs are
 * by default. A row an arm, one for the pair, then one line of JSON.
 *
 * Run: COACH_SHARED_DATA=DIR npm run bench -- toolGen [--sets email,50,150] [--seeds 1,2,3] [--steps 96]
 *   [--set NAME=VALUE (of the token arm)]
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { realDependencies } from '../../trainer/app/dependencies';
import { parseSettings } from '../../trainer/app/settings';
import { settingsFromPairs } from '../../trainer/app/settingText';
import { startRun } from '../../trainer/app/startRun';
import { runTasks } from '../../trainer/evaluation/evaluate';
import { mcnemar, pairedGain } from '../../trainer/evaluation/statistics';
import { openEngine, type Engine } from '../../trainer/model/engine/engine';
import type { Task, ToolSchema } from '../../trainer/protocol/task';
import type { Trace } from '../../trainer/protocol/trace';
import { openGoldSteps } from '../../trainer/recipes/sft';
import { measuring } from '../../trainer/recipes/steps/measure';
import { openSession, type Session } from '../../trainer/recipes/steps/session';
import { learnToolTokens } from '../../trainer/recipes/steps/toolTokenStages';
import { isSameCall } from '../../trainer/tasks/solved';
import { contentKey } from '../../trainer/tasks/taskset';
import { EXAMPLES } from '../tasks/fixtures';
import { others } from './amongOthers';
import { median, processor, round } from './measured';

const { values } = parseArgs({
  options: {
    sets: { type: 'string', default: 'email,50,150' },
    seeds: { type: 'string', default: '1,2,3' },
    steps: { type: 'string', default: '96' },
    n: { type: 'string', default: '240' },
    set: { type: 'string', multiple: true, default: [] },
  },
});
const out = mkdtempSync(join(tmpdir(), 'coach-toolgen-'));
/** So many times each arm answers, for its time. */
const ROUNDS = 2;
const BATCH = 16;

const IDENTIFIER = /^[a-z_]\w*$/i;
const isWritable = ({ name, parameters }: ToolSchema): boolean =>
  [name, ...Object.keys(parameters.properties as object)].every((word) => IDENTIFIER.test(word));

/** A file of tools that give nothing. */
function writeToolFile(folder: string, count: number): string {
  const tools = others([], 0).filter(isWritable).slice(0, count);
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
  session: Session;
  /** that it learnt from */
  examples: number;
}

/**
 * Plans and trains an arm as a run would, then gives it away for as long as `use` takes.
 * @param steps of dialogues; null: as many as the examples that are given make
 */
async function withArm(
  name: Arm['name'],
  { file, seed, engine }: { file: string; seed: number; engine: Engine },
  size: { steps: number } | { examples: number },
  use: (arm: Arm) => Promise<void>,
): Promise<void> {
  const steps = 'steps' in size ? size.steps : Math.ceil(size.examples / BATCH);
  const own = name === 'tokens' ? { toolTokens: true, ...settingsFromPairs(values.set) } : {};
  const config = parseSettings({
    ...{ toolFile: file, method: 'sft', steps, seed, batchSize: BATCH, rehearsal: false, taskCount: 2000 },
    ...{ heldOutTasks: Number(values.n), ...own },
  });
  await startRun({
    config,
    cwd: out,
    runDir: mkdtempSync(join(out, 'run-')),
    signal: new AbortController().signal,
    onStop: () => undefined,
    now: Date.now,
    dependencies: {
      ...realDependencies,
      openEngine: async () => Object.create(engine, { dispose: { value: () => undefined } }) as Engine,
      recipe: async () =>
        async function* (context) {
          const session = openSession(context);
          let examples = BATCH * steps;
          const stages = learnToolTokens(session);
          for (let next = await stages.next(); !next.done; next = await stages.next()) {
            if (next.value.type !== 'noted') continue;
            console.error(`${name}, seed ${seed}: ${next.value.message}`);
            const [, epochs, each] = /after (\d+) epochs of (\d+) examples/.exec(next.value.message)!;
            examples += Number(epochs) * Number(each);
          }
          const gold = openGoldSteps(session, { ...context.config, updates: 1 });
          for (let step = 1; step <= steps; step++) yield* gold.step(session, step);
          session.policy.version = `step ${steps}`;
          await use({ name, session, examples });
          session.dispose();
          return null;
        },
    },
  });
}

interface Played {
  solved: boolean[];
  right: number;
  toolRight: boolean[];
  seconds: number;
  promptTokens: number;
  readTokens: number;
}

async function play({ session }: Arm): Promise<Played> {
  const { tasks, tools } = session.context;
  const asked = measuring(session, 'try');
  await runTasks(tasks.heldOut.slice(0, 64), asked); // compiles
  const at = performance.now();
  const traces = await runTasks(tasks.heldOut, asked);
  const seconds = (performance.now() - at) / 1000;
  return { ...judged(tasks.heldOut, traces, tools), seconds };
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
  const tell = (row: object): void => {
    results.push(row);
    console.log(JSON.stringify(row));
  };
  const engine = await openEngine({ engine: 'auto' });
  for (const set of values.sets.split(',')) {
    const file = set === 'email' ? join(EXAMPLES, 'email/tools.ts') : writeToolFile(join(out, 'files'), Number(set));
    const pooled = new Map<Arm['name'], Pick<Played, 'solved' | 'toolRight'>>();
    const asked: { content: string; isCalled: boolean }[] = [];
    const ratios: number[] = [];
    const measure = async (arms: Arm[], seed: number): Promise<void> => {
      const played = new Map<Arm['name'], Played[]>();
      for (let round_ = 0; round_ < ROUNDS; round_++)
        for (const arm of arms) played.set(arm.name, [...(played.get(arm.name) ?? []), await play(arm)]);
      const speeds = arms.map(({ name }) => median(played.get(name)!.map(({ right, seconds }) => right / seconds)));
      ratios.push(speeds[1]! / speeds[0]!);
      arms.forEach(({ name, examples, session }, i) => {
        const [{ solved, toolRight, right, promptTokens, readTokens }] = played.get(name) as [Played];
        const before = pooled.get(name);
        pooled.set(name, {
          solved: [...(before?.solved ?? []), ...solved],
          toolRight: [...(before?.toolRight ?? []), ...toolRight],
        });
        tell({
          ...{ set, arm: name, seed, examples, tools: session.context.tools.length, n: solved.length },
          success: round((100 * solved.filter(Boolean).length) / solved.length, 1),
          firstTool: round((100 * toolRight.filter(Boolean).length) / toolRight.length, 1),
          ...{ rightCalls: right, rightCallsASecond: round(speeds[i]!, 2) },
          ...{ promptTokens: round(promptTokens, 0), episodeTokens: round(readTokens, 0) },
        });
      });
      const { tasks, tools } = arms[0]!.session.context;
      for (const task of tasks.heldOut)
        asked.push({ content: contentKey(task, tools), isCalled: (task.calls ?? []).length > 0 });
    };
    for (const seed of values.seeds.split(',').map(Number)) {
      const at = { file, seed, engine };
      await withArm('tokens', at, { steps: Number(values.steps) }, (tokens) =>
        withArm('prompt', at, { examples: tokens.examples }, (prompt) => measure([prompt, tokens], seed)),
      );
    }
    const [prompt, tokens] = [pooled.get('prompt')!, pooled.get('tokens')!];
    const contents = asked.map(({ content }) => content);
    const gain = pairedGain(prompt.solved, tokens.solved, contents);
    const called = contents.filter((_, i) => asked[i]!.isCalled);
    const firstTool = pairedGain(prompt.toolRight, tokens.toolRight, called);
    tell({
      ...{ set, n: tokens.solved.length, gain: percents([gain.mean, ...gain.ci95]) },
      changed: mcnemar(prompt.solved, tokens.solved),
      firstToolGain: percents([firstTool.mean, ...firstTool.ci95]),
      timesAsManyRightCallsASecond: ratios.map((ratio) => round(ratio, 2)),
    });
  }
  await engine.dispose();
  rmSync(out, { recursive: true, force: true });
  console.log(JSON.stringify({ bench: 'toolGen', processor: processor(), node: process.version, ...values, results }));
}

void main();

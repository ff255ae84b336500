/**
 * Tool files that nobody prepared, and what people ask of them: each file is copied into a fresh folder and trained on
 * by `coach train FILE --seed S`
 * with all defaults; base and trained model then answer its requests, one greedy episode each, by `coach evaluate`.
 * Tables, then one line of JSON.
 *
 * Run: COACH_SHARED_DATA=DIR node --import tsx test/bench/anyFile.ts [--files library,vet,snips,hwu64,geo,home,crm,builds]
 * [--seeds 0,1,2] [--model PATH]
 *   [--set NAME=VALUE]… [--only-before] [--keep DIR]
 * Several sets of settings are compared by running it several times.
 */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Trace } from '../../trainer/protocol/trace';
import type { Task, TypeScriptTool } from '../../trainer/protocol/task';
import { foldRun, readTaskSplits, requireManifest } from '../../trainer/store/runs/readRun';
import { tasksToJsonl } from '../../trainer/tasks/readTasks';
import { coach } from './anyFile/coach';
import { judge, type Judged } from './anyFile/failures';
import { DRAWN, FURTHER, HAND_MADE, requestsOf, toolsOf, type BenchFile } from './anyFile/files';
import {
  failureTable,
  fileTable,
  inTheEnd,
  layOut,
  numbersOf,
  percent,
  points,
  pooledGain,
  tagTable,
  valueTable,
  type Measured,
  type TrainedRun,
} from './anyFile/report';
import { processor } from './measured';

/** The bench are four files of 100 requests; the smaller ones are taken by name. */
const FILES = [...HAND_MADE, ...DRAWN];
const ALL = [...FILES, ...FURTHER];

interface Choice {
  model: string;
  settings: readonly string[];
  onlyBefore: boolean;
  folder: string;
}

interface Prepared {
  file: BenchFile;
  tools: TypeScriptTool[];
  tasks: Task[];
  /** the copy, alone with what it imports */
  toolFile: string;
  requests: string;
}

function prepare(file: BenchFile, folder: string): Prepared {
  const own = join(folder, file.name, 'tools');
  mkdirSync(own, { recursive: true });
  for (const source of file.sources) copyFileSync(source, join(own, basename(source)));
  const tools = toolsOf(file);
  const tasks = requestsOf(file, tools);
  const requests = join(folder, file.name, 'requests.jsonl'); // beside no tool file, so that no run trains on it
  writeFileSync(requests, tasksToJsonl(tasks));
  return { file, tools, tasks, toolFile: join(own, basename(file.sources[0]!)), requests };
}

/** @throws Error where it could not be measured, in the words of `coach` */
async function evaluate(
  subject: string,
  name: string,
  { file, tools, tasks, toolFile, requests }: Prepared,
  folder: string,
  further: readonly string[] = [],
): Promise<Judged[]> {
  const path = join(folder, file.name, `${name}.jsonl`);
  if (!existsSync(path)) {
    const partial = `${path}.part`;
    rmSync(partial, { force: true });
    const { code, said } = await coach([
      'evaluate',
      subject,
      '--tools',
      toolFile,
      '--tasks',
      requests,
      '--traces',
      partial,
      '--json',
      ...further,
    ]);
    if (code !== 0) throw new Error(`anyFile: ${file.name}: coach evaluate ended with ${code}: ${said.trim()}`);
    copyFileSync(partial, path);
    rmSync(partial);
  }
  const traces = new Map(
    readFileSync(path, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => Trace.parse(JSON.parse(line)))
      .map((trace) => [trace.taskId, trace]),
  );
  return tasks.map((task) => {
    const trace = traces.get(task.id);
    if (!trace) throw new Error(`anyFile: ${file.name}: ${path} holds no episode of ${task.id}`);
    return judge(task, trace, tools, file.changing);
  });
}

/** A run that is there is gone on with where it was stopped. @returns what `coach` said of it */
async function train(dir: string, args: readonly string[]): Promise<string> {
  const isBegun = existsSync(join(dir, 'run.json'));
  if (isBegun && foldRun(dir).result !== null) return '';
  return (await coach(isBegun ? ['train', '--resume', dir] : args)).said;
}

async function measure(
  prepared: Prepared,
  seed: number,
  { model, settings, onlyBefore, folder }: Choice,
): Promise<Measured> {
  const { file, tools, toolFile } = prepared;
  const rest = { file: file.name, seed };
  if (onlyBefore)
    return {
      ...rest,
      before: await evaluate(model, 'before', prepared, folder),
      after: null,
      run: null,
      refused: null,
    };
  const dir = join(folder, file.name, `run-${seed}`);
  const said = await train(dir, [
    'train',
    toolFile,
    '--run-dir',
    dir,
    '--seed',
    String(seed),
    ...(model === 'nano' ? [] : ['--model', model]),
    ...settings.flatMap((setting) => ['--set', setting]),
  ]);
  const state = existsSync(join(dir, 'run.json')) ? foldRun(dir) : null;
  // What a run planned for its episodes holds before it and after it.
  const planned =
    state === null ? [] : ['--max-tokens', String(requireManifest(dir, { readOnly: true }).config.maxTokens)];
  const before = await evaluate(
    model,
    planned.length === 0 ? 'before' : `before-${planned[1]}`,
    prepared,
    folder,
    planned,
  );
  if (state === null || state.result === null)
    return {
      ...rest,
      before,
      after: null,
      run: null,
      refused: state?.error?.message ?? said.trim().split('\n').slice(-2).join(' '),
    };
  const splits = readTaskSplits(dir);
  const covered = new Set(
    [...splits.train, ...splits.validation, ...splits.heldOut].flatMap(({ calls = [] }) =>
      calls.map(({ name }) => name),
    ),
  );
  const run: TrainedRun = {
    seconds: state.result.seconds,
    before: state.result.before.success,
    after: state.result.after.success,
    verdict: state.result.verdict,
    covered: tools.filter(({ name }) => covered.has(name)).length,
    tools: tools.length,
    warnings: state.notes.filter(({ level }) => level === 'warning').map(({ message }) => message),
  };
  return { ...rest, before, after: await evaluate(dir, `after-${seed}`, prepared, folder), run, refused: null };
}

function print(all: readonly Measured[]): void {
  const before = all.flatMap((one) => one.before);
  const later = all.flatMap((one) => inTheEnd(one) ?? []);
  const after = later.length === 0 ? null : later;
  const count = (judged: readonly Judged[]): string =>
    percent({ k: judged.filter(({ success }) => success).length, n: judged.length });
  const parts = [
    fileTable(all),
    tagTable(all, 0),
    tagTable(all, 1),
    failureTable(before, after),
    valueTable(after ?? before),
  ].map(layOut);
  console.log(parts.join('\n\n'));
  console.log(
    `\nAll together: ${count(before)}${after === null ? '' : ` -> ${count(after)}, gain ${points(pooledGain(all))} points`}`,
  );
  for (const { file, seed, run } of all)
    for (const warning of new Set(run?.warnings ?? [])) console.log(`${file}, seed ${seed}: ${warning}`);
  if (all.some(({ file }) => DRAWN.some(({ name }) => name === file)))
    console.log(
      `${DRAWN.map(({ name }) => name).join(' and ')} have requests with one call and without a tool only: their lines hold no two steps.`,
    );
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      files: { type: 'string' },
      seeds: { type: 'string', default: '0' },
      model: { type: 'string', default: 'nano' },
      set: { type: 'string', multiple: true, default: [] },
      'only-before': { type: 'boolean', default: false },
      keep: { type: 'string' },
    },
  });
  const names = values.files?.split(',') ?? FILES.map(({ name }) => name);
  const files = names.map(
    (name) =>
      ALL.find((file) => file.name === name) ??
      fail(`anyFile: no file is called ${name}; there are ${ALL.map((file) => file.name).join(', ')}`),
  );
  const seeds = values.seeds.split(',').map(Number);
  if (seeds.some((seed) => !Number.isInteger(seed)))
    fail(`anyFile: --seeds must be whole numbers with commas, got ${values.seeds}`);
  const folder = values.keep === undefined ? mkdtempSync(join(tmpdir(), 'coach-any-file-')) : resolve(values.keep);
  try {
    const all: Measured[] = [];
    for (const prepared of files.map((file) => prepare(file, folder))) {
      for (const seed of values['only-before'] ? seeds.slice(0, 1) : seeds) {
        all.push(
          await measure(prepared, seed, {
            model: values.model === 'nano' ? 'nano' : resolve(values.model),
            settings: values.set,
            onlyBefore: values['only-before'],
            folder,
          }),
        );
      }
    }
    print(all);
    console.log(
      JSON.stringify({
        bench: 'anyFile',
        model: basename(values.model),
        settings: values.set,
        seeds,
        ...numbersOf(all),
        cores: availableParallelism(),
        processor: processor(),
        node: process.version,
      }),
    );
  } finally {
    if (values.keep === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

const fail = (message: string): never => {
  throw new Error(message);
};

void main();

import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readAdapter } from '../../model/weights/exportAdapter';
import { BENCHMARKS } from '../../rewards/bfcl/categories';
import { loadedTools } from '../loadedTools';
import { looksLikeModel } from '../../model/weights/modelFolder';
import { shortenAs } from '../budget/shorten';
import { findTools, makeTasks, openHosts, planLimits, splitFor } from '../prepareRun';
import type { TellNote } from '../../protocol/note';
import type { Budget } from '../../protocol/budget';
import { UserError } from '../../protocol/result';
import type { LimitedConfig, RunConfig } from '../../protocol/runConfig';
import type { Task, ToolSchema } from '../../protocol/task';
import type { Trace } from '../../protocol/trace';
import { redactorFor } from '../../store/redaction/redactor';
import type { Dependencies } from '../dependencies';
import type { Discovered } from '../../tools/sources/typescript/discover';
import { findRun } from '../../store/runs/listRuns';
import { readTaskSplits, requireManifest } from '../../store/runs/readRun';
import { workspaceOf } from '../../store/runs/workspace';
import { parseSettings, settingFromText, withLimits } from '../settings';
import { learntBy, type TrainedWeights } from '../../model/weights/trainedWeights';
import { valueOf, type Arguments, type Command } from './command';
import { evaluateBenchmark } from './evaluateBenchmark';
import { evaluatePolicy } from './evaluatePolicy';
import { INPUT_OPTION } from './inputOption';
import { sayProgress, saySuccess } from './measured';

export const evaluate: Command = {
  name: 'evaluate',
  positionals: { usage: 'RUN|DIR|GGUF|nano', min: 0, max: 1 },
  summary:
    'Measure a run, a model or adapter folder, a GGUF file, nano, or a server (--policy) on ' +
    'tasks: greedy decoding, success with a 95 % interval.',
  options: {
    tools: { value: 'FILE', help: 'tool file or folder (default for a run: its own)' },
    tasks: { value: 'F', help: 'all tasks of this file (default: the held-out ones of a run on these tools)' },
    'tool-policy': {
      value: 'real|mock|ask',
      help: 'for all tools (default: mock for those that change the world, real for the rest)',
    },
    traces: { value: 'FILE', help: 'write every episode there, one trace a line as in the traces/ of a run' },
    policy: {
      value: 'URL',
      help:
        'instead of a model of this disk: an OpenAI-compatible server (http://host:port/v1), with ' +
        'its key in COACH_POLICY_KEY; its traces lie in a new run folder',
    },
    'policy-model': { value: 'NAME', help: 'with --policy: the model, as the server calls it' },
    benchmark: { value: 'NAME,…', help: `instead of tools: ${BENCHMARKS.join(', ')}` },
    data: {
      value: 'FOLDER',
      help: 'with --benchmark: your copy of the PyPI package bfcl-eval, or its data folder (default COACH_BFCL_DATA)',
    },
    count: { value: 'N', help: 'with --benchmark: only the first N questions of each' },
    'max-tokens': {
      value: 'N',
      help:
        'of a whole episode, prompt included (default 512 for nano, 1024 for others, or what the run ' +
        'was set to); with --policy: of one reply (default: as the server has it)',
    },
    engine: { value: 'E', help: 'auto or one that `coach engines` lists (default auto)' },
    ...INPUT_OPTION,
  },
  examples: [
    'coach evaluate nano --tools examples/email/tools.ts',
    'coach evaluate 20251121-093005-email --tools examples/email/tools.ts --json',
    'coach evaluate --policy http://127.0.0.1:8080/v1 --policy-model qwen3 --tools examples/email/tools.ts',
    'coach evaluate nano --benchmark bfcl-simple --data site-packages/bfcl_eval --count 50',
  ],

  async run(args, context) {
    const { cwd, dependencies, out, signal, now } = context;
    const isBenchmark = 'benchmark' in args.values;
    refuseOthers(args, isBenchmark);
    if ('policy' in args.values) return evaluatePolicy(args, context);
    if (args.positionals[0] === undefined)
      throw new UserError(
        'config',
        `coach evaluate needs ${evaluate.positionals.usage}`,
        `For example: ${evaluate.examples[0]}`,
      );
    const subject = findSubject(args.positionals[0], cwd, dependencies);
    const settings: Record<string, unknown> = { ...subject.config };
    const maxTokens = valueOf(args, 'max-tokens');
    if (maxTokens !== undefined) settings['maxTokens'] = settingFromText('maxTokens', maxTokens);
    if (isBenchmark) return evaluateBenchmark(args, { settings, trained: subject.trained }, context);
    for (const [option, name] of [
      ['tools', 'toolFile'],
      ['tasks', 'tasks'],
      ['tool-policy', 'toolPolicy'],
      ['engine', 'engine'],
    ] as const) {
      const value = valueOf(args, option);
      if (value !== undefined) settings[name] = name === 'toolFile' || name === 'tasks' ? resolve(cwd, value) : value;
    }
    if (settings['toolFile'] === undefined)
      throw new UserError(
        'config',
        'coach evaluate needs --tools FILE or --benchmark NAME',
        `For example: ${evaluate.examples[0]}`,
      );
    const asSet = parseSettings(settings);
    const note: TellNote = (level, _, message) => out.warn(`${level === 'warning' ? 'Warning: ' : ''}${message}`);
    const workspace = workspaceOf(asSet.toolFile, cwd);
    const found = await loadedTools({
      config: asSet,
      found: await findTools(asSet.toolFile, cwd, dependencies, note, asSet.toolNetwork),
      workspace,
      cwd,
      note,
      dependencies,
      signal,
    });
    const { tasks, config, tools } = await chooseTasks({
      config: asSet,
      found,
      workspace,
      cwd,
      note,
      dependencies,
      subject,
      isNamed: valueOf(args, 'tasks') !== undefined,
      signal,
      onProgress: (message) => (out.hasBar ? out.showBar(message) : out.progress(message)),
    });
    out.clearBar();
    const traceFile = openTraceFile(valueOf(args, 'traces'), cwd);
    const engine = await dependencies.openEngine(config, (message) => note('info', 'engine', message));
    const hosts = await openHosts({ config, found, workspace, note, dependencies, ask: async () => 'unavailable' });
    try {
      const evaluateModel = await dependencies.evaluate();
      const redactor = redactorFor(config, () => dependencies.modelFolder(config.model, cwd));
      const onTraces = (traces: readonly Trace[]) => {
        if (traceFile !== null)
          appendFileSync(traceFile, traces.map((trace) => `${JSON.stringify(redactor.trace(trace))}\n`).join(''));
      };
      const result = await evaluateModel({
        modelFolder: dependencies.modelFolder(config.model, cwd),
        config,
        trained: subject.trained,
        tools,
        tasks,
        hosts,
        engine,
        signal,
        now,
        onProgress: (done, total) => sayProgress(out, done, total),
        onTraces,
      });
      if (signal.aborted) return 130;
      saySuccess(out, result);
      return 0;
    } finally {
      await hosts.close();
      engine.dispose();
    }
  },
};

const OF_TOOLS = ['tools', 'tasks', 'tool-policy', 'traces', 'input'];
const OF_BENCHMARKS = ['data', 'count'];
/** What a server is not asked with: its traces lie in a run folder, and it computes by itself. */
const NOT_OF_POLICIES = ['benchmark', 'traces', 'engine'];

/** A new file, so that nothing is overwritten or added to. @throws UserError */
function openTraceFile(name: string | undefined, cwd: string): string | null {
  if (name === undefined) return null;
  const file = resolve(cwd, name);
  try {
    writeFileSync(file, '', { flag: 'wx' });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    throw new UserError(
      'storage',
      code === 'EEXIST'
        ? `${name}: is there already and is not overwritten`
        : `${name}: can't be written (${code ?? String(error)})`,
      'Name another file with --traces.',
    );
  }
  return file;
}

function refuseOthers({ values }: Arguments, isBenchmark: boolean): void {
  const notOfPolicy = NOT_OF_POLICIES.find((name) => name in values);
  if ('policy' in values && notOfPolicy !== undefined)
    throw new UserError('config', `--policy takes no --${notOfPolicy}`, 'Leave out one of the two.');
  if ('policy-model' in values && !('policy' in values))
    throw new UserError(
      'config',
      '--policy-model belongs to --policy',
      'Give the address of its server with --policy.',
    );
  const wrong = (isBenchmark ? OF_TOOLS : OF_BENCHMARKS).find((name) => name in values);
  if (wrong === undefined) return;
  if (isBenchmark)
    throw new UserError(
      'config',
      `--benchmark brings its own functions and questions, and takes no --${wrong}`,
      'Leave out one of the two.',
    );
  throw new UserError('config', `--${wrong} belongs to --benchmark`, `For example: ${evaluate.examples[3]}`);
}

interface Subject {
  /** settings to measure with: a run's own, else the defaults with this model */
  config: Record<string, unknown>;
  trained: TrainedWeights | null;
  runDir: string | null;
  /** of a run: how its limits came about */
  budget?: Budget | undefined;
}

function findSubject(name: string, cwd: string, dependencies: Pick<Dependencies, 'modelFolder'>): Subject {
  const folder = resolve(cwd, name);
  if (name === 'nano' || looksLikeModel(folder)) {
    dependencies.modelFolder(name, cwd);
    return { config: { model: name === 'nano' ? name : folder }, trained: null, runDir: null };
  }
  if (existsSync(join(folder, 'adapter_config.json'))) {
    const { baseModel, tensors, ...shape } = readAdapter(folder);
    const own = join(folder, 'base');
    const model = existsSync(own) ? own : baseModel;
    dependencies.modelFolder(model, cwd);
    return { config: { model }, trained: { tensors, shape }, runDir: null };
  }
  const runDir = findRun(name, cwd, ['nano']);
  const { config, budget } = requireManifest(runDir, { readOnly: true });
  return { config, trained: learntBy(runDir, config).weights, runDir, budget };
}

/**
 * What is measured: the tasks, and the limits and tools' text that a run has, or that are planned for these tools as a
 * run would plan them.
 */
async function chooseTasks({
  subject,
  isNamed,
  ...making
}: {
  config: RunConfig;
  found: Discovered;
  workspace: string;
  cwd: string;
  note: TellNote;
  dependencies: Dependencies;
  subject: Subject;
  isNamed: boolean;
  signal: AbortSignal;
  onProgress: (message: string) => void;
}): Promise<{ tasks: Task[]; config: LimitedConfig; tools: ToolSchema[] }> {
  const { config, found, note } = making;
  const { runDir, budget } = subject;
  const isOwn = runDir !== null && subject.config['toolFile'] === config.toolFile;
  if (isOwn) {
    const tasks = isNamed ? (await makeTasks(making)).tasks : readTaskSplits(runDir).heldOut;
    return { tasks, config: withLimits(config), tools: shortenAs(found.tools, budget?.shortened ?? {}) };
  }
  // Another file's tools: a run's task file does not fit them, nor do the limits that were planned for its own.
  const made = await makeTasks({ ...making, config: isNamed ? config : { ...config, tasks: undefined } });
  const asSet =
    budget === undefined
      ? config
      : {
          ...config,
          ...Object.fromEntries(
            LIMITS.filter((name) => !budget.set.includes(name) && config[name] === subject.config[name]).map((name) => [
              name,
              undefined,
            ]),
          ),
        };
  const { limits, tools, notes } = await planLimits({ ...making, config: asSet, made });
  for (const { level, code, message } of notes) note(level, code, message);
  return {
    tasks: isNamed ? made.tasks : splitFor(config, made, found.tools).heldOut,
    config: withLimits({ ...asSet, ...limits }),
    tools,
  };
}

const LIMITS = ['maxTokens', 'maxTurnTokens', 'toolOutputBytes'] as const;

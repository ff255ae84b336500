import { appendFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { TOOLE_BENCHMARKS } from '../../evaluation/benchmarks/toole/entries';
import { lostCalls } from '../../evaluation/lostCalls';
import { BENCHMARKS } from '../../rewards/bfcl/categories';
import { loadedTools } from '../loadedTools';
import { findTools } from '../prepare/tools';
import { openHosts } from '../prepare/hosts';
import type { Success } from '../../protocol/messages';
import type { TellNote } from '../../protocol/note';
import { UserError } from '../../protocol/result';
import type { LimitedConfig } from '../../protocol/runConfig';
import type { Trace } from '../../protocol/trace';
import { learntBy, type TrainedWeights } from '../../model/weights/trainedWeights';
import { requireManifest } from '../../store/runs/readRun';
import { redactorFor } from '../../store/redaction/redactor';
import { workspaceOf } from '../../store/runs/workspace';
import type { OpenInertia } from '../inertia/openInertia';
import type { EvaluateModel } from '../../evaluation/evaluate';
import { ToolMemory, type MemoryChange } from '../../tools/retrieval/toolMemory';
import type { OpenShownTools } from '../retrieval/openShownTools';
import { withShownTools } from '../retrieval/shownSettings';
import { parseSettings, settingFromText, settingsFromPairs } from '../settings';
import { valueOf, type Arguments, type Command } from './command';
import { asTokens, chooseTasks, findSubject } from './evaluated';
import { CONVERSATION_OPTIONS, conversationOf, memoryFigures, sayMemory } from './conversation';
import { rewardOf } from './rewardOption';
import { evaluateBenchmark } from './evaluateBenchmark';
import { evaluatePolicy } from './evaluatePolicy';
import { INPUT_OPTION } from './inputOption';
import { sayProgress, saySuccess } from './measured';
import { sayBeforeAfter } from './ownRequests';

export const evaluate: Command = {
  name: 'evaluate',
  positionals: { usage: 'RUN|DIR|GGUF|nano', min: 0, max: 1 },
  summary:
    'Measure a run, a model or adapter folder, a GGUF file, nano, or a server (--policy) on ' +
    'tasks: greedy decoding, success with a 95 % interval.',
  options: {
    tools: { value: 'FILE', help: 'tool file or folder (default for a run: its own)' },
    tasks: { value: 'F', help: 'all tasks of this file (default: the held-out ones of a run on these tools)' },
    requests: {
      help: 'the requests that you kept in Try It (.coach/requests): of a run before and after, with the interval of the change',
    },
    'tool-policy': {
      value: 'real|mock|ask',
      help: 'for all tools (default: mock for those that change the world, real for the rest)',
    },
    reward: {
      value: 'NAME[:option=value]',
      help: 'compliance or toolrla, say: how many episodes violate (VR); default: the rewards of the run',
    },
    traces: { value: 'FILE', help: 'write every episode there, one trace a line as in the traces/ of a run' },
    policy: {
      value: 'URL',
      help:
        'instead of a model of this disk: an OpenAI-compatible server (http://host:port/v1), with ' +
        'its key in COACH_POLICY_KEY; its traces lie in a new run folder',
    },
    'policy-model': { value: 'NAME', help: 'with --policy: the model, as the server calls it' },
    benchmark: { value: 'NAME,…', help: `instead of tools: ${[...BENCHMARKS, ...TOOLE_BENCHMARKS].join(', ')}` },
    data: {
      value: 'FOLDER',
      help:
        'with --benchmark: your copy of the PyPI package bfcl-eval, or its data folder (default COACH_BFCL_DATA), or ' +
        'of ToolE as JSON lines (default COACH_TOOLE_DATA)',
    },
    count: {
      value: 'N',
      help: 'with --benchmark: only N questions of each, the first of BFCL, evenly spread of ToolE',
    },
    'max-tokens': {
      value: 'N',
      help:
        'of a whole episode, prompt included (default 512 for nano, 1024 for others, or what the run ' +
        'was set to); with --policy: of one reply (default: as the server has it)',
    },
    engine: { value: 'E', help: 'auto or one that `coach engines` lists (default auto)' },
    ...CONVERSATION_OPTIONS,
    ...INPUT_OPTION,
    set: {
      value: 'NAME=VALUE',
      help: 'any other setting to measure with, e.g. shownTools=8: show each request 8 of the tools; may be repeated',
      isRepeated: true,
    },
  },
  examples: [
    'coach evaluate nano --tools examples/email/tools.ts',
    'coach evaluate 20251121-093005-email --tools examples/email/tools.ts --json',
    'coach evaluate 20251121-093005-email --requests',
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
    rewardOf(args); // before anything is opened
    const conversation = conversationOf(args);
    const subject = findSubject(args.positionals[0], cwd, dependencies);
    const settings: Record<string, unknown> = { ...subject.config, ...settingsFromPairs(args.values['set'] ?? []) };
    const maxTokens = valueOf(args, 'max-tokens');
    if (maxTokens !== undefined) settings['maxTokens'] = settingFromText('maxTokens', maxTokens);
    if (isBenchmark) return evaluateBenchmark(args, { settings, trained: subject.trained }, context);
    for (const [option, name] of [
      ['tools', 'toolFile'],
      ['tasks', 'tasks'],
      ['tool-policy', 'toolPolicy'],
      ['engine', 'engine'],
      ['reward', 'rewards'],
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
    const given = parseSettings(settings);
    const note: TellNote = (level, _, message) => out.warn(`${level === 'warning' ? 'Warning: ' : ''}${message}`);
    const workspace = workspaceOf(given.toolFile, cwd);
    const found = await loadedTools({
      config: given,
      found: await findTools(given.toolFile, cwd, dependencies, note, given.toolNetwork),
      workspace,
      cwd,
      note,
      dependencies,
      signal,
    });
    // a run on its own tools is measured as it was trained
    const isOwn = subject.runDir !== null && subject.config['toolFile'] === given.toolFile;
    const asSet = withShownTools(asTokens(given, subject, found.tools), found.tools, { byDefault: !isOwn });
    const { tasks, train, config, tools } = await chooseTasks({
      config: asSet,
      found,
      workspace,
      cwd,
      note,
      dependencies,
      subject,
      isOwn,
      on: 'requests' in args.values ? 'requests' : valueOf(args, 'tasks') !== undefined ? 'named' : 'heldOut',
      signal,
      onProgress: (message) => (out.hasBar ? out.showBar(message) : out.progress(message)),
    });
    out.clearBar();
    const traceFile = openTraceFile(valueOf(args, 'traces'), cwd);
    const engine = await dependencies.openEngine(config, (message) => note('info', 'engine', message));
    const hosts = await openHosts({ config, found, workspace, note, dependencies, ask: async () => 'unavailable' });
    let shown: OpenShownTools | null = null;
    let inertia: OpenInertia | null = null;
    try {
      const { memory = null } = conversation ?? {};
      // what is found by the memory is looked up in the same index
      const asked = memory ? { ...config, shownTools: memory.bar, findTools: false } : config;
      shown = await dependencies.shownTools(asked, tools, { train, before: isOwn ? subject.shownBy : undefined });
      if (shown && !memory) note(shown.note.level, shown.note.code, shown.note.message);
      inertia = await dependencies.inertia(config, { cwd, own: subject.runDir, measured: tasks });
      if (inertia) note(inertia.note.level, inertia.note.code, inertia.note.message);
      const evaluateModel = await dependencies.evaluate();
      const redactor = redactorFor(config, () => dependencies.modelFolder(config.model, cwd));
      const told: Trace[] = [];
      let changed: MemoryChange[][] | null = null;
      const onTraces = (traces: readonly Trace[]) => {
        told.push(...traces);
        if (traceFile !== null)
          appendFileSync(traceFile, traces.map((trace) => `${JSON.stringify(redactor.trace(trace))}\n`).join(''));
      };
      const evaluateThem = async (options: Parameters<EvaluateModel>[0]): Promise<Success> => {
        if (!conversation) return evaluateModel(options);
        const find = shown?.find;
        const openMemory = memory && find ? () => new ToolMemory({ ...memory, tools, find }) : null;
        const conversed = await dependencies.evaluateConversations();
        const { result, changes } = await conversed({ ...options, conversations: { ...conversation, openMemory } });
        changed = openMemory ? changes : null;
        return result;
      };
      const measure = async (trained: TrainedWeights | null): Promise<Success> => {
        const from = told.length;
        const result = await evaluateThem({
          modelFolder: dependencies.modelFolder(config.model, cwd),
          config,
          trained,
          tools,
          shown: shown?.shown ?? null,
          inertia: inertia?.inertia ?? null,
          tasks,
          hosts,
          engine,
          signal,
          now,
          onProgress: (done, total) => sayProgress(out, done, total),
          onTraces,
        });
        const lost = lostCalls(told.slice(from));
        if (lost) note(lost.level, lost.code, lost.message);
        return result;
      };
      if ('requests' in args.values && subject.runDir !== null) {
        const before = await measure(startWeights(config));
        const solvedBefore = told.splice(0).map(({ solved }) => solved === true);
        const after = await measure(subject.trained);
        if (signal.aborted) return 130;
        sayBeforeAfter(out, { before, after, solvedBefore, solvedAfter: told.map(({ solved }) => solved === true) });
        return 0;
      }
      const result = await measure(subject.trained);
      if (signal.aborted) return 130;
      saySuccess(out, result, changed ? { memory: memoryFigures(changed) } : {});
      if (changed) sayMemory(out, changed);
      return 0;
    } finally {
      shown?.close();
      inertia?.close();
      await hosts.close();
      engine.dispose();
    }
  },
};

/** What a run began with: of one that went on from another its weights; null: the base model. */
const startWeights = ({ startFrom }: LimitedConfig): TrainedWeights | null =>
  startFrom === undefined ? null : learntBy(startFrom, requireManifest(startFrom, { readOnly: true }).config).weights;

const OF_TOOLS = ['tools', 'tasks', 'requests', 'tool-policy', 'traces', 'input', ...Object.keys(CONVERSATION_OPTIONS)];
const OF_BENCHMARKS = ['data', 'count'];
/** What a server is not asked with: its traces lie in a run folder, and it computes by itself. */
const NOT_OF_POLICIES = ['benchmark', 'requests', 'traces', 'engine', ...Object.keys(CONVERSATION_OPTIONS)];

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
  if ('requests' in values && 'conversation' in values)
    throw new UserError(
      'config',
      '--requests are measured before and after, each by itself, and --conversation asks one after the other',
      'Leave out one of the two.',
    );
  if ('requests' in values && 'tasks' in values)
    throw new UserError(
      'config',
      '--requests names what is measured on, and --tasks names another',
      'Leave out one of the two.',
    );
  if ('policy-model' in values && !('policy' in values))
    throw new UserError(
      'config',
      '--policy-model belongs to --policy',
      'Give the address of its server with --policy.',
    );
  const wrong = (isBenchmark ? [...OF_TOOLS, 'reward'] : OF_BENCHMARKS).find((name) => name in values);
  if (wrong === undefined) return;
  if (isBenchmark)
    throw new UserError(
      'config',
      `--benchmark brings its own functions and questions, and takes no --${wrong}`,
      'Leave out one of the two.',
    );
  throw new UserError('config', `--${wrong} belongs to --benchmark`, `For example: ${evaluate.examples[4]}`);
}

/** `coach evaluate` on the tasks of tools: what is opened for it, how it is measured, and what is told. */
import { appendFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { EvaluateModel } from '../../evaluation/evaluate';
import { lostCalls } from '../../evaluation/lostCalls';
import type { Engine } from '../../model/engine/engine';
import { trainedWeightsOf, type TrainedWeights } from '../../model/weights/trainedWeights';
import type { Success } from '../../protocol/messages';
import type { TellNote } from '../../protocol/note';
import { UserError } from '../../protocol/result';
import type { LimitedConfig, RunConfig } from '../../protocol/runConfig';
import type { Task, ToolSchema } from '../../protocol/task';
import type { Trace } from '../../protocol/trace';
import { redactorFor } from '../../store/redaction/redactor';
import { requireManifest } from '../../store/runs/readRun';
import { workspaceOf } from '../../store/runs/workspace';
import type { ToolHosts } from '../../tools/hosts/callTool';
import { ToolMemory, type MemoryChange } from '../../tools/retrieval/toolMemory';
import type { Discovered } from '../../tools/sources/typescript/discover';
import type { OpenInertia } from '../inertia/openInertia';
import { loadedTools } from '../loadedTools';
import { openHosts } from '../prepare/hosts';
import { findTools } from '../prepare/tools';
import type { OpenShownTools } from '../retrieval/openShownTools';
import { withShownTools } from '../retrieval/shownSettings';
import { valueOf, type Arguments, type CommandContext } from './command';
import { memoryFigures, sayMemory, type AskedConversation } from './conversation';
import { asTokens, chooseTasks, type Subject } from './evaluated';
import { sayProgress, saySuccess } from './measured';
import { sayBeforeAfter } from './ownRequests';

interface Asked {
  given: RunConfig;
  subject: Subject;
  /** null: each task by itself */
  conversation: AskedConversation | null;
}

/** @returns the command's exit code */
export async function evaluateTools(args: Arguments, asked: Asked, context: CommandContext): Promise<number> {
  const { given, subject } = asked;
  const { cwd, dependencies, out } = context;
  const note: TellNote = (level, _, message) => out.warn(`${level === 'warning' ? 'Warning: ' : ''}${message}`);
  const chosen = await chooseMeasured(args, asked, note, context);
  const traceFile = openTraceFile(valueOf(args, 'traces'), cwd);
  const engine = await dependencies.openEngine(chosen.config, (message) => note('info', 'engine', message));
  const { config, found } = chosen;
  const workspace = workspaceOf(given.toolFile, cwd);
  const hosts = await openHosts({ config, found, workspace, note, dependencies, ask: async () => 'unavailable' });
  let shown: OpenShownTools | null = null;
  let inertia: OpenInertia | null = null;
  try {
    const { memory = null } = asked.conversation ?? {};
    // what is found by the memory is looked up in the same index
    const lookedUp = memory ? { ...config, shownTools: memory.bar, findTools: false } : config;
    const { tools, train, tasks, isOwn } = chosen;
    shown = await dependencies.shownTools(lookedUp, tools, { train, before: isOwn ? subject.shownBy : undefined });
    if (shown && !memory) note(shown.note.level, shown.note.code, shown.note.message);
    inertia = await dependencies.inertia(config, { cwd, own: subject.runDir, measured: tasks });
    if (inertia) note(inertia.note.level, inertia.note.code, inertia.note.message);
    const measuring = { ...chosen, conversation: asked.conversation, traceFile, engine, hosts, shown, inertia, note };
    return await measureAndTell(args, subject, measuring, context);
  } finally {
    shown?.close();
    inertia?.close();
    await hosts.close();
    engine.dispose();
  }
}

/** What is measured, with what, and on which tasks. */
interface Chosen {
  config: LimitedConfig;
  found: Discovered;
  /** as the policy reads them */
  tools: ToolSchema[];
  tasks: Task[];
  train: Task[];
  /** a run on its own tools is measured as it was trained */
  isOwn: boolean;
}

async function chooseMeasured(
  args: Arguments,
  { given, subject }: Asked,
  note: TellNote,
  { cwd, dependencies, out, signal }: CommandContext,
): Promise<Chosen> {
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
  const isOwn = subject.runDir !== null && subject.config['toolFile'] === given.toolFile;
  const asSet = withShownTools(asTokens(given, subject, found.tools), found.tools, { byDefault: !isOwn });
  const chosen = await chooseTasks({
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
  return { ...chosen, found, isOwn };
}

interface Measuring extends Chosen, Pick<Asked, 'conversation'> {
  /** null: traces are not written */
  traceFile: string | null;
  engine: Engine;
  hosts: ToolHosts;
  shown: OpenShownTools | null;
  inertia: OpenInertia | null;
  note: TellNote;
}

async function measureAndTell(
  args: Arguments,
  subject: Subject,
  measuring: Measuring,
  context: CommandContext,
): Promise<number> {
  const { out, signal } = context;
  const { measure, told, changed } = await openMeasure(measuring, context);
  if ('requests' in args.values && subject.runDir !== null) {
    const before = await measure(startWeights(measuring.config));
    const solvedBefore = told.splice(0).map(({ solved }) => solved === true);
    const after = await measure(subject.trained);
    if (signal.aborted) return 130;
    sayBeforeAfter(out, { before, after, solvedBefore, solvedAfter: told.map(({ solved }) => solved === true) });
    return 0;
  }
  const result = await measure(subject.trained);
  if (signal.aborted) return 130;
  const changes = changed();
  saySuccess(out, result, changes ? { memory: memoryFigures(changes) } : {});
  if (changes) sayMemory(out, changes);
  return 0;
}

interface Measure {
  measure(trained: TrainedWeights | null): Promise<Success>;
  /** traces of what was measured so far */
  told: Trace[];
  /** of the last conversations with a memory: how it changed; null: there was none */
  changed(): MemoryChange[][] | null;
}

async function openMeasure(
  { config, tools, tasks, conversation, traceFile, engine, hosts, shown, inertia, note }: Measuring,
  { cwd, dependencies, out, signal, now }: CommandContext,
): Promise<Measure> {
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
    const { memory } = conversation;
    const find = shown?.find;
    const openMemory = memory && find ? () => new ToolMemory({ ...memory, tools, find }) : null;
    const conversed = await dependencies.evaluateConversations();
    const { result, changes } = await conversed({ ...options, conversations: { ...conversation, openMemory } });
    changed = openMemory ? changes : null;
    return result;
  };
  return {
    told,
    changed: () => changed,
    async measure(trained) {
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
    },
  };
}

/** What a run began with: of one that went on from another its weights; null: the base model. */
const startWeights = ({ startFrom }: LimitedConfig): TrainedWeights | null =>
  startFrom === undefined
    ? null
    : trainedWeightsOf(startFrom, requireManifest(startFrom, { readOnly: true }).config).weights;

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

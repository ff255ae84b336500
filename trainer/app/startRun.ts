/** One run from settings to its last event; the trainer process and `coach train` both call this. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { hashConfig, loadCheckpoint, type LoadedCheckpoint } from '../model/weights/checkpoint';
import type { Engine } from '../model/engine/engine';
import type { FreeMemory } from '../base/freeMemory';
import { shortenAs } from './budget/shorten';
import { asksJudge, specsOf } from './judgeOf';
import { loadedTools } from './loadedTools';
import { findTools } from './prepare/tools';
import { withMockTools } from './mockTools';
import { makeTasks } from './prepare/tasks';
import { planLimits } from './prepare/limits';
import { splitFor } from './prepare/splits';
import { telling } from './prepare/telling';
import type { Note, TellNote } from '../protocol/note';
import type { Budget } from '../protocol/budget';
import type { RunResult, TrainerEvent } from '../protocol/messages';
import { UserError } from '../protocol/result';
import type { RunConfig, SettledConfig } from '../protocol/runConfig';
import type { Diagnostic, Split, Task, ToolSchema } from '../protocol/task';
import type { PlannedStages } from '../recipes/pipeline/pipeline';
import { redactorFor, secretsInSources } from '../store/redaction/redactor';
import type { Discovered } from '../tools/sources/typescript/discover';
import type { Dependencies } from './dependencies';
import type { OpenInertia } from './inertia/openInertia';
import type { OpenShownTools } from './retrieval/openShownTools';
import { withShownTools } from './retrieval/shownSettings';
import { checkJudge, withoutJudge } from '../rewards/judge/runJudge';
import { readTaskSplits, readTools, requireManifest } from '../store/runs/readRun';
import { openRun, type RunWriter } from '../store/runs/runFolder';
import { workspaceOf } from '../store/runs/workspace';
import { changedFiles, checkSameTools } from './sameTools';
import { asWarmStart } from './asWarmStart';
import { plannedStages, recordedStages, withMarks } from './plannedStages';
import { settle } from './settings';
import { createFor, runToItsEnd, type EngineNotes } from './runToItsEnd';

export interface StartOptions {
  /** of a new run; a resumed one takes those of its run.json */
  config?: RunConfig;
  /** folder of the run to go on with */
  resume?: string;
  /** from a trainer on another host that has been silent (store/runs/lock.ts) */
  takeOver?: boolean;
  cwd: string;
  /** beside which `.coach` lies; default: see workspaceOf */
  workspace?: string;
  /** the new run's own folder */
  runDir?: string;
  signal: AbortSignal;
  /** called by a window that asks to stop; must abort the signal */
  onStop(): void;
  now(): number;
  dependencies: Dependencies;
  /** default: as the system tells */
  freeMemory?(): FreeMemory;
  /** COACH_JUDGE_URL, _MODEL and _KEY; default: none */
  environment?: Readonly<Record<string, string | undefined>>;
  /** the run exists, its socket listens; diagnostics: files that it had to leave out */
  onStart?(run: {
    id: string;
    dir: string;
    socket: string | null;
    diagnostics: Diagnostic[];
    fail(error: unknown): void;
  }): void;
  /** what is done before there is a run, every second or two while it takes long */
  onPrepare?(message: string): void;
  /** after the event is on disk */
  onEvent?(event: TrainerEvent): void;
}

export interface EndedRun {
  dir: string;
  id: string;
  /** null: it was stopped */
  result: RunResult | null;
}

/**
 * @returns null where it was stopped before there was a run
 * @throws what made it fail, after runFailed was recorded
 */
export async function startRun(options: StartOptions): Promise<EndedRun | null> {
  const { dependencies, signal } = options;
  const plan = await planUnlessStopped(options);
  if (plan === null || signal.aborted) {
    plan?.run?.close();
    return null;
  }
  let engine: Engine | null = null;
  let shown: OpenShownTools | null = null;
  let inertia: OpenInertia | null = null;
  let run: RunWriter | null = plan.run;
  const engineNotes: EngineNotes = {
    note: (message) => void plan.notes.push({ level: 'info', code: 'engine', message }),
  };
  try {
    engine = await dependencies.openEngine(plan.config, (message) => engineNotes.note(message));
    shown = await dependencies.shownTools(plan.config, plan.tools, {
      train: plan.tasks.train,
      before: run?.manifest.shownBy,
    });
    inertia = await dependencies.inertia(plan.config, {
      cwd: options.cwd,
      own: null,
      measured: [...plan.tasks.validation, ...plan.tasks.heldOut],
      kept: run?.dir,
    });
    for (const { note } of [shown, inertia].filter((part) => part !== null)) plan.notes.push(note);
    run ??= createFor(plan, engine, shown, options);
    inertia?.keep(run.dir);
    return await runToItsEnd({ ...plan, run }, engine, { shown, inertia }, engineNotes, options);
  } finally {
    shown?.close();
    inertia?.close();
    await engine?.dispose();
    run?.close();
  }
}

/** Null where a stop came while it was planned. */
async function planUnlessStopped(options: StartOptions): Promise<Plan | null> {
  try {
    return options.resume === undefined ? await planNew(options) : await planResume(options, options.resume);
  } catch (error) {
    if (options.signal.aborted && !(error instanceof UserError)) return null;
    throw error;
  }
}

export interface Plan {
  config: SettledConfig;
  workspace: string;
  found: Discovered;
  /** as the policy reads them: where they are too long for the model, shortened */
  tools: ToolSchema[];
  /** of a run of before there is none */
  budget: Budget | undefined;
  tasks: Record<Split, Task[]>;
  taskSource: string;
  /** what came up before there was a run to note it in */
  notes: (Note & { diagnostic?: Diagnostic })[];
  /** of a pipeline: what each stage trains by; of one that chooses its own nothing before it did; null: it is none */
  stages: PlannedStages | null;
  /** a resumed one; a new one is created once everything that can be wrong with the input was looked at */
  run: RunWriter | null;
  resumeFrom: LoadedCheckpoint | null;
}

async function planNew({
  config,
  cwd,
  workspace,
  dependencies,
  environment = {},
  signal,
  onPrepare,
}: StartOptions): Promise<Plan> {
  if (config === undefined) throw new Error('startRun: config or resume must be given');
  dependencies.modelFolder(config.model, cwd);
  let absolute = absolutePaths(config, cwd);
  const notes: Plan['notes'] = [];
  const note: TellNote = (level, code, message, diagnostic) =>
    void notes.push({ level, code, message, ...(diagnostic ? { diagnostic } : {}) });
  let found = await findTools(absolute.toolFile, cwd, dependencies, note, absolute.toolNetwork);
  absolute = asksJudge(absolute, found)
    ? await checkJudge(absolute, specsOf(absolute, found), environment, signal)
    : withoutJudge(absolute);
  const home = workspace ?? workspaceOf(absolute.toolFile, cwd);
  absolute = withMarks(absolute, home);
  if (absolute.pairs !== undefined && !existsSync(absolute.pairs))
    throw new UserError(
      'task',
      `${absolute.pairs}: there is no such file of preference pairs`,
      'Check --pairs, or leave it out, and pairs are mined from scored groups.',
    );
  if (absolute.sftDialogues !== undefined && !existsSync(absolute.sftDialogues))
    throw new UserError(
      'task',
      `${absolute.sftDialogues}: there is no such file of dialogues`,
      'Check sftDialogues, or leave it out, and gold calls are learnt from.',
    );
  if (absolute.sftTeacher !== undefined) {
    const { checkSameTokens } = await import('../model/weights/sameTokens');
    const [teacher, student] = [absolute.sftTeacher, absolute.model].map((name) => dependencies.modelFolder(name, cwd));
    checkSameTokens(teacher!, student!);
    absolute = { ...absolute, sftTeacher: teacher };
  }
  if (absolute.startFrom !== undefined) requireManifest(absolute.startFrom, { readOnly: true });
  const around = { workspace: home, cwd, dependencies, note, signal };
  const loading = loadedTools({ ...around, config: absolute, found });
  found = await telling(onPrepare, () => 'Loading the tools', loading);
  absolute = withShownTools(absolute, found.tools);
  const making = { ...around, config: absolute };
  const told = onPrepare ? { onProgress: onPrepare } : {};
  const made = await makeTasks({ ...making, found, environment, ...told });
  const { source: taskSource } = made;
  absolute = withMockTools(absolute, made.mocked);
  for (const message of secretsInSources(absolute, { tools: found.tools, tasks: made.tasks }))
    note('warning', 'secretInSources', message);
  const tasks = splitFor(absolute, made, found.tools);
  const {
    limits,
    budget,
    tools,
    updateSize,
    notes: planned,
  } = await planLimits({ ...making, config: absolute, ...told, found, made });
  notes.push(...planned);
  const whole = { ...absolute, ...limits };
  const isGenerated = taskSource === 'generated';
  const ofUpdate = isGenerated ? updateSize() : null;
  return {
    config: settle(
      whole.sftDialogues === undefined ? whole : asWarmStart(whole, isGenerated, ofUpdate),
      isGenerated,
      ofUpdate,
    ),
    stages: plannedStages(whole, isGenerated, ofUpdate),
    workspace: home,
    found,
    tools,
    budget,
    tasks,
    taskSource,
    notes,
    run: null,
    resumeFrom: null,
  };
}

async function planResume(
  { cwd, workspace, dependencies, now, environment = {}, signal, takeOver = false }: StartOptions,
  dir: string,
): Promise<Plan> {
  const manifest = requireManifest(dir);
  const { config, taskSource, imported, distilled, budget } = manifest;
  if (distilled)
    throw new UserError(
      'config',
      `${dir}: is what a teacher did; there is nothing to train on`,
      `coach distill --resume ${dir}`,
    );
  if (imported)
    throw new UserError(
      'config',
      `${dir}: was imported from ${imported.from}; there is nothing to resume`,
      'Train on your marks of it: coach train FILE --method dpo --pairs .coach/preferences.jsonl',
    );
  const redactor = redactorFor(config, () => dependencies.modelFolder(config.model, cwd));
  const run = openRun(dir, { now, redactor, takeOver });
  try {
    if (run.end === 'finished')
      throw new UserError(
        'config',
        `${dir}: the run has finished; there is nothing to resume`,
        'Start a new run, with more --steps if you want more.',
      );
    const notes: Plan['notes'] = [];
    const note: TellNote = (level, code, message) => void notes.push({ level, code, message });
    const found = await findTools(config.toolFile, cwd, dependencies, note, config.toolNetwork);
    const home = workspace ?? workspaceOf(config.toolFile, cwd);
    const loading = { config, found, workspace: home, cwd, dependencies, note, signal, needsAll: true };
    const { modules } = await loadedTools(loading);
    const tools = shortenAs(found.tools, budget?.shortened ?? {});
    checkSameTools(readTools(dir), tools, config.toolFile);
    if (asksJudge(config, found)) await checkJudge(config, specsOf(config, found), environment, signal);
    const changed = changedFiles(manifest, { ...found, modules }, home);
    if (changed.length > 0)
      notes.push({
        level: 'warning',
        code: 'toolsChanged',
        message:
          `${changed.join(', ')} ${changed.length === 1 ? 'was' : 'were'} changed since the run began; ` +
          'the run goes on with what it is now, so it is not the run it would have been',
      });
    const stages = recordedStages(dir, manifest);
    // the stages of a pipeline have checkpoints of their own
    const { checkpoint, skipped } = stages
      ? { checkpoint: null, skipped: [] }
      : loadCheckpoint(dir, { configHash: hashConfig(config) });
    for (const message of skipped) notes.push({ level: 'warning', code: 'checkpointSkipped', message });
    return {
      config: settle(config, taskSource === 'generated'),
      stages,
      workspace: home,
      found,
      tools,
      budget,
      tasks: readTaskSplits(dir),
      taskSource,
      notes,
      run,
      resumeFrom: checkpoint,
    };
  } catch (error) {
    run.close();
    throw error;
  }
}

/** Files named in the settings, made absolute: a resume may start somewhere else. */
function absolutePaths(config: RunConfig, cwd: string): RunConfig {
  const { toolFile, model, tasks, pairs, startFrom, sftDialogues, splitsOf } = config;
  return {
    ...config,
    toolFile: resolve(cwd, toolFile),
    model: modelPath(model, cwd),
    ...(config.sftTeacher === undefined ? {} : { sftTeacher: modelPath(config.sftTeacher, cwd) }),
    ...(tasks === undefined ? {} : { tasks: resolve(cwd, tasks) }),
    ...(pairs === undefined ? {} : { pairs: resolve(cwd, pairs) }),
    ...(startFrom === undefined ? {} : { startFrom: resolve(cwd, startFrom) }),
    ...(sftDialogues === undefined ? {} : { sftDialogues: resolve(cwd, sftDialogues) }),
    ...(splitsOf === undefined ? {} : { splitsOf: resolve(cwd, splitsOf) }),
  };
}

const modelPath = (name: string, cwd: string): string => (name === 'nano' ? name : resolve(cwd, name));

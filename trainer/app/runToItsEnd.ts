/** A planned run, from its folder to its last event. */
import { basename, dirname, resolve } from 'node:path';
import { readFreeMemory } from '../base/freeMemory';
import type { Engine } from '../model/engine/engine';
import { hashConfig } from '../model/weights/checkpoint';
import type { TrainerEvent, TrainerEventBody } from '../protocol/messages';
import type { TellNote } from '../protocol/note';
import type { RunConfig } from '../protocol/runConfig';
import type { Recipe } from '../recipes/recipe';
import type { RunJudge } from '../rewards/judge/runJudge';
import { redactorFor } from '../store/redaction/redactor';
import { hashEach, hashFiles, hashModel, hashTemplate, hashText } from '../store/runs/hashes';
import type { HostOptions } from '../tools/hosts/callTool';
import { createRun, type RunWriter } from '../store/runs/runFolder';
import { coachVersion } from './coachVersion';
import type { OpenInertia } from './inertia/openInertia';
import { judgeOf } from './judgeOf';
import { stagesInManifest } from './plannedStages';
import { openHosts } from './prepare/hosts';
import { recordAll, toTrainerError } from './recordAll';
import type { OpenShownTools } from './retrieval/openShownTools';
import { serveRun, type RunServer } from './runServer';
import type { EndedRun, Plan, StartOptions } from './startRun';

/** Where the engine's notes go: into the plan until there is a run, then into the run. */
export interface EngineNotes {
  note(message: string): void;
}

export function createFor(
  plan: Plan,
  engine: Engine,
  shown: OpenShownTools | null,
  { cwd, runDir, now, dependencies }: StartOptions,
): RunWriter {
  const { config, found, tools, budget, tasks, taskSource } = plan;
  const model = dependencies.modelFolder(config.model, cwd);
  return createRun({
    workspace: plan.workspace,
    runDir: runDir === undefined ? undefined : resolve(cwd, runDir),
    label: labelOf(config.toolFile),
    tools,
    tasks,
    now,
    redactor: redactorFor(config, () => model),
    manifest: {
      config,
      ...stagesInManifest(plan.stages),
      budget,
      toolNames: tools.map((tool) => tool.name),
      ...(shown ? { shownBy: shown.by } : {}),
      taskCounts: { train: tasks.train.length, validation: tasks.validation.length, heldOut: tasks.heldOut.length },
      taskSource,
      engine: { name: engine.name, why: engine.why, threads: engine.threads, rejected: engine.rejected },
      node: `${process.version} (${process.execPath})`,
      versions: { coach: coachVersion(), v8: process.versions.v8, platform: `${process.platform}-${process.arch}` },
      hashes: {
        tools: hashFiles(found.files),
        tasks: hashText(JSON.stringify(tasks)),
        model: hashModel(model),
        template: hashTemplate(model),
        config: hashConfig(config),
      },
      modules: hashEach(found.modules ?? found.files, plan.workspace),
    },
  });
}

/** What acts in the policy's place, or beside it. */
interface Opened {
  shown: OpenShownTools | null;
  inertia: OpenInertia | null;
}

export async function runToItsEnd(
  plan: Plan & { run: RunWriter },
  engine: Engine,
  opened: Opened,
  engineNotes: EngineNotes,
  options: StartOptions,
): Promise<EndedRun> {
  const { run } = plan;
  let server: RunServer | null = null;
  const tell = (event: TrainerEvent) => {
    server?.post(event);
    options.onEvent?.(event);
  };
  const record = (body: TrainerEventBody) => tell(run.append(body));
  const note: TellNote = (level, code, message) => {
    if (run.firstTime({ code, message })) record({ type: 'noted', level, code, message });
  };
  const fail = (error: unknown) => {
    try {
      record({ type: 'runFailed', error: toTrainerError(error) });
    } catch {
      // The disk refuses even this; who called is told the first error, and the list of runs says that the trainer
      // died.
    }
  };
  try {
    server = await serveRun({ id: run.id, dir: run.dir, onStop: options.onStop }).catch((error: Error) => {
      note('warning', 'notWatchable', `windows can't watch this run live: ${error.message}`);
      return null;
    });
    options.onStart?.({
      id: run.id,
      dir: run.dir,
      socket: server?.path ?? null,
      diagnostics: plan.notes.flatMap(({ diagnostic }) => diagnostic ?? []),
      fail,
    });
    for (const event of run.opened.splice(0)) tell(event);
    engineNotes.note = (message) => note('info', 'engine', message);
    return await followRecipe(plan, engine, opened, { record, note, ask: askedBy(server) }, options);
  } catch (error) {
    fail(error);
    throw error;
  } finally {
    await server?.close();
  }
}

/** Where nobody watches, a tool that needs a yes has none. */
const askedBy =
  (server: RunServer | null): HostOptions['ask'] =>
  async (tool, args) =>
    server?.ask({ type: 'mayToolRun', tool, arguments: args }) ?? 'unavailable';

/** Opens hosts and judge, and records what the method, or the pipeline, tells until its end. */
async function followRecipe(
  plan: Plan & { run: RunWriter },
  engine: Engine,
  { shown, inertia }: Opened,
  { record, note, ask }: { record(body: TrainerEventBody): void; note: TellNote; ask: HostOptions['ask'] },
  options: StartOptions,
): Promise<EndedRun> {
  const { run, config, found, workspace, tools, tasks, resumeFrom } = plan;
  const { dependencies, signal, now } = options;
  const pipeline = plan.stages && { ...(await dependencies.pipeline()), planned: plan.stages };
  const fromStep = pipeline ? pipeline.stepsDone(run.dir, pipeline.planned.stages) : (resumeFrom?.step ?? 0);
  if (options.resume !== undefined) record({ type: 'runResumed', fromStep });
  for (const { level, code, message } of plan.notes) note(level, code, message);
  const hosts = await openHosts({ config, found, workspace, note, dependencies, ask });
  let judge: RunJudge | null = null;
  try {
    judge = await judgeOf(plan, run, hosts, engine, options);
    if (judge) note(judge.opening.level, judge.opening.code, judge.opening.message);
    const recipeOf = (method: RunConfig['method']): Promise<Recipe> => dependencies.recipe(method);
    const recipe = pipeline ? pipeline.pipeline(pipeline.planned, recipeOf) : await recipeOf(config.method);
    const events = recipe({
      config,
      run,
      hosts,
      tools,
      shown: shown?.shown ?? null,
      inertia: inertia?.inertia ?? null,
      tasks,
      modelFolder: dependencies.modelFolder(config.model, options.cwd),
      engine,
      judge,
      signal,
      now,
      freeMemory: options.freeMemory ?? readFreeMemory,
      resumeFrom,
    });
    const { result, step } = await recordAll(events, record, signal, fromStep);
    record(result === null ? { type: 'runStopped', step } : { type: 'runFinished', result });
    return { dir: run.dir, id: run.id, result };
  } finally {
    judge?.close();
    await hosts.close();
  }
}

/** A word for the run's id: the file's name, or its folder's where all are called tools.ts. */
function labelOf(toolFile: string): string {
  const name = basename(toolFile).replace(/\.([mc]?[jt]sx?|json)$/, '');
  return /^(tools?|index)$/i.test(name) ? basename(dirname(toolFile)) : name;
}

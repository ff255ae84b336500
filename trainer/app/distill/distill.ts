/** A teacher on a tool file's training tasks, from settings to a file of dialogues in a run folder. */
import { basename } from 'node:path';
import type { TellNote } from '../../protocol/note';
import type { RunManifest } from '../../protocol/messages';
import { UserError } from '../../protocol/result';
import type { LimitedConfig, RunConfig } from '../../protocol/runConfig';
import type { Split, Task, ToolSchema } from '../../protocol/task';
import type { Refusal } from '../../recipes/distill/outcome';
import { redactorFor } from '../../store/redaction/redactor';
import { hashFiles, hashText } from '../../store/runs/hashes';
import { readTaskSplits, requireManifest } from '../../store/runs/readRun';
import { createRun, openRun, type RunWriter } from '../../store/runs/runFolder';
import { workspaceOf } from '../../store/runs/workspace';
import type { Discovered } from '../../tools/sources/typescript/discover';
import { shortenAs } from '../budget/shorten';
import type { Dependencies } from '../dependencies';
import type { OpenShownTools } from '../retrieval/openShownTools';
import { withShownTools } from '../retrieval/shownSettings';
import { loadedTools } from '../loadedTools';
import { findTools } from '../prepare/tools';
import { withMockTools } from '../mockTools';
import { makeTasks } from '../prepare/tasks';
import { planLimits } from '../prepare/limits';
import { splitFor } from '../prepare/splits';
import { withLimits } from '../settings';
import { askTeacher } from './askTeacher';
import { barRewards } from './bar';
import { isServer, namedTeacher, type Spent, type TeacherBudget } from './teacher';

export interface DistillOptions {
  /** of a new run: the student's settings, who teaches, how often */
  start?: { config: RunConfig; teacher: string; model: string | undefined } & Omit<Distilled, 'teacher' | 'model'>;
  /** folder of a run to go on with */
  resume?: string;
  /** its probabilities are to be learnt from, too */
  ofLogits?: boolean;
  /** where the key may go: the address that was typed; undefined: nowhere */
  typedTeacher: string | undefined;
  budget: TeacherBudget;
  cwd: string;
  dependencies: Dependencies;
  environment: Readonly<Record<string, string | undefined>>;
  signal: AbortSignal;
  now(): number;
  say: TellNote;
  onProgress(done: number, total: number, kept: number): void;
}
export type Distilled = NonNullable<RunManifest['distilled']>;

export interface DistilledRun {
  dir: string;
  id: string;
  config: RunConfig;
  /** a server's address, or a model of this disk */
  teacher: string;
  /** null: it was stopped */
  result: {
    tasks: number;
    samples: number;
    passed: number;
    kept: number;
    keptTasks: number;
    dialogues: string;
    refused: Partial<Record<Refusal, number>>;
    unanswered: number;
    spent: Spent | null;
    ended: string | null;
  } | null;
}

export interface Plan {
  config: LimitedConfig;
  distilled: Distilled;
  found: Discovered;
  /** as the student reads them */
  tools: ToolSchema[];
  /** which of them each request is shown, to the teacher as to the student; null: all */
  shown: OpenShownTools | null;
  tasks: Task[];
  workspace: string;
  run: RunWriter;
}

/**
 * @throws UserError where the teacher is none, or of no use; what passed until then stays in the run's samples.jsonl
 */
export async function distill(o: DistillOptions): Promise<DistilledRun> {
  const plan = o.resume === undefined ? await planNew(o) : await planResume(o, o.resume);
  const { run } = plan;
  try {
    return await askTeacher(o, plan);
  } catch (error) {
    const known = error instanceof UserError ? error : new UserError('policy', String(error));
    if (o.signal.aborted) run.append({ type: 'runStopped', step: 0 });
    else run.append({ type: 'runFailed', error: known.toTrainerError() });
    throw error;
  } finally {
    plan.shown?.close();
    run.close();
  }
}

async function planNew(o: DistillOptions): Promise<Plan> {
  const { cwd, dependencies, signal, say, environment } = o;
  const { config: given, teacher, model, ...rest } = o.start!;
  const named = namedTeacher(teacher, model, { config: given, cwd, dependencies });
  if (o.ofLogits) await checkLogits(named.teacher, given.model, o);
  const workspace = workspaceOf(given.toolFile, cwd);
  const around = { workspace, cwd, note: say, dependencies, signal, environment };
  const found = await loadedTools({
    ...around,
    config: given,
    found: await findTools(given.toolFile, cwd, dependencies, say),
  });
  if (given.findTools)
    throw new UserError(
      'config',
      'findTools does not go with a teacher, whose dialogues are read with one set of tools',
      'Leave it out.',
    );
  const asSet = withShownTools(given, found.tools);
  const making = { ...around, config: asSet };
  if (rest.bar !== null)
    barRewards(
      asSet,
      found.rewards.map(({ name }) => name),
    );
  const made = await makeTasks({ ...making, found });
  const mocking = withMockTools(asSet, made.mocked);
  const splits = splitFor(mocking, made, found.tools);
  const { limits, budget, tools, notes } = await planLimits({ ...making, config: mocking, found, made });
  for (const { level, code, message } of notes) say(level, code, message);
  const config = withLimits({ ...mocking, ...limits });
  const distilled = { ...named, ...rest };
  const shown = await dependencies.shownTools(config, tools, { train: splits.train });
  if (shown) say(shown.note.level, shown.note.code, shown.note.message);
  const run = createRun({
    workspace,
    label: `distill ${basename(config.toolFile).replace(/\.\w+$/, '')}`,
    tools,
    tasks: splits,
    now: o.now,
    redactor: redactorFor(config, () => dependencies.modelFolder(config.model, cwd)),
    manifest: {
      ...manifestOf(config, distilled, found, splits, made.source),
      budget,
      ...(shown ? { shownBy: shown.by } : {}),
    },
  });
  return { config, distilled, found, tools, shown, tasks: splits.train, workspace, run };
}

/** @throws UserError where the teacher's logits can't be had, or are of other tokens, before anything is asked */
async function checkLogits(teacher: string, student: string, { dependencies, cwd }: DistillOptions): Promise<void> {
  if (isServer(teacher))
    throw new UserError(
      'config',
      `--loss logits needs a model of this disk: the server at ${teacher} tells its texts alone`,
      'Name a model folder or a .gguf file with --teacher, or leave --loss out.',
    );
  const { checkSameTokens } = await import('../../model/weights/sameTokens');
  checkSameTokens(dependencies.modelFolder(teacher, cwd), dependencies.modelFolder(student, cwd));
}

async function planResume(o: DistillOptions, dir: string): Promise<Plan> {
  const { cwd, dependencies, signal, say } = o;
  const { config: recorded, distilled, budget, hashes, shownBy } = requireManifest(dir);
  if (!distilled)
    throw new UserError('config', `${dir}: is no run of coach distill`, `Go on with it: coach train --resume ${dir}`);
  const config = withLimits(recorded);
  if (o.ofLogits) await checkLogits(distilled.teacher, config.model, o);
  const workspace = workspaceOf(config.toolFile, cwd);
  const making = { config, workspace, cwd, note: say, dependencies, signal };
  const found = await loadedTools({ ...making, found: await findTools(config.toolFile, cwd, dependencies, say) });
  if (hashes['tools'] !== hashFiles(found.files))
    say('warning', 'toolsChanged', `${config.toolFile}: was changed since the teacher was first asked`);
  const redactor = redactorFor(config, () => dependencies.modelFolder(config.model, cwd));
  const run = openRun(dir, { now: o.now, redactor });
  run.append({ type: 'runResumed', fromStep: 0 });
  const tools = shortenAs(found.tools, budget?.shortened ?? {});
  const { train } = readTaskSplits(dir);
  const shown = await dependencies.shownTools(config, tools, { train, before: shownBy });
  return { config, distilled, found, tools, shown, tasks: train, workspace, run };
}

const manifestOf = (
  config: RunConfig,
  distilled: Distilled,
  { tools, files }: Discovered,
  tasks: Record<Split, Task[]>,
  taskSource: string,
): Parameters<typeof createRun>[0]['manifest'] => ({
  config,
  distilled,
  toolNames: tools.map(({ name }) => name),
  taskCounts: { train: tasks.train.length, validation: tasks.validation.length, heldOut: tasks.heldOut.length },
  taskSource,
  engine: { name: 'none', why: `${distilled.model} was asked: nothing was trained`, threads: 0, rejected: [] },
  node: process.version,
  versions: {},
  hashes: { tools: hashFiles(files), tasks: hashText(JSON.stringify(tasks)) },
});

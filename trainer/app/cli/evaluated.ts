/** What is measured by `coach evaluate`, on which tasks, and within which limits. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { checkToolTokens } from '../../model/tokenizer/toolTokens';
import { readAdapter } from '../../model/weights/exportAdapter';
import { looksLikeModel } from '../../model/weights/modelFolder';
import { adapterWeights, trainedWeightsOf, type TrainedWeights } from '../../model/weights/trainedWeights';
import type { Budget } from '../../protocol/budget';
import type { RunManifest } from '../../protocol/messages';
import type { TellNote } from '../../protocol/note';
import { UserError } from '../../protocol/result';
import type { LimitedConfig, RunConfig } from '../../protocol/runConfig';
import type { Task, ToolSchema } from '../../protocol/task';
import { findRun } from '../../store/runs/listRuns';
import { readTaskSplits, requireManifest } from '../../store/runs/readRun';
import type { Discovered } from '../../tools/sources/typescript/discover';
import { shortenAs } from '../budget/shorten';
import type { Dependencies } from '../dependencies';
import { withMockTools } from '../mockTools';
import { makeTasks, type MadeTasks } from '../prepare/tasks';
import { planLimits } from '../prepare/limits';
import { splitFor } from '../prepare/splits';
import { withLimits } from '../settings';
import { keptTasks } from './ownRequests';

/** What `coach evaluate` is given. */
export interface Subject {
  /** settings to measure with: a run's own, else the defaults with this model */
  config: Record<string, unknown>;
  trained: TrainedWeights | null;
  runDir: string | null;
  /** of a run: how its limits came about */
  budget?: Budget | undefined;
  /** of a run: what it found each request's tools by */
  shownBy?: RunManifest['shownBy'];
}

export function findSubject(name: string, cwd: string, dependencies: Pick<Dependencies, 'modelFolder'>): Subject {
  const folder = resolve(cwd, name);
  if (name === 'nano' || looksLikeModel(folder)) {
    dependencies.modelFolder(name, cwd);
    return { config: { model: name === 'nano' ? name : folder }, trained: null, runDir: null };
  }
  if (existsSync(join(folder, 'adapter_config.json'))) {
    const adapter = readAdapter(folder);
    const own = join(folder, 'base');
    const model = existsSync(own) ? own : adapter.baseModel;
    dependencies.modelFolder(model, cwd);
    return { config: { model }, trained: adapterWeights(adapter), runDir: null };
  }
  const runDir = findRun(name, cwd, ['nano']);
  const { config, budget, shownBy } = requireManifest(runDir, { readOnly: true });
  const { stages: _, stageSettings: __, ...measured } = config; // how it was trained
  return { config: measured, trained: trainedWeightsOf(runDir, config).weights, runDir, budget, shownBy };
}

/**
 * Settings that say whether these tools are tokens of what is measured, or stand in the prompt.
 * @throws UserError where it learnt tokens, and the tools are others by now; where it is to have tokens, and learnt
 * none
 */
export function asTokens(
  config: RunConfig,
  { trained, budget }: Pick<Subject, 'trained' | 'budget'>,
  tools: readonly ToolSchema[],
): RunConfig {
  const known = trained?.toolTokens;
  if (known === undefined && config.toolTokens)
    throw new UserError(
      'config',
      'toolTokens: what is to be measured has no trained tokens for tools',
      'Train with toolTokens first, or leave it out.',
    );
  if (known === undefined) return config;
  checkToolTokens(known, shortenAs(tools, budget?.shortened ?? {}), config.toolFile);
  return { ...config, toolTokens: tools.some(({ name }) => known.some((tool) => tool.name === name)) };
}

/**
 * What is measured: the tasks, and the limits and tools' text that a run has, or that are planned for these tools as a
 * run would plan them.
 * @returns train: tasks that are not measured, from which it may be learnt what tools are found by
 */
export async function chooseTasks({
  subject,
  isOwn,
  on,
  ...making
}: {
  config: RunConfig;
  found: Discovered;
  workspace: string;
  cwd: string;
  note: TellNote;
  dependencies: Dependencies;
  subject: Subject;
  /** the tools are those of the run that is measured */
  isOwn: boolean;
  /** the held-out tasks, those of a file that was named, or the requests that a person kept */
  on: 'heldOut' | 'named' | 'requests';
  signal: AbortSignal;
  onProgress: (message: string) => void;
}): Promise<{ tasks: Task[]; train: Task[]; config: LimitedConfig; tools: ToolSchema[] }> {
  const { config, found } = making;
  const { runDir, budget } = subject;
  const named = (): Promise<MadeTasks> | MadeTasks =>
    on === 'requests' ? keptTasks({ ...making, runDir }) : makeTasks({ ...making, isToMeasure: true });
  const isAsTrained = config.shownTools === subject.config['shownTools'];
  if (isOwn && runDir !== null) {
    const { heldOut, train } = readTaskSplits(runDir);
    const tasks = on === 'heldOut' ? heldOut : (await named()).tasks;
    if (isAsTrained)
      return { tasks, train, config: withLimits(config), tools: shortenAs(found.tools, budget?.shortened ?? {}) };
    return { tasks, train, ...(await planned(making, subject, { tasks, source: runDir, seen: [] })) };
  }
  // Another file's tools: a run's tasks do not fit them, nor do the limits that were planned for its own.
  const anew = { ...config, tasks: undefined, splitsOf: undefined };
  const made = on === 'heldOut' ? await makeTasks({ ...making, config: anew }) : await named();
  const { heldOut: tasks, train } =
    on === 'heldOut' ? splitFor(anew, made, found.tools) : { heldOut: made.tasks, train: [] };
  return { tasks, train, ...(await planned(making, subject, made)) };
}

const LIMITS = ['maxTokens', 'maxTurnTokens', 'toolOutputBytes'] as const;

/** With limits for what is measured here, but for those that a person set. */
async function planned(
  making: Parameters<typeof makeTasks>[0] & { dependencies: Dependencies },
  { config: before, budget }: Subject,
  made: MadeTasks,
): Promise<{ config: LimitedConfig; tools: ToolSchema[] }> {
  const { config, note } = making;
  const open = budget ? LIMITS.filter((name) => !budget.set.includes(name) && config[name] === before[name]) : [];
  const asSet = withMockTools({ ...config, ...Object.fromEntries(open.map((name) => [name, undefined])) }, made.mocked);
  const { limits, tools, notes } = await planLimits({ ...making, config: asSet, made });
  for (const { level, code, message } of notes) note(level, code, message);
  return { config: withLimits({ ...asSet, ...limits }), tools };
}

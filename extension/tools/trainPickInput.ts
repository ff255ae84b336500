/** What the train pick is given, and its words. */
import * as vscode from 'vscode';
import type { FoundModel } from '../../trainer/protocol/messages';
import type { ToolPolicy } from '../../trainer/protocol/runConfig';
import { isMockOnly, sourceOf, type Task, type TaskSource, type ToolSchema } from '../../trainer/protocol/task';
import type { Settings } from '../settings';
import type { How } from './runChoices';
import type { TaskPreview } from './taskPreview';

/** What the pick lets one choose; the rest comes from the settings. */
export type Choices = Pick<Settings, 'model' | 'toolPolicy'> & How;
/** What was started last; of before there were pipelines in the pick, without them. */
export type LastChoices = Partial<Choices> & Pick<Settings, 'method' | 'model' | 'steps' | 'toolPolicy'>;

export interface Row extends vscode.QuickPickItem {
  run: () => void;
}

export interface TrainPickInput {
  file: string;
  tools: ToolSchema[];
  /** unusable tools of this file */
  faults: number;
  /** names of those that the last run had no task for */
  withoutTasks: string[];
  settings: Settings;
  last: LastChoices | null;
  /** "about 2 min", from earlier runs; null: never measured */
  estimate: (choices: Choices) => string | null;
  /** "at most 640 MB of memory, 3,900 MB are free"; null: it can't be told */
  memory: (choices: Choices) => Promise<string | null>;
  /** makes the tasks and says them; undefined: the user stopped it. @throws why there are none */
  preview: (settings: Choices) => Promise<TaskPreview | undefined>;
  openPreview: (preview: TaskPreview) => Promise<void>;
  /** whether the tool file's `*.tasks.jsonl` is there */
  hasTaskFile: boolean;
  /** the models that other programs keep on this disk */
  foundModels: () => Promise<FoundModel[]>;
  /** asks for a model of the hub and fetches it; undefined: there is none */
  fetchModel: () => Promise<string | undefined>;
  /** asks for the key of a teacher's server, where none is stored for it; false: the person thought better of it */
  askTeacherKey: (address: string) => Promise<boolean>;
}

/** Of the models that were found the one that trains soonest. */
export function smallest(found: readonly FoundModel[]): FoundModel | undefined {
  return [...found].sort((a, b) => (a.bytes ?? Infinity) - (b.bytes ?? Infinity))[0];
}

export const whereFound = ({ from, bytes }: FoundModel): string =>
  `${from}${bytes === null ? '' : ` · ${Math.round(bytes / 1e6)} MB`}`;

/** Those that do not really run. */
export function mockedTools(tools: ToolSchema[], policy: ToolPolicy | 'auto'): ToolSchema[] {
  if (policy === 'mock') return tools;
  return tools.filter((tool) => isMockOnly(tool) || (policy === 'auto' && tool.changesWorld));
}

/** "mocked: sendMail; really run: search, read" */
export function whichRun(tools: ToolSchema[], policy: ToolPolicy | 'auto'): string {
  const names = (of: ToolSchema[]): string => of.map(({ name }) => name).join(', ');
  if (policy === 'ask') return vscode.l10n.t('asked once each: {0}', names(tools));
  const mocked = mockedTools(tools, policy);
  const real = tools.filter((tool) => !mocked.includes(tool));
  return [
    ...(mocked.length > 0 ? [vscode.l10n.t('mocked: {0}', names(mocked))] : []),
    ...(real.length > 0 ? [vscode.l10n.t('really run: {0}', names(real))] : []),
  ].join('; ');
}

/** The rewards, and who judges. */
export function rewardAndJudge({ rewards, judge }: Settings): string {
  const by =
    judge.judgeUrl === undefined
      ? vscode.l10n.t('no judge')
      : vscode.l10n.t('judged by {0} at {1}', judge.judgeModel ?? vscode.l10n.t('its model'), judge.judgeUrl);
  return `${rewards.split(',').join(', ') || vscode.l10n.t('by default')} · ${by}`;
}

const SOURCES: Record<TaskSource, string> = {
  person: vscode.l10n.t('written by people'),
  use: vscode.l10n.t('taken from use'),
  model: vscode.l10n.t('written by a language model'),
  grammar: vscode.l10n.t('made by grammar'),
  schema: vscode.l10n.t('from the schemas'),
};

/** "412 made by grammar, 88 from the schemas" */
export const sourcesOf = ({ bySource }: TaskPreview): string =>
  bySource.map(({ source, count }) => `${count} ${SOURCES[source]}`).join(', ');

export const separator = (label: string): Row => ({ label, kind: vscode.QuickPickItemKind.Separator, run: () => {} });

/** What stands in agentCoach.training. */
export function otherSettings({ training }: Settings): string {
  const given = Object.entries(training).map(
    ([name, value]) => `${name} ${Array.isArray(value) ? value.join(' ') : String(value)}`,
  );
  return given.length === 0 ? vscode.l10n.t('by default') : given.join(', ');
}

/** The way to all of them, and five. */
export function taskRows(preview: TaskPreview, { open, back }: { open: () => void; back: () => void }): Row[] {
  const calls = ({ calls: gold }: Task): string =>
    gold?.length === 0
      ? vscode.l10n.t('no call')
      : (gold ?? []).map(({ name, arguments: given }) => `${name}(${JSON.stringify(given)})`).join(', ');
  return [
    {
      label: vscode.l10n.t('$(go-to-file) Preview Tasks: all {0} in an editor', preview.taskCount),
      description: sourcesOf(preview),
      run: open,
    },
    separator(vscode.l10n.t('some of them')),
    ...preview.shown.map(
      (task): Row => ({ label: task.prompt, description: SOURCES[sourceOf(task)], detail: calls(task), run: back }),
    ),
  ];
}

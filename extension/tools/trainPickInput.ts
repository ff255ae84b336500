/** What the train pick is given, and its words. */
import * as vscode from 'vscode';
import type { FoundModel } from '../../trainer/protocol/messages';
import type { ToolPolicy } from '../../trainer/protocol/runConfig';
import { type FileTool, isMockOnly } from '../../trainer/protocol/task';
import type { Settings } from '../settings';

/** What the pick lets one choose; the rest comes from the settings. */
export type Choices = Pick<Settings, 'method' | 'model' | 'steps' | 'toolPolicy'>;

export interface Row extends vscode.QuickPickItem {
  run: () => void;
}

export interface TrainPickInput {
  file: string;
  tools: FileTool[];
  /** unusable tools of this file */
  faults: number;
  /** names of those that the last run had no task for */
  withoutTasks: string[];
  settings: Settings;
  last: Choices | null;
  /** "about 2 min", from earlier runs; null: never measured */
  estimate: (choices: Choices) => string | null;
  /** the models that other programs keep on this disk */
  foundModels: () => Promise<FoundModel[]>;
  /** asks for a model of the hub and fetches it; undefined: there is none */
  fetchModel: () => Promise<string | undefined>;
}

/** Of the models that were found the one that trains soonest. */
export function smallest(found: readonly FoundModel[]): FoundModel | undefined {
  return [...found].sort((a, b) => (a.bytes ?? Infinity) - (b.bytes ?? Infinity))[0];
}

export const whereFound = ({ from, bytes }: FoundModel): string =>
  `${from}${bytes === null ? '' : ` · ${Math.round(bytes / 1e6)} MB`}`;

export function mockedTools(tools: FileTool[], policy: ToolPolicy | 'auto'): number {
  if (policy === 'mock') return tools.length;
  return tools.filter((tool) => isMockOnly(tool) || (policy === 'auto' && tool.changesWorld)).length;
}

export const separator = (label: string): Row => ({ label, kind: vscode.QuickPickItemKind.Separator, run: () => {} });

/** What stands in agentCoach.training. */
export function otherSettings({ training }: Settings): string {
  const given = Object.entries(training).map(
    ([name, value]) => `${name} ${Array.isArray(value) ? value.join(' ') : String(value)}`,
  );
  return given.length === 0 ? vscode.l10n.t('by default') : given.join(', ');
}

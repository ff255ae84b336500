/** View *Runs*: newest first; what it is, how far it is, what came of it. */
import * as vscode from 'vscode';
import { headlineOf } from '../../trainer/protocol/headline';
import type { RunInfo, RunLabel, RunStatus } from '../../trainer/protocol/messages';
import { isResumable, standingOf, type Standing } from '../../trainer/protocol/runMethod';
import { commands } from '../contributions';
import { Owner } from '../window/disposables';
import type { Runs } from './runs';
import { duration, madeOf, runDescription, runName } from './runText';

/** A running run's line changes at most this often. */
const REDRAW_MS = 500;

export class RunsTree extends Owner implements vscode.TreeDataProvider<RunInfo> {
  private readonly changed = this.own(new vscode.EventEmitter<RunInfo | undefined>());
  readonly onDidChangeTreeData = this.changed.event;
  private readonly pending = new Map<string, ReturnType<typeof setTimeout>>();

  constructor(private readonly runs: Runs) {
    super();
    this.own(runs.onDidChangeList(() => this.changed.fire(undefined)));
    this.own(runs.onDidSelect(() => this.changed.fire(undefined)));
    this.own(runs.onDidChangeRun(({ runId }) => this.redrawSoon(runId)));
    this.own({ dispose: () => this.pending.forEach((timer) => clearTimeout(timer)) });
  }

  private redrawSoon(runId: string): void {
    if (this.pending.has(runId)) return;
    this.pending.set(
      runId,
      setTimeout(() => {
        this.pending.delete(runId);
        const info = this.runs.info(runId);
        if (info) this.changed.fire(info);
      }, REDRAW_MS),
    );
  }

  getChildren(node?: RunInfo): RunInfo[] {
    return node ? [] : this.runs.list;
  }

  getParent(): null {
    return null;
  }

  getTreeItem(info: RunInfo): vscode.TreeItem {
    const state = this.runs.known(info.id);
    const status = this.runs.statusOf(info);
    const standing = standingOf(info, status);
    const item = new vscode.TreeItem(runName(info) || info.id);
    item.id = info.dir;
    item.description = `${runDescription(info, state)}${status === 'running' ? '' : ` · ${when(info.createdAt)}`}`;
    item.iconPath = icon(standing, info.problem);
    item.contextValue = contextValue(info, status);
    item.command = { command: commands.openRun, title: vscode.l10n.t('Open Run'), arguments: [info] };
    item.tooltip = tooltip(info, standing, item.description);
    item.accessibilityInformation = { label: `${runName(info)}, ${standing}, ${item.description}` };
    return item;
  }
}

/** Flags that `viewItem =~ /…/` in package.json reads. */
function contextValue(info: RunInfo, status: RunStatus): string {
  const isReadable = info.problem === null;
  return [
    'run',
    status,
    isReadable && isResumable(info, status) ? 'resumable' : '',
    isReadable && info.step > 0 && status !== 'running' ? 'exportable' : '',
  ]
    .filter(Boolean)
    .join(' ');
}

function icon(standing: Standing, problem: string | null): vscode.ThemeIcon {
  if (problem !== null) return new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
  switch (standing) {
    case 'running':
      return new vscode.ThemeIcon('sync~spin', new vscode.ThemeColor('charts.blue'));
    case 'finished':
      return new vscode.ThemeIcon('pass', new vscode.ThemeColor('testing.iconPassed'));
    case 'stopped':
      return new vscode.ThemeIcon('debug-pause');
    case 'failed':
      return new vscode.ThemeIcon('error', new vscode.ThemeColor('testing.iconFailed'));
    case 'died':
      return new vscode.ThemeIcon('debug-disconnect', new vscode.ThemeColor('testing.iconFailed'));
    case 'imported':
      return new vscode.ThemeIcon('cloud-download');
    case 'evaluated':
      return new vscode.ThemeIcon('beaker');
    case 'distilled':
      return new vscode.ThemeIcon('mortar-board');
  }
}

function tooltip(info: RunInfo, standing: Standing, description: string): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  text.appendMarkdown(`**${standing}** · `).appendText(description);
  if (info.label) text.appendMarkdown('\n\n').appendText(labelText(info, info.label));
  if (standing === 'running')
    text.appendMarkdown(`\n\n${vscode.l10n.t('step of steps · mean reward of the step, ▲ rising ▼ falling')}`);
  if (info.result)
    text
      .appendMarkdown('\n\n')
      .appendText(`${headlineOf(info.result).verdict}: ${info.result.engine}, ${duration(info.result.seconds)}`);
  if (info.problem !== null) text.appendMarkdown('\n\n').appendText(info.problem);
  return text.appendMarkdown('\n\n').appendText(info.dir);
}

/** What the person wrote on it, behind what it is made of. */
const labelText = (info: RunInfo, { tags, notes }: RunLabel): string =>
  [[madeOf(info), ...tags.map((tag) => `#${tag}`)].join(' '), notes].filter(Boolean).join('\n');

/** "10:42" of today, "21 Nov" of any other day */
export function when(time: number, now = new Date()): string {
  const date = new Date(time);
  const isToday = date.toDateString() === now.toDateString();
  return isToday
    ? date.toLocaleTimeString(vscode.env.language, { hour: '2-digit', minute: '2-digit' })
    : date.toLocaleDateString(vscode.env.language, { day: 'numeric', month: 'short' });
}

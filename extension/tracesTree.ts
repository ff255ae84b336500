/** View *Traces*: what the model tried in one moment of the selected run, grouped by task, with reward and advantage. */
import * as vscode from 'vscode';
import type { TraceSummary } from '../trainer/protocol/trace';
import { commands, contexts } from './contributions';
import { Owner } from './disposables';
import type { Runs } from './runs';
import { advantageLabel, groupsAt, latestMoment, moments, momentText, noFilter, rewardLabel, type Moment, type TraceFilter, type TraceGroup } from './traceGroups';

export type TraceNode = { kind: 'group'; group: TraceGroup } | { kind: 'trace'; trace: TraceSummary; isAlone: boolean };

const REDRAW_MS = 700;

export class TracesTree extends Owner implements vscode.TreeDataProvider<TraceNode> {
  private readonly changed = this.own(new vscode.EventEmitter<void>());
  readonly onDidChangeTreeData = this.changed.event;
  private chosen: Moment | null = null;
  /** the moment in the list at present */
  private shown: Moment | null = null;
  private filter: TraceFilter = noFilter;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private view: vscode.TreeView<TraceNode> | null = null;

  constructor(private readonly runs: Runs) {
    super();
    this.own(runs.onDidSelect(() => {
      this.chosen = null;
      this.redraw();
    }));
    this.own(runs.onDidChangeRun(({ runId, events }) => {
      // A chosen moment stands still; the latest one moves on.
      if (runId === this.runs.selected?.id && events.some((event) => event.type === 'traceRecorded' || event.type === 'runResumed')) this.redrawSoon();
    }));
    this.own({ dispose: () => clearTimeout(this.timer) });
  }

  attach(view: vscode.TreeView<TraceNode>): void {
    this.view = view;
    // Who opens a group or a trace is reading: the list must not run away with the next step.
    this.own(view.onDidExpandElement(() => this.pin()));
    this.own(view.onDidChangeSelection(({ selection }) => selection.length > 0 && this.pin()));
    this.describe();
  }

  private pin(): void {
    if (this.chosen !== null || this.shown === null) return;
    this.chosen = this.shown; // what the user saw, also where the run has moved on since
    this.redraw();
  }

  private redrawSoon(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.redraw();
    }, REDRAW_MS);
  }

  private redraw(): void {
    this.describe();
    this.changed.fire();
  }

  /** The line beside the view's name: which run's which moment. */
  private describe(): void {
    void vscode.commands.executeCommand('setContext', contexts.tracesPinned, this.chosen !== null);
    if (!this.view) return;
    const moment = this.moment();
    const filter = [this.filter.failedOnly ? 'failed' : '', this.filter.text].filter(Boolean).join(' ');
    this.view.description = moment ? [momentText(moment), filter && `filter: ${filter}`].filter(Boolean).join(' · ') : undefined;
  }

  traces(): readonly TraceSummary[] {
    const run = this.runs.selected;
    return (run && this.runs.known(run.id)?.traces) ?? [];
  }

  moment(): Moment | null {
    return this.chosen ?? latestMoment(moments(this.traces()));
  }

  /** null: follow the latest step again */
  choose(moment: Moment | null): void {
    this.chosen = moment;
    this.redraw();
  }

  get currentFilter(): TraceFilter {
    return this.filter;
  }

  setFilter(filter: TraceFilter): void {
    this.filter = filter;
    void vscode.commands.executeCommand('setContext', contexts.tracesFiltered, filter.failedOnly || filter.text !== '');
    this.redraw();
  }

  getChildren(node?: TraceNode): TraceNode[] {
    if (node?.kind === 'trace') return [];
    if (node) return node.group.traces.map((trace) => ({ kind: 'trace', trace, isAlone: false }));
    const moment = this.moment();
    this.shown = moment;
    if (!moment) return [];
    // A group of one (an evaluation is greedy) is its trace: a level with one child tells nothing.
    return groupsAt(this.traces(), moment, this.filter).map((group) => (group.traces.length === 1 ? { kind: 'trace', trace: group.traces[0]!, isAlone: true } : { kind: 'group', group }));
  }

  getTreeItem(node: TraceNode): vscode.TreeItem {
    return node.kind === 'group' ? groupItem(node.group) : traceItem(node.trace, node.isAlone, this.runs.selected?.id ?? '');
  }
}

/** The count comes first: a long prompt must not push it out of a narrow side bar. */
function groupItem(group: TraceGroup): vscode.TreeItem {
  const solved = group.judged > 0 ? `${group.solved}/${group.judged}` : `${group.traces.length} tries`;
  const item = new vscode.TreeItem(`${solved}  ${group.prompt}`, vscode.TreeItemCollapsibleState.Collapsed);
  item.id = group.id;
  if (group.isDead) item.description = 'no signal';
  item.tooltip = `${group.prompt}\n${solved}${group.judged > 0 ? ' solved' : ''}${group.isDead ? '; all rewards are equal, so the group teaches nothing' : ''}`;
  item.contextValue = 'group';
  item.accessibilityInformation = { label: `Task ${group.prompt}, ${solved}${group.judged > 0 ? ' solved' : ''}${group.isDead ? ', no signal' : ''}` };
  return item;
}

function traceItem(trace: TraceSummary, isAlone: boolean, runId: string): vscode.TreeItem {
  const reward = rewardLabel(trace.reward);
  const advantage = advantageLabel(trace.advantage);
  const item = new vscode.TreeItem(isAlone ? `${reward}  ${trace.prompt}` : `${reward}  ${advantage}`);
  item.id = trace.id;
  item.description = `${trace.path}${trace.truncated === 'no' ? '' : ` · ${trace.truncated}`}`;
  item.iconPath = trace.solved === null ? new vscode.ThemeIcon('circle-outline')
    : trace.solved ? new vscode.ThemeIcon('pass', new vscode.ThemeColor('testing.iconPassed')) : new vscode.ThemeIcon('error', new vscode.ThemeColor('testing.iconFailed'));
  item.tooltip = `${trace.prompt}\n${trace.path}\nreward ${reward}${advantage ? `, advantage ${advantage}` : ''}${trace.truncated === 'no' ? '' : `\ntruncated: ${trace.truncated}`}`;
  item.contextValue = 'trace';
  item.command = { command: commands.openTrace, title: 'Open Trace', arguments: [{ runId, traceId: trace.id }] };
  item.accessibilityInformation = { label: `${trace.solved === null ? '' : trace.solved ? 'solved, ' : 'not solved, '}reward ${reward}, ${advantage ? `advantage ${advantage}, ` : ''}${isAlone ? `${trace.prompt}, ` : ''}${trace.path}` };
  return item;
}

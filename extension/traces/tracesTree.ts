/**
 * View *Traces*: what the model tried in one moment of the selected run, grouped by task, with reward and advantage.
 */
import * as vscode from 'vscode';
import type { TraceSummary } from '../../trainer/protocol/trace';
import { visible } from '../../trainer/protocol/visible';
import { commands, contexts } from '../contributions';
import { Owner } from '../window/disposables';
import { isFiltering, noFilter, parseTraceFilter, type TraceFilter } from '../../trainer/protocol/traceFilter';
import type { Runs } from '../runs/runs';
import type { RunFacts } from './traceFacts';
import {
  advantageLabel,
  groupsAt,
  latestMoment,
  moments,
  momentText,
  rewardLabel,
  type Moment,
  type TraceGroup,
} from './traceGroups';

export type TraceNode = { kind: 'group'; group: TraceGroup } | { kind: 'trace'; trace: TraceSummary; isAlone: boolean };

const REDRAW_MS = 700;

export class TracesTree extends Owner implements vscode.TreeDataProvider<TraceNode> {
  private readonly changed = this.own(new vscode.EventEmitter<void>());
  readonly onDidChangeTreeData = this.changed.event;
  private chosen: Moment | null = null;
  /** the moment in the list at present */
  private shown: Moment | null = null;
  private filter: TraceFilter = noFilter;
  /** as it was typed */
  filterText = '';
  private timer: ReturnType<typeof setTimeout> | undefined;
  private view: vscode.TreeView<TraceNode> | null = null;

  constructor(
    private readonly runs: Runs,
    private readonly facts: RunFacts,
  ) {
    super();
    this.own(facts.onDidChange(() => this.redrawSoon()));
    this.own(
      runs.onDidSelect(() => {
        this.chosen = null;
        this.redraw();
      }),
    );
    this.own(
      runs.onDidChangeRun(({ runId, events }) => {
        // A chosen moment stands still; the latest one moves on.
        if (
          runId === this.runs.selected?.id &&
          events.some((event) => event.type === 'traceRecorded' || event.type === 'runResumed')
        )
          this.redrawSoon();
      }),
    );
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
    this.view.description =
      [moment ? momentText(moment) : '', this.filterText && `filter: ${this.filterText}`].filter(Boolean).join(' · ') ||
      undefined;
  }

  traces(): readonly TraceSummary[] {
    const run = this.runs.selected;
    return (run && this.runs.known(run.id)?.traces) ?? [];
  }

  /** null: nothing is there, or a filter looks through the whole run */
  moment(): Moment | null {
    return this.chosen ?? (isFiltering(this.filter) ? null : latestMoment(moments(this.traces())));
  }

  /** null: follow the latest step again */
  choose(moment: Moment | null): void {
    this.chosen = moment;
    this.redraw();
  }

  /** How much a filter would show. */
  count(filter: TraceFilter): { groups: number; traces: number } {
    const groups = groupsAt(this.traces(), null, filter, this.facts.facts);
    return { groups: groups.length, traces: groups.reduce((n, { traces }) => n + traces.length, 0) };
  }

  /** Looks through the whole run; a moment that is chosen afterwards narrows it. '' ends it. */
  setFilter(text: string): void {
    this.filterText = text;
    this.filter = parseTraceFilter(text).filter;
    this.chosen = null;
    void vscode.commands.executeCommand('setContext', contexts.tracesFiltered, isFiltering(this.filter));
    void this.facts.refresh();
    this.redraw();
  }

  getChildren(node?: TraceNode): TraceNode[] {
    if (node?.kind === 'trace') return [];
    if (node) return node.group.traces.map((trace) => ({ kind: 'trace', trace, isAlone: false }));
    const moment = this.moment();
    this.shown = moment;
    if (!moment && !isFiltering(this.filter)) return [];
    // A group of one (an evaluation is greedy) is its trace: a level with one child tells nothing.
    return groupsAt(this.traces(), moment, this.filter, this.facts.facts).map((group) =>
      group.traces.length === 1 ? { kind: 'trace', trace: group.traces[0]!, isAlone: true } : { kind: 'group', group },
    );
  }

  getTreeItem(node: TraceNode): vscode.TreeItem {
    const marked = this.facts.facts.marked;
    return node.kind === 'group'
      ? groupItem(node.group, this.moment() === null)
      : traceItem(node.trace, node.isAlone, this.runs.selected?.id ?? '', marked.has(node.trace.id));
  }
}

/** The count comes first: a long prompt must not push it out of a narrow side bar. */
function groupItem(group: TraceGroup, withMoment: boolean): vscode.TreeItem {
  const solved =
    group.judged > 0 ? `${group.solved}/${group.judged}` : vscode.l10n.t('{0} attempts', group.traces.length);
  const item = new vscode.TreeItem(visible(`${solved}  ${group.prompt}`), vscode.TreeItemCollapsibleState.Collapsed);
  item.id = group.id;
  item.description = [
    withMoment ? momentText(group.traces[0]!) : '',
    group.isDead ? vscode.l10n.t('without signal') : '',
  ]
    .filter(Boolean)
    .join(' · ');
  const words = group.judged > 0 ? vscode.l10n.t('{0} solved', solved) : solved;
  const dead = vscode.l10n.t('all rewards are equal, so the group teaches nothing');
  item.tooltip = `${group.prompt}\n${group.isDead ? `${words}; ${dead}` : words}`;
  item.contextValue = 'group';
  item.accessibilityInformation = {
    label: [
      vscode.l10n.t('Task {0}', group.prompt),
      words,
      ...(group.isDead ? [vscode.l10n.t('without signal')] : []),
    ].join(', '),
  };
  return item;
}

/** Evaluations are not scored: there the prompt alone, which has little room. */
function traceLabel({ reward, advantage, prompt, phase }: TraceSummary, isAlone: boolean): string {
  if (isAlone && reward === null && phase !== 'train') return prompt;
  return `${rewardLabel(reward)}  ${isAlone ? prompt : advantageLabel(advantage)}`;
}

function traceItem(trace: TraceSummary, isAlone: boolean, runId: string, isMarked: boolean): vscode.TreeItem {
  const reward = rewardLabel(trace.reward);
  const advantage = advantageLabel(trace.advantage);
  const item = new vscode.TreeItem(visible(traceLabel(trace, isAlone)));
  item.id = trace.id;
  item.description = [trace.path, ...(isMarked ? [vscode.l10n.t('marked')] : [])].join(' · ');
  item.iconPath =
    trace.solved === null
      ? new vscode.ThemeIcon('circle-outline')
      : trace.solved
        ? new vscode.ThemeIcon('pass', new vscode.ThemeColor('testing.iconPassed'))
        : new vscode.ThemeIcon('error', new vscode.ThemeColor('testing.iconFailed'));
  const scores = [
    vscode.l10n.t('reward {0}', reward),
    ...(advantage ? [vscode.l10n.t('advantage {0}', advantage)] : []),
  ].join(', ');
  item.tooltip = [trace.prompt, trace.path, scores].join('\n');
  item.contextValue = 'trace';
  item.command = {
    command: commands.openTrace,
    title: vscode.l10n.t('Open Trace'),
    arguments: [{ runId, traceId: trace.id }],
  };
  item.accessibilityInformation = {
    label: [
      ...(trace.solved === null ? [] : [trace.solved ? vscode.l10n.t('solved') : vscode.l10n.t('not solved')]),
      scores,
      ...(isAlone ? [trace.prompt] : []),
      trace.path,
    ].join(', '),
  };
  return item;
}

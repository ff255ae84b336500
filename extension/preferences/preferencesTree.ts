/** View *Preferences*: the pairs that wait, best first, and what was said so far. */
import * as vscode from 'vscode';
import type { RewriteLine } from '../../trainer/protocol/preferences';
import type { PairState, QueuedPair } from '../../trainer/protocol/preferenceState';
import { visible } from '../../trainer/protocol/visible';
import { commands } from '../contributions';
import { Owner } from '../window/disposables';
import { when } from '../runs/runsTree';
import type { Marking } from './marking';
import { QUEUE_LIMIT, type Preferences } from './preferences';
import { sideText, verdictText } from './pairWords';

export type PreferenceNode =
  | { kind: 'group'; group: 'open' | 'said' | 'imported' }
  | { kind: 'open'; queued: QueuedPair }
  | { kind: 'said'; state: PairState }
  | { kind: 'rewrite'; line: RewriteLine };

export class PreferencesTree extends Owner implements vscode.TreeDataProvider<PreferenceNode> {
  private readonly changed = this.own(new vscode.EventEmitter<void>());
  readonly onDidChangeTreeData = this.changed.event;

  constructor(
    private readonly preferences: Preferences,
    marking: Marking,
  ) {
    super();
    this.own(preferences.onDidChange(() => this.changed.fire()));
    this.own(marking.onDidChange(() => this.changed.fire()));
  }

  /** Count of open pairs on the view's container; torn lines and failures above the list. */
  attach(view: vscode.TreeView<PreferenceNode>): void {
    this.own(
      this.preferences.onDidChange(() => {
        const { queue, problems, problem } = this.preferences;
        view.badge =
          queue.length > 0
            ? { value: queue.length, tooltip: vscode.l10n.t('{0} to mark', openText(queue.length)) }
            : undefined;
        const [first, ...more] = problems;
        view.message =
          problem ??
          (first
            ? [`preferences.jsonl: ${first.message}.`, ...(more.length > 0 ? [moreText(more.length)] : [])].join(' ')
            : undefined);
      }),
    );
  }

  getChildren(node?: PreferenceNode): PreferenceNode[] {
    const { queue, state } = this.preferences;
    if (!node) {
      const groups: PreferenceNode[] = [];
      if (queue.length > 0) groups.push({ kind: 'group', group: 'open' });
      if (state.pairs.length > 0) groups.push({ kind: 'group', group: 'said' });
      if (state.imported.length + state.unpaired.length > 0) groups.push({ kind: 'group', group: 'imported' });
      return groups;
    }
    if (node.kind !== 'group') return [];
    switch (node.group) {
      case 'open':
        return queue.map((queued) => ({ kind: 'open', queued }));
      case 'said':
        return [...state.pairs]
          .reverse()
          .flatMap((of): PreferenceNode[] => [
            ...(of.marks.length > 0 ? [{ kind: 'said' as const, state: of }] : []),
            ...of.rewrites.map((line) => ({ kind: 'rewrite' as const, line })),
          ]);
      case 'imported':
        return [];
    }
  }

  getTreeItem(node: PreferenceNode): vscode.TreeItem {
    switch (node.kind) {
      case 'group':
        return this.groupItem(node.group);
      case 'open':
        return openItem(node.queued);
      case 'said':
        return saidItem(node.state);
      case 'rewrite':
        return rewriteItem(node.line);
    }
  }

  private groupItem(group: 'open' | 'said' | 'imported'): vscode.TreeItem {
    const { queue, state, trainable } = this.preferences;
    const { Expanded, Collapsed, None } = vscode.TreeItemCollapsibleState;
    const item =
      group === 'open'
        ? new vscode.TreeItem(vscode.l10n.t('To mark'), Expanded)
        : group === 'said'
          ? new vscode.TreeItem(vscode.l10n.t('Marked'), Collapsed)
          : new vscode.TreeItem(vscode.l10n.t('Imported'), None);
    item.id = group;
    item.iconPath = new vscode.ThemeIcon(
      group === 'open' ? 'question' : group === 'said' ? 'checklist' : 'cloud-download',
    );
    item.description =
      group === 'open'
        ? `${queue.length === QUEUE_LIMIT ? vscode.l10n.t('the best {0}', QUEUE_LIMIT) : queue.length}`
        : group === 'said'
          ? vscode.l10n.t('{0} · {1} to train on', state.pairs.length, trainable)
          : vscode.l10n.t(
              'pairs: {0}{1}',
              state.imported.length,
              state.unpaired.length > 0 ? vscode.l10n.t(', single answers: {0}', state.unpaired.length) : '',
            );
    return item;
  }
}

const moreText = (n: number): string =>
  n === 1 ? vscode.l10n.t('So is one more line.') : vscode.l10n.t('So are {0} more lines.', n);
const openText = (n: number): string =>
  `${n === QUEUE_LIMIT ? vscode.l10n.t('{0} or more', n) : n} ` +
  `${n === 1 ? vscode.l10n.t('pair') : vscode.l10n.t('pairs')}`;

/** It does not say which side scored more: the list is blind, too. */
function openItem(queued: QueuedPair): vscode.TreeItem {
  const { pair, differs, tools, isDisputed, gap } = queued;
  const item = new vscode.TreeItem(visible(queued.traces[0].prompt));
  item.id = `open ${pair.id}`;
  item.description = [
    differs === 'call' ? tools.join(', ') : vscode.l10n.t('in words'),
    isDisputed ? vscode.l10n.t('the judge is not sure') : '',
  ]
    .filter(Boolean)
    .join(' · ');
  item.iconPath = new vscode.ThemeIcon('git-compare');
  item.tooltip = new vscode.MarkdownString()
    .appendText(queued.traces[0].prompt)
    .appendMarkdown('\n\n')
    .appendText(
      vscode.l10n.t(
        'The two answers differ {0}; {1}.',
        differs === 'call' ? vscode.l10n.t('in a call ({0})', tools.join(', ')) : vscode.l10n.t('in words'),
        gap === null
          ? vscode.l10n.t('they were not both scored')
          : vscode.l10n.t('their rewards differ by {0}', Number(gap.toFixed(3))),
      ),
    );
  item.contextValue = 'openPair';
  item.command = { command: commands.openPair, title: vscode.l10n.t('Open Pair'), arguments: [queued] };
  item.accessibilityInformation = { label: `${queued.traces[0].prompt}, ${item.description}` };
  return item;
}

function saidItem({ pair, marks, verdict }: PairState): vscode.TreeItem {
  const last = marks.at(-1)!;
  const item = new vscode.TreeItem(verdictText(pair, verdict));
  item.id = `said ${pair.id}`;
  item.description = visible(`${promptOf(pair.prompt)} · ${last.author.name} · ${when(last.t)}`);
  item.iconPath = new vscode.ThemeIcon(
    verdict === 'disputed'
      ? 'warning'
      : verdict === 'tie'
        ? 'dash'
        : verdict === 'bothBad'
          ? 'thumbsdown'
          : verdict === 'skip'
            ? 'debug-step-over'
            : 'pass',
  );
  item.tooltip = new vscode.MarkdownString()
    .appendText(marks.map((mark) => `${mark.author.name}: ${verdictText(pair, mark.verdict)}`).join('\n'))
    .appendMarkdown('\n\n')
    .appendText(
      verdict === 'disputed'
        ? vscode.l10n.t('People do not agree, so it is not trained on.')
        : `${sideText(pair.sides[0])} ↔ ${sideText(pair.sides[1])}`,
    );
  item.contextValue = 'said';
  item.accessibilityInformation = { label: `${item.label as string}, ${item.description}` };
  return item;
}

function rewriteItem({ id, pair, messages, author, t }: RewriteLine): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('Rewritten: {0}', visible(sideText({ messages }))));
  item.id = `rewrite ${id}`;
  item.description = `${promptOf(pair.prompt)} · ${author.name} · ${when(t)}`;
  item.iconPath = new vscode.ThemeIcon('edit');
  item.contextValue = 'said';
  item.tooltip = new vscode.MarkdownString().appendText(
    vscode.l10n.t('{0}\nin the place of\n{1}', sideText({ messages }), sideText(pair.sides[0])),
  );
  return item;
}

const promptOf = (messages: readonly { role: string; content: string }[]): string =>
  messages.find(({ role }) => role === 'user')?.content ?? '';

/** One pair at a time in VS Code's diff editor; a mark is on the disk before the next one opens. */
import * as vscode from 'vscode';
import type { PairVerdict } from '../../trainer/protocol/preferences';
import type { QueuedPair } from '../../trainer/protocol/preferenceState';
import { contexts, preferenceCommands } from '../contributions';
import { Emitter, Owner } from '../window/disposables';
import { readSettings } from '../settings';
import type { Preferences } from './preferences';
import { traceUri } from './traceDocuments';

export type Answer = 'a' | 'b' | 'tie' | 'skip';

export interface OpenPair {
  queued: QueuedPair;
  /** the side that stands as A, on the left */
  a: 0 | 1;
  isBlind: boolean;
  uris: readonly [a: vscode.Uri, b: vscode.Uri];
}

export class Marking extends Owner {
  current: OpenPair | null = null;
  private done: { lineId: string; pair: OpenPair }[] = [];
  private only: string | null = null;
  private isBusy = false;
  private readonly changed = this.own(new Emitter<void>());
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly preferences: Preferences,
    private readonly random: () => number = Math.random,
  ) {
    super();
    this.own(vscode.window.tabGroups.onDidChangeTabs(() => this.noteTabs()));
    this.own(vscode.window.tabGroups.onDidChangeTabGroups(() => this.noteTabs()));
  }

  /** Opens the best open pair. @param tool only pairs whose differing step calls it, until there is none */
  async next(tool: string | null = this.only): Promise<void> {
    this.only = tool;
    const { preferences } = this;
    if (!preferences.isReady || preferences.queue.length === 0) await preferences.refresh();
    const ofTool = tool === null ? preferences.queue : preferences.queue.filter(({ tools }) => tools.includes(tool));
    const [best] = ofTool;
    if (best) return this.open(best);
    this.only = null;
    await this.close();
    if (preferences.problem !== null) throw new Error(preferences.problem);
    void this.tellNone(tool); // it waits for an answer; who marks does not
  }

  async open(queued: QueuedPair, a: 0 | 1 = this.random() < 0.5 ? 0 : 1): Promise<void> {
    const run = this.preferences.runOf(queued.pair);
    if (!run) throw new Error(vscode.l10n.t('the run of this pair is not in this workspace any more'));
    const isBlind = readSettings().blindPairs;
    const uri = (side: 0 | 1, letter: string) =>
      traceUri(run, queued.traces[side], { label: `${queued.pair.id.slice(0, 8)}/${letter}`, blind: isBlind });
    const before = this.current;
    const pair: OpenPair = { queued, a, isBlind, uris: [uri(a, 'A'), uri(a === 0 ? 1 : 0, 'B')] };
    this.current = pair;
    const left = this.preferences.queue.length;
    const task = queued.traces[0].prompt.replace(/\s+/g, ' ');
    await vscode.commands.executeCommand(
      'vscode.diff',
      pair.uris[0],
      pair.uris[1],
      vscode.l10n.t('A ↔ B: {0} ({1} open)', task.length > 50 ? `${task.slice(0, 50)}…` : task, left),
      { preview: true, preserveFocus: false },
    );
    if (before && before.queued !== queued) await closeTabs(before);
    this.noteTabs();
    this.changed.fire();
  }

  async mark(answer: Answer): Promise<void> {
    const pair = this.current;
    if (!pair || this.isBusy) return;
    this.isBusy = true;
    try {
      const verdict: PairVerdict =
        answer === 'tie' || answer === 'skip' ? answer : (answer === 'a') === (pair.a === 0) ? 'first' : 'second';
      const [line] = await this.preferences.record([
        { type: 'mark', pair: pair.queued.pair, verdict, shown: { a: pair.a, isBlind: pair.isBlind } },
      ]);
      this.settled(line!.id, pair);
      vscode.window.setStatusBarMessage(
        vscode.l10n.t('$(check) {0}. {1} open.', WORDS[answer], this.preferences.queue.length),
        4_000,
      );
      await this.next();
    } finally {
      this.isBusy = false;
    }
  }

  /** Of a mark or a rewrite that is on the disk: it can be undone. */
  settled(lineId: string, pair: OpenPair): void {
    this.done.push({ lineId, pair });
    void vscode.commands.executeCommand('setContext', contexts.canUndoMark, true);
  }

  /** Takes back the last mark of this window, and opens its pair again as it was shown. */
  async undo(): Promise<void> {
    const last = this.done.at(-1);
    if (!last)
      return void vscode.window.showInformationMessage(
        vscode.l10n.t('Coach: no mark of this window to undo. Older ones can be taken back in the Preferences view.'),
      );
    if (this.isBusy) return;
    this.isBusy = true;
    try {
      await this.preferences.record([{ type: 'undo', of: last.lineId }]);
      this.done.pop();
      void vscode.commands.executeCommand('setContext', contexts.canUndoMark, this.done.length > 0);
      await this.preferences.refresh();
      await this.open(last.pair.queued, last.pair.a);
    } finally {
      this.isBusy = false;
    }
  }

  private async close(): Promise<void> {
    const pair = this.current;
    this.current = null;
    if (pair) await closeTabs(pair);
    this.noteTabs();
    this.changed.fire();
  }

  private async tellNone(tool: string | null): Promise<void> {
    const { preferences } = this;
    const train = vscode.l10n.t('Train on These Preferences');
    const { trainable } = preferences;
    const why =
      tool !== null
        ? vscode.l10n.t('No open pair calls {0}.', tool)
        : preferences.run === null
          ? vscode.l10n.t('There is no run here yet, so there is nothing to compare.')
          : vscode.l10n.t('No pair of this run is open: its tries are equal, or all were marked.');
    const chosen = await (trainable > 0
      ? vscode.window.showInformationMessage(
          trainable === 1
            ? vscode.l10n.t('{0} {1} preference can be trained on.', why, trainable)
            : vscode.l10n.t('{0} {1} preferences can be trained on.', why, trainable),
          train,
        )
      : vscode.window.showInformationMessage(why));
    if (chosen === train) await vscode.commands.executeCommand(preferenceCommands.trainOnPreferences);
  }

  /** The keys and buttons are there while the pair's tab is the active one. */
  private noteTabs(): void {
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    void vscode.commands.executeCommand(
      'setContext',
      contexts.pairOpen,
      this.current !== null && tab !== undefined && shows(tab, this.current),
    );
  }
}

const WORDS: Record<Answer, string> = {
  a: vscode.l10n.t('A is better'),
  b: vscode.l10n.t('B is better'),
  tie: vscode.l10n.t('Tie'),
  skip: vscode.l10n.t('Skipped'),
};

function shows({ input }: vscode.Tab, { uris }: OpenPair): boolean {
  return (
    input instanceof vscode.TabInputTextDiff &&
    input.original.toString() === uris[0].toString() &&
    input.modified.toString() === uris[1].toString()
  );
}

async function closeTabs(pair: OpenPair): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs).filter((tab) => shows(tab, pair));
  if (tabs.length > 0) await vscode.window.tabGroups.close(tabs, true);
}

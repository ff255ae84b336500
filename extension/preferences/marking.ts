/**
 * One pair at a time on the panel's page Marking: which one, which side stands as A, and what was said in this window.
 * A mark is on the disk before the next pair opens.
 */
import * as vscode from 'vscode';
import type { PairVerdict } from '../../trainer/protocol/preferences';
import type { QueuedPair } from '../../trainer/protocol/preferenceState';
import type { RunInfo } from '../../trainer/protocol/messages';
import type { Letter, MarkAnswer, MarkingPair, MarkingState } from '../../webview/messages';
import { contexts } from '../contributions';
import type { Service } from '../processes/service';
import { Emitter, Owner } from '../window/disposables';
import { readSettings } from '../settings';
import { markingPair } from './markingPair';
import type { Preferences } from './preferences';
import { Sitting } from './sitting';

export interface OpenPair {
  queued: QueuedPair;
  run: RunInfo;
  /** the side that stands as A */
  a: 0 | 1;
  isBlind: boolean;
  shown: MarkingPair;
}

interface Done {
  lineId: string;
  answer: MarkAnswer | 'rewrite';
  queued: QueuedPair;
  a: 0 | 1;
}

/** Which side of the pair a letter names. */
export const sideOf = ({ a }: Pick<OpenPair, 'a'>, letter: Letter): 0 | 1 => ((letter === 'a') === (a === 0) ? 0 : 1);

export class Marking extends Owner {
  current: OpenPair | null = null;
  private readonly sitting = new Sitting();
  /** oldest first */
  private done: Done[] = [];
  private none: string | null = null;
  private isBusy = false;
  private readonly changed = this.own(new Emitter<void>());
  readonly onDidChange = this.changed.event;
  private readonly wantsOriginal = this.own(new Emitter<void>());
  /** the command Rewrite was called: the page asks which of the two */
  readonly onDidAskForOriginal = this.wantsOriginal.event;

  /** @param show brings the page Marking to the front */
  constructor(
    private readonly preferences: Preferences,
    private readonly service: Service,
    private readonly show: (runId: string | null) => void,
    private readonly random: () => number = Math.random,
  ) {
    super();
    this.own(preferences.onDidChange(() => this.changed.fire()));
  }

  /** Opens the best open pair on the page. @param tool only pairs whose differing step calls it */
  async next(tool: string | null = null): Promise<void> {
    await this.preferences.refresh();
    this.sitting.start(this.preferences.queue, tool);
    await this.openFirst();
    this.show((this.current?.run ?? this.preferences.run)?.id ?? null);
  }

  async open(queued: QueuedPair): Promise<void> {
    this.sitting.begin(queued, this.preferences.queue);
    await this.openPair(queued);
    this.show(this.current!.run.id);
  }

  /** The page is there: what it shows, or the first pair. */
  async resume(): Promise<void> {
    if (this.current) return this.changed.fire();
    await this.preferences.refresh();
    this.sitting.start(this.preferences.queue, null);
    await this.openFirst();
  }

  state(): MarkingState {
    const { current, none, preferences } = this;
    return {
      pair: current?.shown ?? null,
      left: this.sitting.left,
      total: this.sitting.total,
      done: this.done
        .map(({ lineId, answer, queued }) => ({ lineId, answer, prompt: queued.traces[0].prompt }))
        .reverse(),
      reasons: current ? this.reasonsOf(current) : [],
      none: current ? null : none,
      trainable: preferences.trainable,
    };
  }

  /** @param pairId the pair that the person saw; without it the one that is open */
  async mark(answer: MarkAnswer, pairId?: string): Promise<void> {
    const pair = this.current;
    if (!pair || (pairId !== undefined && pairId !== pair.queued.pair.id)) return;
    await this.busy(async () => {
      const verdict: PairVerdict =
        answer === 'a' || answer === 'b' ? (sideOf(pair, answer) === 0 ? 'first' : 'second') : answer;
      const [line] = await this.preferences.record([
        { type: 'mark', pair: pair.queued.pair, verdict, shown: { a: pair.a, isBlind: pair.isBlind } },
      ]);
      await this.settled(line!.id, answer, pair);
    });
  }

  /** Of a mark or a rewrite that is on the disk: it can be undone, and the next pair opens. */
  async settled(lineId: string, answer: Done['answer'], { queued, a }: OpenPair): Promise<void> {
    this.done.push({ lineId, answer, queued, a });
    this.sitting.settle(queued);
    await this.openFirst();
  }

  /** Takes back a mark of this window (the last one where none is named), and opens its pair again as it was shown. */
  async undo(lineId?: string): Promise<void> {
    const taken = lineId === undefined ? this.done.at(-1) : this.done.find((one) => one.lineId === lineId);
    if (!taken)
      return void vscode.window.showInformationMessage(
        vscode.l10n.t('Coach: no mark of this window to undo. Older ones can be taken back in the Preferences view.'),
      );
    await this.busy(async () => {
      await this.preferences.record([{ type: 'undo', of: taken.lineId }]);
      this.done = this.done.filter((one) => one !== taken);
      await this.preferences.refresh();
      this.sitting.put(taken.queued);
      await this.openPair(taken.queued, taken.a);
    });
  }

  askForOriginal(): void {
    if (this.current) {
      this.show(this.current.run.id); // the answer is a key, so the page has to have the keys
      this.wantsOriginal.fire();
    } else
      void vscode.window.showInformationMessage(
        vscode.l10n.t('Coach: open a pair first (Mark Pairs), then rewrite the better answer of it.'),
      );
  }

  /** What the page says of itself: the commands are there while it is shown, the keys while it has the focus. */
  shown({ isShown, hasFocus }: { isShown: boolean; hasFocus: boolean }): void {
    const set = (key: string, value: boolean): void => void vscode.commands.executeCommand('setContext', key, value);
    set(contexts.pairOpen, isShown && this.current !== null);
    set(contexts.pairFocus, isShown && hasFocus && this.current !== null);
    set(contexts.canUndoMark, this.done.length > 0);
  }

  private async busy(work: () => Promise<void>): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    try {
      await work();
    } finally {
      this.isBusy = false;
    }
  }

  private async openFirst(): Promise<void> {
    const first = this.sitting.first() ?? (await this.nextSitting());
    if (first) return this.openPair(first);
    this.current = null;
    const { preferences } = this;
    this.none =
      preferences.problem ??
      (preferences.run === null
        ? vscode.l10n.t('There is no run here yet, so there is nothing to compare.')
        : this.sitting.tool !== null
          ? vscode.l10n.t('No open pair calls {0}.', this.sitting.tool)
          : vscode.l10n.t('No pair of this run is open: its attempts are equal, or all were marked.'));
    this.changed.fire();
  }

  /** All of this one were marked: are there more? */
  private async nextSitting(): Promise<QueuedPair | undefined> {
    await this.preferences.refresh();
    this.sitting.start(this.preferences.queue, this.sitting.tool);
    return this.sitting.first();
  }

  private async openPair(queued: QueuedPair, a: 0 | 1 = this.random() < 0.5 ? 0 : 1): Promise<void> {
    const run = this.preferences.runOf(queued.pair);
    if (!run) throw new Error(vscode.l10n.t('the run of this pair is not in this workspace any more'));
    const isBlind = readSettings().blindPairs;
    const { dir } = run;
    const [first, second] = await Promise.all(
      queued.traces.map(({ file, offset, length }) => this.service.ask('readTrace', { dir, file, offset, length })),
    );
    const { tools } = await this.service.ask('toolsOf', { dir });
    const shown = markingPair(queued, [first!, second!], { a, isBlind, tools });
    this.current = { queued, run, a, isBlind, shown };
    this.changed.fire();
  }

  private reasonsOf({ queued: { pair }, a }: OpenPair): MarkingState['reasons'] {
    return this.preferences.state.notes
      .filter(({ pairId }) => pairId === pair.id)
      .map(({ traceId, turn, text, thumb }) => {
        const side = pair.sides[0].traceId === traceId ? 0 : 1;
        return { letter: side === a ? 'a' : 'b', turn, text, thumb: thumb ?? null };
      });
  }
}

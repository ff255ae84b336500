/** What the panel's page Marking asks for, answered by the parts of this room. */
import type { PanelEvent, PanelRequest } from '../../webview/messages';
import { assertNever } from '../../trainer/protocol/result';
import type { Marking } from './marking';
import type { Reasons } from './reasons';
import type { Rewriting } from './rewriting';

export type MarkingRequest = Extract<
  PanelRequest,
  { type: 'openMarking' | 'markingShown' | 'mark' | 'undoMark' | 'rewrite' | 'addReason' | 'trainOnPreferences' }
>;

export class MarkingPage {
  constructor(
    private readonly marking: Marking,
    private readonly rewriting: Rewriting,
    private readonly reasons: Reasons,
    private readonly train: () => Promise<void>,
  ) {}

  /** Each change of what is to be shown. @returns what ends the listening */
  follow(post: (event: PanelEvent) => void): { dispose(): void } {
    const parts = [
      this.marking.onDidChange(() => post({ type: 'marking', marking: this.marking.state() })),
      this.marking.onDidAskForOriginal(() => post({ type: 'chooseOriginal' })),
    ];
    return { dispose: () => parts.forEach((part) => part.dispose()) };
  }

  /** @returns what is to be posted, beside the changes */
  async perform(request: MarkingRequest): Promise<PanelEvent | null> {
    const { marking } = this;
    switch (request.type) {
      case 'openMarking':
        await marking.resume();
        return null;
      case 'markingShown':
        marking.shown(request);
        return null;
      case 'mark':
        await marking.mark(request.answer, request.pairId);
        return null;
      case 'undoMark':
        await marking.undo(request.lineId);
        return null;
      case 'rewrite':
        return this.rewriting.take(request);
      case 'addReason':
        await this.reasons.addToPair(request);
        return null;
      case 'trainOnPreferences':
        await this.train();
        return null;
      default:
        return assertNever(request);
    }
  }
}

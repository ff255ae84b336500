/** An answer that is written in the place of one of a pair's: checked while it is typed, recorded when it is saved. */
import * as vscode from 'vscode';
import type { PanelEvent, PanelRequest } from '../../webview/messages';
import type { Service } from '../processes/service';
import { sideOf, type Marking } from './marking';
import type { Preferences } from './preferences';

type RewriteRequest = Extract<PanelRequest, { type: 'rewrite' }>;

export class Rewriting {
  constructor(
    private readonly preferences: Preferences,
    private readonly marking: Marking,
    private readonly service: Service,
  ) {}

  /** What is wrong with it stands in the answer; what has nothing wrong and was to be saved is on the disk. */
  async take({ pairId, of, draft, isSave, number }: RewriteRequest): Promise<PanelEvent> {
    const { current } = this.marking;
    if (current?.queued.pair.id !== pairId) throw new Error(vscode.l10n.t('not recorded: another pair is open by now'));
    const side = sideOf(current, of);
    const { pair } = current.queued;
    const { message, problems } = await this.service.ask('checkRewrite', {
      dir: current.run.dir,
      pair,
      of: side,
      draft,
    });
    if (isSave && problems.length === 0) {
      const [line] = await this.preferences.record([{ type: 'rewrite', pair, of: side, messages: [message] }]);
      await this.marking.settled(line!.id, 'rewrite', current);
    }
    return { type: 'rewriteChecked', pairId, number, problems };
  }
}

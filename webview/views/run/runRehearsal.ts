/** What a few tasks showed before step 1. Open where it says why nothing was trained. */
import { rehearsalRows } from '../../../trainer/protocol/rehearsal';
import type { RunState } from '../../../trainer/protocol/runState';
import { facts } from '../../components/parts';
import { h, replace, setText } from '../../components/dom';
import { t } from '../../shared/strings';

export class RunRehearsal {
  private readonly title = h('summary');
  private readonly body = h('div', { class: 'setup' });
  readonly element: HTMLDetailsElement = h('details', { class: 'fold', hidden: true }, this.title, this.body);
  private drawn: RunState['rehearsal'] = null;

  update({ rehearsal }: RunState): void {
    if (rehearsal === this.drawn) return;
    this.drawn = rehearsal;
    this.element.hidden = rehearsal === null;
    if (rehearsal === null) return;
    const rows = rehearsalRows(rehearsal);
    setText(this.title, t('rehearsal.title', { what: rows.at(-1)![1] }));
    replace(this.body, facts(...rows.slice(0, -1)));
    this.element.open = rehearsal.problems.length > 0;
  }
}

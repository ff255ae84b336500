/** The tokens' text twin: a row each, in words and numbers; arrows walk the rows. */
import { advantageAt, type Trace } from '../../../trainer/protocol/trace';
import { VirtualRows } from '../../components/virtualRows';
import { h, type Disposable } from '../../components/dom';
import { decimal, percent, signed } from '../../shared/format';
import { t } from '../../shared/strings';
import { visible, writers } from './tokenWords';

export class TokenTable implements Disposable {
  readonly element: HTMLElement;
  private readonly rows: VirtualRows;
  private current = 0;

  constructor(
    private readonly trace: Trace,
    private readonly texts: readonly string[],
  ) {
    const { ids } = trace.tokens;
    const body = h('div', {
      role: 'rowgroup',
      class: 'token-rows',
      on: { keydown: (event) => this.onKey(event), focusin: (event) => this.onFocus(event) },
    });
    const head = [
      t('token.column.index'),
      t('token.column.text'),
      t('token.column.writer'),
      t('token.column.trained'),
      'log p',
      'p',
      t('fact.advantage'),
    ];
    this.element = h(
      'div',
      { class: 'token-table', role: 'table', 'aria-label': t('tokens.label'), 'aria-rowcount': ids.length + 1 },
      h(
        'div',
        { role: 'rowgroup', class: 'token-head' },
        h(
          'div',
          { role: 'row', class: 'token-row', 'aria-rowindex': 1 },
          ...head.map((label) => h('span', { role: 'columnheader' }, label)),
        ),
      ),
      body,
    );
    this.rows = new VirtualRows(body, {
      rowHeight: 22,
      key: String,
      create: (i) => this.row(i),
      update: (element, i) => void (element.tabIndex = i === this.current ? 0 : -1),
    });
  }

  /** Once it stands in the page. */
  draw(): void {
    this.rows.set(this.trace.tokens.ids.length, this.current);
  }

  dispose(): void {
    this.rows.dispose();
  }

  private row(i: number): HTMLElement {
    const { logprobs, completionMask, writer, ids } = this.trace.tokens;
    const logprob = logprobs[i] ?? null;
    const isTrained = completionMask[i] === 1;
    const advantage = advantageAt(this.trace, i);
    const cells = [
      String(i),
      visible(this.texts[i] ?? ''),
      t(writers[writer[i] ?? 'p'] ?? 'writer.x'),
      isTrained ? t('token.trained') : t('token.notTrained'),
      logprob === null ? '–' : decimal(logprob, 3),
      logprob === null ? '–' : percent(Math.exp(logprob), 1),
      isTrained && advantage !== null ? signed(advantage) : '–',
    ];
    return h(
      'div',
      {
        class: `token-row ${isTrained ? 'trained' : ''}`,
        role: 'row',
        'aria-rowindex': i + 2,
        'data-at': i,
        tabindex: i === this.current ? '0' : '-1',
        title: t('token.id', { id: ids[i] ?? -1 }),
      },
      ...cells.map((cell) => h('span', { role: 'cell' }, cell)),
    );
  }

  private onFocus(event: FocusEvent): void {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-at]') : null;
    if (row) this.go(Number(row.dataset.at));
  }

  private go(i: number): void {
    if (i === this.current) return;
    this.current = i;
    this.rows.keep(i);
  }

  private onKey(event: KeyboardEvent): void {
    const last = this.trace.tokens.ids.length - 1;
    const to = {
      ArrowDown: this.current + 1,
      ArrowUp: this.current - 1,
      Home: 0,
      End: last,
      PageDown: this.current + 20,
      PageUp: this.current - 20,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = Math.min(last, Math.max(0, to));
    this.go(next);
    this.rows.focus(next);
  }
}

/**
 * Find in trace: also what is folded, cut short or not made yet, which the editor's own find can't see. Enter and F3 go
 * on, Shift goes
 * back, Escape ends. Matches are marked by the CSS highlight registry, so the text itself is not touched.
 */
import { openFolds } from '../../components/json';
import { button, textField } from '../../components/controls';
import { findInTrace, hitCount, type Hit } from '../../derive/find';
import { h, setText, type Disposable } from '../../components/dom';
import type { Trace } from '../../../trainer/protocol/trace';
import { integer } from '../../shared/format';
import { t } from '../../shared/strings';
import { isStill, type Conversation } from './traceConversation';

const ALL = 'coach-find';
const CURRENT = 'coach-find-current';

export class TraceFind implements Disposable {
  readonly element: HTMLElement;
  private readonly field;
  private readonly count = h('span', { class: 'find-count', role: 'status' });
  private readonly previous;
  private readonly next;
  private needle = '';
  private hits: Hit[] = [];
  /** number of the match shown, over all hits; -1 = none yet */
  private at = -1;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** `beforeReveal` brings the conversation to the front. */
  constructor(
    private readonly trace: Trace,
    private readonly conversation: Conversation,
    private readonly beforeReveal: () => void,
    needle: string,
    private readonly onNeedle: (needle: string) => void,
  ) {
    this.field = textField(t('find.label'), t('find.hint'), (text) => this.later(text));
    this.previous = button({ label: t('find.previous'), icon: 'arrow-up', kind: 'icon', onClick: () => this.move(-1) });
    this.next = button({ label: t('find.next'), icon: 'arrow-down', kind: 'icon', onClick: () => this.move(1) });
    this.element = h(
      'div',
      { class: 'find', role: 'search', 'aria-label': t('find.label'), on: { keydown: (event) => this.onKey(event) } },
      this.field.element,
      this.previous.element,
      this.next.element,
      this.count,
    );
    conversation.onFilled = () => this.mark();
    this.field.set(needle);
    this.search(needle);
  }

  dispose(): void {
    clearTimeout(this.timer);
    CSS.highlights.delete(ALL);
    CSS.highlights.delete(CURRENT);
  }

  focus(): void {
    this.field.element.focus();
  }

  move(by: number): void {
    clearTimeout(this.timer);
    const total = hitCount(this.hits);
    if (total === 0) return;
    this.at = this.at < 0 ? (by > 0 ? 0 : total - 1) : (this.at + by + total) % total;
    let left = this.at;
    const hit = this.hits.find((one) => {
      if (left < one.count) return true;
      left -= one.count;
      return false;
    })!;
    this.beforeReveal();
    const place = this.conversation.place(hit.anchor);
    const owner = place && textOf(place);
    if (owner) {
      for (const outer of ancestorsOf(owner)) outer.open = true;
      owner.forEach((part) => openFolds(part));
    }
    this.mark();
    const range = owner && ranges(owner, this.needle)[left];
    if (range) {
      CSS.highlights.set(CURRENT, new Highlight(range));
      range.startContainer.parentElement?.scrollIntoView({ block: 'center', behavior: isStill() ? 'auto' : 'smooth' });
    }
    this.drawCount();
  }

  private later(text: string): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.search(text), 80);
  }

  private search(text: string): void {
    this.needle = text;
    this.onNeedle(text);
    this.at = -1;
    this.hits = findInTrace(this.trace, text);
    CSS.highlights.delete(CURRENT);
    this.mark();
    this.drawCount();
  }

  private drawCount(): void {
    const total = hitCount(this.hits);
    setText(
      this.count,
      this.needle === ''
        ? ''
        : total === 0
          ? t('find.none')
          : this.at < 0
            ? t('find.count', { total: integer(total) })
            : t('find.at', { at: integer(this.at + 1), total: integer(total) }),
    );
    this.previous.setDisabled(total === 0);
    this.next.setDisabled(total === 0);
  }

  /** What is on the page; the rest is marked when it is made. */
  private mark(): void {
    const found =
      this.needle === ''
        ? []
        : this.hits.flatMap((hit) =>
            ranges(
              textOf(this.conversation.element.querySelector(`[data-anchor="${CSS.escape(hit.anchor)}"]`)),
              this.needle,
            ),
          );
    if (found.length === 0) CSS.highlights.delete(ALL);
    else CSS.highlights.set(ALL, new Highlight(...found));
  }

  private onKey(event: KeyboardEvent): void {
    if (event.key === 'Escape') {
      this.field.set('');
      this.search('');
    } else if (event.key === 'Enter' && event.target instanceof Node && this.field.element.contains(event.target))
      this.goOn(event);
  }

  private goOn(event: KeyboardEvent): void {
    event.preventDefault();
    const { value } = this.field.element as HTMLInputElement;
    if (value !== this.needle) this.search(value);
    this.move(event.shiftKey ? -1 : 1);
  }
}

/**
 * The parts of a step that the search looks at: without what belongs to its calls, and without the names that the page
 * itself adds.
 */
function textOf(place: Element | null): Element[] {
  if (!place) return [];
  if (place.classList.contains('tool-call'))
    return Array.from(
      place.querySelectorAll(
        '.signature > b, .call-arguments > .json, .call-result > .json, .call-result > .json-text',
      ),
    );
  return Array.from(
    place.querySelectorAll(
      ':scope > .said, :scope > .step-error .mono, :scope > .sampled, :scope > details:not(.as-sampled)',
    ),
  );
}

function ancestorsOf(parts: readonly Element[]): HTMLDetailsElement[] {
  const folds: HTMLDetailsElement[] = [];
  for (const part of parts) {
    for (let up = part instanceof HTMLDetailsElement ? part : part.parentElement; up; up = up.parentElement)
      if (up instanceof HTMLDetailsElement) folds.push(up);
  }
  return folds;
}

function ranges(parts: readonly Element[], needle: string): Range[] {
  const wanted = needle.toLowerCase();
  const found: Range[] = [];
  for (const part of parts) {
    // The preview of a fold says again what is inside.
    const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT, (node) =>
      node.parentElement?.closest('.json-preview, .json-index, button, summary:not(:has(.json-preview))')
        ? NodeFilter.FILTER_REJECT
        : NodeFilter.FILTER_ACCEPT,
    );
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = (node.nodeValue ?? '').toLowerCase();
      for (let at = text.indexOf(wanted); wanted && at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
        const range = new Range();
        range.setStart(node, at);
        range.setEnd(node, at + wanted.length);
        found.push(range);
      }
    }
  }
  return found;
}

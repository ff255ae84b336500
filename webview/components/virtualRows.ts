/**
 * Rows of one height, of which only those in the window exist: 10,000 cost as much as 30. The list is as high as all of
 * them, a row stands
 * at its place by transform; the row with the focus stays, wherever the user scrolls. Whoever scrolls (the page or a
 * box) is not asked.
 */
import type { Disposable } from './dom';

export interface VirtualOptions {
  /** what a row measures when the probe can't tell (not laid out yet), CSS pixels */
  rowHeight: number;
  /** Makes or updates row i; the same element comes back as long as its key stays. */
  create(i: number): HTMLElement;
  update(element: HTMLElement, i: number): void;
  key(i: number): string;
  /** what of a row takes the focus, where it is not the row */
  focusable?(row: HTMLElement): HTMLElement;
}

const MORE_ROWS = 8;

export class VirtualRows implements Disposable {
  private count = 0;
  private height: number;
  private readonly shown = new Map<string, HTMLElement>();
  /** stays made, for it has or is to have the focus */
  private kept = -1;
  private isScheduled = false;
  private readonly resized = new ResizeObserver(() => this.draw());
  private readonly onScroll = (): void => this.later();

  constructor(
    readonly element: HTMLElement,
    private readonly options: VirtualOptions,
  ) {
    this.height = options.rowHeight;
    element.classList.add('virtual');
    document.addEventListener('scroll', this.onScroll, { capture: true, passive: true });
    window.addEventListener('resize', this.onScroll);
    this.resized.observe(element);
  }

  /**
   * Draws again: as many rows, each of which may have changed. @param kept exists from now on (keep); default: as
   * before
   */
  set(count: number, kept = this.kept): void {
    this.count = count;
    this.kept = kept < count ? kept : -1;
    this.draw();
  }

  /** Makes row i (and scrolls to it) and gives it the focus. */
  focus(i: number): void {
    this.keep(i);
    const element = this.shown.get(this.options.key(i));
    if (!element) return;
    element.scrollIntoView({ block: 'nearest' });
    this.draw();
    (this.options.focusable?.(element) ?? element).focus({ preventScroll: true });
  }

  /** Row i exists from now on. */
  keep(i: number): void {
    this.kept = i;
    this.draw();
  }

  /** The rows made now. */
  get made(): number {
    return this.shown.size;
  }

  dispose(): void {
    document.removeEventListener('scroll', this.onScroll, { capture: true });
    window.removeEventListener('resize', this.onScroll);
    this.resized.disconnect();
  }

  private later(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    requestAnimationFrame(() => {
      this.isScheduled = false;
      this.draw();
    });
  }

  private draw(): void {
    const { element, options } = this;
    if (!element.isConnected) return;
    this.measure();
    const [from, to] = this.range(); // what is read comes first: behind a write it would lay out the page again
    element.style.setProperty('--row-height', `${this.height}px`);
    element.style.setProperty('--rows', String(this.count));
    const wanted = new Map<string, number>();
    const ask = (i: number): void => void wanted.set(options.key(i), i);
    if (this.kept >= 0 && this.kept < from) ask(this.kept);
    for (let i = from; i < to; i++) ask(i);
    if (this.kept >= to && this.kept < this.count) ask(this.kept);
    for (const [key, row] of this.shown) {
      if (wanted.has(key)) continue;
      row.remove();
      this.shown.delete(key);
    }
    let at: Element | null = element.firstElementChild;
    for (const [key, i] of wanted) {
      let row = this.shown.get(key);
      if (row) options.update(row, i);
      else {
        row = options.create(i);
        this.shown.set(key, row);
      }
      row.style.setProperty('--row', String(i));
      // Rows stand in the document in the order in which they are read.
      if (row === at) at = at.nextElementSibling;
      else element.insertBefore(row, at);
    }
  }

  /** Rows are as high as the font makes them; all alike. */
  private measure(): void {
    const row = this.shown.values().next().value;
    const height = row?.offsetHeight ?? 0;
    if (height > 0) this.height = height;
  }

  private range(): [number, number] {
    // nothing is laid out for the first rows: the observer draws again in the same frame, and knows where they lie
    if (this.shown.size === 0)
      return [0, Math.min(this.count, Math.ceil(window.innerHeight / this.height) + MORE_ROWS)];
    const box = this.element.getBoundingClientRect();
    const clip = this.clip();
    if (clip.bottom <= clip.top) return [0, Math.min(this.count, 2 * MORE_ROWS)];
    const from = Math.max(0, Math.floor((clip.top - box.top) / this.height) - MORE_ROWS);
    const to = Math.min(this.count, Math.ceil((clip.bottom - box.top) / this.height) + MORE_ROWS);
    return [Math.min(from, Math.max(0, this.count - 1)), Math.max(to, Math.min(this.count, from + 1))];
  }

  /** The window, cut by each box around the list that scrolls. */
  private clip(): { top: number; bottom: number } {
    let top = 0;
    let bottom = window.innerHeight;
    for (let up = this.element.parentElement; up && up !== document.body; up = up.parentElement) {
      if (up.scrollHeight <= up.clientHeight || getComputedStyle(up).overflowY === 'visible') continue;
      const box = up.getBoundingClientRect();
      top = Math.max(top, box.top);
      bottom = Math.min(bottom, box.bottom);
    }
    return { top, bottom };
  }
}

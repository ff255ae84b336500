/**
 * One tab stop for many items: the arrows move among the elements that match `selector` inside `container`, in document
 * order.
 * The items keep their own meaning (options, rows, chips); this only owns tabindex and focus.
 */
import type { Disposable } from './dom';

export interface RovingOptions {
  selector: string;
  /** which arrows move; 'both' for text-like flows */
  axis: 'horizontal' | 'vertical' | 'both';
  onMove?: (element: HTMLElement) => void;
}

export function roving(
  container: HTMLElement,
  options: RovingOptions,
): Disposable & { refresh(): void; current(): HTMLElement | null } {
  const all = (): HTMLElement[] => Array.from(container.querySelectorAll<HTMLElement>(options.selector));
  let current: HTMLElement | null = null;

  const set = (element: HTMLElement): void => {
    if (current && current !== element) current.tabIndex = -1;
    current = element;
    element.tabIndex = 0;
  };
  const refresh = (): void => {
    if (current && container.contains(current)) return;
    const first =
      container.querySelector<HTMLElement>(
        `${options.selector}[aria-selected="true"], ${options.selector}[aria-current="true"]`,
      ) ?? container.querySelector<HTMLElement>(options.selector);
    current = null;
    if (first) set(first);
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next =
      options.axis !== 'vertical' && event.key === 'ArrowRight'
        ? 1
        : options.axis !== 'horizontal' && event.key === 'ArrowDown'
          ? 1
          : 0;
    const previous =
      options.axis !== 'vertical' && event.key === 'ArrowLeft'
        ? 1
        : options.axis !== 'horizontal' && event.key === 'ArrowUp'
          ? 1
          : 0;
    const isEnd = event.key === 'Home' || event.key === 'End';
    if (!next && !previous && !isEnd) return;
    const items = all();
    const at = current ? items.indexOf(current) : -1;
    const target =
      items[
        event.key === 'Home'
          ? 0
          : event.key === 'End'
            ? items.length - 1
            : Math.min(items.length - 1, Math.max(0, at + next - previous))
      ];
    if (!target) return;
    event.preventDefault();
    set(target);
    target.focus();
    options.onMove?.(target);
  };
  const onFocus = (event: FocusEvent): void => {
    const item = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>(options.selector) : null;
    if (item && container.contains(item)) {
      set(item);
      options.onMove?.(item);
    }
  };
  container.addEventListener('keydown', onKey);
  container.addEventListener('focusin', onFocus);
  refresh();
  return {
    refresh,
    current: () => current,
    dispose() {
      container.removeEventListener('keydown', onKey);
      container.removeEventListener('focusin', onFocus);
    },
  };
}

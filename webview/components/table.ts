/** A plain data table: numbers right-aligned and tabular, a caption, sticky head, capped with "show more". */
import { h, hidden, setAttribute, type Child } from './dom';
import { integer } from '../shared/format';
import { t } from '../shared/strings';

export interface Column<Row> {
  label: string;
  /** what the cell shows */
  cell: (row: Row) => Child;
  isNumber?: boolean;
  /** the row's name: a <th scope=row> */
  isHead?: boolean;
}

const ROWS_AT_ONCE = 100;

let widths: ResizeObserver | undefined;

/** A table that is wider than its place is scrolled: by the arrow keys, too, so it takes the focus then. */
const watchedWidths = (): ResizeObserver => (widths ??= new ResizeObserver(markScrolled));

function markScrolled(entries: readonly ResizeObserverEntry[]): void {
  for (const { target } of entries) {
    const isScrolled = target.scrollWidth > target.clientWidth;
    setAttribute(target, 'tabindex', isScrolled ? '0' : null);
    setAttribute(target, 'role', isScrolled ? 'group' : null);
    setAttribute(target, 'aria-label', isScrolled ? (target.querySelector('caption')?.textContent ?? null) : null);
  }
}

/** "41.2 % [35.1, 47.5]": in a narrow window the interval has a line of its own. */
function withInterval(cell: Child): Child[] {
  const [, value, interval] = typeof cell === 'string' ? (/^(.*\S) (\[.*\])$/.exec(cell) ?? []) : [];
  return interval === undefined ? [cell] : [`${value} `, h('span', { class: 'interval' }, interval)];
}

export function table<Row>(
  caption: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  options: { class?: string; isCaptionHidden?: boolean; rowsAtOnce?: number } = {},
): HTMLElement {
  const body = h('tbody');
  const root = h(
    'table',
    { class: `data-table ${options.class ?? ''}`.trim() },
    h('caption', null, options.isCaptionHidden ? hidden(caption) : caption),
    h(
      'thead',
      null,
      h(
        'tr',
        null,
        ...columns.map((c) => h('th', { scope: 'col', class: c.isNumber ? 'number' : undefined }, c.label)),
      ),
    ),
    body,
  );
  const box = h('div', { class: 'table-box' }, root);
  watchedWidths().observe(box);
  const more = (from: number): void => {
    const to = Math.min(rows.length, from + (options.rowsAtOnce ?? ROWS_AT_ONCE));
    for (const row of rows.slice(from, to)) {
      body.append(
        h(
          'tr',
          null,
          ...columns.map((c) =>
            h(
              c.isHead ? 'th' : 'td',
              { scope: c.isHead ? 'row' : undefined, class: c.isNumber ? 'number' : undefined },
              ...(c.isNumber ? withInterval(c.cell(row)) : [c.cell(row)]),
            ),
          ),
        ),
      );
    }
    if (to < rows.length) {
      const next = h(
        'button',
        { type: 'button', class: 'link', on: { click: () => (next.remove(), more(to)) } },
        t('list.more', { count: integer(rows.length - to) }),
      );
      box.append(next);
    }
  };
  more(0);
  return box;
}

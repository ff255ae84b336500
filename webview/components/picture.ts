/**
 * A picture of a grid of numbers: a cell for each, shaded or with a bar, walked with the arrow keys; Enter opens the
 * traces behind it. Under it the same numbers as a table.
 */
import { shade, type Cell, type Picture } from '../derive/pictures';
import { integer, percent } from '../shared/format';
import { t } from '../shared/strings';
import { h } from './dom';
import { table } from './table';

export interface PictureWords {
  title: string;
  about: string;
  /** what the rows are, and the columns */
  corner: string;
  row: (name: string, index: number) => string;
  column: (name: string) => string;
}

export function picture(
  data: Picture,
  words: PictureWords,
  open?: (title: string, traceIds: readonly string[]) => void,
): HTMLElement {
  const names = { rows: data.rows.map(words.row), columns: data.columns.map(words.column) };
  const grid = h(
    'div',
    {
      class: `picture-grid ${data.kind}`,
      role: 'grid',
      'aria-label': `${words.title}. ${t('picture.keys')}`,
      vars: { '--columns': String(data.columns.length) },
    },
    h(
      'div',
      { role: 'row', class: 'picture-row head' },
      h('span', { role: 'columnheader', class: 'picture-name' }, words.corner),
      ...names.columns.map((name) => h('span', { role: 'columnheader', class: 'picture-column', title: name }, name)),
    ),
    ...data.cells.map((line, r) =>
      h(
        'div',
        { role: 'row', class: 'picture-row' },
        h('span', { role: 'rowheader', class: 'picture-name', title: names.rows[r] }, names.rows[r]),
        ...line.map((cell, c) =>
          h(
            'span',
            {
              role: 'gridcell',
              class: 'picture-cell',
              tabindex: r === 0 && c === 0 ? '0' : '-1',
              'aria-label': `${names.rows[r]}, ${names.columns[c]}: ${cellText(data, cell)}`,
              title: `${names.rows[r]}, ${names.columns[c]}: ${cellText(data, cell)}`,
              vars: { '--shade': shade(data, r, c).toFixed(3) },
            },
            h('span', null, cell.value === 0 && data.kind === 'count' ? '' : cellText(data, cell)),
          ),
        ),
      ),
    ),
  );
  const show = (target: EventTarget | null): void => {
    const [r, c] = placeOf(grid, target);
    const cell = data.cells[r]?.[c];
    if (cell && cell.traceIds.length > 0 && open)
      open(`${words.title}: ${names.rows[r]}, ${names.columns[c]}`, cell.traceIds);
  };
  grid.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') return show(event.target);
    walk(grid, event);
  });
  grid.addEventListener('click', (event) => show(event.target));
  return h(
    'figure',
    { class: 'picture' },
    h('figcaption', null, h('strong', null, words.title), h('p', { class: 'muted' }, words.about)),
    h('div', { class: 'picture-box' }, grid),
    twin(data, words, names),
  );
}

/** "12", "45 % of 20", "–" */
function cellText({ kind }: Picture, { value, of }: Cell): string {
  if (value === null) return '–';
  return kind === 'share' ? t('picture.share', { share: percent(value, 0), of: integer(of ?? 0) }) : integer(value);
}

function twin(data: Picture, words: PictureWords, names: { rows: string[]; columns: string[] }): HTMLElement {
  const fold = h('details', { class: 'picture-twin' }, h('summary', null, t('picture.asTable')));
  // Built when it is opened first: most never are.
  fold.addEventListener(
    'toggle',
    () =>
      fold.append(
        table(
          words.title,
          [
            { label: words.corner, cell: (r: number) => names.rows[r], isHead: true },
            ...names.columns.map((label, c) => ({
              label,
              cell: (r: number) => cellText(data, data.cells[r]![c]!),
              isNumber: true,
            })),
          ],
          data.rows.map((_, r) => r),
          { isCaptionHidden: true },
        ),
      ),
    { once: true },
  );
  return fold;
}

const cellsOf = (grid: HTMLElement): HTMLElement[][] =>
  Array.from(grid.querySelectorAll('.picture-row:not(.head)')).map((row) =>
    Array.from(row.querySelectorAll<HTMLElement>('.picture-cell')),
  );

function placeOf(grid: HTMLElement, target: EventTarget | null): [row: number, column: number] {
  const cell = target instanceof Element ? target.closest<HTMLElement>('.picture-cell') : null;
  const rows = cellsOf(grid);
  const row = cell ? rows.findIndex((line) => line.includes(cell)) : -1;
  return [row, row < 0 ? -1 : rows[row]!.indexOf(cell!)];
}

/** One tab stop; the arrows move by a cell, Home and End within the row. */
function walk(grid: HTMLElement, event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const [r, c] = placeOf(grid, event.target);
  if (r < 0) return;
  const rows = cellsOf(grid);
  const last = rows[r]!.length - 1;
  const to = (
    {
      ArrowLeft: [r, c - 1],
      ArrowRight: [r, c + 1],
      ArrowUp: [r - 1, c],
      ArrowDown: [r + 1, c],
      Home: [r, 0],
      End: [r, last],
    } as Record<string, [number, number]>
  )[event.key];
  if (!to) return;
  event.preventDefault();
  const next = rows[to[0]]?.[to[1]];
  if (!next) return;
  rows[r]![c]!.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

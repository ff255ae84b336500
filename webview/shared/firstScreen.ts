/**
 * The page Traces as it stands in the panel's HTML, so that it is there as soon as VS Code shows the frame; app.ts puts
 * the living page in its place. It has
 * the same parts at the same places, with room where the page's controls will be. Free of the DOM.
 */
import type { RunManifest } from '../../trainer/protocol/messages';
import type { TraceSummary } from '../../trainer/protocol/trace';
import { groupRow, OPEN_UP_TO, rowsHead, summaryText, traceRow } from './traceRows';
import { placeOf, ranked, TraceIndex, type Group } from './traceIndex';
import { HtmlWriter, iconMark, m, type Content, type Markup } from './markup';
import type { Route } from '../messages';
import { navigationOf, pageButton } from './navigation';
import { t } from './strings';

export interface FirstScreen {
  html: string;
  /** rules that the HTML needs */
  css: string;
}

/** More than fit a screen. */
const ROWS = 60;

/** @param isArriving traces are only the newest ones. @param manifest of their run. @returns null where there is no trace to show */
export function firstScreen(
  traces: readonly TraceSummary[],
  route: Extract<Route, { page: 'traces' }>,
  isArriving: boolean,
  manifest?: RunManifest | null,
): FirstScreen | null {
  const index = new TraceIndex();
  index.sync(traces);
  const place = placeOf(index, route);
  if (!place) return null;
  const groups = place.groups.filter(({ taskId }) => route.taskId === undefined || taskId === route.taskId);
  const writer = new HtmlWriter();
  const html = [
    header(manifest),
    m(
      'main',
      { id: 'main' },
      tracesPage(groups, summaryText(groups, place.groups, place.step, isArriving), route.all === true),
    ),
  ]
    .map((part) => writer.html(part))
    .join('');
  return { html, css: writer.css };
}

const header = (manifest: RunManifest | null | undefined): Markup =>
  m(
    'header',
    { class: 'app-header' },
    m(
      'nav',
      { 'aria-label': t('nav.pages') },
      m(
        'ul',
        { class: 'nav-list' },
        ...navigationOf(manifest).map((item) => m('li', null, pageButton(item, item.page === 'traces'))),
      ),
    ),
  );

const tracesPage = (groups: readonly Group[], summary: string, isEvery: boolean): Markup =>
  m(
    'div',
    { class: 'page traces-page' },
    m('h1', null, t('page.traces')),
    m('div', null),
    m('div', { class: 'toolbar' }),
    m('details', { class: 'fold pictures' }, m('summary', null, t('picture.title'))),
    m('p', { class: 'muted' }, summary),
    m(
      'div',
      null,
      rowsHead(),
      m(
        'div',
        { class: 'tree-box' },
        m('div', { class: 'tree', role: 'tree', 'aria-label': t('traces.tree') }, ...rowsOf(groups, isEvery)),
      ),
    ),
  );

function rowsOf(groups: readonly Group[], isEvery: boolean): Markup[] {
  const allSingle = groups.every((group) => group.traces.length === 1);
  const isOpen = groups.length <= OPEN_UP_TO;
  const rows: Markup[] = [];
  for (const group of groups) {
    if (rows.length >= ROWS) break;
    if (allSingle) rows.push(row(1, null, traceRow(group.traces[0]!, group, true).content()));
    else {
      rows.push(row(1, isOpen, groupRow(group, isEvery).content()));
      if (isOpen)
        for (const trace of ranked(group.traces)) rows.push(row(2, null, traceRow(trace, group, false).content()));
    }
  }
  return rows;
}

/** As components/tree.ts makes it. */
const row = (level: number, isOpen: boolean | null, content: Content[]): Markup =>
  m(
    'div',
    {
      class: 'tree-row',
      role: 'treeitem',
      'aria-level': String(level),
      'aria-expanded': isOpen === null ? undefined : String(isOpen),
      'aria-selected': 'false',
    },
    m(
      'span',
      { class: 'tree-twistie' },
      ...(isOpen === null ? [] : [iconMark(isOpen ? 'chevron-down' : 'chevron-right')]),
    ),
    m('span', { class: 'tree-content' }, ...content),
  );

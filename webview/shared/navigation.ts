/** The pages one can go to, and how they stand in the header. Free of the DOM. */
import { iconMark, m, type Markup } from './markup';
import type { RunManifest } from '../../trainer/protocol/messages';
import type { Route } from '../messages';
import { t, type StringKey } from './strings';

export type Page = Route['page'];

export const NAVIGATION: { page: Page; label: StringKey; icon: string }[] = [
  { page: 'run', label: 'page.run', icon: 'graph-line' },
  { page: 'pipeline', label: 'page.pipeline', icon: 'git-commit' },
  { page: 'evaluation', label: 'page.evaluation', icon: 'beaker' },
  { page: 'traces', label: 'page.traces', icon: 'list-tree' },
  { page: 'judge', label: 'page.judge', icon: 'law' },
  { page: 'marking', label: 'page.marking', icon: 'git-compare' },
  { page: 'try', label: 'page.try', icon: 'comment-discussion' },
  { page: 'tools', label: 'page.tools', icon: 'tools' },
  { page: 'runs', label: 'page.runs', icon: 'list-ordered' },
];

/** Those that a run has: stages have a page where there are some. */
export const navigationOf = (
  manifest: Pick<RunManifest, 'stages' | 'candidates'> | null | undefined,
): typeof NAVIGATION =>
  manifest?.stages || manifest?.candidates ? NAVIGATION : NAVIGATION.filter(({ page }) => page !== 'pipeline');

export const pageButton = ({ label, icon }: (typeof NAVIGATION)[number], isCurrent = false): Markup =>
  m(
    'button',
    { type: 'button', class: 'nav-item', 'aria-current': isCurrent && 'page' },
    iconMark(icon),
    m('span', null, t(label)),
  );

/** Another run has other traces: keep the page, leave the trace. */
export function sameKind(route: Route): Route {
  switch (route.page) {
    case 'run':
    case 'pipeline':
    case 'evaluation':
    case 'tools':
    case 'runs':
    case 'marking':
    case 'lessons':
      return route;
    case 'judge':
      return { page: 'judge' };
    case 'try':
      return { page: 'try' };
    default:
      return { page: 'traces' };
  }
}

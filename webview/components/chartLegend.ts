import { h, icon, svg } from './dom';
import { t } from '../shared/strings';
import type { Line } from '../derive/series';
import { colourOf, dashOf, type ChartTheme } from './chartTheme';

export const name = (line: Line): string =>
  line.slot >= 0 ? line.label : line.label ? t('chart.comparedRun', { run: line.label }) : t('chart.compared');

export function lastMeasured(line: Line): number {
  let i = line.values.length - 1;
  while (i >= 0 && line.values[i] === null) i--;
  return i;
}

export function swatch(line: Line, theme: ChartTheme): Node {
  return h(
    'span',
    { class: 'swatch', 'aria-hidden': 'true' },
    svg(
      'svg',
      { width: 22, height: 6, viewBox: '0 0 22 6' },
      svg('line', {
        x1: 0,
        y1: 3,
        x2: 22,
        y2: 3,
        stroke: colourOf(theme, line.slot),
        'stroke-width': 2,
        'stroke-dasharray': dashOf(line.slot).join(' ') || 'none',
      }),
    ),
  );
}

/** Shown instead of the charts before the first step. */
export function chartsEmpty(): HTMLElement {
  return h('p', { class: 'muted' }, icon('graph-line'), ' ', t('charts.empty'));
}

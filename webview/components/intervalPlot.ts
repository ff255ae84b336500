/**
 * Before and after on one axis from 0 to 100 %: a hollow ring, an arrow, a full dot, each with its interval. Its
 * numbers stand beside it.
 */
import { svg } from './dom';
import type { Success } from '../../trainer/protocol/messages';

const WIDTH = 200;
const HEIGHT = 26;
const MARGIN = 7;

type Measured = Pick<Success, 'success' | 'ci95'>;

export function intervalPlot(before: Measured | undefined, after: Measured | undefined): SVGElement {
  const x = (fraction: number): number => MARGIN + fraction * (WIDTH - 2 * MARGIN);
  const root = svg('svg', { class: 'interval-plot', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, 'aria-hidden': 'true' });
  root.append(svg('line', { class: 'axis', x1: x(0), x2: x(1), y1: HEIGHT / 2, y2: HEIGHT / 2 }));
  for (const tick of [0, 0.5, 1])
    root.append(svg('line', { class: 'axis', x1: x(tick), x2: x(tick), y1: HEIGHT / 2 - 3, y2: HEIGHT / 2 + 3 }));
  const mark = (success: Measured | undefined, kind: 'before' | 'after', y: number): void => {
    if (!success || success.success === null) return;
    if (success.ci95) {
      root.append(
        svg('line', { class: `interval ${kind}`, x1: x(success.ci95[0]), x2: x(success.ci95[1]), y1: y, y2: y }),
      );
      for (const end of success.ci95)
        root.append(svg('line', { class: `interval ${kind}`, x1: x(end), x2: x(end), y1: y - 3, y2: y + 3 }));
    }
    root.append(svg('circle', { class: `mark ${kind}`, cx: x(success.success), cy: y, r: 4 }));
  };
  mark(before, 'before', HEIGHT / 2 - 6);
  mark(after, 'after', HEIGHT / 2 + 6);
  return root;
}

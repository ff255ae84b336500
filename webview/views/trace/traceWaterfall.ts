/** The turns of a trace over time, its cut-off end included, as bars; the same numbers as a table under them. */
import type { Trace } from '../../../trainer/protocol/trace';
import { h, hidden, svg } from '../../components/dom';
import { roving } from '../../components/roving';
import { table } from '../../components/table';
import type { Steps } from '../../derive/traceSteps';
import { waterfall, type Bar } from '../../derive/waterfall';
import { duration } from '../../shared/format';
import { t } from '../../shared/strings';

const WIDTH = 1000;
const HEIGHT = 12;
/** the narrowest bar that can be seen */
const LEAST = 4;
/** More rows than this are in the table only. */
const SHOWN = 60;

export function traceWaterfall(trace: Trace, steps: Steps, onPick: (anchor: string) => void): HTMLElement {
  const bars = waterfall(trace, steps);
  const rows = h('div', {
    class: 'waterfall-rows',
    role: 'group',
    'aria-label': `${t('waterfall.title')}. ${t('waterfall.keys')}`,
  });
  for (const bar of bars.slice(0, SHOWN)) rows.append(row(bar, steps.totalMs, onPick));
  roving(rows, { selector: '.waterfall-row', axis: 'vertical' });
  return h(
    'details',
    { class: 'fold waterfall-picture' },
    h('summary', null, t('waterfall.title')),
    h('p', { class: 'muted' }, t('waterfall.about')),
    rows,
    h(
      'details',
      { class: 'picture-twin' },
      h('summary', null, t('picture.asTable')),
      table(
        t('waterfall.title'),
        [
          { label: t('waterfall.step'), cell: barName, isHead: true },
          { label: t('waterfall.start'), cell: startText, isNumber: true },
          { label: t('waterfall.took'), cell: tookText, isNumber: true },
          { label: t('waterfall.ended'), cell: endText },
        ],
        bars,
        { isCaptionHidden: true },
      ),
    ),
  );
}

function row(bar: Bar, totalMs: number, onPick: (anchor: string) => void): HTMLElement {
  const words = [barName(bar), startText(bar), tookText(bar), endText(bar)];
  return h(
    'button',
    {
      type: 'button',
      class: `waterfall-row ${bar.problem === null ? '' : 'bad'}`,
      tabindex: '-1',
      title: words.join(', '),
      on: { click: () => onPick(bar.anchor) },
    },
    h('span', { class: 'waterfall-name' }, barName(bar)),
    drawn(bar, totalMs),
    h('span', { class: 'waterfall-time' }, hidden(`${startText(bar)} `), tookText(bar), hidden(` ${endText(bar)}`)),
  );
}

function drawn(bar: Bar, totalMs: number): SVGElement {
  const x = (ms: number): number => (WIDTH * Math.min(ms, totalMs)) / totalMs;
  const root = svg('svg', {
    class: 'waterfall-bar',
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    preserveAspectRatio: 'none',
    'aria-hidden': 'true',
  });
  if (bar.startMs === null) return root;
  const width = Math.max(LEAST, x(bar.durationMs));
  const rect = { x: Math.min(x(bar.startMs), WIDTH - width), y: 1, width, height: HEIGHT - 2 };
  root.append(svg('rect', { class: `bar-${bar.kind} ${bar.problem === null ? '' : 'bad'}`, ...rect }));
  return root;
}

const barName = ({ kind, turn, tool, problem }: Bar): string =>
  kind === 'cut' && problem !== null
    ? t('waterfall.cut', { why: problemWord(problem) })
    : kind === 'call'
      ? `${turn} · ${tool}`
      : t('outline.turn', { n: turn });
const startText = ({ startMs }: Bar): string => (startMs === null ? t('outline.notRun') : duration(startMs));
const tookText = ({ startMs, durationMs }: Bar): string => (startMs === null ? '' : duration(durationMs));
const endText = ({ problem }: Bar): string => (problem === null ? t('waterfall.fine') : problemWord(problem));

function problemWord(problem: NonNullable<Bar['problem']>): string {
  switch (problem) {
    case 'unreadable':
      return t('waterfall.unreadable');
    case 'notRun':
      return t('outline.notRun');
    case 'turnLimit':
    case 'tokenLimit':
    case 'cancelled':
      return t(`truncated.${problem}`);
    default:
      return t(`result.${problem}`);
  }
}

/**
 * The live charts of a run with their common settings: smoothing, log axes, tables instead of plots, another run
 * beside it.
 */
import { checkbox, dropdown } from '../../components/controls';
import { Chart } from '../../components/chart';
import { chartsEmpty } from '../../components/chartLegend';
import { table } from '../../components/table';
import type { ChartTheme } from '../../components/chartTheme';
import { h, keyed, replace, setText, type Disposable } from '../../components/dom';
import { mainCharts, otherCharts, type ChartSpec } from '../../derive/chartCatalogue';
import { chartData } from '../../derive/series';
import { methodsOf } from '../../derive/stageSpans';
import { settingsDiff } from '../../derive/settingsDiff';
import { decimal, moment, shortPath } from '../../shared/format';
import type { RunState } from '../../../trainer/protocol/runState';
import type { TraceSummary } from '../../../trainer/protocol/trace';
import { changeText, iconButton, verdictBadge } from '../../components/parts';
import { pairedRuns } from '../../derive/pairedRuns';
import { outcomesAfter } from '../../shared/outcomes';
import type { Overlay, Store } from '../../store';
import { t } from '../../shared/strings';
import type { Context } from '../view';

const NO_RUN = '';

/** A point of the chart of solved tasks: a validation, or held-out tasks before or after training. */
function measuredAt({ index }: Store, step: number): { phase: TraceSummary['phase']; step?: number } {
  if (index.slice('validation', step).length > 0) return { phase: 'validation', step };
  return { phase: step === 0 ? 'before' : 'after' };
}

export class RunCharts implements Disposable {
  readonly element: HTMLElement;
  private readonly grid = h('div', { class: 'chart-grid' });
  private readonly otherGrid = h('div', { class: 'chart-grid' });
  private readonly others: HTMLDetailsElement;
  private readonly othersTitle = h('summary');
  private readonly empty = chartsEmpty();
  private readonly differences = h('div');
  private readonly slider: HTMLInputElement;
  private readonly sliderValue = h('output');
  private readonly log;
  private readonly tables;
  private readonly compare;
  private readonly charts = new Map<string, Chart>();
  private theme: ChartTheme;
  private drawn: unknown[] = [];

  constructor(private readonly context: Context) {
    const { store } = context;
    this.theme = context.theme;
    this.slider = h('input', {
      type: 'range',
      min: '0',
      max: '0.95',
      step: '0.05',
      id: 'smoothing',
      on: { input: () => store.setCharts({ smoothing: Number(this.slider.value) }) },
    });
    this.log = checkbox(t('charts.log'), (isLog) => store.setCharts({ isLog }));
    this.tables = checkbox(t('charts.asTables'), (asTables) => store.setCharts({ asTables }));
    this.compare = dropdown(t('charts.compare'), (runId) => runId !== NO_RUN && store.compareWith(runId));
    this.others = h(
      'details',
      { class: 'fold', on: { toggle: () => this.update() } },
      this.othersTitle,
      this.otherGrid,
    );
    this.element = h(
      'section',
      { class: 'charts', 'aria-labelledby': 'charts-title' },
      h(
        'div',
        { class: 'section-head' },
        h('h2', { id: 'charts-title' }, t('charts.title')),
        h(
          'div',
          { class: 'chart-settings', role: 'group', 'aria-label': t('charts.settings') },
          h('label', { for: 'smoothing', title: t('charts.smoothing.about') }, t('charts.smoothing')),
          this.slider,
          this.sliderValue,
          this.log.element,
          this.tables.element,
          this.compare.element,
        ),
      ),
      this.differences,
      this.empty,
      this.grid,
      this.others,
    );
  }

  update(): void {
    const { store } = this.context;
    const { run, charts, overlays } = store;
    if (!run?.manifest) return;
    this.drawSettings(store);
    const inputs = [run.manifest, run.curve, run.validation, run.evaluations, charts, overlays, this.others.open];
    if (inputs.every((value, i) => value === this.drawn[i])) return;
    if (overlays !== this.drawn[5]) this.drawDifferences(store);
    this.drawn = inputs;
    const methods = methodsOf(run.manifest);
    const rest = otherCharts(methods, run.curve);
    this.others.hidden = rest.length === 0;
    setText(this.othersTitle, t('charts.others', { count: rest.length }));
    this.empty.hidden = run.curve.length > 0 || run.validation.length > 0;
    this.grid.hidden = !this.empty.hidden;
    const specs = mainCharts(...methods);
    const shownRest = this.others.open ? rest : [];
    this.reconcile(this.grid, specs);
    this.reconcile(this.otherGrid, shownRest);
    const shown = new Set([...specs, ...shownRest].map((s) => s.id));
    for (const [id, chart] of this.charts) {
      if (!shown.has(id)) {
        chart.dispose();
        this.charts.delete(id);
      }
    }
    for (const spec of [...specs, ...shownRest])
      this.charts.get(spec.id)!.update(chartData(spec, run, charts.smoothing, overlays), charts);
  }

  setTheme(theme: ChartTheme): void {
    this.theme = theme;
    for (const chart of this.charts.values()) chart.setTheme(theme);
  }

  dispose(): void {
    for (const chart of this.charts.values()) chart.dispose();
    this.charts.clear();
  }

  private reconcile(grid: HTMLElement, specs: readonly ChartSpec[]): void {
    const { store } = this.context;
    keyed(
      grid,
      specs,
      (spec) => spec.id,
      (spec) => {
        const chart = new Chart(
          spec,
          {
            onPick: (step) =>
              store.go(
                spec.from === 'validation' ? { page: 'traces', ...measuredAt(store, step) } : { page: 'traces', step },
              ),
            openDocument: (text, language) => store.send({ type: 'openDocument', text, language }),
          },
          this.theme,
        );
        this.charts.set(spec.id, chart);
        return chart.element;
      },
    );
  }

  /** What was laid over the curves: how far apart on the same tasks, and in which settings. */
  private drawDifferences({ run, overlays }: Store): void {
    replace(this.differences, ...overlays.map((other) => this.difference(run!, other)));
  }

  private difference(run: RunState, other: Overlay): HTMLElement {
    const { store } = this.context;
    const paired = pairedRuns(outcomesAfter(run.traces), other.after);
    const rows = run.manifest && other.manifest ? settingsDiff(run.manifest, other.manifest) : null;
    const title = t('charts.differences', { count: rows?.length ?? 0 });
    return h(
      'section',
      { class: 'overlay', 'aria-label': other.label ?? other.runId },
      h(
        'div',
        { class: 'toolbar' },
        h('b', null, other.label ?? other.runId),
        paired
          ? h(
              'span',
              null,
              t('charts.paired', { change: changeText(paired.change), n: paired.n }),
              ' ',
              verdictBadge(paired.change),
            )
          : h('span', { class: 'muted' }, t('charts.notPaired')),
        iconButton(t('charts.remove', { run: other.label ?? other.runId }), 'close', () =>
          store.stopComparing(other.runId),
        ).element,
      ),
      rows === null
        ? null
        : rows.length === 0
          ? h('p', { class: 'muted' }, t('charts.sameSettings'))
          : h(
              'details',
              { class: 'fold setting-differences', open: rows.length <= 12 },
              h('summary', null, title),
              table(
                title,
                [
                  { label: t('table.setting'), cell: (r) => h('span', { class: 'mono' }, r.name), isHead: true },
                  { label: t('charts.here'), cell: (r) => h('span', { class: 'mono' }, r.here ?? '–') },
                  { label: t('chart.compared'), cell: (r) => h('span', { class: 'mono' }, r.there ?? '–') },
                ],
                rows,
                { isCaptionHidden: true },
              ),
            ),
    );
  }

  private drawSettings(store: Store): void {
    const { charts } = store;
    if (document.activeElement !== this.slider) this.slider.value = String(charts.smoothing);
    setText(this.sliderValue, decimal(charts.smoothing, 2));
    this.log.set(charts.isLog);
    this.tables.set(charts.asTables);
    const others = store.runs.filter((r) => r.id !== store.runId && !store.comparing.includes(r.id));
    this.compare.element.hidden = others.length === 0;
    this.compare.set(
      [
        { value: NO_RUN, label: t('charts.compareNone') },
        ...others.map((r) => ({
          value: r.id,
          label: t('charts.compareRun', {
            time: moment(r.createdAt, this.context.now()),
            file: r.label?.name || shortPath(r.toolFile),
            method: r.method,
          }),
        })),
      ],
      NO_RUN,
    );
  }
}

/** Page Pipeline: the stages of a run of several methods, the gates between them, and their curves as one. */
import type { RunState } from '../../../trainer/protocol/runState';
import { runMethod } from '../../../trainer/protocol/runMethod';
import { Chart } from '../../components/chart';
import { chartsEmpty } from '../../components/chartLegend';
import type { ChartTheme } from '../../components/chartTheme';
import { button } from '../../components/controls';
import { h, replace } from '../../components/dom';
import { changeText, emptyState, facts } from '../../components/parts';
import { pipelineCharts } from '../../derive/chartCatalogue';
import { gainChange } from '../../derive/noise';
import { chartData } from '../../derive/series';
import { lastPassed, stageSpans } from '../../derive/stageSpans';
import { percent } from '../../shared/format';
import { t } from '../../shared/strings';
import { RunStages } from '../run/runStages';
import type { Context, View } from '../view';
import { stageRow } from './stageRow';

export class PipelineView implements View {
  readonly element: HTMLElement;
  readonly heading = h('h1', { tabindex: '-1' }, t('page.pipeline'));
  private readonly empty = h('div');
  private readonly reasons = h('div');
  private readonly ends = h('div');
  private readonly row = h('div');
  private readonly twin = new RunStages();
  private readonly asTable;
  private readonly chartsEmpty = chartsEmpty();
  private readonly curves: HTMLElement;
  private readonly charts: [spec: (typeof pipelineCharts)[number], chart: Chart][];
  private isTable = false;
  private drawn: unknown[] = [];

  constructor(private readonly context: Context) {
    const { store, theme } = context;
    this.asTable = button({ label: t('pipeline.asTable'), icon: 'table', onClick: () => this.flip() });
    this.charts = pipelineCharts.map((spec) => [
      spec,
      new Chart(
        spec,
        {
          onPick: (step) =>
            store.go(
              spec.from === 'validation' ? { page: 'traces', phase: 'validation', step } : { page: 'traces', step },
            ),
          openDocument: (text, language) => store.send({ type: 'openDocument', text, language }),
        },
        theme,
      ),
    ]);
    this.curves = h(
      'section',
      { class: 'charts', 'aria-labelledby': 'pipeline-curves' },
      h('h2', { id: 'pipeline-curves' }, t('pipeline.curves')),
      this.chartsEmpty,
      h('div', { class: 'chart-grid' }, ...this.charts.map(([, chart]) => chart.element)),
    );
    this.element = h(
      'div',
      { class: 'page pipeline-page' },
      h('div', { class: 'title-row' }, this.heading, h('div', { class: 'actions' }, this.asTable.element)),
      h('p', { class: 'muted' }, t('pipeline.about')),
      this.empty,
      this.reasons,
      this.ends,
      this.row,
      this.twin.element,
      this.curves,
    );
  }

  update(): void {
    const { run, charts } = this.context.store;
    const inputs = [
      run?.manifest,
      run?.stages,
      run?.status,
      run?.evaluations,
      run?.result,
      run?.curve,
      run?.validation,
    ];
    if ([...inputs, charts, this.isTable].every((value, i) => value === this.drawn[i]) && this.drawn.length > 0) return;
    this.drawn = [...inputs, charts, this.isTable];
    const has = run !== null && stageSpans(run.manifest).length > 0;
    for (const part of [this.reasons, this.ends, this.row, this.twin.element, this.curves, this.asTable.element])
      part.hidden = !has;
    this.empty.hidden = has;
    replace(this.empty, has ? null : nothing(run));
    if (!has) return;
    this.reasons.hidden = run.stageReasons.length === 0;
    replace(this.reasons, reasonList(run.stageReasons));
    replace(this.ends, ends(run));
    replace(this.row, stageRow(run, { openTraces: (step) => this.context.store.go({ page: 'traces', step }) }));
    this.twin.update(run);
    this.row.hidden = this.isTable;
    this.twin.element.hidden = !this.isTable;
    this.asTable.setPressed(this.isTable);
    this.chartsEmpty.hidden = run.curve.length > 0 || run.validation.length > 0;
    for (const [spec, chart] of this.charts) chart.update(chartData(spec, run, charts.smoothing, []), charts);
  }

  setTheme(theme: ChartTheme): void {
    for (const [, chart] of this.charts) chart.setTheme(theme);
  }

  dispose(): void {
    for (const [, chart] of this.charts) chart.dispose();
  }

  private flip(): void {
    this.isTable = !this.isTable;
    this.update();
  }
}

const nothing = (run: RunState | null): HTMLElement =>
  run?.manifest?.candidates
    ? emptyState('sync', t('page.pipeline'), t('pipeline.choosing'))
    : emptyState(
        'git-commit',
        t('pipeline.none'),
        t('pipeline.none.text', { method: run?.manifest ? runMethod(run.manifest) : '' }),
      );

/** Of stages that the rehearsal chose. */
const reasonList = (reasons: readonly string[]): HTMLElement =>
  h(
    'section',
    { 'aria-labelledby': 'pipeline-reasons' },
    h('h2', { id: 'pipeline-reasons' }, t('pipeline.reasons')),
    h('ul', { class: 'notes' }, ...reasons.map((reason) => h('li', null, reason))),
  );

/** Held-out before and after all stages, and which of them what the run leaves is of. */
function ends(run: RunState): HTMLElement | null {
  const before = run.evaluations.find(({ which, name }) => which === 'before' && name === 'held-out')?.result;
  if (!before) return null;
  const { result } = run;
  const last = lastPassed(stageSpans(run.manifest), run.stages);
  return h(
    'div',
    null,
    facts([
      t('pipeline.heldOut'),
      [
        t('pipeline.heldOutFrom', { before: percent(before.success) }),
        ...(result
          ? [
              t('pipeline.heldOutTo', {
                after: percent(result.after.success),
                change: changeText(gainChange(result.gain, result.after.n)),
              }),
            ]
          : []),
      ].join(', '),
    ]),
    result === null ? null : h('p', null, last ? t('pipeline.best', { stage: last.inWords }) : t('pipeline.bestNone')),
  );
}

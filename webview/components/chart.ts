/**
 * One small multiple: title, value under the crosshair (else the newest), plot or its table twin, legend.
 * Keyboard: the plot is a slider over the steps; arrows move the crosshair and speak the values, Enter opens that
 * step's traces.
 */
import { h, replace, setAttribute, setText, type Disposable } from './dom';
import { button } from './controls';
import { csv } from './csv';
import { t } from '../shared/strings';
import type { ChartSpec } from '../derive/chartCatalogue';
import type { ChartData, Line } from '../derive/series';
import { stageAt } from '../derive/stageSpans';
import type { ChartTheme } from './chartTheme';
import { Plot } from './plot';
import { table } from './table';
import { tickLabel, formatUnit } from './chartUnits';
import { lastMeasured, name, swatch } from './chartLegend';

export interface ChartActions {
  onPick(step: number): void;
  openDocument(text: string, language: 'csv'): void;
}

export class Chart implements Disposable {
  readonly element: HTMLElement;
  private readonly value = h('output', { class: 'chart-value' });
  private readonly detail = h('span', { class: 'chart-detail' });
  private readonly box = h('div', { class: 'chart-plot' });
  private readonly note = h('p', { class: 'chart-note', hidden: true });
  private readonly twin = h('div', { class: 'chart-twin', hidden: true });
  private readonly legend = h('ul', { class: 'legend' });
  private readonly toggle;
  private readonly plot: Plot;
  private readonly title: string;
  private data: ChartData | null = null;
  private cursor: number | null = null;
  private isTable = false;
  private wantsTable: boolean | null = null;

  constructor(
    private readonly spec: ChartSpec,
    private readonly actions: ChartActions,
    private theme: ChartTheme,
  ) {
    const title = spec.title ? t(spec.title) : spec.id.replace(/^metric:/, '');
    this.title = spec.method ? `${title} · ${spec.method}` : title;
    this.toggle = button({
      label: t('chart.asTable', { title: this.title }),
      icon: 'table',
      kind: 'icon',
      onClick: () => this.flip(),
    });
    const about = spec.about ? t(spec.about) : '';
    this.element = h(
      'section',
      { class: 'chart', 'aria-label': this.title, 'data-chart': spec.id },
      h(
        'header',
        { class: 'chart-head' },
        h('h3', { class: spec.title ? undefined : 'mono', title: this.title }, this.title),
        this.toggle.element,
      ),
      h(
        'p',
        { class: 'chart-line' },
        this.value,
        this.detail,
        about ? h('span', { class: 'chart-about', title: about }, about) : null,
      ),
      this.note,
      this.box,
      this.twin,
      this.legend,
    );
    this.box.addEventListener('keydown', (event) => this.onKey(event));
    this.box.addEventListener('blur', () => this.plot.point(null));
    setAttribute(this.box, 'role', 'slider');
    setAttribute(this.box, 'tabindex', '0');
    setAttribute(this.box, 'aria-label', t('chart.slider', { title: this.title }));
    this.plot = new Plot(
      this.box,
      {
        format: (v, step) => tickLabel(spec.unit, v, step),
        fromZero: spec.fromZero ?? false,
        isFraction: spec.unit === 'fraction',
        onCursor: (index) => this.setCursor(index),
        onPick: (index) => this.pick(index),
      },
      theme,
    );
  }

  update(data: ChartData, options: { isLog: boolean; asTables: boolean }): void {
    this.data = data;
    if (this.cursor !== null && this.cursor >= data.steps.length) this.cursor = null;
    const isTable = this.wantsTable ?? options.asTables;
    const isLog = options.isLog && (this.spec.canBeLog ?? false) && data.isPositive;
    const isEmpty = !data.isMeasured && !data.lines.some((l) => l.slot < 0);
    this.isTable = isTable && !isEmpty;
    this.toggle.setPressed(isTable);
    setText(
      this.note,
      isEmpty
        ? t(data.steps.length === 0 ? 'chart.noneYet' : 'chart.notMeasured')
        : options.isLog && this.spec.canBeLog && !isLog
          ? t('chart.linear')
          : '',
    );
    this.note.hidden = this.note.textContent === '';
    this.note.classList.toggle('empty', isEmpty);
    this.box.hidden = this.isTable || isEmpty;
    this.twin.hidden = !this.isTable;
    this.drawLegend(data);
    if (this.isTable) this.drawTable(data);
    else if (!isEmpty) this.plot.draw(data, isLog);
    this.drawValue();
  }

  setTheme(theme: ChartTheme): void {
    this.theme = theme;
    this.plot.setTheme(theme);
    if (this.data) this.drawLegend(this.data);
  }

  dispose(): void {
    this.plot.dispose();
  }

  private flip(): void {
    this.wantsTable = !this.isTable;
    if (this.data) this.update(this.data, { isLog: false, asTables: this.wantsTable });
  }

  private setCursor(index: number | null): void {
    this.cursor = index !== null && this.data && index < this.data.steps.length ? index : null;
    this.drawValue();
  }

  private pick(index: number): void {
    const step = this.data?.steps[index];
    if (step !== undefined) this.actions.onPick(step);
  }

  private onKey(event: KeyboardEvent): void {
    const count = this.data?.steps.length ?? 0;
    if (count === 0) return;
    const at = this.cursor ?? count;
    const to = {
      ArrowRight: at + 1,
      ArrowUp: at + 1,
      ArrowLeft: at - 1,
      ArrowDown: at - 1,
      Home: 0,
      End: count - 1,
      PageUp: at + 10,
      PageDown: at - 10,
    }[event.key];
    if (event.key === 'Enter' && this.cursor !== null) this.pick(this.cursor);
    if (event.key === 'Escape') this.plot.point(null);
    if (to === undefined) return;
    event.preventDefault();
    this.plot.point(Math.min(count - 1, Math.max(0, to)));
  }

  /**
   * The newest measured value, or the one at the crosshair; beside it the moving mean that is drawn, or the interval.
   */
  private drawValue(): void {
    const data = this.data;
    const line = data?.lines[0];
    if (!data || !line || !data.isMeasured) {
      setText(this.value, '');
      setText(this.detail, '');
      return;
    }
    const index = this.cursor ?? lastMeasured(line);
    const value = index < 0 ? null : ((line.raw ?? line.values)[index] ?? null);
    const mean = line.raw && index >= 0 ? (line.values[index] ?? null) : null;
    const words = value === null ? t('chart.notMeasured') : formatUnit(this.spec.unit, value);
    const interval =
      data.band && value !== null
        ? ` [${formatUnit(this.spec.unit, data.band.lo[index] ?? null)}, ` +
          `${formatUnit(this.spec.unit, data.band.hi[index] ?? null)}]`
        : '';
    setText(this.value, words);
    const stage = stageAt(data.stages, data.steps[Math.max(0, index)] ?? 0)?.name;
    const details = [
      this.cursor === null ? '' : t('chart.atStep', { step: data.steps[index]! }),
      this.cursor === null ? '' : (stage ?? ''),
      interval.trim(),
      mean === null ? '' : t('chart.mean', { value: formatUnit(this.spec.unit, mean) }),
    ];
    setText(this.detail, details.filter(Boolean).join(' · '));
    this.element.classList.toggle('at-cursor', this.cursor !== null);
    setAttribute(this.box, 'aria-valuemin', String(data.steps[0] ?? 0));
    setAttribute(this.box, 'aria-valuemax', String(data.steps[data.steps.length - 1] ?? 0));
    setAttribute(this.box, 'aria-valuenow', String(data.steps[Math.max(0, index)] ?? 0));
    const others = data.lines
      .slice(1)
      .map((l) => `${name(l)} ${formatUnit(this.spec.unit, index < 0 ? null : (l.values[index] ?? null))}`);
    setAttribute(
      this.box,
      'aria-valuetext',
      [
        `${t('chart.atStep', { step: data.steps[Math.max(0, index)] ?? 0 })}: ${words}${interval}`,
        ...others,
        ...(stage === undefined ? [] : [t('chart.inStage', { stage })]),
      ].join(', '),
    );
  }

  private drawLegend(data: ChartData): void {
    this.legend.hidden = data.lines.length < 2;
    if (this.legend.hidden) return;
    replace(
      this.legend,
      ...data.lines.map((line) => h('li', null, swatch(line, this.theme), h('span', null, name(line) || this.title))),
    );
  }

  private drawTable(data: ChartData): void {
    const lines = data.lines;
    const heads = lines.map((l) => name(l) || this.title);
    const rows = data.steps.map((step, i) => ({ step, i })).reverse();
    const measuredOf = (line: Line, i: number): number | null => (line.raw ?? line.values)[i] ?? null;
    const columns = [
      {
        label: t('table.step'),
        cell: (row: { step: number; i: number }) => String(row.step),
        isNumber: true,
        isHead: true,
      },
      ...lines.map((line, n) => ({
        label: heads[n]!,
        isNumber: true,
        cell: (row: { step: number; i: number }) =>
          measuredOf(line, row.i) === null
            ? t('chart.notMeasured')
            : formatUnit(this.spec.unit, measuredOf(line, row.i)),
      })),
    ];
    if (data.stages.length > 0)
      columns.splice(1, 0, {
        label: t('stages.stage'),
        isNumber: false,
        cell: ({ step }) => stageAt(data.stages, step)?.name ?? '',
      });
    if (data.band)
      columns.push({
        label: t('table.interval'),
        isNumber: true,
        cell: ({ i }) =>
          `[${formatUnit(this.spec.unit, data.band!.lo[i] ?? null)}, ` +
          `${formatUnit(this.spec.unit, data.band!.hi[i] ?? null)}]`,
      });
    const asCsv = button({
      label: t('table.openCsv'),
      icon: 'go-to-file',
      onClick: () =>
        this.actions.openDocument(
          csv(
            ['step', ...heads, ...(data.band ? ['lo', 'hi'] : [])],
            rows.map(({ step, i }) => [
              step,
              ...lines.map((l) => measuredOf(l, i)),
              ...(data.band ? [data.band.lo[i] ?? null, data.band.hi[i] ?? null] : []),
            ]),
          ),
          'csv',
        ),
    });
    replace(
      this.twin,
      table(t('chart.tableCaption', { title: this.title }), columns, rows, { isCaptionHidden: true }),
      asCsv.element,
    );
  }
}

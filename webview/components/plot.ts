/** uPlot behind a small door: lines on steps, an optional band, a crosshair that all plots of a page share. */
import './navigatorLanguage';
import uPlot from 'uplot';
import type { Disposable } from './dom';
import type { ChartData } from '../derive/series';
import type { StageSpan } from '../derive/stageSpans';
import { colourOf, dashOf, type ChartTheme } from './chartTheme';

export interface PlotOptions {
  /** tick label; `step` = distance of two ticks */
  format: (value: number, step: number) => string;
  fromZero: boolean;
  isFraction: boolean;
  /** index into data.steps under the crosshair; null = none */
  onCursor: (index: number | null) => void;
  onPick: (index: number) => void;
}

const HEIGHT = 132;
/** Fewer points than this are marked, so that a lone value between gaps is seen. */
const MARK_POINTS_BELOW = 32;
const SYNC_KEY = 'coach';

export class Plot implements Disposable {
  private plot: uPlot | null = null;
  private shape = '';
  private data: ChartData | null = null;
  private readonly observer: ResizeObserver;

  constructor(
    private readonly box: HTMLElement,
    private readonly options: PlotOptions,
    private theme: ChartTheme,
  ) {
    this.observer = new ResizeObserver(() => {
      const width = Math.floor(box.clientWidth);
      if (this.plot && width > 0 && width !== this.plot.width) this.plot.setSize({ width, height: HEIGHT });
      else if (!this.plot && width > 0 && this.data) this.draw(this.data, this.isLog);
    });
    this.observer.observe(box);
  }
  private isLog = false;

  draw(data: ChartData, isLog: boolean): void {
    this.data = data;
    this.isLog = isLog;
    const width = Math.floor(this.box.clientWidth);
    if (width <= 0) return; // not laid out yet: the observer comes back
    const shape =
      `${isLog} ${data.lines.map((l) => `${l.slot}${l.raw ? 'r' : ''}`).join(' ')} ` +
      `${data.band ? 'band' : ''} ${data.steps.length < MARK_POINTS_BELOW} ${data.stages.map(({ name }) => name).join()}`;
    const columns = this.columns(data);
    if (this.plot && shape === this.shape) {
      this.plot.setData(columns);
      return;
    }
    this.plot?.destroy();
    this.shape = shape;
    this.plot = new uPlot(this.configure(data, isLog, width), columns, this.box);
    this.plot.over.addEventListener('click', () => {
      const index = this.plot?.cursor.idx;
      if (index !== null && index !== undefined) this.options.onPick(index);
    });
  }

  /** Puts the crosshair on a point, as the arrow keys do; the other plots follow. */
  point(index: number | null): void {
    if (!this.plot || !this.data) return;
    const left = index === null ? -10 : this.plot.valToPos(this.data.steps[index]!, 'x');
    // The third argument, "tell the other plots", is in uPlot but not in its types.
    const setCursor: (at: { left: number; top: number }, fires: boolean, publishes: boolean) => void =
      this.plot.setCursor;
    setCursor({ left, top: index === null ? -10 : this.plot.over.clientHeight / 2 }, true, true);
  }

  setTheme(theme: ChartTheme): void {
    this.theme = theme;
    if (!this.plot || !this.data) return;
    this.plot.destroy();
    this.plot = null;
    this.draw(this.data, this.isLog);
  }

  dispose(): void {
    this.observer.disconnect();
    this.plot?.destroy();
    this.plot = null;
  }

  /** x, then hi and lo of the band, then the faint measured lines, then the lines. */
  private columns(data: ChartData): uPlot.AlignedData {
    const columns: (number | null)[][] = [data.steps];
    if (data.band) columns.push(data.band.hi, data.band.lo);
    for (const line of data.lines) if (line.raw) columns.push(line.raw);
    for (const line of data.lines) columns.push(line.values);
    return columns as uPlot.AlignedData;
  }

  private configure(data: ChartData, isLog: boolean, width: number): uPlot.Options {
    const { theme, options } = this;
    const marks = data.steps.length < MARK_POINTS_BELOW;
    const edge: uPlot.Series = {
      stroke: colourOf(theme, 0),
      width: theme.isHighContrast ? 1 : 0,
      dash: [2, 2],
      points: { show: false },
      spanGaps: true,
    };
    /** series before this one are the band's edges and the faint measured values */
    const strong = 1 + (data.band ? 2 : 0) + data.lines.filter((line) => line.raw).length;
    const series: uPlot.Series[] = [{}];
    if (data.band) series.push(edge, edge);
    for (const line of data.lines)
      if (line.raw)
        series.push({
          stroke: colourOf(theme, line.slot),
          alpha: 0.3,
          width: 1,
          points: { show: false },
          spanGaps: true,
        });
    for (const line of data.lines) {
      const stroke = colourOf(theme, line.slot);
      series.push({
        stroke,
        width: line.slot === 0 ? 2 : 1.5,
        dash: dashOf(line.slot),
        spanGaps: true,
        points: { show: marks, size: 5, stroke, fill: stroke },
      });
    }
    const axis: uPlot.Axis = {
      stroke: theme.text,
      font: theme.font,
      grid: { stroke: theme.grid, width: 1 },
      ticks: { show: false },
      gap: 4,
    };
    return {
      width,
      height: HEIGHT,
      padding: [6, 8, 0, 0],
      legend: { show: false },
      cursor: {
        drag: { x: false, y: false },
        sync: { key: SYNC_KEY, scales: ['x', null] },
        y: false,
        points: { size: (_, series) => (series >= strong ? 6 : 0) },
      },
      scales: {
        x: { time: false, range: (u) => stepRange(u.data[0]) },
        y: isLog ? { distr: 3 } : { range: (_, min, max) => this.range(min, max) },
      },
      axes: [
        {
          ...axis,
          size: 22,
          space: 44,
          incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000],
          values: (_, ticks) => ticks.map((v) => (v === null ? '' : String(v))),
        },
        {
          ...axis,
          size: 44,
          space: 26,
          values: (_, ticks, __, ___, step) => ticks.map((v) => (v === null ? '' : options.format(v, step))),
        },
      ],
      series,
      bands: data.band && !theme.isHighContrast ? [{ series: [1, 2], fill: translucent(theme) }] : [],
      hooks: {
        draw: data.stages.length > 0 ? [(u) => drawStages(u, data.stages, theme)] : [],
        setCursor: [
          (u) => options.onCursor(u.cursor.left !== undefined && u.cursor.left >= 0 ? (u.cursor.idx ?? null) : null),
        ],
      },
    };
  }

  private range(min: number | null, max: number | null): [number, number] {
    if (this.options.isFraction) return [0, 1];
    // All values 0, as a reward that nothing has earned yet: an axis around it would be labelled in millionths.
    if (min === null || max === null || (min === 0 && max === 0)) return [0, 1];
    const low = this.options.fromZero ? Math.min(0, min) : min;
    const pad = max - low > 0 ? 0.08 * (max - low) : Math.abs(max) * 0.1;
    return [this.options.fromZero && min >= 0 ? 0 : low - pad, max + pad];
  }
}

/** From the first step to the last; uPlot itself would show one step at 0 among a hundred. */
function stepRange(steps: ArrayLike<number>): [number, number] {
  const [first, last] = [steps[0] ?? 0, steps[steps.length - 1] ?? 1];
  return first === last ? [first - 1, last + 1] : [first, last];
}

/** A line where a stage begins, and its name where there is room: canvas pixels, as uPlot draws. */
function drawStages(u: uPlot, stages: readonly StageSpan[], theme: ChartTheme): void {
  const { ctx, bbox } = u;
  const ratio = uPlot.pxRatio;
  const right = bbox.left + bbox.width;
  const at = (step: number): number => Math.min(right, Math.max(bbox.left, u.valToPos(step + 0.5, 'x', true)));
  ctx.save();
  ctx.strokeStyle = theme.text;
  ctx.fillStyle = theme.text;
  ctx.lineWidth = ratio;
  ctx.setLineDash([3 * ratio, 3 * ratio]);
  ctx.font = theme.font.replace(/^\d+px/, (size) => `${parseInt(size, 10) * ratio}px`);
  ctx.textAlign = 'left';
  ctx.textBaseline = 'top';
  for (const { method, fromStep, steps } of stages) {
    const [from, to] = [at(fromStep), at(fromStep + steps)];
    if (fromStep > 0 && from > bbox.left && from < right) {
      ctx.beginPath();
      ctx.moveTo(from, bbox.top);
      ctx.lineTo(from, bbox.top + bbox.height);
      ctx.stroke();
    }
    const pad = 3 * ratio;
    if (ctx.measureText(method).width + 2 * pad <= to - from) ctx.fillText(method, from + pad, bbox.top);
  }
  ctx.restore();
}

/** The first line's colour, thinned; any CSS colour may stand in the variable. */
function translucent(theme: ChartTheme): string {
  return `color-mix(in srgb, ${colourOf(theme, 0)} 22%, transparent)`;
}

/** Page Run: what runs, how far it is, whether it learns, and at the end what it brought. */
import { isTrained } from '../../../trainer/protocol/runMethod';
import { button } from '../../components/controls';
import { emptyState, errorBox, noRunYet, notice } from '../../components/parts';
import type { ChartTheme } from '../../components/chartTheme';
import { h, replace } from '../../components/dom';
import { t } from '../../shared/strings';
import { RunCharts } from './runCharts';
import { RunHeader } from './runHeader';
import { RunHealth } from './runHealth';
import { RunPictures } from './runPictures';
import { RunRehearsal } from './runRehearsal';
import { RunResultBlock } from './runResult';
import { RunSetup } from './runSetup';
import { RunStages } from './runStages';
import type { Context, View } from '../view';

export class RunView implements View {
  readonly element = h('div', { class: 'page run-page' });
  readonly heading: HTMLElement;
  private readonly header: RunHeader;
  private readonly alerts = h('div', { class: 'alerts' });
  private readonly result: RunResultBlock;
  private readonly charts: RunCharts;
  private readonly pictures: RunPictures;
  private readonly health: RunHealth;
  private readonly rehearsal = new RunRehearsal();
  private readonly stages = new RunStages();
  private readonly setup: RunSetup;
  private readonly empty: HTMLElement;
  private alertState = '';

  constructor(private readonly context: Context) {
    const { store } = context;
    this.header = new RunHeader(context);
    this.heading = this.header.heading;
    this.result = new RunResultBlock(store);
    this.charts = new RunCharts(context);
    this.pictures = new RunPictures(store);
    this.health = new RunHealth(store);
    this.setup = new RunSetup();
    this.empty = h('div');
    this.element.append(
      this.header.element,
      this.empty,
      this.alerts,
      this.result.element,
      this.stages.element,
      this.charts.element,
      this.pictures.element,
      this.health.element,
      this.rehearsal.element,
      this.setup.element,
    );
  }

  update(): void {
    const { store } = this.context;
    const { run } = store;
    const hasRun = run !== null && run.manifest !== null;
    this.header.update();
    if (!hasRun) this.pictures.element.hidden = true;
    for (const part of [this.health.element, this.setup.element]) part.hidden = !hasRun;
    this.charts.element.hidden = !run?.manifest || !isTrained(run.manifest);
    this.empty.hidden = hasRun;
    this.drawEmpty();
    this.drawAlerts();
    this.result.update();
    if (!hasRun) return;
    this.charts.update();
    this.pictures.update();
    this.health.update();
    this.stages.update(run);
    this.rehearsal.update(run);
    this.setup.update(run);
  }

  setTheme(theme: ChartTheme): void {
    this.charts.setTheme(theme);
  }

  dispose(): void {
    this.charts.dispose();
    this.pictures.dispose();
  }

  private drawEmpty(): void {
    const { store } = this.context;
    if (this.empty.hidden) return;
    if (store.run) replace(this.empty, emptyState('sync', t('run.starting'), t('run.starting.text')));
    else replace(this.empty, noRunYet(store));
  }

  private drawAlerts(): void {
    const { store } = this.context;
    const { run, status, info } = store;
    const state = JSON.stringify([status, run?.error, run?.checkpointStep, info?.problem, store.trainingRefused]);
    if (state === this.alertState) return;
    this.alertState = state;
    const log = (): ReturnType<typeof button> =>
      button({ label: t('action.showLog'), icon: 'output', onClick: () => store.send({ type: 'showLog' }) });
    const saved = run?.checkpointStep;
    replace(
      this.alerts,
      run?.error && status === 'failed' ? errorBox(t('run.failed'), run.error, log()) : null,
      status === 'died'
        ? errorBox(
            t('run.died'),
            {
              border: 'device',
              message: t('run.died.text'),
              hint:
                saved === null || saved === undefined
                  ? t('run.died.noCheckpoint')
                  : t('run.died.checkpoint', { step: saved }),
            },
            log(),
          )
        : null,
      info?.problem ? notice('warning', h('p', null, info.problem)) : null,
      store.trainingRefused !== null && run ? notice('info', h('p', null, store.trainingRefused)) : null,
    );
  }
}

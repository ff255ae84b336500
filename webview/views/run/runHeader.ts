/** What runs, its state in a word and a glyph, how far it is, how long it will take, and Stop or Resume. */
import { modelName } from '../../../trainer/protocol/modelName';
import type { RunConfig } from '../../../trainer/protocol/runConfig';
import { DEFAULTS } from '../../../trainer/protocol/settings/defaults';
import { isResumable, isTrained, runMethod } from '../../../trainer/protocol/runMethod';
import { areCountedDone, isRehearsing, type RunState } from '../../../trainer/protocol/runState';
import { button } from '../../components/controls';
import { facts, statusBadge } from '../../components/parts';
import { h, replace, setAttribute, setText } from '../../components/dom';
import { progress } from '../../derive/timing';
import { decimal, duration, integer, moment, percent, shortPath } from '../../shared/format';
import { t } from '../../shared/strings';
import { leftMs } from '../../shared/timeLeft';
import type { Context } from '../view';

export class RunHeader {
  readonly element: HTMLElement;
  readonly heading = h('h1', { tabindex: '-1' });
  private readonly status = h('span');
  private readonly facts = h('div');
  private readonly bar = h('div', { class: 'progress', role: 'progressbar' }, h('div', { class: 'progress-fill' }));
  private readonly words = h('p', { class: 'progress-words' });
  private readonly stop;
  private readonly resume;
  private readonly folder;
  private readonly learn;
  private shown = '';

  constructor(private readonly context: Context) {
    const { store } = context;
    this.stop = button({
      label: t('action.stop'),
      icon: 'debug-stop',
      kind: 'secondary',
      title: t('action.stop.about'),
      onClick: () => store.ask('stop'),
    });
    this.resume = button({
      label: t('action.resume'),
      icon: 'debug-continue',
      kind: 'primary',
      onClick: () => store.ask('resume'),
    });
    this.folder = button({
      label: t('action.openRunFolder'),
      icon: 'folder-opened',
      kind: 'icon',
      onClick: () => store.ask('openRunFolder'),
    });
    this.learn = button({
      label: t('action.learn'),
      icon: 'mortar-board',
      kind: 'icon',
      title: t('action.learn.about'),
      onClick: () => store.go({ page: 'lessons' }),
    });
    this.element = h(
      'header',
      { class: 'run-header' },
      h(
        'div',
        { class: 'title-row' },
        this.heading,
        this.status,
        h('div', { class: 'actions' }, this.stop.element, this.resume.element, this.learn.element, this.folder.element),
      ),
      this.facts,
      h('div', { class: 'progress-row' }, this.bar, this.words),
    );
  }

  update(): void {
    const { store, now } = this.context;
    const { run, status } = store;
    const manifest = run?.manifest;
    const { info } = store;
    const made = manifest
      ? t('run.title', {
          file: shortPath(manifest.config.toolFile),
          model: modelName(manifest.config.model),
          method: runMethod(manifest),
        })
      : t('page.run');
    setText(this.heading, info?.label?.name ? `${info.label.name} · ${made}` : made);
    const { standing } = store;
    const state = `${standing} ${run?.manifest?.id}`;
    if (state !== this.shown) {
      this.shown = state;
      replace(this.status, standing && run?.manifest ? statusBadge(standing) : null);
      this.drawFacts();
    }
    this.stop.element.hidden = status !== 'running' || !run?.manifest;
    this.stop.setLabel(t(store.isStopping ? 'action.stopping' : 'action.stop'));
    this.stop.setDisabled(store.isStopping);
    this.resume.element.hidden = !status || !info || info.problem !== null || !isResumable(info, status);
    this.resume.setDisabled(store.trainingRefused !== null);
    this.resume.setLabel(
      run?.checkpointStep ? t('action.resumeFrom', { step: run.checkpointStep }) : t('action.resume'),
    );
    this.folder.element.hidden = !run?.manifest;
    this.learn.element.hidden = !run?.manifest || run.traces.length === 0;
    this.drawProgress(now());
  }

  private drawFacts(): void {
    const { store, now } = this.context;
    const manifest = store.run?.manifest;
    replace(
      this.facts,
      manifest
        ? facts(
            [t('fact.engine'), h('span', { title: manifest.engine.why }, manifest.engine.name)],
            [t('fact.tools'), integer(manifest.toolNames.length)],
            [
              t('fact.tasks'),
              t('fact.taskCounts', {
                train: integer(manifest.taskCounts.train ?? 0),
                validation: integer(manifest.taskCounts.validation ?? 0),
                heldOut: integer(manifest.taskCounts.heldOut ?? 0),
              }),
            ],
            isTrained(manifest) ? [t('fact.perStep'), perStep(manifest.config)] : null,
            [t('fact.seed'), String(manifest.config.seed)],
            [t('fact.started'), moment(manifest.createdAt, now())],
          )
        : null,
    );
  }

  private drawProgress(now: number): void {
    const { run, status } = this.context.store;
    const at = run && status === 'running' ? progress(run) : null;
    this.bar.hidden = at === null;
    const parts: string[] = [];
    if (run && at) {
      const share = at.total > 0 ? Math.min(1, at.done / at.total) : 0;
      this.bar.style.setProperty('--share', String(share));
      setAttribute(this.bar, 'aria-valuemin', '0');
      setAttribute(this.bar, 'aria-valuemax', String(at.total));
      setAttribute(this.bar, 'aria-valuenow', String(at.done));
      setAttribute(this.bar, 'aria-label', t(`phase.${run.phase!}`));
      const left = leftMs(run, now);
      parts.push(
        at.isSteps ? t('progress.steps', { done: integer(at.done), total: integer(at.total) }) : phaseWords(run, at),
      );
      if (left !== null) parts.push(t('progress.left', { time: duration(left) }));
    } else if (run && status === 'running' && isRehearsing(run)) {
      parts.push(t('progress.rehearsing'));
    } else if (run?.manifest && status !== 'running') {
      if (isTrained(run.manifest))
        parts.push(t('progress.steps', { done: integer(run.step), total: integer(run.manifest.config.steps) }));
      const tookMs = run.result
        ? run.result.seconds * 1000
        : run.startedAt !== null && run.lastEventAt !== null
          ? run.lastEventAt - run.startedAt
          : 0;
      if (tookMs > 0) parts.push(t('progress.took', { time: duration(tookMs) }));
    }
    if (run && run.curve.length > 0) {
      const reward = run.curve[run.curve.length - 1]!.metrics['reward'];
      if (reward !== undefined) parts.push(t('progress.reward', { value: decimal(reward, 2) }));
    }
    const validation = run?.validation ?? [];
    const first = validation[0];
    const last = validation[validation.length - 1];
    if (first && last && first !== last)
      parts.push(
        t('progress.validation', {
          before: percent(first.result.success, 0),
          now: percent(last.result.success, 0),
          n: last.result.n,
        }),
      );
    setText(this.words, parts.join('  ·  '));
  }
}

/** Behind the tasks that are counted others are measured: what may be forgotten. */
function phaseWords(run: RunState, { done, total }: { done: number; total: number }): string {
  const phase = run.phase!;
  if ((phase === 'before' || phase === 'after') && areCountedDone(run)) return t(`progress.${phase}.further`);
  return t(`progress.${phase}`, { done: integer(done), total: integer(total) });
}

/** What a step learns from: DPO learns from pairs, given or mined. */
function perStep({ method, pairs, batchSize = DEFAULTS.batchSize, promptsPerStep, groupSize }: RunConfig): string {
  if (method === 'dpo' && pairs !== undefined) return t('fact.givenPairs', { pairs: integer(batchSize) });
  return t(method === 'dpo' ? 'fact.minedPairs' : 'fact.rollouts', { prompts: promptsPerStep, group: groupSize });
}

/**
 * Before -> after on held-out tasks, in numbers, in a picture and in words that call noise noise; what was forgotten
 * beside it.
 * Before the end: what has been measured so far, and nothing that could be taken for a result.
 */
import { headlineOf, isOwnStyle } from '../../../trainer/protocol/headline';
import type { RunResult } from '../../../trainer/protocol/messages';
import { MARKED_TASKS } from '../../../trainer/protocol/headline';
import { fewTools } from '../../../trainer/protocol/rehearsal';
import { isTrained } from '../../../trainer/protocol/runMethod';
import type { RunState } from '../../../trainer/protocol/runState';
import { TASK_SOURCES, type TaskSource } from '../../../trainer/protocol/task';
import { tasksFileName } from '../../../trainer/protocol/taskFileName';
import { button } from '../../components/controls';
import { intervalPlot } from '../../components/intervalPlot';
import { changeText, facts, notice, shareText, verdictBadge } from '../../components/parts';
import { requestsKey, requestsOnCard } from '../../components/ownRequests';
import { table } from '../../components/table';
import { sharesText } from '../../components/verdicts';
import { h, replace } from '../../components/dom';
import { change, FEW_TASKS, gainChange, hasInterval } from '../../derive/noise';
import { integer, percent, percentInterval, points, pointsInterval } from '../../shared/format';
import type { Store } from '../../store';
import { t } from '../../shared/strings';
import { changedSentence, evaluationName, gainSentence } from './runResultWords';

export class RunResultBlock {
  readonly element = h('section', { class: 'result', 'aria-labelledby': 'result-title' });
  private drawn: unknown[] = [];

  constructor(private readonly store: Store) {}

  update(): void {
    const { run } = this.store;
    const inputs = [run?.result, run?.evaluations, this.store.status, this.store.runId, run && requestsKey(this.store)];
    if (inputs.every((value, i) => value === this.drawn[i]) && this.drawn.length > 0) return;
    this.drawn = inputs;
    this.element.hidden = !run || (run.result === null && run.evaluations.length === 0);
    if (!run) return;
    this.element.classList.toggle('so-far', run.result === null);
    if (run.result) replace(this.element, ...this.finished(run.result));
    else replace(this.element, ...soFar(run, this.store));
  }

  private finished(result: RunResult): HTMLElement[] {
    const { sources, before, after, gain: paired } = headlineOf(result);
    const gain = gainChange(paired, after.n);
    const { store } = this;
    const actions = [
      button({
        label: t('action.tryIt'),
        icon: 'comment-discussion',
        kind: 'primary',
        onClick: () => store.go({ page: 'try' }),
      }),
      button({
        label: t(store.run?.manifest?.config.finetuning === 'full' ? 'action.openModel' : 'action.openAdapter'),
        icon: 'folder-opened',
        onClick: () => store.ask('openAdapterFolder'),
      }),
      button({ label: t('action.export'), icon: 'export', onClick: () => store.ask('export') }),
      button({ label: t('action.taskByTask'), icon: 'diff', onClick: () => store.go({ page: 'evaluation' }) }),
    ];
    const big = (text: string, label: string, className = ''): HTMLElement =>
      h(
        'div',
        { class: `figure ${className}` },
        h('span', { class: 'figure-value' }, text),
        h('span', { class: 'figure-label' }, label),
      );
    return [
      h(
        'h2',
        { id: 'result-title' },
        sources.length > 0 ? t('result.titleOf', { sources: sourcesText(sources) }) : t('result.title'),
      ),
      h(
        'div',
        { class: 'figures' },
        big(percent(before.success), t('result.before', { interval: percentInterval(before.ci95) })),
        h('span', { class: 'figure-arrow', 'aria-hidden': 'true' }, '→'),
        big(percent(after.success), t('result.after', { interval: percentInterval(after.ci95) })),
        big(
          gain.difference === null ? t('notMeasured') : t('result.points', { value: points(gain.difference) }),
          gain.ci95 ? t('result.gain', { interval: pointsInterval(gain.ci95), n: integer(after.n) }) : '',
          `change ${gain.verdict}`,
        ),
        h(
          'div',
          { class: 'figure plot' },
          intervalPlot(before, after),
          h('span', { class: 'figure-label' }, t('result.plot')),
        ),
      ),
      h('p', { class: 'verdict-line' }, verdictBadge(gain), ' ', h('span', null, gainSentence(gain, after.n))),
      ...(sources.length > 0
        ? [h('p', null, t('result.measured', { n: integer(after.n), sources: sourcesText(sources) }))]
        : []),
      ...validationNote(store.run, sources),
      ...worthNotes(result, sources, store.run?.manifest?.config.toolFile ?? ''),
      ...(paired.changed ? [h('p', { class: 'muted' }, changedSentence(paired.changed, after.n))] : []),
      ...requestsOnCard(store),
      ...markedTable(store.run?.evaluations ?? []),
      ...sourcesTable(result),
      ...(result.forgotten.length > 0
        ? [forgottenTable(result.forgotten)]
        : [h('p', { class: 'muted' }, t('forgotten.notMeasured'))]),
      h('div', { class: 'actions' }, ...actions.map((a) => a.element)),
    ];
  }
}

/** Why the last validation says something else than the headline. */
function validationNote(run: RunState | null, sources: readonly TaskSource[]): HTMLElement[] {
  const last = run?.validation.at(-1)?.result;
  if (!last || !isOwnStyle(sources)) return [];
  const text = t('result.validation', { value: percent(last.success, 0), n: integer(last.n) });
  return [h('p', { class: 'muted' }, text)];
}

/** What the headline was measured on, where that is not what people ask; and the tools that it says nothing about. */
function worthNotes(
  { toolsWithoutTasks = [] }: RunResult,
  sources: readonly TaskSource[],
  toolFile: string,
): HTMLElement[] {
  const file = tasksFileName(toolFile);
  const worth = isOwnStyle(sources)
    ? t('result.ownStyle', { file })
    : sources.length > 0 && sources.every((source) => source === 'model')
      ? t('result.modelStyle', { file })
      : null;
  const missing =
    toolsWithoutTasks.length > 0 ? t('result.toolsWithoutTasks', { tools: fewTools(toolsWithoutTasks) }) : null;
  return [worth, missing].flatMap((text) => (text === null ? [] : [notice('info', h('p', null, text))]));
}

/** What a person marked is what they want to see change: beside held-out, with the same care. */
function markedTable(evaluations: RunState['evaluations']): HTMLElement[] {
  const of = (which: 'before' | 'after') =>
    evaluations.find((one) => one.which === which && one.name === MARKED_TASKS)?.result;
  const [before, after] = [of('before'), of('after')];
  if (!before || !after) return [];
  const moved = change(before, after);
  return [
    table(
      t('marked.title'),
      [
        { label: t('table.tasks'), cell: () => t('tasks.marked'), isHead: true },
        { label: 'n', cell: () => integer(after.n), isNumber: true },
        {
          label: t('table.before'),
          cell: () => `${percent(before.success)} ${percentInterval(before.ci95)}`,
          isNumber: true,
        },
        {
          label: t('table.after'),
          cell: () => `${percent(after.success)} ${percentInterval(after.ci95)}`,
          isNumber: true,
        },
        { label: t('table.change'), cell: () => changeText(moved, after.n), isNumber: true },
        { label: '', cell: () => verdictBadge(moved) },
      ],
      [null],
    ),
    h(
      'p',
      { class: 'muted' },
      t('marked.text'),
      after.n < FEW_TASKS ? ` ${t('marked.few', { n: integer(after.n) })}` : '',
    ),
  ];
}

/** By who wrote the tasks; nothing where all are of one writer, since the headline says it. */
function sourcesTable({ before, after, gain }: RunResult): HTMLElement[] {
  const rows = TASK_SOURCES.flatMap((source) => {
    const [was, is, paired] = [before.bySource?.[source], after.bySource?.[source], gain.bySource?.[source]];
    return was && is && paired ? [{ source, before: was, after: is, change: gainChange(paired, is.n) }] : [];
  });
  if (rows.length < 2) return [];
  return [
    table(
      t('result.bySource'),
      [
        { label: t('table.tasks'), cell: (r) => t(`source.${r.source}`), isHead: true },
        { label: 'n', cell: (r) => integer(r.after.n), isNumber: true },
        {
          label: t('table.before'),
          cell: (r) => shareText(r.before),
          isNumber: true,
        },
        {
          label: t('table.after'),
          cell: (r) => shareText(r.after),
          isNumber: true,
        },
        { label: t('table.change'), cell: (r) => (hasInterval(r.after.n) ? changeText(r.change) : ''), isNumber: true },
        { label: t('table.verdict'), cell: (r) => (hasInterval(r.after.n) ? verdictBadge(r.change) : '') },
      ],
      rows,
    ),
  ];
}

const sourcesText = (sources: readonly TaskSource[]): string =>
  sources.map((source) => t(`source.${source}`)).join(` ${t('source.or')} `);

export function forgottenTable(forgotten: RunResult['forgotten']): HTMLElement {
  const rows = forgotten.map((row) => ({
    ...row,
    change: row.gain ? gainChange(row.gain, row.after.n) : change(row.before, row.after),
  }));
  return table(
    t('forgotten.title'),
    [
      { label: t('table.tasks'), cell: (r) => evaluationName(r.name), isHead: true },
      { label: 'n', cell: (r) => integer(r.after.n), isNumber: true },
      { label: t('table.before'), cell: (r) => percent(r.before.success), isNumber: true },
      { label: t('table.after'), cell: (r) => percent(r.after.success), isNumber: true },
      { label: t('table.change'), cell: (r) => changeText(r.change), isNumber: true },
      {
        label: t('table.verdict'),
        cell: (r) => h('span', { class: `verdict ${r.change.verdict}` }, t(`forgotten.${r.change.verdict}`)),
      },
    ],
    rows,
  );
}

function soFar(run: RunState, store: Store): HTMLElement[] {
  const first = run.evaluations.filter((e) => e.which === 'before');
  const pairs = first.map(({ name, result }): [string, string] => {
    const after = run.evaluations.find((e) => e.which === 'after' && e.name === name)?.result;
    const before = percent(result.success);
    return [
      evaluationName(name),
      after
        ? t('result.soFarBoth', { before, after: percent(after.success), n: integer(result.n) })
        : t('result.soFarValue', { before, interval: percentInterval(result.ci95), n: integer(result.n) }),
    ];
  });
  const isOnlyMeasured = run.manifest !== null && !isTrained(run.manifest);
  if (isOnlyMeasured)
    return [
      h('h2', { id: 'result-title' }, t('result.measuredOnce')),
      facts(...pairs),
      ...first.map(({ result }) => h('p', { class: 'muted' }, sharesText(result.verdicts))),
    ];
  return [
    h('h2', { id: 'result-title' }, t('result.soFar')),
    facts(...pairs),
    h('p', { class: 'muted' }, t(store.status === 'running' ? 'result.soFar.text' : 'result.soFar.over')),
    ...requestsOnCard(store),
  ];
}

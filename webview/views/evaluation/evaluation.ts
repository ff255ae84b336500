/**
 * Page Evaluation: what changed, by tag and task by task. The interval decides the words; each task that changed opens
 * side by side.
 */
import { headlineOf, type Told } from '../../../trainer/protocol/headline';
import type { Success } from '../../../trainer/protocol/messages';
import { isTrained } from '../../../trainer/protocol/runMethod';
import type { RunState } from '../../../trainer/protocol/runState';
import { TASK_SOURCES } from '../../../trainer/protocol/task';
import { intervalPlot } from '../../components/intervalPlot';
import { changeText, emptyState, outcomeIcon, shareText, verdictBadge } from '../../components/parts';
import { metricsTable } from '../../components/metricsTable';
import { table } from '../../components/table';
import { Tabs } from '../../components/tabs';
import { taskPairs, type Fate, type TaskPair } from '../../derive/beforeAfter';
import { wilson } from '../../../trainer/protocol/interval';
import { change, gainChange, hasInterval, type Change } from '../../derive/noise';
import { compareTags } from '../../derive/tags';
import { h, replace } from '../../components/dom';
import { sharesText } from '../../components/verdicts';
import { integer, oneLine, percent } from '../../shared/format';
import type { Store } from '../../store';
import { t } from '../../shared/strings';
import { forgottenTable } from '../run/runResult';
import { evaluationName, gainSentence, tagName } from '../run/runResultWords';
import type { Context, View } from '../view';

const FATES: Fate[] = ['fixed', 'broken', 'stillFailing', 'stillSolved'];
interface Row {
  name: string;
  before: Success;
  after: Success | undefined;
  change: Change;
}

export class EvaluationView implements View {
  readonly element = h('div', { class: 'page evaluation-page' });
  readonly heading = h('h1', { tabindex: '-1' }, t('page.evaluation'));
  private readonly body = h('div');
  private readonly tabs = new Tabs(t('evaluation.tasks'), (id) => ((this.fate = id as Fate), this.drawTasks()));
  private pairs: Record<Fate, TaskPair[]> = { fixed: [], broken: [], stillFailing: [], stillSolved: [] };
  private fate: Fate = 'fixed';
  private drawn: unknown[] = [];

  constructor(private readonly context: Context) {
    this.element.append(this.heading, this.body);
  }

  update(): void {
    const { store } = this.context;
    const { run } = store;
    const inputs = [run?.result, run?.evaluations, store.status, run?.traces.length];
    if (this.drawn.length > 0 && inputs.every((value, i) => value === this.drawn[i])) return;
    this.drawn = inputs;
    if (!run || run.evaluations.length === 0) {
      replace(this.body, emptyState('beaker', t('evaluation.none'), t('evaluation.none.text')));
      return;
    }
    this.pairs = taskPairs(store.index);
    const { result } = run;
    replace(
      this.body,
      result ? verdictLine(headlineOf(result)) : h('p', { class: 'muted' }, soFarText(run.manifest, store.status)),
      h('section', { 'aria-label': t('evaluation.sets') }, ...this.setTables(store)),
      result && result.forgotten.length > 0
        ? h('section', { 'aria-label': t('forgotten.title') }, forgottenTable(result.forgotten))
        : null,
      this.taskSection(),
    );
  }

  dispose(): void {}

  /** One table per task set with a row per tag; the held-out set first. */
  private setTables(store: Store): HTMLElement[] {
    const { evaluations, result } = store.run!;
    const names = Array.from(new Set(evaluations.map((e) => e.name)));
    const forgotten = new Set(result?.forgotten.map((f) => f.name) ?? []);
    return names
      .filter((name) => !forgotten.has(name))
      .map((name) => {
        const find = (which: 'before' | 'after'): Success | undefined =>
          evaluations.find((e) => e.which === which && e.name === name)?.result;
        const before = find('before');
        const after = find('after');
        if (!before) return h('p', null, t('notMeasured'));
        const rows: Row[] = [
          {
            name: t('evaluation.all'),
            before,
            after,
            change:
              result && (name === 'held-out' || names.length - forgotten.size === 1)
                ? gainChange(result.gain, result.after.n)
                : change(before, after),
          },
        ];
        for (const source of TASK_SOURCES) {
          const first = before.bySource?.[source];
          const then = after?.bySource?.[source];
          const paired = result?.gain.bySource?.[source];
          if (first)
            rows.push({
              name: t(`source.${source}`),
              before: first,
              after: then,
              change: paired && name === 'held-out' ? gainChange(paired, paired.n) : change(first, then),
            });
        }
        for (const [tag, of] of Object.entries(before.byTag ?? {}).sort(([a], [b]) => compareTags(a, b))) {
          const then = tagSuccess(after?.byTag?.[tag]);
          const first = tagSuccess(of)!;
          rows.push({ name: tagName(tag), before: first, after: then, change: change(first, then) });
        }
        const columns = [
          { label: t('table.tag'), cell: (r: Row) => r.name, isHead: true },
          { label: 'n', cell: (r: Row) => integer(r.before.n), isNumber: true },
          {
            label: t('table.before'),
            cell: (r: Row) => shareText(r.before),
            isNumber: true,
          },
          {
            label: t('table.after'),
            cell: (r: Row) => (r.after ? shareText(r.after) : store.status === 'running' ? t('result.later') : '–'),
            isNumber: true,
          },
          {
            label: t('table.plot'),
            cell: (r: Row) => (hasInterval(r.before.n) ? intervalPlot(r.before, r.after) : ''),
          },
          {
            label: t('table.change'),
            cell: (r: Row) => (r.after && hasInterval(r.before.n) ? changeText(r.change) : ''),
            isNumber: true,
          },
          {
            label: t('table.verdict'),
            cell: (r: Row) => (r.after && hasInterval(r.before.n) ? verdictBadge(r.change) : ''),
          },
        ];
        const pass = [before, after].map((s) => s?.passAtK).filter((p) => p !== undefined);
        return h(
          'div',
          { class: 'evaluation-set' },
          table(evaluationName(name), columns, rows),
          h('p', { class: 'muted' }, `${t('table.before')}: ${sharesText(before.verdicts)}`),
          after ? h('p', { class: 'muted' }, `${t('table.after')}: ${sharesText(after.verdicts)}`) : null,
          before.metrics ? metricsTable(before.metrics, after?.metrics) : null,
          rows.length > 2 ? h('p', { class: 'muted' }, t('evaluation.tagNote')) : null,
          pass.length > 0
            ? h(
                'p',
                null,
                pass.length === 2
                  ? t('evaluation.passBoth', {
                      k: pass[0]!.k,
                      before: percent(pass[0]!.success),
                      after: percent(pass[1]!.success),
                    })
                  : t('evaluation.passOne', { k: pass[0]!.k, before: percent(pass[0]!.success) }),
              )
            : null,
        );
      });
  }

  private taskSection(): HTMLElement | null {
    const total = FATES.reduce((sum, fate) => sum + this.pairs[fate].length, 0);
    if (total === 0) return null;
    if (this.pairs[this.fate].length === 0) this.fate = FATES.find((f) => this.pairs[f].length > 0)!;
    this.drawTasks();
    return h(
      'section',
      { class: 'task-pairs', 'aria-labelledby': 'pairs-title' },
      h('h2', { id: 'pairs-title' }, t('evaluation.tasks')),
      this.tabs.list,
      this.tabs.panel,
    );
  }

  private drawTasks(): void {
    const { store } = this.context;
    this.tabs.set(
      FATES.map((f) => ({ id: f, label: `${t(`fate.${f}`)} ${integer(this.pairs[f].length)}` })),
      this.fate,
    );
    const pairs = this.pairs[this.fate];
    const open = (pair: TaskPair): HTMLElement =>
      h(
        'button',
        {
          type: 'button',
          class: 'link prompt',
          on: { click: () => store.go({ page: 'compare', traceIds: [pair.before.id, pair.after.id] }) },
        },
        `“${oneLine(pair.prompt, 140)}”`,
      );
    this.tabs.show(
      pairs.length === 0
        ? h('p', { class: 'muted' }, t('evaluation.noTasks'))
        : table(
            t(`fate.${this.fate}.about`),
            [
              { label: t('table.task'), cell: open, isHead: true },
              {
                label: t('table.before'),
                cell: (p) =>
                  h(
                    'span',
                    { class: 'path' },
                    outcomeIcon(p.before),
                    h('span', { class: 'mono' }, ` ${p.before.path}`),
                  ),
              },
              {
                label: t('table.after'),
                cell: (p) =>
                  h('span', { class: 'path' }, outcomeIcon(p.after), h('span', { class: 'mono' }, ` ${p.after.path}`)),
              },
            ],
            pairs,
            { rowsAtOnce: 25 },
          ),
    );
  }
}

/** Why there is no verdict yet, or none to come. */
function soFarText(manifest: RunState['manifest'], status: Store['status']): string {
  if (manifest && !isTrained(manifest)) return t('evaluation.once');
  return t(status === 'running' ? 'evaluation.soFar' : 'result.soFar.over');
}

function verdictLine({ gain, after }: Told): HTMLElement {
  const told = gainChange(gain, after.n);
  return h('p', { class: 'verdict-line' }, verdictBadge(told), ' ', gainSentence(told, after.n));
}

function tagSuccess(of: { n: number; success: number } | undefined): Success | undefined {
  return of && { n: of.n, success: of.n > 0 ? of.success : null, ci95: wilson(Math.round(of.success * of.n), of.n) };
}

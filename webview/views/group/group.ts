/**
 * Pages Group and Compare: traces as columns, aligned by step; the first step that leaves the baseline's way is marked
 * ≠. The leftmost is
 * the baseline, until the user holds the others against another one.
 * Group: the rollouts of one task in one step, best first. Compare: any traces, for example one task before and after.
 */
import type { JudgeVerdict } from '../../../trainer/protocol/reward';
import type { Trace, TraceSummary } from '../../../trainer/protocol/trace';
import { button, progressRing } from '../../components/controls';
import { emptyState, facts, outcomeIcon, outcomeWord, rewardText } from '../../components/parts';
import { differenceList, verdictMarks } from '../../components/verdicts';
import { callText } from '../../derive/expected';
import { align, type Column } from '../../derive/alignment';
import { rankingOf, verdictFromRewards, type RankedTrace } from '../../derive/judging';
import { isDead, rankOf, ranked, solvedCount } from '../../shared/traceIndex';
import { h, icon, replace, setText, type Child } from '../../components/dom';
import { oneLine, signed } from '../../shared/format';
import type { Store } from '../../store';
import { t } from '../../shared/strings';
import { checkpointText } from '../try/tryText';
import type { Context, View } from '../view';
import { canBeMarked, cell, difference, endOf, linkTo, scoreOf, summaryRow, timeOf } from './groupCells';

/** Columns made at once; a group may have 64. */
const COLUMNS_AT_ONCE = 8;
const ROWS_AT_ONCE = 40;

export class GroupView implements View {
  readonly element: HTMLElement;
  readonly heading = h('h1', { class: 'prompt', tabindex: '-1' });
  private readonly facts = h('div');
  private readonly body = h('div', { class: 'group-body' });
  private shown = '';
  private columns = COLUMNS_AT_ONCE;
  private rows = ROWS_AT_ONCE;
  /** the trace that the others are held against; null = the leftmost */
  private baseline: string | null = null;
  private place = '';
  private verdict: JudgeVerdict | undefined;

  constructor(private readonly context: Context) {
    this.element = h(
      'div',
      { class: 'page group-page' },
      h('header', { class: 'trace-header' }, this.heading, this.facts),
      this.body,
    );
  }

  update(): void {
    const { store } = this.context;
    const place = JSON.stringify(store.route);
    if (place !== this.place) {
      this.place = place;
      this.columns = COLUMNS_AT_ONCE;
      this.rows = ROWS_AT_ONCE;
      this.baseline = null;
    }
    const summaries = this.summaries(store);
    const first = summaries[0];
    setText(this.heading, first ? `“${oneLine(first.prompt, 300)}”` : t('page.group'));
    if (!first) {
      if (this.shown !== 'none')
        replace(
          this.body,
          emptyState(
            'list-tree',
            t('trace.unknown'),
            t('trace.unknown.text'),
            button({ label: t('page.traces'), icon: 'list-tree', onClick: () => store.go({ page: 'traces' }) }).element,
          ),
        );
      this.shown = 'none';
      return;
    }
    const group = store.route.page === 'group' ? store.index.group(store.route.groupId) : undefined;
    const said = group ? store.verdictsOf(group) : 'asked';
    this.verdict = said === 'asked' ? undefined : said.verdicts.at(-1);
    const visible = summaries.slice(0, this.columns);
    const loaded = visible.map((s) => store.trace(s.id));
    const state =
      visible.map((s, i) => `${s.id}:${loaded[i]?.state}:${s.reward}`).join(' ') +
      ` ${summaries.length} ${this.rows} ${this.baseline} ${place} ${said === 'asked' ? '' : said.verdicts.length}`;
    if (state === this.shown) return;
    this.shown = state;
    this.drawFacts(store, summaries);
    const traces = loaded.flatMap((l) => (l?.state === 'loaded' ? [l.trace] : []));
    const waiting = loaded.filter((l) => l?.state === 'loading').length;
    this.verdict ??= verdictFromRewards(traces) ?? undefined;
    const failed = loaded.flatMap((l) => (l?.state === 'failed' ? [l.error.message] : []));
    const left = summaries.length - visible.length;
    replace(
      this.body,
      waiting > 0 ? progressRing(t('trace.loading')) : null,
      ...failed.map((message) => h('p', { class: 'step-error' }, icon('error'), h('span', null, message))),
      traces.length > 0 ? this.table(store, traces, summaries) : null,
      left > 0
        ? h(
            'button',
            { type: 'button', class: 'link', on: { click: () => ((this.columns += COLUMNS_AT_ONCE), this.update()) } },
            t('list.more', { count: left }),
          )
        : null,
    );
  }

  dispose(): void {}

  private summaries(store: Store): TraceSummary[] {
    const { route, index } = store;
    if (route.page === 'group') return ranked(index.group(route.groupId)?.traces ?? []);
    if (route.page === 'compare') return route.traceIds.flatMap((id) => index.byId.get(id) ?? []);
    return [];
  }

  private drawFacts(store: Store, summaries: TraceSummary[]): void {
    const first = summaries[0]!;
    const group = store.route.page === 'group' ? store.index.group(store.route.groupId) : undefined;
    replace(
      this.facts,
      facts(
        [t('fact.rolloutCount'), String(summaries.length)],
        [t('fact.solved'), `${solvedCount(summaries)}/${summaries.length}`],
        [
          t('fact.where'),
          first.phase === 'train' || first.phase === 'validation'
            ? t(`where.${first.phase}`, { step: first.step })
            : t('where.compare'),
        ],
        [t('fact.task'), h('span', { class: 'mono' }, first.taskId)],
      ),
      h(
        'div',
        { class: 'actions' },
        group
          ? button({
              label: t('judge.ofGroup'),
              icon: 'law',
              onClick: () => store.go({ page: 'judge', groupId: group.key }),
            }).element
          : null,
        canBeMarked(summaries)
          ? button({
              label: t('try.mark'),
              icon: 'git-compare',
              title: t('try.mark.about'),
              onClick: () =>
                store.runId !== null &&
                store.send({ type: 'markPair', runId: store.runId, traceIds: [summaries[0]!.id, summaries[1]!.id] }),
            }).element
          : null,
      ),
      group && isDead(group) ? h('p', { class: 'muted' }, icon('circle-slash'), ' ', t('group.dead')) : null,
    );
  }

  /** The judge's rank and reason, where it was asked. */
  private judgeLines(traces: readonly Trace[]): HTMLElement[] {
    const { verdict } = this;
    if (!verdict) return [];
    const rows = new Map(rankingOf(verdict).map((row) => [row.traceId, row]));
    const line = (label: string, kind: string, cell: (row: RankedTrace | undefined) => Child): HTMLElement =>
      h(
        'tr',
        { class: kind },
        h('th', { scope: 'row' }, label),
        ...traces.map((tr) => h('td', null, cell(rows.get(tr.id)))),
      );
    return [
      line(t('judge.rank'), 'summary-row', (row) =>
        row?.rank == null ? t('judge.notJudgedOne') : `${row.rank}${row.isTie ? ` ${t('judge.tie')}` : ''}`,
      ),
      ...(verdict.ranks === null
        ? []
        : [line(t('judge.reason'), 'reason-row', (row) => oneLine(row?.reason ?? t('judge.noReason'), 240))]),
    ];
  }

  private table(store: Store, traces: Trace[], summaries: TraceSummary[]): HTMLElement {
    const baseline = Math.max(
      0,
      traces.findIndex((tr) => tr.id === this.baseline),
    );
    const columns = align(traces, baseline);
    const names = Array.from(new Set(traces.flatMap((tr) => tr.rewards.map((r) => r.name))));
    const isCompare = store.route.page === 'compare';
    const line = (label: string, cell: (trace: Trace) => Child): HTMLElement => summaryRow(label, traces, cell);
    const choose = (trace: Trace): HTMLElement =>
      linkTo(t('group.holdAgainst.about'), () => ((this.baseline = trace.id), this.update()), t('group.holdAgainst'));
    return h(
      'div',
      { class: 'table-box', tabindex: '0', role: 'region', 'aria-label': t('group.table') },
      h(
        'table',
        { class: 'group-table' },
        h('caption', { class: 'visually-hidden' }, t('group.table')),
        h(
          'thead',
          null,
          h('tr', null, h('td'), ...traces.map((tr) => h('th', { scope: 'col' }, this.head(store, tr, summaries)))),
        ),
        h(
          'tbody',
          null,
          line(t('fact.reward'), (tr) => h('b', null, rewardText(tr.reward))),
          ...(names.length > 1 ? names.map((name) => line(name, (tr) => scoreOf(tr, name))) : []),
          isCompare ? null : line(t('fact.advantage'), (tr) => signed(tr.advantage)),
          ...verdictRows(traces, this.verdict !== undefined),
          ...this.judgeLines(traces),
          line(t('group.difference'), (tr) => difference(columns, baseline, tr.id, choose(tr))),
          ...this.stepRows(columns, baseline),
          h('tr', null, h('th', { scope: 'row' }, t('group.end')), ...traces.map((tr) => h('td', null, endOf(tr)))),
        ),
      ),
    );
  }

  private head(store: Store, trace: Trace, summaries: readonly TraceSummary[]): HTMLElement {
    const summary = summaries.find((s) => s.id === trace.id)!;
    const rank = rankOf(summary, summaries);
    const label =
      trace.phase === 'try'
        ? checkpointText(trace.checkpoint)
        : store.route.page === 'compare'
          ? timeOf(trace)
          : rank === null
            ? t('reward.notScored')
            : t('group.rank', { rank });
    return linkTo(
      t('group.open'),
      () => store.go({ page: 'trace', traceId: trace.id }),
      outcomeIcon(summary),
      ` ${label}`,
      h('span', { class: 'visually-hidden' }, `, ${outcomeWord(summary.solved)}`),
    );
  }

  /** As many as are shown, and a button for more. */
  private stepRows(columns: readonly Column[], baseline: number): HTMLElement[] {
    const rows = columns[0]!.rows.length;
    const shown = Math.min(rows, this.rows);
    let number = 0;
    const labelOf = (row: number): Child =>
      columns[baseline]!.rows[row]
        ? t('group.step', { n: ++number })
        : h('span', { class: 'muted', title: t('group.extra.about') }, t('group.extra'));
    const steps = Array.from({ length: shown }, (_, row) =>
      h('tr', null, h('th', { scope: 'row' }, labelOf(row)), ...columns.map((column) => cell(column, row))),
    );
    if (rows <= shown) return steps;
    const more = linkTo(
      undefined,
      () => ((this.rows += 4 * ROWS_AT_ONCE), this.update()),
      t('list.more', { count: rows - shown }),
    );
    return [...steps, h('tr', null, h('td', { colspan: columns.length + 1 }, more))];
  }
}

/** Marks (said to be by rule where a judge's rank stands below), what was expected, and in what each differs from it; nothing where no trace was told. */
function verdictRows(traces: readonly Trace[], isJudged: boolean): HTMLElement[] {
  if (traces.every(({ verdicts }) => verdicts === undefined)) return [];
  const row = (label: string, cell: (trace: Trace) => Child): HTMLElement =>
    h('tr', { class: 'verdict-row' }, h('th', { scope: 'row' }, label), ...traces.map((tr) => h('td', null, cell(tr))));
  return [
    row(t(isJudged ? 'told.titleByRule' : 'told.title'), ({ verdicts }) => verdictMarks(verdicts)),
    row(t('group.expected'), ({ expected }) =>
      h(
        'span',
        { class: 'mono' },
        [...(expected?.calls ?? []).map(callText), expected?.answer ?? []].flat().join(' → '),
      ),
    ),
    row(t('group.whatDiffers'), ({ differences }) => (differences?.length ? differenceList(differences) : null)),
  ];
}

/**
 * One group as the judge saw it: the ranking with a reason for each, every reply with the order that it saw, where the
 * replies part, and what
 * was sent back, word by word. Beside the judge's ranking a person's own: Alt and the arrows, the buttons or the mouse
 * move a trace.
 */
import type { JudgeVerdict } from '../../../trainer/protocol/reward';
import type { TraceSummary } from '../../../trainer/protocol/trace';
import { facts, iconButton, notice, outcomeIcon, outcomeWord, rewardText } from '../../components/parts';
import { roving } from '../../components/roving';
import { button } from '../../components/controls';
import { moved, rankingOf, usageOf, type RankedTrace } from '../../derive/judging';
import { rankOf, type Group } from '../../shared/traceIndex';
import { h, icon, keyed, setText } from '../../components/dom';
import { ABSENT, integer, moment } from '../../shared/format';
import type { Correction } from '../../messages';
import { t } from '../../shared/strings';
import { splitText, usageFacts, verdictWord } from './verdictWords';
import type { Context } from '../view';
import { votesOf, rawReply } from './judgeVotes';

export class JudgedGroup {
  readonly element: HTMLElement;
  private readonly list = h('ol', { class: 'ranking', 'aria-label': t('judge.ranking') });
  private readonly state = h('p', { class: 'muted', role: 'status' });
  private readonly keep;
  private readonly asJudged;
  private readonly rover;
  private readonly rows: RankedTrace[];
  /** trace ids, best first, as the person has them now */
  private mine: string[];
  private readonly start: string[];
  /** by the judge or by a person: else the order says nothing */
  private readonly isRanked: boolean;

  constructor(
    private readonly context: Context,
    private readonly group: Group,
    private readonly verdicts: readonly JudgeVerdict[],
    correction: Correction | null,
  ) {
    const verdict = this.verdict;
    const inGroup = new Set(group.traces.map((tr) => tr.id));
    this.rows = verdict ? rankingOf(verdict).filter((row) => inGroup.has(row.traceId)) : [];
    for (const { id } of group.traces)
      if (!this.rows.some((row) => row.traceId === id))
        this.rows.push({ traceId: id, rank: null, isTie: false, reason: null });
    this.start = correction ? correctedOrder(correction, this.rows) : this.rows.map((row) => row.traceId);
    this.mine = this.start;
    this.isRanked = correction !== null || this.rows.some((row) => row.rank !== null);
    this.keep = button({ label: t('judge.keep'), icon: 'save', kind: 'primary', onClick: () => this.send() });
    this.asJudged = button({
      label: t('judge.asJudged'),
      icon: 'discard',
      onClick: () => this.reorder(this.rows.map((row) => row.traceId)),
    });
    this.list.addEventListener('keydown', (event) => this.onKey(event));
    this.rover = roving(this.list, { selector: '.ranked', axis: 'vertical' });
    this.element = h(
      'div',
      { class: 'judged-group' },
      this.header(verdict),
      h(
        'section',
        { 'aria-labelledby': 'ranking-title' },
        h('h2', { id: 'ranking-title' }, t(this.isRanked ? 'judge.ranking' : 'judge.unranked')),
        h('p', { class: 'muted' }, t('judge.reorder')),
        correction
          ? h(
              'p',
              null,
              icon('account'),
              ' ',
              t('judge.corrected', { author: correction.author, time: moment(correction.t, context.now()) }),
            )
          : null,
        this.list,
        h('div', { class: 'actions' }, this.keep.element, this.asJudged.element),
        this.state,
      ),
      verdict ? votesOf(verdict, this.rows) : null,
      verdicts.length > 1
        ? h(
            'details',
            { class: 'fold' },
            h('summary', null, t('judge.earlier', { count: verdicts.length - 1 })),
            ...verdicts
              .slice(0, -1)
              .reverse()
              .map((one) => h('div', { class: 'earlier' }, verdictWord(one), rawReply(one.rawReply))),
          )
        : null,
    );
    this.draw();
  }

  /** The newest counts. */
  private get verdict(): JudgeVerdict | undefined {
    return this.verdicts[this.verdicts.length - 1];
  }

  private header(verdict: JudgeVerdict | undefined): HTMLElement {
    const { store, now } = this.context;
    const side = button({
      label: t('trace.sideBySide'),
      icon: 'split-horizontal',
      onClick: () => store.go({ page: 'group', groupId: this.group.key }),
    });
    if (!verdict)
      return h(
        'div',
        { class: 'judge-head' },
        notice('info', h('p', { class: 'notice-title' }, t('judge.notJudgedOne')), h('p', null, t('judge.noVerdict'))),
        side.element,
      );
    return h(
      'div',
      { class: 'judge-head' },
      verdict.ranks === null
        ? notice(
            'warning',
            h('p', { class: 'notice-title' }, t('judge.notJudgedOne')),
            h('p', null, verdict.error ?? t('judge.noRanking')),
            h('p', { class: 'muted' }, t('judge.notJudged.about')),
          )
        : null,
      facts(
        [t('fact.model'), verdict.model],
        [t('judge.state'), verdictWord(verdict)],
        [t('judge.votes'), verdict.votes ? integer(verdict.votes.length) : ABSENT],
        [t('judge.split'), splitText(verdict)],
        ...usageFacts(usageOf([verdict])),
        verdict.t === undefined ? null : [t('judge.when'), moment(verdict.t, now())],
      ),
      verdict.rubric
        ? h('details', null, h('summary', null, t('judge.rubric')), h('div', { class: 'text' }, verdict.rubric))
        : null,
      side.element,
    );
  }

  private draw(): void {
    const judged = new Map(this.rows.map((row) => [row.traceId, row]));
    keyed(
      this.list,
      this.mine,
      (id) => id,
      (id) => this.row(judged.get(id)!),
      (element) => element,
    );
    const isChanged = this.mine.some((id, i) => id !== this.start[i]);
    const hasPlaces = this.isRanked || isChanged;
    this.mine.forEach((id, i) => {
      const element = this.list.children[i] as HTMLElement;
      setText(element.querySelector('.place')!, hasPlaces ? String(i + 1) : ABSENT);
      element.querySelector<HTMLElement>('.ranked')!.setAttribute('aria-label', this.label(judged.get(id)!, i));
    });
    this.rover.refresh();
    this.keep.setDisabled(!isChanged);
    this.asJudged.setDisabled(this.mine.every((id, i) => id === this.rows[i]!.traceId));
  }

  private label(row: RankedTrace, place: number): string {
    const summary = this.summary(row.traceId);
    return [
      t('judge.place', { place: place + 1 }),
      row.rank === null ? t('judge.notJudgedOne') : t('judge.judgesRank', { rank: row.rank }),
      summary.path,
      outcomeWord(summary.solved),
      row.reason ?? '',
    ]
      .filter(Boolean)
      .join(', ');
  }

  private summary(id: string): TraceSummary {
    return this.group.traces.find((tr) => tr.id === id)!;
  }

  private row(row: RankedTrace): HTMLElement {
    const { store } = this.context;
    const summary = this.summary(row.traceId);
    const body = h(
      'div',
      { class: 'ranked', tabindex: '-1', role: 'group', draggable: 'true' },
      h('span', { class: 'place' }),
      h(
        'span',
        { class: `tag ${row.rank === null ? 'warning' : ''}`, title: t('judge.judgesRank.about') },
        icon(row.rank === null ? 'circle-slash' : 'law'),
        row.rank === null
          ? t('judge.notJudgedOne')
          : `${t('judge.judgesRank', { rank: row.rank })}${row.isTie ? ` ${t('judge.tie')}` : ''}`,
      ),
      outcomeIcon(summary),
      h(
        'button',
        {
          type: 'button',
          class: 'link mono',
          title: t('group.open'),
          on: { click: () => store.go({ page: 'trace', traceId: row.traceId }) },
        },
        summary.path,
      ),
      h(
        'span',
        { class: 'muted' },
        t('judge.rewardRank', {
          reward: rewardText(summary.reward),
          rank: rankOf(summary, this.group.traces) ?? ABSENT,
        }),
      ),
      h(
        'span',
        { class: 'row-actions' },
        iconButton(t('judge.up'), 'chevron-up', () => this.shift(row.traceId, -1)).element,
        iconButton(t('judge.down'), 'chevron-down', () => this.shift(row.traceId, 1)).element,
      ),
      h(
        'p',
        { class: row.reason ? 'reason' : 'reason muted' },
        row.reason ?? (row.rank === null ? '' : t('judge.noReason')),
      ),
    );
    body.addEventListener('dragstart', (event) => event.dataTransfer?.setData('text/plain', row.traceId));
    body.addEventListener('dragover', (event) => event.preventDefault());
    body.addEventListener('drop', (event) => {
      event.preventDefault();
      const id = event.dataTransfer?.getData('text/plain') ?? '';
      if (this.mine.includes(id)) this.reorder(moved(this.mine, id, this.mine.indexOf(row.traceId)));
    });
    return h('li', null, body);
  }

  private onKey(event: KeyboardEvent): void {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    const li = event.target instanceof Element ? event.target.closest<HTMLElement>('li') : null;
    if (!li?.dataset.key) return;
    event.preventDefault();
    this.shift(li.dataset.key, event.key === 'ArrowUp' ? -1 : 1);
  }

  private shift(id: string, by: number): void {
    const to = this.mine.indexOf(id) + by;
    if (to < 0 || to >= this.mine.length) return;
    const focused = document.activeElement;
    this.reorder(moved(this.mine, id, to));
    // An element that is moved in the document loses the focus.
    const li = Array.from(this.list.children).find((child) => (child as HTMLElement).dataset.key === id);
    if (focused instanceof HTMLElement && li?.contains(focused)) focused.focus();
    setText(this.state, t('judge.movedTo', { place: to + 1, of: this.mine.length }));
  }

  private reorder(next: string[]): void {
    this.mine = next;
    this.draw();
  }

  private send(): void {
    const { store } = this.context;
    const verdict = this.verdict;
    if (store.runId === null) return;
    const traceIds = this.mine;
    store.send({
      type: 'correctRanking',
      runId: store.runId,
      taskId: this.group.taskId,
      groupId: this.group.groupId,
      traceIds,
      ranks: traceIds.map((_, i) => i + 1),
      judge: verdict
        ? {
            model: verdict.model,
            ranks:
              verdict.ranks === null
                ? null
                : traceIds.map((id) => verdict.ranks![verdict.traceIds.indexOf(id)] ?? traceIds.length),
          }
        : null,
    });
    setText(this.state, t('judge.keeping'));
  }
}

/** The person's order; what came to the group since stands behind it. */
function correctedOrder(correction: Correction, rows: readonly RankedTrace[]): string[] {
  const known = new Set(rows.map((row) => row.traceId));
  const ordered = correction.traceIds
    .map((id, i) => ({ id, rank: correction.ranks[i] ?? Infinity }))
    .filter(({ id }) => known.has(id))
    .sort((a, b) => a.rank - b.rank)
    .map(({ id }) => id);
  return [...ordered, ...rows.map((row) => row.traceId).filter((id) => !ordered.includes(id))];
}

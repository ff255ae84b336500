/**
 * The task in its own words, how the trace did, and the way to its neighbours: the group as a strip of ranks, the
 * groups before and after.
 */
import type { TraceSummary } from '../../../trainer/protocol/trace';
import { facts, iconButton, outcomeIcon, outcomeWord, rewardText } from '../../components/parts';
import { verdictMarks } from '../../components/verdicts';
import { roving } from '../../components/roving';
import { button } from '../../components/controls';
import { rankOf, ranked, type Group } from '../../shared/traceIndex';
import { h, keyed, replace, setText } from '../../components/dom';
import { decimal, oneLine, signed } from '../../shared/format';
import type { Store } from '../../store';
import { t } from '../../shared/strings';

export class TraceHeader {
  readonly element: HTMLElement;
  readonly heading = h('h1', { class: 'prompt', tabindex: '-1' });
  private readonly facts = h('div');
  private readonly strip = h('div', { class: 'rank-strip', role: 'group', 'aria-label': t('trace.strip') });
  private readonly rover;
  private readonly nav: HTMLElement;
  private readonly previous;
  private readonly next;
  private readonly previousGroup;
  private readonly nextGroup;
  private readonly side;
  private group: Group | undefined;
  private traceId = '';

  constructor(private readonly store: Store) {
    this.previous = iconButton(t('trace.previous'), 'chevron-left', () => this.move(-1));
    this.next = iconButton(t('trace.next'), 'chevron-right', () => this.move(1));
    this.previousGroup = iconButton(t('trace.previousGroup'), 'arrow-up', () => this.moveGroup(-1));
    this.nextGroup = iconButton(t('trace.nextGroup'), 'arrow-down', () => this.moveGroup(1));
    this.side = button({
      label: t('trace.sideBySide'),
      icon: 'split-horizontal',
      onClick: () => this.group && store.go({ page: 'group', groupId: this.group.key }),
    });
    this.rover = roving(this.strip, { selector: 'button', axis: 'horizontal' });
    this.nav = h(
      'nav',
      { class: 'trace-nav', 'aria-label': t('trace.nav') },
      this.previous.element,
      this.strip,
      this.next.element,
      this.previousGroup.element,
      this.nextGroup.element,
      this.side.element,
    );
    this.element = h('header', { class: 'trace-header' }, this.heading, this.facts, this.nav);
  }

  update(traceId: string): void {
    const { index } = this.store;
    const summary = index.byId.get(traceId);
    this.traceId = traceId;
    this.group = index.groupOf(traceId);
    setText(this.heading, summary ? `“${oneLine(summary.prompt, 300)}”` : t('page.trace'));
    this.nav.hidden = !this.group;
    if (!summary) return replace(this.facts);
    this.drawFacts(summary);
    if (!this.group) return;
    const traces = ranked(this.group.traces);
    const at = traces.findIndex((tr) => tr.id === traceId);
    keyed(
      this.strip,
      traces,
      (tr) => tr.id,
      (tr) =>
        this.chip(
          h('button', {
            type: 'button',
            class: 'rank',
            on: { click: () => this.store.go({ page: 'trace', traceId: tr.id }) },
          }),
          tr,
          traces,
        ),
      (element, tr) => this.chip(element, tr, traces),
    );
    this.rover.refresh();
    this.previous.setDisabled(at <= 0);
    this.next.setDisabled(at < 0 || at >= traces.length - 1);
    const neighbours = this.neighbours();
    const place = neighbours.indexOf(this.group);
    this.previousGroup.setDisabled(place <= 0);
    this.nextGroup.setDisabled(place < 0 || place >= neighbours.length - 1);
    this.side.element.hidden = traces.length < 2;
    this.strip.hidden = this.previous.element.hidden = this.next.element.hidden = traces.length < 2;
  }

  private drawFacts(summary: TraceSummary): void {
    const rank = this.group ? rankOf(summary, this.group.traces) : null;
    const size = this.group?.traces.length ?? 1;
    const loaded = this.store.trace(summary.id);
    replace(
      this.facts,
      facts(
        [t('fact.outcome'), h('span', { class: 'outcome' }, outcomeIcon(summary), outcomeWord(summary.solved))],
        [t('fact.reward'), rewardText(summary.reward)],
        summary.advantage === null ? null : [t('fact.advantage'), signed(summary.advantage)],
        size > 1
          ? [t('fact.rank'), rank === null ? t('reward.notScored') : t('fact.rankOf', { rank, of: size })]
          : null,
        [
          t('fact.where'),
          summary.phase === 'train' || summary.phase === 'validation'
            ? t(`where.${summary.phase}`, { step: summary.step })
            : t(`phaseName.${summary.phase}`),
        ],
        [t('fact.task'), h('span', { class: 'mono' }, summary.taskId)],
        summary.forkOf ? [t('fact.forkOf'), this.forkLink(summary.forkOf)] : null,
      ),
      verdictMarks(summary.verdicts, loaded?.state === 'loaded' ? loaded.trace.rewards : []),
      summary.superseded ? h('p', { class: 'muted' }, t('trace.superseded')) : null,
    );
  }

  private forkLink({ traceId, turn }: NonNullable<TraceSummary['forkOf']>): HTMLElement {
    return h(
      'button',
      { type: 'button', class: 'link', on: { click: () => this.store.go({ page: 'trace', traceId }) } },
      t('fact.forkOfTurn', { turn: turn + 1, trace: traceId }),
    );
  }

  private chip(element: HTMLElement, trace: TraceSummary, traces: readonly TraceSummary[]): HTMLElement {
    const rank = rankOf(trace, traces);
    const isCurrent = trace.id === this.traceId;
    const revision = `${rank} ${trace.reward} ${isCurrent}`;
    if (element.dataset.revision === revision) return element;
    element.dataset.revision = revision;
    if (isCurrent) element.setAttribute('aria-current', 'true');
    else element.removeAttribute('aria-current');
    element.setAttribute(
      'aria-label',
      t('trace.chip', {
        rank: rank ?? '–',
        reward: rewardText(trace.reward),
        outcome: outcomeWord(trace.solved),
        path: trace.path,
      }),
    );
    element.title = element.getAttribute('aria-label')!;
    element.tabIndex = isCurrent ? 0 : -1;
    replace(element, outcomeIcon(trace), h('span', null, trace.reward === null ? '–' : decimal(trace.reward, 2)));
    return element;
  }

  private move(by: number): void {
    const traces = this.group ? ranked(this.group.traces) : [];
    const target = traces[traces.findIndex((tr) => tr.id === this.traceId) + by];
    if (target) this.store.go({ page: 'trace', traceId: target.id });
  }

  private neighbours(): Group[] {
    return this.group ? this.store.index.slice(this.group.phase, this.group.step) : [];
  }

  private moveGroup(by: number): void {
    const groups = this.neighbours();
    const target = this.group && groups[groups.indexOf(this.group) + by];
    const best = target && ranked(target.traces)[0];
    if (best) this.store.go({ page: 'trace', traceId: best.id });
  }
}

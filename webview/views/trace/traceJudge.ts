/** What the judge said of this one trace; the whole group is a page of its own. */
import type { Trace } from '../../../trainer/protocol/trace';
import { facts } from '../../components/parts';
import { button, progressRing } from '../../components/controls';
import { rankingOf, verdictFromRewards } from '../../derive/judging';
import { h, icon, replace } from '../../components/dom';
import { moment } from '../../shared/format';
import { t } from '../../shared/strings';
import type { Context } from '../view';

export class TraceJudge {
  readonly element = h('div', { class: 'trace-judge' });
  private shown: unknown;

  constructor(
    private readonly context: Context,
    private readonly trace: Trace,
  ) {}

  /** Asks for the verdicts when it is first shown. */
  update(): void {
    const { store, now } = this.context;
    const group = store.index.groupOf(this.trace.id);
    const said = group ? store.verdictsOf(group) : { verdicts: [], correction: null };
    if (said === this.shown) return;
    this.shown = said;
    if (said === 'asked') return replace(this.element, progressRing(t('judge.loading')));
    const own = said.verdicts.filter((one) => one.traceIds.includes(this.trace.id)).at(-1);
    // Without a line of its own: what it left among the rewards, which tell a score but no rank.
    const verdict = own ?? verdictFromRewards([this.trace]) ?? undefined;
    const row = verdict && rankingOf(verdict).find((one) => one.traceId === this.trace.id);
    const mine = said.correction
      ? (said.correction.ranks[said.correction.traceIds.indexOf(this.trace.id)] ?? null)
      : null;
    replace(
      this.element,
      facts(
        verdict ? [t('fact.model'), verdict.model] : null,
        [
          t('judge.rank'),
          row?.rank == null
            ? h('span', { class: 'tag warning' }, icon('circle-slash'), t('judge.notJudgedOne'))
            : !own
              ? t('judge.seeGroup')
              : `${t('fact.rankOf', { rank: row.rank, of: verdict!.traceIds.length })}${row.isTie ? ` ${t('judge.tie')}` : ''}`,
        ],
        mine === null
          ? null
          : [
              t('judge.personsRank', { author: said.correction!.author }),
              t('fact.rankOf', { rank: mine, of: said.correction!.traceIds.length }),
            ],
        verdict?.t === undefined ? null : [t('judge.when'), moment(verdict.t, now())],
      ),
      row?.rank == null
        ? h('p', { class: 'muted' }, verdict?.error ?? t('judge.noVerdict'))
        : h('p', { class: row.reason ? 'text' : 'muted' }, row.reason ?? t('judge.noReason')),
      group
        ? button({
            label: t('judge.ofGroup'),
            icon: 'law',
            onClick: () => store.go({ page: 'judge', groupId: group.key }),
          }).element
        : null,
    );
  }
}

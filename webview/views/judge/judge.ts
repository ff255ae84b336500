/** Page Judge: of the whole run (held against people, order bias, cost, every group) or of one group (JudgedGroup). */
import type { JudgeVerdict } from '../../../trainer/protocol/reward';
import { emptyState, facts, notice } from '../../components/parts';
import { table } from '../../components/table';
import { progressRing } from '../../components/controls';
import { agreement, choiceOf, type Agreement, type Choice } from '../../derive/agreement';
import { agreementPicture, ranksAndGold } from '../../derive/judgePictures';
import { picture } from '../../components/picture';
import type { Store } from '../../store';
import type { Open } from '../pictures/tracePictures';
import { orderBias, usageOf, verdictFromRewards, type OrderBias } from '../../derive/judging';
import { FEW_TASKS } from '../../derive/noise';
import { h, replace, setText, type Child } from '../../components/dom';
import { ABSENT, decimal, integer, oneLine, percent, percentInterval } from '../../shared/format';
import type { Judged } from '../../derive/asked';
import { t } from '../../shared/strings';
import { JudgedGroup } from './judgedGroup';
import { splitText, usageFacts, verdictWord } from './verdictWords';
import type { Context, View } from '../view';

export class JudgeView implements View {
  readonly element = h('div', { class: 'page judge-page' });
  readonly heading = h('h1', { tabindex: '-1' }, t('page.judge'));
  private readonly body = h('div', { class: 'judge-body' });
  private shown: unknown[] = [];

  constructor(private readonly context: Context) {
    this.element.append(this.heading, this.body);
  }

  update(): void {
    const { store } = this.context;
    const { route } = store;
    if (route.page !== 'judge') return;
    if (route.groupId !== undefined) return this.updateGroup(route.groupId);
    const judged = store.judgeOverview();
    const inputs = [judged, store.runId, 'all'];
    if (inputs.every((value, i) => value === this.shown[i])) return;
    this.shown = inputs;
    setText(this.heading, t('page.judge'));
    const open: Open = (title, ids) => store.openBehind(title, ids);
    if (!judged) replace(this.body, progressRing(t('judge.loading')));
    else if (judged.verdicts.length === 0 && judged.marks.length === 0)
      replace(this.body, emptyState('law', t('judge.none'), t('judge.none.text')), ...problems(judged.problems));
    else
      replace(
        this.body,
        ...problems(judged.problems),
        this.totals(judged.verdicts),
        againstPeople(judged, open),
        againstGold(judged.verdicts, store, open),
        order(orderBias(judged.verdicts)),
        this.groups(judged.verdicts),
      );
  }

  dispose(): void {}

  private updateGroup(groupId: string): void {
    const { store } = this.context;
    const group = store.index.group(groupId);
    if (!group) {
      if (this.shown[0] !== 'unknown')
        replace(this.body, emptyState('law', t('trace.unknown'), t('trace.unknown.text')));
      this.shown = ['unknown'];
      return;
    }
    setText(this.heading, `“${oneLine(group.prompt, 300)}”`);
    const said = store.verdictsOf(group);
    // A judge that kept no line of its own has left its score and reason among the rewards of each trace.
    const loaded = said !== 'asked' && said.verdicts.length === 0 ? group.traces.map((tr) => store.trace(tr.id)) : [];
    const isWaiting = said === 'asked' || loaded.some((one) => one?.state === 'loading');
    const inputs = [said, group.traces.length, group.key, isWaiting];
    if (inputs.every((value, i) => value === this.shown[i])) return;
    this.shown = inputs;
    if (isWaiting) return replace(this.body, progressRing(t('judge.loading')));
    const fromRewards = verdictFromRewards(loaded.flatMap((one) => (one?.state === 'loaded' ? [one.trace] : [])));
    replace(
      this.body,
      new JudgedGroup(this.context, group, fromRewards ? [fromRewards] : said.verdicts, said.correction).element,
    );
  }

  private totals(verdicts: JudgeVerdict[]): HTMLElement {
    const ranked = verdicts.filter((v) => v.ranks !== null);
    const models = Array.from(new Set(verdicts.map((v) => v.model)));
    return facts(
      [t('fact.model'), models.join(', ') || ABSENT],
      [t('judge.groups'), integer(verdicts.length)],
      [t('judge.notJudged'), integer(verdicts.length - ranked.length)],
      [t('judge.withTies'), integer(ranked.filter((v) => new Set(v.ranks).size < v.ranks!.length).length)],
      ...usageFacts(usageOf(verdicts)),
    );
  }

  private groups(verdicts: JudgeVerdict[]): HTMLElement {
    const { store } = this.context;
    const prompt = (verdict: JudgeVerdict): Child => {
      const group =
        verdict.groupId === undefined
          ? verdict.traceIds.flatMap((id) => store.index.groupOf(id) ?? [])[0]
          : store.index.group(verdict.groupId);
      if (!group) return h('span', { class: 'muted' }, verdict.taskId);
      return h(
        'button',
        { type: 'button', class: 'link prompt', on: { click: () => store.go({ page: 'judge', groupId: group.key }) } },
        `“${oneLine(group.prompt, 120)}”`,
      );
    };
    const newest = verdicts.slice().reverse();
    return h(
      'section',
      { 'aria-labelledby': 'judged-title' },
      h('h2', { id: 'judged-title' }, t('judge.list')),
      table(
        t('judge.list'),
        [
          { label: t('table.task'), cell: prompt, isHead: true },
          { label: t('table.step'), cell: (v) => (v.step === undefined ? ABSENT : integer(v.step)), isNumber: true },
          { label: t('judge.rollouts'), cell: (v) => integer(v.traceIds.length), isNumber: true },
          { label: t('judge.state'), cell: (v) => verdictWord(v) },
          { label: t('judge.split'), cell: (v) => splitText(v), isNumber: true },
        ],
        newest,
        { isCaptionHidden: true, rowsAtOnce: 50 },
      ),
    );
  }
}

function problems(lines: readonly string[]): (HTMLElement | null)[] {
  if (lines.length === 0) return [];
  return [
    notice(
      'warning',
      h('p', { class: 'notice-title' }, t('judge.problems', { count: lines.length })),
      ...lines.slice(0, 5).map((line) => h('p', null, line)),
    ),
  ];
}

function againstPeople({ verdicts, marks, bar }: Judged, open: Open): HTMLElement {
  const byTrace = new Map<string, JudgeVerdict[]>();
  for (const verdict of verdicts)
    for (const id of verdict.traceIds) byTrace.set(id, [...(byTrace.get(id) ?? []), verdict]);
  const judgeOf = (ids: readonly [string, string]): Choice | null => {
    // The newest verdict that ranks both counts.
    for (const verdict of (byTrace.get(ids[0]) ?? []).slice().reverse()) {
      const choice = choiceOf(verdict, ids);
      if (choice !== null) return choice;
    }
    return null;
  };
  const result = agreement(
    marks.map((mark) => ({
      id: mark.id,
      traceIds: mark.traceIds,
      people: mark.verdict,
      judge: judgeOf(mark.traceIds),
    })),
  );
  const section = h(
    'section',
    { class: 'agreement', 'aria-labelledby': 'agreement-title' },
    h('h2', { id: 'agreement-title' }, t('agreement.title')),
  );
  if (result.n === 0) {
    section.append(
      h(
        'p',
        { class: 'muted' },
        marks.length === 0 ? t('agreement.noMarks') : t('agreement.noneJudged', { count: integer(marks.length) }),
      ),
    );
    return section;
  }
  const isLow = bar !== null && result.share! < bar;
  section.append(
    ...(isLow
      ? [
          notice(
            'warning',
            h(
              'p',
              { class: 'notice-title' },
              t('agreement.low', { share: percent(result.share, 0), bar: percent(bar, 0) }),
            ),
            h('p', null, t('agreement.low.text')),
          ),
        ]
      : []),
    h(
      'div',
      { class: 'figures' },
      figure(
        percent(result.share),
        t('agreement.share', {
          agreed: integer(result.agreed),
          n: integer(result.n),
          interval: percentInterval(result.shareCi95),
        }),
      ),
      figure(
        result.kappa === null ? t('notMeasured') : decimal(result.kappa, 2),
        result.kappaCi95 === null
          ? t('agreement.kappa.undefined')
          : t('agreement.kappa', {
              interval: `[${result.kappaCi95.map((v) => decimal(v, 2)).join(', ')}]`,
              n: integer(result.n),
            }),
      ),
      ...(result.notJudged > 0 ? [figure(integer(result.notJudged), t('agreement.notJudged'))] : []),
    ),
    ...(result.n < FEW_TASKS ? [h('p', { class: 'muted' }, t('agreement.few', { n: integer(result.n) }))] : []),
    confusion(result, open),
    h('p', { class: 'muted' }, t('agreement.about')),
  );
  return section;
}

function figure(value: string, label: string): HTMLElement {
  return h(
    'div',
    { class: 'figure' },
    h('span', { class: 'figure-value' }, value),
    h('span', { class: 'figure-label' }, label),
  );
}

function confusion(result: Agreement, open: Open): HTMLElement {
  return picture(
    agreementPicture(result),
    {
      title: t('picture.agreement'),
      about: t('picture.agreement.about'),
      corner: t('agreement.people'),
      row: (choice) => t(`choice.${choice as Choice}`),
      column: (choice) => t('agreement.judgeSays', { choice: t(`choice.${choice as Choice}`) }),
    },
    open,
  );
}

/** Where the judge put traces that solved their task, and those that did not. */
function againstGold(verdicts: JudgeVerdict[], store: Store, open: Open): HTMLElement | null {
  const data = ranksAndGold(verdicts, (id) => store.index.byId.get(id)?.solved);
  if (data.rows.length === 0) return null;
  return picture(
    data,
    {
      title: t('picture.ranks'),
      about: t('picture.ranks.about'),
      corner: t('picture.ranks.corner'),
      row: (rank) => rank,
      column: (outcome) => t(`outcomeName.${outcome as 'solved' | 'notSolved'}`),
    },
    open,
  );
}

function order(bias: OrderBias): HTMLElement | null {
  if (bias.share === null) return null;
  const [low, high] = bias.ci95!;
  const lean = low > 0.5 ? 'first' : high < 0.5 ? 'last' : null;
  return h(
    'section',
    { 'aria-labelledby': 'order-title' },
    h('h2', { id: 'order-title' }, t('order.title')),
    lean
      ? notice('warning', h('p', { class: 'notice-title' }, t(`order.${lean}`)), h('p', null, t('order.warning')))
      : null,
    h(
      'p',
      null,
      t('order.share', { share: percent(bias.share), interval: percentInterval(bias.ci95), n: integer(bias.n) }),
    ),
  );
}

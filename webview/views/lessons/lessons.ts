/** Page Lessons: what would be taken of the run's flagged traces, before anything is written. */
import {
  DROPPED,
  FLAGS,
  lessonCount,
  tally,
  type FlaggedTrace,
  type LessonPlan,
} from '../../../trainer/protocol/flywheel';
import { button, progressRing } from '../../components/controls';
import { emptyState, facts } from '../../components/parts';
import { table } from '../../components/table';
import { h, replace, type Child } from '../../components/dom';
import { decimal, integer, oneLine } from '../../shared/format';
import { t } from '../../shared/strings';
import type { Context, View } from '../view';

export class LessonsView implements View {
  readonly element = h('div', { class: 'page' });
  readonly heading = h('h1', { tabindex: '-1' }, t('page.lessons'));
  private readonly body = h('div', { class: 'lessons-body' });
  private shown: unknown[] = [];

  constructor(private readonly context: Context) {
    context.store.learning.reset(); // what was marked since counts
    this.element.append(this.heading, this.body);
  }

  update(): void {
    const { store } = this.context;
    const { plan, problem } = store.lessons();
    const inputs = [plan, problem, store.runId, store.trainingRefused];
    if (this.shown.length > 0 && inputs.every((value, i) => value === this.shown[i])) return;
    this.shown = inputs;
    if (problem) replace(this.body, emptyState('mortar-board', t('lessons.none'), problem.message));
    else if (!plan) replace(this.body, progressRing(t('lessons.loading')));
    else replace(this.body, ...this.summary(plan), this.traces(plan.flagged));
  }

  dispose(): void {}

  private summary(plan: LessonPlan): Child[] {
    const { store } = this.context;
    const { traces, aside, flagged, taken, replay, lowReward } = plan;
    const train = button({
      label: t('lessons.train'),
      icon: 'play',
      kind: 'primary',
      title: store.trainingRefused ?? t('lessons.train.about'),
      onClick: () => store.ask('trainOnLessons'),
    });
    train.setDisabled(store.trainingRefused !== null || lessonCount(plan) === 0);
    const flags = tally(
      FLAGS,
      flagged.flatMap((one) => one.flags),
    ).map(([flag, n]): [string, number] => [
      flag === 'lowReward' && lowReward !== null
        ? t('lessons.low', { reward: decimal(lowReward, 2) })
        : t(`flag.${flag}`),
      n,
    ]);
    const dropped = tally(
      DROPPED,
      flagged.flatMap((one) => one.dropped ?? []),
    ).map(([why, n]): [string, number] => [t(`dropped.${why}`), n]);
    return [
      h(
        'p',
        { class: 'muted' },
        t('lessons.about', { flagged: integer(flagged.length), traces: integer(traces), aside: integer(aside) }),
      ),
      h(
        'section',
        null,
        h('h2', null, t('lessons.taken')),
        facts(
          [t('lessons.tasks'), integer(taken.task)],
          [t('lessons.demonstrations'), integer(taken.demonstration)],
          [t('lessons.recoveries'), integer(taken.recovery)],
          [t('lessons.replay'), integer(replay)],
          [t('lessons.pairs'), integer(taken.pair)],
        ),
        h('div', { class: 'actions' }, train.element),
      ),
      counts(t('lessons.flaggedFor'), flags),
      dropped.length > 0 ? counts(t('lessons.dropped'), dropped) : null,
    ];
  }

  private traces(flagged: readonly FlaggedTrace[]): HTMLElement {
    const { store } = this.context;
    const prompt = ({ prompt: text, traceId }: FlaggedTrace): Child =>
      h(
        'button',
        { type: 'button', class: 'link prompt', on: { click: () => store.go({ page: 'trace', traceId }) } },
        `“${oneLine(text, 120)}”`,
      );
    const becomes = ({ kinds, dropped }: FlaggedTrace): string =>
      dropped === null
        ? kinds.map((kind) => t(`lesson.${kind}`)).join(', ')
        : t('lessons.nothing', { why: t(`dropped.${dropped}`) });
    return h(
      'section',
      null,
      h('h2', null, t('lessons.list')),
      table(
        t('lessons.list'),
        [
          { label: t('table.task'), cell: prompt, isHead: true },
          { label: t('lessons.flags'), cell: ({ flags }) => flags.map((flag) => t(`flag.${flag}`)).join(', ') },
          { label: t('lessons.becomes'), cell: becomes },
        ],
        // what is taken comes first
        [...flagged].sort((a, b) => Number(a.dropped !== null) - Number(b.dropped !== null)),
        { isCaptionHidden: true, rowsAtOnce: 50 },
      ),
    );
  }
}

function counts(title: string, rows: [words: string, n: number][]): HTMLElement {
  return h(
    'section',
    null,
    h('h2', null, title),
    table(
      title,
      [
        { label: t('lessons.reason'), cell: ([words]) => words, isHead: true },
        { label: t('lessons.count'), cell: ([, n]) => integer(n), isNumber: true },
      ],
      rows,
      { isCaptionHidden: true },
    ),
  );
}

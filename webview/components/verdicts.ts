/** The three verdicts as marks with words, and what was expected beside what was done. */
import { isJudges, type Reward } from '../../trainer/protocol/reward';
import type { Trace } from '../../trainer/protocol/trace';
import { VERDICTS, type Difference, type VerdictShares, type Verdicts } from '../../trainer/protocol/verdicts';
import { expectedRows, type ExpectedRow } from '../derive/expected';
import { decimal, oneLine, percent } from '../shared/format';
import { t } from '../shared/strings';
import { h, icon } from './dom';
import { table } from './table';

const MARKS = {
  true: ['pass', 'good', 'told.yes'],
  false: ['error', 'bad', 'told.no'],
  null: ['circle-slash', 'muted', 'told.none'],
} as const;

/**
 * Nothing of a trace that was told before there were verdicts: then "solved" says all that is known. Where a judge was
 * asked, too, its score stands below, by its own name: the three go by rule.
 */
export function verdictMarks(verdicts: Verdicts | undefined, rewards: readonly Reward[] = []): HTMLElement | null {
  if (!verdicts) return null;
  const judged = rewards.filter(isJudges);
  if (judged.length === 0) return ruleMarks(verdicts);
  return h(
    'div',
    null,
    ruleMarks(verdicts, h('li', { class: 'muted' }, t('told.byRule'))),
    h(
      'ul',
      { class: 'verdicts', 'aria-label': t('told.byJudge') },
      h('li', { class: 'muted', title: t('told.byJudge.about') }, t('told.byJudge')),
      ...judged.flatMap(judgeMarks),
    ),
  );
}

/** A score and the judge's reason: it says no yes or no. */
function judgeMarks({ name, score, reason, error }: Reward): HTMLElement[] {
  const words = score === null ? t('reward.notScored') : decimal(score, 2);
  return [
    h('li', { title: t('told.byJudge.about') }, icon('law'), h('span', null, `${name}: ${words}`)),
    ...[reason, error].flatMap((text) =>
      text ? [h('li', { class: 'muted', title: text }, oneLine(text, REASON_SHOWN))] : [],
    ),
  ];
}
const REASON_SHOWN = 200;

function ruleMarks(verdicts: Verdicts, ...first: HTMLElement[]): HTMLElement {
  return h(
    'ul',
    { class: 'verdicts', 'aria-label': t('told.title') },
    ...first,
    ...VERDICTS.map((name) => {
      const [glyph, kind, word] = MARKS[String(verdicts[name]) as keyof typeof MARKS];
      return h(
        'li',
        { title: t(`told.${name}.about`) },
        icon(glyph, kind),
        h('span', null, t(`told.${name}`)),
        h('span', { class: 'visually-hidden' }, `: ${t(word)}`),
      );
    }),
  );
}

export function differenceText(difference: Difference): string {
  switch (difference.what) {
    case 'notGrounded':
      return t('differs.notGrounded', { words: difference.words.join(', ') });
    case 'extraCall':
      return t('differs.extraCall', { tool: difference.tool });
    case 'noCall':
    case 'wrongTool':
    case 'wrongValue':
    case 'argumentMissing':
    case 'extraArgument': {
      const { what, ...values } = difference;
      return t(`differs.${what}`, values);
    }
    default:
      return t(`differs.${difference.what}`);
  }
}

export const differenceList = (differences: readonly Difference[]): HTMLElement =>
  h('ul', { class: 'differences' }, ...differences.map((difference) => h('li', null, differenceText(difference))));

/** Gold calls and answer beside those of the trace; null where nobody told. */
export function expectedPanel(trace: Trace): HTMLElement | null {
  const rows = expectedRows(trace);
  if (!rows) return null;
  const { differences = [] } = trace;
  const nothing = (row: ExpectedRow): string => t(row.of === 'answer' ? 'expected.anyAnswer' : 'expected.noCall');
  return h(
    'section',
    { class: 'expected', 'aria-labelledby': 'expected-title' },
    h('h2', { id: 'expected-title' }, t('expected.title')),
    differences.length > 0 ? differenceList(differences) : h('p', { class: 'muted' }, t('expected.same')),
    table(
      t('expected.title'),
      [
        {
          label: t('expected.of'),
          cell: (row) => (row.of === 'answer' ? t('expected.answer') : t('expected.call', { n: row.of.call })),
          isHead: true,
        },
        { label: t('expected.expected'), cell: (row) => text(row.expected, nothing(row)) },
        {
          label: t('expected.actual'),
          cell: (row) =>
            h(
              'span',
              null,
              row.differs
                ? h('span', { class: 'differs' }, '≠', h('span', { class: 'visually-hidden' }, t('expected.differs')))
                : null,
              row.differs ? ' ' : null,
              text(row.actual, t('expected.nothing')),
            ),
        },
      ],
      rows,
      { isCaptionHidden: true },
    ),
  );
}

const text = (words: string | null, instead: string): HTMLElement =>
  words === null ? h('span', { class: 'muted' }, instead) : h('span', { class: 'mono' }, words);

/** "calls right 80 %, answer right 62 %, finished 100 %"; of an older run by which rule it was counted. */
export const sharesText = (shares: VerdictShares | undefined): string =>
  shares === undefined
    ? t('told.rule1')
    : VERDICTS.map((name) => `${t(`told.${name}`)} ${percent(shares[name])}`).join(', ');

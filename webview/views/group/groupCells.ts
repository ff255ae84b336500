import { REQUEST_ID } from '../../../trainer/protocol/task';
import type { Trace, TraceSummary } from '../../../trainer/protocol/trace';
import { resultTag, resultWord } from '../../components/parts';
import { jsonText } from '../../components/json';
import type { Column, Step } from '../../derive/alignment';
import { h, icon, type Child } from '../../components/dom';
import { decimal, oneLine } from '../../shared/format';
import { t } from '../../shared/strings';

/** Two answers to one task that may be trained on: not those of held-out and validation tasks, or of kept requests. */
export function canBeMarked(summaries: readonly TraceSummary[]): boolean {
  return (
    summaries.length === 2 &&
    summaries[0]!.taskId === summaries[1]!.taskId &&
    summaries.every(({ phase, taskId }) => phase === 'train' || (phase === 'try' && !taskId.startsWith(REQUEST_ID)))
  );
}

/** "before training", "training step 30": the checkpoint at which the task was tried. */
export function timeOf({ phase, step }: Trace): string {
  return phase === 'train' || phase === 'validation' ? t(`where.${phase}`, { step }) : t(`phaseName.${phase}`);
}

export function difference(
  columns: readonly Column[],
  baseline: number,
  traceId: string,
  choose: HTMLElement,
): HTMLElement {
  const column = columns.find((c) => c.traceId === traceId)!;
  if (column === columns[baseline]) return h('span', { class: 'muted' }, t('group.baseline'));
  const words =
    column.differsAt === null
      ? h('span', null, '= ', t('group.same'))
      : h('span', null, '≠ ', t('group.atStep', { n: column.differsAt + 1 }));
  return h('span', { class: 'difference' }, words, choose);
}

export function cell(column: Column, row: number): HTMLElement {
  const step = column.rows[row] ?? null;
  const differs = column.differsRow === row;
  const mark = differs
    ? h(
        'span',
        { class: 'differs', title: t('group.differs') },
        '≠',
        h('span', { class: 'visually-hidden' }, ` ${t('group.differs')}`),
      )
    : null;
  if (!step) return h('td', { class: differs ? 'differing' : '' }, mark, h('span', { class: 'muted' }, '–'));
  return h('td', { class: differs ? 'differing' : '' }, mark, stepContent(step));
}

function stepContent(step: Step): HTMLElement {
  switch (step.kind) {
    case 'answer':
      return h('div', null, icon('comment'), ' ', oneLine(step.text, 200) || t('message.empty'));
    case 'parseError':
      return h(
        'div',
        null,
        h('p', { class: 'step-error' }, icon('error'), h('span', null, t('turn.unreadable'))),
        h('pre', { class: 'sampled' }, oneLine(step.text, 200)),
      );
    case 'call': {
      const args = Object.entries(step.arguments)
        .map(([name, value]) => `${name}: ${oneLine(JSON.stringify(value) ?? 'undefined', 40)}`)
        .join(', ');
      const { result } = step;
      const isBad = result !== null && result.kind !== 'ok';
      return h(
        'div',
        null,
        h('code', { class: 'signature' }, h('b', null, step.name), `(${args})`),
        result ? resultFold(result, isBad) : h('p', { class: 'muted' }, t('call.notRun')),
      );
    }
  }
}

/** Made when it is opened: a group may hold thousands of results. */
function resultFold(result: NonNullable<Extract<Step, { kind: 'call' }>['result']>, isBad: boolean): HTMLElement {
  const fold = h(
    'details',
    { class: isBad ? 'bad' : '' },
    h(
      'summary',
      null,
      resultTag(result),
      ' ',
      h('span', { class: isBad ? 'tag error' : 'muted' }, isBad ? icon('error') : null, resultWord(result)),
    ),
  );
  fold.addEventListener('toggle', () => fold.append(jsonText(result.content, 1)), { once: true });
  return fold;
}

/** A button that reads as a link. */
export const linkTo = (title: string | undefined, click: () => void, ...children: Child[]): HTMLElement =>
  h('button', { type: 'button', class: 'link', title, on: { click } }, ...children);

/** One figure of each trace. */
export const summaryRow = (label: string, traces: readonly Trace[], cell: (trace: Trace) => Child): HTMLElement =>
  h(
    'tr',
    { class: 'summary-row' },
    h('th', { scope: 'row' }, label),
    ...traces.map((tr) => h('td', { class: 'number' }, cell(tr))),
  );

export function scoreOf({ rewards }: Trace, name: string): string {
  const reward = rewards.find((one) => one.name === name);
  if (!reward) return '–';
  return reward.score === null ? t('reward.notScored') : decimal(reward.score, 2);
}

/** How it ended. */
export function endOf({ terminated, truncated }: Trace): Child {
  if (terminated) return t('ending.short');
  if (truncated === 'no') return t('ending.noAnswer');
  return h('span', { class: 'tag warning' }, icon('warning'), t(`truncated.${truncated}`));
}

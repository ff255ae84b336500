/**
 * What a row of the traces' tree shows: of a group, and of a trace. Free of the DOM: the extension writes the first of
 * them into the page.
 */
import type { TraceSummary } from '../../trainer/protocol/trace';
import { isDead, solvedCount, type Group } from './traceIndex';
import { decimal, integer, oneLine, signed } from './format';
import { hiddenMark, iconMark, m, type Content, type Markup } from './markup';
import { t } from './strings';

/** More groups than this start closed. */
export const OPEN_UP_TO = 16;

export function groupRow(group: Group, withStep: boolean): { content: () => Content[]; revision: string } {
  const solved = solvedCount(group.traces);
  const dead = isDead(group);
  const count = `${solved}/${group.traces.length}`;
  const rewards = group.traces.map((tr) => tr.reward).filter((r): r is number => r !== null);
  const mean = rewards.length > 0 ? rewards.reduce((a, b) => a + b, 0) / rewards.length : null;
  return {
    revision: `${count} ${mean} ${dead} ${withStep}`,
    content: () => [
      ...(withStep ? [m('span', { class: 'muted step-of' }, t('traces.atStep', { step: group.step }))] : []),
      m('span', { class: 'prompt' }, promptOf(group)),
      ...(dead
        ? [m('span', { class: 'tag', title: t('chart.dead.about') }, iconMark('circle-slash'), t('traces.dead'))]
        : []),
      m(
        'span',
        { class: 'cell solved', title: t('traces.solvedOf', { solved, of: group.traces.length }) },
        m('span', { class: 'meter', 'aria-hidden': 'true', vars: { '--share': String(solved / group.traces.length) } }),
        count,
        hiddenMark(` ${t('traces.column.solved')}`),
      ),
      m(
        'span',
        { class: 'cell', title: t('traces.meanReward') },
        hiddenMark(`${t('traces.meanReward')} `),
        decimal(mean, 2),
      ),
      m('span', { class: 'cell' }),
    ],
  };
}

export function traceRow(
  trace: TraceSummary,
  group: Group,
  withPrompt: boolean,
): { content: () => Content[]; revision: string } {
  const cut = trace.truncated === 'no' ? '' : t(`truncated.${trace.truncated}`);
  return {
    revision: `${trace.reward} ${trace.advantage} ${trace.solved}`,
    content: () => [
      outcomeMark(trace),
      hiddenMark(outcomeWord(trace.solved)),
      ...(withPrompt ? [m('span', { class: 'prompt' }, promptOf(group))] : []),
      m('span', { class: 'path mono' }, cut ? trace.path.replace(/ → \([^)]*\)$/, '') : trace.path),
      ...(cut ? [m('span', { class: 'tag warning' }, iconMark('warning'), cut)] : []),
      m('span', { class: 'cell solved' }),
      m(
        'span',
        { class: 'cell', title: t('fact.reward') },
        hiddenMark(`${t('fact.reward')} `),
        trace.reward === null ? '–' : decimal(trace.reward, 2),
      ),
      m(
        'span',
        { class: 'cell', title: t('fact.advantage') },
        ...(trace.advantage === null ? [] : [hiddenMark(`${t('fact.advantage')} `), signed(trace.advantage)]),
      ),
    ],
  };
}

export function outcomeMark({ solved }: Pick<TraceSummary, 'solved'>): Markup {
  const [glyph, kind] =
    solved === true ? ['pass', 'good'] : solved === false ? ['error', 'bad'] : ['circle-slash', 'muted'];
  return iconMark(glyph!, kind);
}

export const outcomeWord = (solved: boolean | null): string =>
  t(solved === true ? 'outcome.solved' : solved === false ? 'outcome.unsolved' : 'outcome.unknown');

const promptOf = (group: Group): string => `“${oneLine(group.prompt, 160)}”`;

/**
 * Over the rows: how many of them, or why there are none. @param all groups at the place, groups those of them that
 * are shown
 */
export function summaryText(
  groups: readonly Group[],
  all: readonly Group[],
  step: number,
  isArriving: boolean,
): string {
  if (isArriving) return t('traces.arriving');
  if (all.length === 0) return t('traces.noneAtStep', { step });
  if (groups.length === 0) return t('traces.noMatch');
  const traces = groups.flatMap((group) => group.traces);
  return t('traces.summary', {
    groups: integer(groups.length),
    allGroups: integer(all.length),
    solved: integer(solvedCount(traces)),
    traces: integer(traces.length),
  });
}

/** Names of the columns over the rows. */
export const rowsHead = (): Markup =>
  m(
    'div',
    { class: 'tree-head', 'aria-hidden': 'true' },
    m('span', { class: 'cell solved' }, t('traces.column.solved')),
    m('span', { class: 'cell' }, t('traces.column.reward')),
    m('span', { class: 'cell' }, t('traces.column.advantage')),
  );

/** Stages and gates as a row: what each began with -> what it came to, and what its gate passed on. */
import type { RunState } from '../../../trainer/protocol/runState';
import type { StageState } from '../../../trainer/protocol/stages';
import { button } from '../../components/controls';
import { h, icon } from '../../components/dom';
import { intervalPlot } from '../../components/intervalPlot';
import { changeText, verdictBadge } from '../../components/parts';
import { gainChange } from '../../derive/noise';
import { lastPassed, stageSpans, type StageSpan } from '../../derive/stageSpans';
import { integer, percent, percentInterval, withMinusSigns } from '../../shared/format';
import { t } from '../../shared/strings';

export interface StageRowActions {
  /** to what its last step sampled */
  openTraces(step: number): void;
}

/** A list, so that a screen reader says how many stages there are; each is followed by its gate. */
export function stageRow({ manifest, stages, status }: RunState, actions: StageRowActions): HTMLElement {
  const spans = stageSpans(manifest);
  const isLive = status === 'running';
  const startOf = (index: number): string => {
    const passed = lastPassed(spans, stages, index);
    return passed ? t('pipeline.startOf', { stage: passed.inWords }) : t('pipeline.startPlain');
  };
  return h(
    'ol',
    { class: 'stage-row', 'aria-label': t('pipeline.row') },
    ...spans.map((span, i) =>
      h(
        'li',
        { class: 'stage-place' },
        stageCard(span, stages[i] ?? null, isLive, startOf(i), actions),
        stageGate(stages[i] ?? null),
      ),
    ),
  );
}

function stageCard(
  { name, steps, fromStep }: StageSpan,
  state: StageState | null,
  isLive: boolean,
  start: string,
  { openTraces }: StageRowActions,
): HTMLElement {
  const result = state?.result ?? null;
  const word = state === null ? 'stages.waiting' : isLive ? 'stages.running' : 'stages.stopped';
  return h(
    'section',
    { class: `stage-card ${state === null ? 'is-waiting' : ''}`.trim(), 'aria-label': name },
    h(
      'header',
      { class: 'stage-head' },
      h('h3', null, name),
      h('span', { class: 'muted' }, t('pipeline.steps', { steps: integer(steps) })),
    ),
    ...(result === null
      ? [h('p', { class: 'muted' }, t(word))]
      : [
          h(
            'p',
            { class: 'stage-figures' },
            h('span', null, `${percent(result.before.success)} ${percentInterval(result.before.ci95)}`),
            h('span', { 'aria-label': t('pipeline.to') }, '→'),
            h('b', null, `${percent(result.after.success)} ${percentInterval(result.after.ci95)}`),
          ),
          intervalPlot(result.before, result.after),
          changeLine(result),
        ]),
    state === null ? null : h('p', { class: 'muted stage-start' }, start),
    result === null
      ? null
      : button({
          label: t('pipeline.traces', { stage: name }),
          icon: 'list-tree',
          onClick: () => openTraces(fromStep + steps),
        }).element,
  );
}

function changeLine({ gain, after }: NonNullable<StageState['result']>): HTMLElement {
  const change = gainChange(gain, after.n);
  return h(
    'p',
    { class: 'verdict-line' },
    h('span', null, t('pipeline.change', { change: changeText(change), n: integer(after.n) })),
    verdictBadge(change),
  );
}

/** What goes over to the next stage; its reason in words below. */
function stageGate(state: StageState | null): HTMLElement {
  const result = state?.result ?? null;
  if (result === null) return h('div', { class: 'stage-gate' }, icon('arrow-right'));
  const { passed, gate } = result;
  return h(
    'div',
    { class: `stage-gate ${passed ? 'is-open' : 'is-shut'}` },
    h(
      'p',
      { class: `verdict ${passed ? 'gain' : 'loss'}` },
      icon(passed ? 'pass' : 'circle-slash'),
      t(passed ? 'stages.passed' : 'stages.refused'),
    ),
    h('p', { class: 'muted' }, withMinusSigns(gate)),
  );
}

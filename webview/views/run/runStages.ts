/** Pipeline: a row per stage, what it began with -> what it learnt on validation tasks, and what its gate passed on. */
import type { RunState } from '../../../trainer/protocol/runState';
import type { StageState } from '../../../trainer/protocol/stages';
import { changeText } from '../../components/parts';
import { h, icon, replace } from '../../components/dom';
import { table } from '../../components/table';
import { gainChange } from '../../derive/noise';
import { integer, percent, percentInterval, withMinusSigns } from '../../shared/format';
import { t } from '../../shared/strings';

interface Row {
  name: string;
  steps: number;
  /** null: not begun */
  state: StageState | null;
}

export class RunStages {
  readonly element = h('section', { class: 'stages', 'aria-labelledby': 'stages-title', hidden: true });
  private drawn: unknown[] = [];

  update({ manifest, stages, status }: RunState): void {
    if ([manifest, stages, status].every((value, i) => value === this.drawn[i]) && this.drawn.length > 0) return;
    this.drawn = [manifest, stages, status];
    const planned = manifest?.stages ?? [];
    this.element.hidden = planned.length === 0;
    if (planned.length === 0) return;
    const rows = planned.map(
      ({ method, steps }, i): Row => ({
        name: `${i + 1}. ${method}`,
        steps,
        state: stages[i] ?? null,
      }),
    );
    const isLive = status === 'running';
    replace(
      this.element,
      h('h2', { id: 'stages-title' }, t('stages.title')),
      table(
        t('stages.caption'),
        [
          { label: t('stages.stage'), cell: (r) => r.name, isHead: true },
          { label: t('stages.steps'), cell: (r) => integer(r.steps), isNumber: true },
          { label: t('table.before'), cell: (r) => shareText(r.state?.result?.before), isNumber: true },
          { label: t('table.after'), cell: (r) => shareText(r.state?.result?.after), isNumber: true },
          {
            label: t('table.change'),
            cell: ({ state }) =>
              state?.result ? changeText(gainChange(state.result.gain, state.result.after.n)) : '–',
            isNumber: true,
          },
          { label: t('stages.gate'), cell: (r) => gateCell(r, isLive) },
        ],
        rows,
      ),
    );
  }
}

const shareText = (measured: NonNullable<StageState['result']>['before'] | undefined): string =>
  measured ? `${percent(measured.success)} ${percentInterval(measured.ci95)}` : '–';

function gateCell({ state }: Row, isLive: boolean): HTMLElement {
  if (state === null) return h('span', { class: 'muted' }, t('stages.waiting'));
  if (state.result === null) return h('span', { class: 'muted' }, t(isLive ? 'stages.running' : 'stages.stopped'));
  const { passed, gate } = state.result;
  return h(
    'span',
    null,
    h(
      'span',
      { class: `verdict ${passed ? 'gain' : 'loss'}` },
      icon(passed ? 'pass' : 'circle-slash'),
      t(passed ? 'stages.passed' : 'stages.refused'),
    ),
    ' ',
    h('span', { class: 'muted' }, withMinusSigns(gate)),
  );
}

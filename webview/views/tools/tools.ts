/** Page Tools: does the policy use each tool, and does it solve the task when it does? Before the coaching and now. */
import { emptyState, iconButton } from '../../components/parts';
import { table } from '../../components/table';
import { toolUse, type ToolUse } from '../../derive/beforeAfter';
import { h, replace } from '../../components/dom';
import { percent } from '../../shared/format';
import { t } from '../../shared/strings';
import type { Context, View } from '../view';
import { ToolGraphSection } from './toolGraph';

export class ToolsView implements View {
  readonly element = h('div', { class: 'page tools-page' });
  readonly heading = h('h1', { tabindex: '-1' }, t('page.tools'));
  private readonly body = h('div');
  private readonly graph: ToolGraphSection;
  private drawn: unknown[] = [];

  constructor(private readonly context: Context) {
    this.graph = new ToolGraphSection(context.store);
    this.element.append(this.heading, this.body, this.graph.element);
  }

  update(): void {
    const { store } = this.context;
    const { run } = store;
    this.graph.element.hidden = !run?.manifest;
    this.graph.update();
    // Once per step is enough, and counts whole steps only.
    const inputs = [run?.manifest, run?.curve, run?.phase, run?.status];
    if (this.drawn.length > 0 && inputs.every((value, i) => value === this.drawn[i])) return;
    this.drawn = inputs;
    if (!run?.manifest) {
      replace(this.body, emptyState('tools', t('tools.none'), t('tools.none.text')));
      return;
    }
    const latest = run.evaluations.some((e) => e.which === 'after') ? t('tools.after') : t('tools.now');
    const share = (use: ToolUse['before']): string =>
      use === null ? t('notMeasured') : `${percent(use.used / use.traces, 0)} (${use.used}/${use.traces})`;
    const solved = (use: ToolUse['before']): string =>
      use === null || use.used === 0 ? '–' : `${percent(use.solved / use.used, 0)} (${use.solved}/${use.used})`;
    const reveal = (use: ToolUse): HTMLElement =>
      iconButton(
        t('action.revealTool', { tool: use.tool }),
        'go-to-file',
        () => store.runId !== null && store.send({ type: 'revealTool', runId: store.runId, tool: use.tool }),
      ).element;
    replace(
      this.body,
      h('p', { class: 'muted' }, t('tools.text')),
      table(
        t('page.tools'),
        [
          {
            label: t('table.tool'),
            cell: (u) => h('span', { class: 'tool-name mono' }, u.tool, reveal(u)),
            isHead: true,
          },
          { label: t('tools.usedBefore'), cell: (u) => share(u.before), isNumber: true },
          { label: t('tools.used', { when: latest }), cell: (u) => share(u.latest), isNumber: true },
          { label: t('tools.solvedBefore'), cell: (u) => solved(u.before), isNumber: true },
          { label: t('tools.solved', { when: latest }), cell: (u) => solved(u.latest), isNumber: true },
        ],
        toolUse(store.index, run.manifest.toolNames),
        { isCaptionHidden: true },
      ),
    );
  }

  dispose(): void {}
}

/**
 * The steps of a trace as a list with a waterfall: who took how long, when. A step leads to its place in the
 * conversation.
 */
import type { Trace } from '../../../trainer/protocol/trace';
import { VirtualRows } from '../../components/virtualRows';
import { saidAfter, type Steps } from '../../derive/traceSteps';
import { h, icon, type Disposable } from '../../components/dom';
import { duration } from '../../shared/format';
import { t } from '../../shared/strings';

interface Entry {
  anchor: string;
  glyph: string;
  label: string;
  kind: 'turn' | 'call';
  startMs: number | null;
  durationMs: number;
  problem: string | null;
}

export class Outline implements Disposable {
  readonly element: HTMLElement;
  private readonly entries: Entry[];
  private readonly rows: VirtualRows;
  private current = 0;

  constructor(trace: Trace, steps: Steps, onPick: (anchor: string) => void) {
    this.entries = outlineEntries(trace, steps);
    const list = h('ol', {
      class: 'outline-list',
      on: { keydown: (event) => this.onKey(event), focusin: (event) => this.onFocus(event) },
    });
    this.rows = new VirtualRows(list, {
      rowHeight: 36,
      key: String,
      create: (i) => h('li', { 'data-at': i }, this.row(this.entries[i]!, steps.totalMs, onPick, i)),
      update: (li, i) => void ((li.firstElementChild as HTMLElement).tabIndex = i === this.current ? 0 : -1),
      focusable: (li) => li.firstElementChild as HTMLElement,
    });
    this.element = h(
      'nav',
      { class: 'outline', 'aria-labelledby': 'outline-title' },
      h(
        'h2',
        { id: 'outline-title' },
        t('outline.title'),
        h('span', { class: 'muted' }, ` ${duration(steps.totalMs)}`),
      ),
      h('div', { class: 'outline-box' }, list),
    );
    this.rows.set(this.entries.length);
  }

  dispose(): void {
    this.rows.dispose();
  }

  private go(i: number): void {
    this.current = i;
    this.rows.keep(i);
  }

  private onFocus(event: FocusEvent): void {
    const li = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-at]') : null;
    if (li && Number(li.dataset.at) !== this.current) this.go(Number(li.dataset.at));
  }

  private onKey(event: KeyboardEvent): void {
    const last = this.entries.length - 1;
    const to = {
      ArrowDown: this.current + 1,
      ArrowUp: this.current - 1,
      Home: 0,
      End: last,
      PageDown: this.current + 12,
      PageUp: this.current - 12,
    }[event.key];
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    this.go(Math.min(last, Math.max(0, to)));
    this.rows.focus(this.current);
  }

  private row(entry: Entry, totalMs: number, onPick: (anchor: string) => void, i: number): HTMLElement {
    const start = entry.startMs ?? 0;
    const bar = h('span', {
      class: `bar ${entry.kind}`,
      'aria-hidden': 'true',
      vars: {
        '--start': String(Math.min(1, start / totalMs)),
        '--length': String(Math.min(1, entry.durationMs / totalMs)),
      },
    });
    return h(
      'button',
      {
        type: 'button',
        class: `outline-row ${entry.kind} ${entry.problem ? 'bad' : ''}`,
        tabindex: i === this.current ? '0' : '-1',
        title: entry.problem ?? undefined,
        on: { click: () => onPick(entry.anchor) },
      },
      icon(entry.problem ? 'error' : entry.glyph),
      h(
        'span',
        { class: 'outline-label' },
        entry.label,
        entry.problem ? h('span', { class: 'visually-hidden' }, `, ${entry.problem}`) : null,
      ),
      h(
        'span',
        { class: 'outline-time' },
        entry.anchor === 'end' ? '' : entry.startMs === null ? t('outline.notRun') : duration(entry.durationMs),
      ),
      h('span', { class: 'waterfall' }, bar),
    );
  }
}

function outlineEntries(trace: Trace, steps: Steps): Entry[] {
  const entries: Entry[] = [];
  for (const step of steps.turns) {
    const label =
      step.turn.parseError !== undefined
        ? t('outline.unreadable', { n: step.number })
        : step.isAnswer
          ? t('outline.answer', { n: step.number })
          : t('outline.turn', { n: step.number });
    entries.push({
      anchor: `turn-${step.number}`,
      glyph: step.isAnswer ? 'comment' : 'sparkle',
      label,
      kind: 'turn',
      startMs: step.startMs,
      durationMs: step.durationMs,
      problem: step.turn.parseError ?? null,
    });
    step.calls.forEach((call, i) => {
      const problem = call.isError && call.call.result ? t(`result.${call.call.result.kind}`) : null;
      entries.push({
        anchor: `call-${step.number}-${i}`,
        glyph: 'tools',
        label: call.call.name,
        kind: 'call',
        startMs: call.startMs,
        durationMs: call.durationMs,
        problem,
      });
    });
    saidAfter(trace, step.number - 1).forEach((message, i) =>
      entries.push({
        anchor: `said-${step.number}-${i}`,
        glyph: 'account',
        label: t(message.role === 'system' ? 'who.system' : 'who.userAgain'),
        kind: 'turn',
        startMs: step.startMs + step.durationMs,
        durationMs: 0,
        problem: null,
      }),
    );
  }
  if (trace.truncated !== 'no')
    entries.push({
      anchor: 'end',
      glyph: 'warning',
      label: t(`truncated.${trace.truncated}`),
      kind: 'turn',
      startMs: steps.totalMs,
      durationMs: 0,
      problem: t(`truncated.${trace.truncated}`),
    });
  return entries;
}

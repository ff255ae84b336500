/**
 * Page Traces: the rollouts of a step, a validation, or before and after, grouped by task; filter, and a tree to walk.
 */
import type { TraceSummary } from '../../../trainer/protocol/trace';
import {
  asksOfTraces,
  matchesTrace,
  noFacts,
  noFilter,
  parseTraceFilter,
  type TraceFacts,
  type TraceFilter,
} from '../../../trainer/protocol/traceFilter';
import { button, dropdown, progressRing, textField } from '../../components/controls';
import { emptyState, notice } from '../../components/parts';
import { groupRow, OPEN_UP_TO, rowsHead, summaryText, traceRow } from '../../shared/traceRows';
import { Tree, type TreeNode } from '../../components/tree';
import { isDead, placeOf, ranked, solvedCount, type Group } from '../../shared/traceIndex';
import { draw, h, replace, setText } from '../../components/dom';
import { integer } from '../../shared/format';
import type { Route } from '../../messages';
import { t } from '../../shared/strings';
import { TracesPictures } from './tracesPictures';
import type { Context, View } from '../view';

type Phase = TraceSummary['phase'];
type Only = 'all' | 'mixed' | 'dead' | 'solved' | 'unsolved' | 'truncated';
const ONLY: Only[] = ['all', 'mixed', 'dead', 'solved', 'unsolved', 'truncated'];

export class TracesView implements View {
  readonly element: HTMLElement;
  readonly heading = h('h1', { tabindex: '-1' }, t('page.traces'));
  private readonly tree = new Tree(t('traces.tree'));
  private readonly phase;
  private readonly only;
  private readonly field;
  private readonly stepRow = h('div', { class: 'stepper', role: 'group', 'aria-label': t('traces.step') });
  private readonly stepText = h('span', { class: 'stepper-text' });
  private readonly previous;
  private readonly next;
  private readonly latest;
  private readonly summary = h('p', { class: 'muted', role: 'status' });
  private readonly empty = h('div');
  private readonly problems = h('div');
  private problemsShown = '';
  private readonly head = draw(rowsHead());
  private readonly toolbar: HTMLElement;
  private readonly behind = h('div', { class: 'toolbar' });
  private readonly pictures: TracesPictures;
  private readonly every;
  private onlyValue: Only = 'all';
  private text = '';
  private filter: TraceFilter = noFilter;
  private drawn: unknown[] = [];
  private factsOf: { judged: unknown; facts: TraceFacts } | null = null;
  /** what the filter reads of a group, made once for as many traces as it has */
  private readonly words = new WeakMap<Group, { traces: number; text: string }>();

  constructor(private readonly context: Context) {
    const { store } = context;
    this.phase = dropdown(t('traces.phase'), (phase) => this.go({ page: 'traces', phase: phase as Phase }));
    const { only, filter } = store.opened;
    if (ONLY.includes(only as Only)) this.onlyValue = only as Only;
    this.text = filter ?? '';
    this.only = dropdown(
      t('traces.only'),
      (value) => ((this.onlyValue = value as Only), store.setOpened({ only: value }), this.update()),
    );
    this.field = textField(
      t('traces.filter'),
      t('traces.filter.hint'),
      (text) => (
        (this.text = text),
        (this.filter = parseTraceFilter(text).filter),
        store.setOpened({ filter: text }),
        this.update()
      ),
    );
    this.field.set(this.text);
    this.filter = parseTraceFilter(this.text).filter;
    this.pictures = new TracesPictures(store);
    this.every = button({
      label: t('traces.every'),
      icon: 'layers',
      title: t('traces.every.about'),
      onClick: () => this.toggleEvery(),
    });
    this.previous = button({
      label: t('traces.previousStep'),
      icon: 'chevron-left',
      kind: 'icon',
      onClick: () => this.move(-1),
    });
    this.next = button({
      label: t('traces.nextStep'),
      icon: 'chevron-right',
      kind: 'icon',
      onClick: () => this.move(1),
    });
    this.latest = button({
      label: t('traces.follow'),
      icon: 'debug-step-over',
      kind: 'secondary',
      title: t('traces.follow.about'),
      onClick: () => store.go({ page: 'traces', phase: this.route().phase }),
    });
    this.stepRow.append(
      this.previous.element,
      this.stepText,
      this.next.element,
      this.latest.element,
      this.every.element,
    );
    this.toolbar = h(
      'div',
      { class: 'toolbar' },
      this.phase.element,
      this.stepRow,
      this.only.element,
      this.field.element,
    );
    this.element = h(
      'div',
      { class: 'page traces-page' },
      this.heading,
      this.problems,
      this.behind,
      this.toolbar,
      this.pictures.element,
      this.summary,
      this.empty,
      h('div', null, this.head, this.tree.element),
    );
  }

  update(): void {
    const { store } = this.context;
    const { index } = store;
    const route = this.route();
    this.drawProblems();
    const inputs = [
      store.runId,
      store.run?.traces,
      route,
      this.onlyValue,
      this.text,
      store.judging.judged,
      store.isArriving,
      store.taskFactsHere,
    ];
    if (this.drawn.length > 0 && inputs.every((value, i) => value === this.drawn[i])) return;
    this.drawn = inputs;
    this.drawBehind(route);
    this.pictures.update(route.behind ? null : placeOf(index, route));
    if (route.behind) return this.updateBehind(route.behind);
    const place = placeOf(index, route);
    const hasAny = place !== null;
    this.toolbar.hidden = !hasAny;
    this.summary.hidden = !hasAny;
    this.tree.element.hidden = !hasAny;
    this.head.hidden = !hasAny;
    this.empty.hidden = hasAny;
    if (!place) {
      if (this.empty.childElementCount === 0)
        this.empty.append(emptyState('list-tree', t('traces.none'), t(store.file ? 'file.none' : 'traces.none.text')));
      return;
    }
    const { phase, phases, steps, step, groups: all } = place;
    this.phase.set(
      phases.map((p) => ({ value: p, label: t(`phaseName.${p}`) })),
      phase,
    );
    this.only.set(
      ONLY.map((o) => ({ value: o, label: t(`only.${o}`) })),
      this.onlyValue,
    );
    const isEvery = route.all === true;
    this.drawStepper(phase, step, steps, isEvery);
    const groups = all.filter((group) => this.matches(group, route.taskId));
    setText(this.summary, summaryText(groups, all, step, store.isArriving));
    const allSingle = groups.every((g) => g.traces.length === 1);
    this.tree.set(
      groups.map((group) =>
        allSingle ? this.traceNode(group.traces[0]!, group, true) : this.groupNode(group, isEvery),
      ),
      { opensByDefault: groups.length <= OPEN_UP_TO },
    );
  }

  dispose(): void {
    this.tree.dispose();
  }

  /** Only the traces behind a cell of a picture, whatever their step. */
  private updateBehind({ traceIds }: NonNullable<ReturnType<TracesView['route']>['behind']>): void {
    const { index } = this.context.store;
    for (const part of [this.toolbar, this.summary, this.empty]) part.hidden = true;
    for (const part of [this.tree.element, this.head]) part.hidden = false;
    this.tree.set(
      traceIds.flatMap((id) => {
        const [trace, group] = [index.byId.get(id), index.groupOf(id)];
        return trace && group ? [this.traceNode(trace, group, true)] : [];
      }),
      { opensByDefault: false },
    );
  }

  private drawBehind({ behind }: ReturnType<TracesView['route']>): void {
    this.behind.hidden = !behind;
    if (!behind) return;
    const count = integer(behind.traceIds.length);
    replace(
      this.behind,
      h(
        'p',
        { role: 'status' },
        h('b', null, behind.title),
        ' · ',
        behind.all > behind.traceIds.length
          ? t('picture.behindSome', { count, all: integer(behind.all) })
          : t('picture.behindCount', { count }),
      ),
      button({ label: t('picture.showAll'), icon: 'list-tree', onClick: () => this.go({ page: 'traces' }) }).element,
    );
  }

  /** What of a trace file could not be read, by line. */
  private drawProblems(): void {
    const { file } = this.context.store;
    if (file) setText(this.heading, file.name);
    const problems = file?.problems ?? [];
    const state = `${file?.isReading} ${problems.length}`;
    if (state === this.problemsShown) return;
    this.problemsShown = state;
    const [first, ...more] = problems;
    replace(
      this.problems,
      file?.isReading ? progressRing(t('file.reading')) : null,
      first === undefined
        ? null
        : notice(
            'warning',
            h('p', { class: 'notice-title' }, t('file.problems', { count: integer(problems.length) })),
            h('p', null, first),
            more.length === 0
              ? null
              : h(
                  'details',
                  null,
                  h('summary', null, t('list.more', { count: more.length })),
                  h('ul', { class: 'plain-list' }, ...more.map((text) => h('li', null, text))),
                ),
          ),
    );
  }

  private route(): Extract<Route, { page: 'traces' }> {
    const { route } = this.context.store;
    return route.page === 'traces' ? route : { page: 'traces' };
  }

  private go(route: Route): void {
    this.context.store.go(route);
  }

  private toggleEvery(): void {
    const { step: _, all, ...route } = this.route();
    this.go(all ? route : { ...route, all: true });
  }

  private drawStepper(phase: Phase, step: number, steps: number[], isEvery: boolean): void {
    const isStepped = phase === 'train' || phase === 'validation';
    this.stepRow.hidden = !isStepped;
    setText(
      this.stepText,
      isEvery ? t('traces.everyStep', { count: integer(steps.length) }) : t('traces.atStep', { step }),
    );
    this.previous.setDisabled(isEvery || !(steps[0] !== undefined && steps[0] < step));
    this.next.setDisabled(isEvery || !(steps.length > 0 && steps[steps.length - 1]! > step));
    this.latest.setDisabled(this.route().step === undefined && !isEvery);
    this.every.setPressed(isEvery);
  }

  private move(by: number): void {
    const route = this.route();
    const phase = route.phase ?? 'train';
    const steps = this.context.store.index.steps(phase);
    const at = route.step ?? steps[steps.length - 1] ?? 0;
    const target = by < 0 ? steps.filter((s) => s < at).pop() : steps.find((s) => s > at);
    if (target !== undefined) this.go({ ...route, phase, step: target });
  }

  private matches(group: Group, taskId: string | undefined): boolean {
    if (taskId !== undefined && group.taskId !== taskId) return false;
    const { filter } = this;
    if (filter.words.length > 0 && !filter.words.every((word) => this.wordsOf(group).includes(word))) return false;
    if (asksOfTraces(filter) && !group.traces.some((trace) => matchesTrace(filter, trace, this.facts()))) return false;
    const solved = solvedCount(group.traces);
    switch (this.onlyValue) {
      case 'all':
        return true;
      case 'mixed':
        return solved > 0 && solved < group.traces.length;
      case 'dead':
        return isDead(group);
      case 'solved':
        return solved === group.traces.length;
      case 'unsolved':
        return solved === 0;
      case 'truncated':
        return group.traces.some((tr) => tr.truncated !== 'no');
    }
  }

  /** What the judge and people said, asked for when a filter wants to know. */
  private facts(): TraceFacts {
    if (!this.filter.is.some((is) => /judged|marked/.test(is))) return noFacts;
    const judged = this.context.store.judgeOverview();
    if (judged === this.factsOf?.judged) return this.factsOf!.facts;
    const facts = {
      judged: new Set(judged?.verdicts.flatMap((verdict) => (verdict.ranks === null ? [] : verdict.traceIds))),
      marked: new Set(judged?.marks.flatMap(({ traceIds }) => traceIds)),
    };
    this.factsOf = { judged, facts };
    return facts;
  }

  private wordsOf(group: Group): string {
    const known = this.words.get(group);
    if (known?.traces === group.traces.length) return known.text;
    const text = [group.prompt, group.taskId, ...new Set(group.traces.map((tr) => tr.path))].join('\n').toLowerCase();
    this.words.set(group, { traces: group.traces.length, text });
    return text;
  }

  private groupNode(group: Group, withStep: boolean): TreeNode {
    const { content, revision } = groupRow(group, withStep);
    return {
      id: group.key,
      revision,
      content: () => content().map((part) => draw(part)),
      onOpen: () => this.context.store.go({ page: 'group', groupId: group.key }),
      children: () => ranked(group.traces).map((trace) => this.traceNode(trace, group, false)),
    };
  }

  private traceNode(trace: TraceSummary, group: Group, withPrompt: boolean): TreeNode {
    const { content, revision } = traceRow(trace, group, withPrompt);
    return {
      id: trace.id,
      revision,
      content: () => content().map((part) => draw(part)),
      onOpen: () => this.context.store.go({ page: 'trace', traceId: trace.id }),
    };
  }
}

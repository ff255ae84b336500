/**
 * The shell: which run, which page, the announcements, and failures of what the user asked for. One page is mounted at
 * a time.
 */
import { dropdown } from './components/controls';
import { iconButton, statusWord } from './components/parts';
import { onThemeChange, readTheme } from './components/chartTheme';
import { draw, h, hidden, icon, keyed, replace, setAttribute, setText, type Disposable } from './components/dom';
import { standingOf } from '../trainer/protocol/runMethod';
import { moment, percent, shortPath } from './shared/format';
import type { Route } from './messages';
import { NAVIGATION, navigationOf, pageButton, type Page } from './shared/navigation';
import type { Store } from './store';
import { t } from './shared/strings';
import { EvaluationView } from './views/evaluation/evaluation';
import { GroupView } from './views/group/group';
import { JudgeView } from './views/judge/judge';
import { LessonsView } from './views/lessons/lessons';
import { MarkingView } from './views/marking/marking';
import { PipelineView } from './views/pipeline/pipeline';
import { RunView } from './views/run/run';
import { RunsView } from './views/runs/runs';
import { ToolsView } from './views/tools/tools';
import { TryView } from './views/try/try';
import { TraceView } from './views/trace/trace';
import { TracesView } from './views/traces/traces';
import type { Context, View } from './views/view';

const views: Record<Page, (context: Context) => View> = {
  run: (c) => new RunView(c),
  pipeline: (c) => new PipelineView(c),
  evaluation: (c) => new EvaluationView(c),
  tools: (c) => new ToolsView(c),
  runs: (c) => new RunsView(c),
  traces: (c) => new TracesView(c),
  trace: (c) => new TraceView(c),
  group: (c) => new GroupView(c),
  compare: (c) => new GroupView(c),
  judge: (c) => new JudgeView(c),
  try: (c) => new TryView(c),
  marking: (c) => new MarkingView(c),
  lessons: (c) => new LessonsView(c),
};
const parentOf: Partial<Record<Page, Page>> = {
  trace: 'traces',
  group: 'traces',
  compare: 'evaluation',
  lessons: 'run',
};

export class App implements Disposable {
  private view: View | null = null;
  private mounted = '';
  private readonly context: Context;
  private readonly main = h('main', { id: 'main' });
  private readonly nav = h('ul', { class: 'nav-list' });
  private readonly runs;
  private readonly crumbs = h('nav', { class: 'crumbs', 'aria-label': t('nav.crumbs') });
  private readonly live = h('div', { class: 'visually-hidden', role: 'status', 'aria-live': 'polite' });
  private readonly failure = h('div');
  private failureShown: unknown = null;
  private focusNext = false;
  private readonly subscriptions: Disposable[] = [];

  constructor(
    root: HTMLElement,
    private readonly store: Store,
    now: () => number,
  ) {
    this.context = { store, theme: readTheme(), now };
    this.runs = dropdown(t('nav.run'), (runId) => store.selectRun(runId));
    root.classList.remove('is-first');
    root.removeAttribute('aria-busy');
    replace(
      root,
      h('header', { class: 'app-header' }, h('nav', { 'aria-label': t('nav.pages') }, this.nav), this.runs.element),
      this.crumbs,
      this.failure,
      this.main,
      this.live,
    );
    this.subscriptions.push(
      store.subscribe(() => this.update()),
      onThemeChange(() => {
        this.context.theme = readTheme();
        this.view?.setTheme?.(this.context.theme);
      }),
    );
    root.addEventListener('click', (event) => this.userWent(event));
    root.addEventListener('keydown', (event) => event.key === 'Enter' && this.userWent(event));
    this.update();
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
    this.view?.dispose();
  }

  /**
   * Only a page change that the user made here moves the focus; one that the host asked for must not steal it from the
   * editor.
   */
  private userWent(event: Event): void {
    this.focusNext = event.isTrusted;
    requestAnimationFrame(() => requestAnimationFrame(() => (this.focusNext = false)));
  }

  private update(): void {
    const { store } = this;
    this.drawFailure();
    if (!store.canDraw) return;
    const { route } = store;
    const place = `${store.runId} ${route.page}${route.page === 'judge' && route.groupId !== undefined ? ' group' : ''}`;
    if (place !== this.mounted) this.mount(route.page, place);
    this.drawNavigation(route.page);
    this.drawRuns();
    this.view?.update();
    this.announce();
  }

  private mount(page: Page, place: string): void {
    const hadFocus = this.main.contains(document.activeElement);
    this.view?.dispose();
    this.view = views[page](this.context);
    replace(this.main, this.view.element);
    if (this.mounted !== '') document.documentElement.scrollTop = 0; // it would lay out the page at once
    this.mounted = place;
    if (this.focusNext || hadFocus) this.view.heading.focus({ preventScroll: true });
    this.focusNext = false;
  }

  private drawNavigation(page: Page): void {
    const { store } = this;
    const current = this.parent() ?? page;
    const items = store.file ? NAVIGATION.filter((item) => item.page === 'traces') : navigationOf(store.run?.manifest);
    keyed(
      this.nav,
      items,
      (item) => item.page,
      (item) => {
        const to = draw(pageButton(item));
        to.addEventListener('click', () => store.go({ page: item.page } as Route));
        return h('li', null, to);
      },
      () => {},
    );
    for (const li of Array.from(this.nav.children))
      setAttribute(
        li.firstElementChild!,
        'aria-current',
        li instanceof HTMLElement && li.dataset.key === current ? 'page' : null,
      );
    const parent = this.parent();
    this.crumbs.hidden = parent === undefined;
    if (parent) this.drawCrumbs(page, parent);
  }

  /** The page that this one is a part of. */
  private parent(): Page | undefined {
    const { route, index } = this.store;
    if (route.page === 'judge') return route.groupId === undefined ? undefined : 'judge';
    const isOfTries = route.page === 'compare' && route.traceIds.every((id) => index.byId.get(id)?.phase === 'try');
    return isOfTries ? 'try' : parentOf[route.page];
  }

  private drawCrumbs(page: Page, parent: Page): void {
    const { store } = this;
    const group =
      store.route.page === 'trace'
        ? store.index.groupOf(store.route.traceId)
        : store.route.page === 'group'
          ? store.index.group(store.route.groupId)
          : undefined;
    const up: Route =
      parent === 'traces'
        ? group
          ? { page: 'traces', phase: group.phase, step: group.step }
          : { page: 'traces' }
        : parent === 'judge' || parent === 'run' || parent === 'try'
          ? { page: parent }
          : { page: 'evaluation' };
    const label =
      parent === 'traces' && group && (group.phase === 'train' || group.phase === 'validation')
        ? t('crumb.tracesOf', { step: group.step })
        : t(`page.${parent}`);
    const key = `${page} ${label}`;
    if (this.crumbs.dataset.shown === key) return;
    this.crumbs.dataset.shown = key;
    replace(
      this.crumbs,
      h(
        'button',
        { type: 'button', class: 'link', on: { click: () => store.go(up) } },
        icon('arrow-left'),
        ` ${label}`,
      ),
      h('span', { 'aria-hidden': 'true' }, '/'),
      h(
        'span',
        null,
        t(
          page === 'trace'
            ? 'page.trace'
            : page === 'group'
              ? 'page.group'
              : page === 'lessons'
                ? 'page.lessons'
                : page === 'judge'
                  ? 'page.judgedGroup'
                  : 'page.compare',
        ),
      ),
    );
  }

  private drawRuns(): void {
    const { store } = this;
    const now = this.context.now();
    this.runs.element.hidden = store.runs.length < 2;
    this.runs.set(
      store.runs.map((r) => ({
        value: r.id,
        label: t('nav.runLabel', {
          time: moment(r.createdAt, now),
          file: r.label?.name || shortPath(r.toolFile),
          method: [r.method, statusWord(standingOf(r, r.status))]
            .filter((word, i, all) => all.indexOf(word) === i)
            .join(' · '),
        }),
      })),
      store.runId ?? '',
    );
  }

  private drawFailure(): void {
    const { failure } = this.store;
    if (failure === this.failureShown) return;
    this.failureShown = failure;
    replace(
      this.failure,
      failure
        ? h(
            'div',
            { class: 'notice error', role: 'alert' },
            icon('error'),
            h(
              'div',
              null,
              h('p', { class: 'notice-title' }, t('failure.title', { request: t(`request.${failure.request}`) })),
              h('p', null, failure.error.message),
              failure.error.hint ? h('p', { class: 'muted' }, failure.error.hint) : null,
            ),
            iconButton(t('action.dismiss'), 'close', () => this.store.dismissFailure()).element,
          )
        : null,
    );
  }

  /** Spoken, politely: the state, each tenth of the way, each validation. */
  private announce(): void {
    const { run, status } = this.store;
    if (!run?.manifest || !status) return;
    const { steps } = run.manifest.config;
    const tenth = Math.floor((10 * run.step) / steps);
    const validation = run.validation[run.validation.length - 1];
    const parts = [statusWord(this.store.standing ?? status)];
    if (status === 'running' && run.phase) parts.push(t(`phase.${run.phase}`));
    if (status === 'running' && run.phase === 'training' && tenth > 0)
      parts.push(t('live.tenth', { percent: 10 * tenth }));
    if (validation)
      parts.push(t('live.validation', { value: percent(validation.result.success, 0), step: validation.step }));
    setText(this.live, parts.join('. '));
  }
}

/** Shown until the first snapshot. */
export const waiting = (): HTMLElement =>
  h('div', { class: 'empty-state', role: 'status' }, icon('loading', 'spin large'), hidden(t('app.waiting')));

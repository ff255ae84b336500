/**
 * Page Try: a prompt, answered by the base model and by a trained version side by side, with the tools. The tries
 * before stand below.
 */
import type { ToolPolicy } from '../../../trainer/protocol/runConfig';
import type { Trace } from '../../../trainer/protocol/trace';
import { emptyState, notice, outcomeIcon, outcomeWord } from '../../components/parts';
import { button, dropdown, progressRing } from '../../components/controls';
import { differenceList, verdictMarks } from '../../components/verdicts';
import { traceSteps } from '../../derive/traceSteps';
import type { Group } from '../../shared/traceIndex';
import { h, icon, replace } from '../../components/dom';
import { integer, oneLine } from '../../shared/format';
import { t } from '../../shared/strings';
import { taskOf } from '../../../trainer/protocol/taskOf';
import { Conversation } from '../trace/traceConversation';
import type { Context, View } from '../view';
import { REQUEST_ID } from '../../../trainer/protocol/task';
import { CorrectForm } from './correctForm';
import { goldText, TryRequests } from './tryRequests';
import { versionText, columnsOf, checkpointText } from './tryText';

const POLICIES: ('auto' | ToolPolicy)[] = ['auto', 'real', 'mock', 'ask'];
/** answers each: greedy, or so many samples */
const ANSWERS = [1, 4];
const TRIES_SHOWN = 20;

export class TryView implements View {
  readonly element = h('div', { class: 'page try-page' });
  readonly heading = h('h1', { tabindex: '-1' }, t('page.try'));
  private readonly field: HTMLTextAreaElement;
  private readonly refused = h('div');
  private readonly version;
  private readonly policy;
  private readonly answers;
  private readonly go;
  private readonly stop;
  private readonly state = h('div', { class: 'try-state', role: 'status', 'aria-live': 'polite' });
  private readonly results = h('div');
  private readonly correcting = h('div');
  private readonly requests: TryRequests;
  private readonly earlier = h('div');
  private readonly form: HTMLElement;
  private chosen = '';
  private policyValue: (typeof POLICIES)[number] = 'auto';
  private answersValue = 1;
  private conversations: Conversation[] = [];
  private shown = '';
  private stateShown = '';
  private earlierShown = '';

  constructor(private readonly context: Context) {
    const { store } = context;
    this.requests = new TryRequests(store);
    this.field = h('textarea', {
      class: 'prompt-field',
      rows: 3,
      id: 'try-prompt',
      placeholder: t('try.hint'),
      on: {
        input: () => store.setOpened({ prompt: this.field.value }),
        keydown: (event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) this.run();
        },
      },
    });
    this.field.value = store.opened.prompt ?? '';
    this.version = dropdown(t('try.version'), (value) => {
      this.chosen = value;
    });
    this.policy = dropdown(t('try.tools'), (value) => {
      this.policyValue = value as ToolPolicy;
    });
    this.policy.set(
      POLICIES.map((value) => ({ value, label: t(`try.tools.${value}`) })),
      'auto',
    );
    this.answers = dropdown(t('try.answers'), (value) => {
      this.answersValue = Number(value);
    });
    this.answers.set(
      ANSWERS.map((n) => ({ value: String(n), label: t(n === 1 ? 'try.greedy' : 'try.sampled', { count: n }) })),
      '1',
    );
    this.go = button({
      label: t('try.go'),
      icon: 'play',
      kind: 'primary',
      title: t('try.go.about'),
      onClick: () => this.run(),
    });
    this.stop = button({ label: t('action.stop'), icon: 'debug-stop', onClick: () => store.cancelTry() });
    this.form = h(
      'div',
      { class: 'try-form' },
      h('label', { for: 'try-prompt', class: 'try-label' }, t('try.prompt')),
      this.field,
      h(
        'div',
        { class: 'toolbar' },
        this.go.element,
        this.stop.element,
        this.version.element,
        this.policy.element,
        this.answers.element,
      ),
    );
    this.element.append(
      this.heading,
      h('p', { class: 'muted' }, t('try.text')),
      this.refused,
      this.form,
      this.state,
      this.results,
      this.correcting,
      this.requests.element,
      this.earlier,
    );
  }

  update(): void {
    const { store } = this.context;
    const tries = store.triesOf();
    const trained = (tries?.versions ?? []).filter(({ version }) => version !== 'base').reverse();
    this.version.element.hidden = trained.length === 0;
    if (!trained.some(({ version }) => String(version) === this.chosen))
      this.chosen = String(trained[0]?.version ?? '');
    this.version.set(
      trained.map(({ version, step }) => ({ value: String(version), label: versionText(version, step) })),
      this.chosen,
    );
    const why = store.runId === null ? t('run.none') : (tries?.refused ?? null);
    const isBusy = store.trying.isTrying || store.requests.isMeasuring;
    this.go.setDisabled(why !== null || isBusy || tries === null);
    this.go.element.hidden = isBusy;
    this.stop.element.hidden = !isBusy;
    this.drawState(why);
    this.drawResults();
    this.requests.update();
    this.drawEarlier();
  }

  dispose(): void {
    this.forget();
  }

  private forget(): void {
    for (const conversation of this.conversations) conversation.dispose();
    this.conversations = [];
  }

  private run(): void {
    const { store } = this.context;
    const prompt = this.field.value.trim();
    if (prompt === '') return this.field.focus();
    if (store.trying.isTrying || store.requests.isMeasuring || store.triesOf()?.refused !== null) return;
    const chosen = store.trying.tries?.versions.find(({ version }) => String(version) === this.chosen);
    store.try({
      prompt,
      versions: ['base', ...(chosen ? [chosen.version] : [])],
      samples: this.answersValue,
      temperature: this.answersValue === 1 ? 0 : 1,
      toolPolicy: this.policyValue === 'auto' ? null : this.policyValue,
    });
  }

  private drawState(why: string | null): void {
    const { store } = this.context;
    const state = `${why} ${store.trying.isTrying} ${store.trying.notes.join('\n')}`;
    if (state === this.stateShown) return;
    this.stateShown = state;
    replace(this.refused, why === null ? null : notice('info', h('p', null, why)));
    replace(
      this.state,
      store.trying.isTrying ? progressRing(t('try.trying')) : null,
      ...(store.trying.isTrying
        ? []
        : store.trying.notes.map((text) => h('p', { class: 'muted' }, icon('info'), ' ', text))),
    );
  }

  private group(): Group | undefined {
    const { route, index } = this.context.store;
    return route.page === 'try' && route.groupId !== undefined ? index.group(route.groupId) : undefined;
  }

  private drawResults(): void {
    const { store } = this.context;
    const group = this.group();
    const loaded = (group?.traces ?? []).map((summary) => store.trace(summary.id));
    const own = store.ownRequests();
    const kept = group && own?.requests.find(({ prompt }) => prompt.trim() === group.prompt.trim());
    const state = `${group?.key} ${loaded.map((one) => one?.state).join()} ${kept?.id} ${own === null}`;
    if (state === this.shown) return;
    this.shown = state;
    const hadFocus = [this.results, this.correcting].some((part) => part.contains(document.activeElement));
    this.forget();
    replace(this.correcting);
    if (!group) return replace(this.results);
    const traces = loaded.flatMap((one) => (one?.state === 'loaded' ? [one.trace] : []));
    const failed = loaded.flatMap((one) => (one?.state === 'failed' ? [one.error.message] : []));
    const [first, second] = traces;
    const heading = h('h2', { class: 'try-prompt', tabindex: '-1' }, `“${oneLine(group.prompt, 300)}”`);
    replace(
      this.results,
      heading,
      kept ? h('p', { role: 'status' }, icon('pass', 'good'), ' ', t('requests.kept', { gold: goldText(kept) })) : null,
      ...failed.map((message) => notice('warning', h('p', null, message))),
      loaded.some((one) => one?.state === 'loading') ? progressRing(t('trace.loading')) : null,
      traces.length > 1
        ? h(
            'div',
            { class: 'actions' },
            button({
              label: t('trace.sideBySide'),
              icon: 'split-horizontal',
              onClick: () => store.go({ page: 'group', groupId: group.key }),
            }).element,
            traces.length === 2 && first && second && !kept
              ? button({
                  label: t('try.mark'),
                  icon: 'git-compare',
                  title: t('try.mark.about'),
                  onClick: () =>
                    store.runId !== null &&
                    store.send({ type: 'markPair', runId: store.runId, traceIds: [first.id, second.id] }),
                }).element
              : null,
          )
        : null,
      h(
        'div',
        { class: 'try-columns' },
        ...columnsOf(traces).map(([checkpoint, list]) => this.column(checkpoint, list)),
      ),
    );
    if (hadFocus) heading.focus(); // the button that was pressed is drawn anew
  }

  private column(checkpoint: string, traces: Trace[]): HTMLElement {
    return h(
      'section',
      { class: 'try-column', 'aria-label': checkpointText(checkpoint) },
      h('h3', null, checkpointText(checkpoint)),
      ...traces.map((trace, i) => this.answer(trace, traces.length > 1 ? i + 1 : null)),
    );
  }

  private answer(trace: Trace, number: number | null): HTMLElement {
    const { store } = this.context;
    const reveal = (tool: string): void =>
      void (store.runId !== null && store.send({ type: 'revealTool', runId: store.runId, tool }));
    const conversation = new Conversation(trace, traceSteps(trace), reveal, { withOpening: false });
    this.conversations.push(conversation);
    return h(
      'article',
      {
        class: 'try-answer',
        'aria-label': number === null ? checkpointText(trace.checkpoint) : t('try.answer', { n: number }),
      },
      number === null ? null : h('h4', null, t('try.answer', { n: number })),
      trace.solved === null ? null : h('p', null, outcomeIcon(trace), ' ', outcomeWord(trace.solved)),
      verdictMarks(trace.verdicts, trace.rewards),
      trace.differences?.length ? differenceList(trace.differences) : null,
      conversation.element,
      h(
        'div',
        { class: 'actions' },
        ...this.acceptance(trace),
        button({
          label: t('try.open'),
          icon: 'open-preview',
          onClick: () => store.go({ page: 'trace', traceId: trace.id }),
        }).element,
        button({
          label: t('action.makeTask'),
          icon: 'beaker',
          title: t('action.makeTask.about'),
          onClick: () => store.send({ type: 'makeTask', runId: store.runId, task: taskOf(trace) }),
        }).element,
      ),
    );
  }

  /** What a person says is right is kept: this answer's calls, or others. Nothing while what is kept is not known. */
  private acceptance(trace: Trace): HTMLElement[] {
    const { store } = this.context;
    const own = store.ownRequests();
    if (!own) return [];
    const { prompt, calls = [] } = taskOf(trace);
    const correct = (): void => {
      const form = new CorrectForm(
        own.tools,
        { prompt, calls },
        (request) => store.keepRequest(request),
        () => replace(this.correcting),
      );
      replace(this.correcting, form.element);
      form.focus();
    };
    return [
      button({
        label: t('try.accept'),
        icon: 'check',
        title: t('try.accept.about'),
        onClick: () => store.keepRequest({ prompt, calls }),
      }).element,
      button({ label: t('try.correct'), icon: 'edit', title: t('try.correct.about'), onClick: correct }).element,
    ];
  }

  /** The tries of this run, newest first. */
  private drawEarlier(): void {
    const { store } = this.context;
    const current = this.group()?.key;
    const groups = store.index
      .all('try')
      .filter(({ taskId }) => !taskId.startsWith(REQUEST_ID))
      .reverse();
    const state = `${groups.length} ${current} ${store.runId}`;
    if (state === this.earlierShown) return;
    this.earlierShown = state;
    if (groups.length === 0 && store.index.all('try').length > 0) return replace(this.earlier);
    if (groups.length === 0)
      return replace(this.earlier, emptyState('comment-discussion', t('try.none'), t('try.none.text')));
    const item = (group: Group): HTMLElement =>
      h(
        'li',
        null,
        h(
          'button',
          {
            type: 'button',
            class: 'link',
            'aria-current': group.key === current ? 'true' : undefined,
            on: { click: () => store.go({ page: 'try', groupId: group.key }) },
          },
          oneLine(group.prompt, 120),
        ),
        h('span', { class: 'muted' }, ` ${t('try.count', { count: integer(group.traces.length) })}`),
      );
    replace(
      this.earlier,
      h('h2', null, t('try.earlier')),
      h('ul', { class: 'plain-list' }, ...groups.slice(0, TRIES_SHOWN).map(item)),
      groups.length > TRIES_SHOWN
        ? h(
            'button',
            {
              type: 'button',
              class: 'link',
              on: { click: () => store.go({ page: 'traces', phase: 'try', all: true }) },
            },
            t('list.more', { count: groups.length - TRIES_SHOWN }),
          )
        : null,
    );
  }
}

/**
 * Page Trace: one rollout step by step. Header with its place in the group, outline with a waterfall, tabs for the
 * ways to read it.
 */
import type { Trace } from '../../../trainer/protocol/trace';
import { progressRing, button } from '../../components/controls';
import { expectedPanel } from '../../components/verdicts';
import { emptyState, errorBox, notice } from '../../components/parts';
import { Tabs } from '../../components/tabs';
import { traceSteps } from '../../derive/traceSteps';
import { h, replace } from '../../components/dom';
import { t } from '../../shared/strings';
import { Conversation } from './traceConversation';
import { TraceHeader } from './traceHeader';
import { TraceJudge } from './traceJudge';
import { Outline } from './traceOutline';
import { rawPanel } from './traceRaw';
import { TraceFind } from './traceFind';
import { rewardPanel } from './traceRewards';
import { traceTools } from './traceTools';
import { traceWaterfall } from './traceWaterfall';
import { TokenPanel } from './traceTokens';
import type { Context, View } from '../view';

type TabId = 'conversation' | 'tokens' | 'judge' | 'raw';
const TABS: TabId[] = ['conversation', 'tokens', 'judge', 'raw'];
const isTab = (id: string | undefined): id is TabId => TABS.includes(id as TabId);

export class TraceView implements View {
  readonly element = h('div', { class: 'page trace-page' });
  readonly heading: HTMLElement;
  private readonly header: TraceHeader;
  private readonly body = h('div', { class: 'trace-body' });
  private readonly tabs = new Tabs(t('trace.tabs'), (id) => this.selectTab(id as TabId));
  private tab: TabId = 'conversation';
  private shown: unknown = null;
  private trace: Trace | null = null;
  private tokenTexts: string[] = [];
  private tokensProblem: string | null = null;
  private readonly panels = new Map<TabId, HTMLElement>();
  private conversation: Conversation | null = null;
  private find: TraceFind | null = null;
  private tokens: TokenPanel | null = null;
  private outline: Outline | null = null;
  private judge: TraceJudge | null = null;
  private readonly onShortcut = (event: KeyboardEvent): void => this.shortcut(event);

  constructor(private readonly context: Context) {
    this.header = new TraceHeader(context.store);
    this.heading = this.header.heading;
    this.element.append(this.header.element, this.body);
    const { tab } = context.store.opened;
    if (isTab(tab)) this.tab = tab;
    document.addEventListener('keydown', this.onShortcut);
  }

  update(): void {
    const { store } = this.context;
    if (store.route.page !== 'trace') return;
    const { traceId } = store.route;
    const loaded = store.trace(traceId);
    this.header.update(traceId);
    if (this.tab === 'judge') this.judge?.update();
    if (loaded === this.shown && (loaded !== undefined || this.body.childElementCount > 0)) return;
    this.shown = loaded;
    this.trace = null;
    this.forget();
    if (loaded === undefined)
      replace(
        this.body,
        emptyState(
          'list-tree',
          t('trace.unknown'),
          t('trace.unknown.text'),
          button({ label: t('page.traces'), icon: 'list-tree', onClick: () => store.go({ page: 'traces' }) }).element,
        ),
      );
    else if (loaded.state === 'loading') replace(this.body, progressRing(t('trace.loading')));
    else if (loaded.state === 'failed')
      replace(
        this.body,
        errorBox(
          t('trace.failed'),
          loaded.error,
          button({ label: t('action.retry'), icon: 'refresh', onClick: () => store.retryTrace(traceId) }),
        ),
      );
    else this.draw(loaded.trace, loaded.tokenTexts, loaded.tokensProblem);
  }

  dispose(): void {
    document.removeEventListener('keydown', this.onShortcut);
    this.forget();
  }

  private forget(): void {
    this.find?.dispose();
    this.conversation?.dispose();
    this.tokens?.dispose();
    this.outline?.dispose();
    this.tokens = null;
    this.outline = null;
    this.judge = null;
    this.find = null;
    this.conversation = null;
  }

  /** Ctrl+F (⌘F) goes to the trace's own search, F3 and Shift+F3 walk its matches. */
  private shortcut(event: KeyboardEvent): void {
    if (!this.find) return;
    if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'f')
      this.find.focus();
    else if (event.key === 'F3') this.find.move(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
  }

  private draw(trace: Trace, tokenTexts: string[], tokensProblem: string | null): void {
    const { store } = this.context;
    this.trace = trace;
    this.tokenTexts = tokenTexts;
    this.tokensProblem = tokensProblem;
    this.panels.clear();
    const steps = traceSteps(trace);
    this.conversation = new Conversation(
      trace,
      steps,
      (tool) => store.runId !== null && store.send({ type: 'revealTool', runId: store.runId, tool }),
    );
    this.panels.set('conversation', this.conversation.element);
    this.find = new TraceFind(
      trace,
      this.conversation,
      () => this.selectTab('conversation'),
      store.opened.find ?? '',
      (find) => store.setOpened({ find }),
    );
    const reveal = (anchor: string): void => {
      this.selectTab('conversation');
      this.conversation?.reveal(anchor);
    };
    this.outline = new Outline(trace, steps, reveal);
    const aside = h('div', { class: 'trace-aside' }, this.outline.element, rewardPanel(trace));
    replace(
      this.body,
      traceWaterfall(trace, steps, reveal),
      aside,
      h(
        'div',
        { class: 'trace-main' },
        h('div', { class: 'trace-bar' }, traceTools(trace, store), this.find.element),
        expectedPanel(trace),
        this.tabs.list,
        this.tabs.panel,
      ),
    );
    this.selectTab(this.tab);
  }

  private selectTab(id: TabId): void {
    if (!this.trace) return;
    this.tab = id;
    this.context.store.setOpened({ tab: id });
    this.tabs.set(
      TABS.map((tab) => ({ id: tab, label: t(`trace.tab.${tab}`) })),
      id,
    );
    const panel = this.panels.get(id) ?? this.makePanel(id, this.trace);
    this.panels.set(id, panel);
    this.tabs.show(panel);
    if (id === 'judge') this.judge?.update();
  }

  private makePanel(id: TabId, trace: Trace): HTMLElement {
    switch (id) {
      case 'tokens':
        this.tokens = new TokenPanel(trace, this.tokenTexts, this.context.store);
        return this.tokensProblem === null
          ? this.tokens.element
          : h('div', null, notice('warning', h('p', null, this.tokensProblem)), this.tokens.element);
      case 'judge':
        this.judge = new TraceJudge(this.context, trace);
        return this.judge.element;
      case 'raw':
        return rawPanel(trace, this.context.store);
      case 'conversation':
        return this.conversation!.element;
    }
  }
}

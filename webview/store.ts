/**
 * All that the page knows. Events are folded at once by reduceRun, the same fold as everywhere; the views hear of it at
 * most once per
 * animation frame. No DOM in here: the frame clock and the way out are passed in.
 */
import { reduceRun, type RunState } from '../trainer/protocol/runState';
import type { RunInfo } from '../trainer/protocol/messages';
import { assertNever, type TrainerError } from '../trainer/protocol/result';
import { standingOf, type Standing } from '../trainer/protocol/runMethod';
import type { TraceSummary } from '../trainer/protocol/trace';
import {
  Judging,
  GraphAsked,
  Learning,
  MarkingAsked,
  RequestsAsked,
  Trying,
  type Judged,
  type Tries,
  type Verdicts,
} from './derive/asked';
import type { Facts } from './derive/pictures';
import { Comparing, type Overlay } from './derive/comparing';
import { OpenedTraces, type Loaded } from './derive/openedTraces';
import { TraceIndex, type Group } from './shared/traceIndex';
import type { Disposable } from './components/dom';
import type { ChartSettings, Opened, SavedState } from './host';
import type { Accepted, OpenedFile, OwnRequests, PanelEvent, PanelRequest, Route } from './messages';
import { sameKind } from './shared/navigation';

export type { Overlay } from './derive/comparing';
export type { Loaded } from './derive/openedTraces';
export type Failure = { request: PanelRequest['type']; error: TrainerError };

/** So many traces of a cell are listed: a route is kept with the page, so it stays small. */
const BEHIND = 200;
const NO_FACTS: Facts = new Map();
/** Events about a run are of the one shown, else nobody wants them any more. */
const OF_ANY_RUN: ReadonlySet<PanelEvent['type']> = new Set(['snapshot', 'comparison']);

export class Store {
  isReady = false;
  runId: string | null = null;
  run: RunState | null = null;
  runs: RunInfo[] = [];
  trainingRefused: string | null = null;
  /** the page shows a trace file, not a run */
  file: OpenedFile | null = null;
  route: Route = { page: 'run' };
  charts: ChartSettings = { smoothing: 0.6, isLog: false, asTables: false };
  opened: Opened = {};
  private readonly compared: Comparing;
  failure: Failure | null = null;
  /** asked to stop, not stopped yet: the trainer finishes its step and saves a checkpoint first */
  isStopping = false;
  strings: Record<string, string> = {};
  locale = 'en';
  readonly index = new TraceIndex();
  /** all traces of the run, while they come in pieces and the page shows the newest; else null */
  private arriving: TraceSummary[] | null = null;
  private hasAskedForAll = false;
  readonly judging: Judging;
  readonly trying: Trying;
  readonly requests: RequestsAsked;
  readonly learning: Learning;
  readonly graphAsked: GraphAsked;
  readonly marking = new MarkingAsked();
  /** what the run's tasks want, by id; null until they were asked for and came */
  private facts: Facts | null = null;
  private hasAskedForTasks = false;
  private readonly traces: OpenedTraces;
  private readonly listeners = new Set<() => void>();
  private isScheduled = false;

  constructor(
    private readonly post: (request: PanelRequest) => void,
    private readonly nextFrame: (run: () => void) => void,
    private readonly save: (state: SavedState) => void,
  ) {
    this.compared = new Comparing(post);
    this.traces = new OpenedTraces(post);
    this.judging = new Judging(post);
    this.trying = new Trying(post);
    this.requests = new RequestsAsked(post);
    this.learning = new Learning(post);
    this.graphAsked = new GraphAsked(post);
  }

  subscribe(listener: () => void): Disposable {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  }

  restore(saved: SavedState | null): void {
    if (!saved) return;
    this.runId = saved.runId;
    this.route = saved.route;
    this.charts = saved.charts;
    this.opened = saved.opened ?? {};
  }

  receive(event: PanelEvent): void {
    if ('runId' in event && event.runId !== this.runId && !OF_ANY_RUN.has(event.type)) return;
    switch (event.type) {
      case 'snapshot':
        this.takeSnapshot(event);
        break;
      case 'traces':
        this.takeTraces(event);
        break;
      case 'events':
        for (const one of event.events) {
          if (!this.run) return;
          this.run = reduceRun(this.run, one);
          if (one.type === 'runResumed') this.index.reset();
          if (this.run.status !== 'running' || one.type === 'runResumed') this.isStopping = false;
        }
        if (this.run) this.index.sync(this.run.traces);
        break;
      case 'runs':
        this.runs = event.runs;
        break;
      case 'navigate':
        this.route = event.route;
        this.persist();
        break;
      case 'trace':
        this.traces.take(event);
        break;
      case 'file':
        this.file = event.file;
        break;
      case 'comparison':
        if (!this.comparing.includes(event.runId)) return;
        this.compared.take(event, this.runs);
        break;
      case 'judge':
        this.judging.takeOverview(event);
        break;
      case 'verdicts':
        this.judging.takeGroup(event);
        break;
      case 'tasks':
        this.facts = new Map(event.tasks.map((task) => [task.id, task]));
        break;
      case 'versions':
        this.trying.takeVersions(event);
        break;
      case 'lessons':
        this.learning.take(event);
        break;
      case 'toolGraph':
        this.graphAsked.take(event);
        break;
      case 'tried':
        this.route = this.trying.taken(event) ?? this.route;
        this.persist();
        break;
      case 'requests':
        this.requests.take(event);
        break;
      case 'marking':
      case 'chooseOriginal':
      case 'rewriteChecked':
        this.marking.take(event);
        break;
      case 'failed':
        this.judging.failed(event.request);
        this.trying.failed(event.request, event.error);
        this.requests.failed(event.request);
        this.learning.failed(event.request, event.error);
        this.graphAsked.failed(event.request, event.error);
        if (event.request === 'openTasks') this.facts = new Map();
        if (event.traceId !== undefined) this.traces.failed(event.traceId, event.error);
        else if (event.request !== 'openLessons' && event.request !== 'openToolGraph')
          this.failure = { request: event.request, error: event.error };
        if (event.request === 'stop') this.isStopping = false;
        if (event.request === 'compareWith') this.compared.failed();
        break;
      default:
        return assertNever(event);
    }
    this.changed();
  }

  /** Only the newest traces are here yet. */
  get isArriving(): boolean {
    return this.arriving !== null;
  }

  /** Whether what the route names can be shown: pages that look for a certain trace wait for all of them. */
  get canDraw(): boolean {
    return this.isReady && (!this.isArriving || this.route.page === 'run' || this.route.page === 'traces');
  }

  /** The list's word counts where the events can't know: a trainer that was killed writes no last event. */
  get status(): RunInfo['status'] | null {
    if (!this.run) return null;
    const info = this.runs.find((r) => r.id === this.runId);
    return this.run.status === 'running' && info && info.status === 'died' ? 'died' : this.run.status;
  }

  /** As status, in a word that also fits a run that was not trained. */
  get standing(): Standing | null {
    const { status, info } = this;
    return status && info ? standingOf(info, status) : status;
  }

  get info(): RunInfo | undefined {
    return this.runs.find((r) => r.id === this.runId);
  }

  go(route: Route): void {
    if (route.page !== this.route.page) this.failure = null; // it was of the page that is left
    this.route = route;
    this.persist();
    this.changed();
  }

  setCharts(change: Partial<ChartSettings>): void {
    this.charts = { ...this.charts, ...change };
    this.persist();
    this.changed();
  }

  /** Only remembered: whoever calls it has already drawn it. */
  setOpened(change: Opened): void {
    const next = { ...this.opened, ...change };
    if (JSON.stringify(next) === JSON.stringify(this.opened)) return;
    this.opened = next;
    this.persist();
  }

  selectRun(runId: string): void {
    if (runId !== this.runId) this.post({ type: 'selectRun', runId });
  }

  /** The runs laid over the one shown. */
  get overlays(): Overlay[] {
    return this.compared.overlays;
  }

  /** Those that were asked for, also while they are on their way. */
  get comparing(): readonly string[] {
    return this.compared.runIds;
  }

  /** Lays one more run over the curves; null: none any more. */
  compareWith(runId: string | null): void {
    if (runId !== null && this.comparing.includes(runId)) return;
    this.compared.with(runId);
    this.changed();
  }

  stopComparing(runId: string): void {
    this.compared.stop(runId);
    this.changed();
  }

  /** Posts a request about the run shown. */
  ask(type: 'stop' | 'resume' | 'openAdapterFolder' | 'openRunFolder' | 'export' | 'trainOnLessons'): void {
    if (this.runId === null) return;
    if (type === 'stop') this.isStopping = true;
    this.post({ type, runId: this.runId });
    this.changed();
  }

  send(request: PanelRequest): void {
    this.post(request);
  }

  dismissFailure(): void {
    this.failure = null;
    this.changed();
  }

  /** The trace, or its state on the way; asks the host for it once. undefined = the run has no such trace (yet). */
  trace(id: string): Loaded | undefined {
    return this.traces.open(id, this.runId, this.index.byId.get(id));
  }

  /** What the judge said of the run so far. null = on its way. */
  judgeOverview(): Judged | null {
    return this.judging.overview(this.runId, `${this.run?.step} ${this.run?.status}`);
  }

  /** As taskFacts, without asking. */
  get taskFactsHere(): Facts | null {
    return this.facts;
  }

  /** What the run's tasks want, by id; asked for once. null = on its way. */
  taskFacts(): Facts | null {
    if (this.file) return NO_FACTS;
    if (!this.hasAskedForTasks && this.runId !== null) {
      this.hasAskedForTasks = true;
      this.post({ type: 'openTasks', runId: this.runId });
    }
    return this.facts;
  }

  /** To the traces behind a cell of a picture: its few in one view, else the newest of them as a list. */
  openBehind(title: string, traceIds: readonly string[]): void {
    if (traceIds.length === 1) return this.go({ page: 'trace', traceId: traceIds[0]! });
    this.go({ page: 'traces', behind: { title, traceIds: traceIds.slice(-BEHIND), all: traceIds.length } });
  }

  /** Which tool followed which in training, or why that is not known; both null = on its way. */
  toolGraph(): Pick<GraphAsked, 'graph' | 'problem'> {
    return this.graphAsked.ask(this.runId, `${this.run?.status}`);
  }

  /** What would be learnt from flagged traces, or why nothing; both null = on its way. */
  lessons(): Pick<Learning, 'plan' | 'problem'> {
    return this.learning.lessons(this.runId, `${this.run?.step} ${this.run?.status}`);
  }

  /** What can be tried now. null = on its way. */
  triesOf(): Tries | null {
    return this.trying.versions(this.runId, `${this.run?.checkpointStep} ${this.status}`);
  }

  try(request: Omit<Extract<PanelRequest, { type: 'try' }>, 'type' | 'runId'>): void {
    if (this.runId === null) return;
    this.trying.start({ type: 'try', runId: this.runId, ...request });
    this.changed();
  }

  cancelTry(): void {
    if (this.runId !== null) this.post({ type: 'cancelTry', runId: this.runId });
  }

  /** What a person keeps to measure on. null = on its way, or there is no run. */
  ownRequests(): OwnRequests | null {
    if (this.file) return null;
    return this.requests.ask(this.runId, `${this.run?.checkpointStep} ${this.status}`);
  }

  keepRequest(request: Accepted): void {
    if (this.runId !== null) this.post({ type: 'keepRequest', runId: this.runId, request });
  }

  measureRequests(ids: string[]): void {
    if (this.runId === null) return;
    this.requests.measure(this.runId, ids);
    this.changed();
  }

  verdictsOf(group: Group): Verdicts {
    return this.judging.ofGroup(this.runId, group);
  }

  /** After a failure: ask again. */
  retryTrace(id: string): void {
    this.traces.forget(id);
    this.changed();
  }

  private takeSnapshot(event: Extract<PanelEvent, { type: 'snapshot' }>): void {
    const isOther = event.runId !== this.runId || !this.isReady;
    this.isReady = true;
    if (isOther) {
      if (event.runId !== this.runId && this.runId !== null && !event.route) this.route = sameKind(this.route);
      this.traces.reset();
      this.judging.reset();
      this.trying.reset();
      this.requests.reset();
      this.learning.reset();
      this.graphAsked.reset();
      this.facts = null;
      this.hasAskedForTasks = false;
      this.compared.reset();
    }
    if (isOther || event.state?.status !== 'running') this.isStopping = false;
    this.runId = event.runId;
    this.run = event.state;
    this.runs = event.runs;
    this.strings = event.strings;
    this.locale = event.locale;
    this.trainingRefused = event.trainingRefused;
    this.file = event.file ?? null;
    if (event.route) this.route = event.route;
    this.arriving = event.tracesFollow ? [] : null;
    this.hasAskedForAll = false;
    this.index.reset();
    if (event.state) this.index.sync(event.state.traces);
    this.persist();
  }

  private takeTraces({ traces, isLast }: Extract<PanelEvent, { type: 'traces' }>): void {
    if (!this.run || !this.arriving) return;
    this.arriving.push(...traces);
    if (!isLast) return;
    this.run = { ...this.run, traces: this.arriving };
    this.arriving = null;
    this.index.reset();
    this.index.sync(this.run.traces);
  }

  private persist(): void {
    this.save({ version: 1, runId: this.runId, route: this.route, charts: this.charts, opened: this.opened });
  }

  private changed(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    this.nextFrame(() => {
      this.isScheduled = false;
      for (const listener of this.listeners) listener();
      if (this.arriving && !this.hasAskedForAll && this.runId !== null) {
        this.hasAskedForAll = true;
        this.post({ type: 'allTraces', runId: this.runId });
      }
    });
  }
}

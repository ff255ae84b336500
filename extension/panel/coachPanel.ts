/**
 * The panel's host. The page says `ready`, gets one snapshot, then live events; what happens before it is ready is in
 * the snapshot.
 * It survives hiding and reloading: the page keeps where it stood, the data is read from the run again.
 */
import * as vscode from 'vscode';
import type { RunInfo, TrainerEvent } from '../../trainer/protocol/messages';
import type { TrainerError } from '../../trainer/protocol/result';
import type { RunState } from '../../trainer/protocol/runState';
import type { TraceSummary } from '../../trainer/protocol/trace';
import { firstScreen, type FirstScreen } from '../../webview/shared/firstScreen';
import { setLocale } from '../../webview/shared/format';
import type { PanelEvent, PanelRequest, Route } from '../../webview/messages';
import { outcomesAfter } from '../../webview/shared/outcomes';
import { taskFacts } from '../../webview/shared/taskFacts';
import { CONFIGURATION } from '../contributions';
import { Owner } from '../window/disposables';
import { firstTraces, pieces } from '../traces/firstTraces';
import type { MarkingPage } from '../preferences/markingPage';
import type { Log } from '../window/log';
import { assetsRoot, panelHtml } from './panelHtml';
import type { PanelActions } from './panelActions';
import { PanelOwnRequests } from './ownRequests';
import { PanelJudge } from './panelJudge';
import { parsePanelRequest } from './panelRequests';
import { deleteRun } from '../runs/deleteRun';
import type { Runs } from '../runs/runs';
import { workspaceOfRun } from '../runs/runActions';
import { runName } from '../runs/runText';
import type { Service } from '../processes/service';
import { readTokens } from '../traces/tokenTexts';
import { trainingRefused } from '../window/trust';
import type { Trying } from './trying';

export interface PanelDeps {
  extensionUri: vscode.Uri;
  runs: Runs;
  service: Service;
  actions: PanelActions;
  nanoDir: string;
  trying: Trying;
  /** of the page Marking; asked for when a panel opens */
  marking: () => MarkingPage;
  log: Log;
}

const BATCH_MS = 50;

/** What the page will show, of a run that was read. Null: it has to wait for it. */
export function firstScreenOf(state: RunState | null, route: Route | undefined): FirstScreen | null {
  if (!state || route?.page !== 'traces') return null;
  const first = firstTraces(state.traces);
  setLocale(vscode.env.language);
  return firstScreen(first ?? state.traces, route, first !== null, state.manifest);
}

export class CoachPanel extends Owner {
  private runId: string | null = null;
  private isReady = false;
  /** a snapshot was posted before the page said that it listens */
  private isEarly = false;
  /** where to go with the next snapshot */
  private route: Route | undefined;
  private batch: TrainerEvent[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** the snapshot whose traces are still on their way; events wait for them */
  private sending: RunState | null = null;
  private readonly judge: PanelJudge;
  private readonly requests: PanelOwnRequests;

  constructor(
    private readonly panel: vscode.WebviewPanel,
    private readonly deps: PanelDeps,
    first: FirstScreen | null,
  ) {
    super();
    const { runs } = deps;
    this.judge = new PanelJudge(deps.service, () =>
      vscode.workspace.getConfiguration(CONFIGURATION).get<number>('judgeAgreementBar', 70),
    );
    this.requests = new PanelOwnRequests(deps.service, deps.trying);
    panel.webview.options = { enableScripts: true, localResourceRoots: [assetsRoot(deps.extensionUri)] };
    panel.iconPath = vscode.Uri.joinPath(deps.extensionUri, 'extension', 'media', 'coach.svg');
    this.own(panel.webview.onDidReceiveMessage((raw: unknown) => void this.receive(raw)));
    this.own(runs.onDidChangeRun(({ runId, events }) => runId === this.runId && this.follow(events)));
    this.own(runs.onDidChangeList(() => this.isReady && this.post({ type: 'runs', runs: this.runInfos() })));
    this.own(deps.marking().follow((event) => this.isReady && this.post(event)));
    this.own(panel.onDidChangeViewState(() => panel.visible || this.leaveMarking()));
    this.own({ dispose: () => this.leaveMarking() });
    this.own(vscode.workspace.onDidGrantWorkspaceTrust(() => void this.snapshot()));
    this.own({ dispose: () => clearTimeout(this.timer) });
    panel.webview.html = panelHtml(panel.webview, deps.extensionUri, first);
  }

  navigate(runId: string | null, route?: Route): void {
    // behind another tab there is no page: VS Code makes it anew, and it says ready; until then the route waits
    const isThere = this.isReady && this.panel.visible;
    this.panel.reveal();
    const isSame = runId === null || runId === this.runId;
    if (runId !== null) this.runId = runId;
    if (!isThere || !isSame) {
      this.route = route;
      if (isThere) void this.snapshot();
      else if (!this.isReady && !this.isEarly) void this.snapshotEarly();
    } else if (route && this.runId !== null) this.post({ type: 'navigate', runId: this.runId, route });
  }

  /** A page that is hidden says nothing any more. */
  private leaveMarking(): void {
    void this.deps.marking().perform({ type: 'markingShown', isShown: false, hasFocus: false });
  }

  private post(event: PanelEvent): void {
    void this.panel.webview.postMessage(event);
  }

  /** The list, with what the followers know that is newer than what the service read. */
  private runInfos() {
    const { runs } = this.deps;
    return runs.list.map((info) => {
      const state = runs.known(info.id);
      return state && state.seq >= 0 ? { ...info, status: state.status, step: state.step, result: state.result } : info;
    });
  }

  /**
   * Of a run that is known, without waiting for the page's word: VS Code hands it over when the page has loaded. A
   * page that gets none says *ready* again.
   */
  private async snapshotEarly(): Promise<void> {
    const runId = this.runId ?? this.deps.runs.selected?.id;
    if (runId === undefined || !this.deps.runs.known(runId)) return;
    this.isEarly = true;
    await this.snapshot();
  }

  private async snapshot(): Promise<void> {
    const { runs } = this.deps;
    if (!runs.isReady) await runs.refresh();
    const runId = this.runId !== null && runs.info(this.runId) ? this.runId : (runs.selected?.id ?? null);
    this.runId = runId;
    this.batch = [];
    try {
      const state = runId === null ? null : await runs.load(runId);
      if (this.isDisposed || runId !== this.runId) return; // another run was asked for meanwhile
      this.isReady = true;
      const info = runId === null ? undefined : runs.info(runId);
      this.panel.title = info ? vscode.l10n.t('Coach: {0}', runName(info)) : 'Coach';
      const route = this.route;
      this.route = undefined;
      this.batch = [];
      const first = state && firstTraces(state.traces);
      this.sending = first ? state : null;
      this.post({
        type: 'snapshot',
        runId,
        state: state && first ? { ...state, traces: first } : state,
        runs: this.runInfos(),
        strings: {},
        locale: vscode.env.language,
        trainingRefused: trainingRefused(),
        ...(route ? { route } : {}),
        ...(first ? { tracesFollow: true } : {}),
      });
    } catch (error) {
      this.isReady = true;
      this.fail('ready', error);
    }
  }

  private async sendTraces(): Promise<void> {
    const state = this.sending;
    if (!state) return;
    for (const piece of pieces(state.traces)) {
      await new Promise((resolve) => setImmediate(resolve)); // what was posted leaves the process first
      if (this.sending !== state || this.isDisposed) return; // another snapshot came
      this.post({ type: 'traces', runId: this.runId!, ...piece });
    }
    this.sending = null;
    this.flush();
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.sending) return; // then it is called again
    if (this.runId !== null && this.batch.length > 0)
      this.post({ type: 'events', runId: this.runId, events: this.batch });
    this.batch = [];
  }

  private follow(events: TrainerEvent[]): void {
    if (!this.isReady) return;
    if (events.length === 0) return void this.snapshot(); // only the status changed: no event tells it
    this.batch.push(...events);
    this.timer ??= setTimeout(() => this.flush(), BATCH_MS);
  }

  private fail(request: PanelRequest['type'], error: unknown, traceId?: string): void {
    const message = error instanceof Error ? error.message : String(error);
    this.deps.log.warn(`panel: ${request}: ${message}`);
    const told: TrainerError = {
      border: 'storage',
      message,
      hint: vscode.l10n.t('The log says more: Coach: Show Log.'),
    };
    this.post({ type: 'failed', request, error: told, ...(traceId === undefined ? {} : { traceId }) });
  }

  private async receive(raw: unknown): Promise<void> {
    const { runs, actions, trying, log } = this.deps;
    let request: PanelRequest;
    try {
      request = parsePanelRequest(raw);
    } catch (error) {
      return log.error(`panel: ${(error as Error).message}`);
    }
    try {
      switch (request.type) {
        case 'ready':
          if (this.isEarly) return void (this.isEarly = false);
          this.isReady = false;
          this.runId ??= request.runId;
          return await this.snapshot();
        case 'selectRun':
          this.runId = request.runId;
          runs.select(request.runId);
          return await this.snapshot();
        case 'allTraces':
          return await this.sendTraces();
        case 'compareWith':
          return await this.compare(request.runId);
        case 'openTrace':
          return await this.openTrace(request.runId, request.summary);
        case 'openJudge':
          return this.post(await this.judge.overview(this.info(request.runId)));
        case 'openVerdicts':
          return this.post(await this.judge.ofGroup(this.info(request.runId), request));
        case 'correctRanking':
          return this.post(await this.judge.correct(this.info(request.runId), request));
        case 'labelRun':
          await this.deps.service.ask('labelRun', { dir: this.info(request.runId).dir, label: request.label });
          return await runs.refresh();
        case 'deleteRun':
          return await deleteRun(this.info(request.runId), this.deps.service, runs);
        case 'openTasks':
          return await this.tasks(request.runId);
        case 'openTry':
          return this.post({
            type: 'versions',
            runId: request.runId,
            ...(await trying.versions(this.info(request.runId))),
          });
        case 'openToolGraph':
          return await this.toolGraph(request.runId);
        case 'openLessons':
          return this.post(await this.lessons(this.info(request.runId)));
        case 'try':
          return await this.tried(request);
        case 'cancelTry':
          return trying.cancel();
        case 'openRequests':
        case 'keepRequest':
        case 'measureRequests':
        case 'openRequestsFile': {
          const answer = await this.requests.perform(this.info(request.runId), request);
          this.flush(); // the page must know the traces before it reads of them
          if (answer) this.post(answer);
          return;
        }
        case 'tryAgain':
          return await this.tryAgain(request);
        case 'openMarking':
        case 'markingShown':
        case 'mark':
        case 'undoMark':
        case 'rewrite':
        case 'addReason':
        case 'trainOnPreferences': {
          const answer = await this.deps.marking().perform(request);
          if (answer) this.post(answer);
          return;
        }
        default:
          return await actions.perform(
            request,
            'runId' in request && request.runId !== null ? this.info(request.runId) : null,
          );
      }
    } catch (error) {
      this.fail(request.type, error, request.type === 'openTrace' ? request.summary.id : undefined);
    }
  }

  private async tryAgain({
    runId,
    traceId,
    taskId,
    prompt,
  }: Extract<PanelRequest, { type: 'tryAgain' }>): Promise<void> {
    const tried = await this.deps.trying.again(this.info(runId), { taskId, prompt });
    if (!tried) return;
    this.flush(); // the page must know the trace before it goes there
    this.post({ type: 'tried', runId, ...tried, beside: traceId });
  }

  private async tried(request: Extract<PanelRequest, { type: 'try' }>): Promise<void> {
    const tried = await this.deps.trying.prompt(this.info(request.runId), request);
    this.flush();
    this.post({ type: 'tried', runId: request.runId, ...tried });
  }

  private info(runId: string) {
    const info = this.deps.runs.info(runId);
    if (!info) throw new Error(vscode.l10n.t('no run {0} in this workspace', runId));
    return info;
  }

  private async compare(runId: string | null): Promise<void> {
    if (runId === null) return;
    const { curve, validation, manifest, traces } = await this.deps.runs.load(runId);
    this.post({ type: 'comparison', runId, curve, validation, manifest, after: outcomesAfter(traces) });
  }

  private async lessons(info: RunInfo): Promise<Extract<PanelEvent, { type: 'lessons' }>> {
    const plan = await this.deps.service.ask('lessonsOf', { workspace: workspaceOfRun(info.dir), dir: info.dir });
    return { type: 'lessons', runId: info.id, plan };
  }

  private async toolGraph(runId: string): Promise<void> {
    const graph = await this.deps.service.ask('toolGraphOf', { dir: this.info(runId).dir });
    this.post({ type: 'toolGraph', runId, graph });
  }

  private async tasks(runId: string): Promise<void> {
    const splits = await this.deps.service.ask('readTasks', { dir: this.info(runId).dir });
    this.post({ type: 'tasks', runId, tasks: Object.values(splits).flat().map(taskFacts) });
  }

  private async openTrace(runId: string, { file, offset, length }: TraceSummary): Promise<void> {
    const info = this.info(runId);
    const trace = await this.deps.service.ask('readTrace', { dir: info.dir, file, offset, length });
    this.post({ type: 'trace', runId, trace, ...(await readTokens(info.model, this.deps.nanoDir, trace.tokens.ids)) });
  }
}

/**
 * `*.trace.jsonl` (and a run's own traces) opened like any file: the panel's page on the traces of one file, read-only.
 * The file is read
 * piece by piece through the service, never whole; what is no trace of this version is said by line, the rest is shown.
 * It follows a file that grows.
 */
import path from 'node:path';
import * as vscode from 'vscode';
import type { RunState } from '../../trainer/protocol/runState';
import { emptyRun } from '../../trainer/protocol/runState';
import type { TraceSummary } from '../../trainer/protocol/trace';
import type { OpenedFile, PanelEvent, PanelRequest } from '../../webview/messages';
import { TRACE_EDITOR } from '../contributions';
import { Debounce, Owner } from '../window/disposables';
import type { Log } from '../window/log';
import type { PanelActions } from '../panel/panelActions';
import { assetsRoot, panelHtml } from '../panel/panelHtml';
import { parsePanelRequest } from '../panel/panelRequests';
import type { Service } from '../processes/service';
import { readTokens } from './tokenTexts';

export interface TraceFileDeps {
  extensionUri: vscode.Uri;
  service: Service;
  actions: PanelActions;
  nanoDir: string;
  log: Log;
}

const MAX_PROBLEMS = 100;

export class TraceFileEditors extends Owner implements vscode.CustomReadonlyEditorProvider {
  constructor(private readonly deps: TraceFileDeps) {
    super();
    this.own(
      vscode.window.registerCustomEditorProvider(TRACE_EDITOR, this, { supportsMultipleEditorsPerDocument: true }),
    );
  }

  openCustomDocument(uri: vscode.Uri): vscode.CustomDocument {
    return { uri, dispose: () => {} };
  }

  resolveCustomEditor({ uri }: vscode.CustomDocument, panel: vscode.WebviewPanel): void {
    const page = new TraceFilePage(uri, panel, this.deps);
    panel.onDidDispose(() => page.dispose());
  }
}

class TraceFilePage extends Owner {
  private readonly id: string;
  private traces: TraceSummary[] = [];
  private readonly lines = new Map<string, number>();
  private problems: string[] = [];
  private next = { fromByte: 0, fromLine: 0 };
  private isWhole = false;
  private isReady = false;
  private seq = 0;
  private reading: Promise<void> = Promise.resolve();

  constructor(
    private readonly uri: vscode.Uri,
    private readonly panel: vscode.WebviewPanel,
    private readonly deps: TraceFileDeps,
  ) {
    super();
    this.id = `file:${uri.toString()}`;
    const { webview } = panel;
    webview.options = { enableScripts: true, localResourceRoots: [assetsRoot(deps.extensionUri)] };
    this.own(webview.onDidReceiveMessage((raw: unknown) => void this.receive(raw)));
    const later = this.own(new Debounce(300, () => void this.readOn()));
    const watcher = this.own(
      vscode.workspace.createFileSystemWatcher(
        new vscode.RelativePattern(vscode.Uri.joinPath(uri, '..'), path.basename(uri.path)),
      ),
    );
    this.own(watcher.onDidChange(() => later.schedule()));
    this.own(watcher.onDidCreate(() => later.schedule()));
    webview.html = panelHtml(webview, deps.extensionUri);
  }

  private post(event: PanelEvent): void {
    if (!this.isDisposed) void this.panel.webview.postMessage(event);
  }

  private get file(): OpenedFile {
    return { name: path.basename(this.uri.path), problems: this.problems, isReading: !this.isWhole };
  }

  /** One reading at a time. */
  private readOn(): Promise<void> {
    this.reading = this.reading.then(() => this.readPieces()).catch((error: unknown) => this.fail('ready', error));
    return this.reading;
  }

  private async readPieces(): Promise<void> {
    if (this.uri.scheme !== 'file') throw new Error(vscode.l10n.t('only files on a disk can be read as traces'));
    const { size } = await vscode.workspace.fs.stat(this.uri);
    if (size < this.next.fromByte) this.forget(); // another file in its place
    do {
      const piece = await this.deps.service.ask('readTraceFile', { file: this.uri.fsPath, ...this.next });
      if (this.isDisposed) return;
      const isFirst = this.next.fromByte === 0;
      this.next = { fromByte: piece.nextByte, fromLine: piece.nextLine };
      this.isWhole = piece.isWhole;
      const fresh = piece.traces.map(({ line, model: _model, ...summary }) => this.numbered(summary, line));
      this.traces.push(...fresh);
      // A torn last line is read again when the file has grown: it is told as it is now.
      this.problems = [
        ...this.problems.filter((text) => !isTorn(text)),
        ...piece.problems.map(({ message }) => message),
      ].slice(0, MAX_PROBLEMS);
      if (isFirst || !this.isReady) this.snapshot();
      else if (fresh.length > 0)
        this.post({
          type: 'events',
          runId: this.id,
          events: fresh.map((trace) => ({ seq: this.seq++, t: 0, type: 'traceRecorded', trace })),
        });
      this.post({ type: 'file', runId: this.id, file: this.file });
    } while (!this.isWhole);
  }

  /** An id that occurs twice (a step that was repeated after a resume): the first one is shown, the other one named. */
  private numbered(summary: TraceSummary, line: number): TraceSummary {
    const before = this.lines.get(summary.id);
    this.lines.set(summary.id, line);
    if (before === undefined) return summary;
    this.problems.push(
      vscode.l10n.t(
        'line {0} is the trace {1} of line {2} once more; the first one is shown',
        line,
        summary.id,
        before,
      ),
    );
    return { ...summary, superseded: true };
  }

  private forget(): void {
    this.traces = [];
    this.problems = [];
    this.lines.clear();
    this.next = { fromByte: 0, fromLine: 0 };
  }

  private snapshot(): void {
    const state: RunState = { ...emptyRun, status: 'finished', traces: this.traces, seq: this.seq++ };
    const [only, ...more] = this.traces;
    this.isReady = true;
    this.post({
      type: 'snapshot',
      runId: this.id,
      state,
      runs: [],
      strings: {},
      locale: vscode.env.language,
      trainingRefused: null,
      file: this.file,
      ...(only && more.length === 0 && this.isWhole && this.problems.length === 0
        ? { route: { page: 'trace', traceId: only.id } }
        : {}),
    });
  }

  private fail(request: PanelRequest['type'], error: unknown, traceId?: string): void {
    const message = error instanceof Error ? error.message : String(error);
    this.deps.log.warn(`trace file ${this.uri.fsPath}: ${request}: ${message}`);
    if (!this.isReady) {
      this.isWhole = true;
      this.snapshot();
    }
    this.post({
      type: 'failed',
      request,
      error: { border: 'storage', message, hint: vscode.l10n.t('The log says more: Coach: Show Log.') },
      ...(traceId === undefined ? {} : { traceId }),
    });
  }

  private async receive(raw: unknown): Promise<void> {
    let request: PanelRequest;
    try {
      request = parsePanelRequest(raw);
    } catch (error) {
      return this.deps.log.error(`trace file: ${(error as Error).message}`);
    }
    try {
      switch (request.type) {
        case 'ready':
          if (this.isReady) this.snapshot();
          else await this.readOn();
          return;
        case 'openTrace':
          return await this.openTrace(request.summary);
        case 'openVerdicts':
          return this.post({
            type: 'verdicts',
            runId: this.id,
            groupId: request.groupId,
            verdicts: [],
            correction: null,
          });
        case 'selectRun':
        case 'allTraces':
        case 'compareWith':
        case 'openJudge':
        case 'correctRanking':
        case 'labelRun':
        case 'deleteRun':
        case 'openTasks':
        case 'openTry':
        case 'openLessons':
        case 'openToolGraph':
        case 'try':
        case 'cancelTry':
        case 'openRequests':
        case 'keepRequest':
        case 'measureRequests':
        case 'openRequestsFile':
        case 'tryAgain':
        case 'openMarking':
        case 'markingShown':
        case 'mark':
        case 'undoMark':
        case 'rewrite':
        case 'addReason':
        case 'trainOnPreferences':
          throw new Error(vscode.l10n.t('a trace file has no run'));
        default:
          return await this.deps.actions.perform(request, null);
      }
    } catch (error) {
      this.fail(request.type, error, request.type === 'openTrace' ? request.summary.id : undefined);
    }
  }

  private async openTrace({ offset, length }: TraceSummary): Promise<void> {
    const trace = await this.deps.service.ask('readTraceAt', { file: this.uri.fsPath, offset, length });
    this.post({
      type: 'trace',
      runId: this.id,
      trace,
      ...(await readTokens(trace.model, this.deps.nanoDir, trace.tokens.ids)),
    });
  }
}

const isTorn = (text: string): boolean => / is torn: /.test(text);

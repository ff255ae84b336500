/**
 * The Testing view: the validation tasks of each tool file's newest run. *Evaluate* solves them with what the run has
 * learnt; *Evaluate with traces* keeps what was
 * done in the run. What runs of before measured is loaded from their folders. Held-out tasks are not here: who looks at
 * them chooses by them.
 */
import * as vscode from 'vscode';
import { namedServers } from '../../trainer/protocol/mcp';
import type { RunInfo } from '../../trainer/protocol/messages';
import type { Version } from '../../trainer/protocol/play';
import type { Task } from '../../trainer/protocol/task';
import type { Trace, TraceSummary } from '../../trainer/protocol/trace';
import { differenceWords } from '../../trainer/protocol/verdicts';
import { TEST_CONTROLLER } from '../contributions';
import { Owner } from '../window/disposables';
import type { Log } from '../window/log';
import { traceText } from '../preferences/traceText';
import { runName } from '../runs/runText';
import type { Runs } from '../runs/runs';
import { when } from '../runs/runsTree';
import type { Service } from '../processes/service';
import { versionLabel, type Trying } from '../panel/trying';
import { actualText, expectedText, toTerminal, withAnswerShown } from './taskText';

export interface EvaluationDeps {
  service: Service;
  runs: Runs;
  trying: Trying;
  log: Log;
}

/** Runs of before whose results are loaded, and failures of one whose calls are shown. */
const OLD_RUNS = 5;
const SHOWN_FAILURES = 100;

interface Measured {
  runId: string;
  traceId: string;
}

export class Evaluations extends Owner {
  private readonly controller = this.own(vscode.tests.createTestController(TEST_CONTROLLER, 'Coach'));
  private readonly tasks = new WeakMap<vscode.TestItem, Task>();
  private readonly infos = new WeakMap<vscode.TestItem, RunInfo>();
  /** the newest trace of an item, by its id */
  private readonly measured = new Map<string, Measured>();
  /** results that were loaded already: run and step */
  private readonly loaded = new Set<string>();

  constructor(private readonly deps: EvaluationDeps) {
    super();
    const { controller } = this;
    controller.resolveHandler = async (item) => (item ? this.resolveTasks(item) : this.listFiles());
    controller.refreshHandler = async () => {
      this.loaded.clear();
      await deps.runs.refresh();
      await this.listFiles();
      for (const [, item] of controller.items) await this.resolveTasks(item);
    };
    const profile = (name: string, isRecorded: boolean, isDefault: boolean) =>
      this.own(
        controller.createRunProfile(
          name,
          vscode.TestRunProfileKind.Run,
          (request, token) => this.evaluate(request, token, isRecorded),
          isDefault,
        ),
      );
    profile(vscode.l10n.t('Evaluate'), false, true);
    profile(vscode.l10n.t('Evaluate with traces'), true, false);
    this.own(deps.runs.onDidChangeList(() => void this.listFiles()));
  }

  /** The trace that a test item's state is of; undefined: it has none that was kept. */
  traceOf(item: vscode.TestItem): Measured | undefined {
    return this.measured.get(item.id);
  }

  /** What a test item stands for; undefined: it is no task of this view. */
  taskOf(target: unknown): { info: RunInfo; taskId: string; prompt: string; traceId: string | undefined } | undefined {
    const item = target as vscode.TestItem | undefined;
    if (item === undefined) return undefined;
    const task = this.tasks.get(item);
    const info = item.parent && this.infos.get(item.parent);
    if (!task || !info) return undefined;
    const measured = this.measured.get(item.id);
    const traceId = measured?.runId === info.id ? measured.traceId : undefined;
    return { info, taskId: task.id, prompt: task.prompt, traceId };
  }

  /** One item a tool file that was trained on, with its newest run. */
  private async listFiles(): Promise<void> {
    const { runs } = this.deps;
    if (!runs.isReady) return;
    const newest = new Map<string, RunInfo>();
    for (const info of runs.list)
      if (info.problem === null && info.toolFile !== '' && !newest.has(info.toolFile)) newest.set(info.toolFile, info);
    const items = [...newest].map(([file, info]) => {
      const item =
        this.controller.items.get(file) ??
        this.controller.createTestItem(
          file,
          vscode.workspace.asRelativePath(file),
          namedServers(file) === null ? vscode.Uri.file(file) : undefined, // MCP servers are no file to go to
        );
      item.description = `${runName(info)} · ${when(info.createdAt)}`;
      item.canResolveChildren = true;
      if (this.infos.get(item)?.id !== info.id) item.children.replace([]);
      this.infos.set(item, info);
      return item;
    });
    this.controller.items.replace(items);
  }

  private async resolveTasks(file: vscode.TestItem): Promise<void> {
    const info = this.infos.get(file);
    if (!info) return;
    if (file.children.size === 0) {
      file.busy = true;
      try {
        const { validation = [] } = await this.deps.service.ask('readTasks', { dir: info.dir });
        file.children.replace(validation.map((task) => this.taskItem(file, task)));
        file.error = validation.length === 0 ? vscode.l10n.t('This run has no validation tasks.') : undefined;
      } catch (error) {
        file.error = (error as Error).message;
      } finally {
        file.busy = false;
      }
    }
    await this.loadResults(file).catch((error: Error) => this.deps.log.warn(`evaluations: ${error.message}`));
  }

  private taskItem(file: vscode.TestItem, task: Task): vscode.TestItem {
    const prompt = task.prompt.replace(/\s+/g, ' ');
    const item = this.controller.createTestItem(
      `${file.id}#${task.id}`,
      prompt.length > 100 ? `${prompt.slice(0, 100)}…` : prompt,
      file.uri,
    );
    item.description =
      task.calls === undefined
        ? vscode.l10n.t('an answer')
        : task.calls.length === 0
          ? vscode.l10n.t('no call')
          : task.calls.map(({ name }) => name).join(' → ');
    item.sortText = task.id;
    this.tasks.set(item, task);
    return item;
  }

  /** What this file's runs measured on the same tasks, the oldest first, so that the newest result is what is shown. */
  private async loadResults(file: vscode.TestItem): Promise<void> {
    const { runs } = this.deps;
    const old = runs.list
      .filter((info) => info.toolFile === file.id && info.problem === null)
      .slice(0, OLD_RUNS)
      .reverse();
    for (const info of old) {
      const { traces } = await runs.load(info.id);
      const measured = traces.filter((trace) => trace.phase === 'validation' && !trace.superseded);
      const step = measured.at(-1)?.step;
      if (step === undefined || this.loaded.has(`${info.id} ${step}`)) continue;
      this.loaded.add(`${info.id} ${step}`);
      await this.showResults(
        file,
        info,
        measured.filter((trace) => trace.step === step),
        step,
      );
    }
  }

  private async showResults(
    file: vscode.TestItem,
    info: RunInfo,
    summaries: readonly TraceSummary[],
    step: number,
  ): Promise<void> {
    const run = this.controller.createTestRun(
      new vscode.TestRunRequest([file]),
      `${runName(info)} · ${when(info.createdAt)} · step ${step}`,
      false,
    );
    let failures = 0;
    for (const summary of summaries) {
      const item = file.children.get(`${file.id}#${summary.taskId}`);
      const task = item && this.tasks.get(item);
      if (!item || !task) continue; // another run had other tasks
      this.measured.set(item.id, { runId: info.id, traceId: summary.id });
      if (summary.solved === null) run.skipped(item);
      else if (summary.solved) run.passed(item);
      else if (++failures > SHOWN_FAILURES) run.failed(item, new vscode.TestMessage(summary.path));
      else
        run.failed(
          item,
          await this.deps.service
            .ask('readTrace', { dir: info.dir, file: summary.file, offset: summary.offset, length: summary.length })
            .then(
              (trace) => difference(task, trace),
              (error: Error) => new vscode.TestMessage(`${summary.path} (${error.message})`),
            ),
        );
    }
    run.end();
  }

  private async evaluate(
    request: vscode.TestRunRequest,
    token: vscode.CancellationToken,
    isRecorded: boolean,
  ): Promise<void> {
    const run = this.controller.createTestRun(request);
    const stop = new AbortController();
    token.onCancellationRequested(() => stop.abort());
    try {
      for (const [file, items] of await this.wanted(request))
        await this.evaluateFile(run, file, items, stop.signal, isRecorded);
    } finally {
      run.end();
    }
  }

  /** The items asked for, by file. */
  private async wanted(request: vscode.TestRunRequest): Promise<Map<vscode.TestItem, vscode.TestItem[]>> {
    const files = new Map<vscode.TestItem, vscode.TestItem[]>();
    for (const item of request.include ?? [...this.controller.items].map(([, file]) => file)) {
      const file = item.parent ?? item;
      if (!item.parent) await this.resolveTasks(file);
      const items = item.parent ? [item] : [...file.children].map(([, child]) => child);
      files.set(file, [...(files.get(file) ?? []), ...items.filter((one) => !request.exclude?.includes(one))]);
    }
    return files;
  }

  private async evaluateFile(
    run: vscode.TestRun,
    file: vscode.TestItem,
    items: readonly vscode.TestItem[],
    signal: AbortSignal,
    isRecorded: boolean,
  ): Promise<void> {
    const info = this.infos.get(file);
    if (!info || items.length === 0) return;
    const byTask = new Map(items.map((item) => [this.tasks.get(item)!.id, item]));
    for (const item of items) run.started(item);
    try {
      const versions = await this.deps.service.ask('versionsOf', { dir: info.dir });
      const { version, step } = versions.at(-1)!;
      run.appendOutput(
        toTerminal(
          `${vscode.l10n.t('{0}: {1} on {2} tasks', runName(info), versionLabel(version, step), items.length)}\n`,
        ),
      );
      const tasks = items.map((item) => this.tasks.get(item)!);
      const told = (traces: readonly Trace[]) =>
        traces.forEach((trace) => this.tell(run, info, byTask, trace, isRecorded));
      const { notes } = await this.deps.trying.tasks(
        info,
        { tasks, versions: [version as Version], samples: 1, temperature: 0, toolPolicy: null, isRecorded },
        signal,
        told,
      );
      for (const note of notes) run.appendOutput(toTerminal(`${note}\n`));
      for (const item of byTask.values()) run.skipped(item); // stopped before it was their turn
    } catch (error) {
      for (const item of byTask.values()) run.errored(item, new vscode.TestMessage((error as Error).message));
    }
  }

  private tell(
    run: vscode.TestRun,
    info: RunInfo,
    open: Map<string, vscode.TestItem>,
    trace: Trace,
    isRecorded: boolean,
  ): void {
    const item = open.get(trace.taskId);
    const task = item && this.tasks.get(item);
    if (!item || !task) return;
    open.delete(trace.taskId);
    if (isRecorded) this.measured.set(item.id, { runId: info.id, traceId: trace.id });
    run.appendOutput(
      toTerminal(
        isRecorded
          ? `${traceText(trace, { blind: false }).text}\n`
          : `${trace.solved ? '✓' : '✗'} ${task.prompt.replace(/\s+/g, ' ')}\n`,
      ),
      undefined,
      item,
    );
    if (trace.solved) run.passed(item, trace.durationMs);
    else run.failed(item, difference(task, trace), trace.durationMs);
  }
}

function difference(task: Task, trace: Trace): vscode.TestMessage {
  const shown = withAnswerShown(task, trace, vscode.l10n.t('any that says what was asked, in words of the results'));
  const title = vscode.l10n.t('The calls or the answer are not those that the task wants');
  const what = (trace.differences ?? []).map(differenceWords).join('; ');
  return vscode.TestMessage.diff(what ? `${title}: ${what}` : title, expectedText(shown), actualText(trace, shown));
}

/**
 * The tools of the workspace as the service finds them, and what is wrong with those that can't be used.
 * Whole at the start and after changes on disk; one file at a time, unsaved text included, while the user types.
 * Beside it stands what the last run met when it loaded and called the tools, until the file changes or the next run
 * meets something else.
 */
import { statSync } from 'node:fs';
import * as vscode from 'vscode';
import type { RunInfo } from '../../trainer/protocol/messages';
import type { Params, ServiceMethods } from '../../trainer/protocol/serviceMethods';
import type { Diagnostic, FileTool, ToolWithoutTasks } from '../../trainer/protocol/task';
import { mayHoldTools } from '../../trainer/protocol/toolMarks';
import { contexts } from '../contributions';
import { Debounce, Emitter, Owner } from '../window/disposables';
import type { Log } from '../window/log';
import { MetProblems } from './metProblems';
import type { Service } from '../processes/service';
import { readSettings } from '../settings';

const TYPING_DELAY_MS = 300;
const DISK_DELAY_MS = 500;
const LANGUAGES = new Set(['typescript', 'typescriptreact', 'javascript', 'javascriptreact']);

export class ToolIndex extends Owner {
  tools: FileTool[] = [];
  diagnostics: Diagnostic[] = [];
  files: string[] = [];
  /** why the last discovery gave nothing; null: it went well */
  problem: string | null = null;
  isReady = false;

  private readonly changed = this.own(new Emitter<void>());
  readonly onDidChange = this.changed.event;
  private readonly typed = new Set<vscode.TextDocument>();
  private readonly collection = this.own(vscode.languages.createDiagnosticCollection('coach'));
  private generation = 0;
  private readonly met = new MetProblems();

  constructor(
    private readonly service: Service,
    private readonly log: Log,
  ) {
    super();
    const typing = this.own(new Debounce(TYPING_DELAY_MS, () => void this.readTyped()));
    const disk = this.own(new Debounce(DISK_DELAY_MS, () => void this.refresh()));
    const noteTyped = (document: vscode.TextDocument) => {
      this.forgetMet(document.uri.fsPath, Date.now());
      if (!this.concerns(document)) return;
      this.typed.add(document);
      typing.schedule();
    };
    this.own(
      vscode.workspace.onDidChangeTextDocument((event) => event.contentChanges.length > 0 && noteTyped(event.document)),
    );
    this.own(vscode.workspace.onDidCloseTextDocument((document) => this.typed.delete(document) && disk.schedule()));
    this.own(vscode.workspace.onDidChangeWorkspaceFolders(() => disk.schedule()));
    this.own(vscode.workspace.onDidGrantWorkspaceTrust(() => disk.schedule()));
    const watcher = this.own(vscode.workspace.createFileSystemWatcher('**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs}'));
    const onDisk = (uri: vscode.Uri) => {
      if (/[\\/](node_modules|\.git|\.coach)[\\/]/.test(uri.fsPath)) return;
      this.forgetMet(uri.fsPath, statSync(uri.fsPath, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
      disk.schedule();
    };
    this.own(watcher.onDidChange(onDisk));
    this.own(watcher.onDidCreate(onDisk));
    this.own(watcher.onDidDelete(onDisk));
  }

  /** The tools of one file, in the order of the file. */
  toolsOf(file: string): FileTool[] {
    return this.tools.filter((tool) => tool.source.file === file).sort((a, b) => a.source.line - b.source.line);
  }

  /** The tool of this name, where several files have one that of the run's file. */
  named(name: string, run: Pick<RunInfo, 'toolFile'> | null | undefined): FileTool | undefined {
    const same = this.tools.filter((tool) => tool.name === name);
    return same.find(({ source }) => run && source.file.startsWith(run.toolFile)) ?? same[0];
  }

  /** What the last start of a run met in the user's files; takes the place of what the one before had met. */
  showMet(diagnostics: Diagnostic[]): void {
    this.met.replace(diagnostics, Date.now());
    this.tellMet();
  }

  /** Tools of a file that the last start could make no task for. */
  withoutTasks(file: string): (Diagnostic & { withoutTasks: ToolWithoutTasks })[] {
    return this.met.all.flatMap(({ withoutTasks, ...diagnostic }) =>
      withoutTasks && diagnostic.file === file ? [{ ...diagnostic, withoutTasks }] : [],
    );
  }

  private forgetMet(file: string, changedAt: number): void {
    if (this.met.forget(file, changedAt)) this.tellMet();
  }

  private tellMet(): void {
    this.publish();
    this.changed.fire();
  }

  private concerns(document: vscode.TextDocument): boolean {
    if (document.uri.scheme !== 'file' || !LANGUAGES.has(document.languageId)) return false;
    return this.files.includes(document.uri.fsPath) || mayHoldTools(document.getText());
  }

  /** The whole workspace, unsaved text included. */
  async refresh(): Promise<void> {
    const generation = ++this.generation;
    const folders = localFolders();
    try {
      const found =
        folders.length === 0
          ? { tools: [], diagnostics: [], files: [] }
          : await this.service.ask('discover', this.question(folders));
      if (generation !== this.generation || this.isDisposed) return; // a later question is on its way
      this.problem = null;
      this.accept(found);
    } catch (error) {
      if (generation !== this.generation || this.isDisposed) return;
      this.problem = (error as Error).message;
      this.log.error(`discovery: ${this.problem}`);
      this.accept({ tools: this.tools, diagnostics: this.diagnostics, files: this.files });
    }
  }

  private async readTyped(): Promise<void> {
    const documents = [...this.typed].filter((document) => !document.isClosed);
    this.typed.clear();
    if (documents.length === 0) return;
    const generation = ++this.generation;
    const paths = documents.map((document) => document.uri.fsPath);
    try {
      const found = await this.service.ask('discover', this.question(paths));
      if (generation !== this.generation || this.isDisposed) return;
      const isOther = (file: string) => !paths.includes(file);
      this.accept({
        tools: [...this.tools.filter((tool) => isOther(tool.source.file)), ...found.tools],
        diagnostics: [...this.diagnostics.filter((diagnostic) => isOther(diagnostic.file)), ...found.diagnostics],
        files: [...new Set([...this.files.filter(isOther), ...found.files])],
      });
    } catch (error) {
      this.log.warn(`discovery while typing: ${(error as Error).message}`);
    }
  }

  /** In a trusted workspace tool hosts run the files that define tools, so that their schemas are known. */
  private question(paths: string[]): Params<typeof ServiceMethods.discover> {
    return {
      paths,
      overlays: this.overlays(),
      ...(vscode.workspace.isTrusted ? { runsIn: localFolders(), toolNetwork: readSettings().toolNetwork } : {}),
    };
  }

  /** Text that is not on disk yet, of the files that may hold tools. */
  private overlays(): Record<string, string> {
    const dirty = vscode.workspace.textDocuments.filter((document) => document.isDirty && this.concerns(document));
    return Object.fromEntries(dirty.map((document) => [document.uri.fsPath, document.getText()]));
  }

  private accept(found: { tools: FileTool[]; diagnostics: Diagnostic[]; files: string[] }): void {
    this.tools = found.tools;
    this.diagnostics = found.diagnostics;
    this.files = [
      ...new Set([
        ...found.files.filter((file) => found.tools.some((tool) => tool.source.file === file)),
        ...found.tools.map((tool) => tool.source.file),
      ]),
    ].sort();
    this.isReady = true;
    this.publish();
    void vscode.commands.executeCommand('setContext', contexts.toolFiles, this.files);
    void vscode.commands.executeCommand('setContext', contexts.hasTools, this.files.length > 0);
    void vscode.commands.executeCommand('setContext', contexts.discovered, this.problem === null);
    this.changed.fire();
  }

  /** Into the editor and the Problems panel, unless the setting says no. */
  publish(): void {
    this.collection.clear();
    const byFile = groupByFile(shownOf([...this.diagnostics, ...this.met.all]));
    for (const [file, diagnostics] of byFile) {
      const uri = vscode.Uri.file(file);
      if (readSettings(uri).diagnostics) this.collection.set(uri, diagnostics.map(toEditor));
    }
  }
}

/** Folders that lie on a disk; the service reads nothing else. */
export function localFolders(): string[] {
  return (vscode.workspace.workspaceFolders ?? [])
    .filter((folder) => folder.uri.scheme === 'file')
    .map((folder) => folder.uri.fsPath);
}

/** Each once, and no syntax error, which the editor's own language tells. */
function shownOf(diagnostics: Diagnostic[]): Diagnostic[] {
  const seen = new Set<string>();
  return diagnostics.filter(({ file, line, message, isSyntax }) => {
    const key = JSON.stringify([file, line, message]);
    return !isSyntax && !seen.has(key) && seen.add(key);
  });
}

function groupByFile(diagnostics: Diagnostic[]): Map<string, Diagnostic[]> {
  const byFile = new Map<string, Diagnostic[]>();
  for (const diagnostic of diagnostics)
    byFile.set(diagnostic.file, [...(byFile.get(diagnostic.file) ?? []), diagnostic]);
  return byFile;
}

/** The protocol counts lines and columns from 1, VS Code from 0. */
export function toEditor({ line, column, endColumn, severity, message }: Diagnostic): vscode.Diagnostic {
  const start = (column ?? 1) - 1;
  const range = new vscode.Range(
    line - 1,
    start,
    line - 1,
    endColumn === undefined ? Number.MAX_SAFE_INTEGER : endColumn - 1,
  );
  const diagnostic = new vscode.Diagnostic(
    range,
    message,
    severity === 'error' ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning,
  );
  diagnostic.source = 'Coach';
  return diagnostic;
}

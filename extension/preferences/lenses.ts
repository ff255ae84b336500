/** CodeLens: over each tool how many of its tasks the last run solved, and what it called. */
import * as vscode from 'vscode';
import { commands } from '../contributions';
import { documentSelector } from '../tools/codeLens';
import { Owner } from '../window/disposables';
import type { Runs } from '../runs/runs';
import { readSettings } from '../settings';
import type { ToolIndex } from '../tools/toolIndex';
import type { RunInfo } from '../../trainer/protocol/messages';
import type { Service } from '../processes/service';
import type { Log } from '../window/log';
import type { Preferences } from './preferences';
import { toolUse, toolUseText, wantedBy, type Wanted } from './toolUse';

const REDRAW_MS = 2_000;

export class ToolLens extends Owner implements vscode.CodeLensProvider {
  private readonly changed = this.own(new vscode.EventEmitter<void>());
  readonly onDidChangeCodeLenses = this.changed.event;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** what the tasks of the run that was looked at last want; empty while they are on their way */
  private tasks: { runId: string; wanted: Wanted } | null = null;

  constructor(
    private readonly index: ToolIndex,
    private readonly runs: Runs,
    private readonly preferences: Preferences,
    private readonly service: Service,
    private readonly log: Log,
  ) {
    super();
    this.own(index.onDidChange(() => this.changed.fire()));
    this.own(preferences.onDidChange(() => this.changed.fire()));
    this.own(runs.onDidSelect(() => this.changed.fire()));
    this.own(
      runs.onDidChangeRun(({ events }) => events.some(({ type }) => type === 'traceRecorded') && this.redrawSoon()),
    );
    this.own({ dispose: () => clearTimeout(this.timer) });
    this.own(vscode.languages.registerCodeLensProvider(documentSelector, this));
  }

  private redrawSoon(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.changed.fire();
    }, REDRAW_MS);
  }

  /** Asked for once a run; what came is drawn then. */
  private wantedIn({ id, dir }: RunInfo): Wanted {
    if (this.tasks?.runId === id) return this.tasks.wanted;
    const wanted: Wanted = new Map();
    this.tasks = { runId: id, wanted };
    this.service.ask('readTasks', { dir }).then(
      (splits) => {
        if (this.tasks?.runId !== id) return;
        this.tasks = { runId: id, wanted: wantedBy(Object.values(splits).flat()) };
        this.changed.fire();
      },
      (error: Error) => this.log.warn(`tool lens: ${error.message}`),
    );
    return wanted;
  }

  refresh(): void {
    this.changed.fire();
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const run = this.runs.selected;
    if (!run || !readSettings(document.uri).codeLens || !document.uri.fsPath.startsWith(run.toolFile)) return [];
    const uses = toolUse(this.runs.known(run.id)?.traces ?? [], this.preferences.queue, this.wantedIn(run));
    return this.index.toolsOf(document.uri.fsPath).flatMap(({ name, source }) => {
      const use = uses.get(name);
      if (!use || (use.calls === 0 && use.tasks === 0)) return [];
      const line = Math.min(Math.max(0, source.line - 1), document.lineCount - 1);
      const command =
        use.openPairs > 0
          ? { command: commands.markPairs, arguments: [name] }
          : { command: commands.openRun, arguments: [run] };
      return [
        new vscode.CodeLens(new vscode.Range(line, 0, line, 0), {
          ...command,
          title: `$(comment-discussion) ${toolUseText(use)}`,
          tooltip:
            use.openPairs > 0
              ? vscode.l10n.t('Mark the pairs whose differing step calls this tool')
              : vscode.l10n.t('Open the run'),
        }),
      ];
    });
  }
}

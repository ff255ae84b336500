/** CodeLens: the marks above an open pair, and over each tool what the last run did with it. */
import * as vscode from 'vscode';
import { commands, schemes } from '../contributions';
import { documentSelector } from '../tools/codeLens';
import { Owner } from '../window/disposables';
import type { Runs } from '../runs/runs';
import { readSettings } from '../settings';
import type { ToolIndex } from '../tools/toolIndex';
import type { Marking } from './marking';
import type { Preferences } from './preferences';
import { toolUse, toolUseText } from './toolUse';

/** Shown where `diffEditor.codeLens` is on; the title's buttons and the keys do the same. */
export class PairLens extends Owner implements vscode.CodeLensProvider {
  private readonly changed = this.own(new vscode.EventEmitter<void>());
  readonly onDidChangeCodeLenses = this.changed.event;

  constructor(private readonly marking: Marking) {
    super();
    this.own(marking.onDidChange(() => this.changed.fire()));
    this.own(vscode.languages.registerCodeLensProvider({ scheme: schemes.trace }, this));
  }

  provideCodeLenses({ uri }: vscode.TextDocument): vscode.CodeLens[] {
    const { current } = this.marking;
    if (!current?.uris.some((own) => own.toString() === uri.toString())) return [];
    const top = new vscode.Range(0, 0, 0, 0);
    const lens = (title: string, command: string) => new vscode.CodeLens(top, { title, command });
    return [
      lens(vscode.l10n.t('$(arrow-left) A is better'), commands.aIsBetter),
      lens(vscode.l10n.t('$(arrow-right) B is better'), commands.bIsBetter),
      lens(vscode.l10n.t('Tie'), commands.tie),
      lens(vscode.l10n.t('Skip'), commands.skipPair),
      lens(vscode.l10n.t('Undo'), commands.undoMark),
      lens(vscode.l10n.t('Rewrite'), commands.rewriteAnswer),
    ];
  }
}

const REDRAW_MS = 2_000;

export class ToolLens extends Owner implements vscode.CodeLensProvider {
  private readonly changed = this.own(new vscode.EventEmitter<void>());
  readonly onDidChangeCodeLenses = this.changed.event;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly index: ToolIndex,
    private readonly runs: Runs,
    private readonly preferences: Preferences,
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

  refresh(): void {
    this.changed.fire();
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const run = this.runs.selected;
    if (!run || !readSettings(document.uri).codeLens || !document.uri.fsPath.startsWith(run.toolFile)) return [];
    const uses = toolUse(this.runs.known(run.id)?.traces ?? [], this.preferences.queue);
    return this.index.toolsOf(document.uri.fsPath).flatMap(({ name, source }) => {
      const use = uses.get(name);
      if (!use || use.calls === 0) return [];
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

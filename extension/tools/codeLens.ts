/** *Train agent on these tools*, above the first tool of a file. */
import * as vscode from 'vscode';
import { commands } from '../contributions';
import { Owner } from '../window/disposables';
import { readSettings } from '../settings';
import type { ToolIndex } from './toolIndex';

export const documentSelector: vscode.DocumentSelector = [
  'typescript',
  'typescriptreact',
  'javascript',
  'javascriptreact',
].map((language) => ({ language, scheme: 'file' }));

export class TrainCodeLens extends Owner implements vscode.CodeLensProvider {
  private readonly changed = this.own(new vscode.EventEmitter<void>());
  readonly onDidChangeCodeLenses = this.changed.event;

  constructor(private readonly index: ToolIndex) {
    super();
    this.own(index.onDidChange(() => this.changed.fire()));
    this.own(vscode.workspace.onDidGrantWorkspaceTrust(() => this.changed.fire()));
    this.own(vscode.languages.registerCodeLensProvider(documentSelector, this));
  }

  refresh(): void {
    this.changed.fire();
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    if (!readSettings(document.uri).codeLens || !vscode.workspace.isTrusted) return [];
    const [first, ...rest] = this.index.toolsOf(document.uri.fsPath);
    if (!first) return [];
    const line = Math.min(first.source.line - 1, document.lineCount - 1);
    const count = rest.length + 1;
    return [
      new vscode.CodeLens(new vscode.Range(line, 0, line, 0), {
        command: commands.trainOnFile,
        title:
          count === 1
            ? vscode.l10n.t('$(play) Train agent on this tool')
            : vscode.l10n.t('$(play) Train agent on these {0} tools', count),
        arguments: [document.uri],
      }),
    ];
  }
}

/** Import and export of preferences in other programs' forms. */
import * as vscode from 'vscode';
import type { PreferenceFormat } from '../../trainer/protocol/preferences';
import type { Service } from '../processes/service';
import type { Preferences } from './preferences';

const FORMATS: { format: PreferenceFormat; label: string; description: string }[] = [
  { format: 'trl', label: 'TRL', description: 'prompt, chosen, rejected, tools: for DPOTrainer' },
  { format: 'openai', label: 'OpenAI', description: 'input, preferred_output, non_preferred_output' },
  { format: 'kto', label: 'KTO', description: 'prompt, completion, label: one row an answer' },
];
const FILTERS = { 'JSON lines': ['jsonl'], 'All files': ['*'] };

export function exchange(
  preferences: Preferences,
  service: Service,
): { importFile(): Promise<void>; exportFile(): Promise<void> } {
  const workspaceOrThrow = (): string => {
    if (preferences.workspace === null)
      throw new Error('open a folder first: preferences are kept in its .coach/preferences.jsonl');
    return preferences.workspace;
  };
  return {
    async importFile() {
      const workspace = workspaceOrThrow();
      const [file] =
        (await vscode.window.showOpenDialog({ title: 'Import Preferences', filters: FILTERS, canSelectMany: false })) ??
        [];
      if (!file) return;
      const { pairs, unpaired, problems } = await service.ask('importPreferences', { workspace, file: file.fsPath });
      await preferences.refresh();
      const left =
        problems.length > 0
          ? ` ${problems.length} ${problems.length === 1 ? 'line was' : 'lines were'} left out: ${problems[0]!.message}`
          : '';
      void vscode.window.showInformationMessage(
        `Coach: imported ${pairs} pairs${unpaired > 0 ? ` and ${unpaired} single answers` : ''}.${left}`,
      );
    },
    async exportFile() {
      const workspace = workspaceOrThrow();
      const chosen = await vscode.window.showQuickPick(FORMATS, {
        title: 'Export Preferences',
        placeHolder: 'In which form?',
      });
      if (!chosen) return;
      const file = await vscode.window.showSaveDialog({
        title: 'Export Preferences',
        filters: FILTERS,
        defaultUri: vscode.Uri.joinPath(vscode.Uri.file(workspace), `preferences.${chosen.format}.jsonl`),
      });
      if (!file) return;
      const { rows } = await service.ask('exportPreferences', { workspace, file: file.fsPath, format: chosen.format });
      const open = 'Open File';
      if (
        (await vscode.window.showInformationMessage(
          `Coach: ${rows} rows written to ${vscode.workspace.asRelativePath(file)}.`,
          open,
        )) === open
      )
        await vscode.window.showTextDocument(file);
    },
  };
}

/** Import and export of preferences in other programs' forms. */
import * as vscode from 'vscode';
import type { PreferenceFormat } from '../../trainer/protocol/preferences';
import type { Service } from '../processes/service';
import type { Preferences } from './preferences';

const FORMATS: { format: PreferenceFormat; label: string; description: string }[] = [
  { format: 'trl', label: 'TRL', description: vscode.l10n.t('prompt, chosen, rejected, tools: for DPOTrainer') },
  { format: 'openai', label: 'OpenAI', description: vscode.l10n.t('input, preferred_output, non_preferred_output') },
  { format: 'kto', label: 'KTO', description: vscode.l10n.t('prompt, completion, label: one row an answer') },
];
const FILTERS = { [vscode.l10n.t('JSON lines')]: ['jsonl'], [vscode.l10n.t('All files')]: ['*'] };

export function exchange(
  preferences: Preferences,
  service: Service,
): { importFile(): Promise<void>; exportFile(): Promise<void> } {
  const workspaceOrThrow = (): string => {
    if (preferences.workspace === null)
      throw new Error(vscode.l10n.t('open a folder first: preferences are kept in its .coach/preferences.jsonl'));
    return preferences.workspace;
  };
  return {
    async importFile() {
      const workspace = workspaceOrThrow();
      const [file] =
        (await vscode.window.showOpenDialog({
          title: vscode.l10n.t('Import Preferences'),
          filters: FILTERS,
          canSelectMany: false,
        })) ?? [];
      if (!file) return;
      const { pairs, unpaired, problems } = await service.ask('importPreferences', { workspace, file: file.fsPath });
      await preferences.refresh();
      const left =
        problems.length > 0
          ? problems.length === 1
            ? vscode.l10n.t('{0} line was left out: {1}', problems.length, problems[0]!.message)
            : vscode.l10n.t('{0} lines were left out: {1}', problems.length, problems[0]!.message)
          : '';
      void vscode.window.showInformationMessage(
        [
          unpaired > 0
            ? vscode.l10n.t('Coach: imported pairs: {0}, single answers: {1}.', pairs, unpaired)
            : vscode.l10n.t('Coach: imported pairs: {0}.', pairs),
          left,
        ]
          .join(' ')
          .trim(),
      );
    },
    async exportFile() {
      const workspace = workspaceOrThrow();
      const chosen = await vscode.window.showQuickPick(FORMATS, {
        title: vscode.l10n.t('Export Preferences'),
        placeHolder: vscode.l10n.t('In which form?'),
      });
      if (!chosen) return;
      const file = await vscode.window.showSaveDialog({
        title: vscode.l10n.t('Export Preferences'),
        filters: FILTERS,
        defaultUri: vscode.Uri.joinPath(vscode.Uri.file(workspace), `preferences.${chosen.format}.jsonl`),
      });
      if (!file) return;
      const { rows } = await service.ask('exportPreferences', { workspace, file: file.fsPath, format: chosen.format });
      const open = vscode.l10n.t('Open File');
      if (
        (await vscode.window.showInformationMessage(
          vscode.l10n.t('Coach: exported rows: {0}, to {1}.', rows, vscode.workspace.asRelativePath(file)),
          open,
        )) === open
      )
        await vscode.window.showTextDocument(file);
    },
  };
}

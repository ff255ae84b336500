/** A run is put aside at once; it goes to the trash when the message that offers *Undo* has gone. */
import * as vscode from 'vscode';
import type { RunInfo } from '../../trainer/protocol/messages';
import type { Service } from '../processes/service';
import type { Runs } from './runs';
import { runName } from './runText';

export async function deleteRun(info: RunInfo, service: Service, runs: Runs): Promise<void> {
  const { aside } = await service.ask('putRunAside', { dir: info.dir });
  await runs.refresh();
  const undo = vscode.l10n.t('Undo');
  const told = runName(info);
  void vscode.window.showInformationMessage(vscode.l10n.t('Deleted the run {0}.', told), undo).then(async (answer) => {
    if (answer === undo) await service.ask('restoreRun', { aside });
    else await toTrash(aside);
    await runs.refresh();
  });
}

/** Where there is no trash (a remote folder, a server) the folder is left aside rather than lost, and it is said. */
async function toTrash(aside: string): Promise<void> {
  try {
    await vscode.workspace.fs.delete(vscode.Uri.file(aside), { recursive: true, useTrash: true });
  } catch {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('There is no trash here: the deleted run is still in {0}.', aside),
    );
  }
}

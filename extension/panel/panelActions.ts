/** What the panel's buttons do in the editor. Reading of data is coachPanel's; this is the rest. */
import * as vscode from 'vscode';
import type { RunInfo } from '../../trainer/protocol/messages';
import { assertNever } from '../../trainer/protocol/result';
import type { PanelRequest } from '../../webview/messages';
import { commands } from '../contributions';
import type { OwnRequestsRequest } from './ownRequests';
import type { MarkingRequest } from '../preferences/markingPage';
import { makeTask } from '../tools/makeTask';
import type { Service } from '../processes/service';
import type { ToolIndex } from '../tools/toolIndex';
import { revealTool } from '../tools/toolLocation';

export type PanelAction = Exclude<
  PanelRequest,
  {
    type:
      | 'ready'
      | 'selectRun'
      | 'allTraces'
      | 'compareWith'
      | 'openTrace'
      | 'openJudge'
      | 'openVerdicts'
      | 'correctRanking'
      | 'openTasks'
      | 'labelRun'
      | 'deleteRun'
      | 'openTry'
      | 'openLessons'
      | 'openToolGraph'
      | 'try'
      | 'cancelTry'
      | OwnRequestsRequest['type']
      | 'tryAgain'
      | MarkingRequest['type'];
  }
>;

export class PanelActions {
  constructor(
    private readonly index: ToolIndex,
    private readonly service: Service,
  ) {}

  /** @param run the one that the page shows; null: it shows a trace file */
  async perform(request: PanelAction, run: RunInfo | null): Promise<void> {
    switch (request.type) {
      case 'stop':
        return command(commands.stopRun, run);
      case 'resume':
        return command(commands.resumeRun, run);
      case 'openAdapterFolder':
        return command(commands.openAdapterFolder, run);
      case 'openRunFolder':
        return command(commands.openRunFolder, run);
      case 'export':
        return command(commands.exportAdapter, run);
      case 'train':
        return void (await vscode.commands.executeCommand(commands.trainOnFile));
      case 'trainOnLessons':
        return command(commands.trainOnLessons, run);
      case 'showLog':
        return void (await vscode.commands.executeCommand(commands.showLog));
      case 'revealTool':
        return this.reveal(run, request.tool);
      case 'copy':
        await vscode.env.clipboard.writeText(request.text);
        return void vscode.window.setStatusBarMessage(vscode.l10n.t('Copied {0}', request.what), 2_000);
      case 'makeTask':
        return makeTask(request.task, run, this.index, this.service);
      case 'markPair':
        if (run === null) throw new Error(vscode.l10n.t('a trace file has no run'));
        return void (await vscode.commands.executeCommand(commands.markTraces, run.id, request.traceIds));
      case 'diffTask':
        if (run === null) throw new Error(vscode.l10n.t('a trace file has no run'));
        return void (await vscode.commands.executeCommand(commands.beforeAfter, run.id, request.traceId));
      case 'saveFile':
        return saveFile(request.text, request.name);
      case 'openDocument': {
        const document = await vscode.workspace.openTextDocument({ content: request.text, language: request.language });
        return void (await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside }));
      }
      default:
        return assertNever(request);
    }
  }

  private async reveal(run: RunInfo | null, name: string): Promise<void> {
    if (!this.index.isReady) await this.index.refresh();
    const tool = this.index.named(name, run);
    if (!tool) throw new Error(vscode.l10n.t('the tool {0} is not in this workspace any more', name));
    await revealTool(tool);
  }
}

async function command(id: string, run: RunInfo | null): Promise<void> {
  if (run === null) throw new Error(vscode.l10n.t('a trace file has no run'));
  await vscode.commands.executeCommand(id, run);
}

async function saveFile(text: string, name: string): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const target = await vscode.window.showSaveDialog(folder ? { defaultUri: vscode.Uri.joinPath(folder, name) } : {});
  if (!target) return;
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
  vscode.window.setStatusBarMessage(vscode.l10n.t('Saved {0}', vscode.workspace.asRelativePath(target)), 3_000);
}

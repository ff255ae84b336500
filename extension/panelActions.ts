/** What the panel's buttons do in the editor. Reading of data is coachPanel's; this is the rest. */
import * as vscode from 'vscode';
import type { RunInfo } from '../trainer/protocol/messages';
import { assertNever } from '../trainer/protocol/result';
import type { PanelRequest } from '../webview/messages';
import { commands } from './contributions';
import type { Runs } from './runs';
import type { ToolIndex } from './toolIndex';
import { revealTool } from './toolLocation';

export type PanelAction = Exclude<PanelRequest, { type: 'ready' | 'selectRun' | 'compareWith' | 'openTrace' | 'openJudge' | 'openVerdicts' | 'correctRanking' }>;

export class PanelActions {
  constructor(private readonly runs: Runs, private readonly index: ToolIndex) {}

  async perform(request: PanelAction): Promise<void> {
    switch (request.type) {
      case 'stop': return this.command(commands.stopRun, request.runId);
      case 'resume': return this.command(commands.resumeRun, request.runId);
      case 'openAdapterFolder': return this.command(commands.openAdapterFolder, request.runId);
      case 'openRunFolder': return this.command(commands.openRunFolder, request.runId);
      case 'export': return this.command(commands.exportAdapter, request.runId);
      case 'train': return void (await vscode.commands.executeCommand(commands.trainOnFile));
      case 'showLog': return void (await vscode.commands.executeCommand(commands.showLog));
      case 'revealTool': return this.reveal(request.runId, request.tool);
      case 'copy':
        await vscode.env.clipboard.writeText(request.text);
        return void vscode.window.setStatusBarMessage(`Copied ${request.what}`, 2_000);
      case 'openDocument': {
        const document = await vscode.workspace.openTextDocument({ content: request.text, language: request.language });
        return void (await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside }));
      }
      default: return assertNever(request);
    }
  }

  private runInfo(runId: string): RunInfo {
    const info = this.runs.info(runId);
    if (!info) throw new Error(`no run ${runId} in this workspace`);
    return info;
  }

  private async command(id: string, runId: string): Promise<void> {
    await vscode.commands.executeCommand(id, this.runInfo(runId));
  }

  private async reveal(runId: string, name: string): Promise<void> {
    const { toolFile } = this.runInfo(runId);
    const named = this.index.tools.filter((tool) => tool.name === name);
    const tool = named.find((candidate) => candidate.source.file.startsWith(toolFile)) ?? named[0];
    if (!tool) throw new Error(`the tool ${name} is not in this workspace any more`);
    await revealTool(tool);
  }
}

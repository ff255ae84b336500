import * as vscode from 'vscode';
import type { FileTool } from '../../trainer/protocol/task';

/** Opens the tool's definition, cursor at its name. */
export async function revealTool({ source }: FileTool): Promise<void> {
  const at = new vscode.Position(Math.max(0, source.line - 1), Math.max(0, (source.column ?? 1) - 1));
  await vscode.window.showTextDocument(vscode.Uri.file(source.file), { selection: new vscode.Range(at, at) });
}

/** What the commands of tool files and servers do. */
import * as vscode from 'vscode';
import { isEditor, serversAsToolFile } from '../../trainer/protocol/mcp';
import { commands } from '../contributions';
import { insertExampleTool } from './exampleTool';
import { openConfiguration } from '../mcp/askAboutServer';
import { revealTool } from './toolLocation';
import type { ToolNode } from './toolsTree';
import type { CommandDeps, Handlers } from '../commands';

export const toolCommands = ({ index, mcp, actions, making }: CommandDeps) =>
  ({
    [commands.trainOnFile]: (target) => actions.train(uriOf(target)),
    [commands.previewTasks]: (target) => actions.preview(uriOf(target)),
    [commands.makeTool]: (target) => making.make(uriOf(target)),
    [commands.applyMadeTool]: (target) => making.apply(uriOf(target)),
    [commands.refreshTools]: () => Promise.all([index.refresh(), mcp.refresh()]),
    [commands.trainOnEditorTools]: async () => {
      const [choice] = mcp.editorChoice();
      if (!choice) throw new Error(vscode.l10n.t('this editor has no tools of its own, or no folder is open'));
      await actions.train(vscode.Uri.file(choice.file));
    },
    [commands.listServerTools]: async (node) => {
      const target = node as ToolNode;
      if (target.kind === 'server') await mcp.list(target.server);
    },
    [commands.insertExampleTool]: insertExampleTool,
    [commands.openTool]: async (node) => {
      const target = node as ToolNode;
      if (target.kind === 'tool') await revealTool(target.tool);
      else if (target.kind === 'server' && isEditor(target.server)) await mcp.chooseEditorTools();
      else if (target.kind === 'server') await openConfiguration(target.server.file, target.server.name);
      else if (target.kind === 'file') await vscode.window.showTextDocument(vscode.Uri.file(target.file));
    },
  }) satisfies Handlers;

/** A menu gives the file; the Tools tree gives its own node. */
export function uriOf(target: unknown): vscode.Uri | undefined {
  if (target instanceof vscode.Uri) return target;
  if (typeof target === 'string') return vscode.Uri.file(target);
  const node = target as ToolNode | undefined;
  switch (node?.kind) {
    case 'file':
      return vscode.Uri.file(node.file);
    case 'tool':
      return vscode.Uri.file(node.tool.source.file);
    case 'server':
      return vscode.Uri.file(serversAsToolFile(node.server.folder, [node.server.name]));
    default:
      return undefined;
  }
}

/** Offers the tool files of a trusted workspace to the editor as MCP servers, so that its chat can use them. */
import * as vscode from 'vscode';
import { MCP_PROVIDER } from '../contributions';
import { nodeCommand } from '../processes/programs';
import { onDidChangeSettings, readSettings } from '../settings';
import type { ToolIndex } from '../tools/toolIndex';
import { Owner } from '../window/disposables';
import { offeredServer, type OfferedServer } from './offeredServer';

export class OfferedFiles extends Owner implements vscode.McpServerDefinitionProvider<vscode.McpStdioServerDefinition> {
  private readonly changed = this.own(new vscode.EventEmitter<void>());
  readonly onDidChangeMcpServerDefinitions = this.changed.event;
  /** What was told last, as JSON. */
  private told = '[]';

  constructor(
    private readonly index: ToolIndex,
    private readonly cli: string,
  ) {
    super();
    this.own(index.onDidChange(() => this.tellChanges()));
    this.own(onDidChangeSettings(() => this.tellChanges()));
    this.own(vscode.workspace.onDidGrantWorkspaceTrust(() => this.tellChanges()));
    this.own(vscode.lm.registerMcpServerDefinitionProvider(MCP_PROVIDER, this));
  }

  provideMcpServerDefinitions(): vscode.McpStdioServerDefinition[] {
    return this.servers().map(({ folder, server: { label, command, args, env, version } }) => {
      const definition = new vscode.McpStdioServerDefinition(label, command, args, env, version);
      definition.cwd = folder;
      return definition;
    });
  }

  private servers(): { folder: vscode.Uri; server: OfferedServer }[] {
    if (!vscode.workspace.isTrusted) return [];
    return this.index.files.flatMap((file) => {
      const uri = vscode.Uri.file(file);
      const settings = readSettings(uri);
      const folder = vscode.workspace.getWorkspaceFolder(uri)?.uri;
      if (!settings.offerTools || !folder) return [];
      const tools = this.index.toolsOf(file);
      const node = nodeCommand(settings.nodePath);
      return [{ folder, server: offeredServer({ file, folder: folder.fsPath, tools, cli: this.cli, node, settings }) }];
    });
  }

  private tellChanges(): void {
    const now = JSON.stringify(this.servers());
    if (now === this.told) return;
    this.told = now;
    this.changed.fire();
  }
}

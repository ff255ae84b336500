/** View *Tools*: the files and servers that have tools, their tools, and the parameters of each. */
import * as vscode from 'vscode';
import path from 'node:path';
import type { ConfiguredServer } from '../../trainer/protocol/mcp';
import type { JsonSchema, FileTool, ToolSchema } from '../../trainer/protocol/task';
import { commands } from '../contributions';
import type { McpServers } from '../mcp/mcpServers';
import { serverItem } from '../mcp/serverItem';
import { Owner } from '../window/disposables';
import type { ToolIndex } from './toolIndex';

export type ToolNode =
  | { kind: 'file'; file: string }
  | { kind: 'tool'; tool: FileTool }
  | { kind: 'server'; server: ConfiguredServer }
  | { kind: 'serverTool'; tool: ToolSchema; server: ConfiguredServer }
  | { kind: 'parameter'; name: string; schema: JsonSchema; isRequired: boolean };

export class ToolsTree extends Owner implements vscode.TreeDataProvider<ToolNode> {
  private readonly changed = this.own(new vscode.EventEmitter<void>());
  readonly onDidChangeTreeData = this.changed.event;

  constructor(
    private readonly index: ToolIndex,
    private readonly mcp: McpServers,
  ) {
    super();
    this.own(index.onDidChange(() => this.changed.fire()));
    this.own(mcp.onDidChange(() => this.changed.fire()));
  }

  getChildren(node?: ToolNode): ToolNode[] {
    switch (node?.kind) {
      case undefined:
        return [
          ...this.index.files.map((file): ToolNode => ({ kind: 'file', file })),
          ...this.mcp.servers.map((server): ToolNode => ({ kind: 'server', server })),
        ];
      case 'file':
        return this.index.toolsOf(node.file).map((tool) => ({ kind: 'tool', tool }));
      case 'server':
        return this.toolsOf(node.server);
      case 'tool':
      case 'serverTool':
        return parameters(node.tool);
      case 'parameter':
        return [];
    }
  }

  getTreeItem(node: ToolNode): vscode.TreeItem {
    switch (node.kind) {
      case 'file':
        return this.fileItem(node.file);
      case 'server':
        return serverItem(node.server, {
          isAllowed: this.mcp.isAllowed(node.server),
          listing: this.mcp.listing(node.server),
        });
      case 'serverTool':
        return serverToolItem(node);
      case 'tool':
        return fileToolItem(
          node.tool,
          this.index
            .withoutTasks(node.tool.source.file)
            .find(({ withoutTasks }) => withoutTasks.tool === node.tool.name)?.message,
        );
      case 'parameter':
        return parameterItem(node);
    }
  }

  /** One that may be started is, once somebody opens its row. */
  private toolsOf(server: ConfiguredServer): ToolNode[] {
    const { isUnderWay, tools, problem } = this.mcp.listing(server);
    if (tools) return tools.map((tool) => ({ kind: 'serverTool', tool, server }));
    if (!isUnderWay && problem === undefined && this.mcp.isAllowed(server)) void this.mcp.list(server);
    return [];
  }

  private fileItem(file: string): vscode.TreeItem {
    const item = new vscode.TreeItem(vscode.workspace.asRelativePath(file), vscode.TreeItemCollapsibleState.Expanded);
    const count = this.index.toolsOf(file).length;
    const faults = this.index.diagnostics.filter(
      (diagnostic) => diagnostic.file === file && diagnostic.severity === 'error',
    ).length;
    item.id = file;
    item.resourceUri = vscode.Uri.file(file); // badges and colours of the Explorer: problems, changes
    item.iconPath = new vscode.ThemeIcon('tools');
    item.description = [
      count === 1 ? vscode.l10n.t('{0} tool', count) : vscode.l10n.t('{0} tools', count),
      ...(faults > 0 ? [vscode.l10n.t('{0} unusable', faults)] : []),
    ].join(' · ');
    item.tooltip = file;
    item.contextValue = 'toolFile';
    item.accessibilityInformation = { label: `${path.basename(file)}, ${item.description}` };
    return item;
  }
}

/** @param problem why the last run had no task for it */
function fileToolItem(tool: FileTool, problem?: string): vscode.TreeItem {
  const item = toolItem(tool, problem);
  item.id = `${tool.source.file}#${tool.name}`;
  item.contextValue = 'tool';
  item.command = {
    command: commands.openTool,
    title: vscode.l10n.t('Go to Tool'),
    arguments: [{ kind: 'tool', tool } satisfies ToolNode],
  };
  return item;
}

function serverToolItem({ tool, server }: Extract<ToolNode, { kind: 'serverTool' }>): vscode.TreeItem {
  const item = toolItem(tool);
  item.id = `${server.identity}#${tool.name}`;
  item.contextValue = 'serverTool';
  return item;
}

function toolItem(tool: ToolSchema, problem?: string): vscode.TreeItem {
  const names = parameters(tool).map(({ name, isRequired }) => (isRequired ? name : `${name}?`));
  const item = new vscode.TreeItem(
    tool.name,
    names.length > 0 ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.None,
  );
  item.description = [
    names.join(', '),
    tool.changesWorld ? vscode.l10n.t('changes the world') : '',
    problem ? vscode.l10n.t('no task') : '',
  ]
    .filter(Boolean)
    .join(' · ');
  item.iconPath = problem
    ? new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'))
    : new vscode.ThemeIcon(tool.changesWorld ? 'globe' : 'symbol-method');
  const why =
    tool.binding.kind === 'mcp'
      ? vscode.l10n.t('Its server does not say that it only reads: it is mocked unless you say otherwise.')
      : vscode.l10n.t('Its name or its comment says that it changes the world: it is mocked unless you say otherwise.');
  item.tooltip = new vscode.MarkdownString('**')
    .appendText(tool.name)
    .appendMarkdown('**')
    .appendText(`(${names.join(', ')})`)
    .appendMarkdown('\n\n')
    .appendText(tool.description)
    .appendMarkdown(tool.changesWorld ? `\n\n$(globe) ${why}` : '');
  if (problem) (item.tooltip as vscode.MarkdownString).appendMarkdown('\n\n$(warning) ').appendText(problem);
  (item.tooltip as vscode.MarkdownString).supportThemeIcons = true;
  item.accessibilityInformation = { label: `${tool.name}, ${item.description}. ${problem ?? tool.description}` };
  return item;
}

function parameterItem({ name, schema, isRequired }: Extract<ToolNode, { kind: 'parameter' }>): vscode.TreeItem {
  const item = new vscode.TreeItem(isRequired ? name : `${name}?`);
  const description = typeof schema['description'] === 'string' ? schema['description'] : '';
  item.description = [typeText(schema), description].filter(Boolean).join(' · ');
  item.iconPath = new vscode.ThemeIcon('symbol-parameter');
  item.tooltip = item.description;
  return item;
}

function parameters(tool: ToolSchema): Extract<ToolNode, { kind: 'parameter' }>[] {
  const properties = (tool.parameters['properties'] ?? {}) as Record<string, JsonSchema>;
  const required = new Set((tool.parameters['required'] ?? []) as string[]);
  return Object.entries(properties).map(([name, schema]) => ({
    kind: 'parameter',
    name,
    schema,
    isRequired: required.has(name),
  }));
}

/** A schema in a few words: "string", "\"a\" | \"b\"", "string[]", "object" */
function typeText(schema: JsonSchema): string {
  const { type, items, anyOf } = schema;
  const values = schema['enum'];
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (Array.isArray(anyOf)) return (anyOf as JsonSchema[]).map(typeText).join(' | ');
  if (type === 'array') return `${typeText((items ?? {}) as JsonSchema) || 'any'}[]`;
  return Array.isArray(type) ? type.join(' | ') : typeof type === 'string' ? type : '';
}

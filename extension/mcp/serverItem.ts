/** A server's row in the view *Tools*. */
import * as vscode from 'vscode';
import { isEditor, type ConfiguredServer } from '../../trainer/protocol/mcp';
import { commands } from '../contributions';
import { placeOf } from './askAboutServer';
import type { Listing } from './mcpServers';

export function serverItem(
  server: ConfiguredServer,
  { isAllowed, listing }: { isAllowed: boolean; listing: Listing },
): vscode.TreeItem {
  const { reach, identity } = server;
  const name = isEditor(server) ? vscode.l10n.t("the editor's own tools") : server.name;
  const problem = server.problem ?? listing.problem;
  const isListed = listing.tools !== undefined;
  const item = new vscode.TreeItem(
    name,
    isListed
      ? vscode.TreeItemCollapsibleState.Expanded
      : isAllowed && problem === undefined
        ? vscode.TreeItemCollapsibleState.Collapsed
        : vscode.TreeItemCollapsibleState.None,
  );
  item.id = `${identity} ${item.collapsibleState}`; // a row of the same id keeps its old state
  item.description = [stateOf(listing, isAllowed, problem), placeOf(server)].filter(Boolean).join(' · ');
  item.iconPath =
    problem === undefined
      ? new vscode.ThemeIcon(isListed ? 'server-process' : 'server')
      : new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
  item.tooltip = [vscode.l10n.t('MCP server {0}', name), reach, placeOf(server), problem].filter(Boolean).join('\n');
  item.contextValue = server.problem === undefined ? 'mcpServer usable' : 'mcpServer';
  if (item.collapsibleState === vscode.TreeItemCollapsibleState.None)
    item.command = {
      command: commands.openTool,
      title: vscode.l10n.t('Go to Server'),
      arguments: [{ kind: 'server', server }],
    };
  item.accessibilityInformation = {
    label: [vscode.l10n.t('MCP server {0}', name), item.description, problem].filter(Boolean).join(', '),
  };
  return item;
}

function stateOf(listing: Listing, isAllowed: boolean, problem: string | undefined): string {
  if (problem !== undefined) return vscode.l10n.t('unusable');
  if (listing.isUnderWay) return vscode.l10n.t('listing its tools…');
  if (listing.tools) {
    const count = listing.tools.length;
    return [
      count === 1 ? vscode.l10n.t('{0} tool', count) : vscode.l10n.t('{0} tools', count),
      ...(listing.faults ? [vscode.l10n.t('{0} unusable', listing.faults)] : []),
    ].join(' · ');
  }
  if (!vscode.workspace.isTrusted) return vscode.l10n.t('not started in Restricted Mode');
  return isAllowed ? '' : vscode.l10n.t('not started yet');
}

import * as vscode from 'vscode';
import type { Route } from '../../webview/messages';
import { PANEL_TYPE } from '../contributions';
import { Owner } from '../window/disposables';
import { CoachPanel, type PanelDeps, firstScreenOf } from './coachPanel';

/** Opens the one panel, brings it to the front, restores it after a reload of the window. */
export class CoachPanels extends Owner implements vscode.WebviewPanelSerializer {
  private open: CoachPanel | null = null;

  constructor(private readonly deps: PanelDeps) {
    super();
    this.own(vscode.window.registerWebviewPanelSerializer(PANEL_TYPE, this));
  }

  show(runId: string | null, route?: Route): void {
    if (this.open) return this.open.navigate(runId, route);
    closeUnread();
    const panel = vscode.window.createWebviewPanel(
      PANEL_TYPE,
      'Coach',
      { viewColumn: vscode.ViewColumn.Active, preserveFocus: false },
      {},
    );
    this.adopt(panel, runId, route).navigate(runId, route);
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel): Promise<void> {
    if (this.open) return panel.dispose();
    this.adopt(panel);
  }

  private adopt(panel: vscode.WebviewPanel, runId: string | null = null, route?: Route): CoachPanel {
    const opened = new CoachPanel(panel, this.deps, firstScreenOf(this.deps.runs.known(runId ?? ''), route));
    this.open = opened;
    panel.onDidDispose(() => {
      opened.dispose();
      if (this.open === opened) this.open = null;
    });
    return opened;
  }
}

/**
 * A tab of before a reload is no panel until somebody looks at it: it would stand beside the one that is opened now.
 */
function closeUnread(): void {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const ours = tabs.filter(
    ({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith(PANEL_TYPE),
  );
  if (ours.length > 0) void vscode.window.tabGroups.close(ours);
}

/** Quick picks of the Traces view: which moment of the run, and what to leave out. */
import * as vscode from 'vscode';
import { latestMoment, moments, momentText, noFilter, type Moment } from './traceGroups';
import type { TracesTree } from './tracesTree';

export async function chooseMoment(tree: TracesTree): Promise<void> {
  const all = moments(tree.traces());
  if (all.length === 0) {
    void vscode.window.showInformationMessage('Coach: this run has recorded no traces yet.');
    return;
  }
  const latest = latestMoment(all);
  const items: (vscode.QuickPickItem & { moment: Moment | null })[] = [
    { label: '$(sync) Latest step', description: latest ? `now ${momentText(latest)}` : '', moment: null },
    ...[...all].reverse().map((moment) => ({ label: momentText(moment), description: `${moment.count} traces`, moment })),
  ];
  const chosen = await vscode.window.showQuickPick(items, { title: 'Which traces?', placeHolder: 'A step of training, or an evaluation' });
  if (chosen) tree.choose(chosen.moment);
}

export async function filterTraces(tree: TracesTree): Promise<void> {
  const pick = vscode.window.createQuickPick();
  pick.title = 'Filter Traces';
  pick.placeholder = 'Text of the task or of a call';
  pick.value = tree.currentFilter.text;
  const rows = (text: string): vscode.QuickPickItem[] => [
    { label: '$(filter) All tasks', description: text && `that contain "${text}"`, alwaysShow: true },
    { label: '$(error) Tasks with a failed try', description: text && `that contain "${text}"`, alwaysShow: true },
  ];
  pick.items = rows(pick.value);
  pick.onDidChangeValue((text) => { pick.items = rows(text.trim()); });
  await new Promise<void>((resolve) => {
    pick.onDidAccept(() => {
      const failedOnly = pick.activeItems[0]?.label.includes('$(error)') ?? false;
      tree.setFilter({ ...noFilter, text: pick.value.trim(), failedOnly });
      pick.hide();
    });
    pick.onDidHide(() => {
      pick.dispose();
      resolve();
    });
    pick.show();
  });
}

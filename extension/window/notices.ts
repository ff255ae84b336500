/** The few notifications: a run that ended while this window watched it, and a tool that asks. */
import * as vscode from 'vscode';
import type { RunInfo, TrainerAnswer, TrainerQuestion } from '../../trainer/protocol/messages';
import { commands } from '../contributions';
import { Owner } from './disposables';
import type { Runs } from '../runs/runs';
import { endText, runName } from '../runs/runText';

export class Notices extends Owner {
  private readonly watched = new Set<string>();

  constructor(private readonly runs: Runs) {
    super();
    this.own(runs.onDidChangeList(() => runs.live().forEach(({ id }) => this.watched.add(id))));
    this.own(runs.onDidChangeRun(({ runId }) => void this.tellEnd(runId)));
  }

  private async tellEnd(runId: string): Promise<void> {
    const info = this.runs.info(runId);
    const state = this.runs.known(runId);
    if (!info || !state || state.status === 'running' || !this.watched.delete(runId)) return;
    switch (state.status) {
      case 'finished': {
        if (!state.result) return;
        return offer(vscode.window.showInformationMessage, endText(info, state.result), info, {
          [vscode.l10n.t('Open Run')]: commands.openRun,
          [vscode.l10n.t('Try It')]: commands.tryIt,
          [vscode.l10n.t('Open Adapter Folder')]: commands.openAdapterFolder,
        });
      }
      case 'died':
        return offer(
          vscode.window.showWarningMessage,
          vscode.l10n.t(
            '{0}: the trainer died at step {1}: {2}. Nothing that was recorded is lost.',
            runName(info),
            state.step,
            state.error?.message ?? vscode.l10n.t('no reason known'),
          ),
          info,
          { [vscode.l10n.t('Resume')]: commands.resumeRun, [vscode.l10n.t('Show Log')]: commands.showLog },
        );
      case 'failed':
        return offer(
          vscode.window.showErrorMessage,
          [`${runName(info)}: ${state.error?.message ?? vscode.l10n.t('failed')}`, state.error?.hint]
            .filter(Boolean)
            .join(' '),
          info,
          { [vscode.l10n.t('Open Run')]: commands.openRun, [vscode.l10n.t('Show Log')]: commands.showLog },
        );
      case 'stopped':
        return; // the user did it
    }
  }
}

async function offer(
  show: (text: string, ...actions: string[]) => Thenable<string | undefined>,
  text: string,
  info: RunInfo,
  actions: Record<string, string>,
): Promise<void> {
  const chosen = await show(text, ...Object.keys(actions));
  if (chosen !== undefined) await vscode.commands.executeCommand(actions[chosen]!, info);
}

/** May a tool really run? No answer means no window had one: the trainer mocks it then. */
export async function askUser(_runId: string, question: TrainerQuestion): Promise<TrainerAnswer> {
  switch (question.type) {
    case 'mayToolRun': {
      const run = vscode.l10n.t('Run It');
      const mock = vscode.l10n.t('Mock It');
      const call = `${question.tool}(${JSON.stringify(question.arguments)})`;
      const chosen = await vscode.window.showInformationMessage(
        vscode.l10n.t(
          'Coach: may the tool {0} really run? You are asked once. First call: {1}',
          question.tool,
          call.length > 200 ? `${call.slice(0, 200)}…` : call,
        ),
        run,
        mock,
      );
      return chosen === run ? 'yes' : chosen === mock ? 'no' : 'unavailable';
    }
  }
}

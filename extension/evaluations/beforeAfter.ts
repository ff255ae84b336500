/**
 * *Before and After Training*: the two episodes of a task in VS Code's own diff. One that the run did not keep is asked
 * of the model, greedily, and kept.
 */
import * as vscode from 'vscode';
import type { RunInfo } from '../../trainer/protocol/messages';
import type { Version } from '../../trainer/protocol/play';
import type { TraceSummary } from '../../trainer/protocol/trace';
import { traceUri } from '../preferences/traceDocuments';
import { beforeAfterPair } from '../traces/beforeAfterPair';
import type { Trying } from '../panel/trying';
import type { Runs } from '../runs/runs';
import { mayTrain } from '../window/trust';

interface Meant {
  taskId: string;
  prompt: string;
  /** the trace that was chosen; absent: the newest */
  traceId?: string | undefined;
}

export class BeforeAfter {
  constructor(
    private readonly runs: Runs,
    private readonly trying: Trying,
  ) {}

  async open(info: RunInfo, { taskId, prompt, traceId }: Meant): Promise<void> {
    const { traces } = await this.runs.load(info.id);
    const ofTask = traces.filter((trace) => trace.taskId === taskId);
    const kept = beforeAfterPair(
      ofTask,
      ofTask.find(({ id }) => id === traceId),
    );
    const before = kept.before ?? (await this.asked(info, taskId, prompt, 'before'));
    const after = before && (kept.after ?? (await this.asked(info, taskId, prompt, 'after')));
    if (!before || !after) return;
    const uri = (trace: TraceSummary, side: string): vscode.Uri =>
      traceUri(info, trace, `${side} · ${trace.id}`, 'compared');
    await vscode.commands.executeCommand(
      'vscode.diff',
      uri(before, vscode.l10n.t('before')),
      uri(after, vscode.l10n.t('after')),
      vscode.l10n.t('{0} (before ↔ after training)', short(prompt)),
      { preview: true },
    );
  }

  /** null: the user thought better of it, or stopped it */
  private async asked(
    info: RunInfo,
    taskId: string,
    prompt: string,
    side: 'before' | 'after',
  ): Promise<TraceSummary | null> {
    if (!(await mayTrain())) return null;
    const { versions, refused } = await this.trying.versions(info);
    if (refused !== null) throw new Error(refused);
    const version: Version | undefined =
      side === 'after'
        ? versions.at(-1)?.version
        : (versions.find(({ version }) => version === 'start') ?? versions[0])?.version;
    if (version === undefined || (side === 'after' && version === 'base'))
      throw new Error(vscode.l10n.t('This run has no checkpoint yet to measure.'));
    const title =
      side === 'before'
        ? vscode.l10n.t('Coach: the model of before training does the task…')
        : vscode.l10n.t('Coach: the trained model does the task…');
    const { traceIds } = await this.trying.withProgress(title, () =>
      this.trying.task(info, { taskId, prompt }, version),
    );
    const { traces } = await this.runs.load(info.id);
    return traces.find(({ id }) => id === traceIds[0]) ?? null;
  }
}

const short = (prompt: string): string => {
  const line = prompt.replace(/\s+/g, ' ').trim();
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
};

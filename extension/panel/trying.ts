/**
 * Trying a run's model by hand: a prompt, or a task of the run once more with another checkpoint. The traces are kept
 * in the run.
 */
import * as vscode from 'vscode';
import type { RunInfo } from '../../trainer/protocol/messages';
import type { PlayRequest, Version } from '../../trainer/protocol/play';
import type { ToolPolicy } from '../../trainer/protocol/runConfig';
import type { Task } from '../../trainer/protocol/task';
import type { Trace } from '../../trainer/protocol/trace';
import { Owner } from '../window/disposables';
import type { McpServers } from '../mcp/mcpServers';
import type { PlayerProcess, PlayReply } from '../processes/playerProcess';
import type { Runs } from '../runs/runs';
import type { Service } from '../processes/service';
import { mayTrain, trainingRefused } from '../window/trust';

export interface Tried {
  groupId: string;
  traceIds: string[];
  notes: string[];
}

export interface TryOptions {
  prompt: string;
  versions: Version[];
  samples: number;
  temperature: number;
  toolPolicy: ToolPolicy | null;
}

export class Trying extends Owner {
  private stop: AbortController | null = null;

  constructor(
    private readonly player: PlayerProcess,
    private readonly service: Service,
    private readonly runs: Runs,
    private readonly mcp: Pick<McpServers, 'secrets'>,
  ) {
    super();
    this.own({ dispose: () => this.cancel() });
  }

  /** What can be tried, and why nothing can at present (null: it can). */
  async versions(info: RunInfo): Promise<{ versions: { version: Version; step: number }[]; refused: string | null }> {
    const versions = await this.service.ask('versionsOf', { dir: info.dir });
    return { versions, refused: this.refused(info) };
  }

  private refused(info: RunInfo): string | null {
    if (info.problem !== null) return info.problem;
    if (this.runs.statusOf(info) === 'running')
      return vscode.l10n.t(
        'The run is training now, and only its trainer may write to it. Stop it, or wait for its end.',
      );
    return trainingRefused();
  }

  async prompt(info: RunInfo, { prompt, versions, samples, temperature, toolPolicy }: TryOptions): Promise<Tried> {
    const stamp = Date.now();
    return this.play(info, {
      tasks: [{ id: `prompt-${stamp.toString(36)}`, prompt }],
      versions,
      samples,
      temperature,
      toolPolicy,
      isRecorded: true,
      stamp,
    });
  }

  /**
   * The task of a trace once more, greedily, with a version that the user picks. undefined: the user thought better of
   * it
   */
  async again(info: RunInfo, { taskId, prompt }: { taskId: string; prompt: string }): Promise<Tried | undefined> {
    if (!(await mayTrain())) return undefined;
    const { versions, refused } = await this.versions(info);
    if (refused !== null) throw new Error(refused);
    const items = [...versions].reverse().map(({ version, step }) => ({
      label: versionLabel(version, step),
      description:
        version === 'adapter'
          ? vscode.l10n.t('what the run ended with')
          : version === 'base'
            ? vscode.l10n.t('before any training')
            : '',
      version,
    }));
    const chosen = await vscode.window.showQuickPick(items, {
      title: vscode.l10n.t('Run This Task Again'),
      placeHolder: vscode.l10n.t('With which checkpoint?'),
    });
    if (!chosen) return undefined;
    return this.withProgress(vscode.l10n.t('Coach: {0} does the task…', chosen.label), () =>
      this.task(info, { taskId, prompt }, chosen.version),
    );
  }

  /** A task of the run once more, greedily, with one version. */
  async task(info: RunInfo, { taskId, prompt }: { taskId: string; prompt: string }, version: Version): Promise<Tried> {
    return this.play(info, {
      tasks: [await this.taskOf(info, taskId, prompt)],
      versions: [version],
      samples: 1,
      temperature: 0,
      toolPolicy: null,
      isRecorded: true,
      stamp: Date.now(),
    });
  }

  /** With a notification that can be cancelled. */
  withProgress<T>(title: string, work: () => Promise<T>): Thenable<T> {
    return vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title, cancellable: true },
      (_, token) => {
        token.onCancellationRequested(() => this.cancel());
        return work();
      },
    );
  }

  /** With its gold calls where the run has the task: then it can be said whether it was solved. */
  private async taskOf(info: RunInfo, taskId: string, prompt: string): Promise<Task> {
    const splits = await this.service.ask('readTasks', { dir: info.dir });
    return (
      Object.values(splits)
        .flat()
        .find(({ id }) => id === taskId) ?? { id: taskId, prompt }
    );
  }

  /** Kept requests with two versions, greedily; the traces stay in the run. @returns what the person should know */
  async measure(info: RunInfo, tasks: Task[], versions: Version[]): Promise<string[]> {
    const { notes } = await this.play(info, {
      tasks,
      versions,
      samples: 1,
      temperature: 0,
      toolPolicy: null,
      isRecorded: true,
      stamp: Date.now(),
    });
    return notes;
  }

  /** Many tasks at once, without a place in the run unless asked for. */
  async tasks(
    info: RunInfo,
    request: Omit<PlayRequest, 'stamp'>,
    signal: AbortSignal,
    onTraces: (traces: Trace[]) => void,
  ): Promise<PlayReply> {
    const why = request.isRecorded ? this.refused(info) : trainingRefused();
    if (why !== null) throw new Error(why);
    const secrets = await this.secretsOf(info);
    const reply = await this.player.play(info.dir, { ...request, stamp: Date.now() }, signal, onTraces, secrets);
    if (request.isRecorded) await this.runs.load(info.id);
    return reply;
  }

  private async play(info: RunInfo, request: PlayRequest): Promise<Tried> {
    const why = this.refused(info);
    if (why !== null) throw new Error(why);
    const secrets = await this.secretsOf(info);
    this.cancel();
    const stop = new AbortController();
    this.stop = stop;
    try {
      const { summaries, traces, notes } = await this.player.play(info.dir, request, stop.signal, undefined, secrets);
      if (stop.signal.aborted || !summaries)
        return { groupId: '', traceIds: [], notes: [vscode.l10n.t('The try was stopped.')] };
      await this.runs.load(info.id); // the window learns of the new traces by the run's events
      return { groupId: traces[0]?.groupId ?? '', traceIds: traces.map(({ id }) => id), notes };
    } finally {
      if (this.stop === stop) this.stop = null;
    }
  }

  /** @throws where the run's tools are those of an MCP server that the person does not allow */
  private async secretsOf({ toolFile }: RunInfo): Promise<Record<string, string>> {
    const secrets = await this.mcp.secrets(toolFile);
    if (secrets === null) throw new Error(vscode.l10n.t("the run's MCP server was not allowed, so nothing was tried"));
    return secrets;
  }

  cancel(): void {
    this.stop?.abort();
    this.stop = null;
  }
}

export function versionLabel(version: Version, step: number): string {
  switch (version) {
    case 'base':
      return vscode.l10n.t('Base model');
    case 'start':
      return vscode.l10n.t('Start of the run');
    case 'adapter':
      return vscode.l10n.t('Trained (step {0})', step);
    default:
      return vscode.l10n.t('Step {0}', step);
  }
}

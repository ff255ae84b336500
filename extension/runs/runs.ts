/**
 * The runs of the workspace: the service lists them, followers tell the live ones. Live runs found in the list are
 * followed at once,
 * so a window that opens later picks up what another one started; of an old run the events are read when somebody looks
 * at it.
 */
import * as vscode from 'vscode';
import type { RunInfo, TrainerAnswer, TrainerEvent, TrainerQuestion } from '../../trainer/protocol/messages';
import type { RunState } from '../../trainer/protocol/runState';
import { contexts } from '../contributions';
import { Debounce, Emitter, Owner } from '../window/disposables';
import type { Log } from '../window/log';
import { RunFollower } from './runFollower';
import { statusOf } from './runText';
import type { Service } from '../processes/service';
import { localFolders } from '../tools/toolIndex';

export interface RunChange {
  runId: string;
  events: TrainerEvent[];
}

export class Runs extends Owner {
  /** newest first */
  list: RunInfo[] = [];
  isReady = false;
  problem: string | null = null;
  private readonly followers = new Map<string, RunFollower>();
  private selectedId: string | null = null;
  private generation = 0;

  private readonly listChanged = this.own(new Emitter<void>());
  private readonly runChanged = this.own(new Emitter<RunChange>());
  private readonly selectionChanged = this.own(new Emitter<void>());
  readonly onDidChangeList = this.listChanged.event;
  readonly onDidChangeRun = this.runChanged.event;
  readonly onDidSelect = this.selectionChanged.event;

  constructor(
    private readonly service: Service,
    private readonly log: Log,
    private readonly answer: (runId: string, question: TrainerQuestion) => Promise<TrainerAnswer>,
  ) {
    super();
    const later = this.own(new Debounce(300, () => void this.refresh()));
    // folders, too: what is written into a new one at once is told of by no event of its own
    const watcher = this.own(
      vscode.workspace.createFileSystemWatcher('**/.coach{,/runs,/runs/*,/runs/*/{run.json,socket.json,lock}}'),
    );
    for (const event of [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete])
      this.own(event(() => later.schedule()));
    this.own(vscode.workspace.onDidChangeWorkspaceFolders(() => later.schedule()));
    this.own({ dispose: () => this.followers.forEach((follower) => follower.dispose()) });
  }

  /** Reads the list anew, follows what is live, and selects the newest run where none was chosen. */
  async refresh(): Promise<void> {
    const generation = ++this.generation;
    try {
      const lists = await Promise.all(localFolders().map((workspace) => this.service.ask('listRuns', { workspace })));
      if (generation !== this.generation || this.isDisposed) return;
      // folders of one repository list the same runs
      const byDir = new Map(lists.flat().map((info) => [info.dir, info]));
      this.list = [...byDir.values()].sort((a, b) => b.createdAt - a.createdAt);
      this.problem = null;
    } catch (error) {
      if (generation !== this.generation || this.isDisposed) return;
      this.problem = (error as Error).message;
      this.log.error(`runs: ${this.problem}`);
    }
    for (const info of this.list)
      if (info.status === 'running')
        await this.follow(info).catch((error: Error) => this.log.warn(`run ${info.id}: ${error.message}`));
    if (!this.list.some((info) => info.id === this.selectedId)) this.select(this.list[0]?.id ?? null);
    this.isReady = true;
    this.tellContexts();
    this.listChanged.fire();
  }

  private tellContexts(): void {
    void vscode.commands.executeCommand('setContext', contexts.hasRuns, this.list.length > 0);
    // the list is older than what a run that is followed has told
    const hasResult = this.list.some(({ id, result }) => (this.known(id)?.result ?? result) !== null);
    void vscode.commands.executeCommand('setContext', contexts.hasResult, hasResult);
    void vscode.commands.executeCommand('setContext', contexts.running, this.live().length > 0);
  }

  info(runId: string): RunInfo | undefined {
    return this.list.find((info) => info.id === runId);
  }

  /** What is known of a run without asking; null where its events were not read yet. */
  known(runId: string): RunState | null {
    return this.followers.get(runId)?.state ?? null;
  }

  statusOf(info: RunInfo): RunInfo['status'] {
    return statusOf(info, this.known(info.id));
  }

  live(): RunInfo[] {
    return this.list.filter((info) => this.statusOf(info) === 'running');
  }

  /** The fold of all of a run's events. @throws when it is not there or can't be read */
  async load(runId: string): Promise<RunState> {
    const info = this.info(runId);
    if (!info) throw new Error(vscode.l10n.t('no run {0} in this workspace', runId));
    return (this.followers.get(runId) ?? this.followerOf(info)).load();
  }

  private async follow(info: RunInfo): Promise<void> {
    const known = this.followers.get(info.id);
    if (!known) await this.followerOf(info).load();
    else if (known.state.status !== 'running' && !known.isLive) await known.revive();
  }

  private followerOf(info: RunInfo): RunFollower {
    const follower = new RunFollower(info, {
      readEvents: (dir, fromByte) => this.service.ask('readEvents', { dir, fromByte }),
      answer: this.answer,
      log: this.log,
    });
    follower.onDidChange((events) => {
      this.runChanged.fire({ runId: info.id, events });
      if (
        events.length === 0 ||
        events.some((event) => ['runResumed', 'runFinished', 'runStopped', 'runFailed'].includes(event.type))
      ) {
        this.tellContexts();
        this.listChanged.fire();
      }
    });
    this.followers.set(info.id, follower);
    return follower;
  }

  get selected(): RunInfo | null {
    return this.list.find((info) => info.id === this.selectedId) ?? null;
  }

  select(runId: string | null): void {
    if (runId === this.selectedId) return;
    this.selectedId = runId;
    if (runId !== null)
      void this.load(runId).then(
        () => this.selectionChanged.fire(),
        (error: Error) => this.log.warn(`run ${runId}: ${error.message}`),
      );
    this.selectionChanged.fire();
  }

  follower(runId: string): RunFollower | undefined {
    return this.followers.get(runId);
  }
}

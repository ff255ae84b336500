/**
 * What this workspace's people said, and the pairs of the selected run that wait for them. Read through the service;
 * written only by it.
 */
import * as vscode from 'vscode';
import path from 'node:path';
import type { LineProblem, PreferenceBody, PreferenceLine } from '../../trainer/protocol/preferences';
import { noPreferences, type PreferenceState, type QueuedPair } from '../../trainer/protocol/preferenceState';
import type { RunInfo } from '../../trainer/protocol/messages';
import { contexts } from '../contributions';
import { Debounce, Emitter, Owner } from '../window/disposables';
import type { Log } from '../window/log';
import type { Runs } from '../runs/runs';
import type { Service } from '../processes/service';
import { localFolders } from '../tools/toolIndex';

const FILE_DELAY_MS = 200;
const RUN_DELAY_MS = 1_000;
/** Open pairs that are looked for; there may be more. */
export const QUEUE_LIMIT = 50;

export class Preferences extends Owner {
  state: PreferenceState = noPreferences;
  problems: LineProblem[] = [];
  /** best first */
  queue: QueuedPair[] = [];
  /** why nothing can be read; null: it can */
  problem: string | null = null;
  isReady = false;
  private tools: { id: string; tools: unknown[] } | null = null;
  private generation = 0;
  private readonly changed = this.own(new Emitter<void>());
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly service: Service,
    private readonly runs: Runs,
    private readonly log: Log,
  ) {
    super();
    const file = this.own(new Debounce(FILE_DELAY_MS, () => void this.refresh()));
    const run = this.own(new Debounce(RUN_DELAY_MS, () => void this.refresh()));
    const watcher = this.own(vscode.workspace.createFileSystemWatcher('**/.coach/preferences.jsonl'));
    for (const event of [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete])
      this.own(event(() => file.schedule()));
    this.own(runs.onDidSelect(() => run.schedule()));
    this.own(runs.onDidChangeList(() => run.schedule()));
    // While it trains, a checkpoint is often enough: reading a queue means reading traces.
    this.own(
      runs.onDidChangeRun(
        ({ runId, events }) =>
          runId === runs.selected?.id &&
          events.some(
            (event) =>
              event.type === 'checkpointSaved' ||
              event.type === 'runFinished' ||
              event.type === 'runStopped' ||
              (event.type === 'traceRecorded' && event.trace.phase === 'try'),
          ) &&
          run.schedule(),
      ),
    );
  }

  get run(): RunInfo | null {
    return this.runs.selected;
  }

  /** The run that a pair is of, also after another one was selected. */
  runOf({ runId }: { runId: string }): RunInfo | undefined {
    return this.runs.info(runId);
  }

  /** Where `.coach` lies. */
  get workspace(): string | null {
    const dir = this.run?.dir;
    return dir !== undefined && path.basename(path.dirname(path.dirname(dir))) === '.coach'
      ? path.resolve(dir, '..', '..', '..')
      : (localFolders()[0] ?? null);
  }

  async refresh(): Promise<void> {
    const generation = ++this.generation;
    const { workspace, run } = this;
    try {
      const read =
        workspace === null
          ? { state: noPreferences, problems: [] }
          : await this.service.ask('readPreferences', { workspace });
      const open =
        workspace === null || run === null || run.problem !== null
          ? null
          : await this.service.ask('openPairs', { workspace, dir: run.dir, limit: QUEUE_LIMIT });
      if (generation !== this.generation || this.isDisposed) return;
      this.state = read.state;
      this.problems = read.problems;
      this.queue = open?.pairs ?? [];
      this.tools = open && { id: open.toolsId, tools: open.tools };
      this.problem = null;
    } catch (error) {
      if (generation !== this.generation || this.isDisposed) return;
      this.problem = (error as Error).message;
      this.log.error(`preferences: ${this.problem}`);
    }
    this.isReady = true;
    this.tell();
  }

  /** On the disk when this resolves. @throws what the disk or the service refused; then nothing was recorded */
  async record(bodies: PreferenceBody[]): Promise<PreferenceLine[]> {
    const { workspace, tools } = this;
    if (workspace === null)
      throw new Error(vscode.l10n.t('open a folder first: preferences are kept in its .coach/preferences.jsonl'));
    const namesTools = (body: PreferenceBody) =>
      (body.type === 'mark' || body.type === 'rewrite'
        ? body.pair.toolsId
        : body.type === 'note'
          ? body.about?.toolsId
          : undefined) === tools?.id;
    const isFirst = tools !== null && this.state.tools[tools.id] === undefined && bodies.some(namesTools);
    const { lines } = await this.service.ask('recordPreferences', {
      workspace,
      bodies: isFirst ? [{ type: 'tools', tools: tools.tools }, ...bodies] : bodies,
    });
    if (isFirst) this.state = { ...this.state, tools: { ...this.state.tools, [tools.id]: tools.tools } };
    const settled = new Set(
      bodies.flatMap((body) => (body.type === 'mark' || body.type === 'rewrite' ? [body.pair.id] : [])),
    );
    if (settled.size > 0) {
      this.queue = this.queue.filter(({ pair }) => !settled.has(pair.id));
      this.tell();
    }
    void this.refresh();
    return isFirst ? lines.slice(1) : lines;
  }

  /** Of the selected run's tools, where its queue was read. */
  get toolsId(): string | undefined {
    return this.tools?.id;
  }

  /** Marks and rewrites and imported pairs that training would take, of the selected run's tools or of none. */
  get trainable(): number {
    const isWanted = ({ toolFile }: { toolFile: string }) =>
      this.run === null || this.queueToolFile === null || toolFile === this.queueToolFile;
    return (
      this.state.imported.length +
      this.state.pairs
        .filter(({ pair }) => isWanted(pair))
        .reduce(
          (n, { verdict, rewrites }) => n + rewrites.length + (verdict === 'first' || verdict === 'second' ? 1 : 0),
          0,
        )
    );
  }

  private get queueToolFile(): string | null {
    const { workspace, run } = this;
    return workspace === null || run === null ? null : path.relative(workspace, run.toolFile).split(path.sep).join('/');
  }

  private tell(): void {
    const set = (key: string, value: boolean) => void vscode.commands.executeCommand('setContext', key, value);
    set(contexts.hasOpenPairs, this.queue.length > 0);
    set(contexts.hasPreferences, this.state.pairs.length + this.state.imported.length > 0);
    this.changed.fire();
  }
}

/**
 * One run as this window knows it: its events, read from the file and then followed over the socket, folded by
 * reduceRun.
 * The file is the truth; a live event is folded only when it is the next one, else the file is read again. Free of
 * `vscode`.
 */
import type { RunInfo, TrainerEvent, TrainerAnswer, TrainerQuestion } from '../../trainer/protocol/messages';
import { emptyRun, reduceRun, type RunState } from '../../trainer/protocol/runState';
import { Emitter, type Disposable } from '../window/disposables';
import type { Log } from '../window/log';
import { isAlive, lastPid, lastWords, readSocketFile, readSocketKey } from './runFiles';
import { TrainerClient } from '../processes/trainerClient';

export interface FollowerDeps {
  readEvents(dir: string, fromByte: number): Promise<{ events: TrainerEvent[]; nextByte: number }>;
  answer(runId: string, question: TrainerQuestion): Promise<TrainerAnswer>;
  log: Log;
}

const RECONNECT_DELAYS_MS = [100, 300, 1_000, 2_000, 5_000];

export class RunFollower implements Disposable {
  private current: RunState = emptyRun;
  private nextByte = 0;
  private client: TrainerClient | null = null;
  private reading: Promise<void> | null = null;
  private mustReadAgain = false;
  private diedWhy: string | null = null;
  private isDisposed = false;
  private isConnecting = false;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private readonly changes = new Emitter<TrainerEvent[]>();
  /** The events just folded; an empty list where only the status changed (the trainer died). */
  readonly onDidChange = this.changes.event;

  constructor(
    readonly info: RunInfo,
    private readonly deps: FollowerDeps,
  ) {
    if (info.status === 'died') this.diedWhy = lastWords(info.dir);
  }

  /** The fold; a run whose trainer is gone without a last event is shown as died, with why. */
  get state(): RunState {
    if (this.diedWhy === null || this.current.status !== 'running') return this.current;
    return {
      ...this.current,
      status: 'died',
      error: {
        border: 'device',
        message: this.diedWhy,
        hint: 'Resume goes on from the last checkpoint; nothing that was recorded is lost.',
      },
    };
  }

  get isLive(): boolean {
    return this.client !== null;
  }

  /** Reads what the file holds; while the run lives, follows it until it ends. */
  async load(): Promise<RunState> {
    await this.readFile();
    if (this.current.status === 'running' && this.diedWhy === null && !this.client) void this.connect();
    return this.state;
  }

  /** After a resume by anybody: the same folder has a live trainer again. */
  async revive(): Promise<void> {
    this.diedWhy = null;
    await this.readFile();
    if (!this.client) void this.connect();
  }

  async stop(): Promise<void> {
    if (!this.client) throw new Error(`run ${this.info.id} has no live trainer that could be stopped`);
    await this.client.stop();
  }

  /** The process that trains, where one is known. */
  get pid(): number | null {
    return this.client?.pid ?? lastPid(this.info.dir);
  }

  private async connect(attempt = 0): Promise<void> {
    if (this.isDisposed || this.client || this.isConnecting) return;
    this.isConnecting = true;
    const where = readSocketFile(this.info.dir);
    try {
      if (!where) throw new Error('no socket.json yet');
      const client = await TrainerClient.connect(
        where.socket,
        readSocketKey(where.socket),
        {
          onEvent: (event) => this.onLiveEvent(event),
          onQuestion: (question) => this.deps.answer(this.info.id, question),
          onClose: () => void this.onClose(),
        },
        this.deps.log,
      );
      if (this.isDisposed) return client.dispose();
      this.client = client;
      this.deps.log.info(`run ${this.info.id}: following process ${client.pid}`);
      await this.readFile(); // what was written between the first reading and the connection
    } catch (error) {
      if (this.isDisposed) return;
      await this.readFile();
      if (this.current.status !== 'running') return;
      if (where && attempt === 0)
        this.deps.log.warn(
          `run ${this.info.id}: followed by its file: ${error instanceof Error ? error.message : String(error)}`,
        );
      const pid = where?.pid ?? lastPid(this.info.dir);
      const isLiving = pid !== null && isAlive(pid);
      if (pid !== null ? !isLiving : attempt >= RECONNECT_DELAYS_MS.length)
        return this.markDied(lastWords(this.info.dir));
      // A trainer that lives without a socket (it says so in its notes) is followed by its file.
      const delayMs = RECONNECT_DELAYS_MS[Math.min(attempt, RECONNECT_DELAYS_MS.length - 1)];
      this.retry = setTimeout(() => void this.connect(attempt + 1), delayMs);
    } finally {
      this.isConnecting = false;
    }
  }

  private onLiveEvent(event: TrainerEvent): void {
    if (event.seq <= this.current.seq) return;
    if (event.seq === this.current.seq + 1 && !this.reading) this.fold([event]);
    else void this.readFile();
  }

  private async onClose(): Promise<void> {
    this.client?.dispose();
    this.client = null;
    if (this.isDisposed) return;
    await this.readFile();
    if (this.current.status !== 'running') return;
    await new Promise((resolve) => setTimeout(resolve, 200)); // a process that is ending still has its pid
    void this.connect();
  }

  /** One reading at a time; who asks meanwhile gets one that began after it asked. */
  private readFile(): Promise<void> {
    if (this.reading) {
      this.mustReadAgain = true;
      return this.reading;
    }
    this.reading = (async () => {
      try {
        do {
          this.mustReadAgain = false;
          for (;;) {
            const { events, nextByte } = await this.deps.readEvents(this.info.dir, this.nextByte);
            const isAll = nextByte === this.nextByte;
            this.nextByte = nextByte;
            this.fold(events);
            if (isAll || this.isDisposed) break;
          }
        } while (this.mustReadAgain && !this.isDisposed);
      } finally {
        this.reading = null;
      }
    })();
    return this.reading;
  }

  private fold(events: TrainerEvent[]): void {
    const fresh = events.filter((event) => event.seq > this.current.seq);
    if (fresh.length === 0) return;
    if (fresh.some((event) => event.type === 'runResumed')) this.diedWhy = null;
    this.current = fresh.reduce(reduceRun, this.current);
    this.changes.fire(fresh);
  }

  private markDied(why: string): void {
    this.diedWhy = why;
    this.deps.log.warn(`run ${this.info.id}: the trainer died: ${why}`);
    this.changes.fire([]);
  }

  dispose(): void {
    this.isDisposed = true;
    clearTimeout(this.retry);
    this.client?.dispose();
    this.client = null;
    this.changes.dispose();
  }
}

/**
 * One run on disk, `.coach/runs/<id>/`: run.json, tools.json and tasks.json (what it began with), events.jsonl (append
 * only, the truth), judge.jsonl (where a judge was asked), traces/, checkpoints/, adapter/, lock.
 * This is its only writer. A trace's line is written before its event, an event before anybody hears of it; both are
 * with the operating system
 * when the call returns, so they survive kill -9. They are on the disk itself (fsync) from the next checkpoint or final
 * event on.
 */
import { existsSync, mkdirSync, readdirSync, rmSync, unlinkSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { RUN_FORMAT, type RunManifest, type TrainerEvent, type TrainerEventBody } from '../../protocol/messages';
import type { Note } from '../../protocol/note';
import { UserError } from '../../protocol/result';
import type { JudgeVerdict } from '../../protocol/reward';
import type { Split, Task, ToolSchema } from '../../protocol/task';
import type { Trace, TraceSummary } from '../../protocol/trace';
import { plainRedactor, type Redactor } from '../redaction/redactor';
import { LineWriter, repairTail } from '../../base/jsonLines';
import { clearHalfMade, isHalfMade } from './halfMade';
import { acquireLock, type Lock } from './lock';
import { parseEvent, requireManifest } from './readRun';
import { emptyIndex, indexEvent, loadIndex, storeIndex, type RunIndex } from './runIndex';
import { refuseLinksIn, storing, syncPath, writeFileAtomic } from '../../base/storage';
import { summarizeTrace, traceFile } from './traceSummary';
import { ensureCoachFolder, runsFolder } from './workspace';

export interface NewRun {
  workspace: string;
  /** the run's own folder, where it is not to be `.coach/runs/<id>/` */
  runDir?: string | undefined;
  /** a word for the id: the tool file's name, say */
  label: string;
  manifest: Omit<RunManifest, 'format' | 'id' | 'createdAt'>;
  tools: ToolSchema[];
  tasks: Record<Split, Task[]>;
  now: () => number;
  /** what is taken out before writing; default: known secrets */
  redactor?: Redactor;
}

/** Creates the folder, takes its lock, writes run.json and the first event. */
export function createRun(options: NewRun): RunWriter {
  const createdAt = options.now();
  const dir = options.runDir === undefined ? newFolder(options, createdAt) : ownFolder(options.runDir);
  let lock: Lock | null = null;
  try {
    lock = acquireLock(dir, { takeOver: true }); // a folder made half holds nothing to lose
    for (const folder of ['traces', 'checkpoints'])
      storing(join(dir, folder), () => mkdirSync(join(dir, folder), { recursive: true }));
    const manifest: RunManifest = { format: RUN_FORMAT, id: basename(dir), createdAt, ...options.manifest };
    writeFileAtomic(join(dir, 'tools.json'), JSON.stringify(options.tools, null, 1));
    writeFileAtomic(join(dir, 'tasks.json'), JSON.stringify(options.tasks));
    writeFileAtomic(join(dir, 'run.json'), JSON.stringify(manifest, null, 2));
    const run = new RunWriter(dir, manifest, lock, emptyIndex, options.now, options.redactor);
    run.opened.push(run.append({ type: 'runStarted', manifest }));
    return run;
  } catch (error) {
    lock?.release();
    if (options.runDir === undefined) rmSync(dir, { recursive: true, force: true });
    throw error;
  }
}

export interface OpenOptions {
  now: () => number;
  redactor?: Redactor;
  /** from a trainer on another host that has given no sign of life for a minute */
  takeOver?: boolean;
}

/** Opens a run to go on with it: takes the lock, repairs what was torn, and says so in a `noted` event. */
export function openRun(dir: string, { now, redactor, takeOver = false }: OpenOptions): RunWriter {
  const manifest = requireManifest(dir);
  refuseLinksIn(dir);
  const lock = acquireLock(dir, { takeOver });
  try {
    const notes = repair(dir);
    const run = new RunWriter(dir, manifest, lock, loadIndex(dir), now, redactor);
    // killed between run.json and its first event
    if (run.isNew) run.opened.push(run.append({ type: 'runStarted', manifest }));
    for (const message of notes)
      run.opened.push(run.append({ type: 'noted', level: 'warning', code: 'lineTorn', message }));
    return run;
  } catch (error) {
    lock.release();
    throw error;
  }
}

export class RunWriter {
  readonly id: string;
  /** what creating or opening recorded, before anybody could listen */
  readonly opened: TrainerEvent[] = [];
  private readonly events: LineWriter;
  /** the trace file in use; steps come one after the other, so one open file is enough */
  private traces: { file: string; writer: LineWriter } | null = null;
  private verdicts: LineWriter | null = null;
  private readonly unsynced = new Set<string>();
  private readonly notedKeys = new Set<string>();
  private isClosed = false;

  constructor(
    readonly dir: string,
    readonly manifest: RunManifest,
    private readonly lock: Lock,
    private index: RunIndex,
    private readonly now: () => number,
    private readonly redactor: Redactor = plainRedactor,
  ) {
    this.id = manifest.id;
    this.events = LineWriter.open(join(dir, 'events.jsonl'));
  }

  /** How its last trainer left it. */
  get end(): RunIndex['end'] {
    return this.index.end;
  }

  /** No event was recorded yet. */
  get isNew(): boolean {
    return this.index.seq < 0;
  }

  /** Numbers, dates and writes an event. When this returns, the event survives the death of the process. */
  append(body: TrainerEventBody): TrainerEvent {
    if (this.isClosed) throw new Error(`RunWriter.append: ${this.id} is closed, got ${body.type}`);
    this.refuseLost();
    const said = body.type === 'noted' || body.type === 'runFailed' ? this.redactor.value(body) : body;
    const event = { seq: this.index.seq + 1, t: this.now(), ...said } as TrainerEvent;
    const { offset, length } = this.events.append(event);
    this.index = { ...indexEvent(this.index, event), bytes: offset + length };
    if (syncedTypes.has(event.type)) this.sync();
    if (syncedTypes.has(event.type) || event.type === 'stepFinished') storeIndex(this.dir, this.index);
    return event;
  }

  /**
   * Writes the trace's line, without the secrets in it; `trace` itself stays as it is. The caller then yields {type:
   * 'traceRecorded', trace: summary}: the trace comes first, then its event.
   */
  recordTrace(trace: Trace): TraceSummary {
    this.refuseLost();
    const file = traceFile(trace);
    if (this.traces?.file !== file) {
      this.traces?.writer.close();
      this.traces = null;
      this.traces = { file, writer: LineWriter.open(join(this.dir, file)) };
    }
    const written = this.redactor.trace(trace);
    const place = this.traces.writer.append(written);
    this.unsynced.add(file);
    return summarizeTrace(written, { file, ...place });
  }

  /** One line of judge.jsonl; a run without a judge has no such file. */
  recordVerdict(verdict: JudgeVerdict): void {
    if (this.isClosed) return; // said after a stop
    this.verdicts ??= LineWriter.open(join(this.dir, 'judge.jsonl'));
    this.verdicts.append(this.redactor.value(verdict));
  }

  private refuseLost(): void {
    if (this.lock.isLost)
      throw new UserError(
        'storage',
        `${this.dir}: another trainer has taken this run over`,
        'It goes on there; nothing more is written from here.',
      );
  }

  /** True the first time in this process: for what is to be said once. */
  firstTime({ code, message }: Pick<Note, 'code' | 'message'>): boolean {
    const key = `${code} ${message}`;
    if (this.notedKeys.has(key)) return false;
    this.notedKeys.add(key);
    return true;
  }

  /** Everything so far onto the disk itself. */
  sync(): void {
    for (const file of this.unsynced) syncPath(join(this.dir, file));
    this.unsynced.clear();
    this.verdicts?.sync();
    this.events.sync();
  }

  /** Closes the files and lets the lock go; twice is harmless. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    try {
      this.traces?.writer.close();
      this.verdicts?.close();
      this.events.close();
      if (!this.lock.isLost) storeIndex(this.dir, this.index);
    } finally {
      this.lock.release();
    }
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

const syncedTypes = new Set<TrainerEvent['type']>([
  'runStarted',
  'runResumed',
  'checkpointSaved',
  'runFinished',
  'runStopped',
  'runFailed',
]);

/** `20251121-093005-tools`, with -2, -3 … where that is taken. */
function newFolder({ workspace, label }: NewRun, createdAt: number): string {
  ensureCoachFolder(workspace);
  const runs = runsFolder(workspace);
  storing(runs, () => mkdirSync(runs, { recursive: true }));
  const stamp = new Date(createdAt).toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
  const word =
    label
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 30) || 'run';
  for (let i = 1; ; i++) {
    const dir = join(runs, `${stamp}-${word}${i === 1 ? '' : `-${i}`}`);
    if (existsSync(dir)) continue;
    try {
      storing(dir, () => mkdirSync(dir));
      return dir;
    } catch (error) {
      if (!existsSync(dir)) throw error; // else another trainer was quicker: the next name
    }
  }
}

function ownFolder(runDir: string): string {
  const dir = resolve(runDir);
  storing(dir, () => mkdirSync(dir, { recursive: true }));
  if (existsSync(join(dir, 'run.json'))) {
    throw new UserError(
      'storage',
      `${dir}: already holds a run`,
      `Go on with it (--resume ${dir}), or choose another folder with --run-dir.`,
    );
  }
  if (isHalfMade(dir)) {
    clearHalfMade(dir);
    return dir;
  }
  const others = readdirSync(dir);
  if (others.length > 0)
    throw new UserError(
      'storage',
      `${dir}: must be empty for a new run, it holds ${others.slice(0, 3).join(', ')}${others.length > 3 ? ', …' : ''}`,
      'Choose another folder with --run-dir.',
    );
  return dir;
}

function repair(dir: string): string[] {
  const notes: string[] = [];
  const cut = (file: string, isWhole: (line: string) => boolean) => {
    const bytes = repairTail(join(dir, file), isWhole);
    if (bytes > 0) notes.push(`${file}: its last line was torn (${bytes} bytes) and was cut off`);
  };
  cut('events.jsonl', (line) => parseEvent(line) !== null);
  const traces = join(dir, 'traces');
  storing(traces, () => mkdirSync(traces, { recursive: true }));
  for (const name of readdirSync(traces).sort()) if (name.endsWith('.jsonl')) cut(`traces/${name}`, isJson);
  cut('judge.jsonl', isJson);
  for (const name of readdirSync(dir)) if (name.endsWith('.tmp')) unlinkSync(join(dir, name));
  return notes;
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

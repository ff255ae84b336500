/** Reading of a run folder, live or dead, without the lock. What was written half is not there yet. */
import { closeSync, existsSync, readSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { RUN_FORMAT, RunManifest, TrainerEvent } from '../../protocol/messages';
import { inOneMessage, UserError } from '../../protocol/result';
import { emptyRun, reduceRun, type RunState } from '../../protocol/runState';
import { Split, Task, ToolSchema } from '../../protocol/task';
import { readTraceJson, type Trace, type TraceSummary } from '../../protocol/trace';
import { readLines } from '../../base/jsonLines';
import { readTextFile, openToRead } from '../../base/storage';
import { parseJson } from '../../base/json';

/** Whole events from a byte on. Call again until `nextByte` stays: a reply holds at most 64 MiB. */
export function readEvents(dir: string, fromByte: number): { events: TrainerEvent[]; nextByte: number } {
  const path = join(dir, 'events.jsonl');
  const { lines, nextByte, startByte } = readLines(path, fromByte);
  let seq = -1;
  const events = lines.map((line, i) => {
    const event =
      parseEvent(line) ??
      unreadable(line, seq + 1, startByte === 0 ? `line ${i + 1}` : `line ${i + 1} after byte ${startByte}`);
    seq = event.seq;
    return event;
  });
  return { events, nextByte };
}

/** null where it is no event that this version knows. */
export function parseEvent(line: string): TrainerEvent | null {
  try {
    return TrainerEvent.parse(parseJson(line));
  } catch {
    return null;
  }
}

/**
 * A line that was damaged, or that a newer version wrote, is shown as a note in its place; the lines behind it still
 * count.
 */
function unreadable(line: string, seq: number, where: string): TrainerEvent {
  const start = line.length > 60 ? `${line.slice(0, 60)}…` : line;
  let known: { seq?: unknown; t?: unknown } = {};
  try {
    known = (parseJson(line) ?? {}) as typeof known;
  } catch {
    // Not even JSON.
  }
  return {
    seq: Number.isInteger(known.seq) ? (known.seq as number) : seq,
    t: typeof known.t === 'number' ? known.t : 0,
    type: 'noted',
    level: 'warning',
    code: 'lineUnreadable',
    message: `events.jsonl, ${where}: can't be read and is skipped: ${start}`,
  };
}

/** The whole run as its views see it. */
export function foldRun(dir: string): RunState {
  let state = emptyRun;
  for (let byte = 0; ; ) {
    const { events, nextByte } = readEvents(dir, byte);
    if (nextByte === byte) return state;
    state = events.reduce(reduceRun, state);
    byte = nextByte;
  }
}

/** What is wrong with a run folder (`problem`), beside as much of its manifest as can be read. */
export function readManifest(dir: string): {
  manifest: RunManifest | null;
  id: string | null;
  createdAt: number | null;
  problem: string | null;
} {
  const path = join(dir, 'run.json');
  let json: unknown;
  try {
    json = parseJson(readTextFile(path));
  } catch (error) {
    return {
      manifest: null,
      id: null,
      createdAt: null,
      problem: inOneMessage(
        error instanceof UserError ? error.message : `${path}: can't be read: ${(error as Error).message}`,
      ),
    };
  }
  const basics = z.object({ format: z.number(), id: z.string(), createdAt: z.number() }).safeParse(json);
  if (!basics.success)
    return {
      manifest: null,
      id: null,
      createdAt: null,
      problem: inOneMessage(`${path}: is no run: ${z.prettifyError(basics.error).replace(/\s+/g, ' ')}`),
    };
  const { format, id, createdAt } = basics.data;
  const manifest = RunManifest.safeParse(json);
  const isNewer = format > RUN_FORMAT;
  const problem = isNewer
    ? `${path}: format must be at most ${RUN_FORMAT}, got ${format}: a newer Coach wrote this run; here it is read-only`
    : manifest.success
      ? null
      : inOneMessage(`${path}: ${z.prettifyError(manifest.error).replace(/\s+/g, ' ')}`);
  return { manifest: manifest.success ? manifest.data : null, id, createdAt, problem };
}

/** @throws UserError where the manifest can't be used for writing or exporting. */
export function requireManifest(dir: string, { readOnly = false } = {}): RunManifest {
  const { manifest, problem } = readManifest(dir);
  if (manifest && (problem === null || readOnly)) return manifest;
  if (!existsSync(join(dir, 'run.json')))
    throw new UserError(
      'storage',
      `${dir}: is no run folder (run.json is missing)`,
      'coach runs lists the runs of a workspace.',
    );
  throw new UserError(
    'storage',
    problem ?? `${dir}: unreadable`,
    'Update Coach to the version that wrote it, or start a new run.',
  );
}

/** The tool schemas the run was started with. */
export const readTools = (dir: string): ToolSchema[] => readPart(join(dir, 'tools.json'), z.array(ToolSchema));

/**
 * The tasks it was started with, so that a resume and a later evaluation see the same ones. In a run of before tasks
 * said who wrote them, generated ones get it here.
 */
export function readTaskSplits(dir: string): Record<Split, Task[]> {
  const splits = readPart(join(dir, 'tasks.json'), z.record(Split, z.array(Task)));
  if (readManifest(dir).manifest?.taskSource !== 'generated') return splits;
  const withSource = (tasks: Task[]): Task[] => tasks.map((task) => ({ ...task, source: task.source ?? 'schema' }));
  return {
    train: withSource(splits.train),
    validation: withSource(splits.validation),
    heldOut: withSource(splits.heldOut),
  };
}

/** What a run learnt from, and what its checkpoint was chosen by. */
export function trainedTasks(dir: string): Task[] {
  const { train, validation } = readTaskSplits(dir);
  return [...train, ...validation];
}

function readPart<T>(path: string, schema: z.ZodType<T>): T {
  try {
    return schema.parse(parseJson(readTextFile(path)));
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(
      'storage',
      `${path}: can't be read: ${(error as Error).message.replace(/\s+/g, ' ')}`,
      'The run folder was changed by something else than Coach; start a new run.',
    );
  }
}

/**
 * One trace by its byte range; the file must lie in the run's traces/, or in those of a stage. A stage's has the names
 * then that the run's events give it.
 */
export function readTrace(dir: string, place: { file: string; offset: number; length: number }): Trace {
  const { file, offset, length } = place;
  const [isOne, , stage] = /^(stages\/(\d+-\w+)\/)?traces\/[\w.-]+\.jsonl$/.exec(file) ?? [];
  if (isOne === undefined)
    throw new UserError(
      'storage',
      `trace file must be traces/NAME.jsonl, of the run or one of its stages, got ${JSON.stringify(file)}`,
    );
  const trace = readTraceAt(join(dir, file), { offset, length });
  if (stage === undefined) return trace;
  return { ...trace, runId: basename(dir), id: `${stage}-${trace.id}`, groupId: `${stage}-${trace.groupId}` };
}

/** One trace by its byte range in any file. */
export function readTraceAt(file: string, { offset, length }: { offset: number; length: number }): Trace {
  const where = `${file}, byte ${offset}`;
  if (!(offset >= 0 && length > 0 && length < 1 << 30))
    throw new UserError('storage', `${where}: the byte range must lie in the file, got ${length} bytes`);
  let text: string;
  try {
    const fd = openToRead(file);
    try {
      const bytes = Buffer.alloc(length);
      text = bytes.toString('utf8', 0, readSync(fd, bytes, 0, length, offset));
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(
      'storage',
      `${where}: can't be read: ${(error as Error).message}`,
      'The file was removed or the run was moved while it was read.',
    );
  }
  const parsed = parseTrace(text);
  if (!parsed.ok)
    throw new UserError(
      'storage',
      `${where}: ${parsed.why}`,
      parsed.isNewer ? 'Update Coach.' : 'The file was changed by something else than Coach.',
    );
  return parsed.trace;
}

/** A line of a trace file, or what it is instead. */
export function parseTrace(text: string): ReturnType<typeof readTraceJson> {
  let json: unknown;
  try {
    json = parseJson(text);
  } catch (error) {
    return { ok: false, why: `is no trace: ${(error as Error).message}`, isNewer: false };
  }
  return readTraceJson(json);
}

/** The summaries of all recorded traces; of an id that was recorded twice (a repeated step) the last one counts. */
export function traceSummaries(dir: string): TraceSummary[] {
  const byId = new Map<string, TraceSummary>();
  for (const summary of foldRun(dir).traces) byId.set(summary.id, summary);
  return [...byId.values()];
}

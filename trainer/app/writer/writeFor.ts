/**
 * The writer of a tool file's tasks, from settings to tasks: its model opened, asked, closed; what it could not do
 * said in one note.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Engine } from '../../model/engine/engine';
import { UserError } from '../../protocol/result';
import type { TellNote } from '../../protocol/note';
import type { RunConfig } from '../../protocol/runConfig';
import type { Task, ToolSchema } from '../../protocol/task';
import { fileCache } from '../../rewards/judge/cache';
import { openClient } from '../../rewards/judge/openClient';
import { sleepFor } from '../../rewards/judge/judge';
import type { JudgeSettings } from '../../rewards/judge/settings';
import { runsFolder } from '../../store/runs/workspace';
import type { ToolHosts } from '../../tools/hosts/callTool';
import { aboutWriter } from './settings';
import { writeTasks, writtenWords } from '../../tasks/writer/writeTasks';

export interface WriteFor {
  settings: JudgeSettings;
  config: RunConfig;
  tools: readonly ToolSchema[];
  workspace: string;
  hosts: Pick<ToolHosts, 'open'>;
  /** tasks that were made without it: their calls show which values there are */
  made: readonly Task[];
  known: readonly string[];
  count: number;
  openEngine(): Promise<Engine>;
  signal: AbortSignal;
  note: TellNote;
  onProgress?(message: string): void;
}

/** Of how many calls the results are looked up, and how much of each is shown. */
const SEEN = 48;
const SEEN_CHARACTERS = 300;

/**
 * Tasks by the writer; none, with a note, where it can't be reached or gives nothing. Its replies are kept beside the
 * runs, so that the same question costs nothing twice.
 * @throws UserError where a model of this disk is none
 */
export async function writeFor({
  settings,
  config,
  tools,
  workspace,
  hosts,
  made,
  known,
  count,
  openEngine,
  signal,
  note,
  onProgress,
}: WriteFor): Promise<Task[]> {
  const folder = runsFolder(workspace);
  mkdirSync(folder, { recursive: true });
  const engine = settings.modelPath === null ? null : await openEngine();
  try {
    const client = await openClient({
      settings,
      engine,
      cache: fileCache(join(folder, 'writer-cache.jsonl')),
      sleep: sleepFor,
      now: Date.now,
    });
    try {
      await client.check(signal);
      const seen = await seenCalls(made, tools, hosts, signal);
      const written = await writeTasks({
        client,
        tools,
        count,
        seed: config.seed,
        hosts,
        seen,
        known,
        signal,
        ...(onProgress ? { onProgress } : {}),
      });
      const isShort = written.tasks.length < count;
      note(
        isShort ? 'warning' : 'info',
        'writerWrote',
        `${writtenWords(written, count)}${isShort ? '; the rest is made by Coach itself' : ''}`,
      );
      return written.tasks;
    } finally {
      client.close();
    }
  } catch (error) {
    const told = aboutWriter(error);
    if (!(told instanceof UserError) || settings.modelPath !== null) throw told;
    note(
      'warning',
      'writerFailed',
      `${told.message}; all requests are made by Coach itself${told.hint === undefined ? '' : `. ${told.hint}`}`,
    );
    return [];
  } finally {
    engine?.dispose();
  }
}

/** `findMember {"name": "Jonas"} -> {"id": "m-2", …}`, each call once */
async function seenCalls(
  made: readonly Task[],
  tools: readonly ToolSchema[],
  hosts: Pick<ToolHosts, 'open'>,
  signal: AbortSignal,
): Promise<string[]> {
  const reading = new Set(tools.filter(({ changesWorld }) => !changesWorld).map(({ name }) => name));
  const calls = new Map(
    made
      .flatMap((task) => task.calls ?? [])
      .filter(({ name }) => reading.has(name))
      .map((call) => [`${call.name} ${JSON.stringify(call.arguments)}`, call] as const),
  );
  const world = hosts.open('writer-seen');
  try {
    const out: string[] = [];
    for (const [text, { name, arguments: args }] of [...calls].slice(0, SEEN)) {
      const { kind, content } = await world.call(name, args, signal);
      signal.throwIfAborted();
      if (kind === 'ok')
        out.push(`${text} -> ${content.length > SEEN_CHARACTERS ? `${content.slice(0, SEEN_CHARACTERS)}…` : content}`);
    }
    return out;
  } finally {
    world.close();
  }
}

/**
 * Traces of other agents as a run folder that nothing was trained in: it is listed, read, compared, marked and exported
 * like any other. The same
 * prompt makes a group. What a log does not say stays empty: no tokens, no rewards, temperature null; times that are
 * missing are 0, and said.
 */
import { createHash } from 'node:crypto';

import { basename } from 'node:path';
import { z } from 'zod';
import { UserError } from '../../../protocol/result';
import { RunConfig } from '../../../protocol/runConfig';
import type { ToolSchema } from '../../../protocol/task';
import { emptyTrace, type ToolResult, type Trace } from '../../../protocol/trace';
import { createRun } from '../../runs/runFolder';
import { parsed, type ForeignEpisode } from './episode';
import { episodesOfOtlp } from './importOtlp';
import { episodeOfLog } from './messageLog';
import { TracesData } from './otlp';
import { readTextFile } from '../../../base/storage';

export interface Imported {
  id: string;
  dir: string;
  traces: number;
  form: 'otlp' | 'messages';
  /** what could not be read, by line */
  problems: string[];
}

/** @throws UserError where there is no trace in the file */
export function importRun({ file, workspace, now }: { file: string; workspace: string; now(): number }): Imported {
  const { episodes, form, problems } = readEpisodes(file);
  const models = [...new Set(episodes.flatMap((e) => e.model ?? []))];
  const tools = toolsOf(episodes, file);
  const config = RunConfig.parse({ toolFile: file, method: 'sft', steps: 1, model: models.join(', ') || 'unknown' });
  const run = createRun({
    workspace,
    label: `import ${basename(file).replace(/\.\w+$/, '')}`,
    now,
    tools,
    tasks: { train: [], validation: [], heldOut: [] },
    manifest: {
      config,
      imported: { from: file, form },
      toolNames: tools.map((tool) => tool.name),
      taskCounts: { train: 0, validation: 0, heldOut: 0 },
      taskSource: `imported from ${file}`,
      engine: { name: 'none', why: 'imported: nothing was trained', threads: 0, rejected: [] },
      node: process.version,
      versions: {},
      hashes: {},
    },
  });
  try {
    for (const trace of tracesOf(episodes, run.id))
      run.append({ type: 'traceRecorded', trace: run.recordTrace(trace) });
    run.append({
      type: 'noted',
      level: 'info',
      code: 'imported',
      message: `Imported ${episodes.length} traces from ${file} (${form}); nothing was trained`,
    });
    if (episodes.some((e) => e.startedAt === null || e.durationMs === null))
      run.append({
        type: 'noted',
        level: 'info',
        code: 'importedWithoutTimes',
        message: 'Some of these traces have no times in their log: they show 0',
      });
    for (const message of problems) run.append({ type: 'noted', level: 'warning', code: 'importProblem', message });
    run.append({ type: 'runStopped', step: 0 });
    return { id: run.id, dir: run.dir, traces: episodes.length, form, problems };
  } finally {
    run.close();
  }
}

/** The same without a run: its traces and the tools that they call. @throws UserError where there is no trace in it */
export function readLog(file: string): { traces: Trace[]; tools: ToolSchema[]; problems: string[] } {
  const { episodes, problems } = readEpisodes(file);
  return { traces: tracesOf(episodes, 'log'), tools: toolsOf(episodes, file), problems };
}

/** The same prompt makes a group; an id that occurs again gets a number behind it. */
function tracesOf(episodes: readonly ForeignEpisode[], runId: string): Trace[] {
  const inGroup = new Map<string, number>();
  const ids = new Map<string, number>();
  return episodes.map((episode) => {
    const begun = episode.messages.slice(
      0,
      episode.messages.findIndex((m) => m.role === 'assistant'),
    );
    const taskId = `prompt-${createHash('sha256')
      .update(JSON.stringify(begun.map((m) => [m.role, m.content])))
      .digest('hex')
      .slice(0, 8)}`;
    const index = inGroup.get(taskId) ?? 0;
    inGroup.set(taskId, index + 1);
    const seen = ids.get(episode.id) ?? 0;
    ids.set(episode.id, seen + 1);
    return traceOf({ ...episode, id: seen === 0 ? episode.id : `${episode.id}-${seen + 1}` }, { runId, taskId, index });
  });
}

/** A file of OTLP/JSON (one document, or one a line), or of message logs (a line each, or one document). */
export function readEpisodes(file: string): { episodes: ForeignEpisode[]; form: Imported['form']; problems: string[] } {
  let text: string;
  try {
    text = readTextFile(file).replace(/^\ufeff/, '');
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(
      'storage',
      `${file}: can't be read: ${(error as Error).message}`,
      'Give a file of OTLP/JSON, or of OpenAI-style messages.',
    );
  }
  const problems: string[] = [];
  const otlp: TracesData[] = [];
  const logs: ForeignEpisode[] = [];
  for (const { where, json } of documents(text, problems)) {
    try {
      if (typeof json === 'object' && json !== null && 'resourceSpans' in json) otlp.push(TracesData.parse(json));
      else {
        const episode = episodeOfLog(json, where.replace(' ', '-'));
        if (episode === null) problems.push(`${where}: is neither OTLP (resourceSpans) nor a log of messages`);
        else if (!episode.messages.some((m) => m.role === 'assistant'))
          problems.push(`${where}: has no message of an assistant`);
        else logs.push(episode);
      }
    } catch (error) {
      const issue =
        error instanceof z.ZodError
          ? `${error.issues[0]!.path.join('.')}: ${error.issues[0]!.message}`
          : (error as Error).message;
      problems.push(`${where}: ${issue}`);
    }
  }
  const { episodes, silent } = episodesOfOtlp(otlp);
  if (silent > 0)
    problems.push(
      `${silent} chats were recorded without their messages (the agent's instrumentation must capture content)`,
    );
  const all = [...episodes, ...logs];
  if (all.length === 0)
    throw new UserError(
      'task',
      `${file}: there is no trace in it${problems[0] ? `; ${problems[0]}` : ', it is empty'}`,
      'Give OTLP/JSON with gen_ai spans and their messages, or JSON lines of {"messages": […]}.',
    );
  return { episodes: all, form: otlp.length > 0 ? 'otlp' : 'messages', problems };
}

/** The whole text as one document (a list of objects that hold messages is one document each), else line by line. */
function documents(text: string, problems: string[]): { where: string; json: unknown }[] {
  const whole = parsed(text);
  if (whole !== undefined) {
    const isList =
      Array.isArray(whole) &&
      whole.every(
        (each) =>
          typeof each === 'object' &&
          each !== null &&
          ('messages' in each || 'request' in each || 'resourceSpans' in each),
      );
    return (isList ? (whole as unknown[]) : [whole]).map((json, i) => ({ where: `entry ${i + 1}`, json }));
  }
  return text.split('\n').flatMap((line, i) => {
    if (line.trim() === '') return [];
    const json = parsed(line);
    if (json === undefined) problems.push(`line ${i + 1}: no JSON`);
    return json === undefined ? [] : [{ where: `line ${i + 1}`, json }];
  });
}

/** Each tool once, as first seen; a tool that is only called is shown with its name alone. */
function toolsOf(episodes: readonly ForeignEpisode[], file: string): ToolSchema[] {
  const called = episodes
    .flatMap((e) => e.messages)
    .flatMap((m) => m.tool_calls ?? [])
    .map((c) => ({ name: c.function.name, description: '', parameters: { type: 'object' } }));
  const byName = new Map([...called, ...episodes.flatMap((e) => e.tools)].map((tool) => [tool.name, tool] as const));
  return [...byName.values()].map((tool) => ({
    ...tool,
    source: { file, line: 1 },
    binding: { exportName: tool.name, positional: 'object' as const },
    changesWorld: true,
  }));
}

function traceOf(
  episode: ForeignEpisode,
  { runId, taskId, index }: { runId: string; taskId: string; index: number },
): Trace {
  const { messages } = episode;
  const last = messages.at(-1)!;
  return {
    ...emptyTrace(episode.id, 0),
    runId,
    taskId,
    groupId: taskId,
    indexInGroup: index,
    model: episode.model ?? 'unknown',
    temperature: episode.temperature,
    messages,
    turns: turnsOf(episode),
    terminated: last.role === 'assistant' && !last.tool_calls?.length,
    startedAt: episode.startedAt ?? 0,
    durationMs: episode.durationMs ?? 0,
  };
}

function turnsOf({ messages, calls, sampleMs, startedAt }: ForeignEpisode): Trace['turns'] {
  const results = new Map(
    messages.flatMap((m) =>
      m.role === 'tool' && m.tool_call_id !== undefined ? [[m.tool_call_id, m.content] as const] : [],
    ),
  );
  return messages
    .filter((m) => m.role === 'assistant')
    .map((m, i) => ({
      start: 0,
      end: 0,
      text: m.content,
      sampleMs: sampleMs[i] ?? 0,
      calls: (m.tool_calls ?? []).map(({ id, function: f }) => {
        const content = results.get(id);
        const span = calls.get(id);
        const result: ToolResult | null =
          content === undefined
            ? null
            : {
                kind: span?.error ? 'threw' : 'ok',
                content,
                policy: 'real',
                startedAt: span?.startedAt ?? startedAt ?? 0,
                durationMs: span?.durationMs ?? 0,
              };
        return { id, name: f.name, arguments: f.arguments, result };
      }),
    }));
}

/**
 * What the page asks for, parsed at the border: a page is made of what models and tools wrote, so its messages are not
 * trusted. Free of `vscode`.
 */
import { z } from 'zod';
import { RunLabel } from '../../trainer/protocol/messages';
import { Version } from '../../trainer/protocol/play';
import { ToolPolicy } from '../../trainer/protocol/runConfig';
import { GoldCall, Task } from '../../trainer/protocol/task';
import { TraceSummary } from '../../trainer/protocol/trace';
import type { PanelRequest } from '../../webview/messages';

const runId = z.string();
const letter = z.enum(['a', 'b']);
const request = <T extends PanelRequest['type'], S extends z.ZodRawShape>(type: T, shape: S) =>
  z.object({ type: z.literal(type), ...shape });
const ofRun = <T extends PanelRequest['type']>(type: T) => request(type, { runId });

const schema = z.discriminatedUnion('type', [
  request('ready', { runId: z.string().nullable() }),
  ofRun('selectRun'),
  request('compareWith', { runId: z.string().nullable() }),
  request('openTrace', { runId, summary: TraceSummary }),
  ofRun('allTraces'),
  ofRun('openJudge'),
  request('openVerdicts', { runId, groupId: z.string(), traceIds: z.array(z.string()) }),
  request('correctRanking', {
    runId,
    taskId: z.string(),
    groupId: z.string(),
    traceIds: z.array(z.string()),
    ranks: z.array(z.number().int()),
    judge: z.object({ model: z.string(), ranks: z.array(z.number().int()).nullable() }).nullable(),
  }),
  request('labelRun', { runId, label: RunLabel }),
  ofRun('deleteRun'),
  ofRun('openTasks'),
  ofRun('openTry'),
  ofRun('openLessons'),
  ofRun('openToolGraph'),
  ofRun('trainOnLessons'),
  request('try', {
    runId,
    prompt: z.string().min(1),
    versions: z.array(Version).min(1),
    samples: z.number().int().min(1).max(16),
    temperature: z.number().min(0),
    toolPolicy: ToolPolicy.nullable(),
  }),
  ofRun('cancelTry'),
  ofRun('openRequests'),
  request('keepRequest', {
    runId,
    request: z.object({ prompt: z.string().min(1), calls: z.array(GoldCall), answer: z.string().min(1).optional() }),
  }),
  request('measureRequests', { runId, ids: z.array(z.string()).min(1) }),
  ofRun('openRequestsFile'),
  request('tryAgain', { runId, traceId: z.string(), taskId: z.string(), prompt: z.string() }),
  request('diffTask', { runId, traceId: z.string() }),
  request('markPair', { runId, traceIds: z.tuple([z.string(), z.string()]) }),
  request('openMarking', {}),
  request('markingShown', { isShown: z.boolean(), hasFocus: z.boolean() }),
  request('mark', { pairId: z.string(), answer: z.enum(['a', 'b', 'tie', 'bothBad', 'skip']) }),
  request('undoMark', { lineId: z.string() }),
  request('rewrite', {
    pairId: z.string(),
    of: letter,
    draft: z.object({
      content: z.string(),
      calls: z.array(z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()) })),
    }),
    isSave: z.boolean(),
    number: z.number().int(),
  }),
  request('addReason', {
    pairId: z.string(),
    of: letter,
    turn: z.number().int().min(0),
    text: z.string(),
    thumb: z.enum(['up', 'down']).nullable(),
  }),
  request('trainOnPreferences', {}),
  request('makeTask', { runId: z.string().nullable(), task: Task }),
  request('revealTool', { runId, tool: z.string() }),
  ofRun('stop'),
  ofRun('resume'),
  request('train', {}),
  ofRun('openAdapterFolder'),
  ofRun('openRunFolder'),
  ofRun('export'),
  request('showLog', {}),
  request('copy', { text: z.string(), what: z.string() }),
  request('saveFile', { text: z.string(), name: z.string().regex(/^[\w .-]+$/) }),
  request('openDocument', { text: z.string(), language: z.enum(['json', 'csv', 'plaintext']) }),
]) satisfies z.ZodType<PanelRequest>;

/** @throws where the message is none that the page may send */
export function parsePanelRequest(raw: unknown): PanelRequest {
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const type = String((raw as { type?: unknown } | null)?.type ?? 'without a type').slice(0, 40);
  throw new Error(
    `the page asked for something of unknown shape (${type}): ${z.prettifyError(parsed.error).replace(/\s+/g, ' ')}`,
  );
}

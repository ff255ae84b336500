/** A manifest, a trace and a folder to put them in. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunManifest, RunResult } from '../../../trainer/protocol/messages';
import { RunConfig } from '../../../trainer/protocol/runConfig';
import type { TypeScriptTool } from '../../../trainer/protocol/task';
import type { Trace } from '../../../trainer/protocol/trace';
import { createRun, type NewRun, type RunWriter } from '../../../trainer/store/runs/runFolder';

export const sampleTool: TypeScriptTool = {
  name: 'search',
  description: 'Search the inbox.',
  parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
  source: { file: 'tools.ts', line: 3 },
  binding: { exportName: 'search', positional: [{ name: 'query' }] },
  changesWorld: false,
};

export const sampleManifest: Omit<RunManifest, 'format' | 'id' | 'createdAt'> = {
  config: RunConfig.parse({ toolFile: '/tools.ts', steps: 5 }),
  toolNames: ['search'],
  taskCounts: { train: 6, validation: 2, heldOut: 2 },
  taskSource: 'generated',
  engine: { name: 'cpu', why: 'asked for', threads: 1, rejected: [] },
  node: process.version,
  versions: {},
  hashes: {},
};

const task = (id: string) => ({
  id,
  prompt: `Find ${id}`,
  calls: [{ name: 'search', arguments: { query: id } }],
  source: 'schema' as const,
});
export const sampleTasks = {
  train: ['a', 'b', 'c', 'd', 'e', 'f'].map(task),
  validation: ['g', 'h'].map(task),
  heldOut: ['i', 'j'].map(task),
};

export const sampleResult = (run: string): RunResult => ({
  run,
  engine: 'cpu',
  steps: 5,
  seconds: 1,
  before: { n: 2, success: 0.5, ci95: [0.1, 0.9] },
  after: { n: 2, success: 1, ci95: [0.3, 1] },
  gain: { mean: 0.5, ci95: [-0.2, 1] },
  verdict: 'could be chance',
  forgotten: [],
  adapter: 'adapter',
});

/** Counts up by a second, so that events have dates that a test can say. */
export function clock(start = Date.UTC(2025, 10, 21, 9, 30, 5)): () => number {
  let t = start;
  return () => (t += 1000) - 1000;
}

export function newRun(workspace: string, more: Partial<NewRun> = {}): RunWriter {
  return createRun({
    workspace,
    label: 'tools',
    manifest: sampleManifest,
    tools: [sampleTool],
    tasks: sampleTasks,
    now: clock(),
    ...more,
  });
}

export function sampleTrace(id: string, more: Partial<Trace> = {}): Trace {
  return {
    version: 2,
    id,
    runId: 'r',
    taskId: 't1',
    phase: 'train',
    step: 1,
    groupId: `g-${id.split('-')[0]}`,
    indexInGroup: 0,
    seed: 7,
    model: 'nano',
    checkpoint: 'step-00000',
    temperature: 1,
    constraint: 'schema+spans',
    messages: [
      { role: 'system', content: 'You use tools.' },
      { role: 'user', content: 'Find “Grüße” 🙂' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'search', arguments: { query: 'Grüße' } } }],
      },
      { role: 'tool', content: '["mail 3"]', tool_call_id: 'c1', name: 'search' },
      { role: 'assistant', content: 'It is mail 3.' },
    ],
    turns: [
      {
        start: 3,
        end: 5,
        text: 'search(…)',
        calls: [
          {
            id: 'c1',
            name: 'search',
            arguments: { query: 'Grüße' },
            result: { kind: 'ok', content: '["mail 3"]', policy: 'real', startedAt: 1, durationMs: 2 },
          },
        ],
        sampleMs: 4,
      },
      { start: 6, end: 8, text: 'It is mail 3.', calls: [], sampleMs: 3 },
    ],
    tokens: {
      ids: [1, 2, 3, 4, 5, 6, 7, 8],
      logprobs: [null, null, null, -0.1, -0.2, null, -0.3, -0.4],
      completionMask: [0, 0, 0, 1, 1, 0, 1, 1],
      writer: 'pppsstss',
    },
    terminated: true,
    truncated: 'no',
    solved: true,
    rewards: [{ name: 'correctness', score: 1, weight: 1 }],
    reward: 1,
    advantage: 0.5,
    startedAt: 1,
    durationMs: 9,
    ...more,
  };
}

/** A temporary folder; the caller removes it. */
export function tempFolder(prefix = 'coach-test-'): { dir: string; remove(): void } {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), prefix)));
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

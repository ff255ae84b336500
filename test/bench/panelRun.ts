/**
 * A run folder of about 1 GB by the product's writer, and how the host opens it. `node --import tsx panelRun.ts open
 * DIR` prints what that cost.
 */
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { runInfo } from '../../trainer/store/runs/listRuns';
import { foldRun, readTrace } from '../../trainer/store/runs/readRun';
import { createRun } from '../../trainer/store/runs/runFolder';
import { sampleManifest, sampleTasks, sampleTool } from '../store/runs/sample';
import { recordedRun } from '../webview/fixture';
import { traceOf } from '../webview/traceFixture';
import { round } from './measured';

export interface BigRun {
  traces: number;
  folderMb: number;
  /** list, events, and the first trace */
  seconds: number;
  readMb: number;
  rssMb: number;
}

const TRACES = 10_000;
const LINE_BYTES = 100_000;

export function writeBigRun(workspace: string): string {
  const shape = recordedRun({ steps: 1, heldOut: 4 }).events.flatMap((event) =>
    event.type === 'traceRecorded' ? [event.trace] : [],
  )[0]!;
  const { trace } = traceOf(shape, 'big');
  const [turn] = trace.turns;
  const big = { ...trace, phase: 'train' as const, turns: Array.from({ length: 40 }, () => turn!) };
  const padding = 'x'.repeat(Math.max(0, LINE_BYTES - JSON.stringify(big).length));
  let now = Date.now();
  const run = createRun({
    workspace,
    label: 'big',
    manifest: sampleManifest,
    tools: [sampleTool],
    tasks: sampleTasks,
    now: () => (now += 10),
  });
  for (let i = 0; i < TRACES; i++)
    run.append({
      type: 'traceRecorded',
      trace: run.recordTrace({
        ...big,
        id: `t${i}`,
        groupId: `g${i >> 3}`,
        step: 1 + Math.floor(i / 64),
        messages: [...big.messages, { role: 'assistant', content: padding }],
      }),
    });
  run.append({ type: 'runStopped', step: 157 });
  run.close();
  return run.dir;
}

function open(dir: string): BigRun {
  const started = performance.now();
  const before = bytesRead();
  runInfo(dir);
  const { traces } = foldRun(dir);
  readTrace(dir, traces[0]!);
  const seconds = round((performance.now() - started) / 1000, 2);
  const folder = statSync(path.join(dir, 'events.jsonl')).size + traces.reduce((sum, { length }) => sum + length, 0);
  return {
    traces: traces.length,
    folderMb: round(folder / 2 ** 20, 0),
    seconds,
    readMb: round((bytesRead() - before) / 2 ** 20, 1),
    rssMb: round(process.memoryUsage().rss / 2 ** 20, 0),
  };
}

/** By this process, from files and elsewhere; NaN where the system does not tell. */
function bytesRead(): number {
  try {
    return Number(/^rchar: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);
  } catch {
    return NaN;
  }
}

if (process.argv[2] === 'open') console.log(JSON.stringify(open(process.argv[3]!)));

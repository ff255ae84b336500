/**
 * The panel with a run of 10,000 traces of 40 steps in a real Chromium (the bundle and CSP that ship; VS Code's own
 * frames around it are not in here), sent as the host sends them, the newest first: milliseconds until the first rows
 * are painted, after *ready* and beside the same page with no run, and until all traces are there; a step of scrolling
 * and a key of the
 * filter (CPU of the page's main thread,
 * and wall time to the painted frame); a 500-step trace from the click to its painted conversation, reading included;
 * memory. And the run's folder, of 1 GB, as the host
 * opens it: seconds, bytes read, memory. One line of JSON; `isMet` holds each of issue 6's bars.
 *
 * Run: npm run bench panel (the rig of test/vscode must be installed: node test/vscode/prepare-vscode.mjs)
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { firstTraces, pieces } from '../../extension/traces/firstTraces';
import { tokenTexts } from '../../extension/traces/tokenTexts';
import { emptyRun, reduceRun, type RunState } from '../../trainer/protocol/runState';
import type { Trace, TraceSummary } from '../../trainer/protocol/trace';
import { readTraceAt } from '../../trainer/store/runs/readRun';
import { recordedRun } from '../webview/fixture';
import { openRig, type Panel, type Rig } from '../webview/harness.mjs';
import { traceOf } from '../webview/traceFixture';
import { median, processor, round } from './measured';
import { writeBigRun, type BigRun } from './panelRun';

const TRACES = 10_000;
const STEPS = 40;
const REPEATS = 5;
const root = path.resolve(__dirname, '../..');

const recording = recordedRun({ steps: 12, heldOut: 40 });
const runId = recording.manifest.id;
const whole = recording.events.reduce(reduceRun, emptyRun);
const shape = whole.traces.find((trace) => trace.phase === 'train')!;
const calls = Array.from({ length: STEPS - 1 }, (_, i) =>
  i % 7 === 3 ? 'readEmail✗' : i % 2 ? 'readEmail' : 'searchEmails',
);
const many: TraceSummary[] = Array.from({ length: TRACES }, (_, i) => ({
  ...shape,
  id: `t${i}`,
  taskId: `task-${i % 997}`,
  groupId: `g${i >> 3}`,
  step: 1 + Math.floor(i / 64),
  prompt: `${shape.prompt} ${i >> 3}`,
  path: [...calls, 'answer'].join(' → '),
  reward: (i % 10) / 10,
  solved: i % 3 === 0,
  errors: ['timeout'],
}));

/** What the host sends at once, and what it sends when the page asks for all traces. */
const newest = firstTraces(many)!;
const rest = [...pieces(many)].map((piece) => ({ type: 'traces', runId, ...piece }));

const snapshot = (state: RunState | null) => ({
  type: 'snapshot',
  runId: state ? runId : null,
  state: state && { ...state, traces: newest },
  ...(state ? { tracesFollow: true } : {}),
  runs: state ? [recording.info] : [],
  strings: {},
  locale: 'en',
  trainingRefused: null,
  route: { page: 'traces', all: true },
});

/**
 * From the page's own start, ms: when it said ready, and when `selector` was painted. The answer to ready is made in
 * the page: Playwright's way is not the product's.
 */
async function opening(rig: Rig, message: object, selector: string): Promise<{ ready: number; painted: number }> {
  const panel = await rig.openPanel({ answerReady: { message: JSON.stringify(message), selector } });
  try {
    for (;;) {
      const times = await panel.page.evaluate(
        () => (window as unknown as { harness: { times: { ready: number; painted: number | null } } }).harness.times,
      );
      if (times.painted !== null) return { ready: times.ready, painted: times.painted };
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  } finally {
    await panel.close();
  }
}

/** A change of the page: wall time until the frame that shows it was painted. */
const frame = (panel: Panel, change: string, argument: number | string): Promise<number> =>
  panel.page.evaluate(
    async ({ change: name, argument: value }) => {
      const started = performance.now();
      if (name === 'scroll') window.scrollTo(0, Number(value) % document.documentElement.scrollHeight);
      else {
        const field = document.querySelector<HTMLElement & { value: string }>('.toolbar vscode-text-field')!;
        field.value = String(value);
        field.dispatchEvent(new Event('input'));
      }
      await new Promise((resolve) =>
        requestAnimationFrame(() => {
          const channel = new MessageChannel();
          channel.port1.onmessage = resolve;
          channel.port2.postMessage(null);
        }),
      );
      return performance.now() - started;
    },
    { change, argument },
  );

async function steps(
  panel: Panel,
  change: string,
  values: readonly (number | string)[],
): Promise<{ cpu: number; wall: number; worst: number }> {
  const before = await panel.cpu();
  const walls: number[] = [];
  for (const value of values) {
    walls.push(await frame(panel, change, value));
    await panel.settle();
  }
  return {
    cpu: round(((await panel.cpu()) - before) / values.length, 1),
    wall: round(median(walls), 1),
    worst: round(Math.max(...walls), 1),
  };
}

/** Reading a 500-step trace as service and host do, and drawing it as the page does, ms. */
async function longTrace(panel: Panel, folder: string): Promise<{ read: number; draw: number }> {
  const { trace, tokenTexts: words } = longOf(shape);
  const file = path.join(folder, 'long.trace.jsonl');
  const line = `${JSON.stringify(trace)}\n`;
  writeFileSync(file, line);
  const nano = path.join(root, 'trainer/model/nano');
  await tokenTexts(nano, [1]); // the vocabulary is read once a window
  const reads: number[] = [];
  for (let i = 0; i < REPEATS; i++) {
    const started = performance.now();
    const { tokens } = readTraceAt(file, { offset: 0, length: Buffer.byteLength(line) });
    await tokenTexts(
      nano,
      tokens.ids.map((id) => id % 2000),
    );
    reads.push(performance.now() - started);
  }
  const draws: number[] = [];
  for (let i = 0; i < REPEATS; i++) {
    const id = `t${8 * i}`;
    await panel.send({ type: 'navigate', runId, route: { page: 'trace', traceId: id } });
    await panel.settle();
    draws.push(
      await panel.page.evaluate(
        async (event) => {
          const text = JSON.stringify(event); // what comes through a webview's channel is parsed
          const started = performance.now();
          window.dispatchEvent(new MessageEvent('message', { data: JSON.parse(text) as unknown }));
          await new Promise((resolve) =>
            requestAnimationFrame(() => {
              const channel = new MessageChannel();
              channel.port1.onmessage = resolve;
              channel.port2.postMessage(null);
            }),
          );
          return performance.now() - started;
        },
        { type: 'trace', runId, trace: { ...trace, id }, tokenTexts: words },
      ),
    );
  }
  return { read: round(median(reads), 1), draw: round(median(draws), 1) };
}

export function longOf(summary: TraceSummary): { trace: Trace; tokenTexts: string[] } {
  const { trace, tokenTexts: words } = traceOf(summary, runId);
  const turns = Array.from({ length: 500 }, (_, i) => ({
    ...trace.turns[0]!,
    start: 40 * i,
    end: 40 * i + 30,
    text: `turn ${i}`,
  }));
  const n = 500 * 40;
  const tokens = {
    ids: Array.from({ length: n }, (_, i) => i),
    logprobs: Array.from({ length: n }, (_, i) => (i % 40 < 30 ? -0.5 : null)),
    completionMask: Array.from({ length: n }, (_, i): 0 | 1 => (i % 40 < 30 ? 1 : 0)),
    writer: `${'s'.repeat(30)}${'t'.repeat(10)}`.repeat(500),
  };
  return {
    trace: { ...trace, turns, tokens },
    tokenTexts: Array.from({ length: n }, (_, i) => ` ${words[i % words.length]}`),
  };
}

async function main(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'coach-panel-bench-'));
  const rig = await openRig();
  try {
    const empty: number[] = [];
    const opened: { ready: number; painted: number }[] = [];
    for (let i = 0; i < REPEATS; i++) {
      empty.push((await opening(rig, snapshot(null), '.empty-state p')).painted);
      opened.push(await opening(rig, snapshot(whole), '[role=treeitem]'));
    }
    const text = `${(TRACES / 8).toLocaleString('en')} groups`;
    const panel = await rig.openPanel({
      answerReady: {
        message: JSON.stringify(snapshot(whole)),
        selector: '[role=treeitem]',
        all: { pieces: rest.map((piece) => JSON.stringify(piece)), text },
      },
    });
    await panel.page.getByText(text).waitFor();
    await panel.settle();
    const allTracesMs = await panel.page.evaluate(
      () => (window as unknown as { harness: { times: { all: number } } }).harness.times.all,
    );
    const scroll = await steps(
      panel,
      'scroll',
      Array.from({ length: 20 }, (_, i) => i * 2_500),
    );
    const filter = await steps(panel, 'filter', [
      '1',
      '12',
      '124',
      '1249',
      '',
      'tool:readEmail',
      'reward<0.5',
      'error:timeout reward>0.3',
      'is:solved',
      '',
    ]);
    const trace = await longTrace(panel, folder);
    const heapMb = round(await panel.heapMb(), 1);
    await panel.close();
    const big = JSON.parse(
      execFileSync(
        process.execPath,
        ['--import', 'tsx', path.join(__dirname, 'panelRun.ts'), 'open', writeBigRun(folder)],
        { encoding: 'utf8' },
      ),
    ) as BigRun;
    const first = {
      empty: round(median(empty)),
      painted: round(median(opened.map((o) => o.painted))),
      afterReady: round(median(opened.map((o) => o.painted - o.ready))),
    };
    const isMet = {
      ratio: first.painted <= 1.5 * first.empty,
      afterReady: first.afterReady <= 300,
      scroll: scroll.wall < 50,
      filter: filter.wall < 50,
      trace: trace.read + trace.draw < 100,
      memory: heapMb < 150,
    };
    console.log(
      JSON.stringify({
        bench: 'panel',
        traces: TRACES,
        stepsEach: STEPS,
        firstRowsMs: { ...first, ratio: round(first.painted / first.empty, 2) },
        scrollMs: scroll,
        filterMs: filter,
        trace500Ms: { ...trace, sum: round(trace.read + trace.draw, 1) },
        allTracesMs: round(allTracesMs, 1),
        heapMb,
        runFolder: big,
        isMet,
        processor: processor(),
      }),
    );
  } finally {
    await rig.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

void main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});

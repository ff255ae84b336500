/**
 * A training for bench `window`: the product's process, run folder and socket; its recipe keeps one core busy and
 * records a trace 200 times a second.
 * It tells of each by an event, or, with the seed 1, of none: the same work with nothing streamed. Takes main.js's
 * arguments; `steps` are seconds.
 */
import { runTrainer } from '../fixtures/trainerProgram';
import { recordedRun } from '../webview/fixture';
import { traceOf } from '../webview/traceFixture';

const EVENTS_PER_SECOND = 200;

runTrainer(async function* ({ run, config, signal }) {
  const isSilent = config.seed === 1;
  const traces = recordedRun({ steps: 8, heldOut: 8 }).events.flatMap((event) =>
    event.type === 'traceRecorded' && event.trace.phase === 'train' ? [event.trace] : [],
  );
  const startedAt = performance.now();
  for (let i = 0; i < EVENTS_PER_SECOND * config.steps && !signal.aborted; i++) {
    const shape = traces[i % traces.length]!;
    const { trace } = traceOf({ ...shape, id: `t${i}`, groupId: `g${i >> 3}`, step: 1 + (i >> 6) }, run.id);
    const summary = run.recordTrace(trace);
    if (!isSilent) yield { type: 'traceRecorded', trace: { ...summary, path: shape.path } };
    while (performance.now() - startedAt < (1000 * i) / EVENTS_PER_SECOND) Math.sqrt(i); // the work of a training
    if (i % 20 === 0) await new Promise((resolve) => setImmediate(resolve)); // the socket's turn
  }
  return null;
});

import assert from 'node:assert/strict';
import type { TrainerEvent } from '../../trainer/protocol/messages';
import { emptyRun, reduceRun } from '../../trainer/protocol/runState';
import type { SavedState } from '../../webview/host';
import type { PanelEvent, PanelRequest } from '../../webview/messages';
import { Store } from '../../webview/store';
import { recordedRun, until } from './fixture';
import { traceOf } from './traceFixture';

const recording = recordedRun();
const runId = recording.manifest.id;

const whole = recording.events.reduce(reduceRun, emptyRun);

function open(events?: TrainerEvent[]) {
  const posted: PanelRequest[] = [];
  const saved: SavedState[] = [];
  const frames: (() => void)[] = [];
  const store = new Store(
    (request) => posted.push(request),
    (frame) => frames.push(frame),
    (state) => saved.push(state),
  );
  const snapshot: Extract<PanelEvent, { type: 'snapshot' }> = {
    type: 'snapshot',
    runId,
    state: events?.reduce(reduceRun, emptyRun) ?? whole,
    runs: [recording.info],
    strings: {},
    locale: 'en',
    trainingRefused: null,
  };
  store.receive(snapshot);
  return { store, posted, saved, frames, snapshot };
}

describe('webview: store', () => {
  it('folds live events to what a snapshot of all of them gives', () => {
    const first = until(recording, (e) => e.type === 'stepFinished' && e.step === 5);
    const { store } = open(first);
    store.receive({ type: 'events', runId, events: recording.events.slice(first.length - 3) }); // three of them twice
    assert.deepEqual(store.run, whole);
    assert.equal(store.index.byId.size, store.run!.traces.length);
  });

  it('wakes the views once per frame', () => {
    const { store, frames } = open([]);
    let drawn = 0;
    store.subscribe(() => drawn++);
    for (const event of recording.events.slice(0, 500)) store.receive({ type: 'events', runId, events: [event] });
    assert.equal(frames.length, 1);
    frames[0]!();
    assert.equal(drawn, 1);
  });

  it('draws the newest traces of a long run, then asks for all and takes them in pieces', () => {
    const { store, posted, frames, snapshot } = open([]);
    store.receive({
      ...snapshot,
      state: { ...whole, traces: whole.traces.slice(-200) },
      route: { page: 'traces' },
      tracesFollow: true,
    });
    assert.deepEqual([store.isArriving, store.canDraw, store.index.byId.size, posted], [true, true, 200, []]);
    frames.splice(0).forEach((draw) => draw());
    assert.deepEqual(posted, [{ type: 'allTraces', runId }]);
    store.go({ page: 'trace', traceId: whole.traces[0]!.id });
    assert.equal(store.canDraw, false); // it may be among those that are on their way
    const half = whole.traces.length >> 1;
    store.receive({ type: 'traces', runId, traces: whole.traces.slice(0, half), isLast: false });
    assert.equal(store.index.byId.size, 200);
    store.receive({ type: 'traces', runId, traces: whole.traces.slice(half), isLast: true });
    assert.deepEqual([store.isArriving, store.canDraw, store.run], [false, true, whole]);
    assert.equal(store.index.byId.size, whole.traces.length);
    frames.splice(0).forEach((draw) => draw());
    assert.equal(posted.filter(({ type }) => type === 'allTraces').length, 1);
  });

  it('ignores what is told of another run', () => {
    const { store } = open();
    store.receive({ type: 'events', runId: 'other', events: [{ seq: 1e6, t: 0, type: 'runStopped', step: 1 }] });
    store.receive({ type: 'navigate', runId: 'other', route: { page: 'traces' } });
    assert.deepEqual([store.run!.status, store.route.page], ['finished', 'run']);
  });

  it('forgets the traces of repeated steps after a resume', () => {
    const first = until(recording, (e) => e.type === 'stepFinished' && e.step === 5);
    const { store } = open(first);
    store.receive({ type: 'events', runId, events: [{ seq: first.length, t: 0, type: 'runResumed', fromStep: 3 }] });
    assert.deepEqual([store.index.latestStep(), store.run!.step], [3, 3]);
  });

  it('asks once for a trace, keeps it, and asks again after a failure', () => {
    const { store, posted } = open();
    const id = 's30-g3-1';
    assert.equal(store.trace(id)!.state, 'loading');
    assert.equal(store.trace(id)!.state, 'loading');
    assert.equal(posted.filter((r) => r.type === 'openTrace').length, 1);
    store.receive({ type: 'failed', request: 'openTrace', traceId: id, error: { border: 'storage', message: 'gone' } });
    assert.equal(store.trace(id)!.state, 'failed');
    assert.equal(store.failure, null); // it is said on the trace's page
    store.retryTrace(id);
    store.trace(id);
    store.receive({ type: 'trace', runId, ...traceOf(store.index.byId.get(id)!, runId) });
    assert.equal(store.trace(id)!.state, 'loaded');
    assert.equal(store.trace('nowhere'), undefined);
  });

  it('saves navigation and chart settings, never data', () => {
    const { store, saved } = open();
    store.go({ page: 'trace', traceId: 's30-g3-1' });
    store.setCharts({ isLog: true });
    assert.deepEqual(saved[saved.length - 1], {
      version: 1,
      runId,
      route: { page: 'trace', traceId: 's30-g3-1' },
      charts: { smoothing: 0.6, isLog: true, asTables: false },
      opened: {},
    });
    assert.ok(JSON.stringify(saved[saved.length - 1]).length < 250);
  });

  it('keeps the page and leaves the trace when another run comes', () => {
    const { store, snapshot } = open();
    store.go({ page: 'trace', traceId: 's30-g3-1' });
    store.receive({ ...snapshot, runId: 'other' });
    assert.deepEqual(store.route, { page: 'traces' });
    store.go({ page: 'evaluation' });
    store.receive(snapshot);
    assert.deepEqual(store.route, { page: 'evaluation' });
  });

  it('says died when the list says so and the events can’t', () => {
    const { store } = open(until(recording, (e) => e.type === 'stepFinished' && e.step === 5));
    assert.equal(store.status, 'running');
    store.receive({ type: 'runs', runs: [{ ...recording.info, status: 'died' }] });
    assert.equal(store.status, 'died');
  });

  it('rests the Stop button until the run has stopped or the stop failed', () => {
    const first = until(recording, (e) => e.type === 'stepFinished' && e.step === 5);
    const { store, posted } = open(first);
    store.ask('stop');
    assert.deepEqual([store.isStopping, posted.at(-1)], [true, { type: 'stop', runId }]);
    store.receive({ type: 'events', runId, events: [{ seq: first.length, t: 0, type: 'runStopped', step: 5 }] });
    assert.equal(store.isStopping, false);
  });

  it('takes a comparison only when it was asked for', () => {
    const { store } = open();
    store.receive({ type: 'comparison', runId: 'late', curve: [], validation: [] });
    assert.deepEqual(store.overlays, []);
    store.compareWith('late');
    store.receive({ type: 'comparison', runId: 'late', curve: [], validation: [] });
    assert.deepEqual(
      store.overlays.map(({ runId }) => runId),
      ['late'],
    );
  });

  it('folds a long run quickly: 16,000 traces, one by one', function () {
    this.timeout(300_000);
    const { store } = open(until(recording, (e) => e.type === 'runStarted'));
    const shape = recording.events.find((e) => e.type === 'traceRecorded')!;
    const started = process.cpuUsage();
    for (let i = 0; i < 16_000; i++) {
      const step = 1 + Math.floor(i / 64);
      store.receive({
        type: 'events',
        runId,
        events: [
          {
            ...shape,
            seq: 10 + i,
            trace: {
              ...(shape as Extract<TrainerEvent, { type: 'traceRecorded' }>).trace,
              id: `t${i}`,
              groupId: `g${i >> 3}`,
              phase: 'train',
              step,
            },
          },
        ],
      });
    }
    // of this process: other work on the machine does not count
    const perEvent = process.cpuUsage(started).user / 1000 / 16_000;
    assert.equal(store.index.steps('train').length, 250);
    assert.ok(perEvent < 0.3, `${perEvent.toFixed(3)} ms of CPU per event`);
  });
});

/** One run followed over the trainer's real socket and run folder. */
import assert from 'node:assert/strict';
import { RunFollower } from '../../extension/runs/runFollower';
import type { TrainerEvent, TrainerQuestion } from '../../trainer/protocol/messages';
import { runInfo } from '../../trainer/store/runs/listRuns';
import { readEvents } from '../../trainer/store/runs/readRun';
import type { RunWriter } from '../../trainer/store/runs/runFolder';
import { serveRun, type RunServer } from '../../trainer/app/runServer';
import { newRun, sampleResult, sampleTrace, tempFolder } from '../store/runs/sample';

const log = { debug() {}, info() {}, warn() {}, error() {} };

describe('following a run', () => {
  let folder: ReturnType<typeof tempFolder>;
  let run: RunWriter;
  let server: RunServer | null = null;
  let follower: RunFollower;
  let stops = 0;
  const questions: TrainerQuestion[] = [];

  beforeEach(() => {
    folder = tempFolder();
    run = newRun(folder.dir);
    stops = 0;
  });
  afterEach(() => {
    follower.dispose();
    void server?.close();
    server = null;
    run.close();
    folder.remove();
  });

  const serve = async () => {
    server = await serveRun({ id: run.id, dir: run.dir, onStop: () => stops++ });
  };
  const follow = () => {
    follower = new RunFollower(runInfo(run.dir), {
      readEvents: async (dir, fromByte) => readEvents(dir, fromByte),
      answer: async (_, question) => {
        questions.push(question);
        return 'yes';
      },
      log,
    });
    return follower.load();
  };
  const append = (body: Parameters<RunWriter['append']>[0]): TrainerEvent => run.append(body);
  const post = (body: Parameters<RunWriter['append']>[0]) => server!.post(append(body));

  it('reads what was, then hears what is, each event once and in order', async () => {
    await serve();
    append({ type: 'phaseStarted', phase: 'training', total: 5 });
    append({ type: 'stepFinished', step: 1, metrics: { reward: 0.1 } });
    const seen: number[] = [];
    await follow();
    follower.onDidChange((events) => seen.push(...events.map((event) => event.seq)));
    await until(() => follower.isLive);
    for (let step = 2; step <= 5; step++) post({ type: 'stepFinished', step, metrics: { reward: step / 10 } });
    await until(() => follower.state.step === 5);
    assert.deepEqual(
      follower.state.curve.map((point) => point.step),
      [1, 2, 3, 4, 5],
    );
    assert.deepEqual(seen, [3, 4, 5, 6]);
  });

  it('fills a gap from the file when live events were missed', async () => {
    await serve();
    await follow();
    await until(() => follower.isLive);
    append({ type: 'stepFinished', step: 1, metrics: {} }); // on disk only
    post({ type: 'stepFinished', step: 2, metrics: {} });
    await until(() => follower.state.step === 2);
    assert.deepEqual(
      follower.state.curve.map((point) => point.step),
      [1, 2],
    );
  });

  it('finds a trainer whose socket comes later than its folder', async () => {
    await follow();
    await serve();
    await until(() => follower.isLive);
  });

  it('follows a living trainer by its file where its socket does not answer', async () => {
    await follow(); // the lock names this very process, so the trainer is alive; there is no socket
    append({ type: 'stepFinished', step: 1, metrics: {} });
    await until(() => follower.state.step === 1);
    assert.equal(follower.state.status, 'running');
  });

  it('passes the request to stop, and answers questions', async () => {
    await serve();
    await follow();
    await until(() => follower.isLive);
    await follower.stop();
    assert.equal(stops, 1);
    assert.equal(await server!.ask({ type: 'mayToolRun', tool: 'send', arguments: { to: 'Ana' } }), 'yes');
    assert.deepEqual(questions, [{ type: 'mayToolRun', tool: 'send', arguments: { to: 'Ana' } }]);
  });

  it('shows an end as it was told, and needs no socket for it', async () => {
    await serve();
    await follow();
    await until(() => follower.isLive);
    post({ type: 'runFinished', result: sampleResult(run.id) });
    server!.close();
    server = null;
    await until(() => follower.state.status === 'finished');
    assert.equal(follower.state.error, null);
  });

  it('says that the trainer died, and why; what it recorded is there', async () => {
    append({ type: 'traceRecorded', trace: run.recordTrace(sampleTrace('a-0')) });
    run.close(); // gives the lock back, so the folder looks as after a power cut once the socket is gone, too
    follower = new RunFollower(
      { ...runInfo(run.dir), status: 'died' },
      { readEvents: async (dir, fromByte) => readEvents(dir, fromByte), answer: async () => 'unavailable', log },
    );
    await follower.load();
    assert.equal(follower.state.status, 'died');
    assert.match(follower.state.error!.message, /without a word/);
    assert.equal(follower.state.traces.length, 1);
  });
});

async function until(ask: () => boolean, timeoutMs = 20_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!ask()) {
    if (Date.now() > deadline) throw new Error(`not after ${timeoutMs} ms: ${ask}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

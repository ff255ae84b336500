/** Traces of version 1 open wherever traces are read; what version 2 added is shown, exported and redacted. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { exportTraces } from '../../../trainer/app/cli/exportTraces';
import { readTraceJson, TRACE_VERSION, type Trace } from '../../../trainer/protocol/trace';
import { otlpOf } from '../../../trainer/store/exchange/otel/exportOtlp';
import { redactTrace } from '../../../trainer/store/redaction/redactTrace';
import { secretRules } from '../../../trainer/store/redaction/secrets';
import { readTrace, readTraceAt, traceSummaries } from '../../../trainer/store/runs/readRun';
import { readTraceFile } from '../../../trainer/store/runs/readTraceFile';
import { coach } from '../../app/cli/coach';
import { newRun, sampleTool, sampleTrace, tempFolder } from './sample';

/** A line as a Coach wrote it that knew version 1. */
const FILE = resolve(__dirname, '../../fixtures/traces/version1.trace.jsonl');
const line = readFileSync(FILE, 'utf8').trim();

/** All that version 2 can say, on one trace. */
const full: Trace = sampleTrace('b-1', {
  forkOf: { traceId: 'b-0', turn: 1 },
  turns: sampleTrace('b-1').turns.map((turn, i) => ({
    ...turn,
    reward: i === 0 ? 0.5 : null,
    advantage: i === 0 ? -0.25 : 0.75,
    policy: 'teacher',
    info: { left: 3, note: 'seat 12A' },
  })),
  hidden: { goal: 'wants a window seat' },
});

describe('versions of traces', () => {
  const { dir, remove } = tempFolder();
  before(() => mkdirSync(join(dir, '.git')));
  after(remove);

  it('a line of version 1 is read as it was, and is of this version from then on', () => {
    const old = JSON.parse(line) as object;
    assert.equal((old as Trace).version, 1);
    const read = readTraceJson(old);
    assert.ok(read.ok, read.ok ? '' : read.why);
    assert.deepEqual(read.trace, { ...old, version: TRACE_VERSION });
    const { traces, problems } = readTraceFile(FILE, { fromByte: 0, fromLine: 0 });
    assert.deepEqual([traces.length, problems], [1, []]);
    assert.deepEqual(readTraceAt(FILE, traces[0]!), read.trace);
  });

  it('a version that is not known yet is refused as newer, a broken trace by what is wrong', () => {
    const newer = readTraceJson({ ...full, version: 3 });
    assert.deepEqual(newer, { ok: false, why: 'trace version must be at most 2, got 3', isNewer: true });
    const broken = readTraceJson({ ...full, forkOf: { traceId: 'b-0', turn: -1 } });
    assert.ok(!broken.ok && !broken.isNewer);
    assert.match(broken.why, /is no trace: .*forkOf\.turn/);
  });

  it('a run folder with traces of version 1: trace, score and export take them', async () => {
    const run = newRun(dir);
    const trace = { ...(readTraceJson(JSON.parse(line)) as { trace: Trace }).trace, id: 'a-0' };
    run.append({ type: 'traceRecorded', trace: run.recordTrace(trace) });
    run.close();
    const traces = join(run.dir, 'traces', readdirSync(join(run.dir, 'traces'))[0]!);
    writeFileSync(traces, readFileSync(traces, 'utf8').replace('"version":2', '"version":1'));
    const [summary] = traceSummaries(run.dir);
    assert.deepEqual(readTrace(run.dir, summary!), trace);
    const shown = await coach(dir, ['trace', run.id, 'a-0']);
    assert.match(shown.stdout, /assistant calls countUnread\(\{"from":"Helga"\}\)\n {2}-> 3/);
    assert.deepEqual(exportTraces(run.dir, join(dir, 'trl'), 'trl').counts, { sft: 1, preferences: 0 });
    const scored = await coach(dir, ['score', FILE, '--reward', 'format', '--json']);
    assert.equal(scored.code, 0, scored.stderr);
  });

  it('what is new comes back from a run folder, and coach trace says it', async () => {
    const run = newRun(dir, { label: 'new' });
    run.append({ type: 'traceRecorded', trace: run.recordTrace(full) });
    run.close();
    const [summary] = traceSummaries(run.dir);
    assert.deepEqual(summary!.forkOf, { traceId: 'b-0', turn: 1 });
    assert.deepEqual(readTrace(run.dir, summary!), full);
    const { stdout } = await coach(dir, ['trace', run.id, 'b-1']);
    assert.match(stdout, /goes on from before turn 2 of b-0/);
    assert.match(stdout, /turn 1: reward 0\.5, advantage -0\.25\nturn 2: reward -, advantage 0\.75/);
  });

  it('OpenTelemetry: figures of turns always, what the environment said only where asked', () => {
    const facts = (content: boolean) => {
      const { spans } = otlpOf([full], { content, version: '1', tools: [sampleTool] }).resourceSpans[0]!
        .scopeSpans![0]!;
      return JSON.stringify(spans);
    };
    for (const name of ['coach.turn.reward', 'coach.turn.advantage', 'coach.policy.id', 'coach.fork.trace_id'])
      assert.ok(facts(false).includes(name), name);
    assert.doesNotMatch(facts(false), /seat 12A|window seat/);
    assert.match(facts(true), /seat 12A/);
    assert.match(facts(true), /window seat/);
    const plain = otlpOf([sampleTrace('c-0')], { content: true, version: '1', tools: [] });
    assert.doesNotMatch(JSON.stringify(plain), /coach\.(turn|fork|hidden|environment|policy\.id)/);
  });

  it('secrets go from what environments say and from hidden context, too', () => {
    const key = `sk-${'proj-'}abcDEF0123456789abcDEF0123`;
    const trace: Trace = {
      ...full,
      turns: full.turns.map((turn) => ({ ...turn, info: { header: [`key ${key}`] } })),
      hidden: { account: { token: key } },
    };
    const clean = redactTrace(trace, secretRules(), null);
    assert.ok(!JSON.stringify(clean).includes(key));
    assert.deepEqual(clean.turns[0]!.info, { header: ['key [redacted:api-key]'] });
    assert.deepEqual(clean.hidden, { account: { token: '[redacted:api-key]' } });
    assert.deepEqual(clean.redactions, [{ kind: 'api-key', count: full.turns.length + 1 }]);
  });
});

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { emptyRun, reduceRun } from '../../../trainer/protocol/runState';
import { sourceOf } from '../../../trainer/protocol/task';
import { UserError } from '../../../trainer/protocol/result';
import type { TrainerEvent } from '../../../trainer/protocol/messages';
import { findRun, listRuns, runInfo } from '../../../trainer/store/runs/listRuns';
import { appendWhole } from '../../../trainer/store/preferences/store';
import {
  foldRun,
  readEvents,
  readManifest,
  readTaskSplits,
  readTools,
  readTrace,
  traceSummaries,
} from '../../../trainer/store/runs/readRun';
import { openRun, type RunWriter } from '../../../trainer/store/runs/runFolder';
import { workspaceOf } from '../../../trainer/store/runs/workspace';
import { onFullDisk } from './fullDisk';
import {
  clock,
  newRun,
  sampleManifest,
  sampleResult,
  sampleTasks,
  sampleTool,
  sampleTrace,
  tempFolder,
} from './sample';

const userError = (message: RegExp, hint?: RegExp) => (e: unknown) =>
  e instanceof UserError && message.test(e.message) && (hint === undefined || hint.test(e.hint ?? ''))
    ? true
    : assert.fail(`unexpected: ${String(e)} (${(e as UserError).hint})`);

describe('runFolder', function () {
  this.timeout(60_000);
  const temp = tempFolder();
  const workspace = temp.dir;
  after(temp.remove);
  const open: RunWriter[] = [];
  const keep = (run: RunWriter) => (open.push(run), run);
  afterEach(() => open.splice(0).forEach((r) => r.close()));
  const step = (n: number) => ({ type: 'stepFinished', step: n, metrics: { reward: n / 10 } }) as const;

  it('tells who wrote the tasks of a run of before: generated ones came from the schemas, those of a file from a person', () => {
    const bare = (tasks: typeof sampleTasks.train) => tasks.map(({ source: _source, ...task }) => task);
    const tasks = {
      train: bare(sampleTasks.train),
      validation: bare(sampleTasks.validation),
      heldOut: bare(sampleTasks.heldOut),
    };
    assert.deepEqual(readTaskSplits(keep(newRun(workspace, { label: 'made', tasks })).dir), sampleTasks);
    const written = readTaskSplits(
      keep(
        newRun(workspace, {
          label: 'written',
          tasks,
          manifest: { ...sampleManifest, taskSource: '/mail.tasks.jsonl' },
        }),
      ).dir,
    );
    assert.deepEqual(written, tasks);
    assert.deepEqual(written.heldOut.map(sourceOf), ['person', 'person']);
  });

  it('creates .coach/runs/<date-word>/ with run.json, tools.json, lock and the first event; git sees preferences, not runs', () => {
    const run = keep(newRun(workspace, { label: 'My Tools!' }));
    assert.equal(run.dir, join(workspace, '.coach/runs/20251121-093005-my-tools'));
    assert.equal(keep(newRun(workspace, { label: 'My Tools!' })).id, '20251121-093005-my-tools-2');
    assert.equal(readManifest(run.dir).problem, null);
    assert.deepEqual(readTools(run.dir), [sampleTool]);
    assert.deepEqual(readTaskSplits(run.dir), sampleTasks);
    assert.ok(existsSync(join(run.dir, 'lock')));
    assert.deepEqual(
      readEvents(run.dir, 0).events.map((e) => [e.seq, e.type]),
      [[0, 'runStarted']],
    );
    spawnSync('git', ['init', '-q'], { cwd: workspace });
    appendFileSync(join(workspace, '.coach/preferences.jsonl'), '');
    const seen = spawnSync('git', ['status', '--short', '-uall'], { cwd: workspace, encoding: 'utf8' }).stdout;
    assert.match(seen, /preferences\.jsonl/);
    assert.doesNotMatch(seen, /runs/);
  });

  it('numbers and dates events, writes a trace before its event, and finds it by its bytes (not characters)', () => {
    const run = keep(newRun(workspace));
    const first = run.recordTrace(sampleTrace('a-0'));
    const second = run.recordTrace(sampleTrace('a-1', { terminated: false, truncated: 'turnLimit', solved: null }));
    assert.deepEqual([first.file, first.offset, second.offset], ['traces/train-00001.jsonl', 0, first.length]);
    assert.deepEqual(
      [first.path, second.path, first.prompt],
      ['search → answer', 'search → (turn limit)', 'Find “Grüße” 🙂'],
    );
    const event = run.append({ type: 'traceRecorded', trace: second });
    assert.deepEqual([event.seq, event.t], [1, Date.UTC(2025, 10, 21, 9, 30, 7)]);
    assert.deepEqual(readTrace(run.dir, second).id, 'a-1');
    assert.deepEqual(readTrace(run.dir, first), sampleTrace('a-0'));
    run.recordTrace(sampleTrace('b-0', { step: 2 }));
    const again = run.recordTrace(sampleTrace('a-2'));
    assert.equal(readTrace(run.dir, again).id, 'a-2');
  });

  it('reads events from a byte on; a half-written last line does not exist yet', () => {
    const run = keep(newRun(workspace));
    const at = readEvents(run.dir, 0).nextByte;
    run.append(step(1));
    run.append(step(2));
    appendFileSync(join(run.dir, 'events.jsonl'), '{"seq":3,"t":1,"ty');
    const { events, nextByte } = readEvents(run.dir, at);
    assert.deepEqual(
      events.map((e) => e.seq),
      [1, 2],
    );
    assert.deepEqual(readEvents(run.dir, nextByte), { events: [], nextByte });
    assert.equal(readEvents(run.dir, 1e9).events.length, 3);
  });

  it('cuts a torn last line off on opening, says so, and goes on numbering', () => {
    const run = newRun(workspace);
    run.append(step(1));
    run.recordTrace(sampleTrace('a-0'));
    run.close();
    const whole = readFileSync(join(run.dir, 'events.jsonl'));
    for (const torn of ['{"seq":2,"t":1,"type":"noted","lev', '\0\0\0\0\n', '{"seq":2}\n\0\0']) {
      writeFileSync(join(run.dir, 'events.jsonl'), Buffer.concat([whole, Buffer.from(torn)]));
      appendFileSync(join(run.dir, 'traces/train-00001.jsonl'), '{"version":1,');
      const again = openRun(run.dir, { now: clock() });
      again.append(step(2));
      again.close();
      const events = readEvents(run.dir, 0).events;
      assert.deepEqual(
        events.map((e) => e.seq),
        [0, 1, 2, 3, 4],
      );
      const notes = foldRun(run.dir).notes.map((n) => n.message);
      assert.match(
        notes[0]!,
        new RegExp(`events.jsonl: its last line was torn \\(${torn.length} bytes\\) and was cut off`),
      );
      assert.match(notes[1]!, /traces\/train-00001\.jsonl: .*13 bytes/);
      assert.ok(!notes.some((n) => n.includes('\0')));
    }
  });

  it('shows a damaged line in the middle as a note and keeps the rest', () => {
    const run = newRun(workspace);
    for (let i = 1; i <= 3; i++) run.append(step(i));
    run.close();
    const path = join(run.dir, 'events.jsonl');
    const lines = readFileSync(path, 'utf8').split('\n');
    lines[2] = '#####';
    writeFileSync(path, lines.join('\n'));
    const state = foldRun(run.dir);
    assert.deepEqual(
      state.curve.map((p) => p.step),
      [1, 3],
    );
    assert.match(state.notes[0]!.message, /line 3: can't be read and is skipped: #####/);
  });

  it('a resume shows each step once and marks repeated traces as superseded', () => {
    const run = newRun(workspace);
    run.append({ type: 'traceRecorded', trace: run.recordTrace(sampleTrace('s1')) });
    run.append(step(1));
    run.append({ type: 'traceRecorded', trace: run.recordTrace(sampleTrace('s2', { step: 2 })) });
    run.append(step(2));
    run.close();
    const again = openRun(run.dir, { now: clock() });
    again.append({ type: 'runResumed', fromStep: 1 });
    const repeated = again.recordTrace(sampleTrace('s2', { step: 2 }));
    again.append({ type: 'traceRecorded', trace: repeated });
    again.append(step(2));
    again.append(step(3));
    again.close();
    const state = foldRun(run.dir);
    assert.deepEqual(
      state.curve.map((p) => p.step),
      [1, 2, 3],
    );
    assert.deepEqual(
      state.traces.map((t) => [t.id, t.superseded ?? false]),
      [
        ['s1', false],
        ['s2', true],
        ['s2', false],
      ],
    );
    assert.ok(repeated.offset > 0);
    assert.deepEqual(
      traceSummaries(run.dir).map((t) => t.id),
      ['s1', 's2'],
    );
  });

  it('shows each measured task once when the measurement after, or the one before, was interrupted', () => {
    const run = newRun(workspace);
    const record = (to: typeof run, phase: 'before' | 'after', id: string) =>
      to.append({
        type: 'traceRecorded',
        trace: to.recordTrace(sampleTrace(`${phase}-${id}`, { taskId: id, phase, step: phase === 'before' ? 0 : 2 })),
      });
    const shown = (phase: string) =>
      foldRun(run.dir)
        .traces.filter((t) => t.phase === phase && !t.superseded)
        .map((t) => t.taskId);
    const evaluated = (which: 'before' | 'after') =>
      ({ type: 'evaluated', which, name: 'held-out', result: { n: 2, success: 0.5, ci95: null } }) as const;
    record(run, 'before', 'i');
    run.close();
    const second = openRun(run.dir, { now: clock() });
    second.append({ type: 'runResumed', fromStep: 0 }); // no checkpoint: everything is measured again
    for (const id of ['i', 'j']) record(second, 'before', id);
    second.append(evaluated('before'));
    for (const i of [1, 2]) second.append(step(i));
    record(second, 'after', 'i');
    second.append(evaluated('after'));
    second.close();
    const third = openRun(run.dir, { now: clock() });
    third.append({ type: 'runResumed', fromStep: 2 }); // the last checkpoint: only the measurement after is repeated
    assert.deepEqual([shown('before'), shown('after')], [['i', 'j'], []]);
    assert.deepEqual(
      foldRun(run.dir).evaluations.map((e) => e.which),
      ['before'],
    );
    for (const id of ['i', 'j']) record(third, 'after', id);
    third.close();
    assert.deepEqual(
      [shown('before'), shown('after')],
      [
        ['i', 'j'],
        ['i', 'j'],
      ],
    );
  });

  it('refuses a second trainer on one run, in this process and in another, and takes over a stale lock', () => {
    const run = newRun(workspace);
    assert.throws(
      () => openRun(run.dir, { now: clock() }),
      userError(new RegExp(`is being trained by process ${process.pid}; one run has one trainer`), /start a new run/),
    );
    const script = `require(${JSON.stringify(join(__dirname, '../../../trainer/store/runs/runFolder.ts'))}).openRun(${JSON.stringify(run.dir)}, { now: Date.now })`;
    const child = spawnSync(process.execPath, ['--import', 'tsx', '-e', script], { encoding: 'utf8' });
    assert.match(child.stderr, new RegExp(`trained by process ${process.pid}`));
    run.close();
    assert.ok(!existsSync(join(run.dir, 'lock')));
    const dead = spawnSync(process.execPath, ['-e', '0']).pid;
    const mine = { pid: process.pid, start: 'another boot:1', host: hostname(), token: 'x' };
    for (const lock of [{ ...mine, pid: dead }, mine]) {
      writeFileSync(join(run.dir, 'lock'), JSON.stringify(lock));
      openRun(run.dir, { now: clock() }).close();
    }
    writeFileSync(join(run.dir, 'lock'), JSON.stringify({ ...mine, host: 'elsewhere' }));
    assert.throws(() => openRun(run.dir, { now: clock() }), userError(/on elsewhere/));
    unlinkSync(join(run.dir, 'lock'));
    assert.deepEqual(
      readdirSync(run.dir).filter((f) => f.startsWith('lock')),
      [],
    );
  });

  it('a run of a newer format can be read, not written, and says so', () => {
    const run = newRun(workspace);
    run.append(step(1));
    run.close();
    const path = join(run.dir, 'run.json');
    writeFileSync(
      path,
      JSON.stringify({ ...(JSON.parse(readFileSync(path, 'utf8')) as object), format: 2, shiny: true }),
    );
    assert.throws(
      () => openRun(run.dir, { now: clock() }),
      userError(/run\.json: format must be at most 1, got 2/, /Update Coach/),
    );
    const info = runInfo(run.dir);
    assert.match(info.problem!, /a newer Coach wrote this run; here it is read-only/);
    assert.equal(info.step, 1);
    assert.equal(readEvents(run.dir, 0).events.length, 2);
  });

  it('lists runs with their status: running, finished, stopped, failed, died', () => {
    const { dir, remove } = tempFolder();
    writeFileSync(join(dir, 'package.json'), '{}');
    mkdirSync(join(dir, 'src'));
    const ends: Record<string, (run: RunWriter) => void> = {
      running: () => undefined,
      died: (run) => run.close(),
      finished: (run) => (run.append({ type: 'runFinished', result: sampleResult(run.id) }), run.close()),
      stopped: (run) => (run.append({ type: 'runStopped', step: 1 }), run.close()),
      failed: (run) => (run.append({ type: 'runFailed', error: { border: 'tool', message: 'x' } }), run.close()),
    };
    for (const [label, end] of Object.entries(ends)) {
      const run = keep(newRun(dir, { label }));
      run.append(step(1));
      run.append({ type: 'traceRecorded', trace: run.recordTrace(sampleTrace('a-0')) });
      end(run);
    }
    mkdirSync(join(dir, '.coach/runs/never-began'));
    const infos = listRuns(join(dir, 'src'));
    assert.deepEqual(Object.fromEntries(infos.map((r) => [r.id.split('-')[2], r.status])), {
      running: 'running',
      died: 'died',
      finished: 'finished',
      stopped: 'stopped',
      failed: 'failed',
    });
    assert.deepEqual(
      infos.map((r) => [r.step, r.steps, r.reward, r.method, r.problem]),
      infos.map(() => [1, 5, 0.1, 'grpo', null]),
    );
    assert.equal(infos.find((r) => r.status === 'finished')!.result!.gain.mean, 0.5);
    // A wrong or missing index is no harm.
    for (const info of infos) writeFileSync(join(info.dir, 'index.json'), '{"bytes":');
    assert.deepEqual(
      listRuns(dir).map((r) => r.status),
      infos.map((r) => r.status),
    );
    assert.equal(findRun(infos[0]!.id, join(dir, 'src')), infos[0]!.dir);
    assert.equal(findRun(infos[0]!.dir, '/'), infos[0]!.dir);
    assert.throws(
      () => findRun(infos[0]!.id.slice(0, -1), dir),
      userError(/no run "/, new RegExp(`Did you mean ${infos[0]!.id}`)),
    );
    assert.throws(() => findRun('.', dir), userError(/no run/));
    remove();
  });

  it('--run-dir: an empty or new folder becomes the run; one that holds a run or anything else is refused', () => {
    const dir = join(workspace, 'own/run1');
    const run = keep(newRun(workspace, { runDir: dir }));
    assert.deepEqual([run.dir, run.id], [dir, 'run1']);
    run.close();
    assert.throws(() => newRun(workspace, { runDir: dir }), userError(/already holds a run/, /--resume/));
    mkdirSync(join(workspace, 'full'));
    writeFileSync(join(workspace, 'full/a.txt'), '');
    assert.throws(
      () => newRun(workspace, { runDir: join(workspace, 'full') }),
      userError(/must be empty for a new run, it holds a\.txt/),
    );
    assert.throws(
      () => newRun(workspace, { runDir: join(workspace, 'full/a.txt') }),
      userError(/a file stands where a folder must be/, /--run-dir/),
    );
    // Node itself would say ENOENT, as it does on a read-only file system.
    assert.throws(
      () => newRun(workspace, { runDir: join(workspace, 'new', 'n'.repeat(300)) }),
      userError(/ENAMETOOLONG|can't be written/, /--run-dir/),
    );
  });

  it('a full disk is one clear error, and the events before it stay readable', () => {
    const run = newRun(workspace);
    run.append(step(1));
    run.close();
    const events = join(run.dir, 'events.jsonl');
    const again = keep(openRun(run.dir, { now: clock() }));
    assert.throws(
      () => onFullDisk(() => again.recordTrace(sampleTrace('a-0', { step: 9 }))),
      userError(/train-00009\.jsonl: the disk is full \(ENOSPC\)/, /Free some space/),
    );
    assert.ok(again.append(step(2)).seq > 0);
    assert.equal(foldRun(run.dir).step, 2);
    assert.ok(statSync(events).size > 0);
  });

  it('a read-only folder is one clear error', function () {
    if (process.platform === 'win32') this.skip();
    const { dir, remove } = tempFolder();
    const root = process.getuid?.() === 0; // root may write everywhere: ask as nobody
    spawnSync('chmod', ['555', dir]);
    const script = `const { createRun } = require(${JSON.stringify(join(__dirname, '../../../trainer/store/runs/runFolder.ts'))});
      ${root ? 'process.setuid(65534);' : ''}
      try { createRun({ workspace: ${JSON.stringify(dir)}, label: 'x', manifest: ${JSON.stringify(sampleManifest)}, tools: [], tasks: {}, now: Date.now }); } catch (e) { console.log(e.name, e.message, e.hint); }`;
    const child = spawnSync(process.execPath, ['--import', 'tsx', '-e', script], { encoding: 'utf8' });
    assert.match(child.stdout, /UserError .*\.coach: can't be written \(EACCES\) .*--run-dir/, child.stderr);
    spawnSync('chmod', ['755', dir]);
    remove();
  });

  it('never reads outside traces/, and says which byte range was no trace', () => {
    const run = newRun(workspace);
    const summary = run.recordTrace(sampleTrace('a-0'));
    run.close();
    assert.throws(
      () => readTrace(run.dir, { file: '../../../etc/passwd', offset: 0, length: 9 }),
      userError(/must be traces\/NAME\.jsonl/),
    );
    assert.throws(() => readTrace(run.dir, { ...summary, offset: 5 }), userError(/byte 5: is no trace/));
    assert.throws(() => readTrace(run.dir, { ...summary, file: 'traces/none.jsonl' }), userError(/can't be read/));
    assert.throws(() => readTrace(run.dir, { ...summary, length: -1 }), userError(/byte range/));
  });

  it("preferences: appended to .coach/preferences.jsonl; a half line and the user's last line without newline are kept, the next begins on its own line", () => {
    const path = join(workspace, '.coach/preferences.jsonl');
    const pair = {
      id: 'p1',
      prompt: [{ role: 'user', content: 'x' }],
      chosen: [{ role: 'assistant', content: 'a' }],
      rejected: [{ role: 'assistant', content: 'b' }],
    };
    writeFileSync(path, '{"by":"hand"}');
    appendWhole(path, [pair]);
    appendFileSync(path, '{"id":"ha');
    appendWhole(path, [{ ...pair, id: 'p2' }]);
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    assert.deepEqual([lines[0], lines[2]], ['{"by":"hand"}', '{"id":"ha']);
    assert.deepEqual(
      [lines[1], lines[3]].map((l) => (JSON.parse(l!) as { id?: string }).id),
      ['p1', 'p2'],
    );
  });

  it("the workspace: where the caller stands if it contains the tool file, else the tool file's own", () => {
    const { dir, remove } = tempFolder();
    for (const d of ['a/.git', 'a/pkg/src', 'b', 'a/pkg/.coach']) mkdirSync(join(dir, d), { recursive: true });
    assert.equal(workspaceOf('pkg/src/tools.ts', join(dir, 'a')), join(dir, 'a'));
    assert.equal(workspaceOf('tools.ts', join(dir, 'a/pkg/src')), join(dir, 'a/pkg'));
    assert.equal(workspaceOf('../a/pkg/src', join(dir, 'b')), join(dir, 'a/pkg'));
    assert.equal(workspaceOf('tools.ts', join(dir, 'b')), join(dir, 'b'));
    remove();
  });

  it('the fold of the file is the fold of what was reported', () => {
    const run = newRun(workspace);
    const reported: TrainerEvent[] = [
      run.append(step(1)),
      run.append({ type: 'phaseStarted', phase: 'training', total: 5 }),
      run.append({ type: 'runStopped', step: 1 }),
    ];
    run.close();
    run.close();
    assert.throws(() => run.append(step(2)), /is closed/);
    const started = readEvents(run.dir, 0).events[0]!;
    assert.deepEqual(foldRun(run.dir), [started, ...reported].reduce(reduceRun, emptyRun));
  });
});

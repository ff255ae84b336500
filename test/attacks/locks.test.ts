/** Locks that nobody will ever let go, folders made half, and things in a run's folder that are no files. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { SILENT_MS } from '../../trainer/store/runs/lock';
import { listRuns, runInfo, socketOf } from '../../trainer/store/runs/listRuns';
import { foldRun } from '../../trainer/store/runs/readRun';
import { openRun } from '../../trainer/store/runs/runFolder';
import { coach, makeWorkspace, quick } from '../app/cli/coach';
import { clock, newRun, tempFolder } from '../store/runs/sample';
import { isUserError } from '../tasks/fixtures';

describe('attacks: locks and folders', () => {
  let workspace: string;
  let remove: () => void;
  beforeEach(() => {
    ({ dir: workspace, remove } = tempFolder('coach-attack-locks-'));
    makeWorkspace(workspace);
  });
  afterEach(() => remove());

  /** A run that was stopped, with the lock of a trainer somewhere else. */
  function lockedElsewhere(silentMs: number): string {
    const run = newRun(workspace);
    run.close();
    const since = Date.UTC(2026, 0, 2, 3, 4, 5);
    const lock = { pid: 7, start: 'x', host: 'a1b2c3', token: 'theirs', since };
    writeFileSync(join(run.dir, 'lock'), JSON.stringify(lock));
    const touched = (Date.now() - silentMs) / 1000;
    utimesSync(join(run.dir, 'lock'), touched, touched);
    return run.dir;
  }
  const now = clock();

  describe('a lock of another host', () => {
    it('says who holds it, since when, when it last lived, and the way out', () => {
      const dir = lockedElsewhere(3_600_000);
      const sign = new Date(Date.now() - 3_600_000).toISOString().slice(0, 13).replace('T', ' ');
      assert.throws(
        () => openRun(dir, { now }),
        isUserError(
          new RegExp(`by process 7 on a1b2c3; .* \\(since 2026-01-02 03:04:05 UTC, last sign of life ${sign}`),
          new RegExp(`is gone, take the run over: coach train --resume ${dir} --take-over`),
        ),
      );
      assert.equal(runInfo(dir).status, 'died');
    });
    it('is taken over where that is asked and its holder was silent', () => {
      const dir = lockedElsewhere(SILENT_MS + 5_000);
      const run = openRun(dir, { now, takeOver: true });
      assert.equal(JSON.parse(readFileSync(join(dir, 'lock'), 'utf8')).pid, process.pid);
      run.close();
    });
    it('is taken over by the command', async () => {
      const stopped = await coach(workspace, ['train', 'tools.ts', ...quick], { stopAt: /step 2\// });
      assert.equal(stopped.code, 130, stopped.stderr);
      const { dir } = listRuns(workspace)[0]!;
      writeFileSync(join(dir, 'lock'), JSON.stringify({ pid: 7, start: 'x', host: 'a1b2c3', token: 'theirs' }));
      utimesSync(join(dir, 'lock'), 1, 1);
      const refused = await coach(workspace, ['train', '--resume', dir]);
      assert.deepEqual(
        [refused.code, /take the run over: coach train/.test(refused.stderr)],
        [2, true],
        refused.stderr,
      );
      const taken = await coach(workspace, ['train', '--resume', dir, '--take-over']);
      assert.equal(taken.code, 0, taken.stderr);
      const alone = await coach(workspace, ['train', 'tools.ts', '--take-over']);
      assert.deepEqual([alone.code, /--take-over goes with --resume/.test(alone.stderr)], [2, true], alone.stderr);
    });
    it('is not taken over while it gives signs of life', () => {
      const dir = lockedElsewhere(0);
      assert.throws(
        () => openRun(dir, { now, takeOver: true }),
        isUserError(/on a1b2c3/, /Stop it there\. If .* gone, wait a minute, then .*--take-over/),
      );
      assert.equal(runInfo(dir).status, 'running');
    });
    it('is not taken over on this host while its process lives', () => {
      const run = newRun(workspace);
      utimesSync(join(run.dir, 'lock'), 1, 1);
      assert.throws(
        () => openRun(run.dir, { now, takeOver: true }),
        isUserError(/by process \d+; .* \(since 20/, /Wait for it/),
      );
      run.close();
    });
    it('one that was taken over writes nothing more, and leaves the lock of the other', () => {
      const run = newRun(workspace);
      const before = readFileSync(join(run.dir, 'events.jsonl'), 'utf8');
      const theirs = JSON.stringify({ pid: 7, start: 'x', host: 'a1b2c3', token: 'theirs' });
      writeFileSync(join(run.dir, 'lock'), theirs);
      const later = Date.now;
      Date.now = () => later() + 11_000; // the machine slept
      try {
        assert.throws(
          () => run.append({ type: 'runStopped', step: 1 }),
          isUserError(/another trainer has taken this run over/, /goes on there/),
        );
        run.close();
      } finally {
        Date.now = later;
      }
      assert.equal(readFileSync(join(run.dir, 'events.jsonl'), 'utf8'), before);
      assert.equal(readFileSync(join(run.dir, 'lock'), 'utf8'), theirs);
    });
  });

  describe('a run killed while its folder was made', () => {
    const gone = () => {
      const { pid } = spawnSync(process.execPath, ['-e', '0']);
      return JSON.stringify({ pid, start: 'x', host: hostname(), token: 't' });
    };
    /** What a kill leaves, file by file in the order in which they are written. */
    const LEFT: Record<string, string[]> = {
      'before its lock was whole': ['lock.77-123456'],
      'after its lock': ['lock'],
      'while tools.json was written': ['lock', 'tools.json.77.tmp'],
      'before tasks.json': ['lock', 'tools.json'],
      'before run.json': ['lock', 'tools.json', 'tasks.json', 'run.json.77.tmp'],
    };
    for (const [when, files] of Object.entries(LEFT))
      it(`${when}: is listed, is told at resume, and is used again`, async () => {
        const dir = join(workspace, '.coach', 'runs', 'half');
        mkdirSync(dir, { recursive: true });
        for (const file of files) writeFileSync(join(dir, file), file === 'lock' ? gone() : '{');
        const [info] = listRuns(workspace);
        assert.deepEqual([info!.id, info!.status, info!.step], ['half', 'died', 0]);
        assert.match(info!.problem!, /killed while its folder was being made: nothing was recorded/);
        for (const name of ['half', dir]) {
          const { code, stderr } = await coach(workspace, ['train', '--resume', name]);
          assert.equal(code, 2);
          assert.match(stderr, /half: was killed while its folder .*\nStart it again; --run-dir takes this folder/);
        }
        const again = await coach(workspace, ['train', 'tools.ts', ...quick, '--run-dir', dir, '--json']);
        assert.equal(again.code, 0, again.stderr);
        assert.equal(runInfo(dir).status, 'finished');
        assert.deepEqual(
          readdirSync(dir).filter((name) => /tmp$|^lock/.test(name)),
          [],
        );
      });
    it('of two users: a folder with files of such names and no lock of ours is no such folder', async () => {
      const dir = join(workspace, 'mine');
      mkdirSync(dir);
      for (const name of ['tools.json', 'lock']) writeFileSync(join(dir, name), 'mine');
      const { code, stderr } = await coach(workspace, ['train', 'tools.ts', '--run-dir', dir]);
      assert.equal(code, 2);
      assert.match(stderr, /must be empty for a new run/);
      assert.equal(readFileSync(join(dir, 'tools.json'), 'utf8'), 'mine');
    });
    it('after run.json and before the first event: resumes as a run that has begun', () => {
      const run = newRun(workspace);
      run.close();
      for (const name of ['events.jsonl', 'index.json']) rmSync(join(run.dir, name));
      openRun(run.dir, { now }).close();
      assert.equal(foldRun(run.dir).manifest?.id, run.id);
      assert.equal(readFileSync(join(run.dir, 'events.jsonl'), 'utf8').split('\n').length, 2, 'once');
    });
  });

  describe('a pipe, a folder or a device', () => {
    before(function () {
      if (process.platform === 'win32') this.skip(); // there are no such pipes
    });
    const KINDS: Record<string, (path: string) => void> = {
      'a pipe': (path) => void execFileSync('mkfifo', [path]),
      'a folder': (path) => mkdirSync(path),
      'a file without an end': (path) => writeFileSync(path, Buffer.alloc(2 << 20)),
    };
    for (const [kind, make] of Object.entries(KINDS)) {
      it(`${kind} as socket.json is no socket`, () => {
        const run = newRun(workspace);
        make(join(run.dir, 'socket.json'));
        assert.equal(socketOf(run.dir), null);
        run.close();
      });
      it(`${kind} as lock keeps nobody waiting`, () => {
        const run = newRun(workspace);
        run.close();
        make(join(run.dir, 'lock'));
        utimesSync(join(run.dir, 'lock'), 1, 1);
        assert.equal(runInfo(run.dir).status, 'died');
        if (kind === 'a file without an end') return openRun(run.dir, { now }).close(); // torn, and stale
        assert.throws(() => openRun(run.dir, { now }), isUserError(/lock: is a link or no plain file/, /Remove it/));
        assert.ok(existsSync(join(run.dir, 'lock')));
      });
    }
  });
});

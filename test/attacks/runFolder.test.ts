/** A run folder that somebody else wrote: what lies in it must not lead writing, or deleting, to another place. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { recordPreferences } from '../../trainer/store/preferences/store';
import { fileCache } from '../../trainer/rewards/judge/cache';
import { serveRun } from '../../trainer/app/runServer';
import { LineWriter } from '../../trainer/base/jsonLines';
import { openRun } from '../../trainer/store/runs/runFolder';
import { openToWrite, writeFileAtomic } from '../../trainer/base/storage';
import { ensureCoachFolder } from '../../trainer/store/runs/workspace';
import { addTask } from '../../trainer/tasks/addTask';
import { keepRequest } from '../../trainer/tasks/ownRequests';
import { clock, newRun, sampleTool, sampleTrace, tempFolder } from '../store/runs/sample';
import { isUserError } from '../tasks/fixtures';

const PRECIOUS = 'precious, without a line end';

describe('attacks: the run folder', () => {
  let base: string;
  let workspace: string;
  let victim: string;
  beforeEach(() => {
    base = tempFolder('coach-attack-run-').dir;
    workspace = join(base, 'ws');
    mkdirSync(workspace);
    victim = join(base, 'victim.txt');
    writeFileSync(victim, PRECIOUS);
  });
  afterEach(() => {
    assert.equal(readFileSync(victim, 'utf8'), PRECIOUS);
    rmSync(base, { recursive: true });
  });

  /** A run that was stopped after a step. */
  function stopped(): string {
    const run = newRun(workspace);
    run.append({ type: 'traceRecorded', trace: run.recordTrace(sampleTrace('t-1')) });
    run.close();
    return run.dir;
  }
  const isLink = isUserError(/is a link or no plain file; nothing is written through it/, /Remove it/);

  describe('links', () => {
    for (const file of [
      'judge.jsonl',
      'events.jsonl',
      'traces/train-00001.jsonl',
      'traces/evil.jsonl',
      'judge-cache.jsonl',
      'index.json',
      'adapter/config.json',
      'checkpoints/step-00001/x',
    ]) {
      it(`resume does not follow ${file}`, () => {
        const dir = stopped();
        mkdirSync(dirname(join(dir, file)), { recursive: true });
        rmSync(join(dir, file), { force: true });
        symlinkSync(victim, join(dir, file));
        assert.throws(() => openRun(dir, { now: clock() }).close(), isLink);
        assert.ok(!existsSync(join(dir, 'lock')), 'the lock is not kept');
      });
    }
    for (const folder of ['traces', 'checkpoints']) {
      it(`resume does not follow ${folder}/`, () => {
        const dir = stopped();
        const elsewhere = join(base, 'elsewhere');
        if (existsSync(join(dir, folder))) renameSync(join(dir, folder), elsewhere);
        symlinkSync(elsewhere, join(dir, folder));
        const before = readdirSync(elsewhere);
        assert.throws(() => openRun(dir, { now: clock() }).close(), isLink);
        assert.deepEqual(readdirSync(elsewhere), before);
      });
    }
    it('a link that comes while the run goes on is not followed either', () => {
      const run = newRun(workspace);
      symlinkSync(victim, join(run.dir, 'judge.jsonl'));
      assert.throws(() => run.recordVerdict({ groupId: 'g' } as never), isLink);
      run.close();
    });
    it("a link to nothing is not made into a file, in a run's lines or in .coach/.gitignore", () => {
      const made = join(base, 'made.txt');
      mkdirSync(join(workspace, '.coach'));
      for (const name of ['lines.jsonl', '.gitignore']) symlinkSync(made, join(workspace, '.coach', name));
      assert.throws(() => LineWriter.open(join(workspace, '.coach', 'lines.jsonl')), isLink);
      ensureCoachFolder(workspace);
      assert.equal(existsSync(made), false);
    });
    it('preferences.jsonl is not followed', () => {
      mkdirSync(join(workspace, '.coach'));
      symlinkSync(victim, join(workspace, '.coach', 'preferences.jsonl'));
      assert.throws(() => recordPreferences(workspace, [{ type: 'tools', tools: [] } as never]), isLink);
    });
    it("the judge's cache is not followed", () => {
      const path = join(workspace, 'judge-cache.jsonl');
      symlinkSync(victim, path);
      assert.throws(() => fileCache(path).set('key', 'reply'), isLink);
    });
    it('folders of kept requests are not followed out of .coach', () => {
      const away = join(base, 'away');
      const request = { prompt: 'Find it', calls: [{ name: 'search', arguments: { query: 'x' } }] };
      for (const folder of ['requests', 'requests/src']) {
        rmSync(join(workspace, '.coach'), { recursive: true, force: true });
        mkdirSync(away, { recursive: true });
        mkdirSync(dirname(join(workspace, '.coach', folder)), { recursive: true });
        symlinkSync(away, join(workspace, '.coach', folder));
        assert.throws(() => keepRequest(request, workspace, join(workspace, 'src/tools.ts'), [sampleTool]), isLink);
        assert.deepEqual(readdirSync(away), []);
      }
    });
    it('a task file that leads to a start-up file gets no task, there or not', () => {
      const task = { id: 'a', prompt: '$(touch pwned)', calls: [{ name: 'search', arguments: { query: 'x' } }] };
      const empty = join(base, 'empty');
      writeFileSync(empty, '');
      for (const to of [join(base, 'profile'), empty]) {
        const file = join(workspace, 'tools.tasks.jsonl');
        symlinkSync(to, file);
        assert.throws(() => addTask(join(workspace, 'tools.ts'), task, [sampleTool]), isLink);
        rmSync(file);
      }
      assert.equal(existsSync(join(base, 'profile')), false);
      assert.equal(readFileSync(empty, 'utf8'), '');
    });
    it('a file that is written whole replaces a link, and a planted temporary name is not written through', () => {
      const path = join(workspace, 'run.json');
      symlinkSync(victim, path);
      symlinkSync(victim, `${path}.${process.pid}.tmp`);
      writeFileAtomic(path, '{}');
      assert.ok(lstatSync(path).isFile());
      assert.equal(readFileSync(path, 'utf8'), '{}');
    });
    it('a pipe in place of a file is refused at once', function () {
      if (process.platform === 'win32') this.skip(); // there are no such pipes
      const path = join(workspace, 'events.jsonl');
      execFileSync('mkfifo', [path]);
      for (const how of ['a', 'a+', 'r+'] as const) assert.throws(() => openToWrite(path, how), isLink);
    });
  });

  describe('socket.json', () => {
    before(function () {
      if (process.platform === 'win32') this.skip(); // pipes there have no folder
    });
    const serve = async (dir: string) => {
      const server = await serveRun({ id: 'r', dir, onStop: () => undefined });
      await server.close();
    };
    /** A folder that looks like one of ours: same name, owner and mode. */
    function foreign(more: Record<string, string> = {}): string {
      const folder = mkdtempSync(join(tmpdir(), 'coach-'));
      writeFileSync(join(folder, 'thesis.txt'), PRECIOUS);
      for (const [name, text] of Object.entries(more)) writeFileSync(join(folder, name), text);
      return folder;
    }
    async function survives(folder: string, socket: object): Promise<void> {
      const dir = stopped();
      writeFileSync(join(dir, 'socket.json'), JSON.stringify(socket));
      await serve(dir);
      assert.equal(readFileSync(join(folder, 'thesis.txt'), 'utf8'), PRECIOUS);
      rmSync(folder, { recursive: true });
    }

    it('deletes no folder of another program that is called coach-…', async () => {
      const folder = foreign();
      await survives(folder, { path: join(folder, 'run.sock'), pid: 1 });
    });
    it("deletes none by a guessed token, nor by another run's", async () => {
      const folder = foreign({ token: 'the true one' });
      await survives(folder, { path: join(folder, 'run.sock'), token: 'a guess', pid: 1 });
    });
    it('deletes none that others may read, token or not', async () => {
      const folder = foreign({ token: 't' });
      chmodSync(folder, 0o755);
      await survives(folder, { path: join(folder, 'run.sock'), token: 't', pid: 1 });
    });
    it('deletes nothing by way of a link', async () => {
      const folder = foreign({ token: 't' });
      const link = join(base, 'coach-link');
      symlinkSync(folder, link);
      await survives(folder, { path: join(link, 'run.sock'), token: 't', pid: 1 });
    });
    it('removes what a killed trainer of ours left', async () => {
      const dir = stopped();
      const server = await serveRun({ id: 'r', dir, onStop: () => undefined });
      const left = readFileSync(join(dir, 'socket.json'), 'utf8');
      const folder = dirname(server.path);
      const token = readFileSync(join(folder, 'token'), 'utf8');
      await server.close();
      mkdirSync(folder, { mode: 0o700 }); // as a kill would have left it
      writeFileSync(join(folder, 'token'), token);
      writeFileSync(join(dir, 'socket.json'), left);
      await serve(dir);
      assert.equal(existsSync(folder), false);
    });
  });
});

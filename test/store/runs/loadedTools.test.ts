/**
 * What is wrong with the user's tools when they are loaded and called is said before anything is trained, at its
 * place, with the way out.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { loadedTools } from '../../../trainer/app/loadedTools';
import { findTools } from '../../../trainer/app/prepare/tools';
import { makeTasks } from '../../../trainer/app/prepare/tasks';
import { UserError } from '../../../trainer/protocol/result';
import type { Diagnostic } from '../../../trainer/protocol/task';
import { realDependencies as dependencies } from '../../../trainer/app/dependencies';
import { parseSettings } from '../../../trainer/app/settings';

const tool = (name: string, body: string, rest = '') =>
  `/** Gives the ${name}.\n * @tool\n */\nexport function ${name}(${rest}) { ${body} }\n`;

describe('tools before a run', function () {
  this.timeout(120_000);
  let root: string;
  before(() => (root = realpathSync(mkdtempSync(join(tmpdir(), 'coach-load-')))));
  after(() => rmSync(root, { recursive: true, force: true }));

  const write = (files: Record<string, string>) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
  };
  const prepare = async (path: string, settings: Record<string, unknown> = {}, signal?: AbortSignal) => {
    const notes: string[] = [];
    const places: Diagnostic[] = [];
    const said: string[] = [];
    const note = (_level: string, _code: string, message: string, place?: Diagnostic) => {
      notes.push(message);
      if (place) places.push(place);
    };
    const config = parseSettings({ toolFile: join(root, path), taskCount: 20, ...settings });
    const making = { config, workspace: root, cwd: root, dependencies, note, ...(signal ? { signal } : {}) };
    const load = async () =>
      loadedTools({ ...making, found: await findTools(config.toolFile, root, dependencies, note) });
    const tasks = async () =>
      makeTasks({ ...making, found: await load(), onProgress: (message) => void said.push(message) });
    return { load, tasks, notes, places, said };
  };
  const errorOf = async (work: Promise<unknown>): Promise<UserError> => {
    try {
      await work;
    } catch (error) {
      assert.ok(error instanceof UserError, String(error));
      return error;
    }
    throw new assert.AssertionError({ message: 'it should have been refused' });
  };

  it("refuses a file that cannot be loaded, with the loader's words at the line, and never speaks of @example", async () => {
    write({ 'one/tools.mjs': `const a = 1;\nimport foo from 'foo';\nfoo(a);\n${tool('thing', 'return 1;')}` });
    const error = await errorOf((await prepare('one/tools.mjs')).tasks());
    assert.equal(
      error.message,
      `one/tools.mjs:2: cannot be loaded: Cannot find package 'foo' imported from ${join(root, 'one/tools.mjs')}`,
    );
    assert.equal(error.hint, 'Install it (npm install foo), or leave the import out.');
    assert.deepEqual(
      error.toTrainerError().diagnostics?.map(({ file, line, severity }) => ({ file, line, severity })),
      [{ file: join(root, 'one/tools.mjs'), line: 2, severity: 'error' }],
    );
  });

  it('leaves a broken file of a folder out and says so at its place; a resumed run needs all', async () => {
    write({
      'two/good.ts': tool('fine', 'return 1;'),
      'two/bad.ts': `throw new Error('no key');\n${tool('broken', 'return 1;')}`,
    });
    const { load, notes, places } = await prepare('two');
    assert.deepEqual(
      (await load()).tools.map(({ name }) => name),
      ['fine'],
    );
    assert.deepEqual(notes, ['left out: two/bad.ts:1: cannot be loaded: no key']);
    assert.deepEqual(
      places.map(({ file, line }) => [file, line]),
      [[join(root, 'two/bad.ts'), 1]],
    );
  });

  it('does not mind a file whose tools are all mocked', async () => {
    const { load, notes } = await prepare('two', { toolPolicy: 'mock' });
    assert.deepEqual((await load()).tools.map(({ name }) => name).sort(), ['broken', 'fine']);
    assert.deepEqual(notes, []);
  });

  it('refuses a reward that is asked for and cannot be loaded', async () => {
    write({
      'three/tools.ts': tool('fine', 'return 1;'),
      'three/own.rewards.ts': "import './gone';\n/** @reward */\nexport function mine(): number { return 1; }\n",
    });
    assert.match(
      (await errorOf((await prepare('three/tools.ts', { rewards: 'mine' })).load())).message,
      /own\.rewards\.ts:1: cannot be loaded: Cannot find module '\.\/gone'/,
    );
    const { load, notes } = await prepare('three/tools.ts');
    assert.deepEqual((await load()).rewards, []);
    assert.match(notes.join(), /left out: three\/own\.rewards\.ts:1/);
  });

  it('says of tools that always fail, take too long or return too much what they did, where, and what to do', async () => {
    const long = "await new Promise((r) => setTimeout(r, 5000)); return 'x';";
    write({
      'four/tools.ts': [
        tool('down', "throw new Error('the database is down');", "kind: 'a' | 'b'"),
        tool('slow', long, "kind: 'a' | 'b'").replace('export function', 'export async function'),
        tool('dump', "return Array.from({ length: 20000 }, (_, i) => kind + 'x'.repeat(50) + i);", "kind: 'a' | 'b'"),
        tool('fine', "return kind + '1';", "kind: 'a' | 'b'"),
      ].join(''),
    });
    const { tasks, notes, said } = await prepare('four/tools.ts', { toolTimeoutMs: 300 });
    assert.ok((await tasks()).tasks.length > 0);
    assert.deepEqual(notes, [
      'the tools can reach the network: there is no wall around it; toolNetwork=deny puts one there, where this machine can',
      'four/tools.ts:4: down failed in all 2 calls while tasks were made, the last time with: Error: the database is down. Correct what it does; where it needs values that exist, give some by @example.',
      'four/tools.ts:8: slow took longer than 300 ms in all 2 calls while tasks were made. Make it faster, allow more time (--set toolTimeoutMs=N), or mock it (@mock in its comment).',
      'four/tools.ts:12: dump returned more than 16384 bytes in all 2 calls while tasks were made, so its results are cut and no task can be made of them. Return less, or allow more: toolOutputBytes (--set toolOutputBytes=N).',
    ]);
    assert.ok(said.every((message) => message.startsWith('Making tasks: ')));

    write({
      'six/tools.ts': tool('far', "throw new TypeError('fetch failed');", 'city: string') + tool('fine', 'return 1;'),
    });
    const far = await prepare('six/tools.ts', { toolPolicy: 'real' });
    await far.tasks();
    assert.match(
      far.notes.join(),
      /six\/tools\.ts:4: far failed in all 12 calls while tasks were made, .*fetch failed\. It could not reach a server, .*@mock/,
    );

    write({ 'five/tools.ts': tool('down', "throw new Error('the database is down');", "kind: 'a' | 'b'") });
    const error = await errorOf((await prepare('five/tools.ts')).tasks());
    assert.equal(
      error.message,
      'no task could be made. five/tools.ts:4: down failed in all 2 calls while tasks were made, the last time with: Error: the database is down',
    );
    assert.equal(error.toTrainerError().diagnostics?.[0]?.line, 4);
  });

  it('makes results up of tools that fail whatever they are asked, says so, and hands their names on', async () => {
    const failing = (name: string, rest: string) => tool(name, `return { error: 'Failed to load ${name}.' };`, rest);
    const look = "return id === 'K-104' ? { id, ends: 'May' } : { error: 'Not found.' };";
    write({
      'eight/tools.ts': failing('orders', 'status?: string, limit?: number') + tool('fine', 'return 1;'),
      'nine/tools.ts': tool('contract', look, 'id: string') + tool('fine', 'return 1;'),
    });
    const { tasks, notes } = await prepare('eight/tools.ts');
    const made = await tasks();
    assert.deepEqual(made.mocked, ['orders']);
    assert.ok(made.tasks.some(({ calls }) => calls?.some(({ name }) => name === 'orders')));
    const said = notes.filter((one) => /orders/.test(one));
    assert.equal(said.length, 1);
    assert.match(said[0]!, /1 tool failed in every call .*Failed to load orders.*--tool-policy real/);
    // what is required is none of its parameters
    const url = tool('tenants', "throw new Error('supabaseUrl is required.');", 'name: string');
    write({ 'ten/tools.ts': url + tool('fine', 'return 1;') });
    assert.deepEqual((await (await prepare('ten/tools.ts')).tasks()).mocked, ['tenants']);
    // who is not found may be another
    const other = await (await prepare('nine/tools.ts')).tasks();
    assert.equal(other.mocked, undefined);
    const isReal = await prepare('eight/tools.ts', { toolPolicy: 'real' });
    assert.equal((await isReal.tasks()).mocked, undefined);
    assert.match(isReal.notes.join(), /orders failed in all \d+ calls .*It fails whatever it is asked: start what/);
  });

  it('tells how long a slow tool runs, and obeys a stop within two seconds by ending it', async () => {
    write({
      'six/tools.ts': tool('slow', "await new Promise((r) => setTimeout(r, 30_000)); return 'x';").replace(
        'export function',
        'export async function',
      ),
    });
    const stop = new AbortController();
    const { tasks, said } = await prepare('six/tools.ts', { toolTimeoutMs: 40_000 }, stop.signal);
    const work = tasks();
    while (said.length < 2) await new Promise((resolve) => setTimeout(resolve, 50));
    assert.match(said[1]!, /^Making tasks: 0 calls of the tools made; slow has been running for \d s$/);
    const from = performance.now();
    stop.abort();
    await assert.rejects(work, { name: 'AbortError' });
    assert.ok(performance.now() - from < 2000);
  });

  it('obeys a stop while a file hangs in its loading', async () => {
    write({ 'seven/tools.ts': `for (;;);\n${tool('never', 'return 1;')}` });
    const stop = new AbortController();
    const work = (await prepare('seven/tools.ts', {}, stop.signal)).load();
    setTimeout(() => stop.abort(), 1000);
    const from = performance.now();
    await assert.rejects(work, { name: 'AbortError' });
    assert.ok(performance.now() - from < 3000);
  });

  it('warns of two tools with one description', async () => {
    write({
      'eight/tools.ts':
        tool('first', 'return 1;').replace('the first', 'it') + tool('second', 'return 2;').replace('the second', 'it'),
    });
    const { load, notes } = await prepare('eight/tools.ts');
    await load();
    assert.deepEqual(notes, [
      'eight/tools.ts:4: first: the same description as second, so a model cannot tell them apart; say what each is for',
      'eight/tools.ts:8: second: the same description as first, so a model cannot tell them apart; say what each is for',
    ]);
  });
});

/** Tools that fail at something else than what they are asked, and those that answer too slowly to try all calls. */
import assert from 'node:assert/strict';
import type { ToolResult } from '../../trainer/protocol/trace';
import { CallWatch } from '../../trainer/tasks/generate/callWatch';
import { Harvest } from '../../trainer/tasks/generate/harvest';
import { saysFailed } from '../../trainer/tasks/generate/pool/results';
import { ok, STRING, tool } from './fixtures';

const read = tool('readFile', 'Reads a file.', { path: STRING });

async function deadAfter(errorOf: (path: string) => string, calls = 8): Promise<boolean> {
  const watch = new CallWatch([read]);
  const failing = watch.watched(async (_, { path }): Promise<ToolResult> => {
    const content = JSON.stringify({ error: errorOf(String(path)) });
    return { kind: 'threw', content, policy: 'real', startedAt: 0, durationMs: 1 };
  });
  for (let i = 0; i < calls; i++) await failing('readFile', { path: `notes/${i}.md` });
  return watch.dead().length > 0;
}

describe('tools that fail in every call', () => {
  it('are dead where they may do nothing here, or can reach nobody, in other words each time', async () => {
    assert.equal(await deadAfter((path) => `Access denied - path outside allowed directories: ${path} not in`), true);
    assert.equal(await deadAfter((path) => `EACCES: permission denied, open '${path}'`), true);
    assert.equal(await deadAfter(() => 'TypeError: fetch failed'), true);
  });
  it('are not where others than those that were made up may do, nor after a call or two', async () => {
    assert.equal(await deadAfter((path) => `ENOENT: no such file or directory, open '${path}'`), false);
    assert.equal(await deadAfter((path) => `${path} not found`), false);
    assert.equal(await deadAfter((path) => `Access denied: ${path}`, 2), false);
  });
  it('also say it in a text, behind what they were asked for', () => {
    assert.equal(saysFailed('notes/a.md: Error - Access denied'), true);
    assert.equal(saysFailed({ content: '~: Error - Access denied' }), true);
    assert.equal(saysFailed({ error: 'the boat is taken' }), true);
    assert.equal(saysFailed({ content: 'Errors are written to the log.' }), false);
    assert.equal(saysFailed('Title: The failed harvest'), false);
  });
});

describe('tools that answer slowly', () => {
  const after = async (answers: (n: number) => boolean): Promise<Harvest> => {
    let n = 0;
    const call = async (_: string, { path }: Record<string, unknown>): Promise<ToolResult> => {
      await new Promise((done) => setTimeout(done, 10));
      return answers(n++) ? ok({ text: `of ${String(path)}` }) : { ...ok({}), kind: 'threw' };
    };
    const harvest = new Harvest([read], call, { msPerTool: 35 });
    for (let i = 0; i < 9; i++) await harvest.run(read, { path: `${i}.md` });
    return harvest;
  };
  it('are asked for more than was tried, where what was tried worked', async () => {
    const harvest = await after(() => true);
    assert.equal(harvest.isSpent(read), true);
    assert.equal(await harvest.run(read, { path: 'new.md' }), null);
    assert.deepEqual(harvest.unmade(read, { path: 'new.md' }), {
      args: { path: 'new.md' },
      value: undefined,
      isReal: false,
    });
    assert.equal(harvest.unmade(read, { path: '0.md' }), null, 'what was made says itself how it went');
    assert.equal((await after((n) => n % 2 === 0)).unmade(read, { path: 'new.md' }), null);
  });
});

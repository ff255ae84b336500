/** Which tools fail at something else than what they are asked. */
import assert from 'node:assert/strict';
import type { ToolResult } from '../../trainer/protocol/trace';
import { CallWatch } from '../../trainer/tasks/generate/callWatch';
import { saysFailed } from '../../trainer/tasks/generate/pool/results';
import { STRING, tool } from './fixtures';

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
    assert.equal(saysFailed({ content: 'Errors are written to the log.' }), false);
    assert.equal(saysFailed('Title: The failed harvest'), false);
  });
});

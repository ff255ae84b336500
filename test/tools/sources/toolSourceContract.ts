/** What every source of tools must do; each implementation runs it on the six tools of CONTRACT_TOOLS. */
import assert from 'node:assert/strict';
import { ToolSchema } from '../../../trainer/protocol/task';
import type { ToolResult } from '../../../trainer/protocol/trace';
import type { ToolSource } from '../../../trainer/tools/sources/toolSource';

/** add(a, b), count() per rollout, fail(), wait(ms), long(length), circle(): see test/fixtures/hosts/contract.ts. */
export const CONTRACT_TOOLS = ['add', 'circle', 'count', 'fail', 'long', 'wait'];

/** The limits that a source of the contract is opened with. */
export const LIMITS = { timeoutMs: 2000, outputBytes: 400 };

export function testToolSource(name: string, open: () => Promise<ToolSource>): void {
  describe(`tool source: ${name}`, function () {
    this.timeout(60_000);
    let source: ToolSource;
    before(async () => (source = await open()));
    after(() => source.close());

    async function once(tool: string, args: Record<string, unknown>, signal?: AbortSignal): Promise<ToolResult> {
      const session = source.open(`once ${tool}`);
      try {
        return await session.call(tool, args, signal);
      } finally {
        session.close();
      }
    }

    it('lists its tools, which survive a run folder', async () => {
      const tools = await source.list();
      assert.deepEqual(tools.map((tool) => tool.name).sort(), CONTRACT_TOOLS);
      for (const tool of tools) {
        assert.notEqual(tool.description, '');
        assert.equal(tool.parameters['type'], 'object');
        assert.deepEqual(ToolSchema.parse(JSON.parse(JSON.stringify(tool))), JSON.parse(JSON.stringify(tool)));
      }
      const { properties } = tools.find((tool) => tool.name === 'add')!.parameters as { properties: object };
      assert.deepEqual(Object.keys(properties), ['a', 'b']);
    });

    it('runs a tool: the JSON text of its value, with times', async () => {
      const from = Date.now();
      const { kind, content, policy, startedAt, durationMs } = await once('add', { a: 1, b: 2 });
      assert.deepEqual({ kind, content, policy }, { kind: 'ok', content: '3', policy: 'real' });
      assert.ok(startedAt >= from && durationMs >= 0);
      const waited = await once('wait', { ms: 30 });
      assert.equal(waited.content, '"done"');
      assert.ok(waited.durationMs >= 25, `${waited.durationMs} ms`);
    });

    it('keeps what a tool remembers to its rollout, also side by side', async () => {
      const sessions = Array.from({ length: 6 }, (_, i) => source.open(`state ${i}`));
      const counts = await Promise.all(
        sessions.map(async (session, i) => {
          const seen: string[] = [];
          for (let n = 0; n <= i; n++) seen.push((await session.call('count', {})).content);
          return seen;
        }),
      );
      assert.deepEqual(
        counts,
        sessions.map((_, i) => Array.from({ length: i + 1 }, (_, n) => `${n + 1}`)),
      );
      for (const session of sessions) session.close();
    });

    it('answers a tool that is not there, throws or gives what is no JSON, and goes on', async () => {
      const session = source.open('errors');
      const missing = await session.call('nope', {});
      assert.equal(missing.kind, 'unknownTool');
      assert.match(missing.content, /^\{"error":"unknown_tool","valid_tools":\[.*"add".*\]\}$/);
      const threw = await session.call('fail', {});
      assert.deepEqual([threw.kind, threw.content], ['threw', '{"error":"Error: there is no such thing"}']);
      const circle = await session.call('circle', {});
      assert.equal(circle.kind, 'notJson');
      assert.match(circle.content, /^\{"error":"the result is not JSON/);
      assert.equal((await session.call('add', { a: 2, b: 2 })).content, '4');
      session.close();
    });

    it('cuts a long result in the middle, and refuses a flood', async () => {
      const cut = await once('long', { length: 2000 });
      assert.equal(cut.kind, 'ok');
      assert.equal(cut.isCut, true);
      assert.match(cut.content, /^"x+…\[\d+ characters cut\]…x+"$/);
      assert.ok(Buffer.byteLength(cut.content) < LIMITS.outputBytes + 60);
      assert.equal((await once('add', { a: 1, b: 1 })).isCut, undefined);
      assert.equal((await once('long', { length: 1e6 })).kind, 'outputTooLarge');
    });

    it('ends a call at its time limit, and goes on', async () => {
      const session = source.open('late');
      const late = await session.call('wait', { ms: 60_000 });
      assert.equal(late.kind, 'timeout');
      assert.match(late.content, /did not finish in 2000 ms/);
      assert.equal((await session.call('add', { a: 3, b: 2 })).content, '5');
      session.close();
    });

    it('answers a cancelled call at once', async () => {
      const controller = new AbortController();
      const from = performance.now();
      const call = once('wait', { ms: 1500 }, controller.signal);
      setTimeout(() => controller.abort(), 20);
      const cancelled = await call;
      assert.equal(cancelled.kind, 'refused');
      assert.match(cancelled.content, /cancelled/);
      assert.ok(performance.now() - from < 1400, 'before the tool was done');
      assert.equal((await once('add', { a: 1, b: 1 }, controller.signal)).kind, 'refused');
    });

    it('refuses calls of a rollout that has ended; closing twice is harmless', async () => {
      const session = source.open('ended');
      assert.equal((await session.call('count', {})).content, '1');
      session.close();
      session.close();
      const refused = await session.call('count', {});
      assert.equal(refused.kind, 'refused');
      assert.match(refused.content, /the rollout has ended/);
    });

    it('closes twice', async () => {
      const other = await open();
      await other.close();
      await other.close();
    });
  });
}

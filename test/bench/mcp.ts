/**
 * What a world of its own costs a rollout on an MCP server: a fresh stdio server for each (started ahead) beside pooled
 * ones that a tool resets, and ones that go on since only read-only tools were called, 200 rollouts one after the other
 * and 32 at a time; each makes two calls and stops. One line of JSON; times in ms a rollout.
 *
 * Run: npm run bench -- mcp
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { discoverServers } from '../../trainer/tools/sources/mcp/discover';
import { mcpSource } from '../../trainer/tools/sources/mcp/source';
import { median, processor, round } from './measured';

const ROLLOUTS = 200;
const AT_ONCE = 32;
const SERVER = resolve(__dirname, '../tools/sources/mcp/counterServer.mjs');

const folder = mkdtempSync(join(tmpdir(), 'coach-bench-mcp-'));
const entry = { command: process.execPath, args: [SERVER] };
const servers = {
  fresh: { ...entry, coach: { reset: 'fresh' } },
  pooled: { ...entry, coach: { reset: { tool: 'reset_counter' } } },
  readOnly: entry,
};
writeFileSync(join(folder, 'mcp.json'), JSON.stringify({ servers }));

async function measure(name: keyof typeof servers, atOnce: number): Promise<{ mean: number; median: number }> {
  const [found] = (await discoverServers([{ folder, names: [name] }])).servers;
  const source = mcpSource({ ...found!, timeoutMs: 60_000, outputBytes: 1000, note: () => undefined });
  const times: number[] = [];
  let next = 0;
  const rollouts = async (until: number): Promise<void> => {
    while (next < until) {
      const id = next++;
      const from = performance.now();
      const session = source.open(`${id}`);
      for (const expected of ['1', '2']) {
        if (name === 'readOnly') {
          const { kind } = await session.call('convert_volume', { unit: 'litre', into: 'gallon' });
          if (kind !== 'ok') throw new Error(`rollout ${id}: convert_volume: ${kind}`);
          continue;
        }
        const { content } = await session.call('add_to_counter', { amount: 1 });
        if (content !== expected) throw new Error(`rollout ${id}: the counter is ${content}, not ${expected}`);
      }
      session.close();
      times.push(performance.now() - from);
    }
  };
  const together = (until: number): Promise<unknown> =>
    Promise.all(Array.from({ length: atOnce }, () => rollouts(until)));
  await together(atOnce); // the first ones start their servers
  times.length = 0;
  const from = performance.now();
  await together(next + ROLLOUTS);
  const mean = (performance.now() - from) / ROLLOUTS;
  await source.close();
  return { mean: round(mean, 1), median: round(median(times), 1) };
}

async function main(): Promise<void> {
  const figures: Record<string, object> = {};
  for (const atOnce of [1, AT_ONCE]) {
    const [fresh, pooled] = [await measure('fresh', atOnce), await measure('pooled', atOnce)];
    const readOnly = await measure('readOnly', atOnce);
    figures[`atOnce${atOnce}`] = { fresh, pooled, readOnly, costs: round(fresh.mean - pooled.mean, 1) };
  }
  console.log(JSON.stringify({ bench: 'mcp', rollouts: ROLLOUTS, ...figures, processor: processor() }));
}

void main().finally(() => rmSync(folder, { recursive: true }));

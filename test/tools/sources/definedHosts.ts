/** Hosts for the tools that libraries define (test/fixtures/defined). */
import { join } from 'node:path';
import type { FileTool } from '../../../trainer/protocol/task';
import type { ToolHosts } from '../../../trainer/tools/hosts/callTool';
import { openFixtureHosts } from '../hostsFixture';

export const FOLDER = join(__dirname, '..', '..', 'fixtures', 'defined');
export const workspace = join(__dirname, '..', '..', '..');

export async function openDefinedHosts(tools: FileTool[], folder = workspace): Promise<ToolHosts> {
  return (await openFixtureHosts(tools, { workspace: folder, timeoutMs: 10_000, memoryMb: 256, size: 1 })).hosts;
}

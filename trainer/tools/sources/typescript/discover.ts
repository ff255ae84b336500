/** The tools of files and folders, with the user's rewards that lie beside them. Nothing of the user's is executed. */
import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ToolSchema } from '../../../protocol/task';
import type { UserReward } from '../../hosts/userRewards';
import { describeDefined, type DescribeOptions } from '../defined/describeDefined';
import type { FoundServer } from '../mcp/discover';
import { Discovery, discoverRewards, type FoundTools } from './toolFile';

export interface Discovered extends Omit<FoundTools, 'tools'> {
  tools: ToolSchema[];
  /** MCP servers that some of the tools belong to */
  servers?: readonly FoundServer[];
  rewards: UserReward[];
  /** once a host has loaded them: the files and all of the user's own that they import, absolute */
  modules?: readonly string[];
}

/** Of files alone: each tool has its place in one. */
export type DiscoveredFiles = Omit<Discovered, 'tools'> & FoundTools;

/** @param paths files and folders, absolute */
export function discover(paths: readonly string[]): DiscoveredFiles {
  return { ...new Discovery().discover([...paths]), rewards: discoverRewards(paths.flatMap(rewardPaths)) };
}

/** A tool file's rewards lie beside it, in any `*.rewards.ts` of its folder; a folder's anywhere below it. */
function rewardPaths(path: string): string[] {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path];
  const folder = dirname(path);
  return readdirSync(folder)
    .filter((name) => /\.rewards\.[mc]?[jt]s$/.test(name))
    .map((name) => join(folder, name));
}

/**
 * The same, with the schemas of tools that a library's call defines: their files run in a tool host. Naming a file or a
 * folder on the command line is consent.
 */
export async function discoverAndDescribe(
  paths: readonly string[],
  options: DescribeOptions,
): Promise<DiscoveredFiles> {
  return describeDefined(discover(paths), options);
}

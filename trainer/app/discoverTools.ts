/** The tools of paths as a user names them: files, folders, `mcp:NAME`, configurations of MCP servers. */
import { existsSync } from 'node:fs';
import { UserError } from '../protocol/result';
import type { ToolNetwork } from '../protocol/settings/choices';
import { workspaceOf } from '../store/runs/workspace';
import { serversNamed } from '../tools/sources/mcp/config';
import type { InputValues } from '../tools/sources/mcp/inputs';
import type { Discovered } from '../tools/sources/typescript/discover';

/** @throws UserError where a server can't be used, or an input is given that nothing asks for */
export async function discoverTools(
  paths: readonly string[],
  network: ToolNetwork | undefined,
  inputs: InputValues = {},
): Promise<Discovered> {
  const named = paths.flatMap((path) => serversNamed(path) ?? []);
  const files = paths.filter((path) => serversNamed(path) === null);
  if (named.length === 0 && Object.keys(inputs.given ?? {}).length > 0)
    throw new UserError('config', '--input is for MCP servers, and none is named', 'Leave it out, or name mcp:NAME.');
  const found: Discovered = { tools: [], files: [], diagnostics: [], rewards: [] };
  if (files.length > 0) Object.assign(found, await inFiles(files, network));
  if (named.length === 0) return found;
  const { discoverServers } = await import('../tools/sources/mcp/discover');
  const { servers, diagnostics } = await discoverServers(named, inputs);
  return {
    ...found,
    tools: [...found.tools, ...servers.flatMap(({ tools }) => tools)],
    servers,
    files: [
      ...new Set([...found.files, ...servers.map(({ server }) => server.file).filter((file) => existsSync(file))]),
    ],
    diagnostics: [...found.diagnostics, ...diagnostics],
  };
}

async function inFiles(paths: readonly string[], network: ToolNetwork | undefined): Promise<Discovered> {
  const { discoverAndDescribe } = await import('../tools/sources/typescript/discover');
  return discoverAndDescribe(paths, {
    workspace: workspaceOf(paths[0]!, process.cwd()),
    ...(network ? { network } : {}),
  });
}

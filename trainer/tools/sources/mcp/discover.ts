/** Starts servers once, to read the lists of their tools. */
import { namedServers, serversAsToolFile } from '../../../protocol/mcp';
import type { ToolSchema } from '../../../protocol/task';
import { findServer, serverNamed, type McpServer } from './config';
import { connect } from './connection';
import { checkNames, toolOf } from './toolOf';

export interface FoundServer {
  server: McpServer;
  tools: ToolSchema[];
}

/**
 * @param path `mcp:NAME`, or `mcp:NAME,NAME` for several, behind the folder where the search for them begins
 * @throws UserError as discoverServer does
 */
export async function discoverServers(
  path: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<FoundServer[]> {
  const { folder, names } = namedServers(path)!;
  return Promise.all(names.map((name) => discoverServer(serversAsToolFile(folder, [name]), environment)));
}

/**
 * @param path `mcp:NAME`, behind the folder where the search for its configuration begins
 * @throws UserError where there is no such server, it can't be started, or its tools can't be used
 */
export async function discoverServer(
  path: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<FoundServer> {
  const named = serverNamed(path);
  if (named === null) throw new Error(`discoverServer: ${path} names no server`);
  const server = findServer(named, environment);
  const connection = await connect(server);
  try {
    const reset = typeof server.reset === 'object' ? server.reset.tool : undefined;
    const listed = (await connection.list()).filter(({ name }) => name !== reset);
    const tools = listed.map((tool) => toolOf(tool, server.name));
    checkNames(tools, server);
    return { server, tools };
  } finally {
    await connection.close();
  }
}

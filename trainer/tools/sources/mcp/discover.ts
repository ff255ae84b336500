/** Starts servers once, to read the lists of their tools. */
import { UserError } from '../../../protocol/result';
import type { Diagnostic, ToolSchema } from '../../../protocol/task';
import { findServers, lineOfServer, type McpServer, type NamedServers } from './config';
import { connect } from './connection';
import type { InputValues } from './inputs';
import { listTools } from './toolOf';

export interface FoundServer {
  server: McpServer;
  tools: ToolSchema[];
  /** It gives no sessions, so that rollouts share its world. */
  isSessionless?: true;
}

export interface FoundServers {
  servers: FoundServer[];
  /** Servers and tools that were left out; names that two servers have. */
  diagnostics: Diagnostic[];
}

/**
 * Of a file, a server that can't be used is left out; where some are named, all must be there.
 * @throws UserError where there is no such server, it can't be started, or none of them has a tool
 */
export async function discoverServers(named: readonly NamedServers[], values: InputValues = {}): Promise<FoundServers> {
  const wanted = await findServers(named, values);
  const looked = await Promise.all(wanted.map(look)); // in order, as prompts name their tools
  const found = looked.flatMap((one) => ('listed' in one ? [one.listed] : []));
  const failed = looked.flatMap((one) => ('error' in one ? [one] : []));
  const [first] = failed;
  if (first && (found.length === 0 || named.some((one) => 'names' in one))) throw first.error;
  return {
    servers: found.map(({ diagnostics: _, ...server }) => server),
    diagnostics: [
      ...failed.map(({ server, error }) => diagnosticOf(server, 'error', `${error.message}. ${error.hint}`)),
      ...found.flatMap(({ diagnostics }) => diagnostics),
      ...clashes(found),
    ],
  };
}

interface Listed extends FoundServer {
  diagnostics: Diagnostic[];
}

async function look(server: McpServer): Promise<{ listed: Listed } | { server: McpServer; error: UserError }> {
  try {
    return { listed: await discoverServer(server) };
  } catch (error) {
    if (error instanceof UserError) return { server, error };
    throw error;
  }
}

async function discoverServer(server: McpServer): Promise<Listed> {
  const connection = await connect(server);
  try {
    const { tools, problems } = await listTools(connection, server);
    const has = (wanted: string): boolean =>
      tools.some(({ name }) => name === wanted) || problems.some(({ tool }) => tool === wanted);
    const { only = [], examples = {} } = server;
    const missing = [...only, ...Object.keys(examples)].find((name) => !has(name));
    if (missing !== undefined)
      throw new UserError(
        'tool',
        `${server.file}: ${server.name}: coach names ${missing}, which is no tool of it`,
        'Correct the name, or leave it out.',
      );
    const diagnostics = problems.map(({ tool, severity, message }) =>
      diagnosticOf(server, severity, `${tool} of ${server.name}: ${message}`),
    );
    if (tools.length === 0)
      throw new UserError(
        'tool',
        `${server.file}: the MCP server ${server.name} has no tool that can be used` +
          diagnostics.map(({ message }) => `\n  ${message}`).join(''),
        'Name another server.',
      );
    return { server, tools, ...(connection.hasSession ? {} : { isSessionless: true }), diagnostics };
  } finally {
    await connection.close();
  }
}

const diagnosticOf = (server: McpServer, severity: Diagnostic['severity'], message: string): Diagnostic => ({
  file: server.file,
  line: lineOfServer(server),
  severity,
  message,
});

/** Said here, too, where nobody calls them; whoever does is refused by the registry. */
function clashes(found: readonly FoundServer[]): Diagnostic[] {
  const first = new Map<string, McpServer>();
  return found.flatMap(({ server, tools }) =>
    tools.flatMap(({ name }) => {
      const other = first.get(name);
      if (!other) first.set(name, server);
      return other
        ? [diagnosticOf(server, 'error', `${name}: ${other.name} and ${server.name} both have a tool of this name`)]
        : [];
    }),
  );
}

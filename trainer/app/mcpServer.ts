/** Tools of ours as an MCP server: what a client sees, and a server on stdin and stdout. */
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema, type Tool } from '@modelcontextprotocol/sdk/types.js';
import type { ToolSchema } from '../protocol/task';
import type { ToolHosts } from '../tools/hosts/callTool';

/** What is served. */
export type Served = Pick<ToolHosts, 'tools' | 'open'>;

/** For one session of a client: what the tools remember is its own, until the server is closed. */
export function serverOf(hosts: Served, sessionId: string): Server {
  const session = hosts.open(sessionId);
  const server = new Server({ name: 'agent-coach', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: hosts.tools.map(toolFor) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal: cancelled }) => {
    const result = await session.call(params.name, params.arguments ?? {}, cancelled);
    return {
      content: [{ type: 'text', text: result.content }],
      isError: result.kind !== 'ok',
      _meta: { policy: result.policy, kind: result.kind },
    };
  });
  server.onclose = () => session.close();
  return server;
}

/** Serves them on stdin and stdout until the client closes stdin, or `signal` stops it. */
export async function serveTools(hosts: Served, signal: AbortSignal): Promise<void> {
  const server = serverOf(hosts, 'mcp');
  try {
    await server.connect(new StdioServerTransport());
    await new Promise<void>((resolve) => {
      process.stdin.once('end', resolve);
      process.stdin.once('close', resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  } finally {
    await server.close();
  }
}

const toolFor = ({ name, description, parameters, changesWorld }: ToolSchema): Tool => ({
  name,
  description,
  inputSchema: { ...parameters, type: 'object' },
  annotations: { readOnlyHint: !changesWorld },
});

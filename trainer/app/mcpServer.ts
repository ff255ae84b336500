import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema, type Tool } from '@modelcontextprotocol/sdk/types.js';
import type { ToolSchema } from '../protocol/task';
import type { ToolHosts } from '../tools/hosts/callTool';

/**
 * Serves tools over MCP on stdin and stdout. Until the client closes stdin, or `signal` stops it. What the tools
 * remember lasts as long.
 */
export async function serveTools(hosts: ToolHosts, signal: AbortSignal): Promise<void> {
  const session = hosts.open('mcp');
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
  try {
    await server.connect(new StdioServerTransport());
    await new Promise<void>((resolve) => {
      process.stdin.once('end', resolve);
      process.stdin.once('close', resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  } finally {
    session.close();
    await server.close();
  }
}

const toolFor = ({ name, description, parameters, changesWorld }: ToolSchema): Tool => ({
  name,
  description,
  inputSchema: { ...parameters, type: 'object' },
  annotations: { readOnlyHint: !changesWorld },
});

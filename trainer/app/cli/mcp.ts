import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema, type Tool } from '@modelcontextprotocol/sdk/types.js';
import type { TellNote } from '../../protocol/note';
import type { ToolSchema } from '../../protocol/task';
import { workspaceOf } from '../../store/runs/workspace';
import type { ToolHosts } from '../../tools/hosts/callTool';
import { loadedTools } from '../loadedTools';
import { findTools, openHosts } from '../prepareRun';
import { parseSettings, settingFromText } from '../settings';
import { valueOf, type Command } from './command';

export const mcp: Command = {
  name: 'mcp',
  positionals: { usage: 'FILE', min: 1, max: 1 },
  summary: 'Serve the tools of a file, with their policies and limits, as an MCP server over stdin and stdout.',
  options: {
    'tool-policy': {
      value: 'real|mock',
      help: 'for all tools (default: mock for those that change the world, real for the rest)',
    },
  },
  examples: ['coach mcp src/tools.ts', 'coach mcp src/tools.ts --tool-policy real'],

  async run(args, { cwd, dependencies, out, signal }) {
    const policy = valueOf(args, 'tool-policy');
    const config = parseSettings({
      toolFile: args.positionals[0]!,
      ...(policy === undefined ? {} : { toolPolicy: settingFromText('toolPolicy', policy) }),
    });
    const note: TellNote = (level, _, message) => out.warn(`${level === 'warning' ? 'Warning: ' : ''}${message}`);
    const opening = { config, workspace: workspaceOf(config.toolFile, cwd), cwd, dependencies, note, signal };
    const found = await loadedTools({ ...opening, found: await findTools(config.toolFile, cwd, dependencies, note) });
    const hosts = await openHosts({ ...opening, found, ask: async () => 'unavailable' });
    try {
      await serve(hosts, signal);
    } finally {
      await hosts.close();
    }
    return 0;
  },
};

/** Until the client closes stdin, or `signal` stops it. What the tools remember lasts as long. */
async function serve(hosts: ToolHosts, signal: AbortSignal): Promise<void> {
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

import type { TellNote } from '../../protocol/note';
import { workspaceOf } from '../../store/runs/workspace';
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
    'tool-network': { value: 'allow|deny', help: 'whether tools can reach the network (default allow)' },
  },
  examples: ['coach mcp src/tools.ts', 'coach mcp src/tools.ts --tool-policy real'],

  async run(args, { cwd, dependencies, out, signal }) {
    const policy = valueOf(args, 'tool-policy');
    const network = valueOf(args, 'tool-network');
    const config = parseSettings({
      toolFile: args.positionals[0]!,
      ...(policy === undefined ? {} : { toolPolicy: settingFromText('toolPolicy', policy) }),
      ...(network === undefined ? {} : { toolNetwork: settingFromText('toolNetwork', network) }),
    });
    const { serveTools } = await import('../mcpServer'); // the SDK is loaded by no other command
    const note: TellNote = (level, _, message) => out.warn(`${level === 'warning' ? 'Warning: ' : ''}${message}`);
    const opening = { config, workspace: workspaceOf(config.toolFile, cwd), cwd, dependencies, note, signal };
    const found = await loadedTools({ ...opening, found: await findTools(config.toolFile, cwd, dependencies, note) });
    const hosts = await openHosts({ ...opening, found, ask: async () => 'unavailable' });
    try {
      await serveTools(hosts, signal);
    } finally {
      await hosts.close();
    }
    return 0;
  },
};

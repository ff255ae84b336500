import type { TellNote } from '../../protocol/note';
import { UserError } from '../../protocol/result';
import { workspaceOf } from '../../store/runs/workspace';
import { loadedTools } from '../loadedTools';
import { findTools } from '../prepare/tools';
import { openHosts } from '../prepare/hosts';
import { parseSettings } from '../settings';
import { settingFromText } from '../settingText';
import { valueOf, type Arguments, type Command } from './command';
import { INPUT_OPTION } from './inputOption';

export const mcp: Command = {
  name: 'mcp',
  positionals: { usage: 'FILE', min: 1, max: 1 },
  summary:
    'Serve the tools of a file, with their policies and limits, as an MCP server over stdin and stdout, or HTTP.',
  options: {
    http: { help: 'streamable HTTP, for programs of this machine (127.0.0.1); until Ctrl-C' },
    port: { value: 'N', help: 'with --http (default: a free one, which is told)' },
    'tool-policy': {
      value: 'real|mock',
      help: 'for all tools (default: mock for those that change the world, real for the rest)',
    },
    'tool-network': { value: 'allow|deny', help: 'whether tools can reach the network (default allow)' },
    ...INPUT_OPTION,
  },
  examples: [
    'coach mcp src/tools.ts',
    'coach mcp src/tools.ts --tool-policy real',
    'coach mcp src/tools.ts --http --port 8123',
  ],

  async run(args, { cwd, dependencies, out, signal }) {
    const port = portOf(args);
    const policy = valueOf(args, 'tool-policy');
    const network = valueOf(args, 'tool-network');
    const config = parseSettings({
      toolFile: args.positionals[0]!,
      ...(policy === undefined ? {} : { toolPolicy: settingFromText('toolPolicy', policy) }),
      ...(network === undefined ? {} : { toolNetwork: settingFromText('toolNetwork', network) }),
    });
    const note: TellNote = (level, _, message) => out.warn(`${level === 'warning' ? 'Warning: ' : ''}${message}`);
    const opening = { config, workspace: workspaceOf(config.toolFile, cwd), cwd, dependencies, note, signal };
    const found = await loadedTools({
      ...opening,
      found: await findTools(config.toolFile, cwd, dependencies, note, config.toolNetwork),
    });
    const hosts = await openHosts({ ...opening, found, ask: async () => 'unavailable' });
    // the SDK's server is loaded by no other command
    try {
      if (port === null) await (await import('../mcpServer')).serveTools(hosts, signal);
      else {
        const onListening = (url: string): void => {
          out.json({ url, tools: hosts.tools.map(({ name }) => name) });
          out.text(`Serving ${hosts.tools.map(({ name }) => name).join(', ')} at ${url}`);
        };
        await (await import('../mcpHttpServer')).serveToolsByHttp(hosts, { port, signal, onListening });
      }
    } finally {
      await hosts.close();
    }
    return 0;
  },
};

/** Null: stdin and stdout. */
function portOf(args: Arguments): number | null {
  const text = valueOf(args, 'port');
  const isHttp = 'http' in args.values;
  if (text !== undefined && !isHttp) throw new UserError('config', '--port belongs to --http', 'Add --http.');
  const port = Number(text ?? 0);
  if (text !== undefined && !(Number.isInteger(port) && port > 0 && port < 65_536))
    throw new UserError('config', `--port must be a whole number from 1 to 65535, got ${text}`, 'For example 8123.');
  return isHttp ? port : null;
}

/** A tool file as an MCP server that an editor can start: `coach mcp FILE` of this extension. Free of `vscode`. */
import { createHash } from 'node:crypto';
import path from 'node:path';
import type { ToolSchema } from '../../trainer/protocol/task';
import type { NodeCommand } from '../processes/programs';
import type { Settings } from '../settings';

export interface OfferedServer {
  label: string;
  command: string;
  args: string[];
  /** beside the extension host's environment; null takes a variable away */
  env: Record<string, string | null>;
  /** another one where the tools are others */
  version: string;
}

export interface Offered {
  file: string;
  /** of the workspace */
  folder: string;
  tools: readonly ToolSchema[];
  cli: string;
  node: NodeCommand;
  settings: Pick<Settings, 'toolPolicy' | 'toolNetwork'>;
}

/** @param inherited what the editor starts servers with */
export function offeredServer(
  { file, folder, tools, cli, node, settings }: Offered,
  inherited: Readonly<Record<string, string | undefined>> = process.env,
): OfferedServer {
  const { toolPolicy, toolNetwork } = settings;
  const own = Object.entries(node.env).flatMap(([name, value]): [string, string][] =>
    value === undefined || inherited[name] === value ? [] : [[name, value]],
  );
  const withheld = Object.keys(inherited).filter((name) => node.env[name] === undefined);
  return {
    label: `Coach: ${path.relative(folder, file).split(path.sep).join('/')}`,
    command: node.command,
    args: [
      cli,
      'mcp',
      file,
      ...(toolPolicy === 'real' || toolPolicy === 'mock' ? ['--tool-policy', toolPolicy] : []),
      ...(toolNetwork === 'allow' ? [] : ['--tool-network', toolNetwork]),
    ],
    env: { ...Object.fromEntries(withheld.map((name) => [name, null])), ...Object.fromEntries(own) },
    version: createHash('sha256')
      .update(JSON.stringify(tools.map(({ name, description, parameters }) => [name, description, parameters])))
      .digest('hex')
      .slice(0, 12),
  };
}

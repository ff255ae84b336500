/** MCP servers as they are configured: what a window is told of them before any of them is started. */
import { z } from 'zod';

/** Further servers, as JSON `{NAME: entry}`: those of a window's settings. A program gets it through a pipe. */
export const MCP_SERVERS = 'COACH_MCP_SERVERS';
/** Where those stand, in messages. */
export const MCP_SETTING = 'agentCoach.mcpServers';

/** The server that stands for the editor's own tools (`vscode.lm`), which a window lends. */
export const EDITOR_TOOLS = 'vscode.lm';

/** The variable that a program of ours reads the value of `${input:ID}` from. */
export const inputVariable = (id: string): string => `COACH_INPUT_${id.replace(/\W/g, '_').toUpperCase()}`;

/** A value that is asked for when a server is used: `${input:ID}`. */
export const McpInput = z.object({
  id: z.string(),
  description: z.string().optional(),
  default: z.string().optional(),
  /** what is typed is not shown */
  isSecret: z.boolean(),
  /** one of these; absent: any text */
  options: z.array(z.string()).optional(),
});
export type McpInput = z.infer<typeof McpInput>;

export const ConfiguredServer = z.object({
  name: z.string(),
  /** where the search for its configuration begins, absolute */
  folder: z.string(),
  /** absolute; absent: it stands in the window's settings */
  file: z.string().optional(),
  /** its command line, or its address, as it stands there: nothing is filled in */
  reach: z.string(),
  /** a hash of all that decides what is started or reached, and what that is given */
  identity: z.string(),
  inputs: z.array(McpInput),
  /** names of the environment variables that its configuration refers to */
  variables: z.array(z.string()),
  /** why it can't be used */
  problem: z.string().optional(),
});
export type ConfiguredServer = z.infer<typeof ConfiguredServer>;

/** Whether a window lends it; no configuration stands for it. */
export const isEditor = ({ name, file }: ConfiguredServer): boolean => name === EDITOR_TOOLS && file === undefined;

const TOOL_FILE = /^(.*?)[/\\]?mcp:(.+)$/s;

/** `mcp:NAME,NAME`, also behind a folder, where the search for their configuration begins; null: it is a file. */
export function namedServers(toolFile: string): { folder: string; names: string[] } | null {
  const [, folder, list] = TOOL_FILE.exec(toolFile) ?? [];
  if (list === undefined) return null;
  const names = list.split(',').map((name) => name.trim().replace(/^mcp:/, ''));
  return { folder: folder || '.', names: [...new Set(names.filter((name) => name !== ''))] };
}

/** What a run's `toolFile` takes for one server, or for several of one folder: `FOLDER/mcp:NAME,NAME`. */
export const serversAsToolFile = (folder: string, names: readonly string[]): string =>
  `${folder}/mcp:${names.join(',')}`;

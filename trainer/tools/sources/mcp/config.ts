/**
 * Servers as `.vscode/mcp.json` (`servers`) and `mcp.json` (`mcpServers` as well) configure them, with what their
 * values refer to filled in: `${workspaceFolder}`, `${env:NAME}`, `${input:id}`, and their `envFile`.
 */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { parseJson, withoutComments } from '../../../base/json';
import { suggest } from '../../../base/nearest';
import { readBytesOf, readTextFile } from '../../../base/storage';
import { MCP_SERVERS, MCP_SETTING, namedServers } from '../../../protocol/mcp';
import { UserError } from '../../../protocol/result';
import { checkGiven, inputsIn, McpInput, valueOfInput, type InputValues } from './inputs';
import { issueWords, resolveServer, type Reset } from './resolveServer';

const ConfigFile = z.object({
  servers: z.record(z.string(), z.unknown()).optional(),
  mcpServers: z.record(z.string(), z.unknown()).optional(),
  inputs: z.array(McpInput).optional(),
});

/** A server that can be started. Held in memory only: its values may be secret. */
export interface McpServer {
  name: string;
  /** The file that configures it, absolute; of a window's settings, a name for them in the folder they are for. */
  file: string;
  reset: Reset;
  /** Its tools that are used; default: all. */
  only?: readonly string[];
  /** Arguments of calls that make sense, by tool: tasks are made of them. */
  examples?: Readonly<Record<string, readonly object[]>>;
  /** It has a folder to itself in each session. `from`: which that one begins as a copy of; absent: it is empty. */
  folder?: { from?: string };
  reach:
    | { kind: 'stdio'; command: string; args: string[]; cwd: string; env: Record<string, string> }
    | { kind: 'http'; url: URL; headers: Record<string, string> };
  /** Values that no result, message or file may hold. */
  secrets: string[];
}

/** Servers by name, to be looked for from a folder upwards, or all that a file configures. */
export type NamedServers = { folder: string; names: string[] } | { file: string };

const PLACES = [join('.vscode', 'mcp.json'), 'mcp.json'];

/**
 * What a tool file names where it is no file of tools: `mcp:NAME`, `mcp:ONE,mcp:OTHER`, also behind a folder, where the
 * search for their configuration begins; or a configuration, `….json`. null: it is a file or a folder of tools.
 */
export function serversNamed(toolFile: string): NamedServers | null {
  return namedServers(toolFile) ?? (/\.json$/i.test(toolFile) && existsSync(toolFile) ? { file: toolFile } : null);
}

/** Whether a user who names it means something: a file or folder that is there, or servers. */
export const isToolPath = (path: string): boolean => existsSync(path) || serversNamed(path) !== null;

/**
 * Those servers, each once. By name: the configuration nearest to the folder that has it counts, a window's settings
 * last.
 * @throws UserError where no configuration has one, its entry is not right, or an input has no value
 */
export async function findServers(named: readonly NamedServers[], values: InputValues = {}): Promise<McpServer[]> {
  const placed = named.flatMap((one) =>
    'file' in one ? allOf(resolve(one.file)) : one.names.map((name) => placeOf(name, resolve(one.folder), values)),
  );
  checkGiven(
    values.given,
    placed.flatMap(({ config }) => config.inputs),
  );
  const servers = new Map<string, McpServer>();
  for (const { name, config } of placed) {
    const key = `${config.file}\n${name}`;
    // one after the other: a person may be asked
    if (!servers.has(key)) servers.set(key, await openEntry(name, config, values));
  }
  return [...servers.values()];
}

interface Config {
  file: string;
  servers: Record<string, unknown>;
  inputs: readonly McpInput[];
}

interface Placed {
  name: string;
  config: Config;
}

function allOf(file: string): Placed[] {
  const config = readConfig(file);
  const names = Object.keys(config.servers);
  if (names.length > 0) return names.map((name) => ({ name, config }));
  throw new UserError('config', `${file}: it configures no MCP server`, HOW_TO_CONFIGURE);
}

function placeOf(name: string, folder: string, { environment = process.env }: InputValues): Placed {
  const files = configFiles(folder);
  const known: string[] = [];
  for (const file of files) {
    const config = readConfig(file);
    if (Object.hasOwn(config.servers, name)) return { name, config };
    known.push(...Object.keys(config.servers));
  }
  const setting = JSON.parse(environment[MCP_SERVERS] ?? '{}') as Record<string, unknown>;
  if (Object.hasOwn(setting, name))
    return { name, config: { file: join(folder, MCP_SETTING), servers: setting, inputs: [] } };
  throw new UserError(
    'tool',
    files.length === 0
      ? `mcp:${name}: there is no .vscode/mcp.json or mcp.json in ${folder} or above it`
      : `mcp:${name}: there is no such server in ${files.join(', ')}`,
    files.length === 0 ? HOW_TO_CONFIGURE : suggest(name, known),
  );
}

const HOW_TO_CONFIGURE = 'Write one: {"servers": {"NAME": {"command": "…", "args": []}}}.';

/** Far more than a person writes. */
const MOST_BYTES = 1 << 20;

/** Nearest first. */
export function configFiles(folder: string): string[] {
  const here = PLACES.map((place) => join(folder, place)).filter((file) => existsSync(file));
  const up = dirname(folder);
  return up === folder ? here : [...here, ...configFiles(up)];
}

/** @throws UserError where it can't be read, or is no configuration of servers */
export function readConfig(file: string): Config {
  const wrong = (message: string): UserError =>
    new UserError('config', `${file}: ${message}`, 'Correct it: {"servers": {"NAME": {"command": "…", "args": []}}}.');
  let json: unknown;
  try {
    json = parseJson(withoutComments(readBytesOf(file, MOST_BYTES).toString('utf8')));
  } catch (error) {
    // not the parser's own words, which quote the text: a secret may stand there
    throw error instanceof SyntaxError ? wrong('is not JSON') : error;
  }
  const parsed = ConfigFile.safeParse(json);
  if (!parsed.success) throw wrong(issueWords(parsed.error));
  const { servers, mcpServers, inputs = [] } = parsed.data;
  return { file, servers: { ...mcpServers, ...servers }, inputs };
}

async function openEntry(name: string, { file, servers, inputs }: Config, values: InputValues): Promise<McpServer> {
  const entry = servers[name];
  const filled = new Map<string, string>();
  for (const id of inputsIn(entry)) filled.set(id, await valueOfInput(id, inputs, values, `${file}: ${name}`));
  return resolveServer({ file, name, entry, inputs: filled, environment: values.environment ?? process.env });
}

/** The line of the file on which the server's name stands, from 1. */
export function lineOfServer({ file, name }: McpServer): number {
  const lines = existsSync(file) ? readTextFile(file).split('\n') : []; // a window's settings are in none
  return lines.findIndex((line) => line.includes(JSON.stringify(name))) + 1 || 1;
}

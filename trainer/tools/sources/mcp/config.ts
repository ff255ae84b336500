/**
 * Servers as `.vscode/mcp.json` (`servers`) and `mcp.json` (`mcpServers` as well) configure them, with what their
 * values refer to filled in: `${workspaceFolder}`, `${env:NAME}`, `${input:id}`, and their `envFile`.
 */
import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { z } from 'zod';
import { suggest } from '../../../base/nearest';
import { readTextFile } from '../../../base/storage';
import { MCP_SERVERS, MCP_SETTING } from '../../../protocol/mcp';
import { UserError } from '../../../protocol/result';

const Texts = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));

/** Ours, beside what editors know: how a stdio server is put back between rollouts. */
const Coach = z.object({
  /** 'fresh': a process of its own for each rollout (default); 'never': rollouts share a world; else a tool to call. */
  reset: z.union([
    z.enum(['fresh', 'never']),
    z.object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()).optional() }),
  ]),
});

const ServerEntry = z.object({
  type: z.enum(['stdio', 'http', 'sse']).optional(),
  command: z.string().optional(),
  args: z.array(z.string()).optional(),
  cwd: z.string().optional(),
  env: Texts.optional(),
  envFile: z.string().optional(),
  url: z.string().optional(),
  headers: Texts.optional(),
  coach: Coach.optional(),
});
type ServerEntry = z.infer<typeof ServerEntry>;

const ConfigFile = z.object({
  servers: z.record(z.string(), z.unknown()).optional(),
  mcpServers: z.record(z.string(), z.unknown()).optional(),
  inputs: z.array(z.looseObject({ id: z.string(), default: z.string().optional() })).optional(),
});

export type Reset = z.infer<typeof Coach>['reset'];

/** A server that can be started. Held in memory only: its values may be secret. */
export interface McpServer {
  name: string;
  /** The file that configures it, absolute; of a window's settings, a name for them in the folder they are for. */
  file: string;
  reset: Reset;
  reach:
    | { kind: 'stdio'; command: string; args: string[]; cwd: string; env: Record<string, string> }
    | { kind: 'http'; url: URL; headers: Record<string, string> };
  /** Values that no result, message or file may hold. */
  secrets: string[];
}

const PLACES = [join('.vscode', 'mcp.json'), 'mcp.json'];
const TOOL_FILE = /^(.*?)[/\\]?mcp:(.+)$/s;

/** `mcp:NAME`, or the same behind a folder, where the search for its configuration begins; null: it is a file. */
export function serverNamed(toolFile: string): { folder: string; name: string } | null {
  const [, folder, name] = TOOL_FILE.exec(toolFile) ?? [];
  return name === undefined ? null : { folder: folder || '.', name };
}

/**
 * The server of that name: the configuration nearest to the folder that has it counts, a window's settings last.
 * @param environment where `${env:NAME}` and, as COACH_INPUT_<ID>, inputs are read
 * @throws UserError where no configuration has it, or its entry is not right
 */
export function findServer(
  { folder, name }: { folder: string; name: string },
  environment: Readonly<Record<string, string | undefined>>,
): McpServer {
  const files = configFiles(resolve(folder));
  const known: string[] = [];
  for (const file of files) {
    const { servers, inputs } = readConfig(file);
    if (Object.hasOwn(servers, name)) return resolveServer({ file, name, entry: servers[name], inputs, environment });
    known.push(...Object.keys(servers));
  }
  const setting = JSON.parse(environment[MCP_SERVERS] ?? '{}') as Record<string, unknown>;
  if (Object.hasOwn(setting, name))
    return resolveServer({
      file: join(resolve(folder), MCP_SETTING),
      name,
      entry: setting[name],
      inputs: [],
      environment,
    });
  throw new UserError(
    'tool',
    files.length === 0
      ? `mcp:${name}: there is no .vscode/mcp.json or mcp.json in ${resolve(folder)} or above it`
      : `mcp:${name}: there is no such server in ${files.join(', ')}`,
    files.length === 0 ? 'Write one: {"servers": {"NAME": {"command": "…"}}}.' : suggest(name, known),
  );
}

/** Nearest first. */
export function configFiles(folder: string): string[] {
  const here = PLACES.map((place) => join(folder, place)).filter((file) => existsSync(file));
  const up = dirname(folder);
  return up === folder ? here : [...here, ...configFiles(up)];
}

type Inputs = NonNullable<z.infer<typeof ConfigFile>['inputs']>;

/** @throws UserError where it can't be read, or is no configuration of servers */
export function readConfig(file: string): { servers: Record<string, unknown>; inputs: Inputs } {
  const wrong = (message: string): UserError =>
    new UserError('config', `${file}: ${message}`, 'Correct it: {"servers": {"NAME": {"command": "…", "args": []}}}.');
  let json: unknown;
  try {
    json = JSON.parse(withoutComments(readTextFile(file)));
  } catch (error) {
    // not the parser's own words, which quote the text: a secret may stand there
    throw error instanceof SyntaxError ? wrong('is not JSON') : error;
  }
  const parsed = ConfigFile.safeParse(json);
  if (!parsed.success) throw wrong(issueWords(parsed.error));
  const { servers, mcpServers, inputs = [] } = parsed.data;
  return { servers: { ...mcpServers, ...servers }, inputs };
}

const issueWords = (error: z.ZodError): string =>
  error.issues.map(({ path, message }) => `${path.join('.') || 'it'}: ${message}`).join('; ');

/** Editors write it with comments and commas behind the last item. */
function withoutComments(text: string): string {
  const plain = text.replace(/"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (part) =>
    part[0] === '"' ? part : ' ',
  );
  return plain.replace(/"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])/g, (part) => (part === ',' ? '' : part));
}

interface Resolving {
  file: string;
  name: string;
  entry: unknown;
  inputs: Inputs;
  environment: Readonly<Record<string, string | undefined>>;
}

function resolveServer({ file, name, entry, inputs, environment }: Resolving): McpServer {
  const wrong = (message: string, hint: string): UserError =>
    new UserError('config', `${file}: ${name}: ${message}`, hint);
  const parsed = ServerEntry.safeParse(entry);
  if (!parsed.success) throw wrong(issueWords(parsed.error), 'Correct this server.');
  const server = parsed.data;
  const folder = dirname(file).replace(/[/\\]\.vscode$/, '');
  const secrets = new Set<string>();
  const secret = (value: string): string => {
    if (value.length >= 6) secrets.add(value);
    return value;
  };
  const lookUp = (kind: string, id: string, whole: string): string => {
    if (kind === 'workspaceFolder') return folder;
    const input = kind === 'input' ? inputs.find((one) => one.id === id) : undefined;
    if (kind === 'input' && !input) throw wrong(`there is no input "${id}"`, 'Add it to "inputs" of the same file.');
    const variable = kind === 'input' ? `COACH_INPUT_${id.replace(/\W/g, '_').toUpperCase()}` : id;
    const value = kind === 'input' || kind === 'env' ? (environment[variable] ?? input?.default) : undefined;
    if (value !== undefined) return secret(value);
    if (kind === 'env') return ''; // as editors do
    if (kind === 'input') throw wrong(`the input "${id}" is missing`, `Give it in the environment: ${variable}=VALUE.`);
    throw wrong(`${whole} is not known here`, 'Use ${workspaceFolder}, ${env:NAME} or ${input:id}.');
  };
  const fill = (text: string): string =>
    text.replace(/\$\{(\w+)(?::([^}]+))?\}/g, (whole, kind: string, id = '') => lookUp(kind, id as string, whole));
  const fillAll = (texts: z.infer<typeof Texts> = {}): Record<string, string> =>
    Object.fromEntries(
      Object.entries(texts).flatMap(([key, value]) => (value === null ? [] : [[key, fill(`${value}`)]])),
    );
  return { name, file, reset: server.coach?.reset ?? 'fresh', reach: reachOf(server), secrets: [...secrets] };

  function reachOf({ type, command, args = [], cwd, env, envFile, url, headers }: ServerEntry): McpServer['reach'] {
    if (type === 'sse') throw wrong('servers of type sse are not supported', 'Use its streamable HTTP address.');
    if (url !== undefined) {
      const filled = fillAll(headers);
      Object.values(filled).forEach(secret);
      const address = URL.canParse(fill(url)) ? new URL(fill(url)) : null;
      if (!address || !/^https?:$/.test(address.protocol)) throw wrong('url: is no http address', 'Correct it.');
      return { kind: 'http', url: address, headers: filled };
    }
    if (command === undefined) throw wrong('it has neither command nor url', 'Give one of them.');
    const own = fillAll(env);
    for (const [key, value] of Object.entries(own))
      if (/key|token|secret|passw|auth|credential/i.test(key)) secret(value);
    const fromFile = envFile === undefined ? {} : readEnvFile(resolve(folder, fill(envFile)));
    const place = cwd === undefined ? folder : resolve(folder, fill(cwd));
    const program = fill(command);
    return {
      kind: 'stdio',
      command: program.startsWith('.') && !isAbsolute(program) ? resolve(place, program) : program,
      args: args.map(fill),
      cwd: place,
      env: { ...fromFile, ...own },
    };
  }

  function readEnvFile(path: string): Record<string, string> {
    if (!existsSync(path)) throw wrong(`envFile: there is no file ${path}`, 'Correct the path, or leave it out.');
    const values = parseEnv(readTextFile(path)) as Record<string, string>;
    Object.values(values).forEach(secret);
    return values;
  }
}

/** One server of a configuration, with all that its values refer to filled in. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, resolve, sep } from 'node:path';
import { parseEnv } from 'node:util';
import { z } from 'zod';
import { readTextFile } from '../../../base/storage';
import { UserError } from '../../../protocol/result';
import type { McpServer } from './config';
import { ROLLOUT_FOLDER } from './rolloutFolder';

const Texts = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));

/** Ours, beside what editors know. */
const Coach = z.object({
  /**
   * How it is put back between rollouts. 'changed' (default): a new session (of stdio, a process) after each rollout
   * that called a tool which is not marked as read-only; 'fresh': after each; 'never': rollouts share a world; else a
   * tool to call.
   */
  reset: z
    .union([
      z.enum(['changed', 'fresh', 'never']),
      z.object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()).optional() }),
    ])
    .optional(),
  /** These of its tools and no others. */
  tools: z.array(z.string()).optional(),
  /** A folder that `${rolloutFolder}` begins as a copy of; default: that one is empty. */
  files: z.string().optional(),
  /** By tool, arguments of calls that make sense: what `@example` is for functions. */
  examples: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))).optional(),
});

const ServerEntry = z.object({
  type: z.enum(['stdio', 'http', 'sse', 'streamable-http', 'streamableHttp']).optional(),
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

export type Reset = NonNullable<z.infer<typeof Coach>['reset']>;

export interface Resolving {
  /** The configuration, absolute. */
  file: string;
  name: string;
  entry: unknown;
  /** Of the inputs that it refers to. */
  inputs: ReadonlyMap<string, string>;
  environment: Readonly<Record<string, string | undefined>>;
}

/** What a configuration is for: the folder that it, or its `.vscode`, lies in. */
export const folderOf = (file: string): string => dirname(file).replace(/[/\\]\.vscode$/, '');

/** Values shorter than this are words that results hold by chance. */
const SECRET_CHARACTERS = 6;

/** @throws UserError where the entry is not right */
export function resolveServer({ file, name, entry, inputs, environment }: Resolving): McpServer {
  const wrong = (message: string, hint: string): UserError =>
    new UserError('config', `${file}: ${name}: ${message}`, hint);
  const parsed = ServerEntry.safeParse(entry);
  if (!parsed.success) throw wrong(issueWords(parsed.error), 'Correct this server.');
  const server = parsed.data;
  const folder = folderOf(file);
  const secrets = new Set<string>();
  let hasFolder = false;
  const secret = (value: string): string => {
    if (value.length >= SECRET_CHARACTERS) secrets.add(value);
    return value;
  };
  const lookUp = (kind: string, id: string, whole: string): string => {
    switch (kind) {
      case 'workspaceFolder':
        return folder;
      case 'workspaceFolderBasename':
        return basename(folder);
      case 'rolloutFolder':
        hasFolder = true;
        return ROLLOUT_FOLDER;
      case 'userHome':
        return homedir();
      case 'pathSeparator':
        return sep;
      case 'env':
        return secret(environment[id] ?? ''); // as editors do
      case 'input':
        return secret(inputs.get(id) ?? '');
      default:
        throw wrong(
          `${whole} is not known here`,
          'Use ${workspaceFolder}, ${userHome}, ${rolloutFolder}, ${env:NAME} or ${input:id}.',
        );
    }
  };
  const fill = (text: string): string =>
    text.replace(/\$\{(\w+)(?::([^}]+))?\}/g, (whole, kind: string, id = '') => lookUp(kind, id as string, whole));
  const fillAll = (texts: z.infer<typeof Texts> = {}): Record<string, string> =>
    Object.fromEntries(
      Object.entries(texts).flatMap(([key, value]) => (value === null ? [] : [[key, fill(`${value}`)]])),
    );
  const { reset = 'changed', tools: only, files, examples } = server.coach ?? {};
  const reach = reachOf(server);
  const from = files === undefined ? undefined : resolve(folder, fill(files));
  if (from !== undefined && !existsSync(from)) throw wrong(`coach.files: there is no folder ${from}`, 'Correct it.');
  if (from !== undefined && !hasFolder)
    throw wrong('coach.files is copied into ${rolloutFolder}, which is nowhere named', 'Name it in args, env or cwd.');
  if (hasFolder && reach.kind === 'http')
    throw wrong('${rolloutFolder} is for servers with a command', 'Leave it out.');
  return {
    name,
    file,
    reset,
    reach,
    secrets: [...secrets],
    ...(only ? { only } : {}),
    ...(examples ? { examples } : {}),
    ...(hasFolder ? { folder: from === undefined ? {} : { from } } : {}),
  };

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

export const issueWords = (error: z.ZodError): string =>
  error.issues.map(({ path, message }) => `${path.join('.') || 'it'}: ${message}`).join('; ');

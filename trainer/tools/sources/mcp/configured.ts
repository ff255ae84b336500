/** The servers of a window's workspace as they are configured: nothing is filled in, nothing is started. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { MCP_SETTING, type ConfiguredServer, type McpInput } from '../../../protocol/mcp';
import { visible } from '../../../protocol/visible';
import { configFiles, readConfig } from './config';
import { inputsIn, optionsOf, type McpInput as DeclaredInput } from './inputs';
import { folderOf, issueWords } from './resolveServer';

export interface ConfiguredServers {
  servers: ConfiguredServer[];
  /** files that are no configuration, and why */
  problems: { file: string; message: string }[];
}

/** What a person is told of an entry; whether it is right in all, is said when it is used. */
const Entry = z.looseObject({
  command: z.string().optional(),
  args: z.array(z.string()).optional(),
  url: z.string().optional(),
});

/**
 * @param files configurations, absolute
 * @param setting servers of the window's settings, for `folder`
 */
export function configuredServers(
  files: readonly string[],
  setting: { servers: Readonly<Record<string, unknown>>; folder: string } | null = null,
): ConfiguredServers {
  const found: ConfiguredServers = { servers: [], problems: [] };
  const read = onceEach(readConfig);
  for (const file of files) {
    try {
      const { servers, inputs } = read(file);
      const folder = folderOf(file);
      for (const [name, entry] of Object.entries(servers))
        found.servers.push(describe({ name, entry, inputs, folder, file }, read));
    } catch (error) {
      found.problems.push({ file, message: (error as Error).message });
    }
  }
  for (const [name, entry] of Object.entries(setting?.servers ?? {}))
    found.servers.push(describe({ name, entry, inputs: [], folder: setting!.folder }, read));
  return found;
}

/** A file is read for each of its neighbour's servers: once is enough. */
function onceEach<T>(read: (file: string) => T): (file: string) => T {
  const known = new Map<string, T>();
  return (file) => known.get(file) ?? known.set(file, read(file)).get(file)!;
}

interface Described {
  name: string;
  entry: unknown;
  inputs: readonly DeclaredInput[];
  folder: string;
  file?: string;
}

function describe({ name, entry, inputs, folder, file }: Described, read: typeof readConfig): ConfiguredServer {
  const where = file ?? MCP_SETTING;
  const parsed = Entry.safeParse(entry);
  const { coach: _, ...decides } = parsed.data ?? {};
  const text = JSON.stringify(decides);
  const named = inputsIn(decides);
  const asked = inputs.filter(({ id }) => named.includes(id));
  const problem = parsed.error
    ? `${where}: ${name}: ${issueWords(parsed.error)}`
    : (problemOf(name, where, asked) ?? shadowed(name, folder, file, read));
  return {
    name,
    folder,
    ...(file === undefined ? {} : { file }),
    reach: oneLine(decides.url ?? [decides.command ?? '', ...(decides.args ?? [])].join(' ')),
    identity: createHash('sha256')
      .update(JSON.stringify([where, folder, name, decides]))
      .digest('hex'),
    inputs: asked.map(inputOf),
    variables: [...new Set([...text.matchAll(/\$\{env:([^}]+)\}/g)].map(([, variable]) => variable!))],
    ...(problem === undefined ? {} : { problem }),
  };
}

/** So that it can't pass for words of ours where a person is asked about it. */
const oneLine = (text: string): string => visible(text.replace(/\s+/g, ' '));

function inputOf(input: DeclaredInput): McpInput {
  const { id, description, default: value, password = false } = input;
  const options = optionsOf(input);
  return {
    id,
    ...(description === undefined ? {} : { description }),
    ...(value === undefined ? {} : { default: value }),
    isSecret: password,
    ...(options === undefined ? {} : { options }),
  };
}

function problemOf(name: string, where: string, inputs: readonly DeclaredInput[]): string | undefined {
  if (name.includes(',')) return `${where}: ${name}: its name has a comma; give it another`;
  const command = inputs.find(({ type }) => type === 'command');
  return command && `${where}: the input ${command.id} is of the type command; make it promptString`;
}

/** A run would find another one by this name. */
function shadowed(name: string, folder: string, own: string | undefined, read: typeof readConfig): string | undefined {
  try {
    const first = configFiles(folder).find((file) => file === own || Object.hasOwn(read(file).servers, name));
    return first === own ? undefined : `${first}: a server of this name stands there, too, and that one counts`;
  } catch (error) {
    return (error as Error).message;
  }
}

/** The servers of a window's workspace as they are configured: nothing is filled in, nothing is started. */
import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import { z } from 'zod';
import { MCP_SETTING, type ConfiguredServer, type McpInput } from '../../../protocol/mcp';
import { visible } from '../../../protocol/visible';
import { configFiles, readConfig } from './config';

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

const Input = z.object({
  id: z.string(),
  type: z.string().optional(),
  description: z.string().optional(),
  default: z.string().optional(),
  password: z.boolean().optional(),
  options: z.array(z.union([z.string(), z.object({ value: z.string() }).transform(({ value }) => value)])).optional(),
});
type Input = z.infer<typeof Input>;

/**
 * @param files configurations, absolute
 * @param setting servers of the window's settings, for `folder`
 */
export function configuredServers(
  files: readonly string[],
  setting: { servers: Readonly<Record<string, unknown>>; folder: string } | null = null,
): ConfiguredServers {
  const found: ConfiguredServers = { servers: [], problems: [] };
  for (const file of files) {
    try {
      const { servers, inputs } = readConfig(file);
      const folder = dirname(file).replace(/[/\\]\.vscode$/, '');
      for (const [name, entry] of Object.entries(servers))
        found.servers.push(describe({ name, entry, inputs, folder, file }));
    } catch (error) {
      found.problems.push({ file, message: (error as Error).message });
    }
  }
  for (const [name, entry] of Object.entries(setting?.servers ?? {}))
    found.servers.push(describe({ name, entry, inputs: [], folder: setting!.folder }));
  return found;
}

interface Described {
  name: string;
  entry: unknown;
  inputs: readonly unknown[];
  folder: string;
  file?: string;
}

function describe({ name, entry, inputs, folder, file }: Described): ConfiguredServer {
  const where = file ?? MCP_SETTING;
  const problems: string[] = [];
  const { coach: _, ...decides } = read(Entry, entry, `${where}: ${name}`, problems) ?? {};
  const text = JSON.stringify(decides);
  const asked = inputs
    .flatMap((input) => read(Input, input, `${where}: inputs`, problems) ?? [])
    .filter(({ id }) => text.includes(`\${input:${id}}`));
  const [problem = problemOf(name, where, asked) ?? shadowed(name, folder, file)] = problems;
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

function read<T>(shape: z.ZodType<T>, value: unknown, where: string, problems: string[]): T | undefined {
  const parsed = shape.safeParse(value);
  if (parsed.success) return parsed.data;
  const [{ path, message }] = parsed.error.issues as [z.core.$ZodIssue];
  problems.push(`${where}: ${path.join('.') || 'it'}: ${message}`);
  return undefined;
}

const inputOf = ({ id, description, default: value, password = false, options }: Input): McpInput => ({
  id,
  ...(description === undefined ? {} : { description }),
  ...(value === undefined ? {} : { default: value }),
  isSecret: password,
  ...(options === undefined ? {} : { options }),
});

function problemOf(name: string, where: string, inputs: readonly Input[]): string | undefined {
  if (name.includes(',')) return `${where}: ${name}: its name has a comma; give it another`;
  const command = inputs.find(({ type }) => type === 'command');
  return command && `${where}: the input ${command.id} is of the type command; make it promptString`;
}

/** A run would find another one by this name. */
function shadowed(name: string, folder: string, own: string | undefined): string | undefined {
  try {
    const first = configFiles(folder).find((file) => file === own || Object.hasOwn(readConfig(file).servers, name));
    return first === own ? undefined : `${first}: a server of this name stands there, too, and that one counts`;
  } catch (error) {
    return (error as Error).message;
  }
}

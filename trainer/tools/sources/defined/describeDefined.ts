/**
 * The schemas of defined tools: their files run in a tool host, under the same walls as in training, and each
 * definition is asked what it takes. Only for files that the user trusts.
 */
import type { ToolNetwork } from '../../../protocol/settings/choices';
import type { DefinedTool, Diagnostic, FileTool } from '../../../protocol/task';
import type { ToolDescription } from '../../hosts/inside/hostMessages';
import { loadDiagnostic } from '../../hosts/loadProblem';
import { openTypeScriptSource, type TypeScriptSource } from '../typescript/source';
import type { FoundTools } from '../typescript/toolFile';
import { atTool, withDescription } from './withDescription';

export interface DescribeOptions {
  /** Absolute; what hosts may read. */
  workspace: string;
  /** Default: allow. */
  network?: ToolNetwork;
  signal?: AbortSignal;
}

/** What running a file told of the tools that it defines. */
export interface DescribedFile {
  /** By the tool's name. */
  said: ReadonlyMap<string, ToolDescription>;
  /** Why the file, or all of its definitions, can't be read. */
  problems: Diagnostic[];
  /** The file and all of the user's own that it imports, absolute. */
  modules: string[];
}

const LIMITS = { timeoutMs: 10_000, outputBytes: 4 * 1024 * 1024, memoryMb: 512, size: 1 };

export const isDefined = (tool: FileTool): tool is DefinedTool => tool.binding.kind === 'defined';

/** What was found, with the schemas of its defined tools; those that have none to use are left out, and said. */
export async function describeDefined<T extends FoundTools>(found: T, options: DescribeOptions): Promise<T> {
  return withSchemas(found, await describeFiles(found.tools.filter(isDefined), options));
}

/** Runs the files of these tools, all in one host; what goes wrong is a problem of the file. By file. */
export async function describeFiles(
  tools: readonly DefinedTool[],
  options: DescribeOptions,
): Promise<Map<string, DescribedFile>> {
  const byFile = new Map<string, DefinedTool[]>();
  for (const tool of tools) byFile.set(tool.source.file, [...(byFile.get(tool.source.file) ?? []), tool]);
  const described = new Map<string, DescribedFile>();
  if (tools.length === 0) return described;
  let source: TypeScriptSource;
  try {
    source = await openTypeScriptSource({ ...options, ...LIMITS, tools, note: () => undefined });
  } catch (error) {
    options.signal?.throwIfAborted();
    for (const [file, own] of byFile) described.set(file, unread(own, error, [file]));
    return described;
  }
  try {
    for (const [file, own] of byFile) described.set(file, await describeFile(file, own, source));
  } finally {
    await source.close();
  }
  return described;
}

async function describeFile(file: string, tools: DefinedTool[], source: TypeScriptSource): Promise<DescribedFile> {
  const modules = source.modulesOf(file);
  const loadProblems = source.loadProblems.filter(({ entry }) => entry === modules[0]);
  if (loadProblems.length > 0) return { said: new Map(), problems: loadProblems.map(loadDiagnostic), modules };
  try {
    const said = await source.describe(
      file,
      tools.map(({ name, binding }) => ({ name, binding })),
    );
    return { said: new Map(tools.map(({ name }, i) => [name, said[i]!])), problems: [], modules };
  } catch (error) {
    return unread(tools, error, modules);
  }
}

function unread([first]: readonly DefinedTool[], error: unknown, modules: string[]): DescribedFile {
  const why = error instanceof Error ? error.message : String(error);
  return { said: new Map(), problems: [atTool(first!, `its definition can\u2019t be read: ${why}`, 'error')], modules };
}

/** Of files that were not run, the tools stay as they were found: without a schema. */
export function withSchemas<T extends FoundTools>(found: T, described: ReadonlyMap<string, DescribedFile>): T {
  if (described.size === 0) return found;
  const tools: FileTool[] = [];
  const diagnostics = [...found.diagnostics, ...problemsOf(described)];
  for (const tool of found.tools) {
    const file = isDefined(tool) ? described.get(tool.source.file) : undefined;
    const said = file?.said.get(tool.name);
    if (!file || !isDefined(tool)) tools.push(tool);
    else if (said) {
      const built = withDescription(tool, said);
      if (built.tool) tools.push(built.tool);
      diagnostics.push(...built.diagnostics);
    }
  }
  return { ...found, tools, diagnostics, files: [...new Set(tools.map(({ source: { file } }) => file))] };
}

/** Each once, though several tool files may fail at the one that they share. */
function problemsOf(described: ReadonlyMap<string, DescribedFile>): Diagnostic[] {
  const all = [...described.values()].flatMap(({ problems }) => problems);
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
}

/**
 * The schemas of defined tools: their files run in a tool host, under the same walls as in training, and each definition
 * is asked what it takes. Only for files that the user trusts.
 */
import type { ToolNetwork } from '../../../protocol/settings/choices';
import type { DefinedTool, Diagnostic, FileTool } from '../../../protocol/task';
import type { ToolDescription } from '../../hosts/inside/hostMessages';
import { loadDiagnostic } from '../../hosts/loadProblem';
import { writtenSchema } from '../../schema/writtenSchema';
import { changesWorld } from '../typescript/discovery/changesWorld';
import { openTypeScriptSource, type TypeScriptSource } from '../typescript/source';
import type { FoundTools } from '../typescript/toolFile';

export interface DescribeOptions {
  /** Absolute; what hosts may read. */
  workspace: string;
  /** Default: allow. */
  network?: ToolNetwork;
  signal?: AbortSignal;
}

const LIMITS = { timeoutMs: 10_000, outputBytes: 4 * 1024 * 1024, memoryMb: 512, size: 1 };

export const isDefined = (tool: FileTool): tool is DefinedTool => tool.binding.kind === 'defined';

/**
 * @returns what was found, with the schemas of its defined tools; those that have none that could be used are left out,
 * and said at their place
 * @throws Error where no host can be started
 */
export async function describeDefined<T extends FoundTools>(found: T, options: DescribeOptions): Promise<T> {
  const defined = found.tools.filter(isDefined);
  if (defined.length === 0) return found;
  const source = await openTypeScriptSource({ ...options, ...LIMITS, tools: defined, note: () => undefined });
  try {
    const files = [...new Set(defined.map(({ source: { file } }) => file))];
    const described = await Promise.all(
      files.map((file) => describeFile(defined.filter((tool) => tool.source.file === file), source)),
    );
    const tools = new Map(described.flatMap((each) => each.tools));
    const kept = found.tools.flatMap((tool) => (isDefined(tool) ? (tools.get(tool) ?? []) : [tool]));
    return {
      ...found,
      tools: kept,
      files: [...new Set(kept.map(({ source: { file } }) => file))],
      diagnostics: [
        ...found.diagnostics,
        ...source.loadProblems.map(loadDiagnostic),
        ...described.flatMap(({ diagnostics }) => diagnostics),
      ],
    };
  } finally {
    await source.close();
  }
}

interface Described {
  tools: [DefinedTool, DefinedTool][];
  diagnostics: Diagnostic[];
}

async function describeFile(tools: readonly DefinedTool[], source: TypeScriptSource): Promise<Described> {
  const file = tools[0]!.source.file;
  const asked = tools.map(({ name, binding }) => ({ name, binding }));
  let descriptions: ToolDescription[];
  try {
    descriptions = await source.describe(file, asked);
  } catch (error) {
    if (source.loadProblems.length > 0) return { tools: [], diagnostics: [] }; // said with its place
    return { tools: [], diagnostics: [at(tools[0]!, `its definitions can\u2019t be read: ${(error as Error).message}`, 'error')] };
  }
  const described: Described = { tools: [], diagnostics: [] };
  tools.forEach((tool, i) => {
    const one = withDescription(tool, descriptions[i]!);
    if (one.tool) described.tools.push([tool, one.tool]);
    described.diagnostics.push(...one.diagnostics);
  });
  return described;
}

/** What a definition said, as the tool's schema; no tool where it can't be used. */
export function withDescription(
  tool: DefinedTool,
  said: ToolDescription,
): { tool: DefinedTool | null; diagnostics: Diagnostic[] } {
  const broken = (message: string) => ({ tool: null, diagnostics: [at(tool, message, 'error')] });
  if (said.problem !== undefined) return broken(said.problem);
  let parameters: DefinedTool['parameters'];
  try {
    parameters = writtenSchema(tool.name, said.parameters);
  } catch (error) {
    return broken((error as Error).message);
  }
  const description = (said.description ?? tool.description).trim();
  const warnings = [
    ...(description === '' ? ['no description; the model chooses a tool by it'] : []),
    ...(said.isMockOnly && !tool.binding.isMockOnly ? ['no function answers it, so its results are always mocked'] : []),
    ...said.remarks,
  ].map((message) => at(tool, message, 'warning'));
  const undescribed = Object.entries((parameters['properties'] ?? {}) as Record<string, { description?: unknown }>)
    .filter(([, schema]) => typeof schema.description !== 'string')
    .map(([name]) => ({ ...at(tool, '', 'warning'), message: `${tool.name}.${name}: no description` }));
  const byWords = tool.changesWorld || (description !== tool.description && changesWorld(tool.name, description, undefined));
  return {
    tool: {
      ...tool,
      description,
      parameters,
      ...(said.returns ? { returns: said.returns } : {}),
      binding: { ...tool.binding, ...(said.isMockOnly ? { isMockOnly: true } : {}) },
      changesWorld: said.changesWorld ?? byWords,
    },
    diagnostics: [...warnings, ...undescribed],
  };
}

const at = ({ name, source }: DefinedTool, message: string, severity: Diagnostic['severity']): Diagnostic => ({
  ...source,
  severity,
  message: `${name}: ${message}`,
});

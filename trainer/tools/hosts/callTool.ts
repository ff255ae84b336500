/**
 * The tools of a run, from all their sources, and the user's rewards: what runs, evaluations and the playground open,
 * by one set of options.
 */

import { openRegistry, type RegistryOptions, type ToolRegistry } from '../registry';
import type { FoundServer } from '../sources/mcp/discover';
import type { McpOptions } from '../sources/mcp/source';
import type { ToolSource } from '../sources/toolSource';
import { openTypeScriptSource, type TypeScriptOptions, type TypeScriptSource } from '../sources/typescript/source';

export type { ToolSession } from '../sources/toolSource';

export interface HostOptions extends TypeScriptOptions, RegistryOptions {
  workspace: string;
  /** Beside the tool files; closed with them. */
  sources?: readonly ToolSource[];
  /** MCP servers, as they were discovered. */
  servers?: readonly FoundServer[];
}

export interface ToolHosts
  extends ToolRegistry,
    Pick<TypeScriptSource, 'rewards' | 'scoreReward' | 'walls' | 'loadProblems' | 'modules'>,
    AsyncDisposable {}

/**
 * @throws UserError where two tools have one name
 * @throws Error when no host can be started or a tool's schema cannot be compiled
 */
export async function openToolHosts(options: HostOptions): Promise<ToolHosts> {
  const { timeoutMs, outputBytes, network, note, servers = [] } = options;
  const remote = servers.length === 0 ? [] : await mcpSources(servers, { timeoutMs, outputBytes, network, note });
  const closing = (sources: readonly ToolSource[]) => async (error: unknown) => {
    await Promise.all(sources.map((source) => source.close()));
    throw error;
  };
  const others = [...(options.sources ?? []), ...remote];
  const files = await openTypeScriptSource(options).catch(closing(others));
  const sources = [files, ...others];
  const registry = await openRegistry(sources, options).catch(closing(sources));
  const { rewards, scoreReward, walls, loadProblems, modules } = files;
  return {
    ...registry,
    rewards,
    scoreReward,
    walls,
    loadProblems,
    modules,
    [Symbol.asyncDispose]: () => registry.close(),
  };
}

/** Its protocol is loaded where there is a server. */
async function mcpSources(
  servers: readonly FoundServer[],
  limits: Omit<McpOptions, keyof FoundServer>,
): Promise<ToolSource[]> {
  const { mcpSource } = await import('../sources/mcp/source');
  return servers.map((found) => mcpSource({ ...found, ...limits }));
}

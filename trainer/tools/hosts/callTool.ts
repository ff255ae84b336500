/**
 * The tools of a run, from all their sources, and the user's rewards: what runs, evaluations and the playground open,
 * by one set of options.
 */

import { openRegistry, type RegistryOptions, type ToolRegistry } from '../registry';
import type { ToolSource } from '../sources/toolSource';
import { openTypeScriptSource, type TypeScriptOptions, type TypeScriptSource } from '../sources/typescript/source';

export type { ToolSession } from '../sources/toolSource';

export interface HostOptions extends TypeScriptOptions, RegistryOptions {
  workspace: string;
  /** Beside the tool files; closed with them. */
  sources?: readonly ToolSource[];
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
  const files = await openTypeScriptSource(options);
  const sources = [files, ...(options.sources ?? [])];
  const registry = await openRegistry(sources, options).catch(async (error: unknown) => {
    await Promise.all(sources.map((source) => source.close()));
    throw error;
  });
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

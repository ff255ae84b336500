/** The tool hosts of a run or a command, by its settings. */
import type { TellNote } from '../../protocol/note';
import type { RunConfig } from '../../protocol/runConfig';
import { DEFAULTS } from '../../protocol/settings/defaults';
import { isFileTool } from '../../protocol/task';
import type { HostOptions, ToolHosts } from '../../tools/hosts/callTool';
import type { Discovered } from '../../tools/sources/typescript/discover';
import { policyOf } from '../mockTools';
import type { Dependencies } from '../dependencies';
import { withLimits } from '../settings';

/** The tool hosts of a run, by its settings. */
export function openHosts({
  config,
  found,
  workspace,
  note,
  ask,
  dependencies,
  signal,
}: {
  config: RunConfig;
  found: Discovered;
  workspace: string;
  note: TellNote;
  ask: HostOptions['ask'];
  dependencies: Pick<Dependencies, 'openHosts'>;
  signal?: AbortSignal;
}): Promise<ToolHosts> {
  return dependencies.openHosts({
    tools: found.tools.filter(isFileTool),
    ...(found.servers ? { servers: found.servers } : {}),
    workspace,
    policyOf: policyOf(config),
    ask,
    timeoutMs: config.toolTimeoutMs,
    outputBytes: withLimits(config).toolOutputBytes,
    memoryMb: config.toolMemoryMb,
    network: config.toolNetwork,
    seed: config.seed,
    rewards: found.rewards,
    checksSchema: config.guardSchema ?? DEFAULTS.guardSchema,
    note: saidOnce(note),
    ...(signal ? { signal } : {}),
  });
}

/** Hosts are opened more than once for a command; how its network is, is said once. */
const saidNetwork = new WeakSet<TellNote>();

const saidOnce =
  (note: TellNote): TellNote =>
  (level, code, message, diagnostic) => {
    if (code === 'toolNetwork') {
      if (saidNetwork.has(note)) return;
      saidNetwork.add(note);
    }
    note(level, code, message, diagnostic);
  };

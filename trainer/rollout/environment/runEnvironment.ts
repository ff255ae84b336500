import type { LimitedConfig, RunConfig } from '../../protocol/runConfig';
import type { EpisodeRequest } from '../record';
import type { Environment } from './environment';
import { guardsOf } from './guard/guard';
import { guarded } from './guards';
import { ToolEnvironment, type ToolEnvironmentOptions } from './tools';

/** The environments of a run's episodes, as its settings have them: its tools, behind its guards. */
export const environmentsOf =
  (o: Pick<ToolEnvironmentOptions, 'tools' | 'shown' | 'hosts' | 'now'> & { config: LimitedConfig }) =>
  ({ id }: Pick<EpisodeRequest, 'id'>): Environment =>
    guarded(new ToolEnvironment(id, { ...o, callLimitMs: callLimitMs(o.config) }), guardsOf(o.config), o.now);

/** A person who is asked may take an hour; a tool has its timeout, a retry and a new host. */
const callLimitMs = (config: RunConfig): number =>
  config.toolPolicy === 'ask' ? 3_600_000 : 3 * config.toolTimeoutMs + 30_000;

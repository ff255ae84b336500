import type { LimitedConfig, RunConfig } from '../../protocol/runConfig';
import type { ShowsTools } from '../../tools/retrieval/shownTools';
import type { EpisodeRequest } from '../record';
import type { Environment } from './environment';
import { guardsOf } from './guard/guard';
import { guarded } from './guards';
import { LookUps } from './lookUps';
import { ToolEnvironment, type ToolEnvironmentOptions } from './tools';

export interface RunEnvironmentOptions extends Pick<ToolEnvironmentOptions, 'tools' | 'hosts' | 'now'> {
  config: LimitedConfig;
  /** which of the tools an episode is shown; absent or null: all */
  shown?: ShowsTools | null | undefined;
}

/** The environments of a run's episodes, as its settings have them: its tools, behind its guards. */
export const environmentsOf =
  ({ shown, ...o }: RunEnvironmentOptions) =>
  ({ id }: Pick<EpisodeRequest, 'id'>): Environment => {
    const begin = shown?.begin;
    const ofTools = (few: ToolEnvironmentOptions['shown']): Environment =>
      guarded(
        new ToolEnvironment(id, { ...o, shown: few, callLimitMs: callLimitMs(o.config) }),
        guardsOf(o.config),
        o.now,
      );
    return begin ? new LookUps(ofTools(null), { begin, now: o.now }) : ofTools(shown);
  };

/** A person who is asked may take an hour; a tool has its timeout, a retry and a new host. */
const callLimitMs = (config: RunConfig): number =>
  config.toolPolicy === 'ask' ? 3_600_000 : 3 * config.toolTimeoutMs + 30_000;

import type { Truncation } from '../../model/decoding/truncate';
import type { LimitedConfig, RunConfig } from '../../protocol/runConfig';
import type { Trace } from '../../protocol/trace';

/** How a policy is sampled; the same before, while and after training. */
export interface Sampling extends Truncation {
  /** 0 = greedy */
  temperature: number;
  /** of the choices inside a call, where a schema constrains them; default: as all the rest */
  callTemperature?: number | undefined;
  /** what the policy may write in one turn */
  maxTurnTokens: number;
  /** whole episode, prompt included */
  maxTokens: number;
  /** above 1: ids that were read or written become less likely; default 1 */
  repetitionPenalty?: number | undefined;
}

/** As a run's settings have it. */
export const samplingOf = (config: LimitedConfig, temperature: number): Sampling => ({
  temperature,
  maxTurnTokens: config.maxTurnTokens,
  maxTokens: config.maxTokens,
  topK: config.topK,
  topP: config.topP,
  minP: config.minP,
  repetitionPenalty: config.repetitionPenalty,
});

/** Of rollouts that are to differ: where a run's temperature is 0, greedy, that is 1. */
export const exploringTemperature = ({ temperature }: Pick<RunConfig, 'temperature'>): number => temperature || 1;

/** What a setting comes to, of the embedded model or of another. */
export const constraintOf = (setting: RunConfig['constraint'], isNano: boolean): Trace['constraint'] =>
  setting === 'auto' ? (isNano ? 'schema+spans+words' : 'none') : setting;

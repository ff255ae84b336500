import type { LaneFeed } from '../../model/decoding/sharedRows';
import type { Truncation } from '../../model/decoding/truncate';
import type { LimitedConfig, RunConfig } from '../../protocol/runConfig';
import type { Grammar, SpanSource, TurnConstraint } from '../../model/decoding/constrained/grammar';
import type { ToolCallParser } from '../parser';

/** How a policy is sampled; the same before, while and after training. */
export interface Sampling extends Truncation {
  /** 0 = greedy */
  temperature: number;
  maxTurns: number;
  /** what the policy may write in one turn */
  maxTurnTokens: number;
  /** after this a call counts as lost, ms; well above the hosts' own limits */
  callLimitMs: number;
  /** whole episode, prompt included */
  maxTokens: number;
  /** above 1: ids that were read or written become less likely; default 1 */
  repetitionPenalty?: number | undefined;
}

/** As a run's settings have it. */
export const samplingOf = (config: LimitedConfig, temperature: number): Sampling => ({
  temperature,
  maxTurns: config.maxTurns,
  maxTurnTokens: config.maxTurnTokens,
  callLimitMs: callLimitMs(config),
  maxTokens: config.maxTokens,
  topK: config.topK,
  topP: config.topP,
  minP: config.minP,
  repetitionPenalty: config.repetitionPenalty,
});

/** Of rollouts that are to differ: where a run's temperature is 0, greedy, that is 1. */
export const exploringTemperature = ({ temperature }: Pick<RunConfig, 'temperature'>): number => temperature || 1;

/** A person who is asked may take an hour; a tool has its timeout, a retry and a new host. */
const callLimitMs = (config: RunConfig): number =>
  config.toolPolicy === 'ask' ? 3_600_000 : 3 * config.toolTimeoutMs + 30_000;

/**
 * A batch of episodes that a policy writes together. `feed` appends ids that were not sampled in it (prompt, forced
 * text, tool results), or were;
 * it answers with the logits after the last id of each lane.
 */
export interface LaneBatch {
  /** a step computes lanes that read few ids apart from those that read many (chooseFeed.ts) */
  readonly isParted?: boolean;
  start(prompts: readonly (readonly number[])[]): Promise<Float32Array[]>;
  step(feeds: readonly LaneFeed[]): Promise<Float32Array[]>;
  /**
   * how many ids of each feed cost nothing, all or none, since other lanes have read the same; null: all, since an
   * earlier one of these feeds is the same
   */
  known(feeds: readonly LaneFeed[]): (number | null)[];
  release(lanes: readonly number[]): void;
  close(): void;
}

/** What samples. `version` names the checkpoint; it is recorded on each trace. */
export interface Policy {
  readonly name: string;
  version: string;
  readonly constraint: 'none' | 'schema' | 'schema+spans' | 'schema+spans+words';
  readonly grammar: Grammar | null;
  readonly parser: ToolCallParser;
  readonly vocabSize: number;
  readonly endIds: ReadonlySet<number>;
  /** for the person who started the run: how the model is spoken to, where that is not what one may expect */
  readonly notes: readonly string[];
  openLanes(): LaneBatch;
}

/** A turn without a grammar: anything, until an end token. */
export const turnConstraint = (policy: Policy, source: SpanSource): TurnConstraint | null =>
  policy.grammar?.turn(source) ?? null;

/** What a setting comes to, of the embedded model or of another. */
export const constraintOf = (setting: RunConfig['constraint'], isNano: boolean): Policy['constraint'] =>
  setting === 'auto' ? (isNano ? 'schema+spans+words' : 'none') : setting;

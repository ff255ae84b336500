/** The largest micro-batch that a run's settings allow: what its memory is planned for, and what is tried first. */
import type { TrainedTrace } from '../../learning/batch';
import type { LimitedConfig, RunConfig } from '../../protocol/runConfig';
import { isSampled } from '../../protocol/runMethod';
import { DEFAULTS } from '../../protocol/settings/defaults';
import type { Task, ToolSchema } from '../../protocol/task';
import type { ChatTemplate } from '../../model/tokenizer/chatTemplate';
import type { Tokenizer } from '../../model/tokenizer/tokenizer';
import { isTruncated } from '../../model/decoding/truncate';
import { constraintOf } from '../../rollout/policy/sampling';
import { stepParts } from './microBatches';

/** The most examples that an SFT step takes where nobody set how many. */
export const MOST_EXAMPLES = 64;

/** Of a run's prompts, in tokens. */
export interface PromptLengths {
  /** what all begin with, the tools' descriptions above all */
  shared: number;
  /** the shortest whole prompt: it leaves the most to write */
  shortest: number;
}

/** @param others where prompts have sets of tools of their own: another set than these; default: all have these */
export function promptLengths(
  tokenizer: Tokenizer,
  template: ChatTemplate,
  tools: readonly ToolSchema[],
  tasks: readonly Task[],
  others: readonly ToolSchema[] = tools,
): PromptLengths {
  const idsOf = (content: string, of = tools): number[] =>
    tokenizer.encode(template.render([{ role: 'user', content }], of, true));
  const [a, b] = [idsOf('a'), idsOf('0', others)];
  const differs = a.findIndex((id, i) => id !== b[i]);
  const shortest = tasks
    .map(({ prompt }) => prompt)
    .reduce((least, prompt) => (prompt.length < least.length ? prompt : least), tasks[0]?.prompt ?? 'a');
  return { shared: differs < 0 ? a.length : differs, shortest: idsOf(shortest).length };
}

/** Whether a gradient flows to the entropies. */
export const learnsEntropy = ({
  entropyCoefficient = DEFAULTS.entropyCoefficient,
}: Pick<RunConfig, 'entropyCoefficient'>): boolean => entropyCoefficient > 0;

/** Whether not every token may be sampled, so that training needs to know which. */
export const isHeld = (config: Pick<RunConfig, 'constraint' | 'model' | 'topK' | 'topP' | 'minP'>): boolean =>
  constraintOf(config.constraint, config.model === 'nano') !== 'none' || isTruncated(config);

/** One micro-batch of a step. */
export interface LongestBatch {
  groups: TrainedTrace[][];
  /** tokens that are computed once a step (StepParts) */
  shared: number;
}

/**
 * Groups of made-up sequences, each of maxTokens, as few of it prompt and as much of it trained as there may be, and as
 * many groups as share a micro-batch.
 * Tools' results come before what is trained, so that nothing behind it is left out.
 */
export function longestBatch(config: LimitedConfig, { shared, shortest }: PromptLengths): LongestBatch {
  const {
    method,
    maxTokens,
    maxTurns,
    maxTurnTokens,
    groupSize,
    promptsPerStep,
    batchSize = method === 'sft' ? MOST_EXAMPLES : DEFAULTS.batchSize,
  } = config;
  const prompt = Math.min(shortest, maxTokens - 1);
  const trained =
    isSampled(config) && (config.dpoTokens ?? DEFAULTS.dpoTokens) !== 'all'
      ? Math.min(maxTurns * maxTurnTokens, maxTokens - prompt)
      : maxTokens - prompt;
  const sequences = method === 'grpo' ? groupSize : method === 'dpo' ? 2 : 1;
  // and no more, and one that is too many, if the step has it
  const fitting = 2 + Math.floor(config.tokensPerMicroBatch / (sequences * (maxTokens - prompt)));
  const allowed: TrainedTrace['allowed'] = new Map(isHeld(config) ? [[maxTokens - 1, Int32Array.of(0)]] : []);
  const groups = Array.from({ length: Math.min(fitting, isSampled(config) ? promptsPerStep : batchSize) }, (_, g) =>
    Array.from({ length: sequences }, (_, i): TrainedTrace => {
      const ids = Array<number>(maxTokens).fill(0);
      // groups differ behind what all begin with, the sequences of one behind its prompt
      if (shared < prompt) ids[shared] = 1 + (g % 64);
      ids[prompt] = 1 + (i % 64);
      return {
        trace: {
          tokens: {
            ids,
            logprobs: ids.map(() => 0),
            completionMask: ids.map((_, t) => (t >= maxTokens - trained ? 1 : 0)),
          },
        },
        allowed,
      };
    }),
  );
  const step = stepParts(groups, config, method === 'grpo');
  return { groups: step.parts[0]!, shared: step.shared };
}

import { batchShape } from '../../learning/batch';
import type { TrainerEventBody } from '../../protocol/messages';
import { UserError } from '../../protocol/result';
import { longestBatch } from './longest';
import { megabytes, planWords, type MemoryCheck } from './memoryCheck';
import type { Session } from './session';
import type { Training } from '../loop';

/**
 * The longest sample first: one micro-batch of the largest shape that the settings allow, forward and backward, and
 * thrown away. What runs out of memory does so
 * now and not in hour two. Weights, optimiser and random streams are as before, so the run and its resumes have the
 * same bytes with and without it.
 * @throws UserError with the plan where it fails
 */
export async function* tryLongest(
  s: Session,
  method: Pick<Training, 'tryOut'>,
  { plan, room, planned }: MemoryCheck,
): AsyncGenerator<TrainerEventBody, void> {
  const { config, now } = s.context;
  const longest = longestBatch(config, planned.prompts);
  const { isBehind, prefix, rows, length, trained } = batchShape(
    longest.groups,
    planned.model.vocabSize,
    longest.shared,
  );
  const shape = isBehind
    ? `${rows * length} tokens, ${trained} of them trained, behind ${prefix} that are computed once a step`
    : `${prefix + rows * length} tokens, ${trained} of them trained`;
  // on disk before it: of what the system kills, this is what remains
  yield { type: 'noted', level: 'info', code: 'memoryTried', message: `Trying the longest sample first: ${shape}` };
  const startedAt = now();
  try {
    await method.tryOut(longest);
  } catch (error) {
    throw new UserError(
      'device',
      `the longest sample (${shape}) could not be trained on: ${(error as Error).message}. ` +
        `${planWords(plan, room, s.context.config.finetuning === 'full')}`,
      'Lower tokensPerMicroBatch, maxTokens or groupSize, or take a smaller model.',
    );
  }
  const { weights, reference, adapter, optimiser, activations, logits, overhead } = plan;
  const expected = weights + reference + adapter + optimiser + activations + logits + overhead;
  const peak = process.resourceUsage().maxRSS * 1024;
  yield {
    type: 'noted',
    level: 'info',
    code: 'memoryFits',
    message:
      `The longest sample fits: the process took ${megabytes(peak)} at most, planned were ` +
      `${megabytes(expected)} (without decoding); ${((now() - startedAt) / 1000).toFixed(1)} s`,
  };
}

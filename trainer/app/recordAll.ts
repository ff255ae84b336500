/** What a recipe tells, onto the disk, to its end; and what it threw, as an event says it. */
import { systemError } from '../base/storage';
import type { RunResult, TrainerEventBody } from '../protocol/messages';
import { UserError, type TrainerError } from '../protocol/result';
import type { Recipe } from '../recipes/recipe';

/**
 * Each event onto the disk before the recipe goes on. A recipe that a stop threw out of (AbortError) was stopped, too.
 */
export async function recordAll(
  events: ReturnType<Recipe>,
  record: (body: TrainerEventBody) => void,
  signal: AbortSignal,
  fromStep: number,
): Promise<{ result: RunResult | null; step: number }> {
  let step = fromStep;
  try {
    for (;;) {
      const next = await events.next();
      if (next.done) return { result: next.value, step };
      if (next.value.type === 'stepFinished') step = next.value.step;
      record(next.value);
    }
  } catch (error) {
    if (signal.aborted && error instanceof Error && error.name === 'AbortError') return { result: null, step };
    throw error;
  } finally {
    await events.return(null); // where recording failed, the recipe still has to let its tensors go
  }
}

export function toTrainerError(thrown: unknown): TrainerError {
  const error = systemError(thrown) ?? thrown;
  if (error instanceof UserError) return error.toTrainerError();
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { border: 'device', message, hint: 'This is a fault of Coach, not of yours; please report it.' };
}

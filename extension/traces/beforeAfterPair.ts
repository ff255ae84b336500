/** Which two episodes of a task show what training changed. Pure, free of `vscode`. */
import type { TraceSummary } from '../../trainer/protocol/trace';

type Episode = Pick<TraceSummary, 'id' | 'phase' | 'step' | 'checkpoint' | 'superseded'>;

const UNTRAINED = ['base', 'start'];
const isBefore = ({ phase, checkpoint }: Episode): boolean =>
  phase === 'before' || (phase === 'try' && checkpoint !== undefined && UNTRAINED.includes(checkpoint));

/** What is measured stands for the model rather than what was sampled in training, which explores. */
const NEAREST: TraceSummary['phase'][][] = [['after', 'try'], ['validation'], ['train']];

/**
 * The newest episode before training and the newest after it; the one that is shown counts for its own side.
 * @param ofTask all episodes of the task, as they came. null: there is none
 */
export function beforeAfterPair<E extends Episode>(
  ofTask: readonly E[],
  shown: E | undefined,
): { before: E | null; after: E | null } {
  const all = ofTask.filter(({ superseded }) => !superseded);
  const later = all.filter((one) => !isBefore(one));
  const after =
    NEAREST.map((phases) => later.filter(({ phase }) => phases.includes(phase)).at(-1)).find(Boolean) ?? null;
  const before = all.filter(isBefore).at(-1) ?? null;
  if (shown === undefined) return { before, after };
  return isBefore(shown) ? { before: shown, after } : { before, after: shown };
}

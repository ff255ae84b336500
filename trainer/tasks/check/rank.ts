import { z } from 'zod';

/** Marks of one request, each from 0 to 10. */
const Marks = z.object({
  id: z.string(),
  aligned: z.number().min(0).max(10),
  needsTools: z.number().min(0).max(10),
  concrete: z.number().min(0).max(10),
});
export const RankReply = z.object({ requests: z.array(Marks) });

/**
 * Which of a ranked set to keep: all but the lowest fifth, by the mean of the marks; those without marks are kept. Ties
 * fall in the order of the list, later ones first.
 * @param marks mean mark of each; null: not ranked
 */
export function keepRanked(marks: readonly (number | null)[], share = 0.2): boolean[] {
  const ranked = marks
    .flatMap((mark, i) => (mark === null ? [] : [{ mark, i }]))
    .sort((a, b) => a.mark - b.mark || b.i - a.i);
  const dropped = new Set(ranked.slice(0, Math.floor(share * ranked.length)).map(({ i }) => i));
  return marks.map((_, i) => !dropped.has(i));
}

export const meanMark = ({ aligned, needsTools, concrete }: z.infer<typeof Marks>): number =>
  (aligned + needsTools + concrete) / 3;

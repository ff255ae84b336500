/** What benchmarks have in common on the command line: how many questions, how far they are, what came of them. */
import type { Success } from '../../protocol/messages';
import { UserError } from '../../protocol/result';
import type { LimitedConfig } from '../../protocol/runConfig';
import { percent, table, type Output } from './output';

/** `--count`; null: all. @throws UserError */
export function countOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  const count = Number(text);
  if (!/^\d+$/.test(text) || count < 1)
    throw new UserError(
      'config',
      `--count must be a whole number of at least 1, got ${text}`,
      'Leave it out for all questions.',
    );
  return count;
}

/** A line every ten questions, or a bar. */
export const progressOf =
  (out: Output) =>
  (done: number, total: number): void => {
    if (out.hasBar) out.showBar(`Measuring ${done}/${total}`);
    else if (done % 10 === 0 || done === total) out.progress(`Measured ${done}/${total}`);
  };

/** A benchmark's last words. @param said which questions were asked */
export function sayBenchmark(
  out: Output,
  { n, success, ci95, byTag = {}, reasons, noRoom }: Success & { reasons: Record<string, number>; noRoom: number },
  { maxTokens }: LimitedConfig,
  { benchmark, said: asked }: { benchmark: object[]; said: string },
): void {
  out.clearBar();
  out.json({ n, success, ci95, byTag, benchmark, reasons, noRoom });
  out.text(asked);
  out.text(
    success === null
      ? 'no question'
      : `${percent(success)} of ${n} ` +
          `right${ci95 ? ` (95 % interval ${percent(ci95[0])} to ${percent(ci95[1])})` : ''}`,
  );
  out.text(table(Object.entries(byTag).map(([tag, part]) => [`  ${tag}`, percent(part.success), `n ${part.n}`])));
  if (Object.keys(reasons).length > 0)
    out.text(
      `what was wrong first:\n${table(Object.entries(reasons).map(([reason, times]) => [`  ${reason}`, `${times}`]))}`,
    );
  if (noRoom > 0)
    out.warn(
      `${noRoom} of ${n} questions were not asked, and count as wrong: with their functions they ` +
        `are longer than maxTokens ${maxTokens}. Raise it by --max-tokens.`,
    );
}

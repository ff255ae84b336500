/** What benchmarks have in common on the command line: how many questions, how far they are, what came of them. */
import type { BenchmarkOptions, BenchmarkSuccess } from '../../evaluation/benchmarks/benchmark';
import type { TrainedWeights } from '../../model/weights/trainedWeights';
import { UserError } from '../../protocol/result';
import type { LimitedConfig } from '../../protocol/runConfig';
import type { CommandContext } from './command';
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

/** Asks a benchmark's questions with an engine of its own, and says what came of them. @returns the exit code */
export async function measureBenchmark(
  { config, trained, ...asked }: Asked & { config: LimitedConfig; trained: TrainedWeights | null },
  { cwd, dependencies, out, signal, now }: CommandContext,
  ask: (options: BenchmarkOptions) => Promise<BenchmarkSuccess>,
): Promise<number> {
  const engine = await dependencies.openEngine(config, (message) => out.warn(message));
  try {
    const modelFolder = dependencies.modelFolder(config.model, cwd);
    const result = await ask({ modelFolder, config, trained, engine, signal, now, onProgress: progressOf(out) });
    if (signal.aborted) return 130;
    sayBenchmark(out, result, config, asked);
    return 0;
  } finally {
    engine.dispose();
  }
}

/** Which questions were asked, for programs and in words. */
interface Asked {
  benchmark: object[];
  said: string;
}

/** A line every ten questions, or a bar. */
const progressOf =
  (out: Output) =>
  (done: number, total: number): void => {
    if (out.hasBar) out.showBar(`Measuring ${done}/${total}`);
    else if (done % 10 === 0 || done === total) out.progress(`Measured ${done}/${total}`);
  };

/** A benchmark's last words. */
function sayBenchmark(
  out: Output,
  { n, success, ci95, byTag = {}, reasons, noRoom }: BenchmarkSuccess,
  { maxTokens }: LimitedConfig,
  { benchmark, said: asked }: Asked,
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

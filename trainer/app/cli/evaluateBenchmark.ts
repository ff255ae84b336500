/** `coach evaluate … --benchmark`: a public benchmark from the user's own copy of it, as held-out measure. */
import { resolve } from 'node:path';
import { categoryOf } from '../../rewards/bfcl/categories';
import { bfclDataFolder, readEntries, type EntryFile } from '../../evaluation/benchmarks/bfcl/entries';
import { UserError } from '../../protocol/result';
import type { TrainedWeights } from '../../model/weights/trainedWeights';
import { parseSettings, withLimits } from '../settings';
import { valueOf, type Arguments, type CommandContext } from './command';
import { percent, table } from './output';

/** Room for several calls; training's own limit on a turn is for one. */
const TURN_TOKENS = 256;

export async function evaluateBenchmark(
  args: Arguments,
  { settings, trained }: { settings: Record<string, unknown>; trained: TrainedWeights | null },
  { cwd, dependencies, out, environment, signal, now }: CommandContext,
): Promise<number> {
  const categories = [
    ...new Set(
      valueOf(args, 'benchmark')!
        .split(',')
        .map((name) => categoryOf(name.trim())),
    ),
  ];
  const count = countOf(valueOf(args, 'count'));
  const named = valueOf(args, 'data') ?? environment['COACH_BFCL_DATA'];
  if (!named)
    throw new UserError(
      'config',
      'coach evaluate --benchmark needs --data FOLDER',
      'pip install bfcl-eval, and give its folder (site-packages/bfcl_eval), here or in COACH_BFCL_DATA.',
    );
  const folder = bfclDataFolder(resolve(cwd, named));
  const files = categories.map((category) => readEntries(folder, category, count));
  // a run's own tools are not asked; its limits hold
  const config = withLimits(
    parseSettings({
      ...settings,
      toolFile: folder,
      maxTurnTokens: Math.max(TURN_TOKENS, Number(settings['maxTurnTokens'] ?? 0)),
      engine: valueOf(args, 'engine') ?? settings['engine'] ?? 'auto',
    }),
  );
  const engine = await dependencies.openEngine(config, (message) => out.warn(message));
  try {
    const evaluateBfcl = await dependencies.evaluateBfcl();
    const onProgress = (done: number, total: number) => {
      if (out.hasBar) out.showBar(`Measuring ${done}/${total}`);
      else if (done % 10 === 0 || done === total) out.progress(`Measured ${done}/${total}`);
    };
    const {
      n,
      success,
      ci95,
      byTag = {},
      reasons,
      noRoom,
    } = await evaluateBfcl({
      modelFolder: dependencies.modelFolder(config.model, cwd),
      config,
      trained,
      entries: files.flatMap((file) => file.entries),
      engine,
      signal,
      now,
      onProgress,
    });
    if (signal.aborted) return 130;
    out.clearBar();
    out.json({
      n,
      success,
      ci95,
      byTag,
      benchmark: files.map(({ category, release, entries, total }) => ({
        category,
        release,
        n: entries.length,
        of: total,
      })),
      reasons,
      noRoom,
    });
    out.text(files.map(said).join(', '));
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
          `are longer than maxTokens ${config.maxTokens}. Raise it by --max-tokens.`,
      );
    return 0;
  } finally {
    engine.dispose();
  }
}

const said = ({ category, release, entries, total }: EntryFile): string =>
  `${release} ${category}: ` +
  `${entries.length < total ? `the first ${entries.length} of ${total}` : `all ${total}`} questions`;

function countOf(text: string | undefined): number | null {
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

/** `coach evaluate … --benchmark`: a public benchmark from the user's own copy of it, as held-out measure. */
import { resolve } from 'node:path';
import { categoryOf } from '../../rewards/bfcl/categories';
import { bfclDataFolder, readEntries, type EntryFile } from '../../evaluation/benchmarks/bfcl/entries';
import { isToolE } from '../../evaluation/benchmarks/toole/entries';
import { UserError } from '../../protocol/result';
import type { TrainedWeights } from '../../model/weights/trainedWeights';
import { parseSettings, withLimits } from '../settings';
import { countOf, measureBenchmark } from './benchmarkWords';
import { valueOf, type Arguments, type CommandContext } from './command';
import { evaluateToolEOf } from './evaluateToolE';

/** Room for several calls; training's own limit on a turn is for one. */
const TURN_TOKENS = 256;

export async function evaluateBenchmark(
  args: Arguments,
  { settings, trained }: { settings: Record<string, unknown>; trained: TrainedWeights | null },
  context: CommandContext,
): Promise<number> {
  const names = [
    ...new Set(
      valueOf(args, 'benchmark')!
        .split(',')
        .map((name) => name.trim()),
    ),
  ];
  const ofToolE = names.filter(isToolE);
  if (ofToolE.length > 0 && ofToolE.length < names.length)
    throw new UserError(
      'config',
      `--benchmark takes benchmarks of one data set, got ${names.join(', ')}`,
      'Measure them one after the other.',
    );
  if (ofToolE.length > 0) return evaluateToolEOf(ofToolE, args, { settings, trained }, context);
  const { cwd, dependencies, environment } = context;
  const categories = [...new Set(names.map(categoryOf))];
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
  const asked = {
    benchmark: files.map(({ category, release, entries, total }) => ({
      category,
      release,
      n: entries.length,
      of: total,
    })),
    said: files.map(said).join(', '),
  };
  const evaluateBfcl = await dependencies.evaluateBfcl();
  const entries = files.flatMap((file) => file.entries);
  return measureBenchmark({ config, trained, ...asked }, context, (options) => evaluateBfcl({ ...options, entries }));
}

const said = ({ category, release, entries, total }: EntryFile): string =>
  `${release} ${category}: ` +
  `${entries.length < total ? `the first ${entries.length} of ${total}` : `all ${total}`} questions`;

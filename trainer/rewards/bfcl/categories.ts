import { suggest } from '../../base/nearest';
import { UserError } from '../../protocol/result';

/** How the calls of a category are compared. */
export type Comparison = 'simple' | 'multiple' | 'parallel';

/** BFCL's single-turn Python categories with answers; `simple` is what releases before v4 call simple_python. */
export const CATEGORIES = [
  'simple_python',
  'multiple',
  'parallel',
  'parallel_multiple',
  'live_simple',
  'live_multiple',
  'live_parallel',
  'live_parallel_multiple',
] as const;
export type Category = (typeof CATEGORIES)[number];

/** What BFCL has besides, and why it is not here. */
const UNSUPPORTED: readonly [RegExp, string][] = [
  [/^simple_java(script)?$/, 'its values are written in another language than Python'],
  [/relevance$/, 'it asks for no call and has no answers to check'],
  [/^multi_turn/, 'it runs tools over several turns'],
  [/^(memory|web_search)/, 'it needs a store or the web'],
  [/^format_sensitivity$/, 'BFCL itself does not score it'],
];

/** `coach evaluate --benchmark` names a category so. */
export const benchmarkOf = (category: Category): string =>
  `bfcl-${category.replace(/_python$/, '').replaceAll('_', '-')}`;
export const BENCHMARKS: readonly string[] = CATEGORIES.map(benchmarkOf);

/** Whether BFCL knows a category that is not checked here. @returns why, or null */
export const whyUnsupported = (category: string): string | null =>
  UNSUPPORTED.find(([pattern]) => pattern.test(category))?.[1] ?? null;

/** @throws UserError for a name that is none, with the nearest */
export function categoryOf(benchmark: string): Category {
  const found = CATEGORIES.find(
    (category) => benchmark === benchmarkOf(category) || benchmark === `bfcl-${category.replaceAll('_', '-')}`,
  );
  if (found) return found;
  const reason = benchmark.startsWith('bfcl-')
    ? whyUnsupported(benchmark.slice('bfcl-'.length).replaceAll('-', '_'))
    : null;
  if (reason)
    throw new UserError(
      'config',
      `--benchmark ${benchmark} is not supported: ${reason}`,
      `Supported: ${BENCHMARKS.join(', ')}.`,
    );
  throw new UserError(
    'config',
    `--benchmark must be one of ${BENCHMARKS.join(', ')}, got ${benchmark}`,
    suggest(benchmark, BENCHMARKS),
  );
}

/** BFCL's own rule: by what the name holds, "parallel" first, so that parallel_multiple is one. */
export const comparisonOf = (category: string): Comparison =>
  category.includes('parallel') ? 'parallel' : category.includes('multiple') ? 'multiple' : 'simple';

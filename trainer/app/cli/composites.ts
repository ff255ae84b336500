/** `coach composites`: tools that make two calls at once, where a run's traces show that these go together. */
import { relative } from 'node:path';
import { readTextFile } from '../../base/storage';
import { UserError } from '../../protocol/result';
import type { ToolSchema } from '../../protocol/task';
import { findRun } from '../../store/runs/listRuns';
import { readTools, readTrace, requireManifest, traceSummaries } from '../../store/runs/readRun';
import { compositeOf, type Composite } from '../composites/compositeCode';
import { linkedPairs, type LinkedPair } from '../composites/findPairs';
import type { Addition } from '../composites/placeCode';
import { valueOf, type Command } from './command';

const LEAST = 5;
const SHARE = 0.25;

export const composites: Command = {
  name: 'composites',
  positionals: { usage: 'RUN', min: 1, max: 1 },
  summary:
    'Suggest composite tools: where one call often follows another with a value that the first gave, print a diff ' +
    'that adds a tool that makes both.',
  options: {
    least: {
      value: 'N',
      help: `how often a pair must be there (default ${LEAST}); always a quarter of the first's calls`,
    },
  },
  examples: ['coach composites 20251121-093005-orders', 'coach composites 20251121-093005-orders > pairs.diff'],

  async run(args, { cwd, out }) {
    const [name = ''] = args.positionals;
    const least = Number(valueOf(args, 'least') ?? LEAST);
    if (!Number.isInteger(least) || least < 1)
      throw new UserError('config', `--least must be a whole number from 1, got ${valueOf(args, 'least')}`);
    const dir = findRun(name, cwd);
    requireManifest(dir, { readOnly: true });
    const tools = readTools(dir);
    // nothing is taken from what a run is measured on, nor from what went wrong
    const used = traceSummaries(dir).filter(
      ({ phase, solved, superseded }) => ['train', 'try'].includes(phase) && solved !== false && !superseded,
    );
    const pairs = linkedPairs(
      used.map((summary) => readTrace(dir, summary)),
      { least, share: SHARE },
    );
    const { made, left, diff } = await withDiff(suggest(pairs, tools), cwd);
    if (out.isJson) {
      out.json({ traces: used.length, composites: made.map(shown), left: left.map(shown), diff });
      return 0;
    }
    for (const { pair, renamed } of made)
      for (const line of [pairWords(pair), ...renamed.map((word) => `  ${word}`)]) out.warn(line);
    for (const { pair, why } of left) out.warn(`${pairWords(pair)}; left out: ${why}`);
    if (pairs.length === 0)
      out.warn(
        `No two calls go together ${least} times or more, linked by a value, in ${used.length} traces that ` +
          'were solved in training or in the playground',
      );
    if (diff !== '') out.text(diff.trimEnd());
    return 0;
  },
};

type Suggested = Composite & { pair: LinkedPair };

function suggest(
  pairs: readonly LinkedPair[],
  tools: readonly ToolSchema[],
): { made: Suggested[]; left: { pair: LinkedPair; why: string }[] } {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const taken = new Set(byName.keys());
  const made: Suggested[] = [];
  const left: { pair: LinkedPair; why: string }[] = [];
  for (const pair of pairs) {
    const [first, second] = [byName.get(pair.first), byName.get(pair.second)];
    const composite = first && second ? compositeOf(pair, first, second, taken) : { why: 'a tool of it is gone' };
    if ('why' in composite) left.push({ pair, why: composite.why });
    else {
      made.push({ ...composite, pair });
      taken.add(composite.name);
    }
  }
  return { made, left };
}

const pairWords = ({ first, second, path, parameter, linked, calls }: LinkedPair): string =>
  `${second} follows ${linked} of ${calls} calls of ${first}, with its ` +
  `${path.length === 0 ? 'result' : path.map((key) => (key === 0 ? 'first' : key)).join('.')} as ${parameter}`;

const shown = ({ pair, ...rest }: { pair: LinkedPair }): object => ({ ...pair, ...rest });

/**
 * With each file's part of the diff; what finds no place in its file is left.
 * @throws UserError where one can't be read
 */
async function withDiff(
  { made, left }: ReturnType<typeof suggest>,
  cwd: string,
): Promise<ReturnType<typeof suggest> & { diff: string }> {
  const { placed, unifiedDiff } = await import('../composites/placeCode'); // the compiler is loaded where it is needed
  const byFile = new Map<string, Addition[]>();
  const kept: Suggested[] = [];
  for (const one of made) {
    const addition = placed(one, textOf(one.file));
    if (addition === null) left.push({ pair: one.pair, why: `class ${one.inClass} does not end on a line of its own` });
    else {
      kept.push(one);
      byFile.set(one.file, [...(byFile.get(one.file) ?? []), addition]);
    }
  }
  const diff = [...byFile]
    .map(([file, additions]) => unifiedDiff(relative(cwd, file), textOf(file), additions))
    .join('');
  return { made: kept, left, diff };
}

function textOf(file: string): string {
  try {
    return readTextFile(file);
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError('tool', `${file}: can't be read: ${(error as Error).message}`, 'Was it moved since the run?');
  }
}

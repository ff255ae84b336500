/**
 * A tool file trained among tools that do not matter: a default run on the file's own tools (the oracle) beside the
 * same run on one file that has Seal-Tools' definitions too, where each request is shown a few. Each arm is
 * `coach train` as a user types it, on one split of the tasks, and measured by its own held-out episodes, paired by
 * task. A table, then one line of JSON.
 *
 * Run: COACH_SHARED_DATA=DIR npm run bench -- amongTrained --keep DIR [--file email/tools.ts] [--tools 200]
 *   [--shown 10,5] [--seeds 0] [--set NAME=VALUE]… (keep: where the runs stay; what is there is not done again; shown
 *   3+find: three and find_tools, by which the policy looks up others)
 */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { discover, EXAMPLES } from '../tasks/fixtures';
import { asSource, others } from './amongOthers';
import { layOut } from './anyFile/report';
import { gained, gainWords, shareOf } from './gains';
import { processor } from './measured';
import { heldOutOf, trainRun, type HeldOut } from './trainRun';

const { values } = parseArgs({
  options: {
    keep: { type: 'string' },
    file: { type: 'string', default: 'email/tools.ts' },
    tools: { type: 'string', default: '200' },
    shown: { type: 'string', default: '10' },
    seeds: { type: 'string', default: '0' },
    set: { type: 'string', multiple: true, default: [] },
  },
});

/** Copies the file's folder, and writes the others' definitions into the copy of the file. @returns the copy */
function workspaceOf(folder: string): string {
  const workspace = join(folder, `workspace-${values.tools}`);
  const copy = join(workspace, values.file);
  cpSync(dirname(join(EXAMPLES, values.file)), dirname(copy), { recursive: true });
  writeFileSync(join(workspace, 'package.json'), '{}');
  const own = discover(values.file);
  const added = asSource(others(own, 0)).slice(0, Number(values.tools) - own.length);
  writeFileSync(copy, [readFileSync(copy, 'utf8'), ...added].join('\n'));
  return copy;
}

async function main(): Promise<void> {
  if (!values.keep) throw new Error('amongTrained: --keep DIR says where the runs stay');
  const folder = resolve(values.keep);
  const many = workspaceOf(folder);
  const arms = new Map<string, HeldOut>();
  const add = (arm: string, { before, after, contents }: HeldOut): void => {
    const { before: b, after: a, contents: c } = arms.get(arm) ?? { before: [], after: [], contents: [] };
    arms.set(arm, { before: [...b, ...before], after: [...a, ...after], contents: [...c, ...contents] });
  };
  for (const seed of values.seeds.split(',').map(Number)) {
    const oracle = join(folder, `oracle-${seed}`);
    const run = { options: { seed }, settings: values.set };
    await trainRun({ ...run, file: join(EXAMPLES, values.file), dir: oracle });
    add('oracle', heldOutOf(oracle, seed));
    for (const shown of values.shown.split(',')) {
      const dir = join(folder, `${values.tools}-${shown}-${seed}`);
      const [most, find] = shown.split('+');
      await trainRun({
        ...run,
        file: many,
        dir,
        settings: [`splitsOf=${oracle}`, `shownTools=${most}`, `findTools=${find === 'find'}`, ...values.set],
      });
      add(`${values.tools} tools, ${shown} shown`, heldOutOf(dir, seed));
    }
  }
  const oracle = arms.get('oracle')!;
  const results = [...arms].map(([arm, { before, after, contents }]) => ({
    arm,
    n: after.length,
    before: shareOf(before),
    after: shareOf(after),
    gain: gained({ before, after, contents }),
    againstOracle: gained({ before: oracle.after, after, contents }),
  }));
  const rows = results.map(({ arm, n, before, after, gain, againstOracle }) => [
    arm,
    `${n}`,
    `${before} -> ${after} %`,
    gainWords(gain),
    arm === 'oracle' ? '' : gainWords(againstOracle),
  ]);
  console.log(layOut([['arm', 'n', 'success', 'gain', 'after, against the oracle'], ...rows]));
  console.log(JSON.stringify({ bench: 'amongTrained', processor: processor(), ...values, results }));
}

void main();

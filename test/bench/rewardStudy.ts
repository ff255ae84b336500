/**
 * ToolRL's four findings (arXiv:2504.13958) as arms on `examples/email`: does a reward for length hurt, is a gradual
 * schedule better than an abrupt one, a fine reward better than a coarse one, GRPO from cold better than SFT first?
 * Each
 * arm is a recipe of `coach train --recipe`; all have the same steps, tasks and held-out requests. One table, then one
 * line of JSON.
 *
 * Run: npm run bench -- rewardStudy [--seeds 0,1,2] [--arms toolrl,toolrl-length,…] [--steps 48] [--set NAME=VALUE]…
 *   [--keep DIR]
 * keep: where the runs stay; what is there is not done again, and a run that was stopped is gone on with.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { RECIPES, type RecipeName } from '../../trainer/protocol/settings/recipes';
import { readTasks } from '../../trainer/tasks/readTasks';
import { Discovery } from '../../trainer/tools/sources/typescript/toolFile';
import { judgeStatements, printStudy, runStudy, totals, type Statement } from './arms';
import { processor } from './measured';

const TOOLS = resolve(__dirname, '../../examples/email/tools.ts');
const TASKS = resolve(__dirname, '../../examples/email/tools.tasks.jsonl');

const ARMS = [
  'toolrl',
  'toolrl-length',
  'toolrl-abrupt',
  'toolrl-gradual',
  'toolrl-intermediate',
  'toolrl-coarse',
  'toolrl-sft-first',
] as const satisfies readonly RecipeName[];

const STATEMENTS: readonly Statement[] = [
  { says: 'a reward for length hurts', measure: 'TCR', of: 'toolrl-length', than: 'toolrl', side: -1 },
  { says: 'gradual beats abrupt', measure: 'TCR', of: 'toolrl-gradual', than: 'toolrl-abrupt', side: 1 },
  { says: 'fine beats exact calls', measure: 'TCR', of: 'toolrl', than: 'toolrl-intermediate', side: 1 },
  { says: 'fine beats coarse', measure: 'TCR', of: 'toolrl', than: 'toolrl-coarse', side: 1 },
  { says: 'cold beats SFT first', measure: 'TCR', of: 'toolrl', than: 'toolrl-sft-first', side: 1 },
];

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '0,1,2' },
      arms: { type: 'string', default: ARMS.join(',') },
      steps: { type: 'string', default: '48' },
      set: { type: 'string', multiple: true, default: [] },
      keep: { type: 'string' },
    },
  });
  const names = values.arms.split(',');
  const unknown = names.find((name) => !ARMS.some((arm) => arm === name));
  if (unknown !== undefined) throw new Error(`rewardStudy: no arm is called ${unknown}; there are ${ARMS.join(', ')}`);
  const seeds = values.seeds.split(',').map(Number);
  const steps = Number(values.steps);
  const folder = values.keep === undefined ? mkdtempSync(join(tmpdir(), 'coach-study-')) : resolve(values.keep);
  try {
    const { tools } = new Discovery().discover([TOOLS]);
    const held = await runStudy({
      toolFile: TOOLS,
      tools,
      tasks: readTasks(TASKS, tools),
      arms: names.map((name) => ({ name, method: 'grpo', steps, settings: [`recipe=${name}`] })),
      seeds,
      settings: ['rehearsal=false', 'evalEvery=1000', ...values.set],
      folder,
      compliance: '',
    });
    printStudy(held, STATEMENTS, ['TCR', 'calls', 'TIER', 'AIR']);
    for (const name of ARMS.filter((arm) => names.includes(arm))) console.log(`${name}: ${RECIPES[name].what}`);
    console.log(
      JSON.stringify({
        bench: 'rewardStudy',
        seeds,
        steps,
        settings: values.set,
        measured: totals(held),
        statements: judgeStatements(held, STATEMENTS),
        processor: processor(),
        node: process.version,
      }),
    );
  } finally {
    if (values.keep === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

void main();

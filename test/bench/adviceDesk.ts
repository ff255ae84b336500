/**
 * ToolRLA's ablation (arXiv:2603.01620, Table 2) on a desk of financial advice (adviceDesk/): SFT, from it one GRPO run
 * for each form of the reward, and DPO on compliance behind the whole one. Which arm calls, solves and violates how
 * much on held-out requests, paired by request; which statements of the paper that reproduces. Tables, then one line of
 * JSON.
 *
 * GRPO's penalty sees the hard patterns alone, as the paper's first layer; pairs of DPO and VR go by all of them, as an
 * officer would.
 *
 * Run: npm run bench -- adviceDesk [--seeds 0,1,2] [--arms sft,full,…] [--steps sft:24,grpo:24,dpo:16]
 *   [--set NAME=VALUE]… [--keep DIR]
 * keep: where the runs stay; what is there is not done again, and a run that was stopped is gone on with.
 */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { wilson } from '../../trainer/protocol/interval';
import { Discovery } from '../../trainer/tools/sources/typescript/toolFile';
import { deskTasks, PATTERNS } from './adviceDesk/requests';
import {
  judgeStatements,
  printStudy,
  runStudy,
  sumOf,
  totals,
  type Arm,
  type Held,
  type Statement,
  type Verdict,
} from './arms';
import { processor, round } from './measured';

const TASKS = 1600;

/** `patterns`: the files that PATTERNS is written to. */
function armsOf(steps: Readonly<Record<string, number>>, patterns: { hard: string; all: string }): Arm[] {
  const grpo = (name: string, rewards: string): Arm => ({
    name,
    method: 'grpo',
    steps: steps['grpo']!,
    settings: [`rewards=${rewards}`, 'warmSteps=0'],
    from: 'sft',
  });
  const toolrla = (options: string, file = patterns.hard): string =>
    `toolrla:patterns=${file}:names=required:accuracy=anyTool${options}`;
  return [
    { name: 'sft', method: 'sft', steps: steps['sft']!, settings: [] },
    grpo('full', toolrla('')),
    grpo('noEfficiency', toolrla(':withEfficiency=false')),
    grpo('noCompliance', toolrla(':lambda=0')),
    grpo('additive', toolrla(':composition=averaged')),
    grpo('coarse', 'correctness:rule=coarse'),
    {
      name: 'dpo',
      method: 'dpo',
      steps: steps['dpo']!,
      settings: [`rewards=${toolrla('', patterns.all)}`, 'dpoMining=compliance', 'dpoBeta=0.2'],
      from: 'full',
    },
  ];
}

const STATEMENTS: readonly Statement[] = [
  { says: 'additive has more TIER than multiplicative', measure: 'TIER', of: 'additive', than: 'full', side: 1 },
  { says: 'additive has less TCR than multiplicative', measure: 'TCR', of: 'additive', than: 'full', side: -1 },
  { says: 'additive has more TIER than coarse', measure: 'TIER', of: 'additive', than: 'coarse', side: 1 },
  { says: 'additive has less TCR than coarse', measure: 'TCR', of: 'additive', than: 'coarse', side: -1 },
  { says: 'without efficiency TIER rises', measure: 'TIER', of: 'noEfficiency', than: 'full', side: 1 },
  { says: 'without efficiency TCR falls', measure: 'TCR', of: 'noEfficiency', than: 'full', side: -1 },
  { says: 'without efficiency AIR rises (ours)', measure: 'AIR', of: 'noEfficiency', than: 'full', side: 1 },
  { says: 'without compliance VR rises', measure: 'VR', of: 'noCompliance', than: 'full', side: 1 },
  { says: 'without compliance TCR falls', measure: 'TCR', of: 'noCompliance', than: 'full', side: -1 },
  { says: 'GRPO lowers TIER below SFT', measure: 'TIER', of: 'full', than: 'sft', side: -1 },
  { says: 'GRPO raises TCR above SFT', measure: 'TCR', of: 'full', than: 'sft', side: 1 },
  { says: 'DPO lowers VR', measure: 'VR', of: 'dpo', than: 'full', side: -1 },
  { says: 'DPO raises TCR', measure: 'TCR', of: 'dpo', than: 'full', side: 1 },
];

/** Of the paper after DPO: 1.5 %. The interval takes each episode by itself. */
const MOST_REFUSED = 0.02;
function overRefusal(held: readonly Held[] | undefined) {
  const { k, n } = sumOf(held ?? [], 'overRefusal');
  const ci95 = wilson(k, n);
  if (ci95 === null) return null;
  const verdict: Verdict = ci95[1] < MOST_REFUSED ? 'reproduced' : ci95[0] > MOST_REFUSED ? 'refuted' : 'not decided';
  return { k, n, ci95: ci95.map((bound) => round(bound)), verdict };
}

function prepare(folder: string): { toolFile: string; patterns: { hard: string; all: string } } {
  const own = join(folder, 'desk');
  mkdirSync(own, { recursive: true });
  const toolFile = join(own, 'desk.ts');
  const patterns = { hard: join(own, 'hard.txt'), all: join(own, 'all.txt') };
  copyFileSync(join(__dirname, 'adviceDesk/desk.ts'), toolFile);
  for (const kind of ['hard', 'all'] as const) writeFileSync(patterns[kind], PATTERNS[kind]);
  return { toolFile, patterns };
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '0,1,2' },
      arms: { type: 'string' },
      steps: { type: 'string', default: 'sft:24,grpo:24,dpo:16' },
      set: { type: 'string', multiple: true, default: [] },
      keep: { type: 'string' },
    },
  });
  const steps = Object.fromEntries(
    values.steps.split(',').map((part) => [part.split(':')[0]!, Number(part.split(':')[1])]),
  );
  const folder = values.keep === undefined ? mkdtempSync(join(tmpdir(), 'coach-desk-')) : resolve(values.keep);
  try {
    const { toolFile, patterns } = prepare(folder);
    const all = armsOf(steps, patterns);
    const names = values.arms?.split(',') ?? all.map(({ name }) => name);
    const unknown = names.find((name) => !all.some((arm) => arm.name === name));
    if (unknown !== undefined)
      throw new Error(`adviceDesk: no arm is called ${unknown}; there are ${all.map(({ name }) => name).join(', ')}`);
    const seeds = values.seeds.split(',').map(Number);
    const held = await runStudy({
      toolFile,
      tools: new Discovery().discover([toolFile]).tools,
      tasks: deskTasks(TASKS, 0),
      arms: all.filter(({ name }) => names.includes(name)),
      seeds,
      settings: ['toolPolicy=real', 'rehearsal=false', 'evalEvery=1000', ...values.set],
      folder,
      compliance: `compliance:patterns=${patterns.all}`,
    });
    printStudy(held, STATEMENTS);
    const refused = overRefusal(held.get('dpo'));
    if (refused)
      console.log(
        `over-refusal under 2 % after DPO: ${refused.k} of ${refused.n} [${refused.ci95}], ${refused.verdict}`,
      );
    console.log(
      JSON.stringify({
        bench: 'adviceDesk',
        seeds,
        steps: values.steps,
        settings: values.set,
        measured: totals(held),
        statements: judgeStatements(held, STATEMENTS),
        overRefusal: refused,
        processor: processor(),
        node: process.version,
      }),
    );
  } finally {
    if (values.keep === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

void main();

/**
 * Studies by arms: runs that differ in one thing, and what their held-out episodes come to. A measure is a ratio of
 * sums over episodes (wrong calls / calls, solved / tasks), compared pairwise over the same tasks.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { agentMetrics } from '../../trainer/evaluation/agentMetrics';
import { violationRule } from '../../trainer/evaluation/compliance';
import type { Share } from '../../trainer/protocol/agentMetrics';
import { sideOf } from '../../trainer/protocol/interval';
import type { Task, ToolSchema } from '../../trainer/protocol/task';
import { Trace } from '../../trainer/protocol/trace';
import { tasksToJsonl } from '../../trainer/tasks/readTasks';
import { contentKey, splitTasks } from '../../trainer/tasks/taskset';
import { coach } from './anyFile/coach';
import { layOut } from './anyFile/report';
import { round } from './measured';
import { trainRun } from './trainRun';

/** Names as in ToolRLA, section 4.2; calls: the gold calls were made, whatever the answer. All but AIR are shares. */
export const MEASURES = ['TCR', 'calls', 'TIER', 'AIR', 'CRR', 'VR', 'overRefusal'] as const;
export type Measure = (typeof MEASURES)[number];

/** k of n: episodes, or calls */
export interface Counted {
  k: number;
  n: number;
}

export interface Held {
  /** what its task is about: one cluster over the seeds */
  content: string;
  counts: Readonly<Record<Measure, Counted>>;
}

export interface Arm {
  name: string;
  method: 'sft' | 'grpo' | 'dpo';
  steps: number;
  settings: readonly string[];
  /** the arm that it goes on from; absent: it starts cold */
  from?: string;
}

export interface Study {
  toolFile: string;
  tools: readonly ToolSchema[];
  /** split once for all arms and seeds, by content */
  tasks: readonly Task[];
  arms: readonly Arm[];
  seeds: readonly number[];
  /** for all arms */
  settings: readonly string[];
  folder: string;
  /** what counts as a violation, as `--reward` takes it; '': nothing does */
  compliance: string;
  /** held-out tasks; default 240 */
  heldOut?: number;
}

/**
 * Each arm is trained on the same tasks and measured once, on held-out tasks that its run does not know of: a run that
 * has them measures before it as well, and pass@8 besides, which takes longer than the training.
 * @returns of each arm the held-out episodes after it, one seed behind the other; `base`: the model as it came
 */
export async function runStudy(study: Study): Promise<Map<string, Held[]>> {
  const { train, validation, heldOut } = splitTasks(study.tasks, {
    heldOut: study.heldOut ?? 240,
    validation: 64,
    tools: study.tools,
  });
  const [split, requests] = [join(study.folder, 'split'), join(study.folder, 'heldOut.jsonl')];
  mkdirSync(split, { recursive: true });
  // a run needs one task of each kind
  const known = { train, validation: validation.slice(0, 1), heldOut: validation.slice(1, 2) };
  writeFileSync(join(split, 'tasks.json'), JSON.stringify(known));
  writeFileSync(requests, tasksToJsonl(heldOut));
  const measure = async (subject: string, name: string): Promise<Held[]> => {
    const traces = await tracesOf(subject, join(study.folder, `${name}.jsonl`), { ...study, requests });
    return heldOut.map((task) => heldOf(task, traces.get(task.id)!, study));
  };
  const held = new Map<string, Held[]>([['base', []]]);
  for (const seed of study.seeds) {
    held.get('base')!.push(...(await measure('nano', 'base')));
    for (const arm of study.arms) {
      const dir = folderOf(study, arm.name, seed);
      await trainRun({
        file: study.toolFile,
        dir,
        options: { method: arm.method, steps: arm.steps, seed },
        settings: [
          `splitsOf=${split}`,
          ...(arm.from === undefined ? [] : [`startFrom=${folderOf(study, arm.from, seed)}`]),
          ...study.settings,
          ...arm.settings,
        ],
      });
      held.set(arm.name, [...(held.get(arm.name) ?? []), ...(await measure(dir, `${arm.name}-${seed}`))]);
    }
  }
  return held;
}

const folderOf = ({ folder }: Study, arm: string, seed: number): string => resolve(folder, `${arm}-${seed}`);

/** By task, from one greedy episode each; what is there is not done again. @throws Error in the words of `coach` */
async function tracesOf(
  subject: string,
  file: string,
  { toolFile, requests, settings }: Pick<Study, 'toolFile' | 'settings'> & { requests: string },
): Promise<Map<string, Trace>> {
  if (!existsSync(file)) {
    const partial = `${file}.part`;
    rmSync(partial, { force: true });
    const of = ['--tools', toolFile, '--tasks', requests, '--traces', partial, '--json'];
    const { code, said } = await coach(['evaluate', subject, ...of, ...settings.flatMap((one) => ['--set', one])]);
    if (code !== 0) throw new Error(`arms: coach evaluate ${subject} ended with ${code}: ${said.trim()}`);
    renameSync(partial, file);
  }
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return new Map(lines.map((line) => Trace.parse(JSON.parse(line))).map((trace) => [trace.taskId, trace]));
}

function heldOf(task: Task, trace: Trace, { tools, compliance }: Study): Held {
  const isViolation = violationRule({ rewards: compliance }, tools);
  const metrics = agentMetrics([{ task, trace }], { tools, isViolation });
  return {
    content: contentKey(task, tools),
    counts: {
      TCR: countOf(metrics.success),
      calls: { k: Number(trace.verdicts?.callsRight === true), n: 1 },
      TIER: countOf(metrics.tier),
      AIR: { k: metrics.air ?? 0, n: 1 },
      CRR: countOf(metrics.crr),
      VR: countOf(metrics.vr),
      overRefusal: countOf(metrics.overRefusal ?? null),
    },
  };
}

const countOf = (share: Share | null): Counted =>
  share === null ? { k: 0, n: 0 } : { k: Math.round(share.share * share.n), n: share.n };

/** Sum over the episodes. */
export function sumOf(held: readonly Held[], measure: Measure): Counted {
  return held.reduce(({ k, n }, { counts }) => ({ k: k + counts[measure].k, n: n + counts[measure].n }), {
    k: 0,
    n: 0,
  });
}

export interface Change {
  mean: number;
  ci95: [number, number];
}

/**
 * after - before of a ratio of sums over the same episodes, with its 95 % interval: linearised, paired and clustered by
 * content (as `pairedGain`, which this is where each episode counts 1). Too short where hardly an episode changes.
 * @returns null where there is nothing to count
 */
export function changeOf(before: readonly Held[], after: readonly Held[], measure: Measure): Change | null {
  if (before.length !== after.length || before.some(({ content }, i) => content !== after[i]!.content))
    throw new Error(`changeOf: needs the same episodes twice, got ${before.length} and ${after.length}`);
  const [a, b] = [sumOf(before, measure), sumOf(after, measure)];
  if (a.n === 0 || b.n === 0) return null;
  const sums = new Map<string, number>();
  before.forEach(({ content, counts }, i) => {
    const [x, y] = [counts[measure], after[i]!.counts[measure]];
    const share = (y.k - (b.k / b.n) * y.n) / b.n - (x.k - (a.k / a.n) * x.n) / a.n;
    sums.set(content, (sums.get(content) ?? 0) + share);
  });
  const squares = [...sums.values()].reduce((total, sum) => total + sum ** 2, 0);
  const half = sums.size === 1 ? 1 : 1.959964 * Math.sqrt((squares * sums.size) / (sums.size - 1));
  const mean = b.k / b.n - a.k / a.n;
  return { mean, ci95: [mean - half, mean + half] };
}

export interface Statement {
  /** in words */
  says: string;
  measure: Measure;
  /** what it compares: `of` less `than` */
  of: string;
  than: string;
  /** on which side of 0 the difference is said to lie */
  side: 1 | -1;
}

export type Verdict = 'reproduced' | 'refuted' | 'not decided';

/** By the side of 0 on which the whole interval lies. */
export function verdictOf(change: Change | null, side: 1 | -1): Verdict {
  const found = change === null ? 0 : sideOf(change.ci95);
  return found === 0 ? 'not decided' : found === side ? 'reproduced' : 'refuted';
}

/** Statements about arms that were run. */
export function judgeStatements(held: ReadonlyMap<string, Held[]>, statements: readonly Statement[]) {
  return statements.flatMap(({ says, measure, of, than, side }) => {
    const [before, after] = [held.get(than), held.get(of)];
    if (!before || !after) return [];
    const change = changeOf(before, after, measure);
    return [{ says, measure, change: change && rounded(change), verdict: verdictOf(change, side) }];
  });
}

const rounded = ({ mean, ci95: [low, high] }: Change): Change => ({
  mean: round(mean),
  ci95: [round(low), round(high)],
});

/** Sums of each arm and measure, for the line of JSON. */
export const totals = (held: ReadonlyMap<string, Held[]>) =>
  Object.fromEntries(
    [...held].map(([arm, episodes]) => [
      arm,
      Object.fromEntries(MEASURES.map((measure) => [measure, sumOf(episodes, measure)])),
    ]),
  );

/** Two tables: what each arm came to, and what becomes of each statement. */
export function printStudy(
  held: ReadonlyMap<string, Held[]>,
  statements: readonly Statement[],
  measures: readonly Measure[] = MEASURES,
): void {
  const rows = [...held].map(([arm, episodes]) => [
    arm,
    String(episodes.length),
    ...measures.map((measure) => shown(sumOf(episodes, measure), measure)),
  ]);
  const judged = judgeStatements(held, statements).map(({ says, measure, change, verdict }) => [
    says,
    shownChange(change, measure),
    verdict,
  ]);
  console.log(layOut([['arm', 'n', ...measures], ...rows]));
  console.log(`\n${layOut([['statement', 'difference [95 %]', 'verdict'], ...judged])}`);
}

/** A share in percent, AIR as it is; '-': nothing to count. */
const shown = ({ k, n }: Counted, measure: Measure): string =>
  n === 0 ? '-' : measure === 'AIR' ? (k / n).toFixed(2) : `${((100 * k) / n).toFixed(1)} %`;

const signed = (value: number, measure: Measure): string => {
  const [scaled, digits] = measure === 'AIR' ? [value, 2] : [100 * value, 1];
  return `${scaled < 0 ? '' : '+'}${scaled.toFixed(digits)}`;
};

/** Points, but for AIR. */
const shownChange = (change: Change | null, measure: Measure): string =>
  change === null
    ? '-'
    : `${signed(change.mean, measure)} [${change.ci95.map((bound) => signed(bound, measure)).join(', ')}]`;

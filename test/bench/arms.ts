/**
 * Studies by arms: runs that differ in one thing, and what their held-out episodes come to. A measure is a ratio of
 * sums over episodes (wrong calls / calls, solved / tasks), compared pairwise over the same tasks.
 */
import { resolve } from 'node:path';
import { agentMetrics } from '../../trainer/evaluation/agentMetrics';
import { violationRule } from '../../trainer/evaluation/compliance';
import type { Share } from '../../trainer/protocol/agentMetrics';
import { sideOf } from '../../trainer/protocol/interval';
import { readTaskSplits, readTools, readTrace, traceSummaries } from '../../trainer/store/runs/readRun';
import { contentKey } from '../../trainer/tasks/taskset';
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
  /** the arm that it goes on from, with its tasks; absent: it starts cold */
  from?: string;
}

export interface Study {
  toolFile: string;
  arms: readonly Arm[];
  seeds: readonly number[];
  /** for all arms */
  settings: readonly string[];
  folder: string;
  /** what counts as a violation, as `--reward` takes it; '': nothing does */
  compliance: string;
}

/** @returns of each arm the held-out episodes after it, one seed behind the other; `base`: before the first arm */
export async function runStudy(study: Study): Promise<Map<string, Held[]>> {
  const held = new Map<string, Held[]>();
  const add = (name: string, more: Held[]): void => void held.set(name, [...(held.get(name) ?? []), ...more]);
  for (const seed of study.seeds)
    for (const arm of study.arms) {
      const dir = folderOf(study, arm.name, seed);
      const from = arm.from === undefined ? null : folderOf(study, arm.from, seed);
      await trainRun({
        file: study.toolFile,
        dir,
        options: { method: arm.method, steps: arm.steps, seed },
        settings: [
          ...study.settings,
          ...arm.settings,
          ...(from === null ? [] : [`startFrom=${from}`, `splitsOf=${from}`]),
        ],
      });
      if (arm === study.arms[0]) add('base', heldOut(dir, 'before', study.compliance));
      add(arm.name, heldOut(dir, 'after', study.compliance));
    }
  return held;
}

const folderOf = ({ folder }: Study, arm: string, seed: number): string => resolve(folder, `${arm}-${seed}`);

function heldOut(dir: string, phase: 'before' | 'after', compliance: string): Held[] {
  const tools = readTools(dir);
  const isViolation = violationRule({ rewards: compliance }, tools);
  const summaries = new Map(
    traceSummaries(dir).flatMap((trace) => (trace.phase === phase ? [[trace.taskId, trace] as const] : [])),
  );
  return readTaskSplits(dir).heldOut.map((task) => {
    const trace = readTrace(dir, summaries.get(task.id)!);
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
  });
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

/** Which traces are looked at again, and which show what is right. Pure. */
import type { Flag } from '../../protocol/flywheel';
import type { JudgeVerdict } from '../../protocol/reward';
import type { ToolResult, Trace } from '../../protocol/trace';
import { stableJson } from '../../protocol/arguments';
import { areDisputed } from '../../store/preferences/queue';
import { saysFailedText } from '../generate/pool/results';

export interface Signs {
  /** a reward up to here is low; null: none is */
  lowReward: number | null;
  judgeVerdicts: readonly JudgeVerdict[];
  /** ids of traces that people found good, and bad */
  up: ReadonlySet<string>;
  down: ReadonlySet<string>;
}

/** Not run at all: a guard of ours, or the user, held the call back. */
const HELD_BACK: readonly ToolResult['kind'][] = ['invalidArguments', 'unknownTool', 'unseenValue', 'refused'];
/** Of a trace's comparisons; above it the judge does not know where the trace stands. */
const DOUBT = 0.5;

/**
 * The first quartile of the rewards; null where nothing was scored, or where most have the highest one: then low is no
 * more than not the best.
 */
export function lowRewardOf(rewards: readonly number[]): number | null {
  const sorted = [...rewards].sort((a, b) => a - b);
  const quartile = sorted[Math.floor((sorted.length - 1) / 4)];
  return quartile === undefined || quartile >= sorted.at(-1)! ? null : quartile;
}

/** A person's "good" goes before what rules and judges say of the outcome; that a call failed stays. */
export function flagsOf(trace: Trace, signs: Signs): Flag[] {
  const calls = trace.turns.flatMap((turn) => turn.calls);
  const isGood = signs.up.has(trace.id);
  const failed = calls.filter(({ result }) => hasFailed(result));
  const flags: Record<Flag, boolean> = {
    thumbsDown: signs.down.has(trace.id),
    failedVerdict: !isGood && trace.solved === false,
    toolError: failed.some(({ result }) => !HELD_BACK.includes(result!.kind)),
    guardHit:
      failed.some(({ result }) => HELD_BACK.includes(result!.kind)) || (!isGood && (trace.ungrounded ?? []).length > 0),
    retry: isRetried(trace),
    judgeDoubt: !isGood && isDoubted(trace.id, signs.judgeVerdicts),
    lowReward: !isGood && signs.lowReward !== null && trace.reward !== null && trace.reward <= signs.lowReward,
  };
  return (Object.keys(flags) as Flag[]).filter((flag) => flags[flag]);
}

/** Solved, or found good by a person, and nothing went wrong on the way. */
export function showsRight(trace: Trace, flags: readonly Flag[], { up }: Pick<Signs, 'up'>): boolean {
  const isRight = up.has(trace.id) || (trace.solved === true && trace.truncated === 'no');
  return isRight && trace.terminated && flags.every((flag) => flag === 'judgeDoubt' || flag === 'lowReward');
}

export const hasFailed = (result: ToolResult | null): boolean => result !== null && result.kind !== 'ok';

/** A log of another program says in a result's text alone that the call failed. */
export function withToldErrors(trace: Trace): Trace {
  const turns = trace.turns.map((turn) => ({
    ...turn,
    calls: turn.calls.map((call) =>
      call.result?.kind === 'ok' && saysFailedText(call.result.content)
        ? { ...call, result: { ...call.result, kind: 'threw' as const } }
        : call,
    ),
  }));
  return { ...trace, turns };
}

function isRetried({ turns }: Trace): boolean {
  const failed = new Set<string>();
  for (const { name, arguments: args, result } of turns.flatMap((turn) => turn.calls)) {
    const key = stableJson([name, args]);
    if (failed.has(key)) return true;
    if (hasFailed(result)) failed.add(key);
  }
  return false;
}

function isDoubted(id: string, verdicts: readonly JudgeVerdict[]): boolean {
  const judged = verdicts.filter(({ ranks, traceIds }) => ranks !== null && traceIds.includes(id));
  const comparisons = judged.flatMap((verdict) => {
    const rank = verdict.ranks![verdict.traceIds.indexOf(id)];
    return verdict.traceIds.flatMap((other, i) =>
      other === id ? [] : [verdict.ranks![i] === rank || areDisputed(id, other, [verdict])],
    );
  });
  return comparisons.filter(Boolean).length > DOUBT * comparisons.length;
}

import { mean } from '../../base/mean';
import { temperaturesOf } from '../../model/decoding/sample';
import type { Metrics } from '../../protocol/messages';
import type { ToolResultKind, Trace } from '../../protocol/trace';
import { EQUAL } from '../../rewards/judge/judge';
import type { Guards } from '../../rollout/environment/guard/guard';

const count = (x: readonly number[]): number => x.reduce((a, b) => a + b, 0);

/** Ways in which a call was made up: its tool, its arguments, their values. */
const MADE_UP: ReadonlySet<ToolResultKind> = new Set<ToolResultKind>([
  'unknownTool',
  'invalidArguments',
  'unseenValue',
]);

/**
 * A judge is not asked about a group of equal attempts, so it has no scores; there is no difference in it all the
 * same.
 */
const isEqual = (group: readonly Trace[]): boolean =>
  group.every((t) => t.reward === null && t.rewards.some((r) => r.error === EQUAL));

/** Share of the groups without a difference that their scores don't tell of. */
export const equalShare = (groups: readonly (readonly Trace[])[]): number =>
  groups.filter(isEqual).length / groups.length;

/** What TRL logs of a batch's completions and tools, by its names. Lengths count the policy's own tokens only. */
export function rolloutMetrics(traces: readonly Trace[], guards: Guards): Metrics {
  const lengths = traces.map((t) => [...t.tokens.writer].filter((w) => w === 's' || w === 'f').length);
  const ended = lengths.filter((_, i) => traces[i]!.truncated === 'no');
  const calls = traces.map((t) => t.turns.reduce((n, turn) => n + turn.calls.length, 0));
  const failures = traces.map((t) =>
    t.turns.reduce((n, turn) => n + turn.calls.filter((c) => c.result !== null && c.result.kind !== 'ok').length, 0),
  );
  const ofKind = (isCounted: (kind: ToolResultKind) => boolean): number =>
    count(
      traces.map((t) =>
        t.turns.reduce(
          (n, turn) => n + turn.calls.filter((c) => c.result !== null && isCounted(c.result.kind)).length,
          0,
        ),
      ),
    );
  const looked = traces.flatMap(({ ungrounded }) => (ungrounded === undefined ? [] : [Number(ungrounded.length > 0)]));
  return {
    'completions/mean_length': mean(lengths),
    'completions/min_length': Math.min(...lengths),
    'completions/max_length': Math.max(...lengths),
    'completions/mean_terminated_length': mean(ended),
    'completions/clipped_ratio': mean(traces.map((t) => Number(t.truncated !== 'no'))),
    'tools/call_frequency': mean(calls),
    'tools/failure_frequency': count(calls) ? count(failures) / count(calls) : null,
    'coach/call_temperature': mean(traces.map((t) => temperaturesOf(t).calls)),
    'coach/solved': mean(traces.map((t) => Number(t.solved === true))),
    'coach/not_scored': traces.filter((t) => t.reward === null).length,
    'coach/reward_errors': count(
      traces.map((t) => t.rewards.filter((r) => r.error !== undefined && r.error !== EQUAL).length),
    ),
    'coach/parse_errors': count(traces.map((t) => t.turns.filter((turn) => turn.parseError !== undefined).length)),
    'coach/refused_calls': ofKind((kind) => MADE_UP.has(kind)),
    ...(guards.values ? { 'coach/unseen_values': ofKind((kind) => kind === 'unseenValue') } : {}),
    ...(guards.answers ? { 'coach/ungrounded_answers': looked.length ? count(looked) : null } : {}),
  };
}

/** What a task wanted beside what a trace did: gold call by gold call, then the answer. Pure. */
import type { GoldCall } from '../../trainer/protocol/task';
import type { Trace } from '../../trainer/protocol/trace';
import type { Difference } from '../../trainer/protocol/verdicts';
import { oneLine } from '../shared/format';

export interface ExpectedRow {
  /** calls count from 1 */
  of: { call: number } | 'answer';
  /** null: nothing was wanted here */
  expected: string | null;
  /** null: nothing was done here */
  actual: string | null;
  differs: boolean;
}

type Told = Pick<Trace, 'expected' | 'differences' | 'turns' | 'messages'>;

/**
 * Made calls stand beside the gold call of the same place among those of their tool, else beside none.
 * @returns null where the trace was told by an older rule, or not at all
 */
export function expectedRows({ expected, differences = [], turns, messages }: Told): ExpectedRow[] | null {
  if (!expected) return null;
  const left: GoldCall[] = turns.flatMap(({ calls }) => calls);
  const beside = (expected.calls ?? []).map((gold) => take(left, gold));
  const inPlace = beside.map((call) => call ?? left.shift());
  const rows = (expected.calls ?? []).map((gold, i): ExpectedRow => {
    const made = inPlace[i];
    return {
      of: { call: i + 1 },
      expected: callText(gold),
      actual: made ? callText(made) : null,
      differs: differences.some((difference) => 'call' in difference && difference.call === i + 1),
    };
  });
  const further = left.map(
    (call, i): ExpectedRow => ({
      of: { call: rows.length + i + 1 },
      expected: null,
      actual: callText(call),
      differs: differences.some(
        ({ what, ...rest }) => what === 'extraCall' && 'tool' in rest && rest.tool === call.name,
      ),
    }),
  );
  const last = messages.at(-1);
  const answer: ExpectedRow = {
    of: 'answer',
    expected: expected.answer ?? null,
    actual: last?.role === 'assistant' && !last.tool_calls?.length && last.content.trim() !== '' ? last.content : null,
    differs: differences.some(({ what }) => ANSWER_FAULTS.has(what)),
  };
  return [...rows, ...further, answer];
}

const ANSWER_FAULTS = new Set<Difference['what']>(['noAnswer', 'wrongAnswer', 'notGrounded', 'saysNothing']);

/** The same call, else the first of the same tool; it is taken out of what is left. */
function take(left: GoldCall[], gold: GoldCall): GoldCall | undefined {
  const same = left.findIndex((call) => callText(call) === callText(gold));
  const at = same >= 0 ? same : left.findIndex(({ name }) => name === gold.name);
  return at < 0 ? undefined : left.splice(at, 1)[0];
}

/** search(query: "rent", limit: 5), names sorted, so that two calls can be read beside each other */
export function callText({ name, arguments: args }: GoldCall): string {
  const given = Object.entries(args)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}: ${oneLine(JSON.stringify(value) ?? 'undefined', 60)}`);
  return `${name}(${given.join(', ')})`;
}

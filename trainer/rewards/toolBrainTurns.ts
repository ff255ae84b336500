import { pyStrip } from './python';
import type { Episode } from './episode';

/** ToolBrain's own shape of a turn (v0.1.3, toolbrain/core_types.py), as far as its rewards read it. */
export interface ToolBrainTurn {
  model_completion: string;
  final_answer: string | null;
  tool_code: string | null;
  tool_output: string | null;
  action_output: string | null;
}

/** A trace of ours as its adapter would have recorded it: a turn's calls are its code, their results its output. */
export function toolBrainTurns({ trace }: Episode): ToolBrainTurn[] {
  return trace.turns.map(({ text, calls, parseError }) => {
    const results = calls.flatMap((call) => (call.result ? [call.result.content] : []));
    const output = results.length > 0 ? results.join('\n') : null;
    return {
      model_completion: text,
      final_answer: calls.length === 0 && parseError === undefined ? text : null,
      tool_code: calls.map((call) => `${call.name}(${JSON.stringify(call.arguments)})`).join('\n'),
      tool_output: output,
      action_output: output,
    };
  });
}

/*
 * The six arithmetic rewards of ToolBrain (arXiv:2510.00023; github.com/ToolBrain/ToolBrain, toolbrain/rewards.py at
 * 1cff66e), value for value,
 * faults included: a gold answer in any turn's output pays, 12.0 is not 12, the word "error" in a mail is an error,
 * only the first output counts,
 * nothing to judge is 0, and a reward that raises is 0. Behind the option compat; our own versions are in rewards/.
 */

export const exactMatchCompat = (turns: readonly ToolBrainTurn[], gold: string | undefined): number =>
  exactMatchOrRaise(turns, gold) ?? 0;

/** null: it raises, and whoever called it with it */
function exactMatchOrRaise(turns: readonly ToolBrainTurn[], gold: string | undefined): number | null {
  if (gold === undefined) return 0;
  const wanted = pyStrip(gold);
  for (const turn of [...turns].reverse()) {
    if (turn.final_answer !== null && pyStrip(turn.final_answer) === wanted) return 1;
    if (turn.action_output !== null && pyStrip(turn.action_output) === wanted) return 1;
    const parts = turn.model_completion.split('Final answer:');
    if (parts.length > 1 && pyStrip(parts.at(-1)!) === wanted) return 1;
    if (turn.tool_code === null) return null; // it looks for a word in None there
  }
  return 0;
}

export function toolSuccessCompat(turns: readonly ToolBrainTurn[]): number {
  const first = turns.find((turn) => turn.tool_output !== null);
  return first === undefined || first.tool_output!.toLowerCase().includes('error') ? 0 : 1;
}

export const stepEfficiencyCompat = (turns: readonly ToolBrainTurn[], maxTurns: number): number =>
  turns.length <= maxTurns ? 1 : Math.max(0, 1 - (turns.length - maxTurns) * 0.1);

export function searchFirstCompat(turns: readonly ToolBrainTurn[]): number {
  const first = turns.find((turn) => turn.tool_code);
  return first?.tool_code?.toLowerCase().includes('search') ? 1 : 0;
}

export const noShellCompat = (turns: readonly ToolBrainTurn[]): number =>
  turns.some((turn) => turn.tool_code?.toLowerCase().includes('os.system')) ? 0 : 1;

export function combinedCompat(
  turns: readonly ToolBrainTurn[],
  gold: string | undefined,
  weights: { exact: number; tools: number; steps: number },
  maxTurns: number,
): number {
  const exact = exactMatchOrRaise(turns, gold);
  if (exact === null) return 0;
  const total =
    weights.exact * exact +
    weights.tools * toolSuccessCompat(turns) +
    weights.steps * stepEfficiencyCompat(turns, maxTurns);
  return Math.max(0, Math.min(1, total));
}

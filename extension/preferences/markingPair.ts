/** A pair as the page may show it: what both have in common, then each one's way. Pure, free of `vscode`. */
import type { QueuedPair } from '../../trainer/protocol/preferenceState';
import type { ToolSchema } from '../../trainer/protocol/task';
import type { Message, Trace } from '../../trainer/protocol/trace';
import type { AnswerDraft, MarkingPair, MarkingStep } from '../../webview/messages';
import { traceText } from './traceText';

/** @param a the side that stands as A */
export function markingPair(
  { pair, traces }: QueuedPair,
  both: readonly [Trace, Trace],
  { a, isBlind, tools }: { a: 0 | 1; isBlind: boolean; tools: readonly ToolSchema[] },
): MarkingPair {
  const turn = pair.prompt.filter(({ role }) => role === 'assistant').length;
  const steps = both.map((trace) => stepsOf(trace, isBlind));
  const common = steps[0]!.findIndex((step) => step.kind === 'end' || step.turn === turn);
  const side = (i: 0 | 1) => ({ steps: steps[i]!.slice(common), draft: draftOf(pair.sides[i].messages[0]!) });
  return {
    id: pair.id,
    prompt: traces[0].prompt,
    before: steps[0]!.slice(0, common).filter(({ kind }, i, all) => kind !== 'task' || i !== firstTask(all)),
    sides: { a: side(a), b: side(a === 0 ? 1 : 0) },
    isBlind,
    tools: tools.map(({ name, description, parameters }) => ({
      name,
      description,
      parameters: parameters as Record<string, unknown>,
    })),
  };
}

const firstTask = (steps: readonly MarkingStep[]): number => steps.findIndex(({ kind }) => kind === 'task');

const stepsOf = (trace: Trace, blind: boolean): MarkingStep[] =>
  traceText(trace, { blind }).blocks.map(({ kind, title, lines, turn }) => ({ kind, title, lines, turn }));

const draftOf = ({ content, tool_calls: calls }: Message): AnswerDraft => ({
  content,
  calls: (calls ?? []).map(({ function: { name, arguments: args } }) => ({ name, arguments: args })),
});

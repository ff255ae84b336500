/** A pair and its sides in few words, for lists. Pure, free of `vscode`. */
import type { AnswerPair } from '../../trainer/protocol/preferences';
import type { PairState } from '../../trainer/protocol/preferenceState';
import type { Message } from '../../trainer/protocol/trace';

/** `search({"query":"rent"})`, or the answer's words */
export function sideText({ messages }: { messages: readonly Message[] }, most = 60): string {
  const [{ content, tool_calls: calls } = { content: '' } as Message] = messages;
  const text = calls?.length
    ? calls.map(({ function: { name, arguments: args } }) => `${name}(${JSON.stringify(args)})`).join(', ')
    : content.replace(/\s+/g, ' ').trim();
  return text.length > most ? `${text.slice(0, most - 1)}…` : text || '(nothing)';
}

/** What the better side says; what was decided where none is. */
export function verdictText(pair: AnswerPair, verdict: PairState['verdict']): string {
  switch (verdict) {
    case 'first':
      return sideText(pair.sides[0]);
    case 'second':
      return sideText(pair.sides[1]);
    case 'tie':
      return 'Equally good';
    case 'bothBad':
      return 'Both bad';
    case 'skip':
      return 'Skipped';
    case 'disputed':
      return 'Disputed';
    case null:
      return 'Not marked';
  }
}

/** What a task wants and what a trace did, as two texts whose differences are the mistake. Pure, free of `vscode`. */
import type { GoldCall, Task } from '../../trainer/protocol/task';
import type { Trace } from '../../trainer/protocol/trace';

/** The gold calls, one JSON object each, then the answer's words. */
export function expectedText({ calls, answer }: Task): string {
  return textOf(calls === undefined ? null : calls.map(callLines), answer ?? null);
}

/** In the same form, and only of what the task asks about. A call that did not end well says how. */
export function actualText(trace: Trace, { calls, answer }: Task): string {
  const made = trace.turns.flatMap((turn) => [
    ...(turn.parseError === undefined ? [] : [`could not be read: ${turn.text}`]),
    ...turn.calls.map(
      (call) => `${callLines(call)}${call.result && call.result.kind !== 'ok' ? `\n  (${call.result.kind})` : ''}`,
    ),
  ]);
  const last = trace.messages.at(-1);
  const reply = last?.role === 'assistant' && !last.tool_calls?.length ? last.content : '';
  const end = trace.truncated === 'no' ? [] : [`(cut off: ${trace.truncated})`];
  return textOf(calls === undefined ? null : [...made, ...end], answer === undefined ? null : reply);
}

/**
 * The task with an answer to show, where it states none but the one that was given is not right: the two texts would
 * else be the same.
 * @param anyAnswer words for "whichever says what was asked"
 */
export const withAnswerShown = (task: Task, { verdicts }: Pick<Trace, 'verdicts'>, anyAnswer: string): Task =>
  task.answer === undefined && verdicts?.answerRight === false ? { ...task, answer: anyAnswer } : task;

function textOf(calls: string[] | null, answer: string | null): string {
  const parts = [
    ...(calls === null ? [] : calls.length === 0 ? ['(no call)'] : calls),
    ...(answer === null ? [] : [`answer: ${answer}`]),
  ];
  return `${parts.join('\n')}\n`;
}

/** Arguments in the order of their names, so that the order alone is no difference. */
function callLines({ name, arguments: args }: Pick<GoldCall, 'name' | 'arguments'>): string {
  const lines = Object.entries(args)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `  ${key}: ${JSON.stringify(value)}`);
  return [name, ...lines].join('\n');
}

/** Lines as a test's output wants them. */
export const toTerminal = (text: string): string => text.replace(/\r?\n/g, '\r\n');

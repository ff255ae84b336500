import { inSchemaOrder, schemaOf } from '../../protocol/arguments';
import type { GoldCall, Task, ToolSchema } from '../../protocol/task';
import type { Message } from '../../protocol/trace';
import { goldAnswer } from '../verdicts/goldAnswer';
import { Dialogue } from './dialogue';
import type { Policy, PolicyCall } from './policy';

export interface ScriptedTurn {
  content?: string;
  calls?: readonly PolicyCall[];
}

/** What is said next, by all that was said and read. */
export type Script = (messages: readonly Message[]) => ScriptedTurn;

/** A policy that says what its script says. */
export const scriptedPolicy = (id: string, script: Script): Policy => ({
  id,
  version: 'scripted',
  constraint: 'none',
  open: (opening) =>
    new Dialogue(opening, async (messages) => {
      const { content = '', calls = [] } = script(messages);
      return { text: content, content, calls: [...calls], finishReason: 'stop', usage: null };
    }),
});

/** These turns, one after the other; when they are said, that there is nothing more. */
export const inTurn =
  (turns: readonly ScriptedTurn[], last: ScriptedTurn = { content: 'Done.' }): Script =>
  (messages) =>
    turns[messages.filter(({ role }) => role === 'assistant').length] ?? last;

/** What solves a task: its gold calls, one a turn, then the answer, from what they found where the task states none. */
export const goldScript =
  (task: Task, tools: readonly ToolSchema[]): Script =>
  (messages) => {
    const next = messages.filter(({ role }) => role === 'assistant').length;
    const call = task.calls?.[next];
    return call
      ? { calls: [{ ...inOrder(call, tools), id: `gold-${task.id}-${next}` }] }
      : { content: goldAnswer(task, messages, tools) };
  };

const inOrder = (call: GoldCall, tools: readonly ToolSchema[]): GoldCall => ({
  ...call,
  arguments: inSchemaOrder(call.arguments, schemaOf(tools, call.name)),
});

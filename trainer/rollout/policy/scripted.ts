import type { Task } from '../../protocol/task';
import type { Message } from '../../protocol/trace';
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

/** What solves a task: its gold calls, one a turn, then the answer. */
export const goldScript = ({ id, calls = [], answer }: Task): Script =>
  inTurn(
    calls.map((call, i) => ({ calls: [{ ...call, id: `gold-${id}-${i}` }] })),
    { content: answer ?? (calls.length > 0 ? 'Done.' : 'No tool can do that.') },
  );

/** What an episode of the bench did, and where it went wrong first. Pure. */
import type { GoldCall, Task, TypeScriptTool } from '../../../trainer/protocol/task';
import type { Trace } from '../../../trainer/protocol/trace';
import { answerOccurs, isSameCall, meetsGold, outcomeOf } from '../../../trainer/tasks/solved';
import { equalJson, schemaOf, withoutDefaults } from '../../../trainer/protocol/arguments';

/** In the order in which they are looked for: each missed request has one. */
export const FAILURES = {
  calledForNothing: 'a call where none was due',
  noCall: 'no call where one was due',
  parse: 'no call that can be read',
  cutOff: 'cut off by a limit',
  wrongTool: 'wrong tool',
  wrongValue: 'right tool, wrong value',
  chainStopped: 'stopped after the first call',
  furtherChange: 'gold calls made, and a further change of the world',
} as const;
export type Failure = keyof typeof FAILURES;

export interface WrongValue {
  /** tool.parameter */
  parameter: string;
  how: 'missing' | 'extra' | 'wrong';
  gold: unknown;
  made: unknown;
}

export interface Judged {
  task: Task;
  /** the gold calls were made, in order, and nothing further changed the world; without gold calls: no call */
  success: boolean;
  /** as the product counts it: its own view of what changes the world, and the answer where there is one */
  strict: boolean;
  /** null: the request states none */
  answered: boolean | null;
  /** null: success */
  failure: Failure | null;
  wrong: WrongValue[];
}

/** @param changing tools that change the world, whatever the product takes them for */
export function judge(task: Task, trace: Trace, tools: readonly TypeScriptTool[], changing: readonly string[]): Judged {
  const outcome = outcomeOf(trace);
  const known = tools.map((tool) => ({ ...tool, changesWorld: changing.includes(tool.name) }));
  const success = meetsGold({ ...task, answer: undefined }, outcome, known);
  const answered = task.answer === undefined ? null : answerOccurs(task.answer, outcome.lastReply);
  return {
    task,
    success,
    strict: meetsGold(task, outcome, tools),
    answered,
    ...(success ? { failure: null, wrong: [] } : explain(task.calls ?? [], trace, tools)),
  };
}

function explain(
  gold: readonly GoldCall[],
  trace: Trace,
  tools: readonly TypeScriptTool[],
): { failure: Failure; wrong: WrongValue[] } {
  const made = trace.turns.flatMap(({ calls }) =>
    calls.map(({ name, arguments: args }) => ({ name, arguments: args })),
  );
  const only = (failure: Failure): { failure: Failure; wrong: WrongValue[] } => ({ failure, wrong: [] });
  if (gold.length === 0) return only(made.length > 0 ? 'calledForNothing' : 'cutOff');
  let next = 0;
  let after = 0;
  made.forEach((call, i) => {
    if (next < gold.length && isSameCall(gold[next]!, call, tools)) [next, after] = [next + 1, i + 1];
  });
  const due = gold[next];
  if (due === undefined) return only('furtherChange');
  const rest = made.slice(after);
  const near = rest.find(({ name }) => name === due.name);
  if (near) return { failure: 'wrongValue', wrong: wrongValues(due, near, tools) };
  if (rest.length > 0) return only('wrongTool');
  if (trace.turns.some(({ parseError }) => parseError !== undefined)) return only('parse');
  if (trace.truncated !== 'no') return only('cutOff');
  return only(next > 0 ? 'chainStopped' : 'noCall');
}

/** Parameters that differ, with defaults left out on both sides. */
export function wrongValues(gold: GoldCall, made: GoldCall, tools: readonly TypeScriptTool[]): WrongValue[] {
  const schema = schemaOf(tools, gold.name);
  const [wanted, given] = [withoutDefaults(gold.arguments, schema), withoutDefaults(made.arguments, schema)];
  return [...new Set([...Object.keys(wanted), ...Object.keys(given)])]
    .filter((name) => !equalJson(wanted[name], given[name]))
    .map((name) => ({
      parameter: `${gold.name}.${name}`,
      how: !(name in given) ? 'missing' : !(name in wanted) ? 'extra' : 'wrong',
      gold: wanted[name],
      made: given[name],
    }));
}

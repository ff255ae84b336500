import type { Task, ToolSchema } from '../protocol/task';
import { withoutLookUps, type ToolResultKind, type Trace } from '../protocol/trace';
import { equalJson, schemaOf, withDefaults, type Arguments } from '../protocol/arguments';

export interface MadeCall {
  name: string;
  arguments: Arguments;
  /** null: it was never run (the episode was cancelled first) */
  resultKind: ToolResultKind | null;
}

/** What an episode did, as far as solving a task goes. */
export interface Outcome {
  /** in the order in which they were made */
  calls: MadeCall[];
  /** the closing assistant message without calls; '' when there is none */
  lastReply: string;
  /** the policy ended by itself */
  terminated: boolean;
}

/** The outcome that a trace records; looking tools up is no call of one. */
export function outcomeOf(trace: Trace): Outcome {
  const last = trace.messages.at(-1);
  return {
    calls: withoutLookUps(trace).turns.flatMap((turn) =>
      turn.calls.map((call) => ({ name: call.name, arguments: call.arguments, resultKind: call.result?.kind ?? null })),
    ),
    lastReply: last?.role === 'assistant' && !last.tool_calls?.length ? last.content : '',
    terminated: trace.terminated,
  };
}

/**
 * Meets what the task names: the gold calls are made in order with arguments that are equal after schema defaults, and
 * no further call changes the world;
 * `calls: []`: no call is made, by a policy that ended by itself (one that was cut off had not decided yet); `calls`
 * absent: only the answer counts. `answer`, where given, occurs in the last reply. A task with neither is not solvable
 * (readTasks refuses it). Whether an episode solved its task is told by this and more: rollout/verdicts.
 *
 * A call that was refused before it ran (invalid arguments, unknown tool, unseen value, refused by the user) has not
 * changed the world.
 */
export function meetsGold(task: Task, outcome: Outcome, tools: readonly ToolSchema[]): boolean {
  if (task.calls === undefined && task.answer === undefined) return false;
  if (task.calls !== undefined) {
    if (task.calls.length === 0) {
      if (outcome.calls.length > 0 || !outcome.terminated) return false;
    } else if (!areMadeInOrder(task.calls, outcome.calls, tools)) return false;
    if (furtherWorldChanges(task.calls, outcome.calls, tools) > 0) return false;
  }
  return task.answer === undefined || answerOccurs(task.answer, outcome.lastReply);
}

type Call = { name: string; arguments: Arguments };

/** Same tool, and arguments equal after schema defaults. */
export function isSameCall(a: Call, b: Call, tools: readonly ToolSchema[]): boolean {
  const schema = schemaOf(tools, a.name);
  return a.name === b.name && equalJson(withDefaults(a.arguments, schema), withDefaults(b.arguments, schema));
}

/** Are the gold calls a subsequence of the calls that were made? */
export function areMadeInOrder(gold: Call[], made: Call[], tools: readonly ToolSchema[]): boolean {
  let next = 0;
  for (const call of made) {
    const wanted = gold[next];
    if (wanted && isSameCall(wanted, call, tools)) next++;
  }
  return next === gold.length;
}

/**
 * Does the answer occur in the reply, ignoring case, thousands separators and trailing zeros? As a whole: 12 does not
 * occur in 312, 1.2, -12
 * or 12.5, nor "art" in "party"; but 12 does in "12.00 EUR", and 1234.5 in "1,234.50".
 */
export function answerOccurs(answer: string, reply: string): boolean {
  const wanted = normalise(answer);
  if (wanted === '') return true;
  const text = normalise(reply);
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const before = text.slice(0, at);
    const after = text.slice(at + wanted.length);
    if (!continuesBefore(before, wanted) && !continuesAfter(wanted, after)) return true;
  }
  return false;
}

const NOT_RUN: ReadonlySet<string> = new Set<ToolResultKind>([
  'invalidArguments',
  'unknownTool',
  'refused',
  'unseenValue',
]);

/** How many calls ran, change the world, and are not among the gold calls (each gold call excuses one). */
function furtherWorldChanges(gold: Call[], made: MadeCall[], tools: readonly ToolSchema[]): number {
  const changing = new Set(tools.filter((tool) => tool.changesWorld).map((tool) => tool.name));
  const excused = gold.filter((call) => changing.has(call.name));
  let further = 0;
  for (const call of made) {
    if (!changing.has(call.name) || call.resultKind === null || NOT_RUN.has(call.resultKind)) continue;
    const index = excused.findIndex((goldCall) => isSameCall(goldCall, call, tools));
    if (index < 0) further++;
    else excused.splice(index, 1);
  }
  return further;
}

function normalise(text: string): string {
  return text
    .replace(/(?<=\d)[\u00a0\u202f\u2009](?=\d{3}(?!\d))/g, ',')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\u2212/g, '-')
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/(?<![\d.,'])\d{1,3}(?:(?:,\d{3})+|(?:'\d{3})+|(?:_\d{3})+)(?!\d)/g, (number) => number.replace(/\D/g, ''))
    .replace(/(?<![\d.])(\d+)\.(\d*?)0+(?![\d]|\.\d)/g, (_, whole: string, fraction: string) =>
      fraction ? `${whole}.${fraction}` : whole,
    )
    .replace(/\s+/g, ' ')
    .trim();
}

function continuesBefore(before: string, wanted: string): boolean {
  if (/^\d/.test(wanted)) return /\d$|\d[.,]$|(^|[\s(=:])-$/.test(before);
  return /^\p{L}/u.test(wanted) && /\p{L}$/u.test(before);
}

function continuesAfter(wanted: string, after: string): boolean {
  if (/\d$/.test(wanted)) return /^\d|^[.,]\d/.test(after);
  return /\p{L}$/u.test(wanted) && /^\p{L}/u.test(after);
}

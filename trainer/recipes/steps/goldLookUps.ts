/** Demonstrations in which tools are looked up (`findTools`). */
import type { TrainedTrace } from '../../learning/batch';
import type { Task, ToolSchema } from '../../protocol/task';
import { LookUps } from '../../rollout/environment/lookUps';
import { goldScript, type Script } from '../../rollout/policy/scripted';
import { FIND_TOOLS } from '../../tools/retrieval/findTools';
import { partsOfRequest } from '../../tools/retrieval/requestParts';
import type { PromptTools } from '../../tools/retrieval/promptTools';
import { goldEpisode, sequenceOf, untilUnexpected, type Gold } from './gold';
import type { Session } from './session';

export interface GoldLookUps extends Gold {
  /** what the policy is shown of the tools, from which message on */
  shown: { tools: readonly ToolSchema[]; from: number }[];
}

/**
 * The dialogue that solves a task whose tools are not among those that its request is shown: a look-up for each that is
 * missing, by the request or one of its sentences, then its calls. Null: nothing has to be looked up, nothing said
 * finds it, or a gold call fails.
 */
export async function goldWithLookUps(s: Session, task: Task): Promise<GoldLookUps | null> {
  const begin = s.context.shown?.begin;
  if (!begin) return null;
  const sets = setsFor(task, begin(task));
  if (!sets || sets.length === 1) return null;
  const queries = sets.flatMap(({ query }) => query ?? []);
  const script = lookUpsFirst(queries, goldScript(task, s.context.tools));
  const most = queries.length + task.calls!.length + 1;
  const { messages, turns } = await goldEpisode(s, task, script, most, (inner) =>
    untilUnexpected(new LookUps(inner, { begin, now: () => 0 }), false),
  );
  if (turns.length !== most) return null;
  // each look-up is a call and its result, behind the request
  return { messages, trainFrom: 0, shown: sets.map(({ tools }, i) => ({ tools, from: i === 0 ? 0 : 1 + 2 * i })) };
}

/** The rest is said as if nothing had been looked up: no answer tells of it. */
const lookUpsFirst =
  (queries: readonly string[], then: Script): Script =>
  (messages) => {
    const query = queries[messages.filter(({ role }) => role === 'assistant').length];
    if (query === undefined) return then([messages[0]!, ...messages.slice(1 + 2 * queries.length)]);
    return { calls: [{ name: FIND_TOOLS.name, arguments: { query } }] };
  };

/** What is shown first, and behind each look-up; null: it can't be found. */
function setsFor(
  { prompt, calls = [] }: Task,
  first: PromptTools,
): { tools: readonly ToolSchema[]; query?: string }[] | null {
  const has = ({ shown }: PromptTools, wanted: string): boolean => shown.some(({ name }) => name === wanted);
  const wanted = [...new Set(calls.map(({ name }) => name))];
  const sets: { tools: readonly ToolSchema[]; query?: string }[] = [{ tools: first.shown }];
  let last = first;
  for (const name of wanted) {
    if (has(last, name)) continue;
    const found = [prompt, ...partsOfRequest(prompt)]
      .map((query) => ({ query, then: lookedUp(last, query) }))
      .find(({ then }) => has(then, name));
    if (!found) return null;
    last = found.then;
    sets.push({ tools: last.shown, query: found.query });
  }
  return wanted.every((name) => has(last, name)) ? sets : null;
}

function lookedUp(before: PromptTools, query: string): PromptTools {
  const after = before.copy();
  after.answer(FIND_TOOLS.name, { query }, 0);
  return after;
}

/**
 * What is learnt of such a dialogue: of each prompt what the policy writes behind it, as it is sampled. Null: the
 * constraint could never say it.
 */
export function sequencesOf(s: Session, { messages, shown }: GoldLookUps): TrainedTrace[] | null {
  const all = shown.map(({ tools, from }, i) => sequenceOf(s, messages.slice(0, shown[i + 1]?.from), tools, from));
  return all.every((one) => one !== null) ? all : null;
}

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
 * The dialogue that solves a task whose tools are not among those that its request is shown: before the call of each
 * that is missing it is looked up, by the request or one of its sentences. Null: nothing has to be looked up, nothing
 * said finds it, or a gold call fails.
 */
export async function goldWithLookUps(s: Session, task: Task): Promise<GoldLookUps | null> {
  const begin = s.context.shown?.begin;
  if (!begin) return null;
  const plan = planOf(task, begin(task));
  if (!plan || plan.shown.length === 1) return null;
  const script = withLookUps(plan.queries, goldScript(task, s.context.tools));
  const most = plan.queries.length + 1;
  const { messages, turns } = await goldEpisode(s, task, script, most, (inner) =>
    untilUnexpected(new LookUps(inner, { begin, now: () => 0 }), false),
  );
  return turns.length === most ? { messages, trainFrom: 0, shown: plan.shown } : null;
}

interface Plan {
  /** by turn what is looked up; null: the next gold call is made */
  queries: (string | null)[];
  shown: GoldLookUps['shown'];
}

/** Null: something can't be found. */
function planOf({ prompt, calls = [] }: Task, first: PromptTools): Plan | null {
  const has = ({ shown }: PromptTools, wanted: string): boolean => shown.some(({ name }) => name === wanted);
  const plan: Plan = { queries: [], shown: [{ tools: first.shown, from: 0 }] };
  let now = first;
  for (const { name } of calls) {
    if (!has(now, name)) {
      const found = [prompt, ...partsOfRequest(prompt)]
        .map((query) => ({ query, after: lookedUp(now, query) }))
        .find(({ after }) => has(after, name));
      if (!found) return null;
      now = found.after;
      plan.queries.push(found.query);
      // a turn is a message and its result, behind the request
      plan.shown.push({ tools: now.shown, from: 1 + 2 * plan.queries.length });
    }
    now.used(name);
    plan.queries.push(null);
  }
  return plan;
}

function lookedUp(before: PromptTools, query: string): PromptTools {
  const after = before.copy();
  after.answer(FIND_TOOLS.name, { query }, 0);
  return after;
}

/** What is not looked up is said as if nothing had been: no answer tells of it. */
const withLookUps =
  (queries: Plan['queries'], gold: Script): Script =>
  (messages) => {
    const query = queries[messages.filter(({ role }) => role === 'assistant').length] ?? null;
    if (query !== null) return { calls: [{ name: FIND_TOOLS.name, arguments: { query } }] };
    return gold(
      messages.filter(({ name, tool_calls = [] }) => (name ?? tool_calls[0]?.function.name) !== FIND_TOOLS.name),
    );
  };

/**
 * What is learnt of such a dialogue: of each prompt what the policy writes behind it, as it is sampled. Null: the
 * constraint could never say it.
 */
export function sequencesOf(s: Session, { messages, shown }: GoldLookUps): TrainedTrace[] | null {
  const all = shown.map(({ tools, from }, i) => sequenceOf(s, messages.slice(0, shown[i + 1]?.from), tools, from));
  return all.every((one) => one !== null) ? all : null;
}

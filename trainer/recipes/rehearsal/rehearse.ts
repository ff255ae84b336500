/**
 * A rehearsal before step 1: some tasks greedily, some in groups, the gold calls of some. It says what it saw; what
 * can't learn is not trained. It takes nothing
 * from the run's random streams and trains nothing, so a run that it lets through is the run that it would have been
 * without.
 */
import { runTasks } from '../../evaluation/evaluate';
import type { TrainerEventBody } from '../../protocol/messages';
import type { Rehearsal } from '../../protocol/rehearsal';
import { UserError } from '../../protocol/result';
import { DEFAULTS } from '../../protocol/settings/defaults';
import type { Task } from '../../protocol/task';
import { TRACE_VERSION, type ToolResult, type Trace } from '../../protocol/trace';
import { parseRewards } from '../../rewards/parseRewards';
import { scoreGroup } from '../../rewards/score';
import { goldAnswer } from '../../rollout/verdicts/goldAnswer';
import { foldRun } from '../../store/runs/readRun';
import { measuring } from '../steps/measure';
import type { Session } from '../steps/session';
import { kindOf } from '../steps/taskMix';
import { figuresOf, problemsOf, warmStepsOf, type Rehearsed } from './report';

const GREEDY = 24;
const SAMPLED = 8;
const SAMPLES = 8;
const GOLD = 24;

/**
 * Rehearses a new run, unless its settings say not to or nothing is sampled in it, and decides about its first steps; a
 * resumed one keeps what was decided.
 * @returns whether the run goes on: it was not stopped
 * @throws UserError where nothing could be learnt, after the report was told
 */
export async function* rehearsed(s: Session): AsyncGenerator<TrainerEventBody, boolean> {
  const { config, resumeFrom, run } = s.context;
  if (!(config.rehearsal ?? DEFAULTS.rehearsal) || config.pairs !== undefined) return true;
  const report = resumeFrom === null ? yield* rehearse(s) : foldRun(run.dir).rehearsal;
  s.warmSteps = config.warmSteps ?? report?.warmSteps ?? 0;
  return resumeFrom !== null || report !== null;
}

/**
 * @returns null where it was stopped
 * @throws UserError where nothing could be learnt, after the report was told
 */
export async function* rehearse(s: Session): AsyncGenerator<TrainerEventBody, Rehearsal | null> {
  const {
    config,
    tasks: { train },
    tools,
    signal,
    now,
  } = s.context;
  const startedAt = now();
  const some = spreadOverKinds(train, Math.max(GREEDY, GOLD));
  const asTrained = { ...measuring(s, 'try'), shown: s.context.shown?.training };
  const greedy = await runTasks(some.slice(0, GREEDY), asTrained);
  if (signal.aborted) return null;
  const inGroups = some.slice(0, SAMPLED);
  const sampled = await runTasks(inGroups, asTrained, SAMPLES);
  if (signal.aborted) return null;
  const gold = await goldOf(s, some.slice(0, GOLD));
  const goldRewards: (number | null)[] = [];
  for (const [i, task] of inGroups.entries()) {
    const group = sampled.slice(i * SAMPLES, (i + 1) * SAMPLES);
    const [ofGold, ...rest] = await scored(s, task, [goldTrace(s, task, gold.byTask.get(task.id) ?? []), ...group]);
    if ((task.calls ?? []).length > 0 && gold.byTask.get(task.id)?.every(({ result }) => result.kind === 'ok'))
      goldRewards.push(ofGold!.reward);
    group.forEach((trace, at) => (trace.reward = rest[at]!.reward));
  }
  if (signal.aborted) return null;
  const rehearsed: Rehearsed = {
    tools,
    greedy,
    sampled,
    k: SAMPLES,
    gold: [...gold.byTask.values()].flat(),
    goldRewards,
  };
  const figures = figuresOf(rehearsed);
  const problems = problemsOf(figures, rehearsed, config, train);
  const report: Rehearsal = {
    ...figures,
    problems,
    warmSteps: problems.length > 0 ? 0 : warmStepsOf(figures, config, train),
    seconds: Math.round((now() - startedAt) / 100) / 10,
  };
  yield { type: 'rehearsed', report };
  if (problems.length > 0) {
    throw new UserError(
      'config',
      `nothing could be learnt, so nothing was trained: ${problems.map(({ what }) => what).join('; ')}`,
      `${problems.map(({ wayOut }) => wayOut).join(' ')} With --set rehearsal=false it trains all the same.`,
    );
  }
  return report;
}

/** The first of each kind, then the second of each, and so on. */
export function spreadOverKinds(tasks: readonly Task[], count: number): Task[] {
  const kinds = new Map<string, Task[]>();
  for (const task of tasks) {
    const kind = kindOf(task);
    kinds.set(kind, [...(kinds.get(kind) ?? []), task]);
  }
  const lists = [...kinds.values()];
  const out: Task[] = [];
  for (let round = 0; out.length < Math.min(count, tasks.length); round++)
    for (const list of lists) if (list[round] && out.length < count) out.push(list[round]!);
  return out;
}

interface GoldResults {
  byTask: Map<string, { tool: string; result: ToolResult }[]>;
}

/** The gold calls of tasks, each task's in a session of its own. */
async function goldOf(s: Session, tasks: readonly Task[]): Promise<GoldResults> {
  const byTask: GoldResults['byTask'] = new Map();
  for (const task of tasks) {
    const session = s.context.hosts.open(`rehearsal-${task.id}`);
    const results: { tool: string; result: ToolResult }[] = [];
    try {
      for (const call of task.calls ?? []) {
        if (s.context.signal.aborted) break;
        results.push({ tool: call.name, result: await session.call(call.name, call.arguments, s.context.signal) });
      }
    } finally {
      session.close();
    }
    byTask.set(task.id, results);
  }
  return { byTask };
}

/** What a policy that does what is right would leave. */
function goldTrace(s: Session, task: Task, results: readonly { result: ToolResult }[]): Trace {
  const { config, run, now } = s.context;
  const id = `rehearsal-${task.id}`;
  const calls = (task.calls ?? []).map((call, i) => ({
    ...call,
    id: `${id}-${i}`,
    result: results[i]?.result ?? null,
  }));
  const messages: Trace['messages'] = [
    { role: 'user', content: task.prompt },
    ...calls.flatMap((call): Trace['messages'] => [
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: call.id, type: 'function', function: { name: call.name, arguments: call.arguments } }],
      },
      { role: 'tool', name: call.name, tool_call_id: call.id, content: call.result?.content ?? 'null' },
    ]),
  ];
  const answer = goldAnswer(task, messages, s.context.tools);
  return {
    version: TRACE_VERSION,
    id,
    runId: run.id,
    taskId: task.id,
    phase: 'try',
    step: 0,
    groupId: id,
    indexInGroup: 0,
    seed: config.seed,
    model: s.policy.id,
    checkpoint: 'gold',
    temperature: 0,
    constraint: s.policy.constraint,
    messages: [...messages, { role: 'assistant', content: answer }],
    turns: [
      ...calls.map((call) => ({ start: 0, end: 0, text: '', calls: [call], sampleMs: 0 })),
      { start: 0, end: 0, text: answer, calls: [], sampleMs: 0 },
    ],
    tokens: { ids: [], logprobs: [], completionMask: [], writer: '' },
    terminated: true,
    truncated: 'no',
    solved: true,
    rewards: [],
    reward: null,
    advantage: null,
    startedAt: now(),
    durationMs: 0,
  };
}

/**
 * With the run's rewards; as they are where a judge would have to be asked, or where nothing is sampled in training.
 */
async function scored(s: Session, task: Task, group: Trace[]): Promise<Trace[]> {
  const { config, tools, hosts, judge } = s.context;
  if (judge !== null || config.method === 'sft' || config.pairs !== undefined) return group;
  const specs = parseRewards(
    config.rewards,
    hosts.rewards.map((reward) => reward.name),
  );
  return scoreGroup(task, group, tools, specs, (name, ofTask, list) => hosts.scoreReward(name, ofTask, [...list]));
}

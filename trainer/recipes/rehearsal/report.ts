/** What a rehearsal's episodes say, and what follows from it. Pure. */
import { passRates } from '../../evaluation/evaluate';
import { percent, type Rehearsal } from '../../protocol/rehearsal';
import type { LimitedConfig } from '../../protocol/runConfig';
import { isMade, type Task, type ToolSchema } from '../../protocol/task';
import type { ToolResult, Trace } from '../../protocol/trace';
import { isSampled } from '../../protocol/runMethod';

export interface Rehearsed {
  tools: readonly ToolSchema[];
  greedy: readonly Trace[];
  /** task by task, k each; their rewards where they were scored */
  sampled: readonly Trace[];
  k: number;
  /** what the gold calls of some tasks really gave */
  gold: readonly { tool: string; result: ToolResult }[];
  /** reward of gold dialogues; null where none was scored */
  goldRewards: readonly (number | null)[];
}

/**
 * Below either of these a policy seldom finds by itself what GRPO would reinforce. Of made tasks there are thousands,
 * which few steps of SFT learn better: on a
 * library desk that was solved to 44 % GRPO came to 68 %, 96 steps of SFT and 24 of GRPO to 84 %. A person's few would
 * be learnt by heart.
 */
const WARM_BAR = { own: { greedy: 0.25, passK: 0.5 }, made: { greedy: 0.75, passK: 0.75 } };
/** Of a run's steps so many come first as SFT, then. */
export const WARM_SHARE = 0.75;
/** Calls of a tool that must have failed before one says that it always does. */
const ALWAYS = 3;
/** Share of the episodes from which on a limit is in the way of all learning. */
const MOSTLY = 0.8;
const FIRST = 80;

export function figuresOf({
  tools,
  greedy,
  sampled,
  k,
  gold,
  goldRewards,
}: Rehearsed): Omit<Rehearsal, 'problems' | 'warmSteps' | 'seconds'> {
  const traces = [...greedy, ...sampled];
  const calls = traces.flatMap((trace) => trace.turns.flatMap((turn) => turn.calls));
  const { pass1, passK, n: tasks } = passRates(sampled, k, k);
  const tried = new Set(calls.map(({ name }) => name));
  return {
    greedy: { n: greedy.length, solved: greedy.filter(({ solved }) => solved).length },
    sampled: { tasks, k, pass1, passK },
    episodes: traces.length,
    cutOff: traces.filter(({ truncated }) => truncated === 'tokenLimit' || truncated === 'turnLimit').length,
    parseErrors: traces.filter(({ turns }) => turns.at(-1)?.parseError !== undefined).length,
    errors: errorsOf(
      calls.flatMap(({ name, result }) => (result === null || result.kind === 'ok' ? [] : [{ tool: name, result }])),
    ),
    goldErrors: tools.flatMap(({ name }) => {
      const own = gold.filter(({ tool }) => tool === name);
      const failed = own.filter(({ result }) => result.kind !== 'ok');
      return failed.length === 0
        ? []
        : [{ tool: name, n: failed.length, of: own.length, first: firstOf(failed[0]!.result) }];
    }),
    untried: tools.map(({ name }) => name).filter((name) => !tried.has(name)),
    rewards: rewardsOf(sampled, k, goldRewards),
  };
}

const firstOf = ({ content }: ToolResult): string => (content.length > FIRST ? `${content.slice(0, FIRST)}…` : content);

function errorsOf(failed: readonly { tool: string; result: ToolResult }[]): Rehearsal['errors'] {
  const byKind = new Map<string, Rehearsal['errors'][number]>();
  for (const { tool, result } of failed) {
    const key = `${tool} ${result.kind}`;
    const known = byKind.get(key) ?? { tool, kind: result.kind, n: 0, first: firstOf(result) };
    known.n++;
    byKind.set(key, known);
  }
  return [...byKind.values()].sort((a, b) => b.n - a.n || a.tool.localeCompare(b.tool));
}

function rewardsOf(sampled: readonly Trace[], k: number, gold: readonly (number | null)[]): Rehearsal['rewards'] {
  const scored = sampled.flatMap(({ reward }) => (reward === null ? [] : [reward]));
  if (scored.length === 0) return null;
  const groups = Array.from({ length: Math.floor(sampled.length / k) }, (_, g) =>
    sampled.slice(g * k, (g + 1) * k).flatMap(({ reward }) => (reward === null ? [] : [reward])),
  );
  const ofGold = gold.flatMap((reward) => (reward === null ? [] : [reward]));
  return {
    groups: groups.length,
    equal: groups.filter((group) => new Set(group).size <= 1).length,
    least: Math.min(...scored),
    most: Math.max(...scored),
    gold: ofGold.length === 0 ? null : ofGold.reduce((a, b) => a + b, 0) / ofGold.length,
  };
}

type Figures = ReturnType<typeof figuresOf>;

/** Why these settings can't learn from these tasks, each with the setting that mends it; empty: they can. */
export function problemsOf(
  f: Figures,
  { greedy, sampled, goldRewards }: Rehearsed,
  config: LimitedConfig,
  tasks: readonly Task[],
): Rehearsal['problems'] {
  const traces = [...greedy, ...sampled];
  if (traces.length === 0) return [];
  const problems: Rehearsal['problems'] = [];
  // at its last token, or where the next result would not have fitted: then the tokens end with the turn that called
  const isFull = ({ truncated, tokens: { ids }, turns }: Trace): boolean =>
    truncated === 'tokenLimit' && (ids.length >= config.maxTokens || ids.length === turns.at(-1)?.end);
  const full = traces.filter(isFull).length;
  if (full >= MOSTLY * traces.length) {
    problems.push({
      what: `${full} of ${traces.length} episodes were cut off at maxTokens ${config.maxTokens} before they came to an answer`,
      wayOut: 'Leave maxTokens out, and it is planned from the tools.',
    });
  } else if (traces.every(({ turns, truncated }) => truncated === 'tokenLimit' && turns.length === 0)) {
    problems.push({
      what: `no reply came to its end within maxTurnTokens ${config.maxTurnTokens}`,
      wayOut:
        'Leave maxTurnTokens out, and it is planned from the tools; where it is, the chat template ' +
        "is not this model's, or the model is none that was tuned to answer.",
    });
  } else if (traces.every(({ turns }) => turns.length > 0 && turns.every((turn) => turn.parseError !== undefined))) {
    problems.push({
      what: `no reply could be read as a call or an answer: ${traces[0]!.turns[0]!.parseError}`,
      wayOut:
        "Set constraint=schema, which lets the model write calls in its template's form alone, or " +
        'give the chat template that belongs to the model.',
    });
  }
  const dead = f.goldErrors.filter(({ n, of }) => n === of && of >= ALWAYS);
  const isDead = (task: Task): boolean => (task.calls ?? []).some(({ name }) => dead.some(({ tool }) => tool === name));
  const withCalls = tasks.filter(({ calls = [] }) => calls.length > 0);
  if (dead.length > 0 && withCalls.filter(isDead).length * 2 >= withCalls.length) {
    problems.push({
      what: dead.map(({ tool, of, first }) => `${tool} failed in each of ${of} right calls: ${first}`).join('; '),
      wayOut:
        `Correct ${dead.map(({ tool }) => tool).join(', ')}, mock what can't run here ` +
        `(toolPolicy=mock), or leave ${dead.length === 1 ? 'it' : 'them'} out of what is coached.`,
    });
  }
  const { rewards } = f;
  const hasGold = goldRewards.some((reward) => reward !== null);
  const isConstant =
    rewards !== null &&
    rewards.least === rewards.most &&
    hasGold &&
    goldRewards.every((reward) => reward === null || reward === rewards.least) &&
    traces.some(({ solved }) => solved === false);
  if (isConstant && isSampled(config)) {
    problems.push({
      what:
        `the reward is ${+rewards.least.toFixed(3)} whatever is done: for the right calls and for ` +
        `those that solved nothing alike (rewards=${config.rewards})`,
      wayOut:
        'Set rewards to one that tells right from wrong, correctness for instance, or correct your reward function.',
    });
  }
  return problems;
}

/**
 * The bar below which a policy seldom finds by itself what GRPO would reinforce, where it lies below it, in words;
 * null:
 * it finds enough.
 */
export function missedBar(f: Pick<Rehearsal, 'greedy' | 'sampled'>, tasks: readonly Task[]): string | null {
  const made = tasks.filter(isMade).length;
  const bar = WARM_BAR[2 * made > tasks.length ? 'made' : 'own'];
  const { greedy, sampled } = f;
  if (greedy.n === 0) return null;
  if (sampled.passK < bar.passK)
    return `pass@${sampled.k} is ${percent(sampled.passK)}, under the bar of ${percent(bar.passK)}`;
  const share = greedy.solved / greedy.n;
  return share < bar.greedy ? `${percent(share)} are solved greedily, under the bar of ${percent(bar.greedy)}` : null;
}

/**
 * Steps of a warm start; 0 where the policy finds enough by itself, where the method is not GRPO, or where there is no
 * gold to learn.
 */
export function warmStepsOf(f: Figures, config: LimitedConfig, tasks: readonly Task[]): number {
  if (config.method !== 'grpo' || config.startFrom !== undefined || !tasks.some(({ calls = [] }) => calls.length > 0))
    return 0;
  return missedBar(f, tasks) !== null ? (config.warmSteps ?? Math.floor(WARM_SHARE * config.steps)) : 0;
}

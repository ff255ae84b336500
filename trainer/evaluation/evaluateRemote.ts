import { Lanes } from '../base/lanes';
import { Random } from '../base/random';
import type { Success } from '../protocol/messages';
import { UserError } from '../protocol/result';
import type { LimitedConfig } from '../protocol/runConfig';
import type { Task, ToolSchema } from '../protocol/task';
import type { Trace } from '../protocol/trace';
import type { Inertia } from '../rollout/inertia/inertia';
import { environmentsOf } from '../rollout/environment/runEnvironment';
import { runEpisode, type EpisodeOptions } from '../rollout/episode';
import type { Policy } from '../rollout/policy/policy';
import { PolicyFailure } from '../rollout/policy/remote';
import { writeVerdicts } from '../rollout/verdicts/verdicts';
import type { ToolHosts } from '../tools/hosts/callTool';
import type { ShowsTools } from '../tools/retrieval/shownTools';
import { violationRule } from './compliance';
import { successOf } from './success';

export interface RemoteMeasuring {
  policy: Policy;
  tasks: readonly Task[];
  tools: readonly ToolSchema[];
  /** which of them a task is shown; absent or null: all */
  shown?: ShowsTools | null | undefined;
  hosts: Pick<ToolHosts, 'open'>;
  /** absent or null: the policy is always asked */
  inertia?: Inertia | null | undefined;
  config: LimitedConfig;
  /** of one reply; null: as long as the server lets it be */
  replyTokens: number | null;
  /** episodes under way at once */
  atOnce: number;
  runId: string;
  signal: AbortSignal;
  now(): number;
  /** an episode is over */
  onTrace(trace: Trace, done: number): void;
}

export interface RemoteSuccess {
  /** of the tasks that were answered */
  result: Success;
  /** tasks that the server gave no answer to: they are not measured */
  unanswered: { taskId: string; why: string }[];
}

/** So many tasks in a row without an answer: the server is gone. */
const GONE = 8;

/**
 * Greedy success of a policy that others run, one episode a task, side by side. Fewer where it was cancelled.
 * @throws UserError where no task will be answered any more
 */
export async function evaluateRemote(m: RemoteMeasuring): Promise<RemoteSuccess> {
  const gone = new AbortController();
  const options: EpisodeOptions = {
    policy: m.policy,
    environmentFor: environmentsOf(m),
    inertia: m.inertia,
    sampling: { temperature: 0, maxTurnTokens: m.replyTokens ?? Infinity, maxTokens: Infinity },
    maxTurns: m.config.maxTurns,
    runId: m.runId,
    phase: 'before',
    step: 0,
    seed: m.config.seed,
    signal: AbortSignal.any([m.signal, gone.signal]),
    now: m.now,
  };
  const traces = new Map<Task, Trace>();
  const unanswered: RemoteSuccess['unanswered'] = [];
  let inRow = 0;
  const measure = async (task: Task): Promise<void> => {
    if (options.signal.aborted) return;
    const groupId = `before-0-${task.id}`;
    const random = Random.fromSeed(m.config.seed).fork(groupId);
    try {
      const { trace } = await runEpisode({ id: `${groupId}-0`, task, groupId, indexInGroup: 0, random }, options);
      if (trace.truncated === 'cancelled') return;
      writeVerdicts(trace, task, m.tools);
      traces.set(task, trace);
      inRow = 0;
      m.onTrace(trace, traces.size);
    } catch (error) {
      if (!(error instanceof PolicyFailure)) return gone.abort(error);
      unanswered.push({ taskId: task.id, why: error.message });
      if (error.isFinal || ++inRow >= GONE) gone.abort(new UserError('policy', error.message));
    }
  };
  const lanes = new Lanes(m.atOnce);
  await Promise.all(m.tasks.map((task) => lanes.run(() => measure(task))));
  if (gone.signal.aborted) throw gone.signal.reason;
  const measured = m.tasks.filter((task) => traces.has(task));
  return {
    result: successOf(
      measured,
      measured.map((task) => traces.get(task)!),
      { tools: m.tools, isViolation: violationRule(m.config, m.tools) },
    ),
    unanswered,
  };
}

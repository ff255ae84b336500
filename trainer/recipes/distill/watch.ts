/** Looks at a teacher's sample after each of its turns, and ends it where it is expected to fail. */
import type { Task, ToolSchema } from '../../protocol/task';
import type { AssistantTurn, Environment, Outcome } from '../../rollout/environment/environment';
import { isSameCall } from '../../tasks/solved';
import type { EarlyStop, Moment } from './earlyStop';

type Call = AssistantTurn['calls'][number];

export class Watch {
  /** after its turns but the last */
  readonly moments: Moment[] = [];
  isStopped = false;
  private length = 0;
  private hasFailed = false;
  private isRepeating = false;
  private readonly calls: Call[] = [];

  /** @param stop null: it is only looked at */
  constructor(
    private readonly task: Task,
    private readonly tools: readonly ToolSchema[],
    private readonly maxTurns: number,
    private readonly stop: EarlyStop | null,
  ) {}

  on(inner: Environment): Environment {
    return {
      reset: (task, random) => inner.reset(task, random),
      step: async (turn, signal) => this.seen(turn, await inner.step(turn, signal)),
      close: () => inner.close(),
    };
  }

  private seen(turn: AssistantTurn, outcome: Outcome): Outcome {
    const isSame = (a: Call, b: Call): boolean => isSameCall(a, b, this.tools);
    this.length += turn.content.length + turn.calls.reduce((sum, call) => sum + plainLength(call), 0);
    this.hasFailed ||= outcome.info.results.some(({ kind }) => kind !== 'ok');
    this.isRepeating ||= turn.calls.some((call) => this.calls.some((before) => isSame(before, call)));
    this.calls.push(...turn.calls);
    if (outcome.done) return outcome;
    const features = this.features();
    this.moments.push({ features, length: this.length });
    this.isStopped = this.stop?.expectsFailure(features) ?? false;
    return this.isStopped ? { ...outcome, done: true } : outcome;
  }

  /** Each 0 to 1: how far it is, a call that failed, one made twice, one that no gold call is. */
  private features(): number[] {
    const gold = this.task.calls;
    const isOff =
      gold !== undefined && this.calls.some((call) => !gold.some((one) => isSameCall(one, call, this.tools)));
    return [(this.moments.length + 1) / this.maxTurns, this.hasFailed, this.isRepeating, isOff].map(Number);
  }
}

const plainLength = ({ name, arguments: given }: Call): number => JSON.stringify({ name, arguments: given }).length;

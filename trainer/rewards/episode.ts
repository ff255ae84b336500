import type { GoldCall, Task, ToolSchema } from '../protocol/task';
import { withoutLookUps, type ToolResultKind, type Trace } from '../protocol/trace';
import type { BfclLine } from './bfcl/line';
import { verdictsOf, type Told } from '../rollout/verdicts/verdicts';
import { answerOccurs, areMadeInOrder, outcomeOf, type Outcome } from '../tasks/solved';

export interface EpisodeCall extends GoldCall {
  /** null: it was never run */
  resultKind: ToolResultKind | null;
  /** what the policy read; '' where it was never run */
  content: string;
  durationMs: number;
  /** index of the turn that made it */
  turn: number;
}

/** The texts that a recorded line was scored from by its own source, tags and all. */
export interface RawText {
  completion: string;
  answer: string;
}

/**
 * One trace with its task and tools: what a reward may look at. The facts that several rewards ask for are worked out
 * once.
 */
export class Episode {
  #calls: EpisodeCall[] | undefined;
  #outcome: Outcome | undefined;
  #told: Told | undefined;
  #isCovered: boolean | undefined;

  constructor(
    readonly task: Task,
    readonly trace: Trace,
    readonly tools: readonly ToolSchema[],
    readonly raw?: RawText,
    readonly bfcl?: BfclLine,
  ) {}

  /** Every call of a tool that was made, failed ones too, in order. */
  get calls(): readonly EpisodeCall[] {
    return (this.#calls ??= withoutLookUps(this.trace).turns.flatMap((turn, index) =>
      turn.calls.map(({ name, arguments: args, result }) => ({
        name,
        arguments: args,
        resultKind: result?.kind ?? null,
        content: result?.content ?? '',
        durationMs: result?.durationMs ?? 0,
        turn: index,
      })),
    ));
  }

  /** Gold calls; null: the task has none to compare with. */
  get gold(): readonly GoldCall[] | null {
    return this.task.calls ?? null;
  }

  /** The closing reply; '' where there is none. */
  get reply(): string {
    return this.outcome.lastReply;
  }

  /** The policy ended by itself. */
  get terminated(): boolean {
    return this.trace.terminated;
  }

  /** All three verdicts that apply hold; null: the task has neither gold calls nor an answer. */
  get solved(): boolean | null {
    return this.told.solved;
  }

  /** The gold calls were made in order (true where none are wanted). */
  get isCovered(): boolean {
    return (this.#isCovered ??= areMadeInOrder(this.task.calls ?? [], this.outcome.calls, this.tools));
  }

  /** The gold answer occurs in the reply; null: the task has none. */
  get hasAnswer(): boolean | null {
    return this.task.answer === undefined ? null : answerOccurs(this.task.answer, this.reply);
  }

  /**
   * The answer is right: the gold one occurs, or without one it is grounded; null: in another language than the rule
   * knows.
   */
  get isAnswerRight(): boolean | null {
    return this.told.verdicts.answerRight;
  }

  /** Each turn could be parsed, and the policy ended by itself. */
  get isWellFormed(): boolean {
    return this.trace.terminated && this.trace.turns.every((turn) => turn.parseError === undefined);
  }

  /** What the policy wrote beside its calls, turn by turn. */
  get texts(): string[] {
    return this.trace.messages
      .filter((message) => message.role === 'assistant' && message.content !== '')
      .map((message) => message.content);
  }

  private get told(): Told {
    return (this.#told ??= verdictsOf(this.task, this.trace, this.outcome, this.tools));
  }

  get outcome(): Outcome {
    return (this.#outcome ??= outcomeOf(this.trace));
  }
}

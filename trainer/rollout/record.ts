import type { Random } from '../base/random';
import type { Task } from '../protocol/task';
import { TRACE_VERSION, type Message, type Trace } from '../protocol/trace';
import type { Anew, AssistantTurn, Observation, Outcome } from './environment/environment';
import type { EpisodeOptions } from './episode';
import type { PolicyTurn, TurnTokens } from './policy/policy';

/** An episode that is to be run. */
export interface EpisodeRequest {
  id: string;
  task: Task;
  groupId: string;
  indexInGroup: number;
  random: Random;
  /** of the choices inside a call; default: as all the rest */
  callTemperature?: number;
}

/** What came of an episode. */
export interface Rollout {
  trace: Trace;
  /** the ids that a sampled token was chosen from, by its place, where these were not all; for the training step */
  allowed: ReadonlyMap<number, Int32Array>;
}

/** A turn as the dialogue holds it. */
export const turnMessage = ({ content, calls }: AssistantTurn): Message => ({
  role: 'assistant',
  content,
  ...(calls.length > 0
    ? {
        tool_calls: calls.map(({ id, name, arguments: args }) => ({
          id,
          type: 'function' as const,
          function: { name, arguments: args },
        })),
      }
    : {}),
});

/** Writes an episode's trace while it runs. */
export class EpisodeRecord {
  private readonly trace: Trace;
  private readonly allowed = new Map<number, Int32Array>();
  /** log probability of each sampled id under the model alone */
  private plain: (number | null)[] = [];
  private turnStartedAt: number;
  /** of another prompt that no turn has answered yet */
  private shownAnew: string[] | null = null;
  /** another prompt comes with the next tokens */
  private isReadAnew = false;

  constructor(
    { id, task, groupId, indexInGroup, callTemperature }: EpisodeRequest,
    private readonly o: EpisodeOptions,
  ) {
    const { policy, sampling } = o;
    const isHotter =
      policy.constraint !== 'none' && callTemperature !== undefined && callTemperature !== sampling.temperature;
    this.trace = {
      version: TRACE_VERSION,
      id,
      runId: o.runId,
      taskId: task.id,
      phase: o.phase,
      step: o.step,
      groupId,
      indexInGroup,
      seed: o.seed,
      model: policy.id,
      checkpoint: policy.version,
      temperature: sampling.temperature,
      ...(isHotter ? { callTemperature } : {}),
      constraint: policy.constraint,
      messages: [],
      turns: [],
      tokens: { ids: [], logprobs: [], completionMask: [], writer: '' },
      terminated: false,
      truncated: 'no',
      solved: null,
      rewards: [],
      reward: null,
      advantage: null,
      startedAt: o.now(),
      durationMs: 0,
    };
    this.turnStartedAt = o.now();
  }

  get turns(): number {
    return this.trace.turns.length;
  }

  opening({ messages, tools, isPart }: Observation): void {
    this.trace.messages.push(...messages);
    if (isPart) this.trace.shownTools = tools.map(({ name }) => name);
  }

  /** @returns what the policy reads in the place of all that it has read */
  anew({ tools }: Anew): Observation {
    this.shownAnew = tools.map(({ name }) => name);
    this.isReadAnew = true;
    return { messages: [...this.trace.messages], tools, goesOn: true };
  }

  /** @returns the turn as environments see it; what is none is recorded by its tokens alone */
  turn(turn: PolicyTurn): AssistantTurn {
    const { trace } = this;
    const shown = this.shownAnew ? { shownTools: this.shownAnew } : {};
    this.shownAnew = null;
    const place = this.tokens(turn.tokens);
    const calls = turn.calls.map((call, i) => ({ ...call, id: call.id ?? `${trace.id}-${this.turns}-${i}` }));
    const { text, content, error } = turn;
    if (turn.finishReason !== 'stop') return { text, content, calls, error };
    trace.turns.push({
      ...place,
      policy: turn.policy ?? this.o.policy.id,
      text,
      calls: calls.map((call) => ({ ...call, result: null })),
      ...(error ? { parseError: error } : {}),
      sampleMs: this.o.now() - this.turnStartedAt,
      ...shown,
    });
    const turnOf: AssistantTurn = { text, content, calls, error };
    trace.messages.push(turnMessage(turnOf));
    return turnOf;
  }

  outcome({ messages, done, info }: Outcome): void {
    const turn = this.trace.turns.at(-1)!;
    const { results, ...said } = info;
    turn.calls.forEach((call, i) => (call.result = results[i] ?? null));
    if (Object.keys(said).length > 0) turn.info = said;
    this.trace.messages.push(...messages);
    if (info.ungrounded) this.trace.ungrounded = info.ungrounded;
    this.trace.terminated = done && turn.parseError === undefined;
    this.turnStartedAt = this.o.now();
  }

  end(truncated: Trace['truncated']): Rollout {
    const { trace, allowed, plain } = this;
    trace.truncated = truncated;
    if (plain.some((logprob, i) => logprob !== trace.tokens.logprobs[i])) trace.tokens.plainLogprobs = plain;
    trace.durationMs = this.o.now() - trace.startedAt;
    if (truncated !== 'cancelled') this.o.onEnded?.(trace);
    return { trace, allowed };
  }

  /** @returns where the turn's own tokens lie in the episode */
  private tokens(fresh: TurnTokens | undefined): { start: number; end: number } {
    const { tokens } = this.trace;
    const from = tokens.ids.length;
    if (fresh === undefined) return { start: from, end: from };
    if (this.isReadAnew) tokens.begins = [...(tokens.begins ?? []), from];
    this.isReadAnew = false;
    tokens.ids = tokens.ids.concat(fresh.ids);
    tokens.logprobs = tokens.logprobs.concat(fresh.logprobs);
    tokens.completionMask = tokens.completionMask.concat(fresh.completionMask);
    tokens.writer += fresh.writer;
    if (fresh.kind !== undefined) tokens.kind = (tokens.kind ?? '') + fresh.kind;
    this.plain = this.plain.concat(fresh.plainLogprobs);
    for (const [place, ids] of fresh.allowed) this.allowed.set(from + place, ids);
    return { start: from + fresh.start, end: tokens.ids.length };
  }
}

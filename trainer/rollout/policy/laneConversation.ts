import type { Random } from '../../base/random';
import type { Grammar, TurnConstraint } from '../../model/decoding/constrained/grammar';
import { plainLogprob, sampleId, temperatureOf, temperaturesOf, type Temperatures } from '../../model/decoding/sample';
import { penalised, truncate } from '../../model/decoding/truncate';
import type { PromptTool } from '../../model/tokenizer/chatTemplate';
import type { Message } from '../../protocol/trace';
import { forked } from './dialogue';
import type { LaneModel, Prompt } from './lanes';
import type { Conversation, PolicyTurn } from './policy';
import type { Sampling } from './sampling';
import type { Lane, Scheduler, Slot } from './scheduler';

export interface LaneOptions {
  model: LaneModel;
  grammar: Grammar | null;
  scheduler: Scheduler;
  prompt: Prompt;
  tools: readonly PromptTool[];
  random: Random;
  sampling: Sampling;
  /** its turns have a shape of their own: words and no calls, whatever they look like */
  isShaped: boolean;
  onFork(): void;
  onClose(): void;
}

/** What was read and written since the turn before. */
interface Fresh {
  logprobs: (number | null)[];
  plainLogprobs: (number | null)[];
  completionMask: (0 | 1)[];
  writer: string[];
  kind: string;
  allowed: Map<number, Int32Array>;
}
const nothing = (): Fresh => ({
  logprobs: [],
  plainLogprobs: [],
  completionMask: [],
  writer: [],
  kind: '',
  allowed: new Map(),
});

/** Token in, token out: what was sampled is kept as it was sampled, and only what is appended is tokenised. */
export class LaneConversation implements Conversation, Lane {
  private fresh = nothing();
  private appended: Message[] = [];
  private turn: { signal: AbortSignal; resolve(turn: PolicyTurn): void; reject(error: unknown): void } | null = null;
  private turnStart = 0;
  private constraint: TurnConstraint | null = null;
  private state: 'before' | 'between' | 'over' = 'before';
  private isClosed = false;
  private forks = 0;
  private slot!: Slot;
  private readonly temperatures: Temperatures;

  private constructor(
    private readonly o: LaneOptions,
    private readonly ids: number[],
    readonly pending: number[],
    /** token ranges that users and tools wrote */
    private readonly ranges: (readonly [start: number, end: number])[],
  ) {
    this.temperatures = temperaturesOf(o.grammar === null ? { temperature: o.sampling.temperature } : o.sampling);
  }

  static open(o: LaneOptions): LaneConversation {
    const conversation = new LaneConversation(o, [], [], [...o.prompt.said]);
    for (const id of o.prompt.ids) conversation.write(id, 'p');
    conversation.fresh.kind += o.prompt.kind ?? '';
    conversation.slot = o.scheduler.enter(conversation);
    return conversation;
  }

  get isAsked(): boolean {
    return this.turn !== null;
  }

  async respond(signal: AbortSignal): Promise<PolicyTurn> {
    if (this.turn || this.state === 'over' || this.isClosed)
      throw new Error(`respond: ${this.turn ? 'a turn is under way' : 'the conversation is over'}`);
    if (this.state === 'between' && this.appended.length === 0) throw new Error('respond: nothing was appended');
    const hasRoom = this.readAppended();
    this.turnStart = this.ids.length;
    return new Promise((resolve, reject) => {
      this.turn = { signal, resolve, reject };
      if (!hasRoom) return this.endTurn('length');
      this.constraint = this.o.grammar?.turn({ ids: this.ids, ranges: this.ranges }) ?? null;
      this.slot.ask();
    });
  }

  append(messages: readonly Message[]): void {
    this.appended.push(...messages);
  }

  fork(): Conversation {
    if (this.turn || this.isClosed) throw new Error(`fork: ${this.turn ? 'a turn is under way' : 'it is closed'}`);
    const random = forked(this.o.random, ++this.forks);
    const other = new LaneConversation({ ...this.o, random }, [...this.ids], [...this.pending], [...this.ranges]);
    other.fresh = structuredClone(this.fresh);
    other.appended = [...this.appended];
    other.state = this.state;
    other.slot = this.slot.fork(other);
    this.o.onFork();
    return other;
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    if (this.turn) this.endTurn('cancelled');
    this.slot.close();
    this.o.onClose();
  }

  endIfCancelled(): void {
    if (this.turn?.signal.aborted) this.endTurn('cancelled');
  }

  fail(error: unknown): void {
    this.state = 'over';
    this.turn?.reject(error);
    this.turn = null;
  }

  /** Samples until the next choice needs the model again: one sampled id, and what the schema forces behind it. */
  next(logits: Float32Array): void {
    const { model, sampling, random } = this.o;
    let known: Float32Array | null = logits;
    for (;;) {
      if (this.ids.length >= sampling.maxTokens || this.ids.length - this.turnStart >= sampling.maxTurnTokens)
        return this.endTurn('length');
      const allowed = this.constraint?.allowed() ?? null;
      let id: number;
      if (allowed?.length === 1) {
        id = allowed[0]!;
        this.write(id, 'f');
        known = null;
      } else {
        if (!known) return;
        const temperature = temperatureOf(this.temperatures, allowed, model.vocabSize);
        known = penalised(known, this.ids, sampling.repetitionPenalty);
        const from = truncate(known, allowed, temperature, sampling) ?? allowed;
        const sampled = sampleId(known, from, temperature, random);
        id = sampled.id;
        if (from !== null) this.fresh.allowed.set(this.fresh.writer.length, from);
        const isPlain = from === null && known === logits && (temperature === 1 || temperature === 0);
        this.write(id, 's', sampled.logprob, isPlain ? sampled.logprob : plainLogprob(logits, id));
        known = null;
      }
      this.constraint?.advance(id);
      if (model.endIds.has(id)) return this.endTurn('stop');
    }
  }

  /** @returns false: there is no room for it */
  private readAppended(): boolean {
    const { model, tools, sampling } = this.o;
    if (this.appended.length === 0) return true;
    const messages = this.appended.splice(0);
    const text = model.template.continuation(messages, tools);
    const added = model.tokenizer.encode(text);
    if (this.ids.length + added.length >= sampling.maxTokens) return false;
    const start = this.ids.length;
    for (const id of added) this.write(id, 't');
    this.fresh.kind += model.kinds?.appended(added, text, messages, tools) ?? '';
    this.ranges.push([start, this.ids.length]);
    return true;
  }

  private write(id: number, writer: string, logprob: number | null = null, plain: number | null = null): void {
    const { logprobs, plainLogprobs, completionMask, writer: writers } = this.fresh;
    this.ids.push(id);
    this.pending.push(id);
    logprobs.push(logprob);
    plainLogprobs.push(plain);
    completionMask.push(writer === 's' ? 1 : 0);
    writers.push(writer);
  }

  private endTurn(finishReason: PolicyTurn['finishReason']): void {
    const { resolve } = this.turn!;
    const { model, isShaped } = this.o;
    const isTurn = finishReason === 'stop';
    const { ids, turnStart, fresh } = this;
    const own = ids.slice(turnStart);
    const text = own.length > 0 ? model.tokenizer.decode(own, true) : '';
    fresh.kind += model.kinds?.turn(own, text, !isShaped) ?? '';
    const freshIds = ids.slice(ids.length - fresh.writer.length);
    this.turn = null;
    this.fresh = nothing();
    this.state = isTurn ? 'between' : 'over';
    resolve({
      text,
      ...(isTurn && !isShaped ? model.parser.parse(text) : { content: text, calls: [] }),
      ...(isTurn && isShaped ? { content: model.tokenizer.decode(own.slice(0, -1), true) } : {}),
      finishReason,
      usage: { promptTokens: turnStart, completionTokens: ids.length - turnStart },
      tokens: {
        ...fresh,
        start: freshIds.length - (ids.length - turnStart),
        ids: freshIds,
        writer: fresh.writer.join(''),
        kind: model.kinds && fresh.kind,
      },
    });
  }
}

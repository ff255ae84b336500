import type { Random } from '../../base/random';
import type { Message } from '../../protocol/trace';
import type { Conversation, Opening, PolicyTurn } from './policy';

/** The next turn of a dialogue, whose messages are all that is known of it. Rejects by the signal's reason alone. */
export type Answer = (
  messages: readonly Message[],
  o: Omit<Opening, 'messages'>,
  signal: AbortSignal,
) => Promise<PolicyTurn>;

/** A conversation by messages alone, as a server or a script holds it. */
export class Dialogue implements Conversation {
  private readonly messages: Message[];
  private state: 'asked' | 'under way' | 'answered' | 'over' = 'asked';
  private stop = new AbortController();
  private turns = 0;
  private forks = 0;

  constructor(
    private readonly o: Opening,
    private readonly answer: Answer,
  ) {
    this.messages = [...o.messages];
  }

  async respond(signal: AbortSignal): Promise<PolicyTurn> {
    if (this.state === 'answered') throw new Error('respond: nothing was appended');
    if (this.state !== 'asked')
      throw new Error(`respond: ${this.state === 'over' ? 'the conversation is over' : 'a turn is under way'}`);
    const { messages: _, ...asked } = this.o;
    const either = AbortSignal.any([signal, this.stop.signal]);
    this.state = 'under way';
    try {
      const turn = either.aborted ? CANCELLED : await this.answer(this.messages, asked, either);
      return this.end(either.aborted ? CANCELLED : turn);
    } catch (error) {
      if (either.aborted) return this.end(CANCELLED);
      this.state = 'over';
      throw error;
    }
  }

  /** What was said is part of the dialogue; a call without a name of its own gets one, so that its result has it. */
  private end(turn: PolicyTurn): PolicyTurn {
    const taken = new Set(this.messages.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id)));
    const calls = turn.calls.map((call, i) => {
      const id = call.id && !taken.has(call.id) ? call.id : `call-${this.turns}-${i}`;
      taken.add(id);
      return { ...call, id };
    });
    this.turns++;
    this.state = turn.finishReason === 'stop' ? 'answered' : 'over';
    this.messages.push({
      role: 'assistant',
      content: turn.content,
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
    return { ...turn, calls };
  }

  append(messages: readonly Message[]): void {
    this.messages.push(...messages);
    if (this.state === 'answered' && messages.length > 0) this.state = 'asked';
  }

  fork(): Conversation {
    if (this.state === 'under way' || this.state === 'over')
      throw new Error(`fork: ${this.state === 'over' ? 'it is over' : 'a turn is under way'}`);
    const { o, answer, messages } = this;
    const other = new Dialogue({ ...o, messages, random: forked(o.random, ++this.forks) }, answer);
    other.state = this.state;
    other.turns = this.turns;
    return other;
  }

  close(): void {
    this.stop.abort();
    if (this.state !== 'under way') this.state = 'over';
  }
}

/** The stream of a conversation's n-th fork. */
export const forked = (random: Random, n: number): Random => random.fork(`fork ${n}`);

const CANCELLED: PolicyTurn = { text: '', content: '', calls: [], finishReason: 'cancelled', usage: null };

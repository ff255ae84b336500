import { Random } from '../../base/random';
import type { Message } from '../../protocol/trace';
import {
  InvalidReply,
  JudgeFailure,
  type JudgeClient,
  type JudgeTools,
  type Question,
  type Reply,
  type Usage,
} from '../../model/question';
import type { BrokenCall, Opening, PolicyTurn, ReplyFormat } from '../../rollout/policy/policy';
import { pauseMs, PolicyFailure } from '../../rollout/policy/remote';
import { overBudget, recall, type ClientOptions } from './client';

/** Who answers the questions, and what is particular to it. */
export interface Answerer {
  /** One turn of its policy. @throws PolicyFailure; JudgeFailure where it can't be asked this */
  respond(opening: Opening, signal: AbortSignal): Promise<PolicyTurn>;
  /** of all its turns so far */
  readonly spent: Usage & { requests: number };
  /** names what is asked, and of whom: equal keys get equal replies */
  keyOf(question: Question<unknown>): string;
  check(signal: AbortSignal): Promise<void>;
  close(): void;
}

/** Rounds of calls before the judge must reply. */
const TOOL_ROUNDS = 4;

/** One question, while it is asked. */
interface Asking<T> {
  question: Question<T>;
  signal: AbortSignal;
  /** grows by replies that can't be used and why, by calls and their results */
  dialogue: Message[];
  /** of all its turns so far */
  usage: Usage;
  lastText: string;
}

/**
 * What came of an attempt; without a value: why, and how long to wait before the next one (null: the policy replied).
 */
type Attempt<T> = { value: T; text: string } | { problem: string; waitMs: number | null };

/**
 * Asks a policy, and reads what it replies. A reply that can't be used goes back to it with why; one that is busy,
 * slow, broken or gone is asked again, with a pause that doubles or that it names itself (Retry-After); a wrong key, an
 * unknown model, a quota that is used up, and a budget that is spent end it for this run.
 */
export class PolicyClient implements JudgeClient {
  private readonly own = { retries: 0, cacheHits: 0 };
  private isDown = false;

  constructor(
    private readonly who: Answerer,
    private readonly o: Pick<ClientOptions, 'settings' | 'cache' | 'sleep'>,
  ) {}

  get spent(): JudgeClient['spent'] {
    return { ...this.who.spent, ...this.own };
  }

  check(signal: AbortSignal): Promise<void> {
    return this.who.check(signal);
  }

  close(): void {
    this.who.close();
  }

  async ask<T>(question: Question<T>, signal: AbortSignal): Promise<Reply<T>> {
    const { cache, settings, sleep } = this.o;
    const key = this.who.keyOf(question);
    const kept = cache.get(key);
    const known = recall(kept, question);
    if (kept !== undefined && known !== null) {
      this.own.cacheHits++;
      return { value: known.value, text: kept, usage: this.free(), isCached: true };
    }
    const dialogue: Message[] = [
      { role: 'system', content: question.system },
      { role: 'user', content: question.user },
    ];
    const asking: Asking<T> = { question, signal, dialogue, usage: this.free(), lastText: '' };
    // A server that did not answer the last group is asked once per group until it is back.
    const attempts = this.isDown ? 1 : settings.attempts;
    for (let attempt = 1; ; attempt++) {
      signal.throwIfAborted();
      this.checkBudget(asking);
      if (attempt > 1) this.own.retries++;
      const came = await this.attempt(asking, attempt);
      if ('value' in came) {
        cache.set(key, came.text);
        return { ...came, usage: asking.usage, isCached: false };
      }
      const { problem, waitMs } = came;
      if (attempt === attempts) {
        this.isDown = waitMs !== null;
        throw failure(asking, `the judge gave no verdict${attempts > 1 ? ` in ${attempts} tries` : ''}: ${problem}`);
      }
      if (waitMs !== null && waitMs > settings.longestWaitMs)
        throw failure(asking, `the judge asks to wait ${Math.ceil(waitMs / 1000)} s`);
      if (waitMs !== null) await sleep(waitMs, signal);
    }
  }

  /** @param nth from 1 @throws JudgeFailure where another attempt can't help; the reason of the signal */
  private async attempt<T>(asking: Asking<T>, nth: number): Promise<Attempt<T>> {
    const { question, signal, dialogue } = asking;
    let text = '';
    try {
      const turn = await this.replyTo(asking);
      if (turn.finishReason === 'length' && turn.error !== undefined)
        throw failure(asking, `the judge refused the question, ${turn.error}`);
      text = asking.lastText = turn.content;
      this.isDown = false;
      if (turn.finishReason === 'length') throw new InvalidReply('the reply was cut off by its length');
      return { value: question.parse(text), text };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof InvalidReply) {
        dialogue.push({ role: 'assistant', content: text }, complaint(error.message));
        return { problem: error.message, waitMs: null };
      }
      if (!(error instanceof PolicyFailure)) throw error;
      const { kind, reason, waitMs } = error.failure;
      if (kind === 'final') throw failure(asking, reason, true);
      if (kind === 'refused') throw failure(asking, `the judge refused the question, ${reason}`);
      return { problem: reason, waitMs: waitMs ?? pauseMs(nth, this.o.settings) };
    }
  }

  /** The turn behind the calls that the judge makes first. */
  private async replyTo({ question, signal, dialogue, usage, ...rest }: Asking<unknown>): Promise<PolicyTurn> {
    const { tools, schema, exactSchema } = question;
    const format: ReplyFormat = { ...schema, exactSchema };
    const { replyTokens } = this.o.settings;
    const sampling = { temperature: 0, maxTurnTokens: replyTokens ?? Infinity, maxTokens: Infinity };
    for (let round = 0; ; round++) {
      const offered = round < TOOL_ROUNDS ? tools : undefined;
      const random = Random.fromSeed('greedy');
      const turn = await this.who.respond(
        { messages: dialogue, tools: offered?.schemas ?? [], format, random, sampling },
        signal,
      );
      signal.throwIfAborted();
      add(usage, turn.usage);
      if (!offered || (turn.calls.length === 0 && turn.broken === undefined)) return turn;
      dialogue.push(...(await called(offered, turn, signal)));
      this.checkBudget({ usage, ...rest });
    }
  }

  private checkBudget(asking: Pick<Asking<unknown>, 'usage' | 'lastText'>): void {
    const over = overBudget(this.who.spent, this.o.settings);
    if (over !== null) throw failure(asking, over, true);
  }

  private free(): Usage {
    return { promptTokens: 0, completionTokens: 0, usd: this.who.spent.usd === null ? null : 0 };
  }
}

/** With what was paid, and said, all the same. */
const failure = (
  { usage, lastText }: Pick<Asking<unknown>, 'usage' | 'lastText'>,
  message: string,
  isFinal = false,
): JudgeFailure => Object.assign(new JudgeFailure(message, isFinal), { usage, reply: lastText });

const complaint = (problem: string): Message => ({
  role: 'user',
  content: `That can't be used: ${problem}. Reply again, with the JSON object alone.`,
});

const WHY: Record<BrokenCall['why'], string> = {
  noJson: 'the arguments are no JSON',
  noObject: 'the arguments must be an object',
  noFunction: 'there is no such tool',
};

/** The judge's calls with what they gave; a call that can't be made is words for it. */
async function called(
  tools: JudgeTools,
  { content, calls, broken = [] }: PolicyTurn,
  signal: AbortSignal,
): Promise<Message[]> {
  const asked = calls.map((call, i): typeof call & { id: string; why?: BrokenCall['why'] } => ({
    ...call,
    id: call.id ?? `call-${i}`,
  }));
  for (const { place, id, name, why } of broken) asked.splice(place, 0, { id, name, arguments: {}, why });
  const answer = async ({ name, arguments: args, why }: (typeof asked)[number]): Promise<string> => {
    const reason = why ?? (tools.schemas.some((tool) => tool.name === name) ? undefined : 'noFunction');
    if (reason !== undefined) return JSON.stringify({ error: WHY[reason] });
    try {
      return await tools.call(name, args, signal);
    } catch (error) {
      signal.throwIfAborted();
      return JSON.stringify({ error: error instanceof Error ? error.message : String(error) });
    }
  };
  const results = asked.map(
    async (call): Promise<Message> => ({ role: 'tool', tool_call_id: call.id, content: await answer(call) }),
  );
  const tool_calls = asked.map(({ id, name, arguments: args }) => ({
    id,
    type: 'function' as const,
    function: { name, arguments: args },
  }));
  return [{ role: 'assistant', content, tool_calls }, ...(await Promise.all(results))];
}

function add(to: Usage, more: PolicyTurn['usage']): void {
  if (more === null) return;
  to.promptTokens += more.promptTokens;
  to.completionTokens += more.completionTokens;
  if (more.usd !== undefined) to.usd = (to.usd ?? 0) + more.usd;
}

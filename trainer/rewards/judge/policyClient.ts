import { Random } from '../../base/random';
import type { Message } from '../../protocol/trace';
import {
  InvalidReply,
  JudgeFailure,
  type JudgeClient,
  type JudgeTools,
  type Question,
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

/**
 * Asks a policy, and reads what it replies. A reply that can't be used goes back to it with why; one that is busy,
 * slow, broken or gone is asked again, with a pause that doubles or that it names itself (Retry-After); a wrong key, an
 * unknown model, a quota that is used up, and a budget that is spent end it for this run.
 */
export function policyClient(who: Answerer, { settings, cache, sleep }: ClientOptions): JudgeClient {
  const own = { retries: 0, cacheHits: 0 };
  let isDown = false;
  const free = (): Usage => ({ promptTokens: 0, completionTokens: 0, usd: who.spent.usd === null ? null : 0 });

  return {
    get spent() {
      return { ...who.spent, ...own };
    },
    close: () => who.close(),
    check: (signal) => who.check(signal),
    async ask(question, signal) {
      const key = who.keyOf(question);
      const known = recall(cache.get(key), question);
      if (known !== null) {
        own.cacheHits++;
        return { value: known.value, text: cache.get(key)!, usage: free(), isCached: true };
      }
      const usage = free();
      const dialogue: Message[] = [
        { role: 'system', content: question.system },
        { role: 'user', content: question.user },
      ];
      let problem = '';
      let lastText = '';
      const failure = (message: string, isFinal = false): JudgeFailure =>
        Object.assign(new JudgeFailure(message, isFinal), { usage, reply: lastText });
      const checkBudget = (): void => {
        const over = overBudget(who.spent, settings);
        if (over !== null) throw failure(over, true);
      };
      let hasAnswered = true;
      // A server that did not answer the last group is asked once per group until it is back.
      const attempts = isDown ? 1 : settings.attempts;
      for (let attempt = 0; attempt < attempts; attempt++) {
        signal.throwIfAborted();
        checkBudget();
        if (attempt > 0) own.retries++;
        let text = '';
        try {
          const turn = await replyTo(dialogue, question, usage, signal, checkBudget);
          if (turn.finishReason === 'length' && turn.error !== undefined)
            throw failure(`the judge refused the question, ${turn.error}`);
          text = lastText = turn.content;
          isDown = false;
          if (turn.finishReason === 'length') throw new InvalidReply('the reply was cut off by its length');
          const value = question.parse(text);
          cache.set(key, text);
          return { value, text, usage, isCached: false };
        } catch (error) {
          signal.throwIfAborted();
          if (error instanceof InvalidReply) {
            problem = error.message;
            hasAnswered = true;
            dialogue.push({ role: 'assistant', content: text }, complaint(problem));
            continue;
          }
          if (!(error instanceof PolicyFailure)) throw error;
          hasAnswered = false;
          const { kind, reason, waitMs } = error.failure;
          if (kind === 'final') throw failure(reason, true);
          if (kind === 'refused') throw failure(`the judge refused the question, ${reason}`);
          problem = reason;
          if (attempt + 1 >= attempts) break;
          if (waitMs !== null && waitMs > settings.longestWaitMs)
            throw failure(`the judge asks to wait ${Math.ceil(waitMs / 1000)} s`);
          await sleep(waitMs ?? pauseMs(attempt + 1, settings), signal);
        }
      }
      isDown = !hasAnswered;
      throw failure(`the judge gave no verdict${attempts > 1 ? ` in ${attempts} tries` : ''}: ${problem}`);
    },
  };

  /**
   * The turn behind the calls that the judge makes first. @param dialogue grows by its calls and their results
   * @param usage grows by what was spent
   */
  async function replyTo(
    dialogue: Message[],
    { tools, schema, exactSchema }: Question<unknown>,
    usage: Usage,
    signal: AbortSignal,
    checkBudget: () => void,
  ): Promise<PolicyTurn> {
    const format: ReplyFormat = { ...schema, exactSchema };
    for (let round = 0; ; round++) {
      const offered = round < TOOL_ROUNDS ? tools : undefined;
      const turn = await who.respond(
        {
          messages: dialogue,
          tools: offered?.schemas ?? [],
          format,
          random: Random.fromSeed('greedy'),
          sampling: { temperature: 0, maxTurnTokens: settings.replyTokens ?? Infinity, maxTokens: Infinity },
        },
        signal,
      );
      signal.throwIfAborted();
      add(usage, turn.usage);
      if (!offered || (turn.calls.length === 0 && turn.broken === undefined)) return turn;
      dialogue.push(...(await called(offered, turn, signal)));
      checkBudget();
    }
  }
}

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

import { isRecord } from '../../protocol/arguments';
import {
  InvalidReply,
  JudgeFailure,
  type JudgeClient,
  type JudgeTools,
  type Question,
  type Usage,
} from '../../model/question';
import { openServer, type Asker, type ServerCall, type ServerMessage } from '../../rollout/policy/server';
import { cacheKey, overBudget, recall, type ClientOptions } from './client';

const JUDGE: Asker = {
  border: 'judge',
  name: 'judge',
  hints: {
    url: 'Start it, or set COACH_JUDGE_URL to where it is.',
    model: 'Set COACH_JUDGE_MODEL to one that it has.',
    key: 'Set COACH_JUDGE_KEY to a key that it takes.',
  },
};

/** Rounds of calls before the judge must reply. */
const TOOL_ROUNDS = 4;

/**
 * Asks an OpenAI-compatible server. A reply that can't be used, a server that is busy, slow, broken or gone is asked
 * again, with a pause that doubles or that
 * it names itself (Retry-After); a wrong key, an unknown model, a quota that is used up, and a budget that is spent end
 * it for this run.
 */
export async function openServerClient({ settings, cache, sleep, now }: ClientOptions): Promise<JudgeClient> {
  const server = await openServer(settings, JUDGE, { now });
  const own = { retries: 0, cacheHits: 0 };
  let hasSchema = true;
  let isDown = false;
  const request = (
    messages: readonly ServerMessage[],
    schema: Question<unknown>['schema'] | null,
    signal: AbortSignal,
    tools?: JudgeTools,
  ) =>
    server.complete(
      { messages, schema, tools: tools?.schemas, temperature: 0, maxTokens: settings.replyTokens },
      signal,
    );

  return {
    get spent() {
      return { ...server.spent, ...own };
    },
    close: () => undefined,
    check: (signal) => server.check(signal),
    async ask(question, signal) {
      const opening: ServerMessage[] = [
        { role: 'system', content: question.system },
        { role: 'user', content: question.user },
      ];
      const key = cacheKey(
        settings.baseUrl,
        settings.model,
        opening,
        question.schema,
        question.tools?.schemas.map(({ name, parameters }) => [name, parameters]) ?? null,
      );
      const known = recall(cache.get(key), question);
      if (known !== null) {
        own.cacheHits++;
        return {
          value: known.value,
          text: cache.get(key)!,
          usage: { promptTokens: 0, completionTokens: 0, usd: server.spent.usd === null ? null : 0 },
          isCached: true,
        };
      }
      const usage: Usage = { promptTokens: 0, completionTokens: 0, usd: server.spent.usd === null ? null : 0 };
      let messages: readonly ServerMessage[] = opening;
      let problem = '';
      let lastText = '';
      const failure = (message: string, isFinal = false): JudgeFailure =>
        Object.assign(new JudgeFailure(message, isFinal), { usage, reply: lastText });
      let hasAnswered = true;
      // A server that did not answer the last group is asked once per group until it is back.
      const attempts = isDown ? 1 : settings.attempts;
      for (let attempt = 0; attempt < attempts; attempt++) {
        signal.throwIfAborted();
        const over = overBudget(server.spent, settings);
        if (over !== null) throw failure(over, true);
        if (attempt > 0) own.retries++;
        let text = '';
        const withSchema = hasSchema;
        try {
          let reply = await request(messages, withSchema ? question.schema : null, signal, question.tools);
          add(usage, reply.usage);
          for (let round = 1; reply.calls.length > 0; round++) {
            messages = [
              ...messages,
              { role: 'assistant', content: reply.text, tool_calls: reply.calls },
              ...(await results(question.tools!, reply.calls, signal)),
            ];
            const over = overBudget(server.spent, settings);
            if (over !== null) throw failure(over, true);
            reply = await request(
              messages,
              withSchema ? question.schema : null,
              signal,
              round < TOOL_ROUNDS ? question.tools : undefined,
            );
            add(usage, reply.usage);
          }
          text = lastText = reply.text;
          isDown = false;
          if (reply.isCut) throw new InvalidReply('the reply was cut off by its length');
          const value = question.parse(text);
          cache.set(key, text);
          return { value, text, usage, isCached: false };
        } catch (error) {
          signal.throwIfAborted();
          if (error instanceof JudgeFailure) throw error;
          if (error instanceof InvalidReply) {
            problem = error.message;
            hasAnswered = true;
            messages = [
              ...messages,
              ...(text === '' ? [] : [{ role: 'assistant' as const, content: text }]),
              {
                role: 'user',
                content: `That can't be used: ${error.message}. Reply again, with the JSON object alone.`,
              },
            ];
            continue;
          }
          hasAnswered = false;
          const { kind, reason, waitMs, isAboutSchema } = server.failureOf(error);
          if (withSchema && isAboutSchema) {
            hasSchema = false; // asked in words alone from here on
            attempt--;
            continue;
          }
          if (kind === 'final') throw failure(reason, true);
          if (kind === 'refused') throw failure(`the judge refused the question, ${reason}`);
          problem = reason;
          if (attempt + 1 >= attempts) break;
          if (waitMs !== null && waitMs > settings.longestWaitMs)
            throw failure(`the judge asks to wait ${Math.ceil(waitMs / 1000)} s`);
          await sleep(waitMs ?? Math.min(settings.longestWaitMs, 500 * 2 ** attempt), signal);
        }
      }
      isDown = !hasAnswered;
      throw failure(`the judge gave no verdict${attempts > 1 ? ` in ${attempts} tries` : ''}: ${problem}`);
    },
  };
}

/** What the judge's calls gave; a call that can't be made is words for it. */
async function results(tools: JudgeTools, calls: readonly ServerCall[], signal: AbortSignal): Promise<ServerMessage[]> {
  return Promise.all(
    calls.map(async (call): Promise<ServerMessage> => {
      const answer = (content: string): ServerMessage => ({ role: 'tool', tool_call_id: call.id, content });
      if (call.type !== 'function' || !tools.schemas.some((tool) => tool.name === call.function.name))
        return answer('{"error":"there is no such tool"}');
      let args: unknown;
      try {
        args = JSON.parse(call.function.arguments || '{}');
      } catch {
        return answer('{"error":"the arguments are no JSON"}');
      }
      if (!isRecord(args)) return answer('{"error":"the arguments must be an object"}');
      try {
        return answer(await tools.call(call.function.name, args, signal));
      } catch (error) {
        signal.throwIfAborted();
        return answer(JSON.stringify({ error: error instanceof Error ? error.message : String(error) }));
      }
    }),
  );
}

function add(to: Usage, more: Usage): void {
  to.promptTokens += more.promptTokens;
  to.completionTokens += more.completionTokens;
  if (more.usd !== null) to.usd = (to.usd ?? 0) + more.usd;
}

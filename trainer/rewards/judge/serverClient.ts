import { setMaxListeners } from 'node:events';
import type OpenAI from 'openai';
import { suggest } from '../../base/nearest';
import { UserError } from '../../protocol/result';
import { isRecord } from '../../protocol/arguments';
import { boundedFetch, OverlongReply } from '../../base/boundedFetch';
import { cacheKey, overBudget, recall, semaphore, type ClientOptions } from './client';
import {
  JudgeFailure,
  type JudgeClient,
  type Question,
  type Usage,
  InvalidReply,
  type JudgeTools,
} from '../../model/question';
import type { JudgeSettings } from './settings';

type Message = OpenAI.ChatCompletionMessageParam;

/** Rounds of calls before the judge must reply. */
const TOOL_ROUNDS = 4;

/**
 * Asks an OpenAI-compatible server. A reply that can't be used, a server that is busy, slow, broken or gone is asked
 * again, with a pause that doubles or that
 * it names itself (Retry-After); a wrong key, an unknown model, a quota that is used up, and a budget that is spent end
 * it for this run.
 */
export async function openServerClient({ settings, cache, sleep, now }: ClientOptions): Promise<JudgeClient> {
  const { default: Api, APIError, APIConnectionTimeoutError } = await import('openai');
  // Its own retries, logging and settings from the environment are off: pauses are ours, and no header is ever printed.
  // Its time limit ends with what fetch
  // gives, which here is the whole reply.
  const api = new Api({
    baseURL: settings.address,
    apiKey: settings.apiKey ?? 'none',
    organization: null,
    project: null,
    maxRetries: 0,
    timeout: settings.timeoutMs,
    logLevel: 'off',
    fetch: boundedFetch(),
  });
  const spent: JudgeClient['spent'] = {
    promptTokens: 0,
    completionTokens: 0,
    usd: settings.usdPerMillionPromptTokens === null ? null : 0,
    requests: 0,
    retries: 0,
    cacheHits: 0,
  };
  const lane = semaphore(settings.concurrency);
  let hasSchema = true;
  let isDown = false;

  const clean = (text: string): string =>
    (settings.apiKey ? text.replaceAll(settings.apiKey, '[key]') : text).replace(/\s+/g, ' ').slice(0, 200);

  /** Why there is no status: nothing came in time, too much came, or nothing can be reached. */
  const unreached = (error: InstanceType<typeof APIError>): string =>
    error instanceof APIConnectionTimeoutError
      ? `no answer in ${settings.timeoutMs} ms`
      : error.cause instanceof OverlongReply
        ? error.cause.message
        : `${settings.baseUrl} can't be reached`;

  async function request(
    messages: Message[],
    schema: Question<unknown>['schema'] | null,
    signal: AbortSignal,
    tools?: JudgeTools,
  ): Promise<{ text: string; usage: Usage; isCut: boolean; calls: OpenAI.ChatCompletionMessageToolCall[] }> {
    spent.requests++;
    const reply = await lane(() =>
      withOwnSignal(signal, (own) =>
        api.chat.completions.create(
          {
            model: settings.model,
            messages,
            temperature: 0,
            ...(settings.replyTokens === null ? {} : { max_tokens: settings.replyTokens }),
            ...(schema ? { response_format: { type: 'json_schema', json_schema: { ...schema, strict: true } } } : {}),
            ...(tools
              ? {
                  tools: tools.schemas.map(({ name, description, parameters }) => ({
                    type: 'function' as const,
                    function: { name, description, parameters },
                  })),
                }
              : {}),
          },
          { signal: own },
        ),
      ),
    );
    const usage = priced(reply.usage, settings);
    spent.promptTokens += usage.promptTokens;
    spent.completionTokens += usage.completionTokens;
    if (usage.usd !== null) spent.usd = (spent.usd ?? 0) + usage.usd;
    const choice = reply.choices?.[0];
    return {
      text: choice?.message?.content ?? '',
      usage,
      isCut: choice?.finish_reason === 'length',
      calls: tools ? (choice?.message?.tool_calls ?? []) : [],
    };
  }

  return {
    spent,
    close: () => undefined,
    async check(signal) {
      try {
        const known: string[] = await withOwnSignal(signal, (own) => api.models.list({ signal: own })).then(
          (list): string[] => list.data?.map((model) => model.id) ?? [],
          (error: unknown): string[] => {
            signal.throwIfAborted();
            // Servers without a list of models are asked in earnest.
            if (error instanceof APIError && error.status === 404) return [];
            throw error;
          },
        );
        if (known.includes(settings.model)) return;
        try {
          // Some take any name (llama.cpp), some know more than they list.
          await withOwnSignal(signal, (own) =>
            api.chat.completions.create(
              { model: settings.model, messages: [{ role: 'user', content: 'Hi' }], max_tokens: 1 },
              { signal: own },
            ),
          );
        } catch (error) {
          if (
            error instanceof APIError &&
            (error.status === 404 || ([400, 422].includes(error.status ?? 0) && /model/i.test(error.message)))
          )
            throw new UserError(
              'judge',
              `${settings.baseUrl} does not know the model ${settings.model} (status ${error.status}): ${clean(error.message)}`,
              known.length > 0
                ? suggest(settings.model, known.slice(0, 20))
                : 'Set COACH_JUDGE_MODEL to one that it has.',
            );
          throw error;
        }
      } catch (error) {
        if (error instanceof UserError) throw error;
        signal.throwIfAborted();
        if (!(error instanceof APIError)) return; // it answers, in words of its own
        if (error.status === undefined)
          throw new UserError(
            'judge',
            `the judge's server ${settings.baseUrl} can't be reached: ${clean(error instanceof APIConnectionTimeoutError ? `no answer in ${settings.timeoutMs} ms` : String((error.cause as Error | undefined)?.message ?? error.message))}`,
            'Start it, or set COACH_JUDGE_URL to where it is.',
          );
        if (error.status === 401 || error.status === 403)
          throw new UserError('judge', finalReason(error, settings)!, 'Set COACH_JUDGE_KEY to a key that it takes.');
        if (finalReason(error, settings) !== null)
          throw new UserError('judge', finalReason(error, settings)!, 'Top it up, or take another judge.');
        // One that is just busy is asked in earnest.
      }
    },
    async ask(question, signal) {
      const opening: Message[] = [
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
        spent.cacheHits++;
        return {
          value: known.value,
          text: cache.get(key)!,
          usage: { promptTokens: 0, completionTokens: 0, usd: spent.usd === null ? null : 0 },
          isCached: true,
        };
      }
      const usage: Usage = { promptTokens: 0, completionTokens: 0, usd: spent.usd === null ? null : 0 };
      let messages = opening;
      let problem = '';
      let lastText = '';
      const failure = (message: string, isFinal = false): JudgeFailure =>
        Object.assign(new JudgeFailure(message, isFinal), { usage, reply: lastText });
      let hasAnswered = true;
      // A server that did not answer the last group is asked once per group until it is back.
      const attempts = isDown ? 1 : settings.attempts;
      for (let attempt = 0; attempt < attempts; attempt++) {
        signal.throwIfAborted();
        const over = overBudget(spent, settings);
        if (over !== null) throw failure(over, true);
        if (attempt > 0) spent.retries++;
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
            const over = overBudget(spent, settings);
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
          if (!(error instanceof APIError)) {
            problem = `its answer can't be read: ${clean(String(error))}`;
          } else {
            if (
              withSchema &&
              (error.status === 400 || error.status === 422) &&
              /response_format|json_schema|schema|grammar/i.test(error.message)
            ) {
              hasSchema = false; // asked in words alone from here on
              attempt--;
              continue;
            }
            const final = finalReason(error, settings);
            if (final !== null) throw failure(final, true);
            problem = error.status === undefined ? unreached(error) : `status ${error.status}: ${clean(error.message)}`;
            if (error.status !== undefined && error.status < 500 && ![408, 409, 425, 429].includes(error.status))
              throw failure(`the judge refused the question, ${problem}`);
          }
          if (attempt + 1 >= attempts) break;
          const named =
            error instanceof APIError ? retryAfterMs(error.headers?.get('retry-after') ?? null, now()) : null;
          if (named !== null && named > settings.longestWaitMs)
            throw failure(`the judge asks to wait ${Math.ceil(named / 1000)} s`);
          await sleep(named ?? Math.min(settings.longestWaitMs, 500 * 2 ** attempt), signal);
        }
      }
      isDown = !hasAnswered;
      throw failure(`the judge gave no verdict${attempts > 1 ? ` in ${attempts} tries` : ''}: ${problem}`);
    },
  };
}

/** What the judge's calls gave; a call that can't be made is words for it. */
async function results(
  tools: JudgeTools,
  calls: readonly OpenAI.ChatCompletionMessageToolCall[],
  signal: AbortSignal,
): Promise<Message[]> {
  return Promise.all(
    calls.map(async (call): Promise<Message> => {
      const answer = (content: string): Message => ({ role: 'tool', tool_call_id: call.id, content });
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

/** One clear sentence for what no repetition mends; null: it may pass. */
function finalReason(
  error: InstanceType<typeof OpenAI.APIError>,
  { baseUrl, model, apiKey }: JudgeSettings,
): string | null {
  if (error.status === 401 || error.status === 403)
    return `${baseUrl} refused the key${apiKey === null ? ': none was given' : ''} (status ${error.status})`;
  if (error.status === 404)
    return `${baseUrl} does not know the model ${model} (status 404), or is no OpenAI-compatible server`;
  if (error.status === 402 || error.code === 'insufficient_quota')
    return `the judge's quota is used up (status ${error.status})`;
  return null;
}

function priced(
  usage: { prompt_tokens?: number; completion_tokens?: number } | null | undefined,
  { usdPerMillionPromptTokens: prompt, usdPerMillionCompletionTokens: completion }: JudgeSettings,
): Usage {
  const [promptTokens, completionTokens] = [usage?.prompt_tokens ?? 0, usage?.completion_tokens ?? 0];
  return {
    promptTokens,
    completionTokens,
    usd: prompt === null ? null : (promptTokens * prompt + completionTokens * (completion ?? 0)) / 1e6,
  };
}

function add(to: Usage, more: Usage): void {
  to.promptTokens += more.promptTokens;
  to.completionTokens += more.completionTokens;
  if (more.usd !== null) to.usd = (to.usd ?? 0) + more.usd;
}

/** Seconds or an HTTP date; null where there is none. */
export function retryAfterMs(header: string | null, nowMs: number): number | null {
  if (header === null || header.trim() === '') return null;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
}

/**
 * The client leaves its listener on a signal; the run's signal lives as long as the run, so each request gets one of
 * its own.
 */
async function withOwnSignal<T>(signal: AbortSignal, work: (own: AbortSignal) => Promise<T>): Promise<T> {
  setMaxListeners(0, signal); // as many as requests are under way, which is a setting
  const own = new AbortController();
  const stop = (): void => own.abort(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    return await work(own.signal);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

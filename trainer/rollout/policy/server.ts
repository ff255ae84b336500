/**
 * An OpenAI-compatible server that is asked for chat completions: what a request may take, what it costs, and what its
 * errors mean. Judge, writer and remote policies share it.
 */
import type { Usage } from '../../model/question';
import { setMaxListeners } from 'node:events';
import type OpenAI from 'openai';
import { boundedFetch, OverlongReply } from '../../base/boundedFetch';
import { Lanes } from '../../base/lanes';
import { suggest } from '../../base/nearest';
import type { PromptTool } from '../../model/tokenizer/chatTemplate';
import { UserError, type Border } from '../../protocol/result';

export type ServerMessage = OpenAI.ChatCompletionMessageParam;
export type ServerCall = OpenAI.ChatCompletionMessageToolCall;

export interface ServerSettings {
  /** with /v1, as it is recorded and said */
  baseUrl: string;
  /** where requests go */
  address: string;
  model: string;
  /** null: the server asks for none */
  apiKey: string | null;
  timeoutMs: number;
  /** requests under way at once */
  concurrency: number;
  /** null: nobody counts money */
  usdPerMillionPromptTokens: number | null;
  usdPerMillionCompletionTokens: number | null;
}

/** Who asks, as messages name it, and how its settings are called. */
export interface Asker {
  border: Border;
  /** 'judge' */
  name: string;
  hints: Record<'url' | 'model' | 'key', string>;
}

export interface ServerRequest {
  messages: readonly ServerMessage[];
  schema?: { name: string; schema: Record<string, unknown> } | null;
  tools?: readonly PromptTool[] | undefined;
  temperature: number;
  topP?: number | undefined;
  seed?: number | undefined;
  /** null: as long as the server lets it be */
  maxTokens: number | null;
}

export interface ServerReply {
  text: string;
  calls: ServerCall[];
  /** false: what came is no completion */
  isReply: boolean;
  /** its length was limited */
  isCut: boolean;
  /** null: the server did not count */
  tokens: Omit<Usage, 'usd'> | null;
  usage: Usage;
}

export interface ServerFailure {
  /** final: no repetition mends it; refused: this request alone; again: it may pass */
  kind: 'final' | 'refused' | 'again';
  reason: string;
  /** as the server asked; null: it did not */
  waitMs: number | null;
  /** it may go without a schema for its reply */
  isAboutSchema: boolean;
  /** the request is longer than the model reads */
  isTooLong: boolean;
}

export interface Server {
  /** of all requests so far */
  readonly spent: Usage & { requests: number };
  /** One request. @throws what failureOf explains, or the reason of the signal */
  complete(request: ServerRequest, signal: AbortSignal): Promise<ServerReply>;
  failureOf(error: unknown): ServerFailure;
  /**
   * Is it there, does it take the key and know the model? Costs nothing, or one token where the model is not in its
   * list. @throws UserError in one sentence
   */
  check(signal: AbortSignal): Promise<void>;
}

export async function openServer(settings: ServerSettings, asker: Asker, { now }: { now(): number }): Promise<Server> {
  const { default: Api, APIError, APIConnectionTimeoutError } = await import('openai');
  // Its own retries, logging and settings from the environment are off: pauses are ours, and no header is ever printed.
  // Its time limit ends with what fetch gives, which here is the whole reply.
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
  const spent: Server['spent'] = {
    promptTokens: 0,
    completionTokens: 0,
    usd: settings.usdPerMillionPromptTokens === null ? null : 0,
    requests: 0,
  };
  const lanes = new Lanes(settings.concurrency);
  const create = (body: OpenAI.ChatCompletionCreateParamsNonStreaming, signal: AbortSignal) =>
    withOwnSignal(signal, (own) => api.chat.completions.create(body, { signal: own }));

  /** A server that says our key again says it to nobody. */
  const unkeyed = (text: string): string => (settings.apiKey ? text.replaceAll(settings.apiKey, '[key]') : text);
  const unkeyedCall = (call: ServerCall): ServerCall =>
    call.type === 'function'
      ? { ...call, function: { ...call.function, arguments: unkeyed(call.function.arguments) } }
      : call;
  const clean = (text: string): string => unkeyed(text).replace(/\s+/g, ' ').slice(0, 200);

  /** Why there is no status: nothing came in time, too much came, or nothing can be reached. */
  const unreached = (error: InstanceType<typeof APIError>): string =>
    error instanceof APIConnectionTimeoutError
      ? `no answer in ${settings.timeoutMs} ms`
      : error.cause instanceof OverlongReply
        ? error.cause.message
        : `${settings.baseUrl} can't be reached`;

  return {
    spent,
    async complete({ messages, schema, tools, temperature, topP, seed, maxTokens }, signal) {
      spent.requests++;
      const reply = await lanes.run(() =>
        create(
          {
            model: settings.model,
            messages: [...messages],
            temperature,
            ...(topP === undefined ? {} : { top_p: topP }),
            ...(seed === undefined ? {} : { seed }),
            ...(maxTokens === null ? {} : { max_tokens: maxTokens }),
            ...(schema ? { response_format: { type: 'json_schema', json_schema: { ...schema, strict: true } } } : {}),
            ...(tools && tools.length > 0 ? { tools: tools.map(asFunction) } : {}),
          },
          signal,
        ),
      );
      const usage = priced(reply.usage, settings);
      spent.promptTokens += usage.promptTokens;
      spent.completionTokens += usage.completionTokens;
      if (usage.usd !== null) spent.usd = (spent.usd ?? 0) + usage.usd;
      const choice = reply.choices?.[0];
      return {
        text: unkeyed(choice?.message?.content ?? ''),
        isReply: choice?.message !== undefined,
        usage,
        tokens: reply.usage ? { promptTokens: usage.promptTokens, completionTokens: usage.completionTokens } : null,
        isCut: choice?.finish_reason === 'length',
        calls: tools ? (choice?.message?.tool_calls ?? []).map(unkeyedCall) : [],
      };
    },
    failureOf(error) {
      const failure = { waitMs: null, isAboutSchema: false, isTooLong: false };
      if (!(error instanceof APIError))
        return { ...failure, kind: 'again', reason: `its answer can't be read: ${clean(String(error))}` };
      const { status } = error;
      const isBadRequest = status === 400 || status === 422;
      const isAboutSchema = isBadRequest && /response_format|json_schema|schema|grammar/i.test(error.message);
      const isTooLong =
        (isBadRequest || status === 413) &&
        (error.code === 'context_length_exceeded' || /context (?:length|size|window)/i.test(error.message));
      const final = finalReason(error, settings, asker);
      if (final !== null) return { ...failure, kind: 'final', reason: final };
      const waitMs = retryAfterMs(error.headers?.get('retry-after') ?? null, now());
      const reason = status === undefined ? unreached(error) : `status ${status}: ${clean(error.message)}`;
      const isRefused = status !== undefined && status < 500 && ![408, 409, 425, 429].includes(status);
      return { kind: isRefused ? 'refused' : 'again', reason, waitMs, isAboutSchema, isTooLong };
    },
    async check(signal) {
      const failed = (message: string, hint: string): UserError => new UserError(asker.border, message, hint);
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
          await create({ model: settings.model, messages: [{ role: 'user', content: 'Hi' }], max_tokens: 1 }, signal);
        } catch (error) {
          if (
            error instanceof APIError &&
            (error.status === 404 || ([400, 422].includes(error.status ?? 0) && /model/i.test(error.message)))
          )
            throw failed(
              `${settings.baseUrl} does not know the model ${settings.model} (status ${error.status}): ${clean(error.message)}`,
              known.length > 0 ? suggest(settings.model, known.slice(0, 20)) : asker.hints.model,
            );
          throw error;
        }
      } catch (error) {
        if (error instanceof UserError) throw error;
        signal.throwIfAborted();
        if (!(error instanceof APIError)) return; // it answers, in words of its own
        if (error.status === undefined)
          throw failed(
            `the ${asker.name}'s server ${settings.baseUrl} can't be reached: ${clean(error instanceof APIConnectionTimeoutError ? `no answer in ${settings.timeoutMs} ms` : String((error.cause as Error | undefined)?.message ?? error.message))}`,
            asker.hints.url,
          );
        const final = finalReason(error, settings, asker);
        if (final === null) return; // one that is just busy is asked in earnest
        const isKey = error.status === 401 || error.status === 403;
        throw failed(final, isKey ? asker.hints.key : `Top it up, or take another ${asker.name}.`);
      }
    },
  };
}

const asFunction = ({ name, description, parameters }: PromptTool): OpenAI.ChatCompletionFunctionTool => ({
  type: 'function',
  function: { name, description, parameters },
});

/** One clear sentence for what no repetition mends; null: it may pass. */
function finalReason(
  error: InstanceType<typeof OpenAI.APIError>,
  { baseUrl, model, apiKey }: ServerSettings,
  { name }: Asker,
): string | null {
  if (error.status === 401 || error.status === 403)
    return `${baseUrl} refused the key${apiKey === null ? ': none was given' : ''} (status ${error.status})`;
  if (error.status === 404)
    return `${baseUrl} does not know the model ${model} (status 404), or is no OpenAI-compatible server`;
  if (error.status === 402 || error.code === 'insufficient_quota')
    return `the ${name}'s quota is used up (status ${error.status})`;
  return null;
}

function priced(
  usage: { prompt_tokens?: number; completion_tokens?: number } | null | undefined,
  { usdPerMillionPromptTokens: prompt, usdPerMillionCompletionTokens: completion }: ServerSettings,
): Usage {
  const [promptTokens, completionTokens] = [usage?.prompt_tokens ?? 0, usage?.completion_tokens ?? 0];
  return {
    promptTokens,
    completionTokens,
    usd: prompt === null ? null : (promptTokens * prompt + completionTokens * (completion ?? 0)) / 1e6,
  };
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

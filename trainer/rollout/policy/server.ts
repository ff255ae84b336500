/**
 * An OpenAI-compatible server that is asked for chat completions: what a request may take, what it costs, and what its
 * errors mean. Judge, writer and remote policies share it.
 */
import type { Usage } from '../../model/question';
import type OpenAI from 'openai';
import { boundedFetch, OverlongReply } from '../../base/boundedFetch';
import { Lanes } from '../../base/lanes';
import { suggest } from '../../base/nearest';
import type { PromptTool } from '../../model/tokenizer/chatTemplate';
import { UserError, type Border } from '../../protocol/result';
import { bodyOf, priced, withOwnSignal } from './serverRequest';

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
  const openai = await import('openai');
  return new ApiServer(openai, settings, asker, now);
}

type OpenAiModule = typeof import('openai');

class ApiServer implements Server {
  readonly spent: Server['spent'];
  private readonly api: OpenAI;
  private readonly lanes: Lanes;

  constructor(
    private readonly errors: Pick<OpenAiModule, 'APIError' | 'APIConnectionTimeoutError' | 'default'>,
    private readonly settings: ServerSettings,
    private readonly asker: Asker,
    private readonly now: () => number,
  ) {
    // Its own retries, logging and settings from the environment are off: pauses are ours, and no header is ever
    // printed. Its time limit ends with what fetch gives, which here is the whole reply.
    this.api = new errors.default({
      baseURL: settings.address,
      apiKey: settings.apiKey ?? 'none',
      organization: null,
      project: null,
      maxRetries: 0,
      timeout: settings.timeoutMs,
      logLevel: 'off',
      fetch: boundedFetch(),
    });
    this.spent = {
      promptTokens: 0,
      completionTokens: 0,
      usd: settings.usdPerMillionPromptTokens === null ? null : 0,
      requests: 0,
    };
    this.lanes = new Lanes(settings.concurrency);
  }

  async complete(request: ServerRequest, signal: AbortSignal): Promise<ServerReply> {
    const { spent } = this;
    spent.requests++;
    const reply = await this.lanes.run(() => this.create(bodyOf(request, this.settings.model), signal));
    const usage = priced(reply.usage, this.settings);
    spent.promptTokens += usage.promptTokens;
    spent.completionTokens += usage.completionTokens;
    if (usage.usd !== null) spent.usd = (spent.usd ?? 0) + usage.usd;
    const choice = reply.choices?.[0];
    return {
      text: this.unkeyed(choice?.message?.content ?? ''),
      isReply: choice?.message !== undefined,
      usage,
      tokens: reply.usage ? { promptTokens: usage.promptTokens, completionTokens: usage.completionTokens } : null,
      isCut: choice?.finish_reason === 'length',
      calls: request.tools ? (choice?.message?.tool_calls ?? []).map((call) => this.unkeyedCall(call)) : [],
    };
  }

  failureOf(error: unknown): ServerFailure {
    const failure = { waitMs: null, isAboutSchema: false, isTooLong: false };
    if (!(error instanceof this.errors.APIError))
      return { ...failure, kind: 'again', reason: `its answer can't be read: ${this.clean(String(error))}` };
    const { status } = error;
    const isBadRequest = status === 400 || status === 422;
    const isAboutSchema = isBadRequest && /response_format|json_schema|schema|grammar/i.test(error.message);
    const isTooLong =
      (isBadRequest || status === 413) &&
      (error.code === 'context_length_exceeded' || /context (?:length|size|window)/i.test(error.message));
    const final = finalReason(error, this.settings, this.asker);
    if (final !== null) return { ...failure, kind: 'final', reason: final };
    const waitMs = retryAfterMs(error.headers?.get('retry-after') ?? null, this.now());
    const reason = status === undefined ? this.unreached(error) : `status ${status}: ${this.clean(error.message)}`;
    const isRefused = status !== undefined && status < 500 && ![408, 409, 425, 429].includes(status);
    return { kind: isRefused ? 'refused' : 'again', reason, waitMs, isAboutSchema, isTooLong };
  }

  async check(signal: AbortSignal): Promise<void> {
    try {
      await this.checkModel(signal);
    } catch (error) {
      if (error instanceof UserError) throw error;
      signal.throwIfAborted();
      if (!(error instanceof this.errors.APIError)) return; // it answers, in words of its own
      if (error.status === undefined) {
        const cause = (error.cause as Error | undefined)?.message ?? error.message;
        const why = this.clean(this.isTimeout(error) ? this.tooSlow : cause);
        const { name, hints } = this.asker;
        throw this.failed(`the ${name}'s server ${this.settings.baseUrl} can't be reached: ${why}`, hints.url);
      }
      const final = finalReason(error, this.settings, this.asker);
      if (final === null) return; // one that is just busy is asked in earnest
      const isKey = error.status === 401 || error.status === 403;
      throw this.failed(final, isKey ? this.asker.hints.key : `Top it up, or take another ${this.asker.name}.`);
    }
  }

  /** By its list of models, else by one token. @throws UserError for a model that it does not know, or what it said */
  private async checkModel(signal: AbortSignal): Promise<void> {
    const { settings, asker } = this;
    const known = await this.modelNames(signal);
    if (known.includes(settings.model)) return;
    try {
      // Some take any name (llama.cpp), some know more than they list.
      await this.create({ model: settings.model, messages: [{ role: 'user', content: 'Hi' }], max_tokens: 1 }, signal);
    } catch (error) {
      if (
        error instanceof this.errors.APIError &&
        (error.status === 404 || ([400, 422].includes(error.status ?? 0) && /model/i.test(error.message)))
      )
        throw this.failed(
          `${settings.baseUrl} does not know the model ${settings.model} (status ${error.status}): ` +
            `${this.clean(error.message)}`,
          known.length > 0 ? suggest(settings.model, known.slice(0, 20)) : asker.hints.model,
        );
      throw error;
    }
  }

  /** None of a server without such a list: that one is asked in earnest. */
  private async modelNames(signal: AbortSignal): Promise<string[]> {
    try {
      const list = await withOwnSignal(signal, (own) => this.api.models.list({ signal: own }));
      return list.data?.map((model) => model.id) ?? [];
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof this.errors.APIError && error.status === 404) return [];
      throw error;
    }
  }

  private create(
    body: OpenAI.ChatCompletionCreateParamsNonStreaming,
    signal: AbortSignal,
  ): Promise<OpenAI.ChatCompletion> {
    return withOwnSignal(signal, (own) => this.api.chat.completions.create(body, { signal: own }));
  }

  private failed(message: string, hint: string): UserError {
    return new UserError(this.asker.border, message, hint);
  }

  private get tooSlow(): string {
    return `no answer in ${this.settings.timeoutMs} ms`;
  }

  private isTimeout(error: unknown): boolean {
    return error instanceof this.errors.APIConnectionTimeoutError;
  }

  /** Why there is no status: nothing came in time, too much came, or nothing can be reached. */
  private unreached(error: InstanceType<typeof OpenAI.APIError>): string {
    if (this.isTimeout(error)) return this.tooSlow;
    return error.cause instanceof OverlongReply ? error.cause.message : `${this.settings.baseUrl} can't be reached`;
  }

  private clean(text: string): string {
    return this.unkeyed(text).replace(/\s+/g, ' ').slice(0, 200);
  }

  /** A server that says our key again says it to nobody. */
  private unkeyed(text: string): string {
    return this.settings.apiKey ? text.replaceAll(this.settings.apiKey, '[key]') : text;
  }

  private unkeyedCall(call: ServerCall): ServerCall {
    return call.type === 'function'
      ? { ...call, function: { ...call.function, arguments: this.unkeyed(call.function.arguments) } }
      : call;
  }
}

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

/** Seconds or an HTTP date; null where there is none. */
export function retryAfterMs(header: string | null, nowMs: number): number | null {
  if (header === null || header.trim() === '') return null;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
}

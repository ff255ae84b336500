/** One request to a server: its body, its signal, its price. */
import type { Usage } from '../../model/question';
import { setMaxListeners } from 'node:events';
import type OpenAI from 'openai';
import type { PromptTool } from '../../model/tokenizer/chatTemplate';
import type { ServerRequest, ServerSettings } from './server';

export const bodyOf = (
  { messages, schema, tools, temperature, topP, seed, maxTokens }: ServerRequest,
  model: string,
): OpenAI.ChatCompletionCreateParamsNonStreaming => ({
  model,
  messages: [...messages],
  temperature,
  ...(topP === undefined ? {} : { top_p: topP }),
  ...(seed === undefined ? {} : { seed }),
  ...(maxTokens === null ? {} : { max_tokens: maxTokens }),
  ...(schema ? { response_format: { type: 'json_schema', json_schema: { ...schema, strict: true } } } : {}),
  ...(tools && tools.length > 0 ? { tools: tools.map(asFunction) } : {}),
});

const asFunction = ({ name, description, parameters }: PromptTool): OpenAI.ChatCompletionFunctionTool => ({
  type: 'function',
  function: { name, description, parameters },
});

export function priced(
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

/**
 * The client leaves its listener on a signal; the run's signal lives as long as the run, so each request gets one of
 * its own.
 */
export async function withOwnSignal<T>(signal: AbortSignal, work: (own: AbortSignal) => Promise<T>): Promise<T> {
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

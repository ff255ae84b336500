/**
 * Lends the editor's own language models to a trainer: an OpenAI-compatible server on this machine, as long as the
 * window is open. Chat completions
 * without tools and without a schema (a judge is then asked in words alone). Free of `vscode`.
 */
import { z } from 'zod';
import { HttpError, serveLocally, type LocalRequest } from '../processes/localServer';

export interface Said {
  role: 'user' | 'assistant';
  text: string;
}

export interface Lent {
  text: string;
  promptTokens: number;
  completionTokens: number;
}

/** What the editor has. Errors that carry a `status` are answered with it. */
export interface Lender {
  /** names under which a model can be asked for */
  models(): Promise<string[]>;
  /** @throws LenderError 404 where there is no such model */
  reply(model: string, messages: readonly Said[], signal: AbortSignal): Promise<Lent>;
}

/** As an OpenAI server would say it. */
export class LenderError extends HttpError {}

const Body = z.object({
  model: z.string(),
  messages: z.array(z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string() })).min(1),
  response_format: z.unknown().optional(),
  tools: z.unknown().optional(),
});

export interface ModelServer {
  url: string;
  key: string;
  close(): void;
}

/** @returns once it listens; `key` is needed by whoever asks */
export async function serveModels(lender: Lender): Promise<ModelServer> {
  const { origin, key, close } = await serveLocally(async (request) => ({ body: await answer(request, lender) }));
  return { url: `${origin}/v1`, key, close };
}

async function answer({ path, json, signal }: LocalRequest, lender: Lender): Promise<object> {
  if (path === 'GET /v1/models')
    return { object: 'list', data: (await lender.models()).map((id) => ({ id, object: 'model' })) };
  if (path !== 'POST /v1/chat/completions') throw new LenderError(404, `there is no ${path}`);
  const parsed = Body.safeParse(await json());
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new LenderError(400, issue ? `${issue.path.join('.')}: ${issue.message}` : parsed.error.message);
  }
  const { model, messages, response_format, tools } = parsed.data;
  if (response_format !== undefined) throw new LenderError(400, "the editor's models take no response_format");
  if (tools !== undefined) throw new LenderError(400, "the editor's models are lent without tools");
  // The editor's interface knows no system role: what it would say is the first thing that the user says.
  const { text, promptTokens, completionTokens } = await lender.reply(
    model,
    messages.map(({ role, content }) => ({ role: role === 'assistant' ? 'assistant' : 'user', text: content })),
    signal,
  );
  return {
    id: 'editor',
    object: 'chat.completion',
    created: 0,
    model,
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: text } }],
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
    },
  };
}

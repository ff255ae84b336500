/**
 * Lends the editor's own language models to a trainer: an OpenAI-compatible server on this machine, as long as the
 * window is open. Chat completions
 * without tools and without a schema (a judge is then asked in words alone). Free of `vscode`.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

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

export class LenderError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

const LONGEST_BODY = 4 * 2 ** 20;

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

/** @returns once it listens, on a free port of 127.0.0.1; `key` is needed by whoever asks */
export async function serveModels(lender: Lender): Promise<ModelServer> {
  const key = randomBytes(32).toString('hex');
  const server: Server = createServer((request, response) => {
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    answer(request, lender, key, gone.signal).then(
      (body) => send(response, 200, body),
      (error: Error) =>
        send(response, error instanceof LenderError ? error.status : 500, { error: { message: error.message } }),
    );
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    key,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function answer(request: IncomingMessage, lender: Lender, key: string, signal: AbortSignal): Promise<object> {
  if (!isKey(request.headers.authorization, key)) throw new LenderError(401, 'the key is not that of this window');
  const path = `${request.method} ${request.url}`;
  if (path === 'GET /v1/models')
    return { object: 'list', data: (await lender.models()).map((id) => ({ id, object: 'model' })) };
  if (path !== 'POST /v1/chat/completions') throw new LenderError(404, `there is no ${path}`);
  const parsed = Body.safeParse(await readBody(request));
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

function isKey(header: string | undefined, key: string): boolean {
  const [given, wanted] = [Buffer.from(header ?? ''), Buffer.from(`Bearer ${key}`)];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    if ((length += chunk.length) > LONGEST_BODY)
      throw new LenderError(413, `a question may have ${LONGEST_BODY} bytes`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new LenderError(400, 'the question is no JSON');
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  if (response.destroyed) return;
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** A scripted OpenAI-compatible server: each request is answered by what the script says, and kept. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  body: {
    model: string;
    messages: { role: string; content: string }[];
    response_format?: unknown;
    tools?: { function: { name: string } }[];
  };
  headers: IncomingMessage['headers'] /** in the order of presentation */;
  attempts: { id: string; text: string }[];
}
export type Answer =
  | { content: string; finish?: string; calls?: { name: string; args: string }[]; promptTokens?: number }
  | { status: number; headers?: Record<string, string>; body?: unknown }
  | { raw(response: ServerResponse): void };

export interface JudgeServer {
  url: string;
  asked: Asked[];
  close(): Promise<void>;
}

/**
 * @param script what to answer to the nth question
 * @param status of the list of models
 */
export async function judgeServer(
  script: (asked: Asked, n: number) => Answer | Promise<Answer>,
  port = 0,
  status = 200,
): Promise<JudgeServer> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => void reply(request, Buffer.concat(chunks).toString(), response));
  });
  async function reply(request: IncomingMessage, text: string, response: ServerResponse): Promise<void> {
    if (request.method === 'GET') {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify(
          status === 200
            ? { object: 'list', data: [{ id: 'm', object: 'model' }] }
            : { error: { message: `status ${status}` } },
        ),
      );
      return;
    }
    const body = JSON.parse(text) as Asked['body'];
    const attempts = [...(body.messages[1]?.content ?? '').matchAll(/<attempt id="(\w+)">\n([^]*?)\n<\/attempt>/g)].map(
      ([, id, attempt]) => ({ id, text: attempt }),
    );
    const question = { body, headers: request.headers, attempts };
    asked.push(question);
    const answer = await script(question, asked.length - 1);
    if ('raw' in answer) return answer.raw(response);
    if ('status' in answer) {
      response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
      response.end(JSON.stringify(answer.body ?? { error: { message: `status ${answer.status}` } }));
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({
        id: 'x',
        object: 'chat.completion',
        created: 0,
        model: body.model,
        choices: [
          {
            index: 0,
            finish_reason: answer.finish ?? 'stop',
            message: {
              role: 'assistant',
              content: answer.content,
              ...(answer.calls
                ? {
                    tool_calls: answer.calls.map((call, i) => ({
                      id: `call-${i}`,
                      type: 'function',
                      function: { name: call.name, arguments: call.args },
                    })),
                  }
                : {}),
            },
          },
        ],
        usage: { prompt_tokens: answer.promptTokens ?? 100, completion_tokens: 10, total_tokens: 110 },
      }),
    );
  }
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A ranking by a rule over the attempts as presented. */
export const ranking = (asked: Asked, score: (text: string, place: number) => number): Answer => ({
  content: JSON.stringify({
    attempts: asked.attempts.map(({ id, text }, place) => ({
      id,
      reason: `place ${place}`,
      score: score(text, place),
    })),
  }),
});

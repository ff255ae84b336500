/**
 * A server of this window for programs that it starts: on 127.0.0.1, a free port, for whoever has the key. Free of
 * `vscode`.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Answered with its status. */
export class HttpError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

export interface LocalRequest {
  /** "POST /v1/models" */
  path: string;
  /** @throws HttpError where it is no JSON, or too long */
  json(): Promise<unknown>;
  /** whoever asked is gone */
  signal: AbortSignal;
}

export interface LocalServer {
  /** http://127.0.0.1:PORT */
  origin: string;
  key: string;
  close(): void;
}

const LONGEST_BODY = 4 * 2 ** 20;

/** @param answer status and body; of what it throws, whoever asked is told the message */
export async function serveLocally(
  answer: (request: LocalRequest) => Promise<{ status?: number; body?: object }>,
): Promise<LocalServer> {
  const key = randomBytes(32).toString('hex');
  const server = createServer((request, response) => {
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    const answered = isKey(request.headers.authorization, key)
      ? answer({
          path: `${request.method} ${request.url}`,
          json: () => readJson(request),
          signal: gone.signal,
        })
      : Promise.reject(new HttpError(401, 'the key is not that of this window'));
    answered.then(
      ({ status = 200, body }) => send(response, status, body),
      (error: Error) =>
        send(response, error instanceof HttpError ? error.status : 500, { error: { message: error.message } }),
    );
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    key,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function isKey(header: string | undefined, key: string): boolean {
  const [given, wanted] = [Buffer.from(header ?? ''), Buffer.from(`Bearer ${key}`)];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    if ((length += chunk.length) > LONGEST_BODY) throw new HttpError(413, `a question may have ${LONGEST_BODY} bytes`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new HttpError(400, 'the question is no JSON');
  }
}

function send(response: ServerResponse, status: number, body?: object): void {
  if (response.destroyed) return;
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(body && JSON.stringify(body));
}

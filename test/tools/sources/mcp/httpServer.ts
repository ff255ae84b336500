/** The counter over streamable HTTP, in this process; and servers that answer something else. */
import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';

export interface TestServer {
  url: string;
  /** Sessions that were begun, and those of them that their client has ended. */
  begun: string[];
  ended: string[];
  /** Headers of the last request. */
  headers: NodeJS.Dict<string | string[]>;
  /** Forgets all sessions, as one that was started anew. */
  forget(): void;
  /** Ends all connections and listens no more. */
  close(): Promise<void>;
}

interface CounterOptions {
  die?: () => void;
  state?: { counter: number };
}

const counter = import(pathToFileURL(join(__dirname, 'counter.mjs')).href) as Promise<{
  counterServer(options: CounterOptions): McpServer;
}>;

export async function listen(answer: RequestListener): Promise<TestServer> {
  const server: Server = createServer((request, response) => {
    test.headers = request.headers;
    return answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const test: TestServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    begun: [],
    ended: [],
    headers: {},
    forget: () => undefined,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return test;
}

/** @param world 'session': a counter for each session; 'server': one for all; 'none': and it gives no sessions */
export async function listenCounter(world: 'session' | 'server' | 'none' = 'session'): Promise<TestServer> {
  const { counterServer } = await counter;
  const state = { counter: 0 };
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const test = await listen(async (request, response) => {
    const known = sessions.get(String(request.headers['mcp-session-id']));
    if (known) return known.handleRequest(request, response);
    if (request.headers['mcp-session-id']) return void response.writeHead(404).end();
    const transport = new StreamableHTTPServerTransport({
      ...(world === 'none' ? {} : { sessionIdGenerator: () => randomUUID() }),
      onsessioninitialized(id) {
        sessions.set(id, transport);
        test.begun.push(id);
      },
      onsessionclosed: (id) => void test.ended.push(id),
    });
    const options = { die: () => void test.close(), ...(world === 'session' ? {} : { state }) };
    await counterServer(options).connect(transport as Transport);
    await transport.handleRequest(request, response);
  });
  test.forget = () => sessions.clear();
  return test;
}

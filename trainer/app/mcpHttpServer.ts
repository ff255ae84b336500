/** Tools of ours as an MCP server over streamable HTTP, for programs of this machine. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { UserError } from '../protocol/result';
import { serverOf, type Served } from './mcpServer';

const HOST = '127.0.0.1';
const PATH = '/mcp';
/** Open at a time: clients often leave without a word. One more ends the one that was used longest ago. */
const MOST_SESSIONS = 32;

export interface HttpOptions {
  /** 0: a free one */
  port: number;
  /** ends it */
  signal: AbortSignal;
  onListening(url: string): void;
}

/**
 * Until the signal stops it. Each session of a client has what its tools remember to itself.
 * @throws UserError where the port is taken
 */
export async function serveToolsByHttp(hosts: Served, { port, signal, onListening }: HttpOptions): Promise<void> {
  const sessions = new Sessions(hosts);
  const server = createServer((request, response) => {
    sessions.answer(request, response).catch((error: unknown) => refuse(response, 500, String(error)));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(portError(error, port)));
    server.listen(port, HOST, resolve);
  });
  const { port: taken } = server.address() as AddressInfo;
  sessions.allow(taken);
  onListening(`http://${HOST}:${taken}${PATH}`);
  try {
    if (!signal.aborted)
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  } finally {
    await sessions.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

interface Session {
  server: Server;
  transport: StreamableHTTPServerTransport;
}

class Sessions {
  /** By id, the one that was used longest ago first. */
  private readonly open = new Map<string, Session>();
  private hostNames: readonly string[] = [];

  constructor(private readonly hosts: Served) {}

  allow(port: number): void {
    this.hostNames = [`${HOST}:${port}`, `localhost:${port}`];
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!this.isFromHere(request))
      return refuse(response, 403, 'this server answers programs of its own machine alone');
    if (request.url?.split('?')[0] !== PATH) return refuse(response, 404, `there is nothing here; MCP is at ${PATH}`);
    const id = request.headers['mcp-session-id'];
    if (id === undefined) return this.begin(request, response);
    const session = this.open.get(String(id));
    if (!session) return refuse(response, 404, 'there is no such session');
    this.open.delete(String(id));
    this.open.set(String(id), session);
    await session.transport.handleRequest(request, response);
  }

  async close(): Promise<void> {
    await Promise.all([...this.open.values()].map(({ server }) => server.close()));
  }

  /** The transport answers what is no proper beginning by itself; nothing is kept of it. */
  private async begin(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const id = randomUUID();
    const server = serverOf(this.hosts, `mcp-${id}`);
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      onsessioninitialized: () => this.keep(id, { server, transport }),
    });
    const { onclose } = server;
    server.onclose = () => {
      this.open.delete(id);
      onclose?.();
    };
    await server.connect(transport as Transport);
    await transport.handleRequest(request, response);
    if (!this.open.has(id)) await server.close();
  }

  private keep(id: string, session: Session): void {
    const [oldest] = this.open.values();
    if (this.open.size >= MOST_SESSIONS) void oldest?.server.close();
    this.open.set(id, session);
  }

  /** A page of another site that a browser shows may not speak to it, by whatever name it calls this machine. */
  private isFromHere({ headers: { host, origin } }: IncomingMessage): boolean {
    const isOwn = (name: string): boolean => this.hostNames.includes(name.toLowerCase());
    return host !== undefined && isOwn(host) && (origin === undefined || isOwn(origin.replace(/^http:\/\//i, '')));
  }
}

function refuse(response: ServerResponse, status: number, message: string): void {
  if (response.headersSent) return void response.end();
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32000, message }, id: null }));
}

const portError = (error: NodeJS.ErrnoException, port: number): Error =>
  error.code === 'EADDRINUSE' || error.code === 'EACCES'
    ? new UserError(
        'config',
        `port ${port} ${error.code === 'EACCES' ? 'may not be used by you' : 'is taken'}`,
        'Give another --port, or leave it out, and a free one is taken.',
      )
    : error;

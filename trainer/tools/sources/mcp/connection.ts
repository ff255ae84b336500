/** One session with a server: opened, its tools listed and called. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { CallToolResult, JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { boundedEvents } from './boundedEvents';
import type { McpServer } from './config';
import { lossOf, startError } from './failures';
import { openRolloutFolder } from './rolloutFolder';
import { MOST_BYTES, StdioTransport } from './stdioTransport';

/** From the start of a process to its list of tools; npx may fetch the server first. */
const START_MS = 60_000;
/** A server that does not answer the end of its session is left alone. */
const END_MS = 2000;
const MOST_PAGES = 100;
/** Of progress, logs and the like, since the last call began; a server that sends more is ended. */
const MOST_MESSAGES = 10_000;
/** Answers that came while the trainer computed are read in this time, before a call counts as late. */
const GRACE_MS = 1000;
/** The longest that a timer takes: the limit is ours. */
const NO_LIMIT_MS = 2 ** 31 - 1;

/** Each tool is looked at by itself: one that is not right leaves the others. */
const ListedTools = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });

type ServerTransport = StdioTransport | StreamableHTTPClientTransport;

export interface Connection {
  /** Tools as the server writes them, unchecked. */
  list(): Promise<unknown[]>;
  /** @throws Error of the protocol, or of the time limit */
  call(
    name: string,
    args: Record<string, unknown>,
    limits: { timeoutMs: number; signal?: AbortSignal },
  ): Promise<CallToolResult>;
  /** Why it can't be used any more; undefined: it can. */
  readonly ended: string | undefined;
  /** False: an HTTP server that gives no sessions, so that all its clients share a world. */
  readonly hasSession: boolean;
  close(): Promise<void>;
}

export interface ConnectOptions {
  /** Ends the session while it is being opened. */
  signal?: AbortSignal;
  /** The server said that its tools are others; many times in a row count as once. */
  onListChanged?(connection: Connection): void;
  /** Default: a minute. */
  startMs?: number;
}

/** @throws UserError where the server can't be reached, wants a login or speaks another protocol */
export async function connect(server: McpServer, options: ConnectOptions = {}): Promise<Connection> {
  let ended: string | undefined;
  /** From our side. */
  const end = (why: string): void => {
    ended ??= why;
    void transport.close();
  };
  const folder = server.folder && openRolloutFolder(server.folder.from);
  const reach = folder && server.reach.kind === 'stdio' ? folder.into(server.reach) : server.reach;
  const transport = transportTo(reach, () => end(`it wrote a message of over ${MOST_BYTES >> 20} MB`));
  const listChanged = { autoRefresh: false, onChanged: () => options.onListChanged?.(connection) };
  const client = new Client({ name: 'agent-coach', version: '1' }, { listChanged: { tools: listChanged } });
  await opened(client, transport, options).catch(async (error: unknown) => {
    const process = transport instanceof StdioTransport ? transport : undefined;
    const failed = startError(server, error, process); // made before closing says that we ended it
    await endSession(transport);
    await transport.close().catch(() => undefined);
    folder?.remove();
    throw failed;
  });
  const isHttp = transport instanceof StreamableHTTPClientTransport;
  if (isHttp) client.onclose = () => (ended ??= 'its connection was closed');
  const messages = countMessages(transport, () => end(`it sent over ${MOST_MESSAGES} messages in a call`));
  const connection: Connection = {
    list: () => listAll(client),
    async call(name, args, limits) {
      messages.begin();
      try {
        if (!folder) return await callInTime(client, { name, arguments: args }, limits);
        return folder.outOf(await callInTime(client, { name, arguments: folder.into(args) }, limits));
      } catch (error) {
        if (folder && error instanceof Error) error.message = folder.outOf(error.message);
        if (isHttp) ended ??= lossOf(error);
        throw error;
      }
    },
    get ended() {
      return ended ?? (isHttp ? undefined : transport.ended);
    },
    hasSession: !isHttp || transport.sessionId !== undefined,
    async close() {
      if (ended === undefined) await endSession(transport);
      await client.close().catch(() => undefined);
      folder?.remove();
    },
  };
  return connection;
}

/** @throws Error at once where the signal stops it */
async function opened(
  client: Client,
  transport: ServerTransport,
  { signal, startMs = START_MS }: ConnectOptions,
): Promise<void> {
  let stop = (): void => undefined;
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(new Error('its opening was stopped'));
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop, { once: true });
  });
  try {
    await Promise.race([client.connect(transport as Transport, { timeout: startMs }), stopped]);
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

/** Tells a server that is reached by HTTP that its session is over, if one had begun. */
async function endSession(transport: ServerTransport): Promise<void> {
  if (transport instanceof StdioTransport || transport.sessionId === undefined) return;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => (timer = setTimeout(resolve, END_MS)));
  await Promise.race([transport.terminateSession().catch(() => undefined), late]);
  clearTimeout(timer);
}

/** @throws McpError with the code of a timeout where the limit has passed or the call was cancelled */
async function callInTime(
  client: Client,
  call: { name: string; arguments: Record<string, unknown> },
  { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal },
): Promise<CallToolResult> {
  const late = new AbortController();
  let timer = setTimeout(
    () => (timer = setTimeout(() => late.abort('the time limit has passed'), GRACE_MS)),
    timeoutMs,
  );
  try {
    return (await client.callTool(call, undefined, {
      timeout: NO_LIMIT_MS,
      signal: signal ? AbortSignal.any([signal, late.signal]) : late.signal,
    })) as CallToolResult;
  } finally {
    clearTimeout(timer);
  }
}

function transportTo(reach: McpServer['reach'], onOverlong: () => void): ServerTransport {
  if (reach.kind === 'stdio') return new StdioTransport(reach);
  return new StreamableHTTPClientTransport(reach.url, {
    requestInit: { headers: reach.headers },
    fetch: boundedEvents(MOST_BYTES, onOverlong),
  });
}

/** Calls `flooded` instead of handing on what comes beyond the limit. */
function countMessages(transport: ServerTransport, flooded: () => void): { begin(): void } {
  let count = 0;
  const handOn = transport.onmessage;
  transport.onmessage = (message: JSONRPCMessage) => {
    if (++count > MOST_MESSAGES) return flooded();
    handOn?.(message);
  };
  return { begin: () => void (count = 0) };
}

async function listAll(client: Client): Promise<unknown[]> {
  if (!client.getServerCapabilities()?.tools) return [];
  const tools: unknown[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const listed = await client.request({ method: 'tools/list', params }, ListedTools, { timeout: START_MS });
    tools.push(...listed.tools);
    cursor = listed.nextCursor;
    if (cursor === undefined) return tools;
  }
  throw new Error(`its list of tools has no end: ${MOST_PAGES} pages were read`);
}

/** One session with a server: opened, its tools listed and called. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ToolListChangedNotificationSchema, type CallToolResult, type Tool } from '@modelcontextprotocol/sdk/types.js';
import { UserError } from '../../../protocol/result';
import type { McpServer } from './config';
import { StdioTransport } from './stdioTransport';

/** From the start of a process to its list of tools; npx may fetch the server first. */
const START_MS = 60_000;
const MOST_PAGES = 100;
/** Answers that came while the trainer computed are read in this time, before a call counts as late. */
const GRACE_MS = 1000;
/** The longest that a timer takes: the limit is ours. */
const NO_LIMIT_MS = 2 ** 31 - 1;

export interface Connection {
  list(): Promise<Tool[]>;
  /** @throws Error of the protocol, or of the time limit */
  call(
    name: string,
    args: Record<string, unknown>,
    limits: { timeoutMs: number; signal?: AbortSignal },
  ): Promise<CallToolResult>;
  onListChanged(changed: () => void): void;
  /** Why it can't be used any more; undefined: it can. */
  readonly ended: string | undefined;
  close(): Promise<void>;
}

/** @throws UserError where the server can't be reached, wants a login or speaks another protocol */
export async function connect(server: McpServer): Promise<Connection> {
  const client = new Client({ name: 'agent-coach', version: '1' });
  const transport = transportTo(server);
  let closed: string | undefined;
  client.onclose = () => (closed ??= 'its connection was closed');
  try {
    await client.connect(transport as Transport, { timeout: START_MS });
  } catch (error) {
    const failed = startError(server, error, transport); // before closing says that we ended it
    await transport.close().catch(() => undefined);
    throw failed;
  }
  return {
    list: () => listAll(client),
    call: (name, args, limits) => callInTime(client, { name, arguments: args }, limits),
    onListChanged: (changed) => client.setNotificationHandler(ToolListChangedNotificationSchema, changed),
    get ended() {
      return transport instanceof StdioTransport ? transport.ended : closed;
    },
    async close() {
      if (transport instanceof StreamableHTTPClientTransport) await transport.terminateSession().catch(() => undefined);
      await client.close().catch(() => undefined);
    },
  };
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

function transportTo({ reach }: McpServer): StdioTransport | StreamableHTTPClientTransport {
  if (reach.kind === 'stdio') return new StdioTransport(reach);
  return new StreamableHTTPClientTransport(reach.url, { requestInit: { headers: reach.headers } });
}

async function listAll(client: Client): Promise<Tool[]> {
  const tools: Tool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const listed = await client.listTools(cursor === undefined ? {} : { cursor }, { timeout: START_MS });
    tools.push(...listed.tools);
    cursor = listed.nextCursor;
    if (cursor === undefined) return tools;
  }
  throw new Error(`its list of tools has no end: ${MOST_PAGES} pages were read`);
}

function startError(server: McpServer, error: unknown, transport: object): UserError {
  const { name, file, reach, secrets } = server;
  const message = error instanceof Error ? error.message : String(error);
  const said = transport instanceof StdioTransport ? transport.stderr.trim() : '';
  const ended = transport instanceof StdioTransport ? transport.ended : undefined;
  const place = `${file}: the MCP server ${name}`;
  if (/\b401\b|\b403\b|unauthori[sz]ed/i.test(message))
    return new UserError(
      'tool',
      `${place} wants a login`,
      'Give it a token in "headers", by ${input:id} or ${env:NAME}.',
    );
  if (/protocol version/i.test(message))
    return new UserError(
      'tool',
      `${place} speaks another protocol version: ${message}`,
      'Update the server, or Coach.',
    );
  const what =
    reach.kind === 'stdio' ? `could not be started (${reach.command})` : `could not be reached (${reach.url.origin})`;
  const why = [ended ?? message, said].filter(Boolean).join('; it said: ');
  return new UserError(
    'tool',
    withoutSecrets(`${place} ${what}: ${why}`, secrets),
    'Check its command, address and environment.',
  );
}

export const withoutSecrets = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((safe, secret) => safe.replaceAll(secret, '[secret]'), text);

/** What went wrong with a server, in one message. */
import { existsSync } from 'node:fs';
import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { UserError } from '../../../protocol/result';
import type { McpServer } from './config';
import { CLOSED, type StdioTransport } from './stdioTransport';

/** Of what a server said, so much is shown. */
const SAID_CHARACTERS = 300;

/** Why a session could not be opened. @param process of a stdio server */
export function startError(server: McpServer, error: unknown, process?: StdioTransport): UserError {
  const { name, file, reach, secrets } = server;
  const message = messageOf(error);
  const fail = (what: string, hint: string): UserError =>
    new UserError('tool', withoutSecrets(`${file}: the MCP server ${name} ${what}`, secrets), hint);
  if (/protocol version/i.test(message))
    return fail(`speaks another version of the protocol: ${message}`, 'Update the server, or Coach.');
  if (reach.kind === 'stdio') {
    const said = process?.stderr.trim() ?? '';
    return fail(
      `could not be started (${reach.command}): ${processWords(error, reach, process)}${said && `; it said: ${said}`}`,
      'Check its command, arguments and environment.',
    );
  }
  const status = error instanceof StreamableHTTPError ? error.code : undefined;
  if (status === 401 || status === 403)
    return fail(
      `wants a login (HTTP ${status})`,
      'Give it a token: "headers": {"Authorization": "Bearer ${input:ID}"}, or ${env:NAME} in its place.',
    );
  return status === undefined
    ? fail(`could not be reached (${reach.url.origin}): ${answerWords(error)}`, 'Start it, or correct its url.')
    : fail(
        `does not speak MCP (${reach.url.origin}${reach.url.pathname}): ${answerWords(error)}`,
        'Correct its url: it has to be the one for streamable HTTP, which often ends in /mcp.',
      );
}

function processWords(
  error: unknown,
  { cwd }: Extract<McpServer['reach'], { kind: 'stdio' }>,
  process: StdioTransport | undefined,
): string {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
    return existsSync(cwd) ? 'there is no such program' : `there is no folder ${cwd}, its cwd`;
  if (isLate(error)) return 'it runs, and does not answer';
  return process?.ended === undefined || process.ended === CLOSED ? messageOf(error) : process.ended;
}

function answerWords(error: unknown): string {
  if (isLate(error)) return 'it does not answer';
  if (!(error instanceof StreamableHTTPError)) return lossOf(error) ?? messageOf(error);
  const said = error.message.replace(/^Streamable HTTP error: (Error POSTing to endpoint: )?/, '');
  const status = error.code !== undefined && error.code > 0 ? `HTTP ${error.code}` : '';
  return [status, said.slice(0, SAID_CHARACTERS)].filter(Boolean).join(', ');
}

/** Where a server that is reached by HTTP is gone, or has forgotten the session, why; undefined: it is there. */
export function lossOf(error: unknown): string | undefined {
  if (error instanceof StreamableHTTPError)
    return error.code === 404 ? 'it does not know the session any more (HTTP 404)' : undefined;
  const { cause } = error instanceof Error ? error : {};
  return cause instanceof Error && 'code' in cause ? `nothing answers there (${String(cause.code)})` : undefined;
}

export const isLate = (error: unknown): boolean => error instanceof McpError && error.code === ErrorCode.RequestTimeout;

/** Not the SDK's validator's own words, which are pages of JSON. */
export function messageOf(error: unknown): string {
  if (error instanceof Error && 'issues' in error) return 'its answer is none of the protocol';
  return error instanceof Error ? error.message : String(error);
}

export const withoutSecrets = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((safe, secret) => safe.replaceAll(secret, '[secret]'), text);

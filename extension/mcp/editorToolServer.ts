/**
 * Lends the editor's own tools to a trainer: an MCP server over streamable HTTP without sessions, as long as the window
 * is open. Free of `vscode`.
 */
import { z } from 'zod';
import { HttpError, serveLocally, type LocalServer } from '../processes/localServer';

export interface EditorTool {
  name: string;
  description: string;
  /** JSON Schema of its arguments; absent: it takes none */
  inputSchema?: object | undefined;
}

/** What the editor has, of what the person chose. */
export interface ToolLender {
  tools(): EditorTool[];
  /** @throws what the tool threw */
  call(name: string, input: object, signal: AbortSignal): Promise<string>;
}

/** What a client asks for counts where we know it. */
const VERSIONS = ['2025-06-18', '2025-03-26'];
const UNKNOWN_METHOD = -32601;
const INVALID_PARAMS = -32602;

const Message = z.object({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string(),
  params: z.record(z.string(), z.unknown()).optional(),
});
const Call = z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()).default({}) });

/** @returns once it listens, at `/mcp` */
export function serveEditorTools(lender: ToolLender): Promise<LocalServer> {
  return serveLocally(async ({ path, json, signal }) => {
    if (path !== 'POST /mcp') throw new HttpError(path.endsWith(' /mcp') ? 405 : 404, `there is no ${path}`);
    const message = Message.safeParse(await json());
    if (!message.success) throw new HttpError(400, 'that is no message of the protocol');
    const { id, method, params = {} } = message.data;
    if (id === undefined) return { status: 202 }; // a notification
    return { body: { jsonrpc: '2.0', id, ...(await reply(method, params, lender, signal)) } };
  });
}

type Reply = { result: object } | { error: { code: number; message: string } };

async function reply(
  method: string,
  params: Record<string, unknown>,
  lender: ToolLender,
  signal: AbortSignal,
): Promise<Reply> {
  switch (method) {
    case 'initialize': {
      const wanted = String(params['protocolVersion']);
      const protocolVersion = VERSIONS.includes(wanted) ? wanted : VERSIONS[0];
      const serverInfo = { name: 'editor', version: '1' };
      return { result: { protocolVersion, capabilities: { tools: {} }, serverInfo } };
    }
    case 'ping':
      return { result: {} };
    case 'tools/list':
      return { result: { tools: lender.tools().map(listed) } };
    case 'tools/call':
      return call(params, lender, signal);
    default:
      return { error: { code: UNKNOWN_METHOD, message: `there is no method ${method}` } };
  }
}

/** The editor says of none whether it only reads, and they act on the user's own window: no name will do. */
const listed = ({ name, description, inputSchema }: EditorTool): object => ({
  name,
  description,
  inputSchema: { properties: {}, ...inputSchema, type: 'object' },
  annotations: { readOnlyHint: false },
});

/** What a tool threw is a result, too. */
async function call(params: unknown, lender: ToolLender, signal: AbortSignal): Promise<Reply> {
  const asked = Call.safeParse(params);
  const name = asked.data?.name;
  if (!asked.success || !lender.tools().some((tool) => tool.name === name))
    return { error: { code: INVALID_PARAMS, message: `${name ?? 'that'} is no tool that was lent` } };
  const content = (text: string): object[] => [{ type: 'text', text }];
  return lender.call(asked.data.name, asked.data.arguments, signal).then(
    (text) => ({ result: { content: content(text) } }),
    (error: Error) => ({ result: { content: content(error.message), isError: true } }),
  );
}

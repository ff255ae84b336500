/** What a model reads of an MCP tool's result: its structured content, else its texts; what is no text is named. */

interface Content {
  type?: unknown;
  text?: unknown;
  data?: unknown;
  mimeType?: unknown;
  uri?: unknown;
  resource?: { uri?: unknown; text?: unknown; mimeType?: unknown };
}

interface McpResult {
  content?: Content[];
  structuredContent?: unknown;
  isError?: boolean;
}

/** Whether it has MCP's form: texts, images and the like under `content`. */
export function isMcpResult(result: unknown): boolean {
  const { content } = (result ?? {}) as McpResult;
  return Array.isArray(content) && content.length > 0 && content.every((part) => typeof part?.type === 'string');
}

/** @throws Error with its text where the result says that it is an error */
export function valueOfMcpResult(result: unknown): unknown {
  if (typeof result !== 'object' || result === null) return result;
  const { content, structuredContent, isError } = result as McpResult;
  const text = Array.isArray(content) ? content.map(textOf).join('\n') : undefined;
  if (isError === true) throw new Error(text ?? 'the tool says that it failed');
  return structuredContent ?? text ?? result;
}

function textOf({ type, text, data, mimeType, uri, resource }: Content): string {
  if (type === 'text') return String(text);
  if (typeof resource?.text === 'string') return resource.text;
  const size = typeof data === 'string' ? `, ${data.length} characters of base64` : '';
  const where = uri ?? resource?.uri;
  return `[${String(type)}${mimeType === undefined ? '' : ` ${String(mimeType)}`}${where === undefined ? '' : ` ${String(where)}`}${size}]`;
}

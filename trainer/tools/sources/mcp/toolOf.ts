/** A server's tools as the policy sees them, and its results as text. */
import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js';
import { UserError } from '../../../protocol/result';
import type { JsonSchema, ToolSchema } from '../../../protocol/task';
import { resultText } from '../../hosts/inside/resultText';
import type { CallOutcome } from '../toolSource';
import type { McpServer } from './config';

/** Read-only ones run; what may change the world is mocked unless the user says otherwise. */
export function toolOf(
  { name, description, title, inputSchema, outputSchema, annotations }: Tool,
  server: string,
): ToolSchema {
  return {
    name,
    description: description ?? title ?? annotations?.title ?? name,
    parameters: { properties: {}, ...plain(inputSchema), type: 'object' },
    ...(outputSchema ? { returns: plain(outputSchema) } : {}),
    binding: { kind: 'mcp', server },
    changesWorld: annotations?.readOnlyHint !== true,
  };
}

/** Dialects differ in nothing that tools use; the validator knows one of them by name. */
function plain({ $schema: _, ...schema }: Record<string, unknown>): JsonSchema {
  return schema;
}

/** @throws UserError where two tools have one name */
export function checkNames(tools: readonly ToolSchema[], { name: server, file }: McpServer): void {
  const seen = new Set<string>();
  for (const { name } of tools) {
    if (seen.has(name))
      throw new UserError(
        'tool',
        `${file}: the MCP server ${server} has two tools named ${name}`,
        'Update the server.',
      );
    seen.add(name);
  }
}

/** Structured content goes before text; what a text model can't read is named. */
export function outcomeOf(result: CallToolResult, outputBytes: number): CallOutcome {
  const { content = [], structuredContent, isError } = result;
  const texts = content.map(blockText);
  const value = structuredContent ?? (texts.length === 1 ? jsonOr(texts[0]!) : texts);
  const { kind, content: text, isCut } = resultText(isError ? { error: texts.join('\n') } : value, outputBytes);
  return { kind: isError && kind === 'ok' ? 'threw' : kind, content: text, ...(isCut ? { isCut } : {}) };
}

type Block = CallToolResult['content'][number];

function blockText(block: Block): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[${block.type} ${block.mimeType}, ${Buffer.byteLength(block.data, 'base64')} bytes, not shown]`;
    case 'resource_link':
      return `[resource ${block.uri}, not shown]`;
    case 'resource': {
      const { resource } = block;
      return 'text' in resource ? resource.text : `[resource ${resource.uri}, not shown]`;
    }
  }
}

/** Results that are JSON text are not quoted once more. */
function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

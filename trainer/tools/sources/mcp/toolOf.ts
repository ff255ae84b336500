/** A server's tools as the policy sees them, and its results as text. */
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { UserError } from '../../../protocol/result';
import type { JsonSchema, ToolSchema } from '../../../protocol/task';
import { resultText } from '../../hosts/inside/resultText';
import { writtenSchema } from '../../schema/writtenSchema';
import type { CallOutcome } from '../toolSource';
import { notShown } from '../../../base/notShown';
import { worldHint } from '../../schema/worldHint';
import { surelyReads } from '../typescript/discovery/changesWorld';
import type { McpServer } from './config';
import type { Connection } from './connection';
import { messageOf } from './failures';

const Schema = z.record(z.string(), z.unknown());

/** What is read of a tool; servers that leave out what they should say are taken as they are. */
const ListedTool = z.object({
  name: z.string().min(1),
  title: z.string().optional(),
  description: z.string().optional(),
  inputSchema: Schema.optional(),
  outputSchema: Schema.optional(),
  annotations: z
    .object({
      title: z.string().nullish(),
      readOnlyHint: z.boolean().nullish(),
      destructiveHint: z.boolean().nullish(),
    })
    .nullish(),
  execution: z.object({ taskSupport: z.string().optional() }).optional(),
});
type ListedTool = z.infer<typeof ListedTool>;

export interface ServerTools {
  tools: ToolSchema[];
  /** What was left out, and what had to be guessed. */
  problems: { tool: string; severity: 'error' | 'warning'; message: string }[];
}

/**
 * Those that are used: without the one that resets, and of `coach.tools` where it names some.
 * @throws UserError where two tools have one name
 */
export async function listTools(connection: Connection, server: McpServer): Promise<ServerTools> {
  const found: ServerTools = { tools: [], problems: [] };
  const reset = typeof server.reset === 'object' ? server.reset.tool : undefined;
  for (const listed of await connection.list()) {
    const read = ListedTool.safeParse(listed);
    const name = read.data?.name ?? nameIn(listed);
    if (name === reset || server.only?.includes(name) === false) continue;
    const problem = (severity: 'error' | 'warning', message: string): void =>
      void found.problems.push({ tool: name, severity, message });
    if (!read.success) {
      const [{ path, message }] = read.error.issues as [z.core.$ZodIssue];
      problem('error', `it is not described as the protocol asks: ${path.join('.')}: ${message}`);
    } else if (read.data.execution?.taskSupport === 'required') {
      problem('error', 'it runs only as a task of the protocol, which Coach does not speak');
    } else {
      if (read.data.inputSchema === undefined) problem('warning', 'it has no schema: it is called without arguments');
      try {
        found.tools.push(toolOf(read.data, server));
      } catch (error) {
        problem('error', messageOf(error));
      }
    }
  }
  checkNames(found.tools, server);
  return found;
}

const nameIn = (listed: unknown): string => {
  const name = (listed as { name?: unknown } | null)?.name;
  return typeof name === 'string' ? name : 'a tool without a name';
};

/**
 * Those that only read run: the server says so or, where it says nothing, a plain name does. What may change the world
 * is mocked unless the user says otherwise.
 * @throws Error in words where its schema can't be used
 */
export function toolOf(
  { name, description, title, inputSchema = {}, outputSchema, annotations }: ListedTool,
  { name: server, examples = {} }: Pick<McpServer, 'name' | 'examples'>,
): ToolSchema {
  const ownExamples = Object.hasOwn(examples, name) ? examples[name]! : [];
  const hint = worldHint(annotations ?? {});
  const readsByName = hint === undefined && surelyReads(name, description ?? '');
  return {
    name,
    description: description ?? title ?? annotations?.title ?? name,
    parameters: { properties: {}, ...writtenSchema(name, inputSchema) },
    ...(outputSchema ? { returns: plain(outputSchema) } : {}),
    ...(ownExamples.length > 0 ? { examples: ownExamples.map((args) => JSON.stringify(args)) } : {}),
    binding: { kind: 'mcp', server, ...(readsByName ? { readsByName } : {}) },
    changesWorld: hint ?? !readsByName,
  };
}

/** Dialects differ in nothing that results use. */
function plain({ $schema: _, ...schema }: Record<string, unknown>): JsonSchema {
  return schema;
}

function checkNames(tools: readonly ToolSchema[], { name: server, file }: McpServer): void {
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
  const said = texts.length === 1 ? jsonOr(texts[0]!) : texts;
  const value = isError ? { error: said } : (structuredContent ?? said);
  const { kind, content: text, isCut } = resultText(value, outputBytes);
  return { kind: isError && kind === 'ok' ? 'threw' : kind, content: text, ...(isCut ? { isCut } : {}) };
}

type Block = CallToolResult['content'][number];

function blockText(block: Block): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return notShown(`${block.type} ${block.mimeType}, ${Buffer.byteLength(block.data, 'base64')} bytes`);
    case 'resource_link':
      return notShown(`resource ${block.uri}`);
    case 'resource': {
      const { resource } = block;
      return 'text' in resource ? resource.text : notShown(`resource ${resource.uri}`);
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

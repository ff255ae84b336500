/** Calls a defined tool as its library does: arguments through its schema, then what runs it, then its plain result. */
import type { DefinedBinding } from '../../../../protocol/task';
import { definitionOf, functionOf, type DefinedIn } from './definition';
import { parsedBy, schemaOf } from './inputSchema';
import { isMcpResult, valueOfMcpResult } from './mcpResult';

/** @throws what the tool throws, and Error where its schema refuses the arguments */
export async function runDefined(
  args: Record<string, unknown>,
  binding: DefinedBinding,
  { signal, ...place }: DefinedIn & { signal: AbortSignal },
): Promise<unknown> {
  const value = await definitionOf(binding, place);
  const found = functionOf(binding, value, place);
  if (!found) throw new Error('the definition has no function that answers');
  const call = (...given: unknown[]): unknown => Reflect.apply(found.call, found.self, given);
  switch (binding.library) {
    case 'ai': {
      const parsed = await parsedBy(schemaOf(binding, value), args);
      return lastOf(await call(parsed, { toolCallId: 'call', messages: [], abortSignal: signal }));
    }
    case 'openai-agents': // parses by itself
      return call(runContext(place), JSON.stringify(args), { signal });
    case 'langchain': // parses by itself
      return call(args, { signal });
    case 'mcp': {
      const schema = schemaOf(binding, value);
      const request = { id: 0, signal, log: nothing, notify: nothing, send: noClient, requestState: () => undefined };
      const extra = { signal, requestId: 0, sendNotification: nothing, sendRequest: noClient, mcpReq: request };
      const result = await (schema === undefined ? call(extra) : call(await parsedBy(schema, args), extra));
      return isMcpResult(result) || !binding.handler ? valueOfMcpResult(result) : result;
    }
    case 'own': {
      const parsed = await parsedBy(schemaOf(binding, value), args, place);
      const given = binding.wraps === undefined ? parsed : { [binding.wraps]: parsed };
      const result = await call(given, { signal, abortSignal: signal });
      return isMcpResult(result) ? valueOfMcpResult(result) : result;
    }
    case 'openai':
    case 'anthropic':
    case 'gemini':
    case 'bedrock':
      return call(args);
  }
}

const nothing = async (): Promise<void> => undefined;

async function noClient(): Promise<never> {
  throw new Error('there is no MCP client here that could answer');
}

/** What the Agents SDK gives to tools; without its package a plain one. */
function runContext({ file, loader }: DefinedIn): unknown {
  for (const name of ['@openai/agents', '@openai/agents-core', '@openai/agents-realtime']) {
    try {
      const { RunContext } = loader.packageOf(name, file) as { RunContext?: new () => object };
      if (RunContext) return new RunContext();
    } catch {
      // The tool comes from another of them.
    }
  }
  return { context: {} };
}

/** A generator shows what it has so far; the last one counts, as in the AI SDK. */
async function lastOf(value: unknown): Promise<unknown> {
  const isIterable =
    typeof value === 'object' &&
    value !== null &&
    typeof (value as AsyncIterable<unknown>)[Symbol.asyncIterator] === 'function';
  if (!isIterable) return value;
  let last: unknown;
  for await (const each of value as AsyncIterable<unknown>) last = each;
  return last;
}

/** What the tools that a file defines say of themselves, read off the objects once the file has run. */
import type { DefinedBinding } from '../../../../protocol/task';
import type { DescribeBinding, ToolDescription } from '../hostMessages';
import { messageOf } from '../resultText';
import { definitionOf, functionOf, type DefinedIn } from './definition';
import { jsonSchemaOf, schemaOf } from './inputSchema';
import { worldHint } from '../../../schema/worldHint';
import { schemaRemarks } from './schemaRemarks';

type Json = Record<string, unknown>;

/** One for each tool, in order; what goes wrong with one is its `problem`. */
export function describeTools(tools: DescribeBinding['tools'], place: DefinedIn): Promise<ToolDescription[]> {
  return Promise.all(
    tools.map(({ binding }) =>
      describe(binding, place).catch((error: unknown) => ({
        remarks: [],
        problem: messageOf(error).replace(/^Error: /, ''),
        isMockOnly: false,
      })),
    ),
  );
}

async function describe(binding: DefinedBinding, place: DefinedIn): Promise<ToolDescription> {
  const value = await definitionOf(binding, place);
  const schema = schemaOf(binding, value);
  const says = binding.library === 'openai' ? ((value['function'] as Json | undefined) ?? value) : value;
  const returns = binding.library === 'mcp' ? value['outputSchema'] : undefined;
  const changesWorld = worldHint(value['annotations'] ?? {});
  return {
    ...(typeof says['description'] === 'string' ? { description: says['description'] } : {}),
    parameters: asJson(await jsonSchemaOf(schema, place)),
    ...(returns ? { returns: asJson(await jsonSchemaOf(returns, place)) } : {}),
    remarks: schemaRemarks(schema),
    isMockOnly: functionOf(binding, value, place) === undefined,
    ...(changesWorld === undefined ? {} : { changesWorld }),
  };
}

/** @throws Error for a schema that has no end when it is written */
function asJson(schema: Json): Json {
  try {
    return JSON.parse(JSON.stringify(schema, withoutLimits)) as Json;
  } catch (error) {
    if (!/circular/i.test(messageOf(error))) throw error;
    throw new Error('its schema holds itself, and not by a $ref, so it can\u2019t be written as JSON');
  }
}

/** zod writes the limits of a double's whole numbers to each integer: they say nothing. */
const withoutLimits = (key: string, value: unknown): unknown =>
  (key === 'minimum' && value === Number.MIN_SAFE_INTEGER) || (key === 'maximum' && value === Number.MAX_SAFE_INTEGER)
    ? undefined
    : value;

/** What a definition said of itself -> the tool's schema, and what is wrong with it. */
import type { DefinedTool, Diagnostic, JsonSchema } from '../../../protocol/task';
import type { ToolDescription } from '../../hosts/inside/hostMessages';
import { writtenSchema } from '../../schema/writtenSchema';
import { changesWorld } from '../typescript/discovery/changesWorld';

/** @returns no tool where it can't be used */
export function withDescription(
  tool: DefinedTool,
  said: ToolDescription,
): { tool: DefinedTool | null; diagnostics: Diagnostic[] } {
  const broken = (message: string) => ({ tool: null, diagnostics: [atTool(tool, message, 'error')] });
  if (said.problem !== undefined) return broken(said.problem);
  let parameters: JsonSchema;
  try {
    parameters = writtenSchema(tool.name, said.parameters);
  } catch (error) {
    return broken((error as Error).message);
  }
  const description = (said.description ?? tool.description).trim();
  const byWords =
    tool.changesWorld || (description !== tool.description && changesWorld(tool.name, description, undefined));
  return {
    tool: {
      ...tool,
      description,
      parameters,
      ...(said.returns ? { returns: said.returns } : {}),
      binding: { ...tool.binding, ...(said.isMockOnly ? { isMockOnly: true } : {}) },
      changesWorld: said.changesWorld ?? byWords,
    },
    diagnostics: warningsOf(tool, said, description, parameters),
  };
}

function warningsOf(
  tool: DefinedTool,
  said: ToolDescription,
  description: string,
  parameters: JsonSchema,
): Diagnostic[] {
  const isNewlyMocked = said.isMockOnly && !tool.binding.isMockOnly;
  const messages = [
    ...(description === '' ? ['no description; the model chooses a tool by it'] : []),
    ...(isNewlyMocked ? ['no function answers it, so its results are always mocked'] : []),
    ...said.remarks,
  ];
  const properties = Object.entries((parameters['properties'] ?? {}) as Record<string, { description?: unknown }>);
  const undescribed = properties.filter(([, schema]) => typeof schema.description !== 'string');
  return [
    ...messages.map((message) => atTool(tool, message, 'warning')),
    ...undescribed.map(([name]): Diagnostic => {
      const message = `${tool.name}.${name}: no description`;
      return { ...tool.source, severity: 'warning', message };
    }),
  ];
}

/** At the tool's place, with its name before it. */
export const atTool = (
  { name, source }: DefinedTool,
  message: string,
  severity: Diagnostic['severity'],
): Diagnostic => ({
  ...source,
  severity,
  message: `${name}: ${message}`,
});

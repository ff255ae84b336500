/**
 * A tool's text as the policy reads it, made shorter. What may be called, and how, stays: names, types, enums and
 * bounds are not touched.
 */
import type { Budget, Shortening } from '../../protocol/budget';
import type { ToolSchema } from '../../protocol/task';

type Schema = Record<string, unknown>;

/** What is left out first comes first. */
export const SHORTENINGS: readonly Shortening[] = ['examples', 'parameters', 'sentences'];

/** @returns the tool itself where there is nothing to leave out */
export function shorten(tool: ToolSchema, how: Shortening): ToolSchema {
  const shorter = shortened(tool, how);
  return JSON.stringify(shorter) === JSON.stringify(tool) ? tool : shorter;
}

function shortened(tool: ToolSchema, how: Shortening): ToolSchema {
  switch (how) {
    case 'examples':
      return { ...tool, parameters: without(tool.parameters, 'examples') };
    case 'parameters':
      return { ...tool, parameters: without(tool.parameters, 'description') };
    case 'sentences':
      return { ...tool, description: firstSentence(tool.description) };
  }
}

/** The tools of a run as its policy saw them. @param left what was left out, by tool: a budget's `shortened` */
export function shortenAs(tools: readonly ToolSchema[], left: Budget['shortened']): ToolSchema[] {
  return tools.map((tool) => (left[tool.name] ?? []).reduce(shorten, tool));
}

/** Up to the first full stop that ends a sentence. */
function firstSentence(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return /^.*?[.!?](?= [\p{Lu}\d"'(`])/u.exec(line)?.[0] ?? line;
}

/** A schema without one of its annotations, at any depth; a property of that name is none. */
function without(schema: Schema, keyword: string): Schema {
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]) => {
      if (key === keyword) return [];
      if (key === 'properties' || key === '$defs' || key === 'patternProperties')
        return [
          [key, Object.fromEntries(Object.entries(value as Schema).map(([name, of]) => [name, deeper(of, keyword)]))],
        ];
      return [
        [
          key,
          key === 'enum' || key === 'const' || key === 'default' || key === 'examples' ? value : deeper(value, keyword),
        ],
      ];
    }),
  );
}

function deeper(value: unknown, keyword: string): unknown {
  if (Array.isArray(value)) return value.map((item) => deeper(item, keyword));
  return typeof value === 'object' && value !== null ? without(value as Schema, keyword) : value;
}

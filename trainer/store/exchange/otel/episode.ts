/** What another agent did, as far as its log says: the common ground of the forms that are imported. */
import { z } from 'zod';
import type { Message } from '../../../protocol/trace';
import { parseJson } from '../../../base/json';

export interface ForeignEpisode {
  id: string;
  /** the agent's, or the service's; null: not said */
  model: string | null;
  temperature: number | null;
  messages: Message[];
  /** as the model saw them */
  tools: { name: string; description: string; parameters: Record<string, unknown> }[];
  /** ms since epoch; null: the log has no times */
  startedAt: number | null;
  durationMs: number | null;
  /** of each assistant message, in order; null: not said */
  sampleMs: (number | null)[];
  /** by call id, where a span says more than the message */
  calls: Map<string, { startedAt: number; durationMs: number; error: string | null }>;
}

const Tool = z.object({
  name: z.string(),
  description: z.string().nullish(),
  parameters: z.record(z.string(), z.unknown()).nullish(),
});

/**
 * OpenAI's `{type: "function", function: {…}}`, its flat form, or JSON text of a list of them. What is no tool is left
 * out.
 */
export function toolsFrom(given: unknown): ForeignEpisode['tools'] {
  const list: unknown = typeof given === 'string' ? parsed(given) : given;
  if (!Array.isArray(list)) return [];
  return list.flatMap((each: unknown) => {
    const tool = Tool.safeParse((each as { function?: unknown } | null)?.function ?? each);
    return tool.success
      ? [
          {
            name: tool.data.name,
            description: tool.data.description ?? '',
            parameters: tool.data.parameters ?? { type: 'object', properties: {} },
          },
        ]
      : [];
  });
}

export function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** Arguments as an object: a JSON string is read; what is none is kept under `raw`, so that it can still be seen. */
export function argumentsFrom(given: unknown): Record<string, unknown> {
  const value =
    typeof given === 'string' ? (given.trim() === '' ? {} : (parsed(given) ?? { raw: given })) : (given ?? {});
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : { raw: value };
}

/** Text of anything: results may be objects. */
export const textFrom = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);

/** Messages and calls as OpenAI, TRL and others write them. */
import { parseJson } from '../base/json';
import { z } from 'zod';
import { isRecord } from '../protocol/arguments';

const Text = z
  .union([z.string(), z.null(), z.array(z.object({ type: z.string(), text: z.string().optional() }))])
  .transform((content) => (Array.isArray(content) ? content.map((part) => part.text ?? '').join('') : (content ?? '')));
/** An object, or the text of one, as OpenAI's servers send it. */
const Arguments = z
  .union([z.record(z.string(), z.unknown()), z.string()])
  .transform((value, context): Record<string, unknown> => {
    if (typeof value !== 'string') return value;
    try {
      const json: unknown = parseJson(value);
      if (isRecord(json)) return json;
    } catch {
      // said below
    }
    context.addIssue({ code: 'custom', message: 'arguments must be an object, or the JSON text of one' });
    return z.NEVER;
  });
export const AnyCall = z.union([
  z
    .object({ id: z.string().optional(), function: z.object({ name: z.string(), arguments: Arguments }) })
    .transform((call) => ({ id: call.id, ...call.function })),
  z.object({ id: z.string().optional(), name: z.string(), arguments: Arguments }),
  z
    .object({ id: z.string().optional(), name: z.string(), parameters: Arguments })
    .transform(({ parameters, ...call }) => ({ ...call, arguments: parameters })),
]);
export const AnyMessage = z.object({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
  content: Text.optional().transform((content) => content ?? ''),
  tool_calls: z.array(AnyCall).nullish(),
  tool_call_id: z.string().optional(),
  name: z.string().optional(),
});

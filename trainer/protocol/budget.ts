import { z } from 'zod';

/**
 * What of a tool's text was left out, in this order: the examples of its parameters, their descriptions, all but its
 * first sentence.
 */
export const Shortening = z.enum(['examples', 'parameters', 'sentences']);
export type Shortening = z.infer<typeof Shortening>;

/** How a run's limits came about; tokens unless said otherwise. */
export const Budget = z.object({
  /** what the model can hold */
  context: z.number().int(),
  /** the longest prompt: the tools, and the longest request */
  prompt: z.number().int(),
  /** what a turn may take: maxTurnTokens */
  turn: z.number().int(),
  /** what a result may take; a longer one is cut in its middle */
  result: z.number().int(),
  /** the longest result that was seen */
  longestResult: z.number().int(),
  /** calls in one episode that there is room for */
  calls: z.number().int(),
  /** the longest task, solved by its gold calls */
  task: z.number().int(),
  maxTokens: z.number().int(),
  /** the limits that were set by hand */
  set: z.array(z.enum(['maxTokens', 'maxTurnTokens', 'toolOutputBytes'])),
  /** by tool */
  shortened: z.record(z.string(), z.array(Shortening)),
});
export type Budget = z.infer<typeof Budget>;

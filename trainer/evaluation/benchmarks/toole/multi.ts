/** Requests that need two tools, made of requests that need one: ToolE's own are not everybody's to have. */
import { z } from 'zod';
import { Random } from '../../../base/random';

export const MultiLine = z.object({
  id: z.string(),
  query: z.string().min(1),
  answer: z.array(z.string()).length(2),
  candidates: z.array(z.string()).min(2),
});
export type MultiLine = z.infer<typeof MultiLine>;

export const QueryLine = z.object({
  query: z.string().min(1),
  tool: z.string(),
  /** one of a sample that has as many of each tool */
  balanced: z.boolean().optional(),
  /** subtasks that ask it, too */
  used_in: z.array(z.string()).optional(),
});
type QueryLine = z.infer<typeof QueryLine>;

/** Tools beside the two, as MetaTool has it. */
const OTHERS = 8;
/** Between the two requests. */
const JOINTS = ['Also, ', 'Besides, ', 'And then, ', ''];

/** Two requests of two tools, one behind the other; of a balanced sample, and none that another subtask asks. */
export function makeMulti(
  queries: readonly QueryLine[],
  tools: readonly string[],
  { count, seed }: { count: number; seed: number },
): MultiLine[] {
  const byTool = new Map<string, string[]>();
  for (const { query, tool, balanced = true, used_in = [] } of queries)
    if (balanced && used_in.length === 0 && tools.includes(tool))
      byTool.set(tool, [...(byTool.get(tool) ?? []), query.trim()]);
  const asked = [...byTool.keys()];
  if (asked.length < 2) return [];
  return Array.from({ length: count }, (_, i) => {
    const random = Random.fromSeed(seed).fork(`multi ${i}`);
    const answer = random.shuffle(asked).slice(0, 2);
    const [first, second] = answer.map((tool) => random.pick(byTool.get(tool)!)) as [string, string];
    const joint = random.pick(JOINTS);
    const others = random.shuffle(tools.filter((tool) => !answer.includes(tool))).slice(0, OTHERS);
    return {
      id: `toole-multi-made-${i + 1}`,
      query: `${ended(first)} ${joint}${joint === '' ? second : lowered(second)}`,
      answer,
      candidates: [...answer, ...others],
    };
  });
}

const ended = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
/** "Can you" -> "can you"; "I'd" and "USD" stay. */
const lowered = (text: string): string => text.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());

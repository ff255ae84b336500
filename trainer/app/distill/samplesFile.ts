/** samples.jsonl of a run folder: what a teacher did, a line an episode, as it came; a resume goes on behind it. */
import { join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../../base/json';
import { LineWriter, readLines, repairTail } from '../../base/jsonLines';
import { Message } from '../../protocol/trace';
import { REFUSALS, type Refusal } from '../../recipes/distill/outcome';

const Line = z.object({
  taskId: z.string(),
  prompt: z.string(),
  sample: z.number().int(),
  refusal: z.enum(Object.keys(REFUSALS) as [Refusal, ...Refusal[]]).nullable(),
  /** null: not learnt from */
  messages: z.array(Message).nullable(),
  /** how it looked on its way; absent where an earlier Coach asked */
  seen: z
    .object({
      passed: z.boolean(),
      length: z.number(),
      moments: z.array(z.object({ features: z.array(z.number()), length: z.number() })),
    })
    .optional(),
  /** of the whole run until then */
  spent: z.object({
    requests: z.number().int(),
    promptTokens: z.number().int(),
    completionTokens: z.number().int(),
    usd: z.number().nullable(),
  }),
});
export type SampleLine = z.infer<typeof Line>;

const lineOf = (text: string): SampleLine | null => {
  try {
    return Line.parse(parseJson(text));
  } catch {
    return null;
  }
};

/** @returns what is there, and where to append; a torn last line is cut off, and its episode asked for again */
export function openSamples(dir: string): { known: SampleLine[]; writer: LineWriter } {
  const path = join(dir, 'samples.jsonl');
  repairTail(path, (line) => lineOf(line) !== null);
  const known: SampleLine[] = [];
  for (let byte = 0; ; ) {
    const { lines, nextByte } = readLines(path, byte);
    if (nextByte === byte) break;
    known.push(...lines.flatMap((line) => lineOf(line) ?? []));
    byte = nextByte;
  }
  return { known, writer: LineWriter.open(path) };
}

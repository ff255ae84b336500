import { z } from 'zod';
import { eachOnce, weightedMean, type Criterion, type Form } from './criteria';
import { RUBRIC_SCHEMA, RUBRIC_SYSTEM, RUBRIC_VERSION, rubricUser } from './prompts/rubric';
import { firstIssue, InvalidReply, jsonOf } from '../../model/question';

export interface Mark {
  id: string;
  mark: number;
  reason: string;
}

const Reply = z.object({
  criteria: z.array(z.object({ id: z.string(), reason: z.string().default(''), mark: z.number().min(0).max(10) })),
});

/** @throws InvalidReply with what is wrong: every criterion once, no other, marks from 0 to 10 */
function parseRubric(text: string, ids: readonly string[]): Mark[] {
  const parsed = Reply.safeParse(jsonOf(text));
  if (!parsed.success)
    throw new InvalidReply(
      `the reply is not {"criteria": [{"id", "reason", "mark"}]} with marks from 0 to 10: ${firstIssue(parsed.error)}`,
    );
  return eachOnce(parsed.data.criteria, ids);
}

/** Weighted mean of the marks, in [0, 1]. */
function rubricScore(
  criteria: readonly Criterion[],
  marks: readonly Mark[],
): { score: number; parts: Record<string, number>; reason: string } {
  const byId = new Map(marks.map((mark) => [mark.id, mark]));
  const parts = Object.fromEntries(criteria.map(({ id }): [string, number] => [id, byId.get(id)!.mark / 10]));
  return {
    score: weightedMean(criteria, parts),
    parts,
    reason: criteria.map(({ id }) => `${id} ${byId.get(id)!.mark}: ${byId.get(id)!.reason}`).join('; '),
  };
}

export const RUBRIC: Form<Mark> = {
  name: 'rubric',
  version: RUBRIC_VERSION,
  system: RUBRIC_SYSTEM,
  user: rubricUser,
  schema: RUBRIC_SCHEMA,
  parse: parseRubric,
  score: rubricScore,
};

import { z } from 'zod';
import { eachOnce, weightedMean, type Criterion, type Form } from './criteria';
import { unframed } from './framed';
import { CHECKLIST_SCHEMA, CHECKLIST_SYSTEM, CHECKLIST_VERSION, checklistUser } from './prompts/checklist';
import { firstIssue, InvalidReply, jsonOf } from '../../model/question';

export interface CriterionVerdict {
  id: string;
  met: boolean;
  evidence: string;
}

const Reply = z.object({
  criteria: z.array(z.object({ id: z.string(), met: z.boolean(), evidence: z.string().default('') })),
});

/** @throws InvalidReply with what is wrong: every criterion once, no other */
export function parseChecklist(text: string, ids: readonly string[]): CriterionVerdict[] {
  const parsed = Reply.safeParse(jsonOf(text));
  if (!parsed.success)
    throw new InvalidReply(`the reply is not {"criteria": [{"id", "evidence", "met"}]}: ${firstIssue(parsed.error)}`);
  return eachOnce(parsed.data.criteria, ids);
}

/**
 * Weighted share of the criteria that are met and whose evidence occurs in what the judge read, in [0, 1]; a criterion
 * without evidence counts as not met.
 * Source: CM2, arXiv:2602.12268 (binary criteria with evidence pointers, one reward per trace).
 * @param read the attempt as the judge read it
 */
function checklistScore(
  criteria: readonly Criterion[],
  verdicts: readonly CriterionVerdict[],
  read: string,
): { score: number; parts: Record<string, number>; reason: string } {
  const text = plain(read);
  const parts = Object.fromEntries(
    criteria.map(({ id }): [string, number] => {
      const verdict = verdicts.find((candidate) => candidate.id === id);
      const evidence = plain(verdict?.evidence ?? '');
      return [id, Number(verdict?.met === true && evidence !== '' && text.includes(evidence))];
    }),
  );
  const unmet = criteria.filter(({ id }) => parts[id] === 0).map((criterion) => criterion.text);
  return {
    score: weightedMean(criteria, parts),
    parts,
    reason: unmet.length === 0 ? 'all criteria are met' : `not met: ${unmet.join('; ')}`,
  };
}

export const CHECKLIST: Form<CriterionVerdict> = {
  name: 'checklist',
  version: CHECKLIST_VERSION,
  system: CHECKLIST_SYSTEM,
  user: checklistUser,
  schema: CHECKLIST_SCHEMA,
  parse: parseChecklist,
  score: checklistScore,
};

/** White space and the quotes around a quote do not matter. */
const plain = (text: string): string =>
  unframed(text)
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^["'`“]+|["'`”]+$/g, '')
    .trim();

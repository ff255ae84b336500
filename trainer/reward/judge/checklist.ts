import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { UserError } from '../../protocol/result';
import { CHECKLIST_SCHEMA, CHECKLIST_SYSTEM, CHECKLIST_VERSION, checklistUser } from './prompts/checklist';
import { InvalidReply, jsonOf } from './replies';

/** `id` c1, c2, … in the file's order. */
export interface Criterion { id: string; text: string; weight: number }

export interface CriterionVerdict { id: string; met: boolean; evidence: string }

/** How an attempt is judged by criteria: what is asked, what a reply must be, what it comes to. */
export interface Form<V> {
  name: string;
  version: number;
  system: string;
  user(task: string, criteria: readonly Criterion[], attempt: string): string;
  schema: Record<string, unknown>;
  /** @throws InvalidReply */
  parse(text: string, ids: readonly string[]): V[];
  /** @param read the attempt as the judge read it */
  score(criteria: readonly Criterion[], verdicts: readonly V[], read: string): { score: number; parts: Record<string, number>; reason: string };
}

/**
 * The criteria of a file, one a line; `#` starts a comment, and a line may end in `*2` for its weight.
 * @throws UserError where there is none, or the file can't be read
 */
export function readCriteria(file: string): Criterion[] {
  if (file === '') throw new UserError('config', 'rewards: a checklist or a rubric needs its criteria', 'Give cm2:criteria=FILE or rubric:criteria=FILE with one criterion a line.');
  const path = resolve(file);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new UserError('config', `${path}: the criteria can't be read: ${(error as Error).message}`, 'Write one criterion a line.');
  }
  const lines = text.split(/\r?\n/).map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'));
  if (lines.length === 0) throw new UserError('config', `${path}: there is no criterion in it`, 'Write one criterion a line.');
  return lines.map((line, index) => {
    const [, words, weight] = /^(.*?)(?:\s*\*\s*(\d+(?:\.\d+)?))?$/.exec(line)!;
    return { id: `c${index + 1}`, text: words, weight: weight === undefined ? 1 : Number(weight) };
  });
}

const Reply = z.object({ criteria: z.array(z.object({ id: z.string(), met: z.boolean(), evidence: z.string().default('') })) });

/** @throws InvalidReply with what is wrong: every criterion once, no other */
export function parseChecklist(text: string, ids: readonly string[]): CriterionVerdict[] {
  const parsed = Reply.safeParse(jsonOf(text));
  if (!parsed.success) throw new InvalidReply(`the reply is not {"criteria": [{"id", "evidence", "met"}]}: ${parsed.error.issues[0].path.join('.')} ${parsed.error.issues[0].message}`);
  return eachOnce(parsed.data.criteria, ids);
}

/** @throws InvalidReply unless each id is there once, and no other */
export function eachOnce<V extends { id: string }>(verdicts: V[], ids: readonly string[]): V[] {
  const unknown = verdicts.find(({ id }) => !ids.includes(id));
  if (unknown) throw new InvalidReply(`there is no criterion ${unknown.id}`);
  const doubled = verdicts.find(({ id }, i) => verdicts.findIndex((other) => other.id === id) !== i);
  if (doubled) throw new InvalidReply(`criterion ${doubled.id} is there twice`);
  const missing = ids.filter((id) => !verdicts.some((verdict) => verdict.id === id));
  if (missing.length > 0) throw new InvalidReply(`criterion ${missing.join(', ')} is missing`);
  return verdicts;
}

/**
 * Weighted share of the criteria that are met and whose evidence occurs in what the judge read, in [0, 1]; a criterion without evidence counts as not met.
 * Source: CM2, arXiv:2602.12268 (binary criteria with evidence pointers, one reward per trace).
 * @param read the attempt as the judge read it
 */
export function checklistScore(criteria: readonly Criterion[], verdicts: readonly CriterionVerdict[], read: string): { score: number; parts: Record<string, number>; reason: string } {
  const text = plain(read);
  const parts = Object.fromEntries(criteria.map(({ id }): [string, number] => {
    const verdict = verdicts.find((candidate) => candidate.id === id);
    const evidence = plain(verdict?.evidence ?? '');
    return [id, Number(verdict?.met === true && evidence !== '' && text.includes(evidence))];
  }));
  const total = criteria.reduce((sum, { weight }) => sum + weight, 0);
  const unmet = criteria.filter(({ id }) => parts[id] === 0).map((criterion) => criterion.text);
  return { score: total === 0 ? 0 : criteria.reduce((sum, { id, weight }) => sum + weight * parts[id], 0) / total, parts, reason: unmet.length === 0 ? 'all criteria are met' : `not met: ${unmet.join('; ')}` };
}

export const CHECKLIST: Form<CriterionVerdict> = { name: 'checklist', version: CHECKLIST_VERSION, system: CHECKLIST_SYSTEM, user: checklistUser, schema: CHECKLIST_SCHEMA, parse: parseChecklist, score: checklistScore };

/** White space and the quotes around a quote do not matter. */
const plain = (text: string): string => text.replace(/\s+/g, ' ').trim().replace(/^["'`“]+|["'`”]+$/g, '').trim();

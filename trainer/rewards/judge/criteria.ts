/** What a checklist and a rubric share: their criteria, and what a reply to them must be. */

import { resolve } from 'node:path';
import { UserError } from '../../protocol/result';
import type { OptionSpec } from '../rule';
import { InvalidReply } from '../../model/question';
import { readTextFile } from '../../base/storage';

/** `id` c1, c2, … in the file's order. */
export interface Criterion {
  id: string;
  text: string;
  weight: number;
}

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
  score(
    criteria: readonly Criterion[],
    verdicts: readonly V[],
    read: string,
  ): { score: number; parts: Record<string, number>; reason: string };
}

/** The option of a reward whose criteria stand in a file. */
export const CRITERIA_FILE = {
  kind: 'text',
  default: '',
  description: 'file with one criterion a line; *2 at its end is a weight',
} as const satisfies OptionSpec;

/**
 * The criteria of a file, one a line; `#` starts a comment, and a line may end in `*2` for its weight.
 * @throws UserError where there is none, or the file can't be read
 */
export function readCriteria(file: string): Criterion[] {
  if (file === '')
    throw new UserError(
      'config',
      'rewards: a checklist or a rubric needs its criteria',
      'Give cm2:criteria=FILE or rubric:criteria=FILE with one criterion a line.',
    );
  const path = resolve(file);
  let text: string;
  try {
    text = readTextFile(path);
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(
      'config',
      `${path}: the criteria can't be read: ${(error as Error).message}`,
      'Write one criterion a line.',
    );
  }
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  if (lines.length === 0)
    throw new UserError('config', `${path}: there is no criterion in it`, 'Write one criterion a line.');
  return lines.map((line, index) => {
    const [, words = line, weight] = /^(.*?)(?:\s*\*\s*(\d+(?:\.\d+)?))?$/.exec(line)!;
    return { id: `c${index + 1}`, text: words, weight: weight === undefined ? 1 : Number(weight) };
  });
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

/** Of what each criterion got, by its weight; 0 where none weighs anything. */
export function weightedMean(criteria: readonly Criterion[], parts: Readonly<Record<string, number>>): number {
  const total = criteria.reduce((sum, { weight }) => sum + weight, 0);
  return total === 0 ? 0 : criteria.reduce((sum, { id, weight }) => sum + weight * (parts[id] ?? 0), 0) / total;
}

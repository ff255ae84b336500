/**
 * BFCL's AST check against bfcl-eval's own: its questions with right answers and with answers made wrong (bfcl.py),
 * and `coach score` on the same lines.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CATEGORIES } from '../../trainer/rewards/bfcl/categories';
import { CheckError } from '../../trainer/rewards/bfcl/checkValue';
import { readEntries } from '../../trainer/evaluation/benchmarks/bfcl/entries';
import { judgeLine, readBfclLine } from '../../trainer/rewards/bfcl/line';
import { runPython } from '../bench/venv';
import { coach } from '../app/cli/coach';
import type { Check } from './run';

/** The package alone: bfcl.py does without the vendors' SDKs that it asks for. */
export const BFCL = ['--no-deps', 'bfcl-eval==2026.3.23'];
/** Questions of each category. */
const ENTRIES = 40;

const UNREAD = 'ast_decoder:decoder_failed';
const WRONG_ANYWAY = /: (value: (bytes|imaginary|keys that are numbers)|text: stars)$/;

interface Theirs {
  what: string;
  underscores: boolean;
  valid: boolean | null;
  reason: string | null;
}

export async function checkBfcl(folder: string, python: string, check: Check): Promise<void> {
  const { data } = runPython<{ data: string }>(python, join(__dirname, 'bfcl.py'), [
    folder,
    process.env['COACH_BFCL_ENTRIES'] ?? `${ENTRIES}`,
  ]);
  const lines = readFileSync(join(folder, 'bfcl.jsonl'), 'utf8').trimEnd().split('\n');
  const theirs = readFileSync(join(folder, 'bfcl.verdicts.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Theirs);
  const ours = lines.map((line, i) => verdictOf(line, theirs[i].underscores));
  const differ = (isEqual: (i: number) => boolean) => theirs.flatMap((_, i) => (isEqual(i) ? [] : [i]));
  const verdicts = differ((i) => ours[i].valid === theirs[i].valid);
  // values that are wrong in any case (bytes, 2j, {1: 2}, **) we don't read at all, where they read them and find them
  // wrong
  const reasons = differ(
    (i) =>
      ours[i].reason === theirs[i].reason ||
      (ours[i].reason === UNREAD && theirs[i].valid === false && WRONG_ANYWAY.test(theirs[i].what)),
  );
  for (const i of new Set([...verdicts.slice(0, 20), ...reasons.slice(0, 20)]))
    console.log(
      `${theirs[i].what}: ours ${JSON.stringify(ours[i])}, theirs ${theirs[i].valid} ${theirs[i].reason}\n  ${lines[i].slice(lines[i].search(/"(calls|text)": /))}`,
    );
  const count = (valid: boolean | null) => theirs.filter((verdict) => verdict.valid === valid).length;
  check(
    `bfcl: ${lines.length - verdicts.length} of ${lines.length} verdicts equal bfcl-eval's (${count(true)} right, ${count(false)} wrong, ${count(null)} where it raises)`,
    verdicts.length === 0 && lines.length >= 100 && count(true) >= 100 && count(false) >= 100 && count(null) >= 10,
  );
  check(
    `bfcl: ${lines.length - reasons.length} of ${lines.length} for the same reason, but for values that are never right (${new Set(theirs.map((verdict) => verdict.reason)).size} reasons)`,
    reasons.length === 0,
  );
  const scored = await coach(folder, ['score', 'bfcl.jsonl', '--reward', 'bfcl-ast']);
  const scores = scored.stdout
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { rewards: Record<string, number | null> }).rewards['bfcl-ast']);
  const same = scores.filter(
    (score, i) => theirs[i].underscores || score === (theirs[i].valid === null ? null : Number(theirs[i].valid)),
  );
  check(
    `bfcl: coach score says the same of ${same.length} of ${lines.length} lines`,
    scored.code === 0 && same.length === lines.length,
  );
  const read = CATEGORIES.map((category) => readEntries(data, category, null).entries.length);
  check(
    `bfcl: all questions of ${CATEGORIES.length} categories can be read (${read.join(', ')})`,
    read.join() === '400,200,200,200,258,1053,16,24',
  );
}

function verdictOf(line: string, underscores: boolean): { valid: boolean | null; reason: string | null } {
  try {
    const finding = judgeLine(readBfclLine(line, 'bfcl.jsonl'), { underscores });
    return { valid: finding === null, reason: finding?.reason ?? null };
  } catch (error) {
    if (error instanceof CheckError) return { valid: null, reason: 'raises' };
    throw error;
  }
}

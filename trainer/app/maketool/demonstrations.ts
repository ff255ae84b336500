/** What a tool is to be made from: requests of people with their right answers. */
import { z } from 'zod';
import { parseJson } from '../../base/json';
import { readTextFile, systemError } from '../../base/storage';
import { UserError } from '../../protocol/result';

export interface Demonstration {
  request: string;
  /** as it must come out, trimmed */
  answer: string;
}

/** Which of them are told with their answers, which verify, and which are left to measure on. */
export interface Parts {
  shown: Demonstration[];
  /** the maker never reads their answers, and their requests only when its tool stands */
  verifying: Demonstration[];
  further: Demonstration[];
}

/** LATM's, arXiv:2305.17126, section 3.1: three to propose from, three to verify with. */
export const SHOWN = 3;
export const VERIFYING = 3;

const Line = z.strictObject({
  request: z.string().trim().min(1),
  answer: z.union([z.string().trim().min(1), z.number(), z.boolean()]).transform(String),
});
const EXAMPLE = 'A line looks like {"request":"Sort these words: pear fig","answer":"fig pear"}.';

/**
 * Reads demonstrations, one JSON object a line.
 * @throws UserError where a line is none, there are too few, two contradict each other, or all have one answer, which a
 * tool that always gives it would pass
 */
export function readDemonstrations(file: string): Demonstration[] {
  const lineOf = new Map<string, number>();
  const all = textOf(file)
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .flatMap((line, i) => {
      if (line.trim() === '') return [];
      const one = demonstrationOf(line, `${file}:${i + 1}`);
      const first = lineOf.get(one.request);
      if (first !== undefined)
        throw new UserError('task', `${file}:${i + 1}: the request stands on line ${first} already`, 'Leave one out.');
      lineOf.set(one.request, i + 1);
      return [one];
    });
  const least = SHOWN + VERIFYING;
  if (all.length < least)
    throw new UserError(
      'task',
      `${file}: a tool needs ${least} demonstrations, ${SHOWN} to be made from and ${VERIFYING} to be verified with; there are ${all.length}`,
      EXAMPLE,
    );
  if (all.every(({ answer }) => answer === all[0]!.answer))
    throw new UserError(
      'task',
      `${file}: all ${all.length} demonstrations have one answer, "${all[0]!.answer}": a tool that always gives it would pass`,
      'Add demonstrations with other answers.',
    );
  return all;
}

/** In the file's order, each part with two answers in it where that can be; what verifies goes first. */
export function divided(all: readonly Demonstration[]): Parts {
  const left = [...all];
  const verifying = taken(left.reverse(), VERIFYING);
  const shown = taken(left.reverse(), SHOWN);
  return { shown, verifying, further: left };
}

/** The first n, one of them with another answer than the first where there is one; they leave the list. */
function taken(left: Demonstration[], n: number): Demonstration[] {
  const other = left.find(({ answer }) => answer !== left[0]?.answer);
  const chosen = new Set(left.slice(0, other ? n - 1 : n));
  if (other) chosen.add(other);
  for (const one of left) if (chosen.size < n) chosen.add(one);
  const out = left.filter((one) => chosen.has(one));
  left.splice(0, left.length, ...left.filter((one) => !chosen.has(one)));
  return out;
}

function textOf(file: string): string {
  try {
    return readTextFile(file);
  } catch (error) {
    throw systemError(error) ?? error;
  }
}

function demonstrationOf(line: string, where: string): Demonstration {
  let json: unknown;
  try {
    json = parseJson(line);
  } catch (error) {
    throw new UserError('task', `${where}: is not JSON: ${(error as Error).message}`, EXAMPLE);
  }
  const parsed = Line.safeParse(json);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  throw new UserError(
    'task',
    `${where}: is no demonstration: ${issue.path.join('.')} ${issue.message}`.trim(),
    EXAMPLE,
  );
}

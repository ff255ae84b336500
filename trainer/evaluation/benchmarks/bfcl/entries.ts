/** BFCL's questions from the user's own copy of the PyPI package bfcl-eval; none of its data is shipped. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { UserError } from '../../../protocol/result';
import { PyError } from '../../../rewards/python';
import { benchmarkOf, CATEGORIES, type Category } from '../../../rewards/bfcl/categories';
import type { Question } from '../../../rewards/bfcl/checker';
import { readFunctions, readGroundTruth } from '../../../rewards/bfcl/line';
import { readValue, toPlain, type Dict } from '../../../rewards/bfcl/values';
import { readTextFile } from '../../../base/storage';

export interface Entry extends Question {
  id: string;
  category: Category;
  /** what the user says, with the system's words before it where there are some */
  prompt: string;
}

/** What was read of one category. `release` is in the file's name, e.g. BFCL_v4. */
export interface EntryFile {
  category: Category;
  release: string;
  entries: Entry[];
  total: number;
}

const INSTALL =
  'Install it (pip install bfcl-eval) and give its folder by --data FOLDER or COACH_BFCL_DATA: ' +
  'site-packages/bfcl_eval, or the data folder in it.';
const BROKEN = 'The file is broken: install bfcl-eval anew.';

/**
 * @param folder the package's, its data folder, or the one that the package lies in. @throws UserError where no BFCL
 * data is there
 */
export function bfclDataFolder(folder: string): string {
  if (!existsSync(folder))
    throw new UserError('storage', `${folder}: there is no such folder with BFCL's data`, INSTALL);
  const found = [folder, join(folder, 'data'), join(folder, 'bfcl_eval', 'data')].find((candidate) =>
    existsSync(join(candidate, 'possible_answer')),
  );
  if (found === undefined)
    throw new UserError('storage', `${folder}: holds no BFCL data (BFCL_v*.json beside possible_answer/)`, INSTALL);
  return found;
}

/**
 * The first questions of a category, in the file's order.
 * @param folder see bfclDataFolder; @param count null: all
 * @throws UserError where a file is missing, or a line is broken or has no answer
 */
export function readEntries(folder: string, category: Category, count: number | null): EntryFile {
  const { file, release } = findFile(folder, category);
  const questions = readLines(join(folder, file));
  const answersFile = join(folder, 'possible_answer', file);
  const answers = new Map(readLines(answersFile).map((line) => [line.value.get('id'), line] as const));
  const entries = questions.slice(0, count ?? questions.length).map(({ value, where, fail }): Entry => {
    const id = value.get('id');
    if (typeof id !== 'string') return fail(`id must be text, got ${JSON.stringify(toPlain(id ?? null))}`);
    const answer = answers.get(id);
    if (!answer) throw new UserError('storage', `${where}: ${id} has no answer in ${answersFile}`, BROKEN);
    return {
      id,
      category,
      prompt: promptOf(value, fail),
      functions: readFunctions(value.get('function'), fail),
      groundTruth: readGroundTruth(answer.value.get('ground_truth'), answer.fail),
    };
  });
  return { category, release, entries, total: questions.length };
}

function findFile(folder: string, category: Category): { file: string; release: string } {
  const endings = category === 'simple_python' ? ['simple_python', 'simple'] : [category];
  const files = readdirSync(folder).sort().reverse(); // the newest release first
  for (const ending of endings) {
    const file = files.find((name) => new RegExp(`^BFCL_v\\d+_${ending}\\.json$`).test(name));
    if (file !== undefined) return { file, release: /^BFCL_v\d+/.exec(file)![0] };
  }
  const there = CATEGORIES.filter((other) => files.some((name) => name.endsWith(`_${other}.json`))).map(benchmarkOf);
  throw new UserError(
    'storage',
    `${folder}: BFCL_v*_${category}.json is missing`,
    there.length > 0 ? `There are ${there.join(', ')}.` : INSTALL,
  );
}

interface Line {
  value: Dict;
  where: string;
  fail(what: string): never;
}

function readLines(file: string): Line[] {
  if (!existsSync(file)) throw new UserError('storage', `${file}: is missing`, BROKEN);
  return readTextFile(file)
    .split('\n')
    .flatMap((text, index) => {
      if (text.trim() === '') return [];
      const where = `${file}:${index + 1}`;
      const fail = (what: string): never => {
        throw new UserError('storage', `${where}: ${what}`, BROKEN);
      };
      try {
        const value = readValue(text);
        return value instanceof Map ? [{ value, where, fail }] : fail('must be an object');
      } catch (error) {
        if (error instanceof PyError) return fail(`is not JSON: ${error.message}`);
        throw error;
      }
    });
}

const Dialogue = z.array(z.array(z.object({ role: z.string(), content: z.string() })).min(1)).length(1);

/** One turn; a system's message goes before the user's, a blank line between, as BFCL does for models without one. */
function promptOf(entry: Dict, fail: Line['fail']): string {
  const parsed = Dialogue.safeParse(toPlain(entry.get('question') ?? null));
  if (!parsed.success) return fail('question must be one turn of messages with role and content');
  return parsed.data.flatMap((messages) => messages.map(({ content }) => content)).join('\n\n');
}

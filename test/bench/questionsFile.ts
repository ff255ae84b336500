/** What `toolQuestions` writes and `retrieval --questions` reads: lines of {name, questions}. */
import { readFileSync } from 'node:fs';

/** A tool's name -> its questions. */
export const readQuestions = (file: string): Map<string, string[]> =>
  new Map(
    readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { name: string; questions: string[] })
      .map(({ name, questions }) => [name, questions]),
  );

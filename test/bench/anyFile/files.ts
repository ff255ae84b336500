/** The tool files of the bench that were written by hand, and what people ask of them. */
import { join } from 'node:path';
import type { Task, ToolSchema } from '../../../trainer/protocol/task';
import { readTasks } from '../../../trainer/tasks/readTasks';
import { Discovery } from '../../../trainer/tools/toolFile';

export interface BenchFile {
  name: string;
  /** what a user would have in a folder of theirs: the tool file first, then what it imports */
  sources: string[];
  /** JSON lines of tasks, under a name that `coach train` does not pick up */
  requests: string;
  /** tools that change the world, whatever the product takes them for */
  changing: readonly string[];
}

const here = (...names: string[]): string => join(__dirname, ...names);

export const HAND_MADE: BenchFile[] = [
  { name: 'library', sources: [here('library', 'library.ts')], requests: here('library', 'library.requests.jsonl'), changing: ['lendBook', 'returnBook', 'renewLoan', 'placeHold'] },
  { name: 'vet', sources: [here('vet', 'practice.ts'), here('vet', 'tool.ts')], requests: here('vet', 'vet.requests.jsonl'), changing: ['bookVisit', 'cancelVisit', 'registerPatient'] },
];

/** @throws Error where the file has no tool */
export function toolsOf(file: BenchFile): ToolSchema[] {
  const { tools } = new Discovery().discover([file.sources[0]!]);
  if (tools.length === 0) throw new Error(`anyFile: ${file.sources[0]} has no tool`);
  return tools;
}

export function requestsOf(file: BenchFile, tools: readonly ToolSchema[]): Task[] {
  return readTasks(file.requests, tools);
}

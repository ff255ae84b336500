/** The tool files of the bench, and what people ask of them. */
import { join } from 'node:path';
import type { Task, TypeScriptTool } from '../../../trainer/protocol/task';
import { checkTask, readTasks } from '../../../trainer/tasks/readTasks';
import { Discovery } from '../../../trainer/tools/sources/typescript/toolFile';
import { drawRequests, HWU64, SNIPS, type Drawn } from './draw';

export interface BenchFile {
  name: string;
  /** what a user would have in a folder of theirs: the tool file first, then what it imports */
  sources: string[];
  /** JSON lines of tasks, under a name that `coach train` does not pick up */
  requests: string | Drawn;
  /** tools that change the world, whatever the product takes them for */
  changing: readonly string[];
}

const here = (...names: string[]): string => join(__dirname, ...names);

export const HAND_MADE: BenchFile[] = [
  {
    name: 'library',
    sources: [here('library', 'library.ts')],
    requests: here('library', 'library.requests.jsonl'),
    changing: ['lendBook', 'returnBook', 'renewLoan', 'placeHold'],
  },
  {
    name: 'vet',
    sources: [here('vet', 'practice.ts'), here('vet', 'tool.ts')],
    requests: here('vet', 'vet.requests.jsonl'),
    changing: ['bookVisit', 'cancelVisit', 'registerPatient'],
  },
];

/** Their requests are drawn from public data when the bench runs. */
export const DRAWN: BenchFile[] = [
  {
    name: 'snips',
    sources: [here('snips', 'assistant.ts')],
    requests: SNIPS,
    changing: ['addToPlaylist', 'bookRestaurant', 'playMusic', 'rateBook'],
  },
  {
    name: 'hwu64',
    sources: [here('hwu64', 'butler.ts')],
    requests: HWU64,
    changing: ['setAlarm', 'addEvent', 'startCleaning', 'changeLight', 'bookTicket', 'callTaxi', 'playRadio'],
  },
];

/** Smaller: a module in `.mjs` with JSDoc types, and a class whose prompt is long. */
export const FURTHER: BenchFile[] = [
  { name: 'geo', sources: [here('geo', 'geo.mjs')], requests: here('geo', 'geo.requests.jsonl'), changing: [] },
  {
    name: 'home',
    sources: [here('home', 'home.ts'), here('home', 'tool.ts')],
    requests: here('home', 'home.requests.jsonl'),
    changing: ['setLight', 'setHeating', 'playRadio', 'startVacuum', 'armAlarm'],
  },
  // written to see what breaks on a first try, on 2026-11-25: methods with JSDoc alone, a nested object; a Map, `.mts`
  {
    name: 'crm',
    sources: [here('crm', 'crm.ts')],
    requests: here('crm', 'crm.requests.jsonl'),
    changing: ['moveDeal', 'createDeal', 'logCall'],
  },
  {
    name: 'builds',
    sources: [here('builds', 'builds.mts')],
    requests: here('builds', 'builds.requests.jsonl'),
    changing: ['retryBuild', 'cancelBuild', 'muteBranch'],
  },
  // written to read the tasks that are made for them, on 2026-11-26; then their requests, before any training: a class
  // that reads a file, type aliases and options destructured, snake_case
  {
    name: 'shop',
    sources: [here('shop', 'shop.ts'), here('shop', 'products.json')],
    requests: here('shop', 'shop.requests.jsonl'),
    changing: ['addToCart', 'applyVoucher', 'checkout'],
  },
  {
    name: 'flights',
    sources: [here('flights', 'flights.ts')],
    requests: here('flights', 'flights.requests.jsonl'),
    changing: ['reserve'],
  },
  {
    name: 'helpdesk',
    sources: [here('helpdesk', 'helpdesk.ts')],
    requests: here('helpdesk', 'helpdesk.requests.jsonl'),
    changing: ['create_ticket', 'assign_ticket', 'close_ticket'],
  },
];

/** @throws Error where the file has no tool */
export function toolsOf(file: BenchFile): TypeScriptTool[] {
  const tools = new Discovery().discover([file.sources[0]!]).tools as TypeScriptTool[];
  if (tools.length === 0) throw new Error(`anyFile: ${file.sources[0]} has no tool`);
  return tools;
}

/** @throws Error where public data are missing; UserError where a task does not fit the tools */
export function requestsOf(file: BenchFile, tools: readonly TypeScriptTool[]): Task[] {
  if (typeof file.requests === 'string') return readTasks(file.requests, tools);
  const tasks = drawRequests(file.requests);
  for (const task of tasks) checkTask(task, tools, `${file.name}, ${task.id}`);
  return tasks;
}

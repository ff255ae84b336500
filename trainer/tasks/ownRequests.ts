/**
 * The requests that a person keeps to measure a tool file's runs on: read, kept, and left out of what is trained on.
 */
import { createHash } from 'node:crypto';
import { UserError } from '../protocol/result';
import { REQUEST_ID, type GoldCall, type Task, type ToolSchema } from '../protocol/task';
import {
  isRequestsFile,
  keptRequests,
  readRequestLines,
  requestOf,
  requestsFile,
  writeRequests,
} from '../store/requests';
import { checkTask, taskChecker } from './readTasks';

export interface OwnRequests {
  file: string;
  requests: Task[];
  /** requests that the tools can't do any more, in words; they are not measured */
  problems: string[];
}

/** Of a workspace's tool file. @throws UserError where a line can't be read */
export function ownRequests(workspace: string, toolFile: string, tools: readonly ToolSchema[]): OwnRequests {
  const file = requestsFile(workspace, toolFile);
  const requests: Task[] = [];
  const problems: string[] = [];
  const check = taskChecker(tools);
  for (const request of readRequestLines(file)) {
    try {
      check(request, JSON.stringify(request.prompt));
      requests.push(request);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      problems.push(error.message);
    }
  }
  return { file, requests, problems };
}

/** Without those that a run was trained on or chosen by: they say nothing of it, and the problems say so. */
export function notTrainedOn(own: OwnRequests, trained: readonly Task[]): OwnRequests {
  const [rest, known] = [true, false].map((isNew) =>
    own.requests.filter(({ prompt }) => (requestOf(trained, prompt) === undefined) === isNew),
  ) as [Task[], Task[]];
  const problems = known.map(
    ({ prompt }) => `${JSON.stringify(prompt)}: this run was trained on it, so it is not measured`,
  );
  return { ...own, requests: rest, problems: [...own.problems, ...problems] };
}

/** What a person typed, and what they say is right: the calls, in their order; [] = none may be made. */
export type Accepted = Pick<Task, 'prompt' | 'answer'> & { calls: GoldCall[] };

/**
 * Adds a request, or corrects the one of the same words. Its id changes with what is right, so that what was measured
 * by another gold does not count.
 * @throws UserError where the tools can't do it; nothing is written then
 */
export function keepRequest(
  { prompt, calls, answer }: Accepted,
  workspace: string,
  toolFile: string,
  tools: readonly ToolSchema[],
): OwnRequests {
  const gold = { prompt, calls, ...(answer === undefined ? {} : { answer }) };
  const id = `${REQUEST_ID}${createHash('sha256').update(JSON.stringify(gold)).digest('hex').slice(0, 12)}`;
  const request: Task = { id, ...gold, source: 'person' };
  checkTask(request, tools, JSON.stringify(prompt));
  const file = requestsFile(workspace, toolFile);
  const before = readRequestLines(file);
  const same = requestOf(before, prompt);
  const after = same ? before.map((one) => (one === same ? request : one)) : [...before, request];
  writeRequests(workspace, file, after);
  return ownRequests(workspace, toolFile, tools);
}

/** Tasks to train on, without those that are kept to measure on, in whatever file they stand. */
export function withoutKeptRequests(
  tasks: readonly Task[],
  workspace: string,
  toolFile: string,
): { tasks: Task[]; leftOut: number } {
  const isKept = keptRequests(workspace, toolFile);
  const rest = tasks.filter(({ prompt }) => !isKept(prompt));
  return { tasks: rest, leftOut: tasks.length - rest.length };
}

/** @throws UserError where a file of kept requests is named to train on */
export function refuseRequests(tasks: string | undefined): void {
  if (tasks === undefined || !isRequestsFile(tasks)) return;
  throw new UserError(
    'task',
    `${tasks}: these requests are kept to measure on, and are never trained on`,
    'Leave --tasks out, or name another file; coach evaluate RUN --requests measures on them.',
  );
}

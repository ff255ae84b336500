/** The way from a tool file to tasks, as far as no tensors are needed: train, evaluate and `coach tasks` share it. */
import { resolve } from 'node:path';
import type { PlannedBudget, SeenResult } from './budget/planBudget';
import { UserError } from '../protocol/result';
import type { TellNote } from '../protocol/note';
import type { RunConfig } from '../protocol/runConfig';
import type { ToolNetwork } from '../protocol/settings/choices';
import { DEFAULTS } from '../protocol/settings/defaults';
import {
  isFileTool,
  type Diagnostic,
  type Split,
  type Task,
  type ToolSchema,
  type ToolWithoutTasks,
} from '../protocol/task';
import type { ToolResult } from '../protocol/trace';
import type { Dependencies } from './dependencies';
import { isToolPath } from '../tools/sources/mcp/config';
import type { Discovered } from '../tools/sources/typescript/discover';
import { withLimits } from './settings';
import { shortPath } from '../base/shortPath';
import { inOtherLanguage } from '../tasks/language';
import { readStrata, type Strata } from '../protocol/strata';
import { strataWords, type MadeStrata } from '../tasks/generate/strata';
import { CallWatch, type CallFinding } from '../tasks/generate/callWatch';
import { generateTasks } from '../tasks/generate/generateTasks';
import { lineOfTask, readTasks, taskChecker, tasksFileBeside } from '../tasks/readTasks';
import { readTaskSplits } from '../store/runs/readRun';
import { contentKey, splitTasks } from '../tasks/taskset';
import { withoutTasksAt, withoutTasksMessage } from '../tasks/generate/toolWithoutTasks';
import { refuseRequests, withoutKeptRequests } from '../tasks/ownRequests';
import { useTasks } from '../tasks/useTasks';
import { writeFor } from './writer/writeFor';
import { writerSettings } from './writer/settings';
import type { HostOptions, ToolHosts } from '../tools/hosts/callTool';
import { sameDescriptions } from '../tools/sources/typescript/discovery/duplicates';
import { GATE_SHARE, GATE_TASKS } from '../protocol/stages';
import { defaultPolicy } from '../tools/toolPolicy';

/**
 * The tools of a file or folder; those that are broken are left out, and said.
 * @throws UserError where there is no tool to train on, with what discovery said about those that are none
 */
export async function findTools(
  path: string,
  cwd: string,
  dependencies: Pick<Dependencies, 'discover'>,
  note: TellNote,
  network?: ToolNetwork,
): Promise<Discovered> {
  const file = resolve(cwd, path);
  if (!isToolPath(file))
    throw new UserError(
      'tool',
      `${file}: there is no such file or folder`,
      'Give a TypeScript or JavaScript file with tools, or a folder of them.',
    );
  const found = await dependencies.discover([file], network);
  const errors = found.diagnostics.filter((d) => d.severity === 'error');
  // Where nothing was found, what was not taken is all there is to say.
  const reasons = errors.length > 0 ? errors : found.diagnostics;
  if (found.tools.length > 0) {
    for (const error of errors) note('warning', 'toolLeftOut', `left out: ${describe(error, cwd)}`);
    for (const { file, line, message } of sameDescriptions(found.tools.filter(isFileTool)))
      note('warning', 'sameDescription', `${shortPath(resolve(cwd, file), cwd)}:${line}: ${message}`);
    return found;
  }
  const shown = reasons
    .slice(0, 5)
    .map((d) => `\n  ${describe(d, cwd)}`)
    .join('');
  const more = reasons.length > 5 ? `\n  … and ${reasons.length - 5} more` : '';
  throw new UserError(
    'tool',
    `${file}: there is no tool in it${shown}${more}`,
    reasons.length > 0 ? 'Correct what is said above.' : HOW_TO_MAKE_A_TOOL,
  );
}

export const HOW_TO_MAKE_A_TOOL =
  'Put @tool into the JSDoc of an exported function, or of a method of an exported class; or ' +
  'define tools with the AI SDK, the Agents SDK, LangChain, the MCP SDK or in OpenAI\u2019s form.';

/** `src/tools.ts:12: error: …` */
export function describe(d: Diagnostic, cwd: string): string {
  return `${shortPath(resolve(cwd, d.file), cwd)}:${d.line}: ${d.severity}: ${d.message}`;
}

/** The tool hosts of a run, by its settings. */
export function openHosts({
  config,
  found,
  workspace,
  note,
  ask,
  dependencies,
  signal,
}: {
  config: RunConfig;
  found: Discovered;
  workspace: string;
  note: TellNote;
  ask: HostOptions['ask'];
  dependencies: Pick<Dependencies, 'openHosts'>;
  signal?: AbortSignal;
}): Promise<ToolHosts> {
  return dependencies.openHosts({
    tools: found.tools.filter(isFileTool),
    ...(found.servers ? { servers: found.servers } : {}),
    workspace,
    policyOf: (tool) => config.toolPolicy ?? defaultPolicy(tool),
    ask,
    timeoutMs: config.toolTimeoutMs,
    outputBytes: withLimits(config).toolOutputBytes,
    memoryMb: config.toolMemoryMb,
    network: config.toolNetwork,
    seed: config.seed,
    rewards: found.rewards,
    checksSchema: config.guardSchema ?? DEFAULTS.guardSchema,
    note: saidOnce(note),
    ...(signal ? { signal } : {}),
  });
}

/** Hosts are opened more than once for a command; how its network is, is said once. */
const saidNetwork = new WeakSet<TellNote>();

const saidOnce =
  (note: TellNote): TellNote =>
  (level, code, message, diagnostic) => {
    if (code === 'toolNetwork') {
      if (saidNetwork.has(note)) return;
      saidNetwork.add(note);
    }
    note(level, code, message, diagnostic);
  };

export interface MadeTasks {
  tasks: Task[];
  /** a file, or 'generated' */
  source: string;
  /** what was called while they were made */
  seen: SeenResult[];
}

export interface MakingTasks {
  config: RunConfig;
  found: Discovered;
  workspace: string;
  cwd: string;
  note: TellNote;
  dependencies: Pick<Dependencies, 'openHosts' | 'openEngine'>;
  /** made anew, whatever file there is */
  isFresh?: boolean;
  /** nothing is trained on them: the tasks of a named file are taken as they are, kept requests as well */
  isToMeasure?: boolean;
  /** names the writer, where the settings don't */
  environment?: Readonly<Record<string, string | undefined>>;
  signal?: AbortSignal;
  onProgress?: (message: string) => void;
}

/**
 * The tasks of the file that was named or lies beside the tool file; where there is none (or with `isFresh`), or it has
 * fewer than `fillTasks`, up to `taskCount` of what was asked at work
 * and marked good, what a language model wrote where one is set, and generated ones. Generating calls the read-only
 * tools in hosts of its own; where the policy is to ask, they are
 * mocked, since nobody can be asked before the run exists. Requests that are kept to measure on are left out.
 */
export async function makeTasks(making: MakingTasks): Promise<MadeTasks> {
  if (making.isToMeasure && making.config.tasks !== undefined)
    return gatherTasks({ ...making, config: { ...making.config, splitsOf: undefined } }); // those of the file alone
  const { config, workspace, cwd, note } = making;
  refuseRequests(config.tasks);
  const made = await gatherTasks(making);
  const { tasks, leftOut } = withoutKeptRequests(made.tasks, workspace, resolve(cwd, config.toolFile));
  if (leftOut > 0)
    note(
      'info',
      'requestsKept',
      `${leftOut} of the tasks ${leftOut === 1 ? 'is a request that is' : 'are requests that are'} kept to measure on: left out`,
    );
  return { ...made, tasks };
}

async function gatherTasks(making: MakingTasks): Promise<MadeTasks> {
  const { config, found, workspace, cwd, isFresh = false, isToMeasure = false } = making;
  noteOtherLanguage(
    making,
    'tools',
    found.tools,
    ({ description }) => description,
    (tool) => placeOf(tool, cwd),
  );
  if (config.splitsOf !== undefined) return tasksOfRun(config.splitsOf, config, found.tools, cwd);
  const file =
    config.tasks !== undefined ? resolve(cwd, config.tasks) : isFresh ? null : tasksFileBeside(config.toolFile);
  const own = file === null ? [] : readTasks(file, found.tools);
  const place = (task: Task): string => `${shortPath(file!, cwd)}:${lineOfTask(file!, task) ?? 1}`;
  noteOtherLanguage(making, 'requests', own, ({ prompt }) => prompt, place);
  const isWhole = isToMeasure || own.length >= (config.fillTasks ?? DEFAULTS.fillTasks);
  if (file !== null && isWhole) return { tasks: own, source: file, seen: [] };
  const prompts = new Set(own.map(({ prompt }) => prompt));
  const used = useTasks(workspace, config.toolFile, found.tools).filter(({ prompt }) => !prompts.has(prompt));
  if (used.length > 0)
    making.note(
      'info',
      'tasksOfUse',
      `${used.length} requests of tries and imported traces that were marked good are among the tasks`,
    );
  const people = [...own, ...used];
  const { made, seen } = await inventTasks(making, people);
  return {
    tasks: withOwnIds(people, made),
    source: file === null ? 'generated' : `${file} + ${made.length + used.length} more`,
    seen,
  };
}

/** The tasks of a run, and behind them those of a file that is named. */
function tasksOfRun(dir: string, { tasks }: RunConfig, tools: readonly ToolSchema[], cwd: string): MadeTasks {
  const known = Object.values(readTaskSplits(dir)).flat();
  const check = taskChecker(tools);
  for (const task of known) check(task, `splitsOf: ${dir}, task ${task.id}`);
  if (tasks === undefined) return { tasks: known, source: dir, seen: [] };
  const file = resolve(cwd, tasks);
  const more = readTasks(file, tools);
  return { tasks: withOwnIds(known, more), source: `${dir} + ${more.length} of ${file}`, seen: [] };
}

/** The embedded model was trained on English alone; of other models nobody knows here what they speak. */
function noteOtherLanguage<T>(
  { config, note }: MakingTasks,
  kind: 'tools' | 'requests',
  items: readonly T[],
  textOf: (item: T) => string,
  placeOf: (item: T) => string,
): void {
  const other = config.model === 'nano' ? inOtherLanguage(items, textOf) : null;
  if (other === null) return;
  const what = `${other.n} of ${items.length} ${kind} ${kind === 'tools' ? 'are described' : 'are'}`;
  note(
    'warning',
    'otherLanguage',
    `${placeOf(other.first)}: ${what} in another language than English (this one, it seems: ` +
      `${other.language}). The embedded model was trained on English alone, so they are out of its ` +
      'reach. Take a model that speaks the language (--model), or write them in English',
  );
}

/** A person's ids stay; one that is there already gets a sign behind it. */
function withOwnIds(people: readonly Task[], made: readonly Task[]): Task[] {
  const taken = new Set(people.map(({ id }) => id));
  const unique = (id: string): string => (taken.has(id) ? unique(`${id}+`) : id);
  return [...people, ...made.map((task) => ({ ...task, id: unique(task.id) }))];
}

/** Up to taskCount with those that there are: by the writer, where one is set, the rest generated. */
async function inventTasks(
  { config, found, workspace, cwd, note, dependencies, environment = {}, signal, onProgress }: MakingTasks,
  people: readonly Task[],
): Promise<{ made: Task[]; seen: SeenResult[] }> {
  const policy = config.toolPolicy === 'ask' ? 'mock' : config.toolPolicy;
  const writer = writerSettings(config, environment);
  const hosts = await openHosts({
    config: { ...config, toolPolicy: policy, guardSchema: true },
    found,
    workspace,
    note,
    ask: async () => 'unavailable',
    dependencies,
    ...(signal ? { signal } : {}),
  });
  const watch = new CallWatch(found.tools);
  const slow: { message: string; tool: ToolSchema }[] = [];
  const without: { tool: ToolSchema; why: ToolWithoutTasks }[] = [];
  const wanted = Math.max(1, config.taskCount - people.length);
  const strata = config.taskStrata === undefined ? null : readStrata(config.taskStrata);
  try {
    const session = hosts.open('tasks');
    const seen: SeenResult[] = [];
    const call = async (name: string, args: Record<string, unknown>): Promise<ToolResult> => {
      const result = await session.call(name, args, signal);
      seen.push({ name, arguments: args, content: result.content });
      return result;
    };
    const work = generateTasks(found.tools, {
      count: wanted,
      seed: config.seed,
      language: config.taskLanguage,
      ...(config.looseWording === undefined ? {} : { looseWording: config.looseWording }),
      workspace,
      ...(signal && { signal }),
      call: watch.watched(call, signal),
      note: (message, tool) => void slow.push({ message, tool }),
      onWithoutTasks: (tool, why) => void without.push({ tool, why }),
      ...(strata ? { strata, onMade: (made: MadeStrata) => tellStrata(made, strata, note) } : {}),
    });
    const generated = await telling(onProgress, () => watch.words(), work);
    session.close();
    const findings = watch.findings(withLimits(config));
    for (const { message, tool } of slow)
      if (!findings.some((finding) => finding.tool === tool)) note('warning', 'slowTool', message);
    for (const { message, wayOut, tool } of findings)
      if (!without.some((one) => one.tool === tool))
        note('warning', 'callFinding', `${placeOf(tool, cwd)}: ${message}. ${wayOut}`);
    for (const { tool, why } of without) {
      const found = findings.find((finding) => finding.tool === tool);
      const message = found ? `${found.message}. ${found.wayOut}` : withoutTasksMessage(why);
      note('warning', 'toolWithoutTasks', `${placeOf(tool, cwd)}: ${message}`, withoutTasksAt(tool, why, message));
    }
    if (writer === null) return { made: generated, seen };
    let said = 'Asking the writer';
    const askedAt = performance.now();
    const writing = writeFor({
      settings: writer,
      config,
      tools: found.tools,
      workspace,
      hosts,
      made: generated,
      known: people.map(({ prompt }) => prompt),
      count: Math.min(wanted, config.writerTasks ?? DEFAULTS.writerTasks),
      openEngine: () => dependencies.openEngine(config),
      signal: signal ?? new AbortController().signal,
      note,
      onProgress: (message) => void (said = message),
    });
    const waiting = (): string => `${said}, for ${Math.round((performance.now() - askedAt) / 1000)} s`;
    const written = await telling(onProgress, waiting, writing);
    return { made: [...written, ...generated.slice(0, wanted - written.length)], seen };
  } catch (error) {
    throw explained(error, watch.findings(withLimits(config)), cwd);
  } finally {
    await hosts.close();
  }
}

function tellStrata(made: MadeStrata, strata: Strata, note: TellNote): void {
  const { words, missing } = strataWords(made, strata);
  note('info', 'tasksMade', words);
  if (missing !== null) note('warning', 'tasksMade', missing);
}

/** Of a file's tasks so many are solved by their gold calls, to see how long the tools' results are. */
const SEEN_TASKS = 32;

/**
 * The limits of episodes on these tools and tasks, and the tools as the policy is to read them. Of tasks that were not
 * generated some are tried, in hosts of their own.
 * @throws UserError where the tools don't fit into the model
 */
export async function planLimits({
  made: { tasks, source, seen },
  ...seeing
}: Seeing & { made: MadeTasks }): Promise<PlannedBudget> {
  const { config, found, dependencies } = seeing;
  const results = source === 'generated' ? seen : await seeResults(seeing, tasks);
  return dependencies.planBudget(
    { config, tools: found.tools, tasks, seen: results },
    dependencies.modelFolder(config.model, seeing.cwd),
  );
}

type Seeing = Pick<MakingTasks, 'config' | 'found' | 'workspace' | 'cwd' | 'signal' | 'onProgress'> & {
  dependencies: Pick<Dependencies, 'modelFolder' | 'openHosts' | 'planBudget'>;
};

async function seeResults(
  { config, found, workspace, dependencies, signal, onProgress }: Seeing,
  tasks: readonly Task[],
): Promise<SeenResult[]> {
  const withCalls = tasks.filter(({ calls = [] }) => calls.length > 0);
  const some = withCalls.filter(
    (_, i) => Math.floor((i * SEEN_TASKS) / withCalls.length) !== Math.floor(((i - 1) * SEEN_TASKS) / withCalls.length),
  );
  if (some.length === 0) return [];
  const policy = config.toolPolicy === 'ask' ? 'mock' : config.toolPolicy;
  const hosts = await openHosts({
    config: { ...config, toolPolicy: policy, guardSchema: true },
    found,
    workspace,
    note: () => undefined,
    ask: async () => 'unavailable',
    dependencies,
    ...(signal ? { signal } : {}),
  });
  const seen: SeenResult[] = [];
  const see = async (): Promise<void> => {
    for (const { id, calls = [] } of some) {
      if (signal?.aborted) break;
      const session = hosts.open(`seen-${id}`);
      for (const call of calls)
        seen.push({ ...call, content: (await session.call(call.name, call.arguments, signal)).content });
      session.close();
    }
  };
  try {
    await telling(
      onProgress,
      () => `Looking at what the tools return: ${seen.length} call${seen.length === 1 ? '' : 's'} made`,
      see(),
    );
    return seen;
  } finally {
    await hosts.close();
  }
}

const TELL_MS = 1500;

/**
 * Tells what is done while `work` takes long: nothing in its first second and a half, then something every so often.
 */
export async function telling<T>(
  tell: ((message: string) => void) | undefined,
  words: () => string,
  work: Promise<T>,
): Promise<T> {
  const ticking = tell && setInterval(() => tell(words()), TELL_MS);
  try {
    return await work;
  } finally {
    clearInterval(ticking);
  }
}

/** Where it stands, or its name where it stands in no file. */
export const placeOf = ({ name, source, binding }: ToolSchema, cwd: string): string =>
  source
    ? `${shortPath(source.file, cwd)}:${source.line}`
    : binding.kind === 'mcp'
      ? `mcp:${binding.server}: ${name}`
      : name;

/** Where no task could be made, what the tools did says why. */
function explained(error: unknown, findings: readonly CallFinding[], cwd: string): unknown {
  if (!(error instanceof UserError) || findings.length === 0) return error;
  const lines = findings.map(({ tool, message }) => `${placeOf(tool, cwd)}: ${message}`);
  const diagnostics = findings.flatMap(({ tool: { source }, message, wayOut }): Diagnostic[] =>
    source ? [{ ...source, severity: 'error', message: `${message}. ${wayOut}` }] : [],
  );
  return new UserError(
    'tool',
    `no task could be made. ${lines.join('\n  ')}`,
    [...new Set(findings.map(({ wayOut }) => wayOut))].join(' '),
    diagnostics,
  );
}

/** As that run has them; other tasks are trained on, but for those with the content of one that is measured on. */
function splitsOfRun(dir: string, tasks: readonly Task[], tools: readonly ToolSchema[]): Record<Split, Task[]> {
  const splits = readTaskSplits(dir);
  const known = new Set(
    Object.values(splits)
      .flat()
      .map(({ id }) => id),
  );
  const measured = new Set([...splits.validation, ...splits.heldOut].map((task) => contentKey(task, tools)));
  const more = tasks.filter((task) => !known.has(task.id) && !measured.has(contentKey(task, tools)));
  return { ...splits, train: [...splits.train, ...more] };
}

/** @throws UserError that names the source where a split would be empty */
export function splitFor(
  config: RunConfig,
  { tasks, source }: Pick<MadeTasks, 'tasks' | 'source'>,
  tools: readonly ToolSchema[],
): Record<Split, Task[]> {
  if (config.splitsOf !== undefined) return splitsOfRun(config.splitsOf, tasks, tools);
  try {
    // the gates between stages are judged on validation tasks, which a few hundred tasks of a person have too few of
    const validation =
      config.stages === undefined
        ? { validation: config.evalTasks }
        : { validation: Math.max(config.evalTasks, GATE_TASKS), mostValidation: GATE_SHARE };
    return splitTasks(tasks, { heldOut: config.heldOutTasks, ...validation, tools });
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new UserError(
      error.border,
      `${source === 'generated' ? 'generated tasks' : source}: ${error.message}`,
      error.hint,
    );
  }
}

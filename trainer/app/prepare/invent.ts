/** Tasks that nobody gave: generated ones, and those that a language model writes. */
import type { TellNote } from '../../protocol/note';
import { UserError } from '../../protocol/result';
import { DEFAULTS } from '../../protocol/settings/defaults';
import { readStrata, type Strata } from '../../protocol/strata';
import type { Diagnostic, Task, ToolSchema, ToolWithoutTasks } from '../../protocol/task';
import type { ToolResult } from '../../protocol/trace';
import type { JudgeSettings } from '../../rewards/judge/settings';
import { CallWatch, type CallFinding } from '../../tasks/generate/callWatch';
import { generateTasks } from '../../tasks/generate/generateTasks';
import { strataWords, type MadeStrata } from '../../tasks/generate/strata';
import { withoutTasksAt, withoutTasksMessage } from '../../tasks/generate/toolWithoutTasks';
import type { ToolHosts } from '../../tools/hosts/callTool';
import type { SeenResult } from '../budget/planBudget';
import { withMockTools } from '../mockTools';
import { withLimits } from '../settings';
import { writerSettings } from '../writer/settings';
import { writeFor } from '../writer/writeFor';
import { openHosts } from './hosts';
import type { MakingTasks } from './tasks';
import { telling } from './telling';
import { placeOf } from './tools';

export interface InventedTasks {
  made: Task[];
  seen: SeenResult[];
  /** names of tools that were mocked because they failed whatever they were asked */
  mocked: string[];
}

/**
 * Up to taskCount with those that there are: by the writer, where one is set, the rest generated. Where no toolPolicy
 * is set, tools that fail whatever they are asked are mocked, and said.
 */
export async function inventTasks(making: MakingTasks, people: readonly Task[]): Promise<InventedTasks> {
  const { config, note } = making;
  const tried = await tryToInvent(making, people);
  if ('made' in tried) return { ...tried, mocked: [] };
  tellDead(tried.dead, note);
  const names = tried.dead.map(({ tool }) => tool.name);
  const again = await inventTasks({ ...making, config: withMockTools(config, names) }, people);
  return { ...again, mocked: [...names, ...again.mocked] };
}

async function tryToInvent(
  making: MakingTasks,
  people: readonly Task[],
): Promise<Omit<InventedTasks, 'mocked'> | { dead: Dead }> {
  const { config, found, workspace, cwd, note, dependencies, environment = {}, signal } = making;
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
  const deadOnes = (): Dead => (config.toolPolicy === undefined ? watch.dead() : []);
  const wanted = Math.max(1, config.taskCount - people.length);
  try {
    const { generated, seen, tell } = await generate(making, { hosts, watch, wanted });
    const dead = deadOnes();
    if (dead.length > 0) return { dead };
    tell();
    if (writer === null) return { made: generated, seen };
    const written = await write(making, { writer, hosts, people, generated, wanted });
    return { made: [...written, ...generated.slice(0, wanted - written.length)], seen };
  } catch (error) {
    const dead = error instanceof UserError ? deadOnes() : [];
    if (dead.length > 0) return { dead };
    throw explained(error, watch.findings(withLimits(config)), cwd);
  } finally {
    await hosts.close();
  }
}

type Dead = ReturnType<CallWatch['dead']>;

function tellDead(dead: Dead, note: TellNote): void {
  const [{ tool, error }] = dead as [Dead[number]];
  const names = dead.map(({ tool: { name } }) => name).join(', ');
  const [what, their, they] =
    dead.length === 1 ? ['1 tool', 'its', 'it needs'] : [`${dead.length} tools`, 'their', 'they need'];
  note(
    'warning',
    'deadTools',
    `${what} failed in every call while tasks were made, whatever was asked (${tool.name}: ${error.slice(0, 120)}), so ` +
      `${their} results are made up: ${names}. Start what ${they} (a server, a database, a key), or take ` +
      `${their} real results with --tool-policy real`,
  );
}

/** Generated tasks, and what the tools answered meanwhile. `tell` says what is wrong with the tools. */
async function generate(
  { config, found, workspace, cwd, note, signal, onProgress }: MakingTasks,
  { hosts, watch, wanted }: { hosts: ToolHosts; watch: CallWatch; wanted: number },
): Promise<{ generated: Task[]; seen: SeenResult[]; tell: () => void }> {
  const slow: { message: string; tool: ToolSchema }[] = [];
  const without: { tool: ToolSchema; why: ToolWithoutTasks }[] = [];
  const strata = config.taskStrata === undefined ? null : readStrata(config.taskStrata);
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
    values: config.taskValues,
    looseWording: config.looseWording ?? DEFAULTS.looseWording(config),
    workspace,
    ...(signal && { signal }),
    call: watch.watched(call, signal),
    note: (message, tool) => void slow.push({ message, tool }),
    onWithoutTasks: (tool, why) => void without.push({ tool, why }),
    ...(strata ? { strata, onMade: (made: MadeStrata) => tellStrata(made, strata, note) } : {}),
  });
  const generated = await telling(onProgress, () => watch.words(), work);
  session.close();
  const tell = (): void => tellFindings(watch.findings(withLimits(config)), { slow, without, cwd, note });
  return { generated, seen, tell };
}

/** Of each tool the worst alone: that no task could be made for it, what its calls came to, that it is slow. */
function tellFindings(
  findings: readonly CallFinding[],
  {
    slow,
    without,
    cwd,
    note,
  }: {
    slow: readonly { message: string; tool: ToolSchema }[];
    without: readonly { tool: ToolSchema; why: ToolWithoutTasks }[];
    cwd: string;
    note: TellNote;
  },
): void {
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
}

interface Writing {
  writer: JudgeSettings;
  hosts: ToolHosts;
  people: readonly Task[];
  generated: Task[];
  wanted: number;
}

/** What a language model writes beside the generated tasks. */
async function write(
  { config, found, workspace, note, dependencies, signal, onProgress }: MakingTasks,
  { writer, hosts, people, generated, wanted }: Writing,
): Promise<Task[]> {
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
  return telling(onProgress, waiting, writing);
}

function tellStrata(made: MadeStrata, strata: Strata, note: TellNote): void {
  const { words, missing } = strataWords(made, strata);
  note('info', 'tasksMade', words);
  if (missing !== null) note('warning', 'tasksMade', missing);
}

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

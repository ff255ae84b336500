/**
 * The tools of TypeScript and JavaScript files, run in tool hosts: one call, isolated, bounded in time and output. The
 * user's rewards run there, too.
 */
import { existsSync, realpathSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { availableParallelism } from 'node:os';
import { dirname, resolve, sep } from 'node:path';
import { readFreeMemory } from '../../../base/freeMemory';
import { z } from 'zod';
import type { TellNote } from '../../../protocol/note';
import type { ToolNetwork } from '../../../protocol/settings/choices';
import type { FileTool, Task } from '../../../protocol/task';
import type { Trace } from '../../../protocol/trace';
import { HostPool, type PooledRollout } from '../../hosts/hostPool';
import { hostScript, wallProbes } from '../../hosts/hostLaunch';
import {
  type DescribeBinding,
  type PreparedModule,
  type ReadyMessage,
  ToolDescription,
} from '../../hosts/inside/hostMessages';
import { describeLoadProblem, loadProblems, type LoadProblem } from '../../hosts/loadProblem';
import { isHidden, readablePaths } from '../../hosts/readable';
import { openScratchRoot, removeScratchRoot } from '../../hosts/scratchRoot';
import type { EvaluatedApart } from '../../../protocol/task';
import { prepareCode, type KeptSpans, type PreparedCode } from '../../hosts/transpile';
import { spanKey } from '../../hosts/transpileSource';
import { scoreByUser, type Score, type UserReward } from '../../hosts/userRewards';
import { toolSession, unknownTool, type CallOutcome, type ToolSession, type ToolSource } from '../toolSource';

export interface TypeScriptOptions {
  /** As discovery found them. */
  tools: readonly FileTool[];
  /** User rewards, as discovery found them. */
  rewards?: readonly UserReward[];
  /** Absolute; what hosts may read, and their working directory. */
  workspace: string;
  /** Per call. */
  timeoutMs: number;
  /** For one file with all that it imports, once per host; default: the limit per call, and at least ten seconds. */
  loadTimeoutMs?: number;
  /** UTF-8 bytes of one result; longer ones are cut in the middle. */
  outputBytes: number;
  /** V8 heap of one host. */
  memoryMb: number;
  /** Hosts that start at a time, and that stand ready beside those in use; default: the cores, at least 2. */
  size?: number;
  note: TellNote;
  /** Stops the start: the files need not end loading. */
  signal?: AbortSignal;
  /** Default: the executable that runs us. */
  nodePath?: string;
  /** Where scratch folders lie; default: a new folder in the temporary directory. Deleted at close. */
  scratchRoot?: string;
  /** Further environment variables that tools may see. */
  envAllow?: string[];
  /** Default: allow. */
  network?: ToolNetwork;
}

export interface TypeScriptSource extends ToolSource {
  rewards: { name: string; isGroup: boolean }[];
  /** One score per trace, in order. */
  scoreReward(name: string, task: Task, traces: Trace[]): Promise<Score[]>;
  /**
   * What the definitions of these tools of one file say, in order.
   * @throws Error with the host's words where the file can't be run to the end
   */
  describe(file: string, tools: DescribeBinding['tools']): Promise<ToolDescription[]>;
  /** What the first hosts found when they tried. */
  walls: ReadyMessage['walls'];
  /** Tool and reward files that could not be loaded; calls of theirs answer with the same words. */
  loadProblems: readonly LoadProblem[];
  /** Absolute: these files and all of the user's own that they import, at any depth. */
  modules: readonly string[];
  /** One of the files, and those of `modules` that it imports, at any depth. */
  modulesOf(file: string): string[];
}

/** Timeouts after which a tool has only `SHORT_TIMEOUT_MS` for the rest of the run. */
const MAX_TIMEOUTS = 3;
const SHORT_TIMEOUT_MS = 1000;
const WARM_TIMEOUT_MS = 10_000;
const START_TIMEOUT_MS = 60_000;
const OPEN_NETWORK =
  'the tools can reach the network: there is no wall around it; toolNetwork=deny puts one ' +
  'there, where this machine can';
const NO_NETWORK = 'the tools cannot reach the network: proven by trying';
const MOST_HOSTS = 64;
/** Of its own, for tools without packages: 13 MB (measured, Node 20 on Linux); and as much again. */
const HOST_BYTES = 26e6;

interface KnownTool {
  schema: FileTool;
  /** Absolute, links followed. */
  file: string;
  timeouts: number;
}

/**
 * Transpiles the user's files and starts the first host.
 *
 * @throws Error when no host can be started
 */
export async function openTypeScriptSource(options: TypeScriptOptions): Promise<TypeScriptSource> {
  const { note, timeoutMs, workspace } = options;
  const rewards = (options.rewards ?? []).map((reward) => ({ ...reward, file: realFile(workspace, reward.file) }));
  const placed = options.tools.map(
    (schema): KnownTool => ({
      schema,
      file: realFile(workspace, schema.source.file),
      timeouts: 0,
    }),
  );
  // Several files may have tools of one name, which are described together and never called.
  const tools = new Map(placed.map((tool) => [tool.schema.name, tool]));
  const scratchRoot = openScratchRoot(options.scratchRoot);
  const files = [placed, rewards].map((list) => [...new Set(list.map(({ file }) => file))]);
  const code = prepareCode([...new Set(files.flat())], keptSpans(placed));
  const listener = options.network === 'deny' ? await listenHere() : undefined;
  const tidy = () => {
    listener?.close();
    removeScratchRoot(scratchRoot);
  };
  const { toolPool, rewardPool } = orTidy(tidy, () =>
    openPools(options, files, code, { scratchRoot, port: listener?.port }),
  );
  const pools = [toolPool, ...(rewards.length > 0 ? [rewardPool] : [])];
  const close = async () => {
    await Promise.all(pools.map((pool) => pool.close()));
    tidy();
  };
  const started = Promise.all(pools.map((pool) => pool.start()));
  const ready = await rejectedBy(options.signal, started).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const problems = loadProblems(
    ready.flatMap(({ loadErrors }) => loadErrors),
    code.problems,
  );
  for (const problem of problems) note('warning', 'toolNotLoaded', describeLoadProblem(problem));
  const walls = wallsOf(ready);
  if (!walls.filesystem || !walls.childProcesses)
    note('warning', 'wallsIncomplete', `the walls around the tools are incomplete: ${walls.why}`);
  note('info', 'toolNetwork', walls.network ? NO_NETWORK : OPEN_NETWORK);

  /** After three timeouts a tool gets one second; said once. */
  function countTimeout(tool: KnownTool): void {
    if (++tool.timeouts !== MAX_TIMEOUTS || timeoutMs <= SHORT_TIMEOUT_MS) return;
    note(
      'warning',
      'toolTimesOut',
      `${tool.schema.name} has timed out ${MAX_TIMEOUTS} times; it gets ${SHORT_TIMEOUT_MS} ms per ` +
        'call for the rest of the run',
    );
  }

  async function call(
    { schema, file, timeouts }: KnownTool,
    args: Record<string, unknown>,
    rollout: PooledRollout,
    signal?: AbortSignal,
  ): Promise<CallOutcome> {
    const { kind, content, isCut } = await toolPool.call(
      rollout,
      {
        file,
        name: schema.name,
        binding: schema.binding,
        args: JSON.stringify(args),
        isReward: false,
        timeoutMs: timeouts >= MAX_TIMEOUTS ? Math.min(timeoutMs, SHORT_TIMEOUT_MS) : timeoutMs,
        outputBytes: options.outputBytes,
        isReplayable: !schema.changesWorld,
      },
      signal,
    );
    return { kind, content, ...(isCut ? { isCut } : {}) };
  }

  function open(): ToolSession {
    const rollout = toolPool.openRollout();
    return toolSession(
      async (name, args, signal) => {
        const tool = tools.get(name);
        if (!tool) return unknownTool(tools.keys());
        const outcome = await call(tool, args, rollout, signal);
        if (outcome.kind === 'timeout') countTimeout(tool);
        return outcome;
      },
      () => toolPool.closeRollout(rollout),
    );
  }

  return {
    name: 'the tool files',
    list: async () => options.tools,
    open,
    rewards: rewards.map(({ name, isGroup }) => ({ name, isGroup })),
    async scoreReward(name, task, traces) {
      const reward = rewards.find((known) => known.name === name);
      if (!reward) throw new Error(`scoreReward: there is no reward '${name}'`);
      return scoreByUser(rewardPool, reward, task, traces, timeoutMs);
    },
    async describe(file, described) {
      const rollout = toolPool.openRollout();
      const { kind, content } = await toolPool.call(rollout, {
        file: realFile(workspace, file),
        name: 'describe',
        binding: { kind: 'describe', tools: described },
        args: '{}',
        isReward: false,
        timeoutMs,
        outputBytes: options.outputBytes,
        isReplayable: true,
      });
      toolPool.closeRollout(rollout);
      if (kind !== 'ok') throw new Error((JSON.parse(content) as { error: string }).error);
      const said = z.array(ToolDescription).length(described.length).safeParse(JSON.parse(content));
      if (!said.success) throw new Error('the file has put something else in the place of its definitions');
      return said.data;
    },
    walls,
    loadProblems: problems,
    modules: Object.keys(code.modules),
    modulesOf: (file) => reachedFrom(realFile(workspace, file), code.modules),
    close,
  };
}

function reachedFrom(file: string, modules: PreparedCode['modules']): string[] {
  const reached = new Set([file]);
  for (const each of reached) for (const next of Object.values(modules[each]?.ownImports ?? {})) reached.add(next);
  return [...reached];
}

/** Where the files define tools, and the functions that answer them. */
function keptSpans(tools: readonly KnownTool[]): KeptSpans {
  const kept = new Map<string, { spans: Set<string>; apart: Map<string, EvaluatedApart> }>();
  for (const { file, schema } of tools) {
    const { binding } = schema;
    if (binding.kind !== 'defined') continue;
    const { spans, apart } = kept.get(file) ?? { spans: new Set<string>(), apart: new Map<string, EvaluatedApart>() };
    kept.set(file, { spans, apart });
    for (const each of [binding, binding.handler, binding.maker]) if (each) spans.add(spanKey(each.span));
    for (const each of binding.apart ?? []) {
      apart.set(spanKey(each.span), each);
      if (each.parts) spans.delete(spanKey(each.span)); // what stands there is a part of it
    }
  }
  return kept;
}

/** @throws the signal's reason when it comes first */
function rejectedBy<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** One name per file, so that a tool and a module that imports it share the instance. */
function realFile(workspace: string, file: string): string {
  const path = resolve(workspace, file);
  return existsSync(path) ? realpathSync(path) : path;
}

/** Rewards have hosts of their own, which no argument of a model reaches: a tool can't forge what it earns. */
function openPools(
  options: TypeScriptOptions,
  [toolFiles, rewardFiles]: string[][],
  code: PreparedCode,
  { scratchRoot, port }: { scratchRoot: string; port: number | undefined },
): { toolPool: HostPool; rewardPool: HostPool } {
  const workspace = realpathSync(options.workspace);
  const modules = withoutHidden(code.modules, workspace);
  const { paths: readable, refused } = readablePaths(workspace, Object.keys(modules));
  tellRefused([...refused.values()], options.note);
  const size = Math.max(1, options.size ?? Math.max(2, availableParallelism()));
  const open = (prefix: string, warmFiles: string[]) =>
    new HostPool({
      size,
      most: Math.max(size, mostHosts(readFreeMemory().bytes)),
      scratchRoot,
      prefix,
      note: options.note,
      plan: {
        nodePath: options.nodePath ?? process.execPath,
        script: hostScript(),
        readable,
        network: options.network ?? 'allow',
        memoryMb: options.memoryMb,
        envAllow: options.envAllow ?? [],
        maxLineBytes: options.outputBytes * 8 + 256 * 1024,
        startTimeoutMs: START_TIMEOUT_MS,
        prepare: {
          modules,
          warmFiles,
          warmTimeoutMs: options.loadTimeoutMs ?? Math.max(WARM_TIMEOUT_MS, options.timeoutMs),
          workspace,
          probes: {
            ...wallProbes(workspace, readable, [...refused.keys()]),
            ...(port === undefined ? {} : { port }),
          },
        },
      },
    });
  return { toolPool: open('host-', toolFiles!), rewardPool: open('host-reward-', rewardFiles!) };
}

/** What a host must not reach if the wall around the network is to count as proven. */
function listenHere(): Promise<{ port: number; close(): void }> {
  const server = createServer((socket) => socket.destroy()).unref();
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      resolve({ port, close: () => server.close() });
    });
  });
}

/** As many as a quarter of the free memory holds, but not more than rollouts are ever decoded together. */
const mostHosts = (freeBytes: number): number => Math.min(MOST_HOSTS, Math.floor(freeBytes / 4 / HOST_BYTES));

const wallsOf = (ready: readonly ReadyMessage[]): ReadyMessage['walls'] => {
  const every = (wall: 'filesystem' | 'childProcesses' | 'network') => ready.every(({ walls }) => walls[wall]);
  const why = [...new Set(ready.map(({ walls }) => walls.why))].join('; ');
  return { filesystem: every('filesystem'), childProcesses: every('childProcesses'), network: every('network'), why };
};

function orTidy<T>(tidy: () => void, open: () => T): T {
  try {
    return open();
  } catch (error) {
    tidy();
    throw error;
  }
}

/** A file of ~/.aws or the like that the code imports is not handed to it, although the trainer could read it. */
function withoutHidden(modules: Record<string, PreparedModule>, workspace: string): Record<string, PreparedModule> {
  return Object.fromEntries(
    Object.entries(modules).map(([file, module]): [string, PreparedModule] => {
      if (file.startsWith(workspace + sep) || !isHidden(dirname(file), workspace)) return [file, module];
      const message = `${file} lies in a hidden folder outside of the workspace and is not handed to tools; copy it into the workspace`;
      return [
        file,
        {
          ...module,
          code: `throw new Error(${JSON.stringify(message)});`,
          isJson: false,
          ownImports: {},
          hasTopLevelAwait: false,
        },
      ];
    }),
  );
}

function tellRefused(words: readonly string[], note: TypeScriptOptions['note']): void {
  if (words.length === 0) return;
  const more = words.length > 3 ? `; and ${words.length - 3} more` : '';
  note('warning', 'notReadable', `not readable by the tools: ${words.slice(0, 3).join('; ')}${more}`);
}

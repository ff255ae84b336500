/**
 * The user's tools as the rollouts see them: one call, isolated, bounded in time and output, answered by real code or
 * by a mock.
 * A call never throws; every failure is a ToolResult with its kind.
 */
import type { TellNote } from '../../protocol/note';
import { setMaxListeners } from 'node:events';
import { existsSync, realpathSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, resolve, sep } from 'node:path';
import type { Task, ToolSchema } from '../../protocol/task';
import type { ToolResult, Trace } from '../../protocol/trace';
import type { PreparedModule } from './inside/hostMessages';
import { hostScript, wallProbes } from './hostLaunch';
import { isHidden, readablePaths } from './readable';
import { HostPool, type CallAnswer, type PooledRollout } from './hostPool';
import { MadeThings } from '../mocks/madeThings';
import { realIdsOf } from '../mocks/realIds';
import { mockAnswers } from '../mocks/mockAnswer';
import { policyDecider, type ToolPolicy } from '../toolPolicy';
import { openScratchRoot, removeScratchRoot } from './scratchRoot';
import { describeLoadProblem, loadProblems, type LoadProblem } from './loadProblem';
import { prepareCode, type PreparedCode } from './transpile';
import { scoreByUser, type Score, type UserReward } from './userRewards';
import { argumentValidator, type ArgumentValidator } from '../schema/validateArguments';

export interface HostOptions {
  tools: ToolSchema[];
  /** Absolute; what hosts may read, and their working directory. */
  workspace: string;
  policyOf(tool: ToolSchema): ToolPolicy;
  ask(tool: string, args: unknown): Promise<'yes' | 'no' | 'unavailable'>;
  /** Per call. */
  timeoutMs: number;
  /** For one file with all that it imports, once per host; default: the limit per call, and at least ten seconds. */
  loadTimeoutMs?: number;
  /** UTF-8 bytes of one result; longer ones are cut in the middle. */
  outputBytes: number;
  /** V8 heap of one host. */
  memoryMb: number;
  seed: number;
  /** Host processes; default: the cores, at least 2. */
  size?: number;
  /** User rewards, as discovery found them. */
  rewards?: UserReward[];
  /** Results of earlier runs that mocks may answer with. */
  recorded?: { tool: string; args: Record<string, unknown>; content: string }[];
  note: TellNote;
  /** Stops the start: the files need not end loading. */
  signal?: AbortSignal;
  /**
   * Whether arguments that their schema forbids keep a call from being run; else the tool gets them as they are, with
   * defaults. Default: true.
   */
  checksSchema?: boolean;
  /** Default: the executable that runs us. */
  nodePath?: string;
  /** Where scratch folders lie; default: a new folder in the temporary directory. Deleted at close. */
  scratchRoot?: string;
  /** Further environment variables that tools may see. */
  envAllow?: string[];
}

export interface ToolSession {
  /** Never throws, never rejects. */
  call(name: string, args: Record<string, unknown>, signal?: AbortSignal): Promise<ToolResult>;
  /** Ends the rollout's module instances and timers. Harmless twice. */
  close(): void;
}

export interface ToolHosts extends AsyncDisposable {
  /** A rollout: its module state is fresh, and its own. */
  open(rolloutId: string): ToolSession;
  rewards: { name: string; isGroup: boolean }[];
  /** One score per trace, in order. */
  scoreReward(name: string, task: Task, traces: Trace[]): Promise<Score[]>;
  /** What `process.permission` of a host said. There is no wall around the network. */
  walls: { filesystem: boolean; childProcesses: boolean; network: false; why: string };
  /** Tool and reward files that could not be loaded; calls of theirs answer with the same words. */
  loadProblems: readonly LoadProblem[];
  close(): Promise<void>;
}

/** Timeouts after which a tool has only `SHORT_TIMEOUT_MS` for the rest of the run. */
const MAX_TIMEOUTS = 3;
const SHORT_TIMEOUT_MS = 1000;
const WARM_TIMEOUT_MS = 10_000;
const START_TIMEOUT_MS = 60_000;

interface KnownTool {
  schema: ToolSchema;
  /** Absolute, links followed. */
  file: string;
  validate: ArgumentValidator;
  timeouts: number;
}

/**
 * Transpiles the user's files and starts the first host.
 *
 * @throws Error when no host can be started or a tool's schema cannot be compiled
 */
export async function openToolHosts(options: HostOptions): Promise<ToolHosts> {
  const { note, timeoutMs, checksSchema = true } = options;
  const rewards = (options.rewards ?? []).map((reward) => ({
    ...reward,
    file: realFile(options.workspace, reward.file),
  }));
  const tools = new Map<string, KnownTool>(
    options.tools.map((schema) => [
      schema.name,
      {
        schema,
        file: realFile(options.workspace, schema.source.file),
        validate: argumentValidator(schema),
        timeouts: 0,
      },
    ]),
  );
  const mocks = mockAnswers(options.seed, realIdsOf(options.tools, options.workspace));
  for (const { tool, args, content } of options.recorded ?? []) mocks.record(tool, args, content);
  const decide = policyDecider(options);

  const scratchRoot = openScratchRoot(options.scratchRoot);
  const files = [...new Set([...tools.values(), ...rewards].map(({ file }) => file))];
  const code = prepareCode(files);
  const pool = poolIn(scratchRoot, () => openPool(options, files, code, scratchRoot));
  const close = async () => {
    await pool.close();
    removeScratchRoot(scratchRoot);
  };
  const ready = await rejectedBy(options.signal, pool.start()).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const problems = loadProblems(ready.loadErrors, code.problems);
  for (const problem of problems) note('warning', 'toolNotLoaded', describeLoadProblem(problem));
  const { walls } = ready;
  if (!walls.filesystem || !walls.childProcesses)
    note('warning', 'wallsIncomplete', `the walls around the tools are incomplete: ${walls.why}`);

  /** After three timeouts a tool gets one second; said once. */
  function countTimeout(tool: KnownTool): void {
    if (++tool.timeouts !== MAX_TIMEOUTS || timeoutMs <= SHORT_TIMEOUT_MS) return;
    note(
      'warning',
      'toolTimesOut',
      `${tool.schema.name} has timed out ${MAX_TIMEOUTS} times; it gets ${SHORT_TIMEOUT_MS} ms per call for the rest of the run`,
    );
  }

  async function callReal(
    tool: KnownTool,
    args: Record<string, unknown>,
    rollout: PooledRollout,
    signal?: AbortSignal,
  ): Promise<CallAnswer> {
    const { schema } = tool;
    const answer = await pool.call(
      rollout,
      {
        file: tool.file,
        name: schema.name,
        binding: schema.binding,
        args: JSON.stringify(args),
        isReward: false,
        timeoutMs: tool.timeouts >= MAX_TIMEOUTS ? Math.min(timeoutMs, SHORT_TIMEOUT_MS) : timeoutMs,
        outputBytes: options.outputBytes,
        isReplayable: !schema.changesWorld,
      },
      signal,
    );
    if (answer.kind === 'timeout') countTimeout(tool);
    if (answer.kind === 'ok') mocks.record(schema.name, args, answer.content);
    return answer;
  }

  async function answer(
    name: string,
    args: Record<string, unknown>,
    { rollout, made }: { rollout: PooledRollout; made: MadeThings },
    signal?: AbortSignal,
  ): Promise<Partial<ToolResult> & { content: string }> {
    const tool = tools.get(name);
    if (!tool) return failure('unknownTool', `there is no tool '${name}'; there are: ${[...tools.keys()].join(', ')}`);
    const checked = tool.validate(args);
    if (!checked.ok && checksSchema) return failure('invalidArguments', checked.message);
    const decision = await decide(tool.schema, checked.args);
    if (decision === 'refused') return failure('refused', `the user has refused to run ${name}`);
    if (decision === 'mock') {
      const { content, source } = mocks.answer(tool.schema, checked.args, made);
      return { kind: 'ok', content, policy: 'mock', mockSource: source };
    }
    const { kind, content, isCut } = await callReal(tool, checked.args, rollout, signal);
    return { kind, content, ...(isCut ? { isCut } : {}) };
  }

  function open(): ToolSession {
    const rollout = pool.openRollout();
    const made = new MadeThings();
    let isClosed = false;
    return {
      async call(name, args, signal) {
        if (signal) setMaxListeners(0, signal); // a run has one signal for all its calls
        const startedAt = Date.now();
        const from = performance.now();
        const result = isClosed
          ? failure('refused', 'the rollout has ended')
          : await untilAborted(answer(name, args, { rollout, made }, signal), signal).catch((error: unknown) =>
              failure(
                'hostDied',
                `the tool could not be run: ${error instanceof Error ? error.message : String(error)}`,
              ),
            );
        return { kind: 'ok', policy: 'real', ...result, startedAt, durationMs: performance.now() - from };
      },
      close() {
        if (isClosed) return;
        isClosed = true;
        pool.closeRollout(rollout);
      },
    };
  }

  return {
    open,
    rewards: rewards.map(({ name, isGroup }) => ({ name, isGroup })),
    async scoreReward(name, task, traces) {
      const reward = rewards.find((known) => known.name === name);
      if (!reward) throw new Error(`scoreReward: there is no reward '${name}'`);
      return scoreByUser(pool, reward, task, traces, timeoutMs);
    },
    walls: { ...walls, network: false },
    loadProblems: problems,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function failure(kind: ToolResult['kind'], message: string): { kind: ToolResult['kind']; content: string } {
  return { kind, content: JSON.stringify({ error: message }) };
}

/** A cancelled run does not wait for a tool that takes no notice of its signal. */
function untilAborted<T>(work: Promise<T>, signal?: AbortSignal): Promise<T | ReturnType<typeof failure>> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const abort = () => resolve(failure('refused', 'the call was cancelled'));
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
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

function openPool(options: HostOptions, files: string[], code: PreparedCode, scratchRoot: string): HostPool {
  const workspace = realpathSync(options.workspace);
  const modules = withoutHidden(code.modules, workspace);
  const { paths: readable, refused } = readablePaths(workspace, Object.keys(modules));
  tellRefused([...refused.values()], options.note);
  return new HostPool({
    size: Math.max(1, options.size ?? Math.max(2, availableParallelism())),
    scratchRoot,
    note: options.note,
    plan: {
      nodePath: options.nodePath ?? process.execPath,
      script: hostScript(),
      readable,
      memoryMb: options.memoryMb,
      envAllow: options.envAllow ?? [],
      maxLineBytes: options.outputBytes * 8 + 256 * 1024,
      startTimeoutMs: START_TIMEOUT_MS,
      prepare: {
        modules,
        warmFiles: files,
        warmTimeoutMs: options.loadTimeoutMs ?? Math.max(WARM_TIMEOUT_MS, options.timeoutMs),
        workspace,
        probes: wallProbes(workspace, readable, [...refused.keys()]),
      },
    },
  });
}

/** @throws what opening throws, the folder removed */
function poolIn(scratchRoot: string, open: () => HostPool): HostPool {
  try {
    return open();
  } catch (error) {
    removeScratchRoot(scratchRoot);
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

function tellRefused(words: readonly string[], note: HostOptions['note']): void {
  if (words.length === 0) return;
  const more = words.length > 3 ? `; and ${words.length - 3} more` : '';
  note('warning', 'notReadable', `not readable by the tools: ${words.slice(0, 3).join('; ')}${more}`);
}

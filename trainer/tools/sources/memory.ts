/**
 * Tools that the program itself defines: a name, a schema and a function. For tests and examples. They run in our own
 * process, without walls: only code of ours may be given.
 */
import type { JsonSchema, ToolSchema } from '../../protocol/task';
import { errorText, messageOf, resultText } from '../hosts/inside/resultText';
import { failure, toolSession, unknownTool, type CallOutcome, type ToolSession, type ToolSource } from './toolSource';

export interface MemoryTool<State> {
  name: string;
  description: string;
  parameters: JsonSchema;
  returns?: JsonSchema;
  /** Default: false. */
  changesWorld?: boolean;
  /** @param rollout `state` is the rollout's own; `signal` ends with the call: by its time limit, or cancelled */
  call(args: Record<string, unknown>, rollout: { state: State; signal: AbortSignal }): unknown;
}

export interface MemoryOptions<State> {
  name: string;
  tools: readonly MemoryTool<State>[];
  /** What the tools of one rollout remember. */
  newState(): State;
  /** Per call; default: ten seconds. A function that never yields can't be stopped. */
  timeoutMs?: number;
  /** UTF-8 bytes of one result; longer ones are cut in the middle. Default: 16384. */
  outputBytes?: number;
}

export interface MemorySource<State> extends ToolSource {
  /** Other tools from now on, in rollouts that are open as well. */
  replace(tools: readonly MemoryTool<State>[]): void;
  watch(changed: () => void): Disposable;
}

export function memorySource<State>({
  name,
  tools: first,
  newState,
  timeoutMs = 10_000,
  outputBytes = 16_384,
}: MemoryOptions<State>): MemorySource<State> {
  let tools = first;
  const watchers = new Set<() => void>();

  async function run(tool: MemoryTool<State>, args: Record<string, unknown>, rollout: Running<State>) {
    const controller = new AbortController();
    const stop = () => controller.abort(new Error('the rollout has ended or the call was cancelled'));
    rollout.stops.add(stop);
    rollout.signal?.addEventListener('abort', stop, { once: true });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<CallOutcome>((resolve) => {
      timer = setTimeout(() => {
        controller.abort(new Error('the time limit has passed'));
        resolve(failure('timeout', `${tool.name} did not finish in ${timeoutMs} ms`));
      }, timeoutMs);
    });
    const work = (async (): Promise<CallOutcome> => {
      try {
        const value = await tool.call(args, { state: rollout.state, signal: controller.signal });
        const { kind, content, isCut } = resultText(value, outputBytes);
        return { kind, content, ...(isCut ? { isCut } : {}) };
      } catch (error) {
        return { kind: 'threw', content: errorText(messageOf(error), outputBytes) };
      }
    })();
    try {
      return await Promise.race([work, late]);
    } finally {
      clearTimeout(timer);
      rollout.stops.delete(stop);
      rollout.signal?.removeEventListener('abort', stop);
    }
  }

  function open(): ToolSession {
    const state = newState();
    const stops = new Set<() => void>();
    return toolSession(
      async (called, args, signal) => {
        const tool = tools.find((each) => each.name === called);
        if (!tool) return unknownTool(tools.map((each) => each.name));
        if (signal?.aborted) return failure('refused', 'the call was cancelled');
        return run(tool, args, { state, stops, ...(signal ? { signal } : {}) });
      },
      () => stops.forEach((stop) => stop()),
    );
  }

  return {
    name,
    list: async () => tools.map(schemaOf),
    open,
    replace(others) {
      tools = others;
      for (const changed of watchers) changed();
    },
    watch(changed) {
      watchers.add(changed);
      return { [Symbol.dispose]: () => void watchers.delete(changed) };
    },
    close: async () => watchers.clear(),
  };
}

interface Running<State> {
  state: State;
  /** Of the calls that run. */
  stops: Set<() => void>;
  signal?: AbortSignal;
}

function schemaOf<State>({ name, description, parameters, returns, changesWorld }: MemoryTool<State>): ToolSchema {
  return {
    name,
    description,
    parameters,
    ...(returns ? { returns } : {}),
    binding: { kind: 'memory' },
    changesWorld: changesWorld ?? false,
  };
}

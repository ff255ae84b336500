/** The contract of every source of tools. Rollouts see none of them: they see the registry (tools/registry.ts). */
import { setMaxListeners } from 'node:events';
import { EDITOR_TOOLS } from '../../protocol/mcp';
import type { ToolOrigin, ToolSchema } from '../../protocol/task';
import type { ToolResult, ToolResultKind } from '../../protocol/trace';

/** Where tools come from, and where they run. */
export interface ToolSource {
  /** In messages, behind "in" or "of": 'the tool files'. */
  readonly name: string;
  /** The tools as they are now. */
  list(): Promise<readonly ToolSchema[]>;
  /** For one rollout: what its tools remember is its own. Costs next to nothing until the first call. */
  open(rolloutId: string): ToolSession;
  /** Calls back whenever `list` would give other tools than before. */
  watch?(changed: () => void): Disposable;
  /** Ends what the source has started. Harmless twice. */
  close(): Promise<void>;
}

export interface ToolSession {
  /**
   * Of a source: really runs the tool; its arguments have passed their schema. Never throws, never rejects: what goes
   * wrong is a result of its kind. A cancelled call is answered at once.
   */
  call(name: string, args: Record<string, unknown>, signal?: AbortSignal): Promise<ToolResult>;
  /** Ends what the rollout's tools have left running. Harmless twice; calls after it are refused. */
  close(): void;
}

/** What a call comes to, without the times. `policy` is 'real' where nothing else is said. */
export type CallOutcome = Pick<ToolResult, 'kind' | 'content'> & Partial<ToolResult>;

/** A session around `answer`, as the contract of ToolSession has it: times, cancelling, errors, the end. */
export function toolSession(
  answer: (name: string, args: Record<string, unknown>, signal?: AbortSignal) => Promise<CallOutcome>,
  close: () => void,
): ToolSession {
  let isClosed = false;
  return {
    async call(name, args, signal) {
      if (signal) setMaxListeners(0, signal); // a run has one signal for all its calls
      const startedAt = Date.now();
      const from = performance.now();
      const outcome = isClosed
        ? failure('refused', 'the rollout has ended')
        : await untilAborted(answer(name, args, signal), signal).catch((error: unknown) =>
            failure('hostDied', `the tool could not be run: ${error instanceof Error ? error.message : String(error)}`),
          );
      return { policy: 'real', ...outcome, startedAt, durationMs: performance.now() - from };
    },
    close() {
      if (isClosed) return;
      isClosed = true;
      close();
    },
  };
}

export function failure(kind: ToolResultKind, message: string): CallOutcome {
  return { kind, content: JSON.stringify({ error: message }) };
}

/**
 * What an invented name of a tool is answered with, in ToolRLA's form (arXiv:2603.01620, appendix A): the policy reads
 * which names there are, and can correct itself.
 */
export function unknownTool(names: Iterable<string>): CallOutcome {
  return { kind: 'unknownTool', content: JSON.stringify({ error: 'unknown_tool', valid_tools: [...names] }) };
}

/** A cancelled run does not wait for a tool that takes no notice of its signal. */
function untilAborted(work: Promise<CallOutcome>, signal?: AbortSignal): Promise<CallOutcome> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const abort = () => resolve(failure('refused', 'the call was cancelled'));
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** `coach tools --json` gives it with each tool; traces with each call of one that is no tagged function. */
export function originOf({ binding, source }: ToolSchema): ToolOrigin {
  return {
    kind: binding.kind === 'mcp' && binding.server === EDITOR_TOOLS ? 'editor' : (binding.kind ?? 'typescript'),
    ...(source ? { file: source.file, line: source.line } : {}),
    ...(binding.kind === 'mcp' ? { server: binding.server } : {}),
  };
}

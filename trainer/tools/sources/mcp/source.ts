/**
 * The tools of an MCP server. Each rollout has a session of its own, opened at its first call: of a process that is
 * started ahead and ended with the rollout, of one that a declared tool resets, or, where that was asked for, of one
 * that all share.
 */
import type { TellNote } from '../../../protocol/note';
import { UserError } from '../../../protocol/result';
import type { ToolNetwork } from '../../../protocol/settings/choices';
import type { ToolSchema } from '../../../protocol/task';
import { failure, toolSession, unknownTool, type CallOutcome, type ToolSession, type ToolSource } from '../toolSource';
import type { McpServer } from './config';
import { withoutSecrets } from './connection';
import { outcomeOf } from './toolOf';
import { SessionPool, type PooledSession } from './sessionPool';

export interface McpOptions {
  server: McpServer;
  /** As they were discovered: what the run's prompts name. */
  tools: readonly ToolSchema[];
  timeoutMs: number;
  outputBytes: number;
  /** Default: allow. */
  network?: ToolNetwork | undefined;
  note: TellNote;
}

/** @throws UserError where the network is to be walled off: a server runs as the user's own programs do */
export function mcpSource({ server, tools, timeoutMs, outputBytes, network, note }: McpOptions): ToolSource {
  if (network === 'deny')
    throw new UserError(
      'tool',
      `toolNetwork is deny, and no wall can be put around the MCP server ${server.name}`,
      'Set toolNetwork to allow for it, or start a server that has a wall of its own (a container).',
    );
  note(
    'warning',
    'wallsIncomplete',
    `the MCP server ${server.name} runs without a wall of ours: it may do what your own programs may`,
  );
  const pool = new SessionPool(server);
  const names = new Set(tools.map(({ name }) => name));
  if (server.reset === 'never')
    note('warning', 'sharedWorld', `${server.name} is never reset: its rollouts share a world, as its settings say`);
  else if (server.reach.kind === 'http' && server.reset === 'fresh')
    note(
      'info',
      'sharedWorld',
      `${server.name}: each rollout has a session of its own; what the server keeps outside of its sessions is shared`,
    );

  async function call(
    session: PooledSession,
    name: string,
    args: Record<string, unknown>,
    signal?: AbortSignal,
  ): Promise<CallOutcome> {
    const { connection } = session;
    try {
      const result = await connection.call(name, args, { timeoutMs, ...(signal ? { signal } : {}) });
      const outcome = outcomeOf(result, outputBytes);
      return { ...outcome, content: withoutSecrets(outcome.content, server.secrets) };
    } catch (error) {
      const message = withoutSecrets(error instanceof Error ? error.message : String(error), server.secrets);
      if (isTimeout(error)) return failure('timeout', `${name} did not finish in ${timeoutMs} ms`);
      if (connection.ended !== undefined)
        return failure('hostDied', `${name} ended its server ${server.name}: ${connection.ended}`);
      return failure('threw', message);
    }
  }

  function open(): ToolSession {
    let session: Promise<PooledSession> | undefined;
    return toolSession(
      async (name, args, signal) => {
        if (!names.has(name)) return unknownTool(names);
        session ??= pool.take();
        const taken = await session.catch((error: unknown) => error as Error);
        if (taken instanceof Error)
          return failure('hostDied', taken instanceof UserError ? taken.message : `${server.name}: ${taken.message}`);
        if (taken.connection.ended !== undefined)
          return failure('hostDied', `the server ${server.name} has ended: ${taken.connection.ended}`);
        return call(taken, name, args, signal);
      },
      () => void session?.then((taken) => pool.giveBack(taken)).catch(() => undefined),
    );
  }

  return {
    name: `the MCP server ${server.name}`,
    list: async () => tools,
    open,
    close: () => pool.close(),
  };
}

const isTimeout = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === -32001;

/**
 * The tools of an MCP server. Each rollout has a session of its own, opened at its first call: of a process that is
 * started ahead and ended with the rollout that changed its world, of one that a declared tool resets, or, where that
 * was asked for, of one that all share.
 */
import type { TellNote } from '../../../protocol/note';
import { UserError } from '../../../protocol/result';
import type { ToolNetwork } from '../../../protocol/settings/choices';
import type { ToolSchema } from '../../../protocol/task';
import { failure, toolSession, unknownTool, type CallOutcome, type ToolSession, type ToolSource } from '../toolSource';
import type { McpServer } from './config';
import type { Connection } from './connection';
import { isLate, messageOf, withoutSecrets } from './failures';
import { listTools, outcomeOf } from './toolOf';
import { SessionPool } from './sessionPool';
import { sayShared, WorldWatch } from './sharedWorld';

export interface McpOptions {
  server: McpServer;
  /** As they were discovered: what the run's prompts name. */
  tools: readonly ToolSchema[];
  /** As it was discovered. */
  isSessionless?: boolean | undefined;
  timeoutMs: number;
  outputBytes: number;
  /** Default: allow. */
  network?: ToolNetwork | undefined;
  note: TellNote;
}

/** @throws UserError where the network is to be walled off: a server runs as the user's own programs do */
export function mcpSource(options: McpOptions): ToolSource {
  const { server, tools, timeoutMs, outputBytes, network, note } = options;
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
  const { isSessionless = false } = options;
  sayShared(server, isSessionless, note);
  sayReadByName(options);
  const names = new Set(tools.map(({ name }) => name));
  const changing = new Set(tools.filter(({ changesWorld }) => changesWorld).map(({ name }) => name));
  const world = new WorldWatch(server, isSessionless || server.reset === 'never', note);
  const watchers = new Set<() => void>();
  let listed = tools;
  /** A session may have other tools than the ones before it; whoever watches is told once of each list. */
  const relist = async (connection: Connection): Promise<void> => {
    const now = (await listTools(connection, server)).tools;
    if (JSON.stringify(now) === JSON.stringify(listed)) return;
    listed = now;
    for (const changed of watchers) changed();
  };
  // a session that ends meanwhile has no list, and what it had is nobody's any more
  const pool = new SessionPool(server, (connection) => void relist(connection).catch(() => undefined));

  async function call(
    connection: Connection,
    name: string,
    args: Record<string, unknown>,
    signal?: AbortSignal,
  ): Promise<CallOutcome> {
    try {
      const result = await connection.call(name, args, { timeoutMs, ...(signal ? { signal } : {}) });
      const outcome = outcomeOf(result, outputBytes);
      return { ...outcome, content: withoutSecrets(outcome.content, server.secrets) };
    } catch (error) {
      if (isLate(error)) return failure('timeout', `${name} did not finish in ${timeoutMs} ms`);
      if (connection.ended !== undefined)
        return failure('hostDied', `${name} ended its server ${server.name}: ${connection.ended}`);
      return failure('threw', withoutSecrets(messageOf(error), server.secrets));
    }
  }

  function open(): ToolSession {
    let session: Promise<Connection> | undefined;
    let isAsNew = true;
    let underWay = 0;
    return toolSession(
      async (name, args, signal) => {
        if (!names.has(name)) return unknownTool(names);
        session ??= pool.take();
        const connection = await session.catch((error: unknown) => error as Error);
        if (connection instanceof Error) {
          const message = withoutSecrets(connection.message, server.secrets);
          return failure('hostDied', connection instanceof UserError ? message : `${server.name}: ${message}`);
        }
        if (connection.ended !== undefined)
          return failure('hostDied', `the server ${server.name} has ended: ${connection.ended}`);
        if (changing.has(name)) {
          isAsNew = false;
          world.changed();
        }
        underWay++;
        const outcome = await call(connection, name, args, signal);
        if (isAsNew && outcome.kind === 'ok') world.answered(session, name, args, outcome.content);
        // what was given up is still at work
        if (outcome.kind !== 'timeout' && signal?.aborted !== true) underWay--;
        return outcome;
      },
      () =>
        void session?.then((connection) => pool.giveBack(connection, isAsNew && underWay === 0)).catch(() => undefined),
    );
  }

  return {
    name: `the MCP server ${server.name}`,
    list: async () => listed,
    open,
    watch(changed) {
      watchers.add(changed);
      return { [Symbol.dispose]: () => void watchers.delete(changed) };
    },
    close: () => pool.close(),
  };
}

/** What nobody but a name says. */
function sayReadByName({ server, tools, note }: McpOptions): void {
  const names = tools.filter(({ binding }) => binding.kind === 'mcp' && binding.readsByName).map(({ name }) => name);
  if (names.length === 0) return;
  note(
    'info',
    'readsByName',
    `${server.name} does not say of ${names.join(', ')} whether they only read: by their names they do, so they are ` +
      'not mocked (mockTools=NAME,… mocks them)',
  );
}

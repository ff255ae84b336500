/**
 * Sessions with one server: some stand ready for the next rollouts, none serves two of them without a reset, but where
 * the first called read-only tools alone.
 */
import { setMaxListeners } from 'node:events';
import { availableParallelism } from 'node:os';
import { Lanes } from '../../../base/lanes';
import { UserError } from '../../../protocol/result';
import type { McpServer } from './config';
import { connect, type Connection } from './connection';

/** Ready for the next rollouts. */
const AHEAD = Math.max(2, availableParallelism());
/** Standing ready, with those that were used and are as new: as many as roll out side by side. */
const MOST_FREE = 32;
/** Opened at a time: more of them only wait for each other, some beyond their limit. */
const OPENING = 2 * AHEAD;
const RESET_MS = 10_000;

export class SessionPool {
  /** All that were opened and have not been closed. */
  private readonly open = new Set<Connection>();
  /** Nobody's; may still be opening, or be reset. */
  private readonly free: Promise<Connection>[] = [];
  private readonly opening = new Lanes(OPENING);
  private readonly ending = new Set<Promise<void>>();
  private readonly closing = new AbortController();

  /** @param onListChanged the server has said so in this session */
  constructor(
    private readonly server: McpServer,
    private readonly onListChanged: (connection: Connection) => void = () => undefined,
  ) {
    setMaxListeners(0, this.closing.signal); // one for each session that is being opened
  }

  /** Are there sessions that end with their rollout? */
  private get endsSessions(): boolean {
    return this.server.reset === 'fresh' || this.server.reset === 'changed';
  }

  /** @throws UserError where no session can be opened */
  async take(): Promise<Connection> {
    if (this.closing.signal.aborted) throw new Error('its sessions are closed');
    const isShared = this.server.reset === 'never';
    while (this.free.length > 0) {
      const next = isShared ? this.free[0]! : this.free.shift()!;
      const connection = await next.catch(() => undefined);
      if (connection && connection.ended === undefined) {
        if (this.endsSessions) this.startAhead();
        return connection;
      }
      if (this.free.includes(next)) this.free.splice(this.free.indexOf(next), 1);
      if (connection) void this.end(connection);
    }
    const started = this.start();
    if (isShared) this.free.push(started);
    else if (this.endsSessions) this.startAhead();
    return started;
  }

  /** @param isAsNew only read-only tools were called: where that is trusted, it is as good as a new one */
  giveBack(connection: Connection, isAsNew: boolean): void {
    const { reset } = this.server;
    if (reset === 'never') return;
    const isOver = this.closing.signal.aborted || connection.ended !== undefined;
    if (reset === 'changed' && isAsNew && !isOver && this.free.length < MOST_FREE)
      return void this.free.unshift(Promise.resolve(connection));
    if (isOver || typeof reset !== 'object') return void this.end(connection);
    // offered while it is reset: whoever takes it waits for the reset
    const ready = this.reset(connection, reset);
    ready.catch(() => undefined);
    this.free.push(ready);
  }

  async close(): Promise<void> {
    this.closing.abort();
    const opening = this.free.splice(0).map((one) => one.catch(() => undefined));
    for (const connection of this.open) void this.end(connection);
    await Promise.all([...opening, ...this.ending]);
  }

  private startAhead(): void {
    while (!this.closing.signal.aborted && this.free.length < AHEAD) this.free.push(this.start());
  }

  private start(): Promise<Connection> {
    const started = this.connect();
    started.catch(() => undefined); // whoever takes it is told
    return started;
  }

  private async connect(): Promise<Connection> {
    const { signal } = this.closing;
    const { reset } = this.server;
    const connection = await this.opening.run(async () => {
      signal.throwIfAborted();
      return connect(this.server, { signal, onListChanged: this.onListChanged });
    });
    this.open.add(connection);
    // a server may have kept its world from before, in files or elsewhere
    if (!signal.aborted) return typeof reset === 'object' ? this.reset(connection, reset) : connection;
    await this.end(connection);
    throw new Error('its sessions are closed');
  }

  private end(connection: Connection): Promise<void> {
    this.open.delete(connection);
    const ended = connection.close().finally(() => this.ending.delete(ended));
    this.ending.add(ended);
    return ended;
  }

  /** @throws UserError where the tool fails: the world is not what a rollout may begin with */
  private async reset(
    connection: Connection,
    { tool, arguments: args = {} }: Extract<McpServer['reset'], object>,
  ): Promise<Connection> {
    const failed = (why: string): UserError =>
      new UserError('tool', `${this.server.name}: its reset ${tool} failed: ${why}`, 'Correct coach.reset of it.');
    try {
      const result = await connection.call(tool, args, { timeoutMs: RESET_MS });
      if (!result.isError) return connection;
      throw failed(JSON.stringify(result.content));
    } catch (error) {
      await this.end(connection);
      throw error instanceof UserError ? error : failed(error instanceof Error ? error.message : String(error));
    }
  }
}
